/* build_box_map.c - the model of build_model.h as a map of Quake (version 29): a face for each triangle, one node, two
 * leafs. */
#include <math.h>
#include <string.h>

#include "support/models/build_model.h"

enum { LUMPS = 15, HEADER = 4 + 8 * LUMPS, SKIN = 8, MOST_LUXELS = 9 };
enum { PLANES = 1, TEXTURES, VERTICES, NODES = 5, TEXINFO, FACES, LIGHTING, LEAFS = 10, EDGES = 12, SURFEDGES, MODELS };

static void put_plane(bspt_writer *out, const uint8_t corners[3])
{
	const float *a = bspt_model_points[corners[0]];
	double u[3], v[3], normal[3], length = 0, distance = 0;
	for (int i = 0; i < 3; i++) {
		u[i] = (double)(bspt_model_points[corners[1]][i] - a[i]);
		v[i] = (double)(bspt_model_points[corners[2]][i] - a[i]);
	}
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		normal[i] = v[j] * u[k] - v[k] * u[j];
		length += normal[i] * normal[i];
	}
	for (int i = 0; i < 3; i++) {
		normal[i] /= sqrt(length);
		distance += normal[i] * (double)a[i];
	}
	bspt_put_floats(out, 4, normal[0], normal[1], normal[2], distance);
	bspt_put_u32(out, 5);
}

static void put_texture(bspt_writer *out)
{
	bspt_put_u32(out, 1);
	bspt_put_u32(out, 8);
	bspt_put_name(out, "crate", 16);
	const uint32_t header[] = { SKIN, SKIN, 40, 40 + 64, 40 + 80, 40 + 84 };
	for (size_t i = 0; i < sizeof header / sizeof *header; i++) bspt_put_u32(out, header[i]);
	for (uint32_t i = 0; i < SKIN * SKIN + 16 + 4 + 1; i++) bspt_put_u8(out, i);
}

static void put_node_and_leafs(bspt_writer *out, bool leafs)
{
	if (leafs) {
		for (uint32_t i = 0; i < 2; i++) {
			bspt_put_u32(out, i ? (uint32_t)-1 : (uint32_t)-2);
			bspt_put_u32(out, (uint32_t)-1);
			bspt_put_name(out, "", 20);
		}
		return;
	}
	bspt_put_u32(out, 0);
	bspt_put_u16(out, (uint32_t)-1);
	bspt_put_u16(out, (uint32_t)-2);
	bspt_put_name(out, "", 16);
}

static void put_face(bspt_writer *out, uint32_t number)
{
	bspt_put_u16(out, number);
	bspt_put_u16(out, 0);
	bspt_put_u32(out, 3 * number);
	bspt_put_u16(out, 3);
	bspt_put_u16(out, 0);
	bspt_put_u32(out, 0xffffff00);
	bspt_put_u32(out, 0);
}

static void put_lump(bspt_writer *out, int lump)
{
	switch (lump) {
	case 0: bspt_put_name(out, "{\"classname\"\"worldspawn\"}", 26); break;
	case PLANES:
		for (int i = 0; i < BSPT_MODEL_TRIANGLES; i++) put_plane(out, bspt_model_triangles[i]);
		break;
	case TEXTURES: put_texture(out); break;
	case VERTICES:
		for (int i = 0; i < BSPT_MODEL_VERTICES; i++) {
			const float *p = bspt_model_points[i];
			bspt_put_floats(out, 3, (double)p[0], (double)p[1], (double)p[2]);
		}
		break;
	case NODES: put_node_and_leafs(out, false); break;
	case TEXINFO:
		bspt_put_floats(out, 8, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0);
		bspt_put_u32(out, 0);
		bspt_put_u32(out, 0);
		break;
	case FACES:
		for (uint32_t i = 0; i < BSPT_MODEL_TRIANGLES; i++) put_face(out, i);
		break;
	case LIGHTING:
		for (int i = 0; i < MOST_LUXELS; i++) bspt_put_u8(out, BSPT_BOX_LIGHT);
		break;
	case LEAFS: put_node_and_leafs(out, true); break;
	case EDGES:
		bspt_put_u32(out, 0);
		for (uint32_t i = 0; i < 3 * BSPT_MODEL_TRIANGLES; i++) {
			const uint8_t *corners = bspt_model_triangles[i / 3];
			bspt_put_u16(out, corners[i % 3]);
			bspt_put_u16(out, corners[(i + 1) % 3]);
		}
		break;
	case SURFEDGES:
		for (uint32_t i = 0; i < 3 * BSPT_MODEL_TRIANGLES; i++) bspt_put_u32(out, i + 1);
		break;
	case MODELS:
		bspt_put_floats(out, 9, -8.0, -8.0, -8.0, 16.0, 8.0, 8.0, 0.0, 0.0, 0.0);
		bspt_put_name(out, "", 20);
		bspt_put_u32(out, 0);
		bspt_put_u32(out, BSPT_MODEL_TRIANGLES);
		break;
	default: break;
	}
}

void bspt_build_box_map(bspt_writer *out)
{
	bspt_put_u32(out, 29);
	bspt_put_name(out, "", HEADER - 4);
	for (int lump = 0; lump < LUMPS; lump++) {
		uint32_t begin = (uint32_t)out->size;
		put_lump(out, lump);
		const uint32_t entry[2] = { begin, (uint32_t)out->size - begin };
		for (size_t i = 0; i < 8; i++) {
			out->data[4 + 8 * (size_t)lump + i] = (uint8_t)(entry[i / 4] >> 8 * (i % 4));
		}
	}
}
