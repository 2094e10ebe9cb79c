/* BspSky.h - the sky as a cube around the map, or as a panorama texture. */
#ifndef BSP_SKY_H
#define BSP_SKY_H

#include <string>
#include <vector>

#include "BspMaterials.h"

namespace bspscene {

class SkyBuilder {
public:
	/* Draws what the options ask for, or nothing if the sky is unknown. */
	SkyBuilder(const bspscene_scene &scene, const ConvertOptions &options, TextureBuilder &textures,
	           MaterialBuilder &materials);

	/* Adds the cube to a scene that has meshes and nodes. */
	void Finish(aiScene &out) const;
	/* Returns the panorama's path, or "". */
	const std::string &Panorama() const { return panorama_; }

private:
	const bspscene_scene &scene_;
	double scale_;
	std::vector<unsigned> materials_; /* material indices of the cube's six sides, in order; empty without a cube */
	std::string panorama_;
};

} // namespace bspscene

#endif
