/* posed_by_assimp.h - the first pose that a game shows, from a scene that Assimp made of a model. */
#ifndef BSPT_POSED_BY_ASSIMP_H
#define BSPT_POSED_BY_ASSIMP_H

#include <stdbool.h>

#include <assimp/mesh.h>
#include <assimp/scene.h>

/* GoldSrc's body parts are nodes with a child for each choice; the first choices are shown. */
bool bspt_shown_by_assimp(const struct aiScene *scene, unsigned mesh);
/* Vertices of a mesh, moved by its bones in a frame of the first animation: a position for each vertex, below the
 * scene's root node; for free(). Without bones or animations those of the mesh. */
struct aiVector3D *bspt_pose_by_assimp(const struct aiScene *scene, const struct aiMesh *mesh, unsigned frame);
/* Number of frames in the first animation; 0: none. */
unsigned bspt_frames_by_assimp(const struct aiScene *scene);

#endif
