/* vampire_pose.c - poses a Bloodlines model as it is when the map starts: by the first animation, whose rotations are
 * absolute. In models of people, the first animation is an arbitrary gesture. These models, and those without
 * animations, keep the compiled pose, rotated by a quarter turn. */
#include "models/vampire/vampire_mdl.h"

#include "base/text.h"
#include "base/vec.h"
#include "models/skeleton/bones.h"

enum { MOST_ANIMATIONS = 4096 };

typedef struct vampire_bone {
	int32_t parent;
	float position[3], quaternion[4], position_scale[3], turn_scale[4], to_bone[12];
} vampire_bone;

typedef struct vampire_animation {
	int32_t frame_count, data_at;
} vampire_animation;

typedef struct vampire_track {
	float weight; /* 0: the animation does not move the bone */
	int32_t runs_at[7]; /* byte offsets, relative to this record, of the runs of position and quaternion; 0: the value
	                     * is the bone's own */
} vampire_track;

static const bspi_field bone_rows[] = {
	SKIP("name", 0, 4),
	FIELD(vampire_bone, parent, 4, I32),
	SKIP("controllers", 8, 24),
	FIELD(vampire_bone, position, 32, F32),
	FIELD(vampire_bone, quaternion, 44, F32),
	FIELD(vampire_bone, position_scale, 60, F32),
	FIELD(vampire_bone, turn_scale, 72, F32),
	FIELD(vampire_bone, to_bone, 88, F32),
	SKIP("others", 136, 24),
};
static const bspi_field animation_rows[] = {
	SKIP("name fps flags", 0, 12),
	FIELD(vampire_animation, frame_count, 12, I32),
	SKIP("movements, box", 16, 32),
	FIELD(vampire_animation, data_at, 48, I32),
};
static const bspi_field track_rows[] = {
	FIELD(vampire_track, weight, 0, F32),
	FIELD(vampire_track, runs_at, 4, I32),
};
static const bspi_layout bone_layout = LAYOUT("bones", vampire_bone, bone_rows, 160);
static const bspi_layout animation_layout = LAYOUT("animations", vampire_animation, animation_rows, 52);
static const bspi_layout track_layout = LAYOUT("tracks", vampire_track, track_rows, 32);
const bspi_layout *const bspi_vampire_pose_layouts[] = { &bone_layout, &animation_layout, &track_layout, NULL };

/* Computes a bone's transform to its parent. */
static void pose_bone(bspi_bytes file, int64_t at, const vampire_track *track, uint32_t frame, const vampire_bone *bone,
                      float out[12])
{
	float place[3], turn[4];
	bspi_copy3(place, bone->position);
	memcpy(turn, bone->quaternion, sizeof turn);
	bool moves = track && track->weight != 0;
	for (int i = 0; moves && i < 3; i++) {
		int64_t runs = at + track->runs_at[i];
		if (track->runs_at[i]) place[i] += bspi_animated_value(file, runs, frame) * bone->position_scale[i];
	}
	for (int i = 0; moves && i < 4; i++) {
		int64_t runs = at + track->runs_at[3 + i];
		if (track->runs_at[3 + i]) turn[i] = bspi_animated_value(file, runs, frame) * bone->turn_scale[i];
	}
	bspi_transform_quaternion(out, turn, place);
}

/* Finds the tracks of the first animation, one for each bone. *at is the byte offset of the first track. NULL if there
 * are none. */
static const vampire_track *find_tracks(bspi_model_reader *reader, const bspi_source_header *h, int64_t *at)
{
	if (bspi_text_starts(reader->path, "models/character/") || h->animation_count < 1) return NULL;
	const vampire_animation *animation =
		bspi_take_records(reader, reader->file, &animation_layout, h->animations_at, 1, MOST_ANIMATIONS);
	if (!animation || animation->frame_count < 1 || !animation->data_at) return NULL;
	*at = (int64_t)h->animations_at + animation->data_at;
	return bspi_take_records(reader, reader->file, &track_layout, *at, h->bone_count, BSPI_MODEL_MAX_BONES);
}

bool bspi_pose_vampire(bspi_model_reader *reader, bspi_studio *studio)
{
	bspi_ctx *ctx = reader->ctx;
	const bspi_source_header *h = studio->header;
	if (reader->state.is_static || h->flags & BSPI_SOURCE_STATIC_PROP) return true;
	const vampire_bone *bones =
		bspi_take_records(reader, reader->file, &bone_layout, h->bones_at, h->bone_count, BSPI_MODEL_MAX_BONES);
	BSPI_TRY(bones);
	uint32_t count = h->bone_count ? (uint32_t)h->bone_count : 1;
	float(*local)[12] = bspi_push_zeroed(ctx, &ctx->scratch, count, sizeof *local);
	studio->bones = bspi_push_zeroed(ctx, &ctx->scratch, count, sizeof *studio->bones);
	BSPI_TRY(local && studio->bones);
	studio->bone_count = count;
	int64_t at = 0;
	const vampire_track *tracks = h->bone_count ? find_tracks(reader, h, &at) : NULL;
	BSPI_TRY(!ctx->error.status);
	reader->why[0] = 0; /* forgets why the pose was refused: the model is read without it */
	for (uint32_t i = 0; i < count; i++) {
		if (!tracks) {
			bspi_turn_quarter(studio->bones[i]);
			continue;
		}
		pose_bone(reader->file, at + (int64_t)i * track_layout.file_size, &tracks[i], reader->state.frame, &bones[i],
		          local[i]);
		bool child = bones[i].parent >= 0 && (uint32_t)bones[i].parent < i;
		if (child) bspi_transform_multiply(local[i], local[bones[i].parent], local[i]);
		bspi_transform_multiply(studio->bones[i], local[i], bones[i].to_bone);
	}
	return true;
}

bool bspi_vampire_to_bone(bspi_model_reader *reader, const bspi_source_header *header, int32_t bone, float out[12])
{
	int64_t at = header->bones_at + (int64_t)bone * bone_layout.file_size;
	const vampire_bone *record = bspi_take_records(reader, reader->file, &bone_layout, at, 1, 1);
	if (record) memcpy(out, record->to_bone, sizeof record->to_bone);
	return record != NULL;
}
