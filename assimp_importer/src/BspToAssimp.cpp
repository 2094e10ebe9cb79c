/* BspToAssimp.cpp - see BspToAssimp.h. */
#include "BspToAssimp.h"

#include <algorithm>
#include <new>

#include "BspError.h"
#include "BspMeshes.h"
#include "BspMetadata.h"
#include "BspNodes.h"
#include "sky/BspSky.h"

namespace bspscene {

aiString Text(const std::string &text, size_t limit)
{
	size_t length = std::min(text.size(), limit);
	if (length < text.size()) {
		while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) length--;
	}
	return aiString(text.substr(0, length));
}

namespace {

constexpr float usual_light_error = 14; /* in display steps of 255; the default of the library's writers */

ScenePointer Made(bspscene_scene *scene, const bspscene_error &error)
{
	if (!scene && error.status == BSPSCENE_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
	if (!scene) throw ImportError(error.message);
	return ScenePointer(scene);
}

ScenePointer BakeLight(const bspscene_scene &scene, const ConvertOptions &options)
{
	float brightness[256];
	bspscene_start_styles(&scene, brightness);
	for (auto [style, value] : options.light_styles) brightness[style & 0xff] = value;
	bspscene_bake_options bake;
	bspscene_bake_options_init(&bake);
	if (!options.light_styles.empty()) bake.light_styles = brightness;
	bake.vertices = options.lighting == BSPSCENE_WRITE_LIGHTING_VERTEX;
	bake.clamp_to_white = true;
	bake.light_error = options.light_error;
	if (options.lighting != BSPSCENE_WRITE_LIGHTING_NONE) {
		bake.model_light_error = options.light_error > 0 ? options.light_error : usual_light_error;
	}
	bake.triangle_limit = options.triangle_limit;
	bake.report = options.report;
	bspscene_error error;
	bspscene_scene *baked = bspscene_bake_light(&scene, &bake, &error);
	return Made(baked, error);
}

ScenePointer BakePictures(const bspscene_scene &scene, const ConvertOptions &options)
{
	if (options.textures == Textures::Paths || options.textures == Textures::None) {
		throw ImportError("baked light needs embedded pictures: set IMPORT_BSP_TEXTURES to embedded");
	}
	bspscene_write_options bake;
	bspscene_write_options_init(&bake);
	bake.baked_size = options.baked_size;
	bspscene_error error;
	bspscene_scene *baked = bspscene_bake_textures(&scene, &bake, &error);
	return Made(baked, error);
}

} // namespace

void Convert(const bspscene_scene &loaded, const ConvertOptions &given, aiScene &out)
{
	ScenePointer baked = BakeLight(loaded, given), painted;
	ConvertOptions options = given;
	if (options.lighting == BSPSCENE_WRITE_LIGHTING_BAKED) {
		painted = BakePictures(*baked, options);
		/* Surfaces that are not in the baked pictures get their light from lightmap pages or vertices, as without
		 * baking. */
		options.lighting = BSPSCENE_WRITE_LIGHTING_LIGHTMAP;
	}
	const bspscene_scene &scene = painted ? *painted : *baked;
	TextureBuilder textures(scene, options);
	MaterialBuilder materials(scene, options, textures);
	std::vector<std::vector<unsigned>> meshes = BuildMeshes(scene, options, materials, out);
	SkyBuilder sky(loaded, options, textures, materials);
	materials.Finish(out);
	textures.Finish(out);
	BuildNodes(scene, options, meshes, out);
	sky.Finish(out);
	out.mMetaData = SceneMetadata(scene, options.scale, sky.Panorama());
}

} // namespace bspscene
