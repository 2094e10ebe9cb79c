/* BspTextures.h - converts images and lightmap pages to textures that every host reads: PNG or JPEG. */
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

	/* Returns the path that materials use for the image, or "" if there is none. The image is encoded at the first
	 * call. */
	std::string PathOfImage(uint32_t image);
	/* Returns the path of the material's normal map, whose green channel points up, as in glTF and OpenGL. */
	std::string PathOfNormals(const bspscene_material &material);
	std::string PathOfPage(uint32_t page);
	/* Adds RGB pixels as a JPEG. Returns the path that materials use for it. */
	std::string AddPainted(const std::string &words, uint32_t width, uint32_t height, const uint8_t *rgb,
	                       uint32_t quality);
	/* Moves all textures to the caller. */
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
