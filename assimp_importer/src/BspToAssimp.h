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
	Texels,   /* the same, but lightmap pages are not compressed */
	Named,    /* as Embedded, with a file name that aiTexture::mFilename has too */
	Paths,    /* no aiTexture: the path in the game after `image_directory`; lightmap pages stay embedded */
	None
};

enum class Sky {
	None,
	Cube,    /* a node "sky" of six unlit squares around the map and its cameras, visible from inside */
	Panorama /* a panorama texture, which the scene's metadata name ("bsp.sky") */
};

struct ConvertOptions {
	Textures textures = Textures::Embedded;
	bspscene_write_lighting lighting = BSPSCENE_WRITE_LIGHTING_LIGHTMAP;
	std::map<uint32_t, float> light_styles; /* brightness of light styles that differ from the start of the map */
	float light_error = 0;       /* with BSPSCENE_WRITE_LIGHTING_VERTEX, as in bspscene_bake_options */
	uint32_t triangle_limit = 0;
	uint32_t baked_size = 0;     /* with BSPSCENE_WRITE_LIGHTING_BAKED, as in bspscene_write_options */
	Sky sky = Sky::None;
	bspscene_bake_report *report = nullptr;
	double scale = 1;            /* units of the aiScene per game unit */
	std::string image_directory; /* with Paths: "", or a prefix that ends with '/' */
	std::string file_stem;       /* with Named: the beginning of file names */
};

struct FreeScene {
	void operator()(bspscene_scene *scene) const { bspscene_scene_free(scene); }
};
using ScenePointer = std::unique_ptr<bspscene_scene, FreeScene>;

/* Fills an empty aiScene. Lights have their brightness at the start of the map. Y is up: (x, y, z) of the scene becomes
 * (x, z, -y) * scale, and v grows upward. Throws std::bad_alloc, and ImportError for a scene without triangles; after
 * that, `out` may only be destroyed. */
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
