/* BspSky.h - the sky as a cube around the map, or as a texture of all directions. */
#ifndef BSP_SKY_H
#define BSP_SKY_H

#include <string>
#include <vector>

#include "BspMaterials.h"

namespace bspscene {

class SkyBuilder {
public:
	/* Draws what the options ask for; nothing where nothing is known of the sky. */
	SkyBuilder(const bspscene_scene &scene, const ConvertOptions &options, TextureBuilder &textures,
	           MaterialBuilder &materials);

	/* Adds the cube to a scene with meshes and nodes. */
	void Finish(aiScene &out) const;
	/* The texture's path, "" without. */
	const std::string &Panorama() const { return panorama_; }

private:
	const bspscene_scene &scene_;
	double scale_;
	std::vector<unsigned> materials_; /* of the cube's sides, in their order; or empty */
	std::string panorama_;
};

} // namespace bspscene

#endif
