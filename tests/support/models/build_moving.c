/* build_moving.c - see build_moving.h. */
#include "support/models/build_moving.h"

#include <string.h>

#include "support/models/build_moving_source.h"

enum { FRONT = 4 };                    /* number of the first vertex of the front, which moves */

static bspt_writer out;

static void put_u32_at(size_t at, uint32_t value) { bspt_put_u32_at(&out, at, value); }
static void pad_to(size_t size) { bspt_pad_to(&out, size); }

/* Writes a frame: the front is raised by 4 for each frame, the rest does not move. */
static void put_byte_frame(const char *name, uint32_t frame)
{
	bspt_put_name(&out, name, 16);
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) {
		for (int k = 0; k < 3; k++) {
			uint32_t raised = k == 2 && i >= FRONT ? 4 * frame : 0;
			bspt_put_u8(&out, (uint32_t)(bspt_model_points[i][k] + 8) + raised);
		}
		bspt_put_u8(&out, 0);
	}
}

static void build_md2(void)
{
	enum {
		SKINS = 68,
		ST = SKINS + 64,
		TRIANGLES = ST + 16,
		FRAMES = TRIANGLES + 12 * BSPT_MODEL_TRIANGLES,
		FRAME = 40 + 4 * BSPT_MODEL_VERTICES,
		END = FRAMES + 5 * FRAME
	};
	static const char *const names[] = { "stand1", "stand2", "pain101", "pain102", "pain201" };
	bspt_put(&out, "IDP2", 4);
	const uint32_t numbers[] = { 8, 64, 64,    FRAME, 1,         BSPT_MODEL_VERTICES, 4,   BSPT_MODEL_TRIANGLES,
		                         0, 5,  SKINS, ST,    TRIANGLES, FRAMES,              END, END };
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
	for (uint32_t i = 0; i < 5; i++) {
		bspt_put_floats(&out, 6, 1.0, 1.0, 1.0, -8.0, -8.0, -8.0);
		put_byte_frame(names[i], i);
	}
}

/* Makes a model with two frames, and a group of two frames that plays by itself, each for a quarter of a second. */
static void build_quake_mdl(void)
{
	static const char *const names[] = { "run1", "run2", "flame1", "flame2" };
	bspt_put(&out, "IDPO", 4);
	bspt_put_u32(&out, 6);
	bspt_put_floats(&out, 10, 1.0, 1.0, 1.0, -8.0, -8.0, -8.0, 16.0, 0.0, 0.0, 0.0);
	const uint32_t counts[] = { 1, BSPT_MODEL_SKIN, BSPT_MODEL_SKIN, BSPT_MODEL_VERTICES, BSPT_MODEL_TRIANGLES,
		                        3, 0, 0 };
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) bspt_put_u32(&out, counts[i]);
	pad_to(84 + 4 + BSPT_MODEL_SKIN * BSPT_MODEL_SKIN + 12 * BSPT_MODEL_VERTICES);
	for (uint32_t i = 0; i < BSPT_MODEL_TRIANGLES; i++) {
		bspt_put_u32(&out, 1);
		for (int k = 0; k < 3; k++) bspt_put_u32(&out, bspt_model_triangles[i][k]);
	}
	for (uint32_t i = 0; i < 4; i++) {
		if (i < 3) bspt_put_u32(&out, i == 2);
		if (i == 2) {
			bspt_put_u32(&out, 2);
			bspt_put_name(&out, "", 8);
			bspt_put_floats(&out, 2, 0.25, 0.5);
		}
		bspt_put_name(&out, "", 8);
		put_byte_frame(names[i], i);
	}
}

/* Makes a model of three frames, in which a tag rotates about Z. */
static void build_md3(void)
{
	enum {
		FRAMES = 3,
		TAGS = 108,
		SURFACE = TAGS + FRAMES * 112,
		SHADERS = 108,
		TRIANGLES = SHADERS + 68,
		ST = TRIANGLES + 12 * BSPT_MODEL_TRIANGLES,
		XYZ = ST + 8 * BSPT_MODEL_VERTICES,
		END = XYZ + 8 * BSPT_MODEL_VERTICES * FRAMES
	};
	bspt_put(&out, "IDP3", 4);
	bspt_put_u32(&out, 15);
	bspt_put_name(&out, "models/moving.md3", 64);
	const uint32_t numbers[] = { 0, FRAMES, 1, 1, 0, SURFACE, TAGS, SURFACE, SURFACE + END };
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) bspt_put_u32(&out, numbers[i]);
	for (uint32_t i = 0; i < FRAMES; i++) {
		bspt_put_name(&out, "tag_weapon", 64);
		double c = i % 2 ? 0 : i ? -1 : 1, s = i % 2;
		bspt_put_floats(&out, 12, 1.0, 2.0, 3.0 + i, c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0);
	}
	bspt_put(&out, "IDP3", 4);
	bspt_put_name(&out, "crate", 64);
	const uint32_t surface[] = { 0,         FRAMES,  1,  BSPT_MODEL_VERTICES, BSPT_MODEL_TRIANGLES,
		                         TRIANGLES, SHADERS, ST, XYZ,                 END };
	for (size_t i = 0; i < sizeof surface / sizeof *surface; i++) bspt_put_u32(&out, surface[i]);
	bspt_put_name(&out, "models/crate.tga", 68);
	for (uint32_t i = 0; i < BSPT_MODEL_TRIANGLES; i++) {
		for (int k = 0; k < 3; k++) bspt_put_u32(&out, bspt_model_triangles[i][k]);
	}
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) bspt_put_floats(&out, 2, i % 4 / 4.0, i / 4 / 4.0);
	for (uint32_t frame = 0; frame < FRAMES; frame++) {
		for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) {
			for (int k = 0; k < 3; k++) {
				double raised = k == 2 && i >= FRONT ? 4.5 * frame : 0;
				bspt_put_u16(&out, (uint32_t)(int32_t)(((double)bspt_model_points[i][k] + raised) * 64));
			}
			bspt_put_u16(&out, 64 * frame);
		}
	}
}

/* Makes a model with two bones: a rotated root, and a child whose scale and rotation are animated. Vertices 0 and 1
 * follow the root, vertices 2 and 3 both bones, and the others the child. */
static void build_iqm(void)
{
	enum {
		FRAMES = 4,
		CHANNELS = 4,
		TEXT = 124,
		MESHES = TEXT + 32,
		ARRAYS = MESHES + 24,
		TRIANGLES = ARRAYS + 60,
		JOINTS = TRIANGLES + 12 * BSPT_MODEL_TRIANGLES,
		POSES = JOINTS + 96,
		ANIMATIONS = POSES + 176,
		STEPS = ANIMATIONS + 40,
		POSITIONS = STEPS + 2 * CHANNELS * FRAMES,
		NUMBERS = POSITIONS + 12 * BSPT_MODEL_VERTICES,
		WEIGHTS = NUMBERS + 4 * BSPT_MODEL_VERTICES,
		END = WEIGHTS + 4 * BSPT_MODEL_VERTICES
	};
	bspt_put_name(&out, "INTERQUAKEMODEL", 16);
	const uint32_t numbers[27] = {
		2, END, 0, 32, TEXT, 1, MESHES, 3, BSPT_MODEL_VERTICES, ARRAYS, BSPT_MODEL_TRIANGLES, TRIANGLES, 0,
		2, JOINTS, 2, POSES, 2, ANIMATIONS, FRAMES, CHANNELS, STEPS,
	};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) bspt_put_u32(&out, numbers[i]);
	bspt_put_name(&out, "", 1);
	bspt_put_name(&out, "crate", 6);
	bspt_put_name(&out, "hip", 4);
	bspt_put_name(&out, "arm", 4);
	bspt_put_name(&out, "wave", 5);
	bspt_put_name(&out, "nod", 12);
	const uint32_t mesh[] = { 0, 1, 0, BSPT_MODEL_VERTICES, 0, BSPT_MODEL_TRIANGLES };
	for (size_t i = 0; i < sizeof mesh / sizeof *mesh; i++) bspt_put_u32(&out, mesh[i]);
	const uint32_t arrays[] = { 0, 0, 7, 3, POSITIONS, 4, 0, 1, 4, NUMBERS, 5, 0, 1, 4, WEIGHTS };
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) bspt_put_u32(&out, arrays[i]);
	for (uint32_t i = 0; i < BSPT_MODEL_TRIANGLES; i++) {
		for (int k = 0; k < 3; k++) bspt_put_u32(&out, bspt_model_triangles[i][k]);
	}
	bspt_put_u32(&out, 7);
	bspt_put_u32(&out, UINT32_MAX);
	bspt_put_floats(&out, 10, 0.0, 1.0, 2.0, 0.0, 0.0, 0.6, 0.8, 1.0, 1.0, 1.0);
	bspt_put_u32(&out, 11);
	bspt_put_u32(&out, 0);
	bspt_put_floats(&out, 10, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0);
	/* Writes the poses, whose masks say which numbers are animated: the root's height, two numbers of the child's
	 * rotation, and one number of its scale. All other numbers are the same in every frame. */
	bspt_put_u32(&out, UINT32_MAX);
	bspt_put_u32(&out, 1 << 2);
	bspt_put_floats(&out, 20, 0.0, 1.0, 2.0, 0.0, 0.0, 0.6, 0.8, 1.0, 1.0, 1.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0,
	                0.0, 0.0);
	bspt_put_u32(&out, 0);
	bspt_put_u32(&out, 1 << 4 | 1 << 6 | 1 << 7);
	bspt_put_floats(&out, 20, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.001, 0.0, 0.001,
	                0.1, 0.0, 0.0);
	const uint32_t animations[] = { 15, 0, 3, 0, 1, 20, 3, 1, 0, 0 };
	for (size_t i = 0; i < sizeof animations / sizeof *animations; i++) bspt_put_u32(&out, animations[i]);
	put_u32_at(ANIMATIONS + 12, 0x41f00000); /* the float 30, frames per second */
	for (uint32_t i = 0; i < FRAMES; i++) {
		const uint32_t steps[CHANNELS] = { 3 * i, 300 * i, 2000 - 100 * i, 5 * i };
		for (int k = 0; k < CHANNELS; k++) bspt_put_u16(&out, steps[k]);
	}
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) {
		const float *p = bspt_model_points[i];
		bspt_put_floats(&out, 3, (double)p[0], (double)p[1], (double)p[2]);
	}
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) bspt_put_u32(&out, 1u << 8);
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) bspt_put_u32(&out, i < 2 ? 255 : i < FRONT ? 0x3fc0 : 0xff00);
}

/* Makes a model with a root bone and a child bone, and an attachment. Animations are stored as runs of values. Some
 * runs are for one frame, others for several. In some, the last value is held for further frames. */
static void build_goldsrc(void)
{
	enum {
		BONES = 244,
		SEQUENCES = BONES + 2 * 112,
		ANIMATIONS = SEQUENCES + 2 * 176,
		RUNS = ANIMATIONS + 4 * 12,
		ATTACHMENTS = RUNS + 24,
		PARTS = ATTACHMENTS + 88,
		MODELS = PARTS + 76,
		MESHES = MODELS + 112,
		VERTEX_BONES = MESHES + 20,
		VERTICES = VERTEX_BONES + 12,
		NORMAL_BONES = VERTICES + 12 * BSPT_MODEL_VERTICES,
		NORMALS = NORMAL_BONES + 4,
		COMMANDS = NORMALS + 12,
		END = COMMANDS + 26 * BSPT_MODEL_TRIANGLES + 2
	};
	bspt_put(&out, "IDST", 4);
	bspt_put_u32(&out, 10);
	pad_to(BONES);
	static const uint32_t header[][2] = {
		{ 140, 2 }, { 144, BONES }, { 164, 2 }, { 168, SEQUENCES }, { 204, 1 }, { 208, PARTS }, { 212, 1 },
		{ 216, ATTACHMENTS },
	};
	for (size_t i = 0; i < sizeof header / sizeof *header; i++) put_u32_at(header[i][0], header[i][1]);
	bspt_put_name(&out, "root", 32);
	bspt_put_u32(&out, UINT32_MAX);
	pad_to(BONES + 64);
	bspt_put_floats(&out, 12, 0.0, 0.0, 1.0, 0.0, 0.0, -1.5, 0.5, 1.0, 1.0, 0.01, 0.01, 0.01);
	bspt_put_name(&out, "", 32);
	pad_to(BONES + 112 + 64);
	bspt_put_floats(&out, 12, 4.0, 0.0, 0.0, 0.3, 0.0, 0.0, 1.0, 1.0, 1.0, 0.01, 0.02, 0.01);
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t at = SEQUENCES + 176 * i;
		bspt_put_name(&out, i ? "walk" : "idle", 32);
		bspt_put_floats(&out, 1, i ? 12.0 : 10.0);
		pad_to(at + 176);
		put_u32_at(at + 36, i);
		put_u32_at(at + 56, i ? 3 : 2);
		put_u32_at(at + 68, i); /* motion flag of "walk": the game moves the model along X */
		put_u32_at(at + 124, ANIMATIONS + 24 * i);
	}
	pad_to(RUNS);
	static const uint8_t runs[] = { 2, 2, 10, 0, 70, 0, 0, 0, 1, 1, 40, 0, 1, 2, 0xf0, 0xff, 2, 3, 5, 0, 90, 0 };
	bspt_put(&out, runs, sizeof runs);
	pad_to(ATTACHMENTS);
	out.data[ANIMATIONS + 10] = RUNS - ANIMATIONS;                    /* in "idle", the root rotates about Z */
	out.data[ANIMATIONS + 12 + 8] = RUNS - ANIMATIONS - 12;           /* in "idle", the child rotates about Y */
	out.data[ANIMATIONS + 24] = RUNS + 8 - ANIMATIONS - 24;           /* walk: the root's motion along X is left out */
	out.data[ANIMATIONS + 24 + 4] = RUNS + 8 - ANIMATIONS - 24;       /* in "walk", the root moves along Z */
	out.data[ANIMATIONS + 36 + 6] = RUNS + 16 - ANIMATIONS - 36;      /* in "walk", the child rotates about X */
	bspt_put_name(&out, "", 36);
	bspt_put_u32(&out, 1);
	bspt_put_floats(&out, 3, 1.0, 2.0, 3.0);
	pad_to(PARTS);
	bspt_put_name(&out, "body", 64);
	const uint32_t part[] = { 1, 1, MODELS };
	for (size_t i = 0; i < 3; i++) bspt_put_u32(&out, part[i]);
	bspt_put_name(&out, "crate", 64);
	const uint32_t model[] = { 0,       0, 1, MESHES, BSPT_MODEL_VERTICES, VERTEX_BONES, VERTICES, 1, NORMAL_BONES,
		                       NORMALS, 0, 0 };
	for (size_t i = 0; i < sizeof model / sizeof *model; i++) bspt_put_u32(&out, model[i]);
	const uint32_t mesh[] = { BSPT_MODEL_TRIANGLES, COMMANDS, 0, 1, 0 };
	for (size_t i = 0; i < sizeof mesh / sizeof *mesh; i++) bspt_put_u32(&out, mesh[i]);
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) bspt_put_u8(&out, i >= FRONT);
	pad_to(VERTICES);
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) {
		const float *p = bspt_model_points[i];
		bspt_put_floats(&out, 3, (double)p[0], (double)p[1], (double)p[2]);
	}
	pad_to(COMMANDS);
	for (uint32_t i = 0; i < BSPT_MODEL_TRIANGLES; i++) {
		bspt_put_u16(&out, 3);
		for (uint32_t k = 0; k < 3; k++) {
			bspt_put_u16(&out, bspt_model_triangles[i][k]);
			bspt_put_name(&out, "", 6);
		}
	}
	pad_to(END);
}

static void build_source(void) { bspt_build_moving_source(&out); }

/* Adds the vertices and triangles of the still model. */
static void add_source_files(bspt_moving_model *model)
{
	static bspt_writer vertices, triangles;
	uint32_t number = 0;
	while (strcmp(bspt_build_model(number).format, "source_mdl") != 0) number++;
	const bspt_model_file still = bspt_build_model(number);
	bspt_bind_moving_source(still.siblings[0].bytes, &vertices);
	triangles.size = 0;
	bspt_put(&triangles, still.siblings[1].bytes.data, still.siblings[1].bytes.size);
	model->siblings[0].path = "models/source.vvd";
	model->siblings[0].bytes = bspt_written(&vertices);
	model->siblings[1].path = "models/source.dx90.vtx";
	model->siblings[1].bytes = bspt_written(&triangles);
}

static const struct {
	void (*build)(void);
	bspt_moving_model model;
} models[] = {
	{ build_goldsrc, { "models/moving.mdl", .bone_count = 3, .tag_count = 1, .sequence_count = 2,
	                   .sequences = { "idle", "walk" }, .frame_counts = { 2, 3 }, .rates = { 10, 12 },
	                   .frames_at = 244 + 2 * 112 + 56 } },
	{ build_iqm, { "models/moving.iqm", .bone_count = 2, .sequence_count = 2, .sequences = { "wave", "nod" },
	               .frame_counts = { 3, 1 }, .rates = { 30, 10 }, .frames_at = 92 } },
	{ build_md2, { "models/moving.md2", .sequence_count = 3, .sequences = { "stand", "pain1", "pain2" },
	               .frame_counts = { 2, 2, 1 }, .rates = { 10, 10, 10 }, .frames_at = 40 } },
	{ build_md3, { "models/moving.md3", .bone_count = 1, .tag_count = 1, .sequence_count = 1,
	               .sequences = { "frames" }, .frame_counts = { 3 }, .rates = { 15 }, .frames_at = 76 } },
	{ build_quake_mdl, { "progs/moving.mdl", .sequence_count = 2, .sequences = { "run", "flame" },
	                     .frame_counts = { 2, 2 }, .rates = { 10, 4 }, .frames_at = 68 } },
	{ build_source, { "models/source.mdl", .bone_count = 3, .tag_count = 1, .sequence_count = 2,
	                  .sequences = { "idle", "long" }, .frame_counts = { 3, 5 }, .rates = { 10, 30 } } },
};
const uint32_t bspt_moving_count = sizeof models / sizeof *models;

bspt_moving_model bspt_build_moving(uint32_t number)
{
	bspt_moving_model model = models[number].model;
	if (models[number].build == build_source) {
		add_source_files(&model);
		model.frames_at = bspt_moving_source_frames_at;
	}
	out.size = 0;
	models[number].build();
	model.bytes = bspt_written(&out);
	return model;
}

bspt_moving_model bspt_find_moving(const char *path)
{
	uint32_t number = 0;
	while (strcmp(models[number].model.path, path) != 0) number++;
	return bspt_build_moving(number);
}
