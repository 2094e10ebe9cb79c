/* BspMetadata.h - metadata (aiMetadata) of nodes and of the scene. */
#ifndef BSP_METADATA_H
#define BSP_METADATA_H

#include "BspToAssimp.h"

namespace bspscene {

/* Makes metadata from the keys of the node's entity, and from facts about the node, which are named "bsp.*". Repeated
 * keys get numbers: "target", "target.2". */
aiMetadata *NodeMetadata(const bspscene_scene &scene, const bspscene_node &node);
/* Makes the scene's metadata: the unit for FBX, the map's path and family. `scale` is units of the aiScene per game
 * unit. */
/* `sky` is the path of the sky's panorama, or "" if there is none. */
aiMetadata *SceneMetadata(const bspscene_scene &scene, double scale, const std::string &sky);

} // namespace bspscene

#endif
