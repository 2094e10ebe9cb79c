/* gltf_skin.c - adds nodes for bones, and a skin of the bones that move vertices. */
#include "writers/gltf_rig/gltf_rig.h"

static void mark_tag(bspi_gltf *gltf, json_t *node)
{
	json_t *extras = json_object(), *facts = json_object();
	bspi_gltf_set(gltf, facts, "kind", json_string("tag"));
	bspi_gltf_set(gltf, extras, "bspscene", facts);
	bspi_gltf_set(gltf, node, "extras", extras);
}

static void add_bone(bspi_gltf *gltf, const bspi_gltf_rigged *rigged, uint32_t number)
{
	const bspscene_bone *bone = rigged->mesh->rig->bones[number];
	bspi_trs rest = bspi_y_up_pose(&bone->rest, gltf->scene->meters_per_unit);
	json_t *node = json_object();
	bspi_gltf_set(gltf, node, "name", json_string(bone->name));
	bspi_gltf_set_transform(gltf, node, &rest);
	if (bone->is_tag) mark_tag(gltf, node);
	bool child = bone->parent != BSPSCENE_NO_INDEX;
	json_t *parent = child ? json_array_get(gltf->nodes, rigged->first_bone + bone->parent) : rigged->node;
	bspi_gltf_add_child(gltf, parent, (uint32_t)json_array_size(gltf->nodes));
	bspi_gltf_append(gltf, gltf->nodes, node);
}

/* Adds the inverse bind matrices of bones that move vertices. Returns the number of these bones. */
static uint32_t add_matrices(bspi_gltf *gltf, const bspscene_rig *rig, json_t *skin)
{
	float *matrices = bspi_writer_push(gltf->writer, float, 16 * (size_t)rig->bone_count);
	uint32_t count = 0;
	if (!matrices) return 0;
	for (; count < rig->bone_count && !rig->bones[count]->is_tag; count++) {
		bspi_y_up_matrix(rig->bones[count]->inverse_rest, gltf->scene->meters_per_unit, matrices + 16 * (size_t)count);
	}
	uint32_t accessor = bspi_gltf_add_floats(gltf, BSPI_GLTF_MATRICES, matrices, count, 16, false);
	bspi_gltf_set(gltf, skin, "inverseBindMatrices", json_integer(accessor));
	return count;
}

static void add_skin(bspi_gltf *gltf, const bspi_gltf_rigged *rigged)
{
	json_t *skin = json_object(), *joints = json_array(), *root = json_object();
	uint32_t count = add_matrices(gltf, rigged->mesh->rig, skin);
	for (uint32_t i = 0; i < count; i++) bspi_gltf_append(gltf, joints, json_integer(rigged->first_bone + i));
	const char *name = json_string_value(json_object_get(rigged->node, "name"));
	bspi_gltf_set(gltf, skin, "name", json_string(name ? name : ""));
	bspi_gltf_set(gltf, skin, "joints", joints);
	bspi_gltf_set(gltf, root, "name", json_sprintf("%s.mesh", name ? name : ""));
	bspi_gltf_set(gltf, root, "mesh", json_incref(json_object_get(rigged->node, "mesh")));
	bspi_gltf_set(gltf, root, "skin", json_integer((json_int_t)json_array_size(gltf->skins)));
	json_object_del(rigged->node, "mesh");
	gltf->skinned[gltf->skinned_count++] = (uint32_t)json_array_size(gltf->nodes);
	bspi_gltf_append(gltf, gltf->skins, skin);
	bspi_gltf_append(gltf, gltf->nodes, root);
}

bool bspi_gltf_add_bones(bspi_gltf *gltf, bspi_gltf_rigged *rigged)
{
	rigged->first_bone = (uint32_t)json_array_size(gltf->nodes);
	for (uint32_t i = 0; i < rigged->mesh->rig->bone_count; i++) add_bone(gltf, rigged, i);
	if (rigged->mesh->joints) add_skin(gltf, rigged);
	return !gltf->writer->failure.status;
}
