/* BspMeshes.h - converts sections of meshes to aiMeshes. */
#ifndef BSP_MESHES_H
#define BSP_MESHES_H

#include "BspMaterials.h"

namespace bspscene {

/* Makes one aiMesh of each section that has triangles and is shown by a node. Returns, for each mesh of the scene, the
 * indices of its aiMeshes in the order of the sections. */
std::vector<std::vector<unsigned>> BuildMeshes(const bspscene_scene &scene, const ConvertOptions &options,
                                               MaterialBuilder &materials, aiScene &out);

} // namespace bspscene

#endif
