/* model_rig.c - see model_rig.h. Collects the bones, sequences and frames that readers find. Its limits are far above
 * what real models have. */
#include "models/rig/model_rig.h"

#include "base/pose.h"
#include "base/text.h"
#include "base/vec.h"

/* Limits. Real models have a few hundred sequences and ten thousand frames at most. */
enum { MOST_SEQUENCES = 4096, MOST_FRAMES = 262144, MOST_POSES = 4194304, MOST_FRAME_VERTICES = 33554432 };
/* Limit for the number of sequences times the number of bones, because a written file has curves for
 * each bone in each sequence. */
#define MOST_CURVES 65536u

bool bspi_rig_bones(bspi_model_reader *reader, uint32_t count)
{
	bspi_ctx *ctx = reader->ctx;
	bspi_rig *rig = reader->rig;
	if (count > BSPI_MODEL_MAX_BONES) {
		return bspi_refuse_model(reader, "it has %u bones, and at most %u are supported", count, BSPI_MODEL_MAX_BONES);
	}
	rig->bones = bspi_push(ctx, &ctx->result, bspscene_bone, count);
	BSPI_TRY(rig->bones);
	for (uint32_t i = 0; i < count; i++) {
		rig->bones[i] = (bspscene_bone) { .name = "", .parent = BSPSCENE_NO_INDEX, .rest = BSPI_POSE_NONE };
	}
	rig->bone_count = count;
	return true;
}

const char *bspi_rig_name(bspi_model_reader *reader, const char *name, size_t size, const char *word, uint32_t number)
{
	bspi_ctx *ctx = reader->ctx;
	bool known = size && *name;
	return known ? bspi_text_copy(ctx, bspi_bytes_of(name, size), NULL)
	             : bspi_text_format(ctx, &ctx->result, "%s%u", word, number);
}

bool bspi_rig_sequence(bspi_model_reader *reader, const char *name, float frames_per_second, bool loops,
                       uint32_t frame_count)
{
	bspi_rig *rig = reader->rig;
	if (!name) return false;
	uint64_t frames = (uint64_t)rig->frame_count + frame_count;
	bool fits = rig->sequence_count < MOST_SEQUENCES && frames <= MOST_FRAMES &&
	            frames * rig->bone_count <= MOST_POSES &&
	            (uint64_t)(rig->sequence_count + 1) * rig->bone_count <= MOST_CURVES;
	if (!fits) {
		return bspi_refuse_model(reader, "%u sequences of %llu frames of %u bones are more than is supported",
		                         rig->sequence_count + 1, (unsigned long long)frames, rig->bone_count);
	}
	BSPI_TRY(bspi_reserve(reader->ctx, (void **)&rig->sequences, rig->sequence_count, &rig->sequence_capacity,
	                      sizeof *rig->sequences));
	rig->sequences[rig->sequence_count++] =
		(bspscene_sequence) { name, frames_per_second, loops, rig->frame_count, frame_count };
	rig->frame_count = (uint32_t)frames;
	return true;
}

/* Returns the length of a frame's name without the number at its end, such as 3 for "run3". If the name ends with
 * more than two digits, only the last two are the number: "pain302" is frame 02 of "pain3". */
static size_t stem_of(const char *name, size_t size)
{
	size_t length = 0, digits = 0;
	while (length < size && name[length]) length++;
	while (digits < length && name[length - digits - 1] >= '0' && name[length - digits - 1] <= '9') digits++;
	return length - (digits > 2 ? 2 : digits);
}

bool bspi_rig_named_frames(bspi_model_reader *reader, const char *name, size_t size, float frames_per_second,
                           bool loops, uint32_t count)
{
	bspi_rig *rig = reader->rig;
	bspscene_sequence *last = rig->sequence_count ? &rig->sequences[rig->sequence_count - 1] : NULL;
	size_t length = stem_of(name, size);
	const char *stem = bspi_rig_name(reader, name, length, "sequence", rig->sequence_count);
	BSPI_TRY(stem);
	bool goes_on = last && !loops && !last->loops && (!length || !strcmp(last->name, stem));
	if (!goes_on) return bspi_rig_sequence(reader, stem, frames_per_second, loops, count);
	if (count > MOST_FRAMES - rig->frame_count) {
		return bspi_refuse_model(reader, "it has more than %u frames", MOST_FRAMES);
	}
	last->frame_count += count;
	rig->frame_count += count;
	return true;
}

bool bspi_rig_poses(bspi_model_reader *reader)
{
	bspi_ctx *ctx = reader->ctx;
	bspi_rig *rig = reader->rig;
	rig->poses = bspi_push_unset(ctx, &ctx->result, (size_t)rig->frame_count * rig->bone_count, sizeof *rig->poses);
	BSPI_TRY(rig->poses);
	for (size_t i = 0; i < (size_t)rig->frame_count * rig->bone_count; i++) {
		rig->poses[i] = rig->bones[i % rig->bone_count].rest;
	}
	return true;
}

bool bspi_bind_vertex(bspi_model_reader *reader, const bspi_binding *binding)
{
	bspi_rig *rig = reader->rig;
	if (!rig) return true;
	BSPI_TRY(bspi_reserve(reader->ctx, (void **)&rig->bindings, rig->binding_count, &rig->binding_capacity,
	                      sizeof *rig->bindings));
	rig->bindings[rig->binding_count++] = *binding;
	return true;
}

bool bspi_rig_frames(bspi_model_reader *reader)
{
	bspi_ctx *ctx = reader->ctx;
	bspi_rig *rig = reader->rig;
	uint64_t count = (uint64_t)rig->frame_count * reader->vertex_count;
	if (count > MOST_FRAME_VERTICES) {
		return bspi_refuse_model(reader, "%u frames of %u vertices are more than is supported", rig->frame_count,
		                         reader->vertex_count);
	}
	rig->frame_positions = bspi_push(ctx, &ctx->scratch, float, 3 * (size_t)count);
	rig->frame_normals = bspi_push(ctx, &ctx->scratch, float, 3 * (size_t)count);
	return rig->frame_positions && rig->frame_normals;
}

void bspi_rig_corner_frame(bspi_model_reader *reader, uint32_t frame, const float *positions, const float *normals,
                           const uint32_t *corners)
{
	size_t first = (size_t)frame * reader->vertex_count;
	for (size_t i = 0; i < reader->vertex_count; i++) {
		bspi_copy3(reader->rig->frame_positions + 3 * (first + i), positions + 3 * (size_t)corners[i]);
		bspi_copy3(reader->rig->frame_normals + 3 * (first + i), normals + 3 * (size_t)corners[i]);
	}
}

static void place_bone(const bspscene_bone *bones, uint32_t number, const bspscene_bone_pose *pose, float (*places)[12])
{
	uint32_t parent = bones[number].parent;
	bspi_pose_transform(pose, places[number]);
	if (parent < number) bspi_transform_multiply(places[number], places[parent], places[number]);
}

void bspi_pose_bones(const bspscene_bone *bones, uint32_t count, const bspscene_bone_pose *poses, float (*out)[12])
{
	for (uint32_t i = 0; i < count; i++) place_bone(bones, i, &poses[i], out);
}

void bspi_rest_bones(bspscene_bone *bones, uint32_t count)
{
	float places[BSPI_MODEL_MAX_BONES][12];
	for (uint32_t i = 0; i < count; i++) {
		place_bone(bones, i, &bones[i].rest, places);
		bspi_transform_invert(places[i], bones[i].inverse_rest);
	}
}
