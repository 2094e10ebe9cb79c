/* BspNodes.h - builds the node tree with its metadata, lights and cameras. */
#ifndef BSP_NODES_H
#define BSP_NODES_H

#include <vector>

#include "BspToAssimp.h"

namespace bspscene {

/* Builds the node tree: fills out.mRootNode, lights and cameras. `meshes` is the result of BuildMeshes. */
void BuildNodes(const bspscene_scene &scene, const ConvertOptions &options,
                const std::vector<std::vector<unsigned>> &meshes, aiScene &out);

} // namespace bspscene

#endif
