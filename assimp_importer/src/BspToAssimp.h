/* BspToAssimp.h - converts a bspscene scene to an aiScene. Opens no files and knows no game. */
#ifndef BSP_TO_ASSIMP_H
#define BSP_TO_ASSIMP_H

#include <map>
#include <memory>
#include <string>

#include <assimp/scene.h>
#include <bspscene/bspscene.h>

namespace bspscene {

enum class Textures {
	Embedded, /* aiTexture with PNG or JPEG bytes; materials name it "*0", "*1", ... */
	Texels,   /* like Embedded, but lightmap pages are not compressed */
	Named,    /* like Embedded, but materials use a file name, which is also in aiTexture::mFilename */
	Paths,    /* no aiTexture: materials use `image_directory` and the path in the game; lightmap pages are embedded */
	None
};

enum class Sky {
	None,
	Cube,    /* a node "sky" of six unlit squares around the map and its cameras, visible from inside */
	Panorama /* a panorama texture; its path is in the scene's metadata ("bsp.sky") */
};

struct ConvertOptions {
	Textures textures = Textures::Embedded;
	bspscene_write_lighting lighting = BSPSCENE_WRITE_LIGHTING_LIGHTMAP;
	std::map<uint32_t, float> light_styles; /* brightness of each listed light style; the others are as at the start of
	                                         * the map */
	float light_error = 0;       /* error limit of bspscene_bake_options, for BSPSCENE_WRITE_LIGHTING_VERTEX */
	uint32_t triangle_limit = 0;
	uint32_t baked_size = 0;     /* size of pictures in bspscene_write_options, for BSPSCENE_WRITE_LIGHTING_BAKED */
	Sky sky = Sky::None;
	bspscene_bake_report *report = nullptr;
	double scale = 1;            /* units of the aiScene per game unit */
	std::string image_directory; /* prefix of paths for Textures::Paths: "", or text that ends with '/' */
	std::string file_stem;       /* beginning of file names for Textures::Named */
};

struct FreeScene {
	void operator()(bspscene_scene *scene) const { bspscene_scene_free(scene); }
};
using ScenePointer = std::unique_ptr<bspscene_scene, FreeScene>;

/* Fills an empty aiScene. Lights are as bright as at the start of the map. Y is up: (x, y, z) of the scene becomes (x,
 * z, -y) * scale, and v grows upward. Throws std::bad_alloc, and ImportError for a scene without triangles; after that,
 * `out` may only be destroyed. */
void Convert(const bspscene_scene &scene, const ConvertOptions &options, aiScene &out);

/* Returns text that Assimp can hold: at most `limit` bytes, not cut inside a UTF-8 letter. */
aiString Text(const std::string &text, size_t limit = sizeof(aiString::data) - 1);

/* Converts a position from Z up to Y up. */
inline aiVector3D ToYUp(const float *v, double scale)
{
	auto scaled = [scale](auto value) { return static_cast<ai_real>(value * scale); };
	return { scaled(v[0]), scaled(v[2]), scaled(-v[1]) };
}

} // namespace bspscene

#endif
