/* build_tiki_model.c - the model of build_model.h as a TIKI: a script, a mesh with two bones, of which the second is a
 * child of the first, and an animation whose only frame rotates both by 90 degrees. */
#include "support/models/build_model.h"

#include <string.h>

enum { SKB_FAKK, SKB_NAMED, SKD_FRAMES, SKD_RUNS }; /* kinds of bspt_build_tiki */
enum { BONE_BOX, BONE_ROOT };

/* Gets the position of a vertex as the mesh file stores it. The script scales the model by 2 and moves it along X, so
 * the stored coordinates are halved, and X is less by 1. */
static void file_point(uint32_t number, double out[3])
{
	for (int k = 0; k < 3; k++) out[k] = (double)bspt_model_points[number][k] / 2 - (k == 0);
}

static void put_text(bspt_writer *out, const char *text)
{
	bspt_put(out, text, strlen(text));
}

/* Writes a script. The script of the first kind uses everything that scripts may contain; the other scripts have only
 * what is necessary. */
void bspt_build_tiki(bspt_writer *out, int kind)
{
	put_text(out, kind == SKB_FAKK ? "// a comment\nTIKI\n" : "TIKI\n");
	put_text(out, kind <= SKB_NAMED ? "setup\n{\n\tpath models\n\tskelmodel a.skb\n"
	                                : "setup\n{\n\tpath models\n\tskelmodel a.skd\n");
	put_text(out, "\tscale 2\n\torigin 1 0 0\n");
	if (kind == SKB_FAKK) {
		put_text(out, "\tsurface crate shader crate.tga\n\tsurface crate shader rusty\n"
		              "\tsurface hidden flags nodraw\n"
		              "\tcase kind none {\n\t\tscale 7\n\t\tskelmodel none.skd\n\t}\n}\n"
		              "init\n{\n\tserver\n\t{\n\t\tpath elsewhere\n\t\tsurface all shader none\n\t}\n}\n"
		              "/* skelmodel none.skd */\n"
		              "animations\n{\n\twalk\tnone.none weight 2\n\t{\n\t\tclient { 1 idle }\n\t}\n");
	} else {
		put_text(out, "}\nanimations\n{\n");
	}
	put_text(out, kind <= SKB_NAMED ? "\tidle a.ska\n}\n" : "\tidle a.skc\n}\n");
}

static void put_skd_bones(bspt_writer *out)
{
	enum { HEAD = 84, NUMBERS = HEAD, CHANNELS = NUMBERS + 12, END = CHANNELS + 20 };
	static const char *const names[][4] = { { "box", "Bip01", "box rot", "" },
		                                    { "Bip01", "worldbone", "Bip01 rot", "Bip01 pos" } };
	for (uint32_t i = 0; i < 2; i++) {
		bspt_put_name(out, names[i][0], 32);
		bspt_put_name(out, names[i][1], 32);
		const uint32_t numbers[] = { i == BONE_ROOT, NUMBERS, CHANNELS, END, END };
		for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) bspt_put_u32(out, numbers[k]);
		bspt_put_floats(out, 3, 4.0, 0.0, 0.0);
		for (int k = 2; k < 4; k++) bspt_put(out, names[i][k], strlen(names[i][k]) + 1);
		bspt_pad_to(out, out->size + (20 - strlen(names[i][2]) - strlen(names[i][3]) - 2));
	}
}

static void put_skb_bones(bspt_writer *out)
{
	/* The low half is the bone's parent. The high half is Medal of Honor's index of a bounding box. */
	bspt_put_u32(out, 0xffff0000u | BONE_ROOT);
	bspt_put_u32(out, 0);
	bspt_put_name(out, "box", 64);
	bspt_put_u32(out, 0xffffffffu);
	bspt_put_u32(out, 0);
	bspt_put_name(out, "Bip01", 64);
}

/* Writes a vertex, with a position in the space of each of its two bones, root and box. The engine multiplies
 * vectors by matrices from the left. So the root's rotation turns (x, y, z) into (y, -x, z), and the box's into
 * (x, z, -y). */
static void put_vertex(bspt_writer *out, uint32_t number, bool skd)
{
	double p[3], root[3], box[3];
	file_point(number, p);
	root[0] = -(p[1] - 2);
	root[1] = p[0] - 1;
	root[2] = p[2] - 3;
	box[0] = root[0] - 4;
	box[1] = -root[2];
	box[2] = root[1];
	/* The normal is in the space of the bone "box". There, the pose turns -Y upward. */
	bspt_put_floats(out, 5, 0.0, -1.0, 0.0, number % 4 / 4.0, number / 4 / 4.0);
	bspt_put_u32(out, 2);
	if (skd) {
		bspt_put_u32(out, 1);
		bspt_put_u32(out, 0);
		bspt_put_floats(out, 3, 100.0, 100.0, 100.0);
	}
	bspt_put_u32(out, BONE_BOX);
	bspt_put_floats(out, 4, 0.75, box[0], box[1], box[2]);
	bspt_put_u32(out, BONE_ROOT);
	bspt_put_floats(out, 4, 0.25, root[0], root[1], root[2]);
}

static void put_surface(bspt_writer *out, const char *name, uint32_t vertices, uint32_t triangles, bool skd)
{
	const uint32_t head = 100, size = head + triangles * 12 + vertices * (skd ? 84 : 64);
	bspt_put_u32(out, 0);
	bspt_put_name(out, name, 64);
	const uint32_t numbers[] = { triangles, vertices, 0, head, head + triangles * 12, head, size, 0 };
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) bspt_put_u32(out, numbers[i]);
	for (uint32_t i = 0; i < triangles; i++) {
		for (int k = 0; k < 3; k++) bspt_put_u32(out, bspt_model_triangles[i][k]);
	}
	for (uint32_t i = 0; i < vertices; i++) put_vertex(out, i, skd);
}

void bspt_build_tiki_mesh(bspt_writer *out, int kind)
{
	enum { HEADER = 92, SKB_BONES = 2 * 72, SKD_BONES = 2 * 116 };
	bool skd = kind >= SKD_FRAMES;
	bspt_put(out, skd ? "SKMD" : "SKL ", 4);
	bspt_put_u32(out, (uint32_t)kind + 3);
	bspt_put_name(out, "crate", 64);
	const uint32_t numbers[] = { 2, 2, HEADER, HEADER + (skd ? SKD_BONES : SKB_BONES), 0 };
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) bspt_put_u32(out, numbers[i]);
	if (skd) put_skd_bones(out);
	else put_skb_bones(out);
	put_surface(out, "hidden", 1, 0, skd);
	put_surface(out, "crate", BSPT_MODEL_VERTICES, BSPT_MODEL_TRIANGLES, skd);
}

/* Writes a rotation by 90 degrees about an axis. */
static void put_turn(bspt_writer *out, int axis)
{
	const double half = 0.70710678118654752;
	bspt_put_floats(out, 4, axis == 0 ? half : 0, 0.0, axis == 2 ? half : 0, half);
}

static void put_short_bone(bspt_writer *out, int axis, int x, int y, int z)
{
	const int numbers[] = { axis == 0 ? 23170 : 0, 0, axis == 2 ? 23170 : 0, 23170, x * 63, y * 63, z * 63, 0 };
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) bspt_put_u16(out, (uint32_t)numbers[i]);
}

static void put_ska(bspt_writer *out, bool named)
{
	enum { FRAMES = 112, NAMES = FRAMES + 40 + 32 };
	bspt_put(out, "SKAN", 4);
	bspt_put_u32(out, named ? 4 : 3);
	bspt_put_name(out, "idle", 64);
	const uint32_t numbers[] = { 0, 1, 2, 0, 0, 0, 0, 0, named ? NAMES : FRAMES, FRAMES };
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) bspt_put_u32(out, numbers[i]);
	bspt_pad_to(out, FRAMES + 40);
	/* If bones are named, their order differs from the mesh's. */
	for (int i = 0; i < 2; i++) {
		if ((i == BONE_ROOT) != named) put_short_bone(out, 2, 1, 2, 3);
		else put_short_bone(out, 0, 4, 0, 0);
	}
	for (int i = 0; named && i < 2; i++) {
		bspt_put_u32(out, 0);
		bspt_put_name(out, i ? "box" : "Bip01", 32);
	}
}

static const char *const channels[] = { "Bip01 pos", "box rot", "Bip01 rot" };

static void put_skc_frames(bspt_writer *out)
{
	enum { FRAMES = 48, CHANNELS = FRAMES + 48, NAMES = CHANNELS + 48 };
	bspt_put(out, "SKAN", 4);
	bspt_put_u32(out, 13);
	bspt_pad_to(out, 36);
	const uint32_t numbers[] = { 3, NAMES, 1 };
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) bspt_put_u32(out, numbers[i]);
	bspt_pad_to(out, CHANNELS);
	bspt_put_floats(out, 4, 1.0, 2.0, 3.0, 0.0);
	put_turn(out, 0);
	put_turn(out, 2);
	for (int i = 0; i < 3; i++) bspt_put_name(out, channels[i], 32);
}

/* Writes the channels. Each has two runs: the first begins at frame 0, the only one that tests request. The second
 * has other values and begins at frame 5. */
static void put_skc_runs(bspt_writer *out)
{
	bspt_put(out, "SKAN", 4);
	bspt_put_u32(out, 14);
	bspt_put_u16(out, 3);
	bspt_pad_to(out, 34);
	bspt_put_u32(out, 1);
	bspt_pad_to(out, 41);
	for (int i = 0; i < 3; i++) bspt_put(out, channels[i], strlen(channels[i]) + 1);
	bspt_pad_to(out, out->size + 44 + 24);
	for (int i = 0; i < 3; i++) {
		bspt_put_u16(out, 2);
		for (uint32_t run = 0; run < 2; run++) {
			bspt_put_u16(out, run * 5);
			bspt_put_u16(out, 0);
			if (i == 0) bspt_put_floats(out, 3, run ? 9.0 : 1.0, 2.0, 3.0);
			else put_turn(out, run ? 1 : i == 1 ? 0 : 2);
		}
	}
}

void bspt_build_tiki_animation(bspt_writer *out, int kind)
{
	switch (kind) {
	case SKB_FAKK: put_ska(out, false); break;
	case SKB_NAMED: put_ska(out, true); break;
	case SKD_FRAMES: put_skc_frames(out); break;
	default: put_skc_runs(out); break;
	}
}
