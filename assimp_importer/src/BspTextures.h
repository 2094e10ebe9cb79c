/* BspTextures.h - images and lightmap pages to textures that every reader understands: PNG or JPEG bytes. */
#ifndef BSP_TEXTURES_H
#define BSP_TEXTURES_H

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "BspToAssimp.h"

namespace bspscene {

class TextureBuilder {
public:
	TextureBuilder(const bspscene_scene &scene, const ConvertOptions &options) : scene_(scene), options_(options) {}

	/* What a material has to name; "" when there is no such texture. A picture is encoded when first asked for. */
	std::string PathOfImage(uint32_t image);
	/* Normals whose green points up the picture, as glTF and OpenGL have them. */
	std::string PathOfNormals(const bspscene_material &material);
	std::string PathOfPage(uint32_t page);
	/* RGB bytes, as a JPEG. */
	std::string AddPainted(const std::string &words, uint32_t width, uint32_t height, const uint8_t *rgb,
	                       uint32_t quality);
	/* Hands all textures over. */
	void Finish(aiScene &out);

private:
	std::string Add(const std::string &words, std::vector<uint8_t> bytes, const char *hint);
	std::string AddTexels(const std::string &words, const bspscene_lightmap_page &page);
	std::string FileName(const std::string &words, const char *hint);

	const bspscene_scene &scene_;
	const ConvertOptions &options_;
	std::vector<std::unique_ptr<aiTexture>> textures_;
	std::unordered_map<uint64_t, std::string> paths_;
	std::unordered_set<std::string> names_;
};

} // namespace bspscene

#endif
