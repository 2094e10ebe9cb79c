/* build_bspx.c - BSPX lumps that newer compilers append to the rooms of Quake and Quake II: normals of all corners, two
 * brushes of the world and one of the door, a light octree with one leaf. */
#include "support/make/build_map.h"
#include "support/make/bytes_writer.h"

enum { CORNERS = 20 };

static void put_normals(bspt_writer *w)
{
	/* For each face, the index of the normal of its four corners. The faces are floor, wall, sky, water and door.
	 * Floor and water have 0: they are smoothed, so their corners use normals 0 and 1 in turn. */
	static const uint32_t of_face[] = { 0, 2, 3, 0, 4 };
	bspt_put_u32(w, 5);
	bspt_put_floats(w, 6, 0.0, 0.0, 1.0, 0.6, 0.0, 0.8);
	bspt_put_floats(w, 9, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0, -1.0, 0.0, 0.0);
	for (uint32_t i = 0; i < CORNERS; i++) {
		bspt_put_u32(w, of_face[i / 4] ? of_face[i / 4] : i % 2);
		bspt_put_u32(w, 0);
		bspt_put_u32(w, 1);
	}
}

static void put_brush(bspt_writer *w, double low, double high, int contents, uint32_t planes)
{
	bspt_put_floats(w, 6, low, low, low, high, high, high);
	bspt_put_u16(w, (uint32_t)contents);
	bspt_put_u16(w, planes);
	if (planes) bspt_put_floats(w, 4, 0.6, 0.0, 0.8, high);
}

static void put_brushes(bspt_writer *w)
{
	static const uint32_t world[] = { 1, 0, 2, 1 }, door[] = { 1, 1, 1, 0 };
	for (size_t i = 0; i < 4; i++) bspt_put_u32(w, world[i]);
	put_brush(w, -16, 0, -2, 1);
	put_brush(w, 128, 144, -8, 0);
	for (size_t i = 0; i < 4; i++) bspt_put_u32(w, door[i]);
	put_brush(w, -8, 8, -2, 0);
}

static void put_light(bspt_writer *w)
{
	bspt_put_floats(w, 3, 64.0, 64.0, 64.0);
	for (int i = 0; i < 3; i++) bspt_put_u32(w, 2);
	bspt_put_floats(w, 3, 0.0, 0.0, 0.0);
	bspt_put_u8(w, 2);
	bspt_put_u32(w, 0);
	bspt_put_u32(w, 1);
	for (int i = 0; i < 3; i++) bspt_put_u32(w, 1);
	for (int i = 0; i < 8; i++) bspt_put_u32(w, i ? 0x40000000u : 0x80000000u);
	bspt_put_u32(w, 1);
	for (int i = 0; i < 3; i++) bspt_put_u32(w, 0);
	for (int i = 0; i < 3; i++) bspt_put_u32(w, 2);
	for (uint32_t i = 0; i < 8; i++) {
		bool wall = i == 3;
		bspt_put_u8(w, wall ? 255 : 2);
		for (uint32_t k = 0; !wall && k < 2; k++) bspt_put_u32(w, k | 0x30201000u);
	}
}

void bspt_room_bspx(bspt_parts *parts)
{
	static bspt_writer normals, brushes, light;
	normals.size = brushes.size = light.size = 0;
	put_normals(&normals);
	put_brushes(&brushes);
	put_light(&light);
	parts->bspx[0] = (bspt_bspx){ "FACENORMALS", bspt_written(&normals) };
	parts->bspx[1] = (bspt_bspx){ "BRUSHLIST", bspt_written(&brushes) };
	parts->bspx[2] = (bspt_bspx){ "LIGHTGRID_OCTREE", bspt_written(&light) };
	parts->bspx_count = 3;
}
