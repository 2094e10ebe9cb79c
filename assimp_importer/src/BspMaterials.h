/* BspMaterials.h - makes a material for each scene material and each way it is lit: the kind of light and the page. */
#ifndef BSP_MATERIALS_H
#define BSP_MATERIALS_H

#include <map>
#include <memory>
#include <tuple>

#include "BspTextures.h"

namespace bspscene {

class MaterialBuilder {
public:
	MaterialBuilder(const bspscene_scene &scene, const ConvertOptions &options, TextureBuilder &textures)
		: scene_(scene), options_(options), textures_(textures) {}

	/* Returns the index of the material that shows a section. */
	unsigned Find(const bspscene_section &section);
	/* Adds a material that shows a picture unlit and clamped; returns its index. */
	unsigned AddSide(const std::string &name, const std::string &path);
	void Finish(aiScene &out);

private:
	std::unique_ptr<aiMaterial> Begin(const std::string &name, const aiColor3D &color);
	std::unique_ptr<aiMaterial> Build(const bspscene_material &source, bspscene_lighting lighting, uint32_t page);
	void AddTexture(aiMaterial &out, aiTextureType type, const std::string &path, unsigned uv, bool clamp);
	void AddFacts(aiMaterial &out, const bspscene_material &source, bspscene_lighting lighting);

	const bspscene_scene &scene_;
	const ConvertOptions &options_;
	TextureBuilder &textures_;
	std::vector<std::unique_ptr<aiMaterial>> materials_;
	std::map<std::tuple<uint32_t, bspscene_lighting, uint32_t>, unsigned> numbers_;
	std::unordered_set<std::string> names_;
};

} // namespace bspscene

#endif
