/* source_pose.c - bones of a Source model that is no static prop: they are compiled in the artist's pose, a quarter
 * turn from the game's, which draws the first frame of a sequence. Where that cannot be read, the quarter turn
 * alone. */
#include "models/source/source_mdl.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "base/vec.h"
#include "images/images.h"
#include "models/skeleton/bones.h"

/* Vertices and animations name the first 255 alone; real models have up to 280. */
enum { MOST_BONES = 1024, MOST_SEQUENCES = 65536, MOST_ANIMATIONS = 65536, END_OF_BONES = 255 };
enum { RAW_POSITION = 1, RAW_ROTATION = 2, RUN_POSITION = 4, RUN_ROTATION = 8, DELTA = 0x10, RAW_ROTATION_64 = 0x20 };

typedef struct source_sequence {
	int32_t label_at, animations_at, group_size[2];
} source_sequence;

typedef struct source_animation {
	int32_t frame_count, block, data_at, sections_at, section_frames;
} source_animation;

static const bspi_field bone_rows[] = {
	SKIP("name", 0, 4),
	FIELD(bspi_source_bone, parent, 4, I32),
	SKIP("controllers", 8, 24),
	FIELD(bspi_source_bone, position, 32, F32),
	FIELD(bspi_source_bone, quaternion, 44, F32),
	FIELD(bspi_source_bone, angles, 60, F32),
	FIELD(bspi_source_bone, position_scale, 72, F32),
	FIELD(bspi_source_bone, angle_scale, 84, F32),
	FIELD(bspi_source_bone, to_bone, 96, F32),
	SKIP("others", 144, 72),
};
static const bspi_field sequence_rows[] = {
	SKIP("base", 0, 4),
	FIELD(source_sequence, label_at, 4, I32),
	SKIP("activity, events, box", 8, 52),
	FIELD(source_sequence, animations_at, 60, I32),
	SKIP("movement", 64, 4),
	FIELD(source_sequence, group_size, 68, I32),
	SKIP("others", 76, 136),
};
static const bspi_field animation_rows[] = {
	SKIP("base, name, fps, flags", 0, 16),
	FIELD(source_animation, frame_count, 16, I32),
	SKIP("movements", 20, 32),
	FIELD(source_animation, block, 52, I32),
	FIELD(source_animation, data_at, 56, I32),
	SKIP("ik", 60, 20),
	FIELD(source_animation, sections_at, 80, I32),
	FIELD(source_animation, section_frames, 84, I32),
	SKIP("others", 88, 12),
};
static const bspi_layout bone_layout = LAYOUT("bones", bspi_source_bone, bone_rows, 216);
static const bspi_layout sequence_layout = LAYOUT("sequences", source_sequence, sequence_rows, 212);
static const bspi_layout animation_layout = LAYOUT("animations", source_animation, animation_rows, 100);
const bspi_layout *const bspi_source_pose_layouts[] = { &bone_layout, &sequence_layout, &animation_layout, NULL };

typedef struct posing {
	const bspi_source_bone *bones;
	uint32_t bone_count;
	float (*local)[12]; /* to the parent */
	bspi_bytes file;
	uint32_t frame;
} posing;

/* ---- One bone ---- */

/* x and y of 16 bits, z of 15 and the sign of w. */
static void unpack_48(const uint8_t *p, float out[4])
{
	uint32_t z = bspi_load_u16(p + 4);
	out[0] = ((float)bspi_load_u16(p) - 32768) / 32768;
	out[1] = ((float)bspi_load_u16(p + 2) - 32768) / 32768;
	out[2] = ((float)(z & 0x7fff) - 16384) / 16384;
	out[3] = sqrtf(fmaxf(1 - out[0] * out[0] - out[1] * out[1] - out[2] * out[2], 0)) * (z & 0x8000 ? -1.0f : 1.0f);
}

/* 21 bits each, and the sign of w. */
static void unpack_64(const uint8_t *p, float out[4])
{
	uint64_t bits = bspi_load_u64(p);
	for (uint32_t i = 0; i < 3; i++) out[i] = ((float)(bits >> 21 * i & 0x1fffff) - 1048576) / 1048576.5f;
	out[3] = sqrtf(fmaxf(1 - out[0] * out[0] - out[1] * out[1] - out[2] * out[2], 0)) * (bits >> 63 ? -1.0f : 1.0f);
}

/* Three offsets of runs at `at`, in units of `scale`; without runs the number itself. */
static bool take_runs(const posing *p, uint64_t at, const float scale[3], const float otherwise[3], bool delta,
                      float out[3])
{
	bspi_bytes view;
	if (!bspi_slice(p->file, at, 6, &view)) return false;
	for (int i = 0; i < 3; i++) {
		int32_t offset = bspi_load_i16(view.data + 2 * i);
		out[i] = delta ? 0 : otherwise[i];
		if (offset) out[i] += bspi_animated_value(p->file, (int64_t)at + offset, p->frame) * scale[i];
	}
	return true;
}

/* The bone's turn and place from what is behind its record's head; false when the file ends. */
static bool read_bone(const posing *p, uint64_t at, uint32_t flags, const bspi_source_bone *bone, float out[12])
{
	float quaternion[4], angles[3], place[3];
	bool delta = flags & DELTA, turned_by_angles = false;
	bspi_bytes view;
	memcpy(quaternion, bone->quaternion, sizeof quaternion);
	bspi_copy3(place, bone->position);
	if (flags & (RAW_ROTATION | RAW_ROTATION_64)) {
		uint32_t size = flags & RAW_ROTATION ? 6 : 8;
		if (!bspi_slice(p->file, at, size, &view)) return false;
		if (size == 6) unpack_48(view.data, quaternion);
		else unpack_64(view.data, quaternion);
		at += size;
	} else if (flags & RUN_ROTATION) {
		if (!take_runs(p, at, bone->angle_scale, bone->angles, delta, angles)) return false;
		turned_by_angles = true;
		at += 6;
	}
	if (flags & RAW_POSITION) {
		if (!bspi_slice(p->file, at, 6, &view)) return false;
		for (int i = 0; i < 3; i++) place[i] = bspi_half_to_float(bspi_load_u16(view.data + 2 * i));
	} else if (flags & RUN_POSITION) {
		if (!take_runs(p, at, bone->position_scale, bone->position, delta, place)) return false;
	}
	if (turned_by_angles) bspi_bone_from_angles(out, angles, place);
	else bspi_transform_quaternion(out, quaternion, place);
	return true;
}

/* ---- The sequence ---- */

/* What the key names, else what stands still, else the first. */
static bool choose_sequence(bspi_model_reader *reader, const bspi_source_header *h, uint32_t *animation)
{
	const source_sequence *all =
		bspi_take_records(reader, reader->file, &sequence_layout, h->sequences_at, h->sequence_count, MOST_SEQUENCES);
	if (!all || !h->sequence_count) return false;
	int32_t chosen = 0;
	bool exact = false;
	for (int32_t i = 0; i < h->sequence_count && !exact; i++) {
		char number[16];
		int64_t record = h->sequences_at + (int64_t)i * sequence_layout.file_size;
		const char *label = bspi_take_text(reader, reader->file, record + all[i].label_at);
		if (!label) return false;
		snprintf(number, sizeof number, "%d", i);
		const char *wanted = reader->state.sequence;
		exact = wanted && (bspi_text_equal(label, wanted) || !strcmp(number, wanted));
		bool still = !chosen && bspi_text_equal(label, "idle");
		if (exact || still) chosen = i;
	}
	bspi_bytes view;
	int64_t table = h->sequences_at + (int64_t)chosen * sequence_layout.file_size + all[chosen].animations_at;
	if (table < 0 || !bspi_slice(reader->file, (uint64_t)table, 2, &view)) return false;
	*animation = bspi_load_u16(view.data);
	return true;
}

/* Where the bones of the animation's first frame are; false when they are in another file. */
static bool find_bones(bspi_model_reader *reader, const bspi_source_header *h, uint32_t number, posing *p, int64_t *at)
{
	const source_animation *all = bspi_take_records(reader, reader->file, &animation_layout, h->animations_at,
	                                                h->animation_count, MOST_ANIMATIONS);
	if (!all || number >= (uint32_t)h->animation_count) return false;
	const source_animation *animation = &all[number];
	int64_t record = h->animations_at + (int64_t)number * animation_layout.file_size;
	int32_t block = animation->block, data = animation->data_at;
	if (animation->section_frames) {
		bspi_bytes section;
		int64_t first = record + animation->sections_at;
		if (first < 0 || !bspi_slice(reader->file, (uint64_t)first, 8, &section)) return false;
		block = bspi_load_i32(section.data);
		data = bspi_load_i32(section.data + 4);
	}
	p->frame =
		reader->state.frame < (uint32_t)animation->frame_count && !animation->section_frames ? reader->state.frame : 0;
	*at = record + data;
	return !block && data && *at >= 0;
}

/* u8 bone, u8 flags, i16 to the next (0: the last), and the bone's data. */
static bool read_frame(posing *p, int64_t at)
{
	enum { HEAD = 4 };
	bspi_bytes head;
	for (uint32_t i = 0; i <= p->bone_count; i++) {
		if (at < 0 || !bspi_slice(p->file, (uint64_t)at, HEAD, &head)) return false;
		uint32_t bone = head.data[0];
		int32_t next = bspi_load_i16(head.data + 2);
		if (bone == END_OF_BONES) return true;
		if (bone >= p->bone_count) return false;
		if (!read_bone(p, (uint64_t)at + HEAD, head.data[1], &p->bones[bone], p->local[bone])) return false;
		if (!next) return true;
		at += next;
	}
	return false;
}

/* *read false: the animation cannot be read. */
static bool read_animation(bspi_model_reader *reader, const bspi_source_header *h, posing *p, bool *read)
{
	uint32_t number;
	int64_t at;
	*read = choose_sequence(reader, h, &number) && find_bones(reader, h, number, p, &at) && read_frame(p, at);
	reader->why[0] = 0; /* a pose is no reason to refuse the model */
	return !reader->ctx->error.status;
}

/* ---- All bones ---- */

void bspi_turn_quarter(float out[12])
{
	static const float quarter[12] = { 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0 };
	memcpy(out, quarter, sizeof quarter);
}

bool bspi_pose_source(bspi_model_reader *reader, bspi_studio *source)
{
	bspi_ctx *ctx = reader->ctx;
	const bspi_source_header *h = source->header;
	if (reader->state.is_static || h->flags & BSPI_SOURCE_STATIC_PROP) return true;
	posing p = { .file = reader->file };
	p.bones = bspi_take_records(reader, reader->file, &bone_layout, h->bones_at, h->bone_count, MOST_BONES);
	BSPI_TRY(p.bones);
	p.bone_count = (uint32_t)h->bone_count;
	uint32_t count = p.bone_count ? p.bone_count : 1;
	p.local = bspi_push_zeroed(ctx, &ctx->scratch, count, sizeof *p.local);
	source->bones = bspi_push_zeroed(ctx, &ctx->scratch, count, sizeof *source->bones);
	BSPI_TRY(p.local && source->bones);
	source->bone_count = count;
	for (uint32_t i = 0; i < p.bone_count; i++) {
		bspi_transform_quaternion(p.local[i], p.bones[i].quaternion, p.bones[i].position);
	}
	bool read = false;
	if (p.bone_count) BSPI_TRY(read_animation(reader, h, &p, &read));
	for (uint32_t i = 0; i < count; i++) {
		if (!read) {
			bspi_turn_quarter(source->bones[i]);
			continue;
		}
		bool child = p.bones[i].parent >= 0 && (uint32_t)p.bones[i].parent < i;
		if (child) bspi_transform_multiply(p.local[i], p.local[p.bones[i].parent], p.local[i]);
		bspi_transform_multiply(source->bones[i], p.local[i], p.bones[i].to_bone);
	}
	return true;
}
