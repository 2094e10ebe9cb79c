/* build_xmodel.c - the model of build_model.h in the formats of Call of Duty (14), Call of Duty 2 (20) and 4 (25). It
 * has three files and two surfaces: the first is bound to the second bone, the other has a bone for each vertex. The
 * second bone is 4 units ahead and rotated by 90 degrees about Z. In version 25, positions of vertices are not relative
 * to bones. */
#include "support/models/build_model.h"

#include <string.h>

enum { OF_EACH_VERTEX = 0xffff, FIRST_TRIANGLES = 10, BONE_ROOT = 0, BONE_TURNED = 1 };

static void put_text(bspt_writer *out, const char *text)
{
	bspt_put(out, text, strlen(text) + 1);
}

void bspt_build_xmodel(bspt_writer *out, uint32_t version)
{
	bspt_put_u16(out, version);
	if (version > 14) bspt_put_u8(out, 0);
	bspt_put_floats(out, 6, -8.0, -8.0, -8.0, 16.0, 8.0, 8.0);
	if (version == 25) put_text(out, "falls_as_wood");
	for (int i = 0; i < (version == 14 ? 3 : 4); i++) {
		bspt_put_floats(out, 1, i ? 0.0 : 500.0);
		put_text(out, i ? "" : version == 14 ? "b" : version == 20 ? "a" : "c");
	}
	bspt_put_u32(out, 0xffffffffu);
	bspt_put_u32(out, 1);              /* one collision mesh with one triangle */
	bspt_put_u32(out, 1);
	bspt_pad_to(out, out->size + 48 + 36);
	bspt_put_u16(out, 2);
	put_text(out, version == 14 ? "crate.dds" : "crate");
	put_text(out, version == 14 ? "rusty.dds" : "rusty");
}

void bspt_build_xmodel_parts(bspt_writer *out, uint32_t version)
{
	bspt_put_u16(out, version);
	bspt_put_u16(out, 1);
	bspt_put_u16(out, 1);
	bspt_put_u8(out, BONE_ROOT);
	bspt_put_floats(out, 3, 4.0, 0.0, 0.0);
	bspt_put_u16(out, 0);
	bspt_put_u16(out, 0);
	bspt_put_u16(out, 23170);          /* sqrt(0.5) times 32767 */
	put_text(out, "tag_origin");
	put_text(out, "lid");
}

/* Writes a position, or its coordinates in the space of the rotated bone: there X is the model's Y, and Y is 4 - X. */
static void put_place(bspt_writer *out, uint32_t number, bool turned)
{
	const float *p = bspt_model_points[number];
	if (turned) bspt_put_floats(out, 3, (double)p[1], 4.0 - (double)p[0], (double)p[2]);
	else bspt_put_floats(out, 3, (double)p[0], (double)p[1], (double)p[2]);
}

static void put_vertex(bspt_writer *out, uint32_t version, uint32_t number, bool own_bone)
{
	bool turned = !own_bone || number % 2, strips = version == 14;
	bspt_put_floats(out, 3, 0.0, 0.0, 1.0);
	if (!strips) bspt_put_u32(out, 0xffffffffu);
	bspt_put_floats(out, 2, number % 4 / 4.0, number / 4 / 4.0);
	if (!strips) bspt_put_floats(out, 6, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
	if (own_bone) {
		bspt_put_u8(out, turned);      /* number of weights of further bones, 1 or 0 */
		if (strips) bspt_put_u8(out, 0);
		bspt_put_u16(out, turned ? BONE_TURNED : BONE_ROOT);
	}
	put_place(out, number, turned && version != 25);
	if (!own_bone || !turned) return;
	if (strips) {
		bspt_put_floats(out, 1, 0.75);
		return;
	}
	if (version == 20) bspt_put_u8(out, 0);
	bspt_put_u16(out, BONE_ROOT);
	if (version == 20) put_place(out, number, false);
	bspt_put_u16(out, 0x4000);
}

static void put_head(bspt_writer *out, uint32_t version, uint32_t triangles, bool own_bones)
{
	bspt_put_u8(out, 0);
	if (version == 25) bspt_put_u16(out, 0xf714);
	bspt_put_u16(out, BSPT_MODEL_VERTICES);
	bspt_put_u16(out, triangles);
	if (version == 14) bspt_put_u16(out, 2); /* number of strips */
	if (version == 25) {
		bspt_put_u16(out, own_bones ? 3 : BSPT_MODEL_VERTICES);
		bspt_put_u16(out, own_bones ? BSPT_MODEL_VERTICES / 2 : BONE_TURNED);
		for (int i = 0; own_bones && i < 2; i++) bspt_put_u16(out, i ? 0 : 3);
		bspt_put_u16(out, 0);
		return;
	}
	bspt_put_u16(out, own_bones ? OF_EACH_VERTEX : BONE_TURNED);
	if (!own_bones) return;
	bspt_put_u16(out, version == 14 ? BSPT_MODEL_VERTICES / 2 : 0);
	if (version == 14) bspt_put_u16(out, BSPT_MODEL_VERTICES - BSPT_MODEL_VERTICES / 2);
}

/* Writes the triangles as two strips. The first triangle is a strip of its own. In the other strip, repeated corners
 * connect the triangles. Every second triangle has the opposite winding. */
static void put_strips(bspt_writer *out, int first, int end)
{
	bspt_put_u8(out, 3);
	for (int k = 0; k < 3; k++) bspt_put_u16(out, bspt_model_triangles[first][k]);
	first++;
	bspt_put_u8(out, (uint32_t)(5 * (end - first) - 2));
	for (int i = first; i < end; i++) {
		const uint8_t *t = bspt_model_triangles[i];
		bool turned = (i - first) % 2;
		if (i > first) bspt_put_u16(out, t[turned]);
		bspt_put_u16(out, t[turned]);
		bspt_put_u16(out, t[!turned]);
		bspt_put_u16(out, t[2]);
		if (i + 1 < end) bspt_put_u16(out, t[2]);
	}
}

/* Writes the weights of further bones in version 14. */
static void put_weights(bspt_writer *out)
{
	for (uint32_t i = 1; i < BSPT_MODEL_VERTICES; i += 2) {
		bspt_put_u16(out, BONE_ROOT);
		put_place(out, i, false);
		bspt_put_floats(out, 1, 0.25);
	}
}

void bspt_build_xmodel_surfs(bspt_writer *out, uint32_t version)
{
	bspt_put_u16(out, version);
	bspt_put_u16(out, 2);
	for (int surface = 0; surface < 2; surface++) {
		int first = surface ? FIRST_TRIANGLES : 0, end = surface ? BSPT_MODEL_TRIANGLES : FIRST_TRIANGLES;
		put_head(out, version, (uint32_t)(end - first), surface);
		if (version == 14) put_strips(out, first, end);
		for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) put_vertex(out, version, i, surface);
		if (version == 14 && surface) put_weights(out);
		for (int i = first; version != 14 && i < end; i++) {
			for (int k = 0; k < 3; k++) bspt_put_u16(out, bspt_model_triangles[i][k]);
		}
	}
}
