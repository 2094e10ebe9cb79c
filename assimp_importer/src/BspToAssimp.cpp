/* BspToAssimp.cpp - see BspToAssimp.h. */
#include "BspToAssimp.h"

#include <algorithm>
#include <new>

#include "BspError.h"
#include "BspMeshes.h"
#include "BspMetadata.h"
#include "BspNodes.h"

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

ScenePointer BakeLight(const bspscene_scene &scene, const ConvertOptions &options)
{
	float brightness[256];
	bspscene_start_styles(&scene, brightness);
	for (auto [style, value] : options.light_styles) brightness[style & 0xff] = value;
	bspscene_bake_options bake;
	bspscene_bake_options_init(&bake);
	if (!options.light_styles.empty()) bake.light_styles = brightness;
	bake.vertices = options.lighting == BSPSCENE_WRITE_VERTEX;
	bake.stop_at_white = true;
	bake.light_error = options.light_error;
	bake.triangle_limit = options.triangle_limit;
	bake.report = options.report;
	bspscene_error error;
	ScenePointer baked(bspscene_bake_light(&scene, &bake, &error));
	if (!baked && error.status == BSPSCENE_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
	if (!baked) throw ImportError(error.message);
	return baked;
}

} // namespace

void Convert(const bspscene_scene &loaded, const ConvertOptions &options, aiScene &out)
{
	ScenePointer baked = BakeLight(loaded, options);
	const bspscene_scene &scene = *baked;
	TextureBuilder textures(scene, options);
	MaterialBuilder materials(scene, options, textures);
	std::vector<std::vector<unsigned>> meshes = BuildMeshes(scene, options, materials, out);
	materials.Finish(out);
	textures.Finish(out);
	BuildNodes(scene, options, meshes, out);
	out.mMetaData = SceneMetadata(scene, options.scale);
}

} // namespace bspscene
