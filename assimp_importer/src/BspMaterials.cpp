/* BspMaterials.cpp - see BspMaterials.h.
 *
 * The lightmap is aiTextureType_LIGHTMAP with UVWSRC 1: picture = diffuse x lightmap x "$bsp.lightmap_intensity".
 * Surfaces whose light is all in the vertices, or that have none (sky, fullbright), are unlit. No specular property is
 * set, because the glTF exporter would then write a deprecated extension. */
#include "BspMaterials.h"

#include <algorithm>
#include <new>

#include <assimp/GltfMaterial.h>
#include <assimp/material.h>

namespace bspscene {
namespace {

/* Throws if AddProperty failed for lack of memory. After such a failure, another call of AddProperty would write past
 * the end of its list. */
void Demand(aiReturn result)
{
	if (result != aiReturn_SUCCESS) throw std::bad_alloc();
}

template <typename Value>
void Set(aiMaterial &material, Value value, const char *key, unsigned type = 0, unsigned index = 0)
{
	Demand(material.AddProperty(&value, 1, key, type, index));
}

void SetText(aiMaterial &material, const std::string &value, const char *key, unsigned type = 0, unsigned index = 0)
{
	aiString text = Text(value);
	Demand(material.AddProperty(&text, key, type, index));
}

bool IsBlended(const bspscene_material &source)
{
	return source.alpha_mode > BSPSCENE_ALPHA_MODE_MASK ||
	       (source.alpha_mode == BSPSCENE_ALPHA_MODE_OPAQUE && source.color[3] < 1);
}

bool IsEmissive(const bspscene_material &source)
{
	return source.emissive_image != BSPSCENE_NO_INDEX || source.emissive[0] > 0 || source.emissive[1] > 0 ||
	       source.emissive[2] > 0;
}

void SetAlpha(aiMaterial &out, const bspscene_material &source)
{
	bool blended = IsBlended(source), masked = source.alpha_mode == BSPSCENE_ALPHA_MODE_MASK;
	SetText(out, blended ? "BLEND" : masked ? "MASK" : "OPAQUE", AI_MATKEY_GLTF_ALPHAMODE);
	if (masked) Set(out, std::max(source.alpha_cutoff, 0.0f), AI_MATKEY_GLTF_ALPHACUTOFF);
	if (source.color[3] < 1) Set(out, std::max(source.color[3], 0.0f), AI_MATKEY_OPACITY);
	if (source.alpha_mode == BSPSCENE_ALPHA_MODE_ADD)
		Set(out, static_cast<int>(aiBlendMode_Additive), AI_MATKEY_BLEND_FUNC);
	if (source.cull == BSPSCENE_CULL_NONE) Set(out, 1, AI_MATKEY_TWOSIDED);
}

} // namespace

void MaterialBuilder::AddTexture(aiMaterial &out, aiTextureType type, const std::string &path, unsigned uv, bool clamp)
{
	if (path.empty()) return;
	int wrap = clamp ? aiTextureMapMode_Clamp : aiTextureMapMode_Wrap;
	SetText(out, path, AI_MATKEY_TEXTURE(type, 0));
	Set(out, static_cast<int>(uv), AI_MATKEY_UVWSRC(type, 0));
	Set(out, wrap, AI_MATKEY_MAPPINGMODE_U(type, 0));
	Set(out, wrap, AI_MATKEY_MAPPINGMODE_V(type, 0));
}

/* Adds the game's facts as properties that hosts may use. Only some formats keep them (assbin, assxml). */
void MaterialBuilder::AddFacts(aiMaterial &out, const bspscene_material &source, bspscene_lighting lighting)
{
	static const char *const kinds[] = { "normal", "sky", "liquid", "tool", "fog", "flare", "portal" };
	static const char *const lightings[] = { "lightmap", "vertex", "fullbright", "black" };
	SetText(out, source.name, "$bsp.name");
	SetText(out, kinds[source.kind], "$bsp.kind");
	SetText(out, lightings[lighting], "$bsp.lighting");
	Set(out, static_cast<int>(source.surface_flags), "$bsp.surface_flags");
	Set(out, static_cast<int>(source.content_flags), "$bsp.content_flags");
	if (source.scroll[0] != 0 || source.scroll[1] != 0) Demand(out.AddProperty(source.scroll, 2, "$bsp.scroll"));
	if (source.script_text[0]) SetText(out, source.script_text, "$bsp.script");
	auto name_image = [&](uint32_t image, const char *key, unsigned index = 0) {
		if (image != BSPSCENE_NO_INDEX) SetText(out, scene_.images[image]->name, key, 0, index);
	};
	name_image(source.second_image, "$bsp.second_image");
	for (uint32_t i = 0; i < source.layer_count; i++) name_image(source.layers[i]->image, "$bsp.layer_image", i);
	if (source.blend_mask) name_image(source.blend_mask->image, "$bsp.blend_image");
	if (source.detail_texture) name_image(source.detail_texture->image, "$bsp.detail_image");
}

std::unique_ptr<aiMaterial> MaterialBuilder::Begin(const std::string &name, const aiColor3D &color)
{
	auto out = std::make_unique<aiMaterial>();
	std::string unique = name;
	for (unsigned number = 2; !names_.insert(unique).second; number++) unique = name + "#" + std::to_string(number);
	SetText(*out, unique, AI_MATKEY_NAME);
	Set(*out, color, AI_MATKEY_COLOR_DIFFUSE);
	Set(*out, 0.0f, AI_MATKEY_METALLIC_FACTOR);
	Set(*out, 1.0f, AI_MATKEY_ROUGHNESS_FACTOR);
	return out;
}

unsigned MaterialBuilder::AddSide(const std::string &name, const std::string &path)
{
	auto out = Begin(name, aiColor3D(1, 1, 1));
	AddTexture(*out, aiTextureType_DIFFUSE, path, 0, true);
	Set(*out, static_cast<int>(aiShadingMode_NoShading), AI_MATKEY_SHADING_MODEL);
	materials_.push_back(std::move(out));
	return static_cast<unsigned>(materials_.size()) - 1;
}

std::unique_ptr<aiMaterial> MaterialBuilder::Build(const bspscene_material &source, bspscene_lighting lighting,
                                                   uint32_t page)
{
	auto out = Begin(source.name[0] ? source.name : "unnamed", { source.color[0], source.color[1], source.color[2] });
	SetAlpha(*out, source);
	AddTexture(*out, aiTextureType_DIFFUSE, textures_.PathOfImage(source.base_image), 0, source.clamp);
	AddTexture(*out, aiTextureType_NORMALS, textures_.PathOfNormals(source), 0, source.clamp);

	std::string lightmap = textures_.PathOfPage(page);
	if (!lightmap.empty()) {
		AddTexture(*out, aiTextureType_LIGHTMAP, lightmap, 1, true);
		Set(*out, scene_.lightmap_sets[0].intensity, "$bsp.lightmap_intensity");
	}
	/* Hosts ignore the emission of unlit materials. So a glowing material on faces without light (BLACK) stays
	 * lit. */
	bool emissive = IsEmissive(source), dark = lighting == BSPSCENE_LIGHTING_BLACK && emissive;
	bool unlit = options_.lighting == BSPSCENE_WRITE_LIGHTING_NONE
		? source.unlit || source.kind == BSPSCENE_MATERIAL_SKY : page == BSPSCENE_NO_INDEX && !dark;
	if (unlit) Set(*out, static_cast<int>(aiShadingMode_NoShading), AI_MATKEY_SHADING_MODEL);
	if (emissive) {
		aiColor3D glow(source.emissive[0], source.emissive[1], source.emissive[2]);
		if (glow.IsBlack()) glow = aiColor3D(1, 1, 1);
		Set(*out, glow, AI_MATKEY_COLOR_EMISSIVE);
		AddTexture(*out, aiTextureType_EMISSIVE, textures_.PathOfImage(source.emissive_image), 0, source.clamp);
	}
	AddFacts(*out, source, lighting);
	return out;
}

unsigned MaterialBuilder::Find(const bspscene_section &section)
{
	bool mapped = options_.lighting == BSPSCENE_WRITE_LIGHTING_LIGHTMAP &&
	              section.lighting == BSPSCENE_LIGHTING_LIGHTMAP && scene_.lightmap_set_count > 0;
	uint32_t page = mapped ? section.lightmap_page : BSPSCENE_NO_INDEX;
	bspscene_lighting lighting = section.lighting;
	if (options_.lighting == BSPSCENE_WRITE_LIGHTING_VERTEX) lighting = BSPSCENE_LIGHTING_VERTEX;
	if (options_.lighting == BSPSCENE_WRITE_LIGHTING_NONE) lighting = BSPSCENE_LIGHTING_FULLBRIGHT;

	auto next = static_cast<unsigned>(materials_.size());
	auto [at, is_new] = numbers_.try_emplace({ section.material, lighting, page }, next);
	if (is_new) materials_.push_back(Build(*scene_.materials[section.material], lighting, page));
	return at->second;
}

void MaterialBuilder::Finish(aiScene &out)
{
	out.mMaterials = new aiMaterial *[materials_.size()]();
	out.mNumMaterials = static_cast<unsigned>(materials_.size());
	for (size_t i = 0; i < materials_.size(); i++) out.mMaterials[i] = materials_[i].release();
}

} // namespace bspscene
