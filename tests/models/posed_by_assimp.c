/* posed_by_assimp.c - see posed_by_assimp.h. */
#include "posed_by_assimp.h"

#include <stdlib.h>
#include <string.h>

#include <assimp/cimport.h>

#include "support/bspt.h"

static const struct aiNode *find_node(const struct aiNode *node, const struct aiString *name)
{
	if (!strcmp(node->mName.data, name->data)) return node;
	for (unsigned i = 0; i < node->mNumChildren; i++) {
		const struct aiNode *found = find_node(node->mChildren[i], name);
		if (found) return found;
	}
	return NULL;
}

static bool has_mesh(const struct aiNode *node, unsigned mesh)
{
	for (unsigned i = 0; i < node->mNumMeshes; i++) {
		if (node->mMeshes[i] == mesh) return true;
	}
	return false;
}

bool bspt_shown_by_assimp(const struct aiScene *scene, unsigned mesh)
{
	const struct aiString name = { .length = 15, .data = "<MDL_bodyparts>" };
	const struct aiNode *parts = find_node(scene->mRootNode, &name);
	for (unsigned i = 0; parts && i < parts->mNumChildren; i++) {
		const struct aiNode *part = parts->mChildren[i];
		if (part->mNumChildren && has_mesh(part->mChildren[0], mesh)) return true;
	}
	return !parts;
}

/* Returns the transform of a node relative to its parent. It comes from the animation if that moves the node, otherwise
 * from the node. */
static struct aiMatrix4x4 local_of(const struct aiAnimation *animation, unsigned frame, const struct aiNode *node)
{
	for (unsigned i = 0; i < animation->mNumChannels; i++) {
		const struct aiNodeAnim *channel = animation->mChannels[i];
		struct aiMatrix4x4 matrix;
		const struct aiVector3D one = { 1, 1, 1 };
		if (strcmp(channel->mNodeName.data, node->mName.data) != 0) continue;
		unsigned turn = frame < channel->mNumRotationKeys ? frame : channel->mNumRotationKeys - 1;
		unsigned place = frame < channel->mNumPositionKeys ? frame : channel->mNumPositionKeys - 1;
		aiMatrix4FromScalingQuaternionPosition(&matrix, &one, &channel->mRotationKeys[turn].mValue,
		                                       &channel->mPositionKeys[place].mValue);
		return matrix;
	}
	return node->mTransformation;
}

/* Returns the transform of a node relative to the root, which Assimp rotates. */
static struct aiMatrix4x4 world_of(const struct aiAnimation *animation, unsigned frame, const struct aiNode *node)
{
	struct aiMatrix4x4 matrix;
	aiIdentityMatrix4(&matrix);
	for (; node && node->mParent; node = node->mParent) {
		struct aiMatrix4x4 outer = local_of(animation, frame, node);
		aiMultiplyMatrix4(&outer, &matrix);
		matrix = outer;
	}
	return matrix;
}

unsigned bspt_frames_by_assimp(const struct aiScene *scene)
{
	unsigned count = 0;
	for (unsigned i = 0; scene->mNumAnimations && i < scene->mAnimations[0]->mNumChannels; i++) {
		unsigned keys = scene->mAnimations[0]->mChannels[i]->mNumPositionKeys;
		if (keys > count) count = keys;
	}
	return count;
}

struct aiVector3D *bspt_pose_by_assimp(const struct aiScene *scene, const struct aiMesh *mesh, unsigned frame)
{
	struct aiVector3D *out = calloc(mesh->mNumVertices + 1, sizeof *out);
	if (!out) bspt_die("hold", mesh->mName.data);
	if (!mesh->mNumBones || !scene->mNumAnimations) {
		memcpy(out, mesh->mVertices, mesh->mNumVertices * sizeof *out);
		return out;
	}
	for (unsigned b = 0; b < mesh->mNumBones; b++) {
		const struct aiBone *bone = mesh->mBones[b];
		struct aiMatrix4x4 pose = world_of(scene->mAnimations[0], frame, find_node(scene->mRootNode, &bone->mName));
		aiMultiplyMatrix4(&pose, &bone->mOffsetMatrix);
		for (unsigned i = 0; i < bone->mNumWeights; i++) {
			const struct aiVertexWeight *weight = &bone->mWeights[i];
			struct aiVector3D p = mesh->mVertices[weight->mVertexId];
			aiTransformVecByMatrix4(&p, &pose);
			out[weight->mVertexId].x += p.x * weight->mWeight;
			out[weight->mVertexId].y += p.y * weight->mWeight;
			out[weight->mVertexId].z += p.z * weight->mWeight;
		}
	}
	return out;
}
