/* build_xmodel.c - the small model as Call of Duty 2 has it: three files, two surfaces, of which the first hangs on the
 * second bone and the other says of each vertex on which. That bone is 4 further on, turned by 90 degrees about Z. */
#include "support/models/build_model.h"

#include <string.h>

enum { VERSION = 20, OF_EACH_VERTEX = 0xffff, FIRST_TRIANGLES = 10, BONE_ROOT = 0, BONE_TURNED = 1 };

static void put_text(bspt_writer *out, const char *text)
{
	bspt_put(out, text, strlen(text) + 1);
}

void bspt_build_xmodel(bspt_writer *out)
{
	bspt_put_u16(out, VERSION);
	bspt_put_u8(out, 0);
	bspt_put_floats(out, 6, -8.0, -8.0, -8.0, 16.0, 8.0, 8.0);
	for (int i = 0; i < 4; i++) {
		bspt_put_floats(out, 1, i ? 0.0 : 500.0);
		put_text(out, i ? "" : "a");
	}
	bspt_put_u32(out, 0xffffffffu);
	bspt_put_u32(out, 1);              /* a piece of collision, of one triangle */
	bspt_put_u32(out, 1);
	bspt_pad_to(out, out->size + 48 + 36);
	bspt_put_u16(out, 2);
	put_text(out, "crate");
	put_text(out, "rusty");
}

void bspt_build_xmodel_parts(bspt_writer *out)
{
	bspt_put_u16(out, VERSION);
	bspt_put_u16(out, 1);
	bspt_put_u16(out, 1);
	bspt_put_u8(out, BONE_ROOT);
	bspt_put_floats(out, 3, 4.0, 0.0, 0.0);
	bspt_put_u16(out, 0);
	bspt_put_u16(out, 0);
	bspt_put_u16(out, 23170);          /* the half of a square's diagonal, of 32768 */
	put_text(out, "tag_origin");
	put_text(out, "lid");
}

/* Seen from the turned bone, forward is where the right was. */
static void put_place(bspt_writer *out, uint32_t number, bool turned)
{
	const float *p = bspt_model_points[number];
	if (turned) bspt_put_floats(out, 3, (double)p[1], 4.0 - (double)p[0], (double)p[2]);
	else bspt_put_floats(out, 3, (double)p[0], (double)p[1], (double)p[2]);
}

static void put_vertex(bspt_writer *out, uint32_t number, bool own_bone)
{
	bool turned = !own_bone || number % 2;
	bspt_put_floats(out, 3, 0.0, 0.0, 1.0);
	bspt_put_u32(out, 0xffffffffu);
	bspt_put_floats(out, 2, number % 4 / 4.0, number / 4 / 4.0);
	bspt_put_floats(out, 6, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
	if (own_bone) {
		bspt_put_u8(out, turned);      /* weights of further bones */
		bspt_put_u16(out, turned ? BONE_TURNED : BONE_ROOT);
	}
	put_place(out, number, turned);
	if (!own_bone || !turned) return;
	bspt_put_u8(out, 0);
	bspt_put_u16(out, BONE_ROOT);
	put_place(out, number, false);
	bspt_put_u16(out, 0x4000);
}

void bspt_build_xmodel_surfs(bspt_writer *out)
{
	bspt_put_u16(out, VERSION);
	bspt_put_u16(out, 2);
	for (int surface = 0; surface < 2; surface++) {
		int first = surface ? FIRST_TRIANGLES : 0, end = surface ? BSPT_MODEL_TRIANGLES : FIRST_TRIANGLES;
		bspt_put_u8(out, 0);
		bspt_put_u16(out, BSPT_MODEL_VERTICES);
		bspt_put_u16(out, (uint32_t)(end - first));
		bspt_put_u16(out, surface ? OF_EACH_VERTEX : BONE_TURNED);
		if (surface) bspt_put_u16(out, 0);
		for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) put_vertex(out, i, surface);
		for (int i = first; i < end; i++) {
			for (int k = 0; k < 3; k++) bspt_put_u16(out, bspt_model_triangles[i][k]);
		}
	}
}
