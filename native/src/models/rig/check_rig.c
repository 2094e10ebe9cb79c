/* check_rig.c - see model_rig.h. Checks the animation of models of all formats: numbers are made finite, quaternions
 * get unit length, and weights get a sum of 1. The animation is copied twice: from the reader's vertices to the
 * model's vertices (bspi_check_rig), and later from the model's vertices to those of a mesh (bspi_give_rig). */
#include "models/rig/model_rig.h"

#include <assert.h>
#include <math.h>

#include "base/pose.h"
#include "base/vec.h"

#define USUAL_RATE 10.0f
#define LARGEST_RATE 1000.0f
#define LARGEST_SCALE 65536.0f

/* ---- Bones ---- */

static void check_pose(bspscene_bone_pose *pose, const bspscene_bone_pose *otherwise)
{
	float length = 0;
	for (int i = 0; i < 4; i++) length += pose->rotation[i] * pose->rotation[i];
	length = sqrtf(length);
	bool usable = length > 1e-6f && isfinite(length);
	for (int i = 0; i < 4; i++) pose->rotation[i] = usable ? pose->rotation[i] / length : otherwise->rotation[i];
	if (!bspi_is_position(pose->translation)) bspi_copy3(pose->translation, otherwise->translation);
	for (int i = 0; i < 3; i++) {
		if (!(fabsf(pose->scale[i]) <= LARGEST_SCALE)) pose->scale[i] = otherwise->scale[i];
	}
}

/* Negates the quaternion of a pose if the result is closer to the quaternion in the previous frame. q and -q are the
 * same rotation. With the wrong sign, interpolation between the two frames would turn the long way around. */
static void turn_short_way(bspscene_bone_pose *pose, const bspscene_bone_pose *before)
{
	float along = 0;
	for (int i = 0; i < 4; i++) along += pose->rotation[i] * before->rotation[i];
	for (int i = 0; along < 0 && i < 4; i++) pose->rotation[i] = -pose->rotation[i];
}

static void check_poses(bspi_rig *rig)
{
	static const bspscene_bone_pose none = BSPI_POSE_NONE;
	for (uint32_t i = 0; i < rig->bone_count; i++) {
		if (rig->bones[i].parent >= i) rig->bones[i].parent = BSPSCENE_NO_INDEX;
		check_pose(&rig->bones[i].rest, &none);
	}
	bspi_rest_bones(rig->bones, rig->bone_count);
	for (uint32_t i = 0; i < rig->bone_count; i++) {
		if (!bspi_are_finite(rig->bones[i].inverse_rest, 12)) bspi_transform_identity(rig->bones[i].inverse_rest);
	}
	for (uint32_t s = 0; s < rig->sequence_count && rig->poses; s++) {
		const bspscene_sequence *sequence = &rig->sequences[s];
		bspscene_bone_pose *poses = rig->poses + (size_t)sequence->first_frame * rig->bone_count;
		for (size_t i = 0; i < (size_t)sequence->frame_count * rig->bone_count; i++) {
			const bspscene_bone_pose *rest = &rig->bones[i % rig->bone_count].rest;
			check_pose(&poses[i], rest);
			turn_short_way(&poses[i], i < rig->bone_count ? rest : &poses[i - rig->bone_count]);
		}
	}
}

/* Merges bones that a vertex lists twice, and scales the weights to a sum of 1. */
static void check_binding(const bspi_binding *from, uint32_t bone_count, uint8_t joints[4], float weights[4])
{
	uint32_t count = 0;
	float sum = 0, others = 0;
	for (int i = 0; i < 4; i++) {
		bool usable = from->joints[i] < bone_count && from->weights[i] > 0 && from->weights[i] <= LARGEST_SCALE;
		uint32_t k = 0;
		if (!usable) continue;
		while (k < count && joints[k] != from->joints[i]) k++;
		joints[k] = from->joints[i];
		weights[k] = (k < count ? weights[k] : 0) + from->weights[i];
		sum += from->weights[i];
		if (k == count) count++;
	}
	for (uint32_t i = 1; i < count; i++) others += weights[i] /= sum;
	weights[0] = fmaxf(1 - others, 0);
	for (uint32_t i = count; i < 4; i++) {
		joints[i] = 0;
		if (i) weights[i] = 0;
	}
}

static bool check_bindings(bspi_model_reader *reader, const uint32_t *origins, bspi_prop_model *out)
{
	bspi_ctx *ctx = reader->ctx;
	const bspi_rig *rig = reader->rig;
	uint8_t *joints = bspi_push(ctx, &ctx->result, uint8_t, 4 * (size_t)out->vertex_count);
	float *weights = bspi_push(ctx, &ctx->result, float, 4 * (size_t)out->vertex_count);
	BSPI_TRY(joints && weights);
	for (size_t i = 0; i < out->vertex_count; i++) {
		check_binding(&rig->bindings[origins[i]], rig->bone_count, joints + 4 * i, weights + 4 * i);
	}
	out->joints = joints;
	out->weights = weights;
	return true;
}

/* ---- Frames ---- */

static bool check_frames(bspi_model_reader *reader, const uint32_t *origins, bspi_prop_model *out)
{
	bspi_ctx *ctx = reader->ctx;
	const bspi_rig *rig = reader->rig;
	size_t count = out->vertex_count, floats = 3 * count * rig->frame_count;
	float *positions = bspi_push_unset(ctx, &ctx->result, floats, sizeof *positions);
	float *normals = bspi_push_unset(ctx, &ctx->result, floats, sizeof *normals);
	BSPI_TRY(positions && normals);
	for (size_t i = 0; i < count * rig->frame_count; i++) {
		size_t from = 3 * (i / count * reader->vertex_count + origins[i % count]), otherwise = 3 * (i % count);
		const float *position = rig->frame_positions + from;
		bspi_copy3(positions + 3 * i, bspi_is_position(position) ? position : out->positions + otherwise);
		bspi_copy3(normals + 3 * i, rig->frame_normals + from);
		if (!bspi_normalize(normals + 3 * i)) bspi_copy3(normals + 3 * i, out->normals + otherwise);
	}
	out->frame_positions = positions;
	out->frame_normals = normals;
	return true;
}

/* ---- Entry ---- */

bool bspi_check_rig(bspi_model_reader *reader, const uint32_t *origins, bspi_prop_model *out)
{
	bspi_ctx *ctx = reader->ctx;
	bspi_rig *rig = reader->rig;
	bool bound = rig->binding_count && rig->bone_count, framed = rig->frame_positions != NULL;
	assert(!rig->binding_count || rig->binding_count == reader->vertex_count);
	bool moves = bound || (framed && rig->frame_count + rig->bone_count > 1);
	if (!rig->frame_count || !out->vertex_count || !moves) return true;
	for (uint32_t i = 0; i < rig->sequence_count; i++) {
		float *rate = &rig->sequences[i].frames_per_second;
		if (!(*rate > 0 && *rate <= LARGEST_RATE)) *rate = USUAL_RATE;
	}
	check_poses(rig);
	if (bound) BSPI_TRY(check_bindings(reader, origins, out));
	if (framed) BSPI_TRY(check_frames(reader, origins, out));
	bspscene_rig *made = bspi_push(ctx, &ctx->result, bspscene_rig, 1);
	bspscene_sequence *sequences = bspi_push_copy(ctx, rig->sequences, rig->sequence_count, sizeof *sequences);
	BSPI_TRY(made && sequences);
	*made = (bspscene_rig) {
		.bones = bspi_table(ctx, bspscene_bone, rig->bones, rig->bone_count),
		.bone_count = rig->bone_count,
		.sequences = bspi_table(ctx, bspscene_sequence, sequences, rig->sequence_count),
		.sequence_count = rig->sequence_count,
		.frame_count = rig->frame_count,
		.poses = rig->poses,
		.still_frame = rig->still_frame < rig->frame_count ? rig->still_frame : BSPSCENE_NO_INDEX,
	};
	out->rig = made;
	return made->bones && made->sequences;
}

/* Copies `width` bytes for each of `count` vertices from `all`. NULL if memory is out. */
static void *take(bspi_ctx *ctx, const void *all, const uint32_t *vertices, size_t count, size_t width)
{
	uint8_t *out = bspi_push_unset(ctx, &ctx->result, count, width);
	const uint8_t *from = all;
	for (size_t i = 0; out && i < count; i++) memcpy(out + width * i, from + width * vertices[i], width);
	return out;
}

static const float *take_frames(bspi_ctx *ctx, const bspi_prop_model *model, const float *all,
                                const uint32_t *vertices, size_t count)
{
	float *out = bspi_push_unset(ctx, &ctx->result, 3 * count * model->rig->frame_count, sizeof *out);
	for (size_t i = 0; out && i < count * model->rig->frame_count; i++) {
		bspi_copy3(out + 3 * i, all + 3 * (i / count * model->vertex_count + vertices[i % count]));
	}
	return out;
}

bool bspi_give_rig(bspi_ctx *ctx, const bspi_prop_model *model, const uint32_t *vertices, bspscene_mesh *mesh)
{
	size_t count = mesh->vertex_count;
	if (!model->rig) return true;
	mesh->rig = model->rig;
	mesh->joints = model->joints;
	mesh->weights = model->weights;
	mesh->frame_positions = model->frame_positions;
	mesh->frame_normals = model->frame_normals;
	if (!vertices) return true;
	if (mesh->joints) {
		mesh->joints = take(ctx, mesh->joints, vertices, count, 4 * sizeof *mesh->joints);
		mesh->weights = take(ctx, mesh->weights, vertices, count, 4 * sizeof *mesh->weights);
		BSPI_TRY(mesh->joints && mesh->weights);
	}
	if (mesh->frame_positions) {
		mesh->frame_positions = take_frames(ctx, model, mesh->frame_positions, vertices, count);
		mesh->frame_normals = take_frames(ctx, model, mesh->frame_normals, vertices, count);
		BSPI_TRY(mesh->frame_positions && mesh->frame_normals);
	}
	return true;
}
