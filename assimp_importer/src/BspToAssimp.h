/* BspToAssimp.h - a bspscene scene to an aiScene: a pure function, no file access and no knowledge of games. */
#ifndef BSP_TO_ASSIMP_H
#define BSP_TO_ASSIMP_H

#include <map>
#include <memory>
#include <string>

#include <assimp/scene.h>
#include <bspscene/bspscene.h>

namespace bspscene {

enum class Textures {
	Embedded, /* aiTexture with PNG or JPEG bytes, named "*0", "*1", ... by the materials */
	Texels,   /* the same, but lightmap pages as texels, not compressed */
	Named,    /* as Embedded, named by a file name that aiTexture::mFilename repeats */
	Paths,    /* no aiTexture: the game's path with `image_directory` in front. Lightmap pages stay embedded */
	None
};

enum class Sky {
	None,
	Cube,    /* a node "sky" of six unlit squares that are seen from inside, around the map and its cameras */
	Panorama /* a texture of all directions, which the scene's metadata name ("bsp.sky") */
};

struct ConvertOptions {
	Textures textures = Textures::Embedded;
	bspscene_write_lighting lighting = BSPSCENE_WRITE_LIGHTING_LIGHTMAP;
	std::map<uint32_t, float> light_styles; /* brightness of styles that is not as when the map starts */
	float light_error = 0;       /* with BSPSCENE_WRITE_LIGHTING_VERTEX, as in bspscene_bake_options */
	uint32_t triangle_limit = 0;
	uint32_t baked_size = 0;     /* with BSPSCENE_WRITE_LIGHTING_BAKED, as in bspscene_write_options */
	Sky sky = Sky::None;
	bspscene_bake_report *report = nullptr;
	double scale = 1;            /* units of the aiScene per game unit */
	std::string image_directory; /* with Paths: "" or ends with '/' */
	std::string file_stem;       /* with Named: what file names begin with */
};

struct FreeScene {
	void operator()(bspscene_scene *scene) const { bspscene_scene_free(scene); }
};
using ScenePointer = std::unique_ptr<bspscene_scene, FreeScene>;

/* Fills an empty aiScene, lit as the map starts: Y up, so that (x, y, z) of the scene is (x, z, -y) * scale; v grows
 * upward. Throws std::bad_alloc, and ImportError for a scene without a triangle, with `out` fit for nothing but its
 * destructor. */
void Convert(const bspscene_scene &scene, const ConvertOptions &options, aiScene &out);

/* Text as Assimp can hold it: at most `limit` bytes, never ending within a UTF-8 sequence. */
aiString Text(const std::string &text, size_t limit = sizeof(aiString::data) - 1);

/* The axes: which of the scene's stands at each of Assimp's, and its sign. */
inline aiVector3D ToYUp(const float *v, double scale)
{
	auto scaled = [scale](auto value) { return static_cast<ai_real>(value * scale); };
	return { scaled(v[0]), scaled(v[2]), scaled(-v[1]) };
}

} // namespace bspscene

#endif
