/* build_model.c - see build_model.h. */
#include "support/models/build_model.h"

#include <string.h>

#include "support/models/build_moving_source.h"

/* The back is at x = -8, the four corners of the front are at 8, and the tip at 16. */
const float bspt_model_points[BSPT_MODEL_VERTICES][3] = {
	{ -8, -8, -8 }, { -8, 8, -8 }, { -8, 8, 8 }, { -8, -8, 8 }, { 8, -8, -8 },
	{ 8, 8, -8 },   { 8, 8, 8 },   { 8, -8, 8 }, { 16, 0, 0 },
};
const uint8_t bspt_model_triangles[BSPT_MODEL_TRIANGLES][3] = {
	{ 0, 1, 2 }, { 0, 2, 3 }, { 0, 5, 1 }, { 0, 4, 5 }, { 3, 2, 6 }, { 3, 6, 7 }, { 0, 7, 4 },
	{ 0, 3, 7 }, { 1, 6, 2 }, { 1, 5, 6 }, { 4, 8, 5 }, { 5, 8, 6 }, { 6, 8, 7 }, { 7, 8, 4 },
};

static bspt_writer out;

/* Writes a position as three bytes: each coordinate plus 8, which gives 0 to 24. A byte 0 follows. */
static void put_byte_vertex(uint32_t number)
{
	for (int k = 0; k < 3; k++) bspt_put_u8(&out, (uint32_t)(bspt_model_points[number][k] + 8));
	bspt_put_u8(&out, 0);
}

static void put_frame(void)
{
	bspt_put_u32(&out, 0);
	bspt_put_name(&out, "", 8);
	bspt_put_name(&out, "frame0", 16);
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) put_byte_vertex(i);
}

static void build_quake_mdl(void)
{
	bspt_put(&out, "IDPO", 4);
	bspt_put_u32(&out, 6);
	bspt_put_floats(&out, 3, 1.0, 1.0, 1.0);
	bspt_put_floats(&out, 3, -8.0, -8.0, -8.0);
	bspt_put_floats(&out, 4, 16.0, 0.0, 0.0, 0.0);
	const uint32_t counts[] = { 1, BSPT_MODEL_SKIN, BSPT_MODEL_SKIN, BSPT_MODEL_VERTICES, BSPT_MODEL_TRIANGLES,
		                        1, 0, 0 };
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) bspt_put_u32(&out, counts[i]);
	bspt_put_floats(&out, 1, 1.0);
	bspt_put_u32(&out, 0);
	for (uint32_t i = 0; i < BSPT_MODEL_SKIN * BSPT_MODEL_SKIN; i++) bspt_put_u8(&out, 16 + i);
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) {
		bspt_put_u32(&out, i == BSPT_MODEL_POINT ? 32 : 0);
		bspt_put_u32(&out, i % 4);
		bspt_put_u32(&out, i / 4);
	}
	for (uint32_t i = 0; i < BSPT_MODEL_TRIANGLES; i++) {
		bspt_put_u32(&out, i != BSPT_MODEL_BACK);
		for (int k = 0; k < 3; k++) bspt_put_u32(&out, bspt_model_triangles[i][k]);
	}
	put_frame();
}

static void build_md2(void)
{
	enum {
		HEADER = 68,
		SKINS = HEADER,
		ST = SKINS + 64,
		TRIANGLES = ST + 16,
		FRAMES = TRIANGLES + 12 * BSPT_MODEL_TRIANGLES,
		FRAME = 40 + 4 * BSPT_MODEL_VERTICES
	};
	bspt_put(&out, "IDP2", 4);
	/* The header has a skin of 64 x 32 texels. */
	const uint32_t numbers[] = { 8,
		                         64,
		                         32,
		                         FRAME,
		                         1,
		                         BSPT_MODEL_VERTICES,
		                         4,
		                         BSPT_MODEL_TRIANGLES,
		                         0,
		                         1,
		                         SKINS,
		                         ST,
		                         TRIANGLES,
		                         FRAMES,
		                         FRAMES + FRAME,
		                         FRAMES + FRAME };
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) bspt_put_u32(&out, numbers[i]);
	bspt_put_name(&out, "models/crate.pcx", 64);
	for (uint32_t i = 0; i < 4; i++) {
		bspt_put_u16(&out, i & 1 ? 64 : 0);
		bspt_put_u16(&out, i & 2 ? 32 : 0);
	}
	for (uint32_t i = 0; i < BSPT_MODEL_TRIANGLES; i++) {
		for (int k = 0; k < 3; k++) bspt_put_u16(&out, bspt_model_triangles[i][k]);
		for (uint32_t k = 0; k < 3; k++) bspt_put_u16(&out, k);
	}
	bspt_put_floats(&out, 6, 1.0, 1.0, 1.0, -8.0, -8.0, -8.0);
	bspt_put_name(&out, "frame0", 16);
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) put_byte_vertex(i);
}

static void build_md3(void)
{
	enum {
		HEADER = 108,
		SURFACE = 108,
		SHADERS = SURFACE,
		TRIANGLES = SHADERS + 68,
		ST = TRIANGLES + 12 * BSPT_MODEL_TRIANGLES,
		XYZ = ST + 8 * BSPT_MODEL_VERTICES,
		END = XYZ + 8 * BSPT_MODEL_VERTICES
	};
	bspt_put(&out, "IDP3", 4);
	bspt_put_u32(&out, 15);
	bspt_put_name(&out, "models/crate.md3", 64);
	const uint32_t numbers[] = { 0, 1, 0, 1, 0, HEADER, HEADER, HEADER, HEADER + END };
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) bspt_put_u32(&out, numbers[i]);
	bspt_put(&out, "IDP3", 4);
	bspt_put_name(&out, "crate", 64);
	const uint32_t surface[] = { 0, 1, 1, BSPT_MODEL_VERTICES, BSPT_MODEL_TRIANGLES, TRIANGLES, SHADERS, ST, XYZ, END };
	for (size_t i = 0; i < sizeof surface / sizeof *surface; i++) bspt_put_u32(&out, surface[i]);
	bspt_put_name(&out, "models/crate.tga", 64);
	bspt_put_u32(&out, 0);
	for (uint32_t i = 0; i < BSPT_MODEL_TRIANGLES; i++) {
		for (int k = 0; k < 3; k++) bspt_put_u32(&out, bspt_model_triangles[i][k]);
	}
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) bspt_put_floats(&out, 2, i % 4 / 4.0, i / 4 / 4.0);
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) {
		for (int k = 0; k < 3; k++) bspt_put_u16(&out, (uint32_t)(int32_t)(bspt_model_points[i][k] * 64));
		bspt_put_u16(&out, bspt_model_points[i][2] < 0 ? 128 : 0);
	}
}

static void build_iqm(void)
{
	enum {
		HEADER = 124,
		TEXT = HEADER,
		MESHES = TEXT + 16,
		ARRAYS = MESHES + 24,
		TRIANGLES = ARRAYS + 40,
		POSITIONS = TRIANGLES + 12 * BSPT_MODEL_TRIANGLES,
		UVS = POSITIONS + 12 * BSPT_MODEL_VERTICES,
		END = UVS + 8 * BSPT_MODEL_VERTICES
	};
	bspt_put_name(&out, "INTERQUAKEMODEL", 16);
	const uint32_t numbers[27] = {
		2, END, 0, 16, TEXT, 1, MESHES, 2, BSPT_MODEL_VERTICES, ARRAYS, BSPT_MODEL_TRIANGLES, TRIANGLES
	};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) bspt_put_u32(&out, numbers[i]);
	bspt_put_name(&out, "", 1);
	bspt_put_name(&out, "models/crate", 15);
	const uint32_t mesh[] = { 0, 1, 0, BSPT_MODEL_VERTICES, 0, BSPT_MODEL_TRIANGLES };
	for (size_t i = 0; i < sizeof mesh / sizeof *mesh; i++) bspt_put_u32(&out, mesh[i]);
	const uint32_t arrays[] = { 0, 0, 7, 3, POSITIONS, 1, 0, 7, 2, UVS };
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) bspt_put_u32(&out, arrays[i]);
	for (uint32_t i = 0; i < BSPT_MODEL_TRIANGLES; i++) {
		for (int k = 0; k < 3; k++) bspt_put_u32(&out, bspt_model_triangles[i][k]);
	}
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) {
		const float *p = bspt_model_points[i];
		bspt_put_floats(&out, 3, (double)p[0], (double)p[1], (double)p[2]);
	}
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) bspt_put_floats(&out, 2, i % 4 / 4.0, i / 4 / 4.0);
}

/* Makes an additive sprite of GoldSrc with two frames of 8 x 16 texels. The sprite's center is 4 units above the
 * origin. */
static void build_sprite(void)
{
	enum { WIDTH = 8, HEIGHT = 16, ADDITIVE = 1 };
	bspt_put(&out, "IDSP", 4);
	const uint32_t header[] = { 2, 2, ADDITIVE, 0, WIDTH, HEIGHT, 2, 0, 0 };
	for (size_t i = 0; i < sizeof header / sizeof *header; i++) bspt_put_u32(&out, header[i]);
	bspt_put_u16(&out, 256);
	for (uint32_t i = 0; i < 256 * 3; i++) bspt_put_u8(&out, i / 3);
	for (uint32_t frame = 0; frame < 2; frame++) {
		const uint32_t head[] = { 0, (uint32_t)-4, 12, WIDTH, HEIGHT };
		for (size_t i = 0; i < sizeof head / sizeof *head; i++) bspt_put_u32(&out, head[i]);
		for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) bspt_put_u8(&out, i + frame);
	}
}

/* Sets a field of `out`. pad_to fills new bytes with zeros, so a field that is never set is 0. */
static void put_u32_at(size_t at, uint32_t value) { bspt_put_u32_at(&out, at, value); }
static void pad_to(size_t size) { bspt_pad_to(&out, size); }

/* Writes the vertex rotated back by 90 degrees, because the model's pose rotates it by 90 degrees. */
static void put_turned(uint32_t vertex)
{
	const float *p = bspt_model_points[vertex];
	bspt_put_floats(&out, 3, (double)p[1], (double)-p[0], (double)p[2]);
}

/* Makes a model of GoldSrc. Its bone is rotated by -90 degrees, and the first frame adds 180. */
static void build_goldsrc_mdl(void)
{
	enum {
		BONES = 244,
		TEXTURES = BONES + 112,
		PIXELS = TEXTURES + 80,
		SKINS = PIXELS + BSPT_MODEL_SKIN * BSPT_MODEL_SKIN + 768,
		PARTS = SKINS + 4,
		MODELS = PARTS + 76,
		MESHES = MODELS + 112,
		VERTEX_BONES = MESHES + 20,
		VERTICES = VERTEX_BONES + 12,
		NORMAL_BONES = VERTICES + 12 * BSPT_MODEL_VERTICES,
		NORMALS = NORMAL_BONES + 4,
		COMMANDS = NORMALS + 12,
		SEQUENCES = COMMANDS + (2 + 24) * BSPT_MODEL_TRIANGLES + 4,
		ANIMATION = SEQUENCES + 176,
		RUNS = ANIMATION + 12
	};
	const double quarter = 1.5707963267948966;
	bspt_put(&out, "IDST", 4);
	bspt_put_u32(&out, 10);
	pad_to(BONES);
	static const uint32_t header[][2] = {
		{ 140, 1 }, { 144, BONES }, { 164, 1 },     { 168, SEQUENCES }, { 180, 1 },     { 184, TEXTURES },
		{ 192, 1 }, { 196, 1 },     { 200, SKINS }, { 204, 1 },         { 208, PARTS },
	};
	for (size_t i = 0; i < sizeof header / sizeof *header; i++) put_u32_at(header[i][0], header[i][1]);
	bspt_put_name(&out, "bone", 32);
	bspt_put_u32(&out, (uint32_t)-1);
	pad_to(BONES + 64);
	bspt_put_floats(&out, 6, 0.0, 0.0, 0.0, 0.0, 0.0, -quarter);
	bspt_put_floats(&out, 6, 0.0, 0.0, 0.0, 0.0, 0.0, quarter / 90);
	bspt_put_name(&out, "crate.bmp", 64);
	bspt_put_u32(&out, 0x40);
	bspt_put_u32(&out, BSPT_MODEL_SKIN);
	bspt_put_u32(&out, BSPT_MODEL_SKIN);
	bspt_put_u32(&out, PIXELS);
	for (uint32_t i = 0; i < BSPT_MODEL_SKIN * BSPT_MODEL_SKIN; i++) bspt_put_u8(&out, i % 5 ? i : 255);
	for (uint32_t i = 0; i < 768; i++) bspt_put_u8(&out, i / 3);
	bspt_put_u32(&out, 0);
	bspt_put_name(&out, "body", 64);
	bspt_put_u32(&out, 1);
	bspt_put_u32(&out, 1);
	bspt_put_u32(&out, MODELS);
	bspt_put_name(&out, "crate", 64);
	const uint32_t model[] = { 0,       0, 1, MESHES, BSPT_MODEL_VERTICES, VERTEX_BONES, VERTICES, 1, NORMAL_BONES,
		                       NORMALS, 0, 0 };
	for (size_t i = 0; i < sizeof model / sizeof *model; i++) bspt_put_u32(&out, model[i]);
	const uint32_t mesh[] = { BSPT_MODEL_TRIANGLES, COMMANDS, 0, 1, 0 };
	for (size_t i = 0; i < sizeof mesh / sizeof *mesh; i++) bspt_put_u32(&out, mesh[i]);
	pad_to(VERTICES);
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) put_turned(i);
	pad_to(NORMALS);
	bspt_put_floats(&out, 3, 0.0, 0.0, 0.0);
	for (uint32_t i = 0; i < BSPT_MODEL_TRIANGLES; i++) {
		bspt_put_u16(&out, i % 2 ? 3 : (uint32_t)-3);
		for (uint32_t k = 0; k < 3; k++) {
			bspt_put_u16(&out, bspt_model_triangles[i][k]);
			bspt_put_u16(&out, 0);
			bspt_put_u16(&out, k == 1 ? BSPT_MODEL_SKIN : 0);
			bspt_put_u16(&out, k == 2 ? BSPT_MODEL_SKIN : 0);
		}
	}
	pad_to(SEQUENCES);
	bspt_put_name(&out, "idle", 32);
	pad_to(RUNS);
	put_u32_at(SEQUENCES + 40, 1);
	put_u32_at(SEQUENCES + 56, 1);
	put_u32_at(SEQUENCES + 124, ANIMATION);
	out.data[ANIMATION + 10] = RUNS - ANIMATION;
	bspt_put_u8(&out, 1);
	bspt_put_u8(&out, 1);
	bspt_put_u16(&out, 180);
}

enum { CHECKSUM = BSPT_SOURCE_CHECKSUM, SOURCE_VERTEX = 48 };
static bspt_writer vertices, triangles;

/* Makes a model of Source, whose first frame rotates the bone by 90 degrees. */
static void build_source_mdl(void)
{
	enum {
		BONES = 408,
		TEXTURES = BONES + 216,
		FOLDERS = TEXTURES + 64,
		SKINS = FOLDERS + 4,
		PARTS = SKINS + 4,
		MODELS = PARTS + 16,
		MESHES = MODELS + 148,
		SEQUENCES = MESHES + 116,
		TABLE = SEQUENCES + 212,
		ANIMATIONS = TABLE + 4,
		DATA = ANIMATIONS + 100,
		NAMES = DATA + 12
	};
	bspt_put(&out, "IDST", 4);
	pad_to(BONES);
	static const uint32_t numbers[][2] = {
		{ 4, 48 },  { 8, CHECKSUM },    { 156, 1 },     { 160, BONES },    { 180, 1 },     { 184, ANIMATIONS },
		{ 188, 1 }, { 192, SEQUENCES }, { 204, 1 },     { 208, TEXTURES }, { 212, 1 },     { 216, FOLDERS },
		{ 220, 1 }, { 224, 1 },         { 228, SKINS }, { 232, 1 },        { 236, PARTS },
	};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) put_u32_at(numbers[i][0], numbers[i][1]);
	pad_to(TEXTURES);
	put_u32_at(BONES + 4, (uint32_t)-1);
	/* The bone's quaternion is 0 0 0 1, and its matrix is the identity. */
	for (size_t i = 0; i < 4; i++) put_u32_at(BONES + (i ? 96 + 20 * (i - 1) : 56), 0x3f800000);
	bspt_put_u32(&out, NAMES - TEXTURES);
	pad_to(FOLDERS);
	bspt_put_u32(&out, NAMES + 8);
	pad_to(PARTS);
	const uint32_t part[] = { 0, 1, 1, MODELS - PARTS };
	for (size_t i = 0; i < 4; i++) bspt_put_u32(&out, part[i]);
	pad_to(NAMES);
	put_u32_at(MODELS + 72, 1);
	put_u32_at(MODELS + 76, MESHES - MODELS);
	put_u32_at(MODELS + 80, BSPT_MODEL_VERTICES);
	put_u32_at(MESHES + 8, BSPT_MODEL_VERTICES);
	put_u32_at(SEQUENCES + 60, TABLE - SEQUENCES);
	put_u32_at(SEQUENCES + 68, 1);
	put_u32_at(ANIMATIONS + 16, 1);
	put_u32_at(ANIMATIONS + 56, DATA - ANIMATIONS);
	out.data[DATA + 1] = 2;
	put_u32_at(DATA + 4, 0x80008000);
	put_u32_at(DATA + 8, 16384 + 11585);
	bspt_put_name(&out, "crate", 8);
	bspt_put_name(&out, "models/test/", 16);
}

/* Writes the vertices with the first four behind all others. Two fixups restore the order. The first fixup is for
 * coarser levels of detail too. */
static void build_source_vertices(void)
{
	enum { HEADER = 64, FIXUPS = HEADER, VERTICES = FIXUPS + 24, BEHIND = 4 };
	out.size = 0;
	bspt_put(&out, "IDSV", 4);
	const uint32_t header[15] = { 4, CHECKSUM, 1, BSPT_MODEL_VERTICES, [11] = 2, [12] = FIXUPS, [13] = VERTICES };
	for (size_t i = 0; i < 15; i++) bspt_put_u32(&out, header[i]);
	const uint32_t fixups[] = { 2, BSPT_MODEL_VERTICES - BEHIND, BEHIND, 0, 0, BSPT_MODEL_VERTICES - BEHIND };
	for (size_t i = 0; i < 6; i++) bspt_put_u32(&out, fixups[i]);
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) {
		bspt_put_floats(&out, 3, 1.0, 0.0, 0.0);
		bspt_put_u32(&out, 1u << 24);
		put_turned((i + BEHIND) % BSPT_MODEL_VERTICES);
		bspt_put_floats(&out, 5, 0.0, 0.0, 0.0, i % 4 / 4.0, i / 4 / 4.0);
	}
	vertices = out;
}

/* Writes the triangles as one list. */
static void build_source_triangles(void)
{
	enum {
		PARTS = 36,
		MODELS = PARTS + 8,
		LODS = MODELS + 8,
		MESHES = LODS + 12,
		GROUPS = MESHES + 9,
		STRIPS = GROUPS + 25,
		VERTICES = STRIPS + 27,
		INDICES = VERTICES + 9 * BSPT_MODEL_VERTICES
	};
	out.size = 0;
	const uint32_t header[9] = { 7, 24, 0, 3, CHECKSUM, 1, 0, 1, PARTS };
	for (size_t i = 0; i < 9; i++) bspt_put_u32(&out, header[i]);
	for (int i = 0; i < 3; i++) {
		bspt_put_u32(&out, 1);
		bspt_put_u32(&out, i == 2 ? 12 : 8);
	}
	bspt_put_u32(&out, 0);
	bspt_put_u32(&out, 1);
	bspt_put_u32(&out, 9);
	bspt_put_u8(&out, 0);
	const uint32_t group[] = { BSPT_MODEL_VERTICES, VERTICES - GROUPS, 3 * BSPT_MODEL_TRIANGLES, INDICES - GROUPS, 1,
		                       STRIPS - GROUPS };
	for (size_t i = 0; i < 6; i++) bspt_put_u32(&out, group[i]);
	bspt_put_u8(&out, 2);
	const uint32_t strip[] = { 3 * BSPT_MODEL_TRIANGLES, 0, BSPT_MODEL_VERTICES, 0 };
	for (size_t i = 0; i < 4; i++) bspt_put_u32(&out, strip[i]);
	bspt_put_u16(&out, 1);
	bspt_put_u8(&out, 1);
	pad_to(VERTICES);
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) {
		bspt_put_u32(&out, 1u << 24);
		bspt_put_u16(&out, i);
		bspt_put_name(&out, "", 3);
	}
	for (uint32_t i = 0; i < BSPT_MODEL_TRIANGLES; i++) {
		for (int k = 0; k < 3; k++) bspt_put_u16(&out, bspt_model_triangles[i][k]);
	}
	triangles = out;
}

static void build_box_map(void) { bspt_build_box_map(&out); }
static void build_vampire_whole(void) { bspt_build_vampire_model(&out, 0); }
static void build_vampire_words(void) { bspt_build_vampire_model(&out, 1); }
static void build_vampire_bytes(void) { bspt_build_vampire_model(&out, 2); }

static void build_tiki_fakk(void) { bspt_build_tiki(&out, 0); }
static void build_tiki_named(void) { bspt_build_tiki(&out, 1); }
static void build_tiki_frames(void) { bspt_build_tiki(&out, 2); }
static void build_tiki_runs(void) { bspt_build_tiki(&out, 3); }

static void build_xmodel_14(void) { bspt_build_xmodel(&out, 14); }
static void build_xmodel_20(void) { bspt_build_xmodel(&out, 20); }
static void build_xmodel_25(void) { bspt_build_xmodel(&out, 25); }

static const struct {
	const char *format, *path;
	void (*build)(void);
} models[] = {
	{ "quake_mdl", "progs/crate.mdl", build_quake_mdl },
	{ "md2", "models/crate.md2", build_md2 },
	{ "md3", "models/crate.md3", build_md3 },
	{ "iqm", "models/crate.iqm", build_iqm },
	{ "goldsrc_mdl", "models/crate.mdl", build_goldsrc_mdl },
	{ "source_mdl", "models/test/crate.mdl", build_source_mdl },
	{ "vampire_mdl", "models/test/whole.mdl", build_vampire_whole },
	{ "vampire_mdl", "models/test/words.mdl", build_vampire_words },
	{ "vampire_mdl", "models/test/bytes.mdl", build_vampire_bytes },
	{ "sprite", "sprites/crate.spr", build_sprite },
	{ "box_map", "maps/b_crate.bsp", build_box_map },
	{ "tiki", "models/fakk.tik", build_tiki_fakk },
	{ "tiki", "models/named.tik", build_tiki_named },
	{ "tiki", "models/frames.tik", build_tiki_frames },
	{ "tiki", "models/runs.tik", build_tiki_runs },
	{ "xmodel", "xmodel/a", build_xmodel_20 },
	{ "xmodel", "xmodel/b", build_xmodel_14 },
	{ "xmodel", "xmodel/c", build_xmodel_25 },
};
const uint32_t bspt_model_count = sizeof models / sizeof *models;

/* Adds the mesh and the animation of a TIKI. */
static void add_tiki_mates(bspt_model_file *file, int kind)
{
	vertices.size = triangles.size = 0;
	bspt_build_tiki_mesh(&vertices, kind);
	bspt_build_tiki_animation(&triangles, kind);
	file->sibling_count = 2;
	file->siblings[0].ending = kind < 2 ? ".skb" : ".skd";
	file->siblings[0].bytes = bspt_written(&vertices);
	file->siblings[1].ending = kind < 2 ? ".ska" : ".skc";
	file->siblings[1].bytes = bspt_written(&triangles);
}

static const struct {
	void (*build)(void);
	uint32_t version;
	const char *parts, *surfs;
} xmodels[] = {
	{ build_xmodel_14, 14, "parts/b", "surfs/b" },
	{ build_xmodel_20, 20, "parts/a", "surfs/a" },
	{ build_xmodel_25, 25, NULL, "surfs/c" }, /* version 25 has no parts file, because it needs no bones */
};

static void add_xmodel_mates(bspt_model_file *file, int i)
{
	vertices.size = triangles.size = 0;
	bspt_build_xmodel_parts(&vertices, xmodels[i].version);
	bspt_build_xmodel_surfs(&triangles, xmodels[i].version);
	file->siblings[0].ending = xmodels[i].surfs;
	file->siblings[0].bytes = bspt_written(&triangles);
	file->siblings[1].ending = xmodels[i].parts;
	file->siblings[1].bytes = bspt_written(&vertices);
	file->sibling_count = xmodels[i].parts ? 2 : 1;
}

bspt_model_file bspt_build_model(uint32_t number)
{
	bspt_model_file file = { models[number].format, models[number].path, .sibling_count = 0 };
	if (models[number].build == build_source_mdl) {
		build_source_vertices();
		build_source_triangles();
		file.sibling_count = 2;
		file.siblings[0].ending = ".vvd";
		file.siblings[0].bytes = bspt_written(&vertices);
		file.siblings[1].ending = ".dx90.vtx";
		file.siblings[1].bytes = bspt_written(&triangles);
	}
	int kind = models[number].build == build_vampire_bytes ? 2 : models[number].build == build_vampire_words;
	if (!strcmp(models[number].format, "vampire_mdl")) {
		triangles.size = 0;
		bspt_build_vampire_triangles(&triangles, kind);
		file.sibling_count = 1;
		file.siblings[0].ending = ".dx80.vtx";
		file.siblings[0].bytes = bspt_written(&triangles);
	}
	void (*const tikis[])(void) = { build_tiki_fakk, build_tiki_named, build_tiki_frames, build_tiki_runs };
	for (int i = 0; i < 4; i++) {
		if (models[number].build == tikis[i]) add_tiki_mates(&file, i);
	}
	for (int i = 0; i < 3; i++) {
		if (models[number].build == xmodels[i].build) add_xmodel_mates(&file, i);
	}
	out.size = 0;
	models[number].build();
	file.bytes = bspt_written(&out);
	return file;
}
