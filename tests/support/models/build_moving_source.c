/* build_moving_source.c - the crate as an animated Source model with two bones. The second bone moves the front and
 * half of the tip. The model has a looping sequence, a sequence whose animation is in sections, and an additive one. */
#include "support/models/build_moving_source.h"

#include <string.h>

#include "support/models/build_model.h"

enum {
	BONES = 408,
	ATTACHMENTS = BONES + 2 * 216,
	TEXTURES = ATTACHMENTS + 92,
	FOLDERS = TEXTURES + 64,
	SKINS = FOLDERS + 4,
	PARTS = SKINS + 4,
	MODELS = PARTS + 16,
	MESHES = MODELS + 148,
	SEQUENCES = MESHES + 116,
	TABLES = SEQUENCES + 3 * 212,
	ANIMATIONS = TABLES + 8,
	SECTIONS = ANIMATIONS + 3 * 100,
	SECTION_COUNT = 4,
	DATA = SECTIONS + 8 * SECTION_COUNT,
	DATA_SIZE = 40,
	NAMES = DATA + (2 + SECTION_COUNT) * DATA_SIZE,
	FRONT = 4,
	POINT = 8
};

const uint32_t bspt_moving_source_frames_at = ANIMATIONS + 16;

static bspt_writer *out;

static void put_u32_at(size_t at, uint32_t value) { bspt_put_u32_at(out, at, value); }

static void put_float_at(size_t at, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	put_u32_at(at, bits);
}

/* Writes three frames: rotations of the first bone about Z in half degrees, and heights of the second bone above the
 * first. */
static void put_data(const uint8_t turns[3], const uint8_t heights[3])
{
	enum { ROTATION_RUNS = 8, POSITION_RUNS = 4, OFFSETS = 6, HEAD = 4, FIRST_RUNS = 20, SECOND_RUNS = 28 };
	size_t start = out->size;
	const uint8_t first[] = { 0, ROTATION_RUNS, HEAD + OFFSETS, 0, 0, 0, 0, 0, FIRST_RUNS - HEAD, 0 };
	const uint8_t second[] = { 1, POSITION_RUNS, 0, 0, 0, 0, 0, 0, SECOND_RUNS - HEAD - sizeof first, 0 };
	bspt_put(out, first, sizeof first);
	bspt_put(out, second, sizeof second);
	for (int run = 0; run < 2; run++) {
		bspt_put_u8(out, 3);
		bspt_put_u8(out, 3);
		for (int i = 0; i < 3; i++) bspt_put_u16(out, run ? heights[i] : turns[i]);
	}
	bspt_pad_to(out, start + DATA_SIZE);
}

static void put_bones(void)
{
	const float half_degree = 0.00872664626f, distance = 4;
	for (size_t i = 0; i < 2; i++) {
		size_t at = BONES + 216 * i;
		put_u32_at(at + 4, (uint32_t)i - 1);
		put_float_at(at + 32, i ? distance : 0);
		put_float_at(at + 56, 1);
		put_float_at(at + 80, 1);
		put_float_at(at + 92, half_degree);
		for (size_t k = 0; k < 3; k++) put_float_at(at + 96 + 20 * k, 1);
		put_float_at(at + 96 + 12, i ? -distance : 0);
		put_u32_at(at, NAMES + 24 + 8 * (uint32_t)i - (uint32_t)at);
	}
	put_u32_at(ATTACHMENTS + 8, 1);
	for (size_t k = 0; k < 3; k++) {
		put_float_at(ATTACHMENTS + 12 + 20 * k, 1);
		put_float_at(ATTACHMENTS + 12 + 16 * k + 12, (float)k + 1);
	}
}

static void put_sequences(void)
{
	static const struct {
		uint32_t flags, name;
		float rate;
		uint32_t frames, data, section_frames;
	} all[] = { { 1, 40, 10, 3, DATA, 0 }, { 0, 48, 30, 5, DATA, 2 }, { 4, 56, 10, 3, DATA + DATA_SIZE, 0 } };
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t sequence = SEQUENCES + 212 * i, animation = ANIMATIONS + 100 * i;
		put_u32_at(sequence + 4, NAMES + all[i].name - sequence);
		put_u32_at(sequence + 12, all[i].flags);
		put_u32_at(sequence + 60, TABLES + 2 * i - sequence);
		put_u32_at(sequence + 68, 1);
		out->data[TABLES + 2 * i] = (uint8_t)i;
		put_float_at(animation + 8, all[i].rate);
		put_u32_at(animation + 12, all[i].flags);
		put_u32_at(animation + 16, all[i].frames);
		put_u32_at(animation + 56, all[i].data - animation);
		put_u32_at(animation + 80, all[i].section_frames ? SECTIONS - animation : 0);
		put_u32_at(animation + 84, all[i].section_frames);
	}
	for (uint32_t i = 0; i < SECTION_COUNT; i++) {
		put_u32_at(SECTIONS + 8 * i + 4, DATA + (2 + i) * DATA_SIZE - (ANIMATIONS + 100));
	}
}

void bspt_build_moving_source(bspt_writer *writer)
{
	static const uint32_t numbers[][2] = {
		{ 4, 48 },
		{ 8, BSPT_SOURCE_CHECKSUM },
		{ 156, 2 },
		{ 160, BONES },
		{ 180, 3 },
		{ 184, ANIMATIONS },
		{ 188, 3 },
		{ 192, SEQUENCES },
		{ 204, 1 },
		{ 208, TEXTURES },
		{ 212, 1 },
		{ 216, FOLDERS },
		{ 220, 1 },
		{ 224, 1 },
		{ 228, SKINS },
		{ 232, 1 },
		{ 236, PARTS },
		{ 240, 1 },
		{ 244, ATTACHMENTS },
	};
	static const uint8_t turns[][3] = {
		{ 20, 60, 180 }, { 1, 2, 3 }, { 0, 10, 90 }, { 20, 30, 90 }, { 90, 90, 90 }, { 40, 90, 90 },
	};
	static const uint8_t heights[][3] = {
		{ 0, 4, 8 }, { 1, 2, 3 }, { 1, 2, 9 }, { 3, 4, 9 }, { 9, 9, 9 }, { 5, 9, 9 },
	};
	static const uint32_t part[] = { 0, 1, 1, MODELS - PARTS };
	static const char *const names[] = { "crate", "models/test/", "root", "front", "idle", "long", "added" };
	static const size_t sizes[] = { 8, 16, 8, 8, 8, 8, 8 };
	out = writer;
	out->size = 0;
	bspt_put(out, "IDST", 4);
	bspt_pad_to(out, PARTS);
	for (size_t i = 0; i < 4; i++) bspt_put_u32(out, part[i]);
	bspt_pad_to(out, DATA);
	for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) put_data(turns[i], heights[i]);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) bspt_put_name(out, names[i], sizes[i]);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) put_u32_at(numbers[i][0], numbers[i][1]);
	put_u32_at(TEXTURES, NAMES - TEXTURES);
	put_u32_at(FOLDERS, NAMES + 8);
	put_u32_at(MODELS + 72, 1);
	put_u32_at(MODELS + 76, MESHES - MODELS);
	put_u32_at(MODELS + 80, BSPT_MODEL_VERTICES);
	put_u32_at(MESHES + 8, BSPT_MODEL_VERTICES);
	put_bones();
	put_sequences();
}

void bspt_bind_moving_source(bspi_bytes vertices, bspt_writer *writer)
{
	enum { FIRST = 88, VERTEX = 48, BEHIND = 4 };
	writer->size = 0;
	bspt_put(writer, vertices.data, vertices.size);
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) {
		uint32_t corner = (i + BEHIND) % BSPT_MODEL_VERTICES, half = 0x3f000000;
		size_t at = FIRST + VERTEX * (size_t)i;
		if (corner == POINT) {
			bspt_put_u32_at(writer, at, half);
			bspt_put_u32_at(writer, at + 4, half);
			bspt_put_u32_at(writer, at + 12, 2u << 24 | 1u << 8);
		} else if (corner >= FRONT) {
			bspt_put_u32_at(writer, at + 12, 1u << 24 | 1u);
		}
	}
}
