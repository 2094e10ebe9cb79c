/* build_vampire_model.c - the model of build_model.h in Bloodlines' format: with float vertices on a bone that the
 * first frame rotates by 90 degrees, or with one of the two kinds of compressed vertices. */
#include "support/models/build_model.h"

enum { CHECKSUM = 0x7654321, STATIC_PROP = 0x10, SHORT_VERTICES = 0x10 };
enum { WHOLE, WORDS, BYTES };

static void put_vertex(bspt_writer *out, uint32_t number, int kind)
{
	const float *p = bspt_model_points[number];
	if (kind == WHOLE) {
		/* The first bone has all the weight. The position is rotated back by 90 degrees; the pose rotates it again. */
		bspt_put_u32(out, 255);
		bspt_put_name(out, "", 8);
		bspt_put_floats(out, 3, (double)p[1], (double)-p[0], (double)p[2]);
		bspt_put_floats(out, 5, 0.0, 0.0, 0.0, number % 4 / 4.0, number * 0.0625);
		return;
	}
	for (int k = 0; k < 3; k++) {
		uint32_t steps = (uint32_t)((p[k] + 8) * 10);
		if (kind == WORDS) bspt_put_u16(out, steps);
		else bspt_put_u8(out, steps);
	}
	/* A compressed normal refers to a table of directions. The last direction of either table points up. */
	if (kind == WORDS) bspt_put_u16(out, 5313 * 12);
	else bspt_put_u8(out, 201);
	bspt_put_u16(out, number * 4096);
	bspt_put_u16(out, 65535);
}

void bspt_build_vampire_model(bspt_writer *out, int kind)
{
	const uint32_t sizes[] = { 44, 12, 8 };
	enum {
		BONES = 424,
		TEXTURES = BONES + 160,
		FOLDERS = TEXTURES + 20,
		SKINS = FOLDERS + 4,
		PARTS = SKINS + 4,
		MODELS = PARTS + 16,
		MESHES = MODELS + 224,
		ANIMATION = MESHES + 60,
		TRACK = ANIMATION + 52,
		RUNS = TRACK + 32,
		NAMES = RUNS + 4,
		VERTICES = NAMES + 24
	};
	bspt_put(out, "IDST", 4);
	bspt_pad_to(out, VERTICES);
	const uint32_t numbers[][2] = {
		{ 4, 2531 },
		{ 8, CHECKSUM },
		{ 228, kind == WHOLE ? 0 : STATIC_PROP },
		{ 240, 1 },
		{ 244, BONES },
		{ 264, 1 },
		{ 268, ANIMATION },
		{ 292, 1 },
		{ 296, TEXTURES },
		{ 300, 1 },
		{ 304, FOLDERS },
		{ 308, 1 },
		{ 312, 1 },
		{ 316, SKINS },
		{ 320, 1 },
		{ 324, PARTS },
		{ BONES + 4, (uint32_t)-1 },
		{ BONES + 56, 0x3f800000 }, /* the float 1, the last number of the identity quaternion */
		{ BONES + 80, 0x3f3504f3 },
		{ BONES + 84, 0x3f3504f3 }, /* the float sqrt(0.5) */
		{ BONES + 88, 0x3f800000 },
		{ BONES + 108, 0x3f800000 },
		{ BONES + 128, 0x3f800000 },
		{ TEXTURES, NAMES - TEXTURES },
		{ FOLDERS, NAMES + 8 },
		{ PARTS + 4, 1 },
		{ PARTS + 8, 1 },
		{ PARTS + 12, MODELS - PARTS },
		{ MODELS + 136, 1 },
		{ MODELS + 140, MESHES - MODELS },
		{ MODELS + 144, BSPT_MODEL_VERTICES },
		{ MODELS + 148, VERTICES - MODELS },
		{ MODELS + 156, (uint32_t)kind },
		{ MESHES + 8, BSPT_MODEL_VERTICES },
		{ ANIMATION + 12, 1 },
		{ ANIMATION + 48, TRACK - ANIMATION },
		{ TRACK, 0x3f800000 },
		{ TRACK + 24, RUNS - TRACK },
		{ TRACK + 28, RUNS - TRACK },
		{ RUNS, 0x00010101 }, /* a run of one value, which is 1, for one frame */
	};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		bspt_put_u32_at(out, numbers[i][0], numbers[i][1]);
	}
	for (uint32_t k = 0; k < 3 && kind != WHOLE; k++) {
		bspt_put_u32_at(out, MODELS + 160 + 4 * k, 0xc1000000); /* the float -8 */
		bspt_put_u32_at(out, MODELS + 172 + 4 * k, kind == WORDS ? 0x3dcccccd : 0x41cc0000); /* scale as a float */
	}
	out->size = NAMES;
	bspt_put_name(out, "crate", 8);
	bspt_put_name(out, "models/test/", 16);
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) put_vertex(out, i, kind);
	bspt_pad_to(out, VERTICES + sizes[kind] * BSPT_MODEL_VERTICES);
}

void bspt_build_vampire_triangles(bspt_writer *out, int kind)
{
	enum {
		PARTS = 36,
		MODELS = PARTS + 8,
		LODS = MODELS + 8,
		MESHES = LODS + 12,
		GROUPS = MESHES + 8,
		STRIPS = GROUPS + 20,
		VERTICES = STRIPS + 16,
		LONG = 12,
		SHORT = 2
	};
	const uint32_t header[9] = { 107, 24, 0, 3, CHECKSUM, 1, 0, 1, PARTS };
	for (size_t i = 0; i < 9; i++) bspt_put_u32(out, header[i]);
	for (int i = 0; i < 3; i++) {
		bspt_put_u32(out, 1);
		bspt_put_u32(out, i == 2 ? 12 : 8);
	}
	bspt_put_u32(out, 0);
	bspt_put_u32(out, 1);
	bspt_put_u32(out, 8);
	uint32_t indices = VERTICES + (kind == WHOLE ? LONG : SHORT) * BSPT_MODEL_VERTICES;
	bspt_put_u16(out, BSPT_MODEL_VERTICES);
	bspt_put_u16(out, 3 * BSPT_MODEL_TRIANGLES);
	bspt_put_u16(out, 1);
	bspt_put_u16(out, kind == WHOLE ? 2 : 2 | SHORT_VERTICES);
	const uint32_t places[] = { VERTICES - GROUPS, indices - GROUPS, STRIPS - GROUPS };
	for (size_t i = 0; i < 3; i++) bspt_put_u32(out, places[i]);
	const uint32_t strip[] = { 3 * BSPT_MODEL_TRIANGLES, 0, BSPT_MODEL_VERTICES, 0, 0x100, 0, 0, 0 };
	for (size_t i = 0; i < 8; i++) bspt_put_u16(out, strip[i]);
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) {
		if (kind == WHOLE) bspt_put_name(out, "", LONG - SHORT);
		bspt_put_u16(out, i);
	}
	for (uint32_t i = 0; i < BSPT_MODEL_TRIANGLES; i++) {
		for (int k = 0; k < 3; k++) bspt_put_u16(out, bspt_model_triangles[i][k]);
	}
}
