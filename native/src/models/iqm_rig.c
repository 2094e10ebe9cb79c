/* iqm_rig.c - joints and frames of Inter-Quake Models. A pose has ten channels (position, quaternion, scale). A frame
 * stores only the channels that the pose's mask selects, as 16-bit multiples of a step. */
#include "models/iqm.h"

#include <stdio.h>

#include "base/pose.h"
#include "base/text.h"
#include "base/vec.h"
#include "models/skeleton/bones.h"

enum {
	CHANNELS = 10,
	ARRAY_JOINTS = 4,
	ARRAY_WEIGHTS = 5,
	FLAG_LOOPS = 1,
	MOST_SEQUENCES = 65536,
	MOST_FRAMES = 1048576,
	MOST_BONES = BSPI_MODEL_MAX_BONES
};

typedef struct iqm_joint {
	uint32_t name;
	int32_t parent;
	float translation[3], rotation[4], scale[3];
} iqm_joint;

typedef struct iqm_pose {
	uint32_t mask;
	float offset[CHANNELS], step[CHANNELS];
} iqm_pose;

typedef struct iqm_sequence {
	uint32_t name, first_frame, frame_count;
	float rate;
	uint32_t flags;
} iqm_sequence;

static const bspi_field joint_rows[] = {
	FIELD(iqm_joint, name, 0, U32),      FIELD(iqm_joint, parent, 4, I32), FIELD(iqm_joint, translation, 8, F32),
	FIELD(iqm_joint, rotation, 20, F32), FIELD(iqm_joint, scale, 36, F32),
};
static const bspi_field pose_rows[] = {
	SKIP("parent", 0, 4),
	FIELD(iqm_pose, mask, 4, U32),
	FIELD(iqm_pose, offset, 8, F32),
	FIELD(iqm_pose, step, 48, F32),
};
static const bspi_field sequence_rows[] = {
	FIELD(iqm_sequence, name, 0, U32),        FIELD(iqm_sequence, first_frame, 4, U32),
	FIELD(iqm_sequence, frame_count, 8, U32), FIELD(iqm_sequence, rate, 12, F32),
	FIELD(iqm_sequence, flags, 16, U32),
};
static const bspi_layout joint_layout = LAYOUT("joints", iqm_joint, joint_rows, 48);
static const bspi_layout pose_layout = LAYOUT("poses", iqm_pose, pose_rows, 88);
static const bspi_layout sequence_layout = LAYOUT("animations", iqm_sequence, sequence_rows, 20);
const bspi_layout *const bspi_iqm_rig_layouts[] = { &joint_layout, &pose_layout, &sequence_layout, NULL };

typedef struct motions {
	const iqm_joint *joints;
	const iqm_pose *poses;
	const iqm_sequence *sequences;
	bspi_bytes frames;
} motions;

/* ---- Reading the file ---- */

static bool take_motions(bspi_model_reader *reader, const bspi_iqm_header *h, motions *out)
{
	bspi_bytes file = reader->file;
	out->joints = bspi_take_records(reader, file, &joint_layout, h->joints_at, h->joint_count, MOST_BONES);
	BSPI_TRY(out->joints);
	out->poses = bspi_take_records(reader, file, &pose_layout, h->poses_at, h->pose_count, MOST_BONES);
	BSPI_TRY(out->poses);
	out->sequences =
		bspi_take_records(reader, file, &sequence_layout, h->sequences_at, h->sequence_count, MOST_SEQUENCES);
	BSPI_TRY(out->sequences);
	uint32_t channels = 0;
	for (uint32_t i = 0; i < h->pose_count; i++) {
		for (uint32_t k = 0; k < CHANNELS; k++) channels += out->poses[i].mask >> k & 1;
	}
	if (h->pose_count != h->joint_count || channels != h->channel_count || h->frame_count > MOST_FRAMES) {
		return bspi_refuse_model(reader,
		                         "%u poses for %u joints, with %u channels of %u and %u frames, contradict each other",
		                         h->pose_count, h->joint_count, channels, h->channel_count, h->frame_count);
	}
	for (uint32_t i = 0; i < h->sequence_count; i++) {
		const iqm_sequence *s = &out->sequences[i];
		bool inside = s->first_frame <= h->frame_count && s->frame_count <= h->frame_count - s->first_frame;
		if (inside || !s->frame_count) continue;
		return bspi_refuse_model(reader, "animation %u needs %u frames from number %u on, but there are %u", i,
		                         s->frame_count, s->first_frame, h->frame_count);
	}
	uint64_t size = 2 * (uint64_t)h->frame_count * h->channel_count;
	return !size || bspi_take_bytes(reader, file, h->frames_at, size, "frames", &out->frames);
}

static const bspi_iqm_array *find_array(const bspi_iqm *m, uint32_t type, uint32_t format)
{
	for (uint32_t i = 0; i < m->header->array_count; i++) {
		const bspi_iqm_array *array = &m->arrays[i];
		if (array->type == type && array->format == format && array->size == 4) return array;
	}
	return NULL;
}

/* Reads the bones of each vertex and their weights. Weights are bytes or floats. */
static bool take_bindings(bspi_model_reader *reader, bspi_iqm *m)
{
	const bspi_iqm_array *joints = find_array(m, ARRAY_JOINTS, BSPI_IQM_BYTES);
	const bspi_iqm_array *bytes = find_array(m, ARRAY_WEIGHTS, BSPI_IQM_BYTES);
	const bspi_iqm_array *weights = bytes ? bytes : find_array(m, ARRAY_WEIGHTS, BSPI_IQM_FLOAT);
	uint64_t count = m->header->vertex_count;
	bspi_bytes numbers, shares;
	if (!joints || !weights) return true;
	BSPI_TRY(bspi_take_bytes(reader, reader->file, joints->at, 4 * count, "joints of vertices", &numbers));
	BSPI_TRY(bspi_take_bytes(reader, reader->file, weights->at, (bytes ? 4 : 16) * count, "weights", &shares));
	bspi_binding *bindings = bspi_push(reader->ctx, &reader->ctx->scratch, bspi_binding, count);
	BSPI_TRY(bindings);
	for (size_t i = 0; i < 4 * count; i++) {
		bindings[i / 4].joints[i % 4] = numbers.data[i];
		bindings[i / 4].weights[i % 4] = bytes ? (float)shares.data[i] / 255 : bspi_load_f32(shares.data + 4 * i);
	}
	m->bindings = bindings;
	return true;
}

/* ---- Bones ---- */

static void take_bones(const motions *from, uint32_t count, bspscene_bone *out)
{
	for (uint32_t i = 0; i < count; i++) {
		const iqm_joint *joint = &from->joints[i];
		bool child = joint->parent >= 0 && (uint32_t)joint->parent < i;
		out[i].parent = child ? (uint32_t)joint->parent : BSPSCENE_NO_INDEX;
		bspi_copy3(out[i].rest.translation, joint->translation);
		bspi_copy3(out[i].rest.scale, joint->scale);
		memcpy(out[i].rest.rotation, joint->rotation, sizeof joint->rotation);
	}
}

static void take_frame(const bspi_iqm_header *h, const motions *from, uint32_t frame, bspscene_bone_pose *out)
{
	const uint8_t *at = from->frames.data + 2 * (size_t)frame * h->channel_count;
	for (uint32_t i = 0; i < h->pose_count; i++) {
		const iqm_pose *pose = &from->poses[i];
		float values[CHANNELS];
		for (uint32_t k = 0; k < CHANNELS; k++) {
			bool stored = pose->mask >> k & 1;
			values[k] = pose->offset[k] + (stored ? (float)bspi_load_u16(at) * pose->step[k] : 0);
			at += stored ? 2 : 0;
		}
		bspi_copy3(out[i].translation, values);
		memcpy(out[i].rotation, values + 3, sizeof out[i].rotation);
		bspi_copy3(out[i].scale, values + 7);
	}
}

/* ---- One pose ---- */

/* Finds a sequence by name or number; NULL if there is none. */
static const iqm_sequence *choose_sequence(bspi_model_reader *reader, const bspi_iqm *m, const motions *from)
{
	for (uint32_t i = 0; i < m->header->sequence_count; i++) {
		char number[16];
		const char *name = bspi_take_text(reader, m->text, from->sequences[i].name);
		snprintf(number, sizeof number, "%u", i);
		bool fits = name && (bspi_text_equal(name, reader->state.sequence) || !strcmp(number, reader->state.sequence));
		if (fits) return &from->sequences[i];
	}
	return NULL;
}

static bool pose(bspi_model_reader *reader, bspi_iqm *m, const motions *from)
{
	bspi_ctx *ctx = reader->ctx;
	uint32_t count = m->header->joint_count;
	const iqm_sequence *sequence = choose_sequence(reader, m, from);
	bspscene_bone *bones = bspi_push(ctx, &ctx->scratch, bspscene_bone, count);
	bspscene_bone_pose *poses = bspi_push(ctx, &ctx->scratch, bspscene_bone_pose, count);
	BSPI_TRY(bones && poses);
	if (!sequence || !sequence->frame_count) return !ctx->error.status;
	m->bones = bspi_push_zeroed(ctx, &ctx->scratch, count, sizeof *m->bones);
	BSPI_TRY(m->bones);
	m->bone_count = count;
	uint32_t frame = reader->state.frame < sequence->frame_count ? reader->state.frame : 0;
	take_bones(from, count, bones);
	take_frame(m->header, from, sequence->first_frame + frame, poses);
	bspi_rest_bones(bones, count);
	bspi_pose_bones(bones, count, poses, m->bones);
	for (uint32_t i = 0; i < count; i++) bspi_transform_multiply(m->bones[i], m->bones[i], bones[i].inverse_rest);
	return true;
}

bool bspi_add_iqm_vertex(bspi_model_reader *reader, const bspi_iqm *m, uint32_t number, bspi_model_vertex *vertex)
{
	if (!m->bindings) return bspi_add_vertex(reader, vertex);
	const bspi_binding *binding = &m->bindings[number];
	bspi_model_vertex posed = { .uv = { vertex->uv[0], vertex->uv[1] } };
	float sum = 0;
	for (uint32_t i = 0; m->bones && i < 4; i++) {
		float at[3], normal[3], weight = binding->weights[i];
		if (!(weight > 0) || binding->joints[i] >= m->bone_count) continue;
		bspi_transform_point(at, m->bones[binding->joints[i]], vertex->position);
		bspi_turn_normal(normal, m->bones[binding->joints[i]], vertex->normal);
		for (int k = 0; k < 3; k++) {
			posed.position[k] += weight * at[k];
			posed.normal[k] += weight * normal[k];
		}
		sum += weight;
	}
	for (int k = 0; sum > 0 && k < 3; k++) {
		vertex->position[k] = posed.position[k] / sum;
		vertex->normal[k] = posed.normal[k] / sum;
	}
	bspi_normalize(vertex->normal);
	return bspi_add_vertex(reader, vertex) && bspi_bind_vertex(reader, binding);
}

/* ---- All poses ---- */

static const char *name_of(bspi_model_reader *reader, const bspi_iqm *m, uint32_t at, const char *word, uint32_t number)
{
	const char *name = bspi_take_text(reader, m->text, at);
	return name ? bspi_rig_name(reader, name, strlen(name), word, number) : NULL;
}

static bool fill_rig(bspi_model_reader *reader, const bspi_iqm *m, const motions *from)
{
	bspi_rig *rig = reader->rig;
	const bspi_iqm_header *h = m->header;
	BSPI_TRY(bspi_rig_bones(reader, h->joint_count));
	take_bones(from, h->joint_count, rig->bones);
	for (uint32_t i = 0; i < h->joint_count; i++) {
		rig->bones[i].name = name_of(reader, m, from->joints[i].name, "bone", i);
		BSPI_TRY(rig->bones[i].name);
	}
	for (uint32_t i = 0; i < h->sequence_count; i++) {
		const iqm_sequence *s = &from->sequences[i];
		const char *name = name_of(reader, m, s->name, "sequence", i);
		BSPI_TRY(bspi_rig_sequence(reader, name, s->rate, s->flags & FLAG_LOOPS, s->frame_count));
	}
	BSPI_TRY(bspi_rig_poses(reader));
	for (uint32_t i = 0; i < h->sequence_count; i++) {
		const bspscene_sequence *to = &rig->sequences[i];
		for (uint32_t k = 0; k < to->frame_count; k++) {
			take_frame(h, from, from->sequences[i].first_frame + k,
			           rig->poses + (size_t)(to->first_frame + k) * rig->bone_count);
		}
	}
	return true;
}

bool bspi_pose_iqm(bspi_model_reader *reader, bspi_iqm *m)
{
	motions from = { .frames = BSPI_NO_BYTES };
	if (!reader->rig && !reader->state.sequence) return true;
	if (!m->header->joint_count || !m->header->frame_count) return true;
	BSPI_TRY(take_motions(reader, m->header, &from) && take_bindings(reader, m));
	if (!m->bindings) return true;
	return reader->rig ? fill_rig(reader, m, &from) : pose(reader, m, &from);
}
