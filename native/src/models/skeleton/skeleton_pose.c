/* skeleton_pose.c - poses bones by a frame of an animation. SKA 3 and 4 (FAKK2, Elite Force II) have quaternions and
 * positions of 16 bits. SKC 13 and 14 (Medal of Honor) have channels with names ("Bip01 rot", "Bip01 pos"). Sources:
 * qfiles.h of the games' SDKs; openmohaa's skeletor_loadanimation.cpp and skeletorbones.cpp. */
#include "models/tiki/tiki.h"

#include <stdio.h>

#include "base/text.h"
#include "base/vec.h"
#include "models/skeleton/bones.h"

enum {
	SKA_FAKK = 3,
	SKA_ELITE_FORCE = 4,
	SKC_FRAMES = 13,
	SKC_RUNS = 14,
	MOST_CHANNELS = 1024,
	FRAME_HEAD = 40,
	SKC_FRAME = 48,
	SKC_RUNS_FRAME = 44,
	BOUNDS = 24,
	RUN_HEAD = 4
};
#define TURN_UNITS 32767.0f
#define PLACE_UNITS 63.0f

typedef struct ska_header {
	int32_t frame_count, bone_count, names_at, frames_at;
} ska_header;

typedef struct ska_bone {
	float turn[4], place[3];
} ska_bone;

typedef struct ska_name {
	char name[32];
} ska_name;

typedef struct skc_header {
	int32_t channel_count, names_at, frame_count;
} skc_header;

typedef struct skc_channel {
	float values[4];
} skc_channel;

typedef struct skc_name {
	char name[32];
} skc_name;

static const bspi_field ska_rows[] = {
	SKIP("ident version name type", 0, 76), FIELD(ska_header, frame_count, 76, I32),
	FIELD(ska_header, bone_count, 80, I32), SKIP("times delta", 84, 20),
	FIELD(ska_header, frames_at, 104, I32),
};
static const bspi_field ska_named_rows[] = {
	SKIP("ident version name type", 0, 76), FIELD(ska_header, frame_count, 76, I32),
	FIELD(ska_header, bone_count, 80, I32), SKIP("times delta", 84, 20),
	FIELD(ska_header, names_at, 104, I32),  FIELD(ska_header, frames_at, 108, I32),
};
static const bspi_field ska_bone_rows[] = {
	FIELD(ska_bone, turn, 0, I16),
	FIELD(ska_bone, place, 8, I16),
	SKIP("padding", 14, 2),
};
static const bspi_field ska_name_rows[] = { SKIP("length", 0, 4), FIELD(ska_name, name, 4, CHARS) };
static const bspi_field skc_rows[] = {
	SKIP("ident version flags size time delta", 0, 36),
	FIELD(skc_header, channel_count, 36, I32),
	FIELD(skc_header, names_at, 40, I32),
	FIELD(skc_header, frame_count, 44, I32),
};
static const bspi_field skc_channel_rows[] = { FIELD(skc_channel, values, 0, F32) };
static const bspi_field skc_name_rows[] = { FIELD(skc_name, name, 0, CHARS) };
static const bspi_field skc_runs_rows[] = {
	SKIP("ident version", 0, 8),
	FIELD(skc_header, channel_count, 8, I16),
	SKIP("flags time delta", 10, 24),
	FIELD(skc_header, frame_count, 34, I32),
	SKIP("kinds", 38, 3),
};
static const bspi_layout ska_layout = LAYOUT("header", ska_header, ska_rows, 108);
static const bspi_layout ska_named_layout = LAYOUT("header", ska_header, ska_named_rows, 112);
static const bspi_layout ska_bone_layout = LAYOUT("bones", ska_bone, ska_bone_rows, 16);
static const bspi_layout ska_name_layout = LAYOUT("bones' names", ska_name, ska_name_rows, 36);
static const bspi_layout skc_layout = LAYOUT("header", skc_header, skc_rows, 48);
static const bspi_layout skc_channel_layout = LAYOUT("channels", skc_channel, skc_channel_rows, 16);
static const bspi_layout skc_name_layout = LAYOUT("channels' names", skc_name, skc_name_rows, 32);
static const bspi_layout skc_runs_layout = LAYOUT("header", skc_header, skc_runs_rows, 41);
const bspi_layout *const bspi_skeleton_pose_layouts[] = {
	&ska_layout,      &ska_named_layout, &ska_bone_layout,
	&ska_name_layout, &skc_layout,       &skc_channel_layout,
	&skc_name_layout, &skc_runs_layout,  NULL,
};

static void set_channel(bspi_skeleton *skeleton, const char *name, const float values[4])
{
	for (uint32_t i = 0; i < skeleton->count; i++) {
		bspi_skeleton_bone *bone = &skeleton->bones[i];
		if (bspi_text_equal(bone->turn_channel, name)) memcpy(bone->turn, values, sizeof bone->turn);
		if (bspi_text_equal(bone->place_channel, name)) bspi_copy3(bone->place, values);
	}
}

/* True if the file has at least one frame and a possible number of bones or channels. */
static bool is_possible(bspi_model_reader *reader, int32_t frame_count, int32_t count, uint32_t most)
{
	if (frame_count > 0 && count >= 0 && (uint32_t)count <= most) return true;
	return bspi_refuse_model(reader, "its animation claims %d frames of %d channels, which is not possible",
	                         frame_count, count);
}

static int64_t frame_of(const bspi_model_reader *reader, int32_t count)
{
	return reader->state.frame < (uint32_t)count ? (int64_t)reader->state.frame : 0;
}

static void set_ska_bone(const ska_bone *from, bspi_skeleton_bone *bone)
{
	for (int k = 0; k < 4; k++) bone->turn[k] = from->turn[k] / TURN_UNITS;
	for (int k = 0; k < 3; k++) bone->place[k] = from->place[k] / PLACE_UNITS;
}

/* Reads an SKA. In Elite Force II it names the bones. In FAKK2 its bones are in the order of the mesh. */
static bool read_ska(bspi_model_reader *reader, bspi_skeleton *skeleton, bspi_bytes file, bool named)
{
	const bspi_layout *layout = named ? &ska_named_layout : &ska_layout;
	const ska_header *h = bspi_take_records(reader, file, layout, 0, 1, 1);
	BSPI_TRY(h && is_possible(reader, h->frame_count, h->bone_count, BSPI_MODEL_MAX_BONES));
	int64_t frame = frame_of(reader, h->frame_count), bones_size = (int64_t)h->bone_count * ska_bone_layout.file_size;
	int64_t at = (int64_t)h->frames_at + FRAME_HEAD + frame * (FRAME_HEAD + bones_size);
	const ska_bone *bones = bspi_take_records(reader, file, &ska_bone_layout, at, h->bone_count, BSPI_MODEL_MAX_BONES);
	const ska_name *names = NULL;
	if (bones && named) {
		names = bspi_take_records(reader, file, &ska_name_layout, h->names_at, h->bone_count, BSPI_MODEL_MAX_BONES);
	}
	BSPI_TRY(bones && (names || !named));
	for (uint32_t i = 0; i < (uint32_t)h->bone_count; i++) {
		char name[sizeof names->name + 1];
		if (names) snprintf(name, sizeof name, "%.*s", (int)sizeof names->name, names[i].name);
		for (uint32_t k = 0; k < skeleton->count; k++) {
			bool same = names ? bspi_text_equal(skeleton->bones[k].name, name) : k == i;
			if (same) set_ska_bone(&bones[i], &skeleton->bones[k]);
		}
	}
	return true;
}

/* Reads all channels of all frames, four numbers each. */
static bool read_skc_frames(bspi_model_reader *reader, bspi_skeleton *skeleton, bspi_bytes file)
{
	const skc_header *h = bspi_take_records(reader, file, &skc_layout, 0, 1, 1);
	BSPI_TRY(h && is_possible(reader, h->frame_count, h->channel_count, MOST_CHANNELS));
	int64_t frame = frame_of(reader, h->frame_count), size = (int64_t)h->channel_count * skc_channel_layout.file_size;
	int64_t at = skc_layout.file_size + (int64_t)h->frame_count * SKC_FRAME + frame * size;
	const skc_channel *channels =
		bspi_take_records(reader, file, &skc_channel_layout, at, h->channel_count, MOST_CHANNELS);
	BSPI_TRY(channels);
	const skc_name *names =
		bspi_take_records(reader, file, &skc_name_layout, h->names_at, h->channel_count, MOST_CHANNELS);
	BSPI_TRY(names);
	for (int32_t i = 0; i < h->channel_count; i++) {
		char name[sizeof names->name + 1];
		snprintf(name, sizeof name, "%.*s", (int)sizeof names->name, names[i].name);
		set_channel(skeleton, name, channels[i].values);
	}
	return true;
}

/* Returns how many numbers a channel has in each frame. The end of the channel's name determines it. */
static uint32_t width_of(const char *name)
{
	if (bspi_text_ends(name, " rot")) return 4;
	if (bspi_text_ends(name, " pos")) return 3;
	return bspi_text_ends(name, "FK") ? 0 : 1;
}

/* Reads the runs of a channel. Sets `out` to the values of the last run that begins at or before the frame. */
static bool read_runs(bspi_model_reader *reader, bspi_bytes file, uint64_t *at, uint32_t width, int64_t frame,
                      float out[4])
{
	bspi_bytes view;
	BSPI_TRY(bspi_take_bytes(reader, file, (int64_t)*at, 2, "runs", &view));
	uint32_t count = bspi_load_u16(view.data);
	uint64_t size = RUN_HEAD + sizeof(float) * (uint64_t)width;
	*at += 2;
	for (uint32_t i = 0; width && i < count; i++, *at += size) {
		BSPI_TRY(bspi_take_bytes(reader, file, (int64_t)*at, size, "runs", &view));
		if (i && bspi_load_u16(view.data) > frame) continue;
		for (uint32_t k = 0; k < width; k++) out[k] = bspi_load_f32(view.data + RUN_HEAD + sizeof(float) * k);
	}
	return true;
}

/* Reads the names of the channels, each of which ends with a NUL. Moves *at after them. */
static bool take_names(bspi_model_reader *reader, bspi_bytes file, skc_name *names, uint32_t count, uint64_t *at)
{
	for (uint32_t i = 0; i < count; i++) {
		bspi_bytes rest;
		BSPI_TRY(bspi_take_rest(reader, file, (int64_t)*at, "channels' names", &rest));
		const uint8_t *end = rest.size ? memchr(rest.data, 0, rest.size) : NULL;
		if (!end) return bspi_refuse_model(reader, "its animation file ends inside the name of channel %u", i);
		size_t length = (size_t)(end - rest.data);
		snprintf(names[i].name, sizeof names[i].name, "%s", (const char *)rest.data);
		*at += length + 1;
	}
	return true;
}

/* Reads channels that are stored as runs of frames with the same value. */
static bool read_skc_runs(bspi_model_reader *reader, bspi_skeleton *skeleton, bspi_bytes file)
{
	bspi_ctx *ctx = reader->ctx;
	const skc_header *h = bspi_take_records(reader, file, &skc_runs_layout, 0, 1, 1);
	BSPI_TRY(h && is_possible(reader, h->frame_count, h->channel_count, MOST_CHANNELS));
	uint32_t count = (uint32_t)h->channel_count;
	uint64_t at = skc_runs_layout.file_size;
	skc_name *names = bspi_push(ctx, &ctx->scratch, skc_name, count);
	BSPI_TRY(names && take_names(reader, file, names, count, &at));
	at += (uint64_t)h->frame_count * SKC_RUNS_FRAME + BOUNDS;
	for (uint32_t i = 0; i < count; i++) {
		float values[4] = { 0, 0, 0, 1 };
		BSPI_TRY(read_runs(reader, file, &at, width_of(names[i].name), frame_of(reader, h->frame_count), values));
		set_channel(skeleton, names[i].name, values);
	}
	return true;
}

static void find_parents(bspi_skeleton *skeleton)
{
	for (uint32_t i = 0; i < skeleton->count; i++) {
		bspi_skeleton_bone *bone = &skeleton->bones[i];
		for (uint32_t k = 0; k < skeleton->count && bone->parent[0] && !bone->above; k++) {
			if (bspi_text_equal(skeleton->bones[k].name, bone->parent)) bone->above = &skeleton->bones[k];
		}
	}
}

static void pose_bone(bspi_skeleton_bone *bone)
{
	/* The engine multiplies row vectors, so the stored rotations are the inverse of ours. */
	const float turn[4] = { -bone->turn[0], -bone->turn[1], -bone->turn[2], bone->turn[3] };
	float local[12];
	bspi_transform_quaternion(local, turn, bone->place);
	if (bone->above && bone->above->posed) bspi_transform_multiply(bone->to_model, bone->above->to_model, local);
	else memcpy(bone->to_model, local, sizeof local);
	bone->posed = true;
}

/* Poses the bones, parents before children, although the file may store them in any order. If parents form a cycle, it
 * is cut at one bone. */
static void pose_bones(bspi_skeleton *skeleton)
{
	find_parents(skeleton);
	for (uint32_t pass = 0; pass <= skeleton->count; pass++) {
		for (uint32_t i = 0; i < skeleton->count; i++) {
			bspi_skeleton_bone *bone = &skeleton->bones[i];
			bool ready = !bone->above || bone->above->posed || pass == skeleton->count;
			if (!bone->posed && ready) pose_bone(bone);
		}
	}
}

bool bspi_pose_skeleton(bspi_model_reader *reader, bspi_skeleton *skeleton, bspi_bytes file)
{
	bool known = file.size >= 8 && !memcmp(file.data, "SKAN", 4), read;
	int32_t version = known ? bspi_load_i32(file.data + 4) : 0;
	switch (version) {
	case SKA_FAKK: read = read_ska(reader, skeleton, file, false); break;
	case SKA_ELITE_FORCE: read = read_ska(reader, skeleton, file, true); break;
	case SKC_FRAMES: read = read_skc_frames(reader, skeleton, file); break;
	case SKC_RUNS: read = read_skc_runs(reader, skeleton, file); break;
	default:
		return bspi_refuse_model(reader,
		                         "its animation is not an SKA or SKC file of a known version (it has version %d)",
		                         version);
	}
	if (read) pose_bones(skeleton);
	return read;
}
