/* source_pose.c - poses Source models that are not static props. Their vertices are compiled in the artist's pose, a
 * quarter turn away from the game's axes. The game draws the first frame of a sequence. If it cannot be read, the model
 * is only rotated by the quarter turn. */
#include "models/source/source_pose.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "base/vec.h"
#include "images/images.h"
#include "models/skeleton/bones.h"

/* Vertices and animations can refer to the first 255 bones only, but real models have up to 280. */
enum { MOST_BONES = 1024, MOST_SEQUENCES = 65536, MOST_ANIMATIONS = 65536, END_OF_BONES = 255 };
enum { RAW_POSITION = 1, RAW_ROTATION = 2, RUN_POSITION = 4, RUN_ROTATION = 8, DELTA = 0x10, RAW_ROTATION_64 = 0x20 };

static const bspi_field bone_rows[] = {
	FIELD(bspi_source_bone, name_at, 0, I32),
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
	FIELD(bspi_source_sequence, label_at, 4, I32),
	SKIP("activity", 8, 4),
	FIELD(bspi_source_sequence, flags, 12, U32),
	SKIP("activity, events, box", 16, 44),
	FIELD(bspi_source_sequence, animations_at, 60, I32),
	SKIP("movement", 64, 4),
	FIELD(bspi_source_sequence, group_size, 68, I32),
	SKIP("others", 76, 136),
};
static const bspi_field animation_rows[] = {
	SKIP("base, name", 0, 8),
	FIELD(bspi_source_animation, rate, 8, F32),
	FIELD(bspi_source_animation, flags, 12, U32),
	FIELD(bspi_source_animation, frame_count, 16, I32),
	SKIP("movements", 20, 32),
	FIELD(bspi_source_animation, block, 52, I32),
	FIELD(bspi_source_animation, data_at, 56, I32),
	SKIP("ik", 60, 20),
	FIELD(bspi_source_animation, sections_at, 80, I32),
	FIELD(bspi_source_animation, section_frames, 84, I32),
	SKIP("others", 88, 12),
};
static const bspi_field attachment_rows[] = {
	FIELD(bspi_source_attachment, name_at, 0, I32), SKIP("flags", 4, 4),    FIELD(bspi_source_attachment, bone, 8, I32),
	FIELD(bspi_source_attachment, place, 12, F32),  SKIP("unused", 60, 32),
};
static const bspi_layout bone_layout = LAYOUT("bones", bspi_source_bone, bone_rows, 216);
static const bspi_layout sequence_layout = LAYOUT("sequences", bspi_source_sequence, sequence_rows, 212);
static const bspi_layout animation_layout = LAYOUT("animations", bspi_source_animation, animation_rows, 100);
const bspi_layout bspi_source_attachment_layout = LAYOUT("attachments", bspi_source_attachment, attachment_rows, 92);
const bspi_layout *const bspi_source_pose_layouts[] = { &bone_layout, &sequence_layout, &animation_layout,
	                                                    &bspi_source_attachment_layout, NULL };

/* ---- One bone ---- */

/* Unpacks a quaternion of 48 bits: x and y have 16 bits, z has 15, and the last bit is the sign of w. */
static void unpack_48(const uint8_t *p, float out[4])
{
	uint32_t z = bspi_load_u16(p + 4);
	out[0] = ((float)bspi_load_u16(p) - 32768) / 32768;
	out[1] = ((float)bspi_load_u16(p + 2) - 32768) / 32768;
	out[2] = ((float)(z & 0x7fff) - 16384) / 16384;
	out[3] = sqrtf(fmaxf(1 - out[0] * out[0] - out[1] * out[1] - out[2] * out[2], 0)) * (z & 0x8000 ? -1.0f : 1.0f);
}

/* Unpacks a quaternion of 64 bits: x, y and z have 21 bits each, and the last bit is the sign of w. */
static void unpack_64(const uint8_t *p, float out[4])
{
	uint64_t bits = bspi_load_u64(p);
	for (uint32_t i = 0; i < 3; i++) out[i] = ((float)(bits >> 21 * i & 0x1fffff) - 1048576) / 1048576.5f;
	out[3] = sqrtf(fmaxf(1 - out[0] * out[0] - out[1] * out[1] - out[2] * out[2], 0)) * (bits >> 63 ? -1.0f : 1.0f);
}

/* Returns the value that the runs at byte offset `at` have in the current frame. */
static float value_of(const bspi_source_posing *p, bspi_source_runs *kept, int64_t at)
{
	if (!kept) return bspi_animated_value(p->file, at, p->frame);
	if (kept->origin != at || p->frame < kept->runs.first) {
		*kept = (bspi_source_runs) { .origin = at, .runs = { .file = p->file, .at = at } };
	}
	return bspi_run_value(&kept->runs, p->frame);
}

/* Reads three values, each from runs whose byte offset is relative to `at`, and multiplies them by `scale`. A value
 * that has no runs is `otherwise`. */
static bool take_runs(const bspi_source_posing *p, uint64_t at, bspi_source_runs *kept, const float scale[3],
                      const float otherwise[3], bool delta, float out[3])
{
	bspi_bytes view;
	if (!bspi_slice(p->file, at, 6, &view)) return false;
	for (int i = 0; i < 3; i++) {
		int32_t offset = bspi_load_i16(view.data + 2 * i);
		out[i] = delta ? 0 : otherwise[i];
		if (offset) out[i] += value_of(p, kept ? kept + i : NULL, (int64_t)at + offset) * scale[i];
	}
	return true;
}

/* Reads a bone's rotation and position, which follow the header of its record. Returns false if the file ends there. */
static bool read_bone(const bspi_source_posing *p, uint64_t at, uint32_t flags, const bspi_source_bone *bone,
                      float out[12])
{
	float quaternion[4], angles[3], place[3];
	bool delta = flags & DELTA, turned_by_angles = false;
	bspi_source_runs *kept = p->runs ? p->runs[bone - p->bones] : NULL;
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
		if (!take_runs(p, at, kept, bone->angle_scale, bone->angles, delta, angles)) return false;
		turned_by_angles = true;
		at += 6;
	}
	if (flags & RAW_POSITION) {
		if (!bspi_slice(p->file, at, 6, &view)) return false;
		for (int i = 0; i < 3; i++) place[i] = bspi_half_to_float(bspi_load_u16(view.data + 2 * i));
	} else if (flags & RUN_POSITION) {
		if (!take_runs(p, at, kept ? kept + 3 : NULL, bone->position_scale, bone->position, delta, place)) return false;
	}
	if (turned_by_angles) bspi_bone_from_angles(out, angles, place);
	else bspi_transform_quaternion(out, quaternion, place);
	return true;
}

/* ---- Sequences ---- */

bool bspi_source_sequences(bspi_model_reader *reader, const bspi_source_header *h, bspi_source_posing *p)
{
	p->sequences =
		bspi_take_records(reader, reader->file, &sequence_layout, h->sequences_at, h->sequence_count, MOST_SEQUENCES);
	if (!p->sequences) return false;
	p->sequence_count = (uint32_t)h->sequence_count;
	p->animations = bspi_take_records(reader, reader->file, &animation_layout, h->animations_at, h->animation_count,
	                                  MOST_ANIMATIONS);
	if (p->animations) p->animation_count = (uint32_t)h->animation_count;
	return p->animations != NULL;
}

const char *bspi_source_label(bspi_model_reader *reader, const bspi_source_header *h, const bspi_source_posing *p,
                              uint32_t sequence)
{
	int64_t record = h->sequences_at + (int64_t)sequence * sequence_layout.file_size;
	return bspi_take_text(reader, reader->file, record + p->sequences[sequence].label_at);
}

const bspi_source_animation *bspi_source_animation_of(const bspi_source_header *h, const bspi_source_posing *p,
                                                      uint32_t sequence)
{
	bspi_bytes view;
	int64_t table = h->sequences_at + (int64_t)sequence * sequence_layout.file_size;
	table += p->sequences[sequence].animations_at;
	if (table < 0 || !bspi_slice(p->file, (uint64_t)table, 2, &view)) return NULL;
	uint32_t number = bspi_load_u16(view.data);
	return number < p->animation_count ? &p->animations[number] : NULL;
}

bool bspi_source_choose(bspi_model_reader *reader, const bspi_source_header *h, const bspi_source_posing *p,
                        uint32_t *sequence)
{
	bool exact = false;
	*sequence = 0;
	for (uint32_t i = 0; i < p->sequence_count && !exact; i++) {
		char number[16];
		const char *label = bspi_source_label(reader, h, p, i);
		BSPI_TRY(label);
		snprintf(number, sizeof number, "%u", i);
		const char *wanted = reader->state.sequence;
		exact = wanted && (bspi_text_equal(label, wanted) || !strcmp(number, wanted));
		bool still = !*sequence && bspi_text_equal(label, "idle");
		if (exact || still) *sequence = i;
	}
	return p->sequence_count > 0;
}

/* Finds the data of a frame. A long animation is divided into sections with the same number of frames. After them comes
 * a section with only the animation's last frame. */
static bool find_frame(const bspi_source_header *h, bspi_source_posing *p, const bspi_source_animation *animation,
                       uint32_t frame, int64_t *at)
{
	int64_t record = h->animations_at + (int64_t)(animation - p->animations) * animation_layout.file_size;
	int32_t block = animation->block, data = animation->data_at;
	p->frame = frame;
	if (animation->section_frames) {
		uint32_t length = animation->section_frames > 0 ? (uint32_t)animation->section_frames : 1;
		bool last = animation->frame_count > animation->section_frames && frame + 1 == (uint32_t)animation->frame_count;
		uint32_t number = last ? (uint32_t)animation->frame_count / length + 1 : frame / length;
		bspi_bytes section;
		int64_t first = record + animation->sections_at + 8 * (int64_t)number;
		if (first < 0 || !bspi_slice(p->file, (uint64_t)first, 8, &section)) return false;
		block = bspi_load_i32(section.data);
		data = bspi_load_i32(section.data + 4);
		p->frame = last ? 0 : frame % length;
	}
	*at = record + data;
	return !block && data && *at >= 0;
}

/* Reads the data of all bones. A record has u8 bone, u8 flags, i16 offset of the next record (0: this is the last one),
 * and the bone's data. */
static bool read_frame(bspi_source_posing *p, int64_t at)
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

bool bspi_source_frame(const bspi_source_header *h, bspi_source_posing *p, const bspi_source_animation *animation,
                       uint32_t frame)
{
	int64_t at;
	for (uint32_t i = 0; i < p->bone_count; i++) {
		bspi_transform_quaternion(p->local[i], p->bones[i].quaternion, p->bones[i].position);
	}
	return find_frame(h, p, animation, frame, &at) && read_frame(p, at);
}

bool bspi_source_has_parent(const bspi_source_posing *p, uint32_t bone)
{
	return p->bones[bone].parent >= 0 && (uint32_t)p->bones[bone].parent < bone;
}

/* Reads the pose. *read is false if the animation cannot be read. */
static bool read_pose(bspi_model_reader *reader, const bspi_source_header *h, bspi_source_posing *p, bool *read)
{
	uint32_t sequence;
	bool found = bspi_source_sequences(reader, h, p) && bspi_source_choose(reader, h, p, &sequence);
	const bspi_source_animation *animation = found ? bspi_source_animation_of(h, p, sequence) : NULL;
	*read = animation != NULL;
	if (*read) {
		uint32_t frame = reader->state.frame < (uint32_t)animation->frame_count ? reader->state.frame : 0;
		*read = bspi_source_frame(h, p, animation, frame);
	}
	reader->why[0] = 0; /* forgets why the pose was refused: the model is read without it */
	return !reader->ctx->error.status;
}

/* ---- All bones ---- */

void bspi_turn_quarter(float out[12])
{
	static const float quarter[12] = { 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0 };
	memcpy(out, quarter, sizeof quarter);
}

bool bspi_source_bones(bspi_model_reader *reader, bspi_studio *source, bspi_source_posing *out)
{
	bspi_ctx *ctx = reader->ctx;
	const bspi_source_header *h = source->header;
	*out = (bspi_source_posing) { .file = reader->file };
	out->bones = bspi_take_records(reader, reader->file, &bone_layout, h->bones_at, h->bone_count, MOST_BONES);
	BSPI_TRY(out->bones);
	out->bone_count = (uint32_t)h->bone_count;
	source->bone_count = out->bone_count ? out->bone_count : 1;
	out->local = bspi_push_zeroed(ctx, &ctx->scratch, source->bone_count, sizeof *out->local);
	source->bones = bspi_push_zeroed(ctx, &ctx->scratch, source->bone_count, sizeof *source->bones);
	BSPI_TRY(out->local && source->bones);
	for (uint32_t i = 0; i < source->bone_count; i++) bspi_turn_quarter(source->bones[i]);
	return true;
}

bool bspi_pose_source(bspi_model_reader *reader, bspi_studio *source)
{
	bspi_source_posing p;
	bool read = false;
	BSPI_TRY(bspi_source_bones(reader, source, &p));
	if (p.bone_count) BSPI_TRY(read_pose(reader, source->header, &p, &read));
	for (uint32_t i = 0; read && i < p.bone_count; i++) {
		if (bspi_source_has_parent(&p, i)) bspi_transform_multiply(p.local[i], p.local[p.bones[i].parent], p.local[i]);
		bspi_transform_multiply(source->bones[i], p.local[i], p.bones[i].to_bone);
	}
	return true;
}

bool bspi_source_to_bone(bspi_model_reader *reader, const bspi_source_header *header, int32_t bone, float out[12])
{
	int64_t at = header->bones_at + (int64_t)bone * bone_layout.file_size;
	const bspi_source_bone *record = bspi_take_records(reader, reader->file, &bone_layout, at, 1, 1);
	if (record) memcpy(out, record->to_bone, sizeof record->to_bone);
	return record != NULL;
}
