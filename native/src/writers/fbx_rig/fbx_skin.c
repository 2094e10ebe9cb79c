/* fbx_skin.c - writes bones as limbs, the vertices that they move as clusters, and the bind pose. Matrices are in
 * column order. A cluster's Transform maps mesh space to bone space; TransformLink maps bone space to world space. */
#include "writers/fbx_rig/fbx_rig.h"

#include "base/pose.h"
#include "base/vec.h"

/* ---- Bones ------------------------------------------------------------------------------------------------ */

static json_t *tag_facts(bspi_fbx *fbx)
{
	json_t *facts = json_object(), *own = json_object();
	bspi_json_set(fbx->writer, own, "kind", json_string("tag"));
	bspi_json_set(fbx->writer, facts, "bspscene", own);
	return facts;
}

bool bspi_fbx_put_bones(bspi_fbx *fbx, bspi_fbx_rigged *rigged)
{
	const bspscene_rig *rig = rigged->mesh->rig;
	rigged->bones = bspi_writer_push(fbx->writer, int64_t, rig->bone_count);
	BSPI_TRY(rigged->bones);
	for (uint32_t i = 0; i < rig->bone_count; i++) {
		const bspscene_bone *bone = rig->bones[i];
		const bspi_fbx_model model = {
			.name = bone->name, .kind = bone->is_tag ? BSPI_FBX_NULL : BSPI_FBX_LIMB,
			.trs = bspi_y_up_pose(&bone->rest, fbx->scene->meters_per_unit),
			.parent = bone->parent == BSPSCENE_NO_INDEX ? rigged->model : rigged->bones[bone->parent],
			.facts = bone->is_tag ? tag_facts(fbx) : NULL,
		};
		rigged->bones[i] = bspi_fbx_put_model(fbx, &model);
	}
	return !fbx->writer->failure.status;
}

/* ---- Skin ------------------------------------------------------------------------------------------------- */

static void put_matrix(bspi_fbx *fbx, const char *name, const float transform[12])
{
	float columns[16];
	bspi_y_up_matrix(transform, fbx->scene->meters_per_unit, columns);
	bspi_fbx_open(&fbx->file, name);
	bspi_fbx_array *array = bspi_fbx_begin_array(&fbx->file, 'd', 16);
	for (int i = 0; i < 16; i++) {
		bspi_fbx_put_f64(array, (double)(i >= 12 && i < 15 ? columns[i] * fbx->scale : columns[i]));
	}
	bspi_fbx_end_array(&fbx->file);
	bspi_fbx_close(&fbx->file);
}

static float weight_of(const bspscene_mesh *mesh, uint32_t vertex, uint32_t bone)
{
	float sum = 0;
	for (size_t i = 4 * (size_t)vertex; i < 4 * (size_t)vertex + 4; i++) {
		if (mesh->joints[i] == bone) sum += mesh->weights[i];
	}
	return sum;
}

static void put_weights(bspi_fbx *fbx, const bspi_fbx_rigged *rigged, uint32_t bone)
{
	const bspi_fbx_geometry *geometry = rigged->geometry;
	bspi_fbx_file *file = &fbx->file;
	bspi_fbx_open(file, "Indexes");
	bspi_fbx_array *indices = bspi_fbx_begin_array(file, 'i', geometry->point_count);
	for (uint32_t i = 0; i < geometry->point_count; i++) {
		if (weight_of(rigged->mesh, geometry->points[i].vertex, bone) > 0) bspi_fbx_put_i32(indices, (int32_t)i);
	}
	bspi_fbx_end_array(file);
	bspi_fbx_close(file);
	bspi_fbx_open(file, "Weights");
	bspi_fbx_array *weights = bspi_fbx_begin_array(file, 'd', geometry->point_count);
	for (uint32_t i = 0; i < geometry->point_count; i++) {
		float weight = weight_of(rigged->mesh, geometry->points[i].vertex, bone);
		if (weight > 0) bspi_fbx_put_f64(weights, (double)weight);
	}
	bspi_fbx_end_array(file);
	bspi_fbx_close(file);
}

/* Writes a cluster: the vertices that one bone moves. `place` is the bone's transform in the world at rest. */
static void put_cluster(bspi_fbx *fbx, const bspi_fbx_rigged *rigged, uint32_t number, int64_t skin,
                        const float place[12])
{
	const bspscene_bone *bone = rigged->mesh->rig->bones[number];
	bspi_fbx_file *file = &fbx->file;
	int64_t cluster = bspi_fbx_open_object(fbx, BSPI_FBX_CLUSTER, bone->name, "Cluster");
	bspi_fbx_i32(file, "Version", 100);
	bspi_fbx_open(file, "UserData");
	bspi_fbx_add_text(file, "");
	bspi_fbx_add_text(file, "");
	bspi_fbx_close(file);
	put_weights(fbx, rigged, number);
	put_matrix(fbx, "Transform", bone->inverse_rest);
	put_matrix(fbx, "TransformLink", place);
	bspi_fbx_close(file);
	bspi_fbx_link_to(fbx, cluster, skin, NULL);
	bspi_fbx_link_to(fbx, rigged->bones[number], cluster, NULL);
}

static void put_pose_node(bspi_fbx *fbx, int64_t model, const float place[12])
{
	bspi_fbx_file *file = &fbx->file;
	bspi_fbx_open(file, "PoseNode");
	bspi_fbx_open(file, "Node");
	bspi_fbx_add_i64(file, model);
	bspi_fbx_close(file);
	put_matrix(fbx, "Matrix", place);
	bspi_fbx_close(file);
}

static void put_pose(bspi_fbx *fbx, const bspi_fbx_rigged *rigged, const float world[12], float (*places)[12])
{
	const bspscene_rig *rig = rigged->mesh->rig;
	bspi_fbx_file *file = &fbx->file;
	bspi_fbx_open_object(fbx, BSPI_FBX_POSE, fbx->scene->nodes[rigged->node]->name, "BindPose");
	bspi_fbx_text(file, "Type", "BindPose");
	bspi_fbx_i32(file, "Version", 100);
	bspi_fbx_i32(file, "NbPoseNodes", (int32_t)rig->bone_count + 2);
	put_pose_node(fbx, rigged->model, world);
	put_pose_node(fbx, rigged->shown, world);
	for (uint32_t i = 0; i < rig->bone_count; i++) put_pose_node(fbx, rigged->bones[i], places[i]);
	bspi_fbx_close(file);
}

bool bspi_fbx_put_skin(bspi_fbx *fbx, const bspi_fbx_rigged *rigged)
{
	const bspscene_rig *rig = rigged->mesh->rig;
	const char *name = fbx->scene->nodes[rigged->node]->name;
	float(*places)[12] = bspi_writer_push_zeroed(fbx->writer, rig->bone_count, sizeof *places), world[12];
	BSPI_TRY(places);
	bspscene_node_world_transform(fbx->scene, rigged->node, world);
	for (uint32_t i = 0; i < rig->bone_count; i++) {
		const bspscene_bone *bone = rig->bones[i];
		bspi_pose_transform(&bone->rest, places[i]);
		const float *parent = bone->parent == BSPSCENE_NO_INDEX ? world : places[bone->parent];
		bspi_transform_multiply(places[i], parent, places[i]);
	}
	int64_t skin = bspi_fbx_open_object(fbx, BSPI_FBX_DEFORMER, name, "Skin");
	bspi_fbx_i32(&fbx->file, "Version", 101);
	bspi_fbx_open(&fbx->file, "Link_DeformAcuracy");
	bspi_fbx_add_f64(&fbx->file, 50);
	bspi_fbx_close(&fbx->file);
	bspi_fbx_close(&fbx->file);
	bspi_fbx_link_to(fbx, skin, rigged->geometry->id, NULL);
	for (uint32_t i = 0; i < rig->bone_count; i++) {
		if (!rig->bones[i]->is_tag) put_cluster(fbx, rigged, i, skin, places[i]);
	}
	put_pose(fbx, rigged, world, places);
	return !fbx->writer->failure.status;
}
