/* posed_by_assimp.h - the pose that a game shows first, from a scene that Assimp made of a model. */
#ifndef BSPT_POSED_BY_ASSIMP_H
#define BSPT_POSED_BY_ASSIMP_H

#include <stdbool.h>

#include <assimp/mesh.h>
#include <assimp/scene.h>

/* True if the mesh is shown. GoldSrc's body parts are nodes with a child for each choice; the first choices are
 * shown. */
bool bspt_shown_by_assimp(const struct aiScene *scene, unsigned mesh);
/* Returns the vertices of a mesh, moved by its bones in a frame of the first animation, relative to the scene's root
 * node. Without bones or animations they are those of the mesh. Free the array with free. */
struct aiVector3D *bspt_pose_by_assimp(const struct aiScene *scene, const struct aiMesh *mesh, unsigned frame);
/* Returns the number of frames in the first animation, or 0 if there is none. */
unsigned bspt_frames_by_assimp(const struct aiScene *scene);

#endif
