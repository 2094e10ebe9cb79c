/* build_model.c - see build_model.h. */
#include "support/build_model.h"

#include <string.h>

/* The back is at x = -8, the four corners of the front at 8, the point at 16. */
const float bspt_model_points[BSPT_MODEL_VERTICES][3] = {
	{ -8, -8, -8 }, { -8, 8, -8 }, { -8, 8, 8 }, { -8, -8, 8 }, { 8, -8, -8 }, { 8, 8, -8 }, { 8, 8, 8 }, { 8, -8, 8 },
	{ 16, 0, 0 },
};
const uint8_t bspt_model_triangles[BSPT_MODEL_TRIANGLES][3] = {
	{ 0, 1, 2 }, { 0, 2, 3 }, { 0, 5, 1 }, { 0, 4, 5 }, { 3, 2, 6 }, { 3, 6, 7 }, { 0, 7, 4 },
	{ 0, 3, 7 }, { 1, 6, 2 }, { 1, 5, 6 }, { 4, 8, 5 }, { 5, 8, 6 }, { 6, 8, 7 }, { 7, 8, 4 },
};

enum { SKIN_SIZE = 8 };

static bspt_writer out;

/* Positions as bytes between -8 and 16.  */
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
	const uint32_t counts[] = { 1, SKIN_SIZE, SKIN_SIZE, BSPT_MODEL_VERTICES, BSPT_MODEL_TRIANGLES, 1, 0, 0 };
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) bspt_put_u32(&out, counts[i]);
	bspt_put_floats(&out, 1, 1.0);
	bspt_put_u32(&out, 0);
	for (uint32_t i = 0; i < SKIN_SIZE * SKIN_SIZE; i++) bspt_put_u8(&out, 16 + i);
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) {
		bspt_put_u32(&out, i == 8 ? 32 : 0);
		bspt_put_u32(&out, i % 4);
		bspt_put_u32(&out, i / 4);
	}
	for (uint32_t i = 0; i < BSPT_MODEL_TRIANGLES; i++) {
		bspt_put_u32(&out, i != 0);
		for (int k = 0; k < 3; k++) bspt_put_u32(&out, bspt_model_triangles[i][k]);
	}
	put_frame();
}

static void build_md2(void)
{
	enum { HEADER = 68, SKINS = HEADER, ST = SKINS + 64, TRIANGLES = ST + 16,
		   FRAMES = TRIANGLES + 12 * BSPT_MODEL_TRIANGLES, FRAME = 40 + 4 * BSPT_MODEL_VERTICES };
	bspt_put(&out, "IDP2", 4);
	const uint32_t numbers[] = { 8, 64, 64, FRAME, 1, BSPT_MODEL_VERTICES, 4, BSPT_MODEL_TRIANGLES, 0, 1, SKINS, ST,
		                         TRIANGLES, FRAMES, FRAMES + FRAME, FRAMES + FRAME };
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) bspt_put_u32(&out, numbers[i]);
	bspt_put_name(&out, "models/crate.pcx", 64);
	for (uint32_t i = 0; i < 4; i++) {
		bspt_put_u16(&out, i & 1 ? 64 : 0);
		bspt_put_u16(&out, i & 2 ? 64 : 0);
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
	enum { HEADER = 108, SURFACE = 108, SHADERS = SURFACE, TRIANGLES = SHADERS + 68,
		   ST = TRIANGLES + 12 * BSPT_MODEL_TRIANGLES, XYZ = ST + 8 * BSPT_MODEL_VERTICES,
		   END = XYZ + 8 * BSPT_MODEL_VERTICES };
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
	enum { HEADER = 124, TEXT = HEADER, MESHES = TEXT + 16, ARRAYS = MESHES + 24, TRIANGLES = ARRAYS + 40,
		   POSITIONS = TRIANGLES + 12 * BSPT_MODEL_TRIANGLES, UVS = POSITIONS + 12 * BSPT_MODEL_VERTICES,
		   END = UVS + 8 * BSPT_MODEL_VERTICES };
	bspt_put_name(&out, "INTERQUAKEMODEL", 16);
	const uint32_t numbers[27] = { 2, END, 0, 16, TEXT, 1, MESHES, 2, BSPT_MODEL_VERTICES, ARRAYS, BSPT_MODEL_TRIANGLES,
		                           TRIANGLES };
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

/* GoldSrc's, additive, of two frames: 8 x 16 texels whose middle is 4 above the origin. */
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

static const struct {
	const char *format, *path;
	void (*build)(void);
} models[] = {
	{ "quake_mdl", "progs/crate.mdl", build_quake_mdl },
	{ "md2", "models/crate.md2", build_md2 },
	{ "md3", "models/crate.md3", build_md3 },
	{ "iqm", "models/crate.iqm", build_iqm },
	{ "sprite", "sprites/crate.spr", build_sprite },
};
const uint32_t bspt_model_count = sizeof models / sizeof *models;

bspt_model_file bspt_build_model(uint32_t number)
{
	out.size = 0;
	models[number].build();
	return (bspt_model_file){ models[number].format, models[number].path, bspt_written(&out) };
}
