/* BspMetadata.h - facts of nodes and of the scene as aiMetadata. */
#ifndef BSP_METADATA_H
#define BSP_METADATA_H

#include "BspToAssimp.h"

namespace bspscene {

/* An entity's keys as they are (repeated ones numbered: "target", "target.2"), and our own facts as "bsp.*". */
aiMetadata *NodeMetadata(const bspscene_scene &scene, const bspscene_node &node);
/* The unit for FBX, where the scene comes from, its family. `scale` is units of the aiScene per game unit. */
/* sky: the path of its panorama, or "". */
aiMetadata *SceneMetadata(const bspscene_scene &scene, double scale, const std::string &sky);

} // namespace bspscene

#endif
