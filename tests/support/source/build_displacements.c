/* build_displacements.c - see build_displacements.h. The room of build_source.c with displacements as its only
 * faces. */
#include "support/source/build_displacements.h"

#include <stdlib.h>
#include <string.h>

#include "families/vbsp/vbsp_tables.h"

enum { UP_PLANE = 0, GRASS_INFO = 5, NONE = 0xffff };

/* ---- Corners and edges ------------------------------------------------------------------------------------- */

/* Gets a corner; corners are clockwise seen from above. */
static void corner_of(const bspt_displacement *piece, uint32_t corner, float out[2])
{
	corner %= 4;
	out[0] = piece->x + (corner == 2 || corner == 3 ? piece->size : 0);
	out[1] = piece->y + (corner == 1 || corner == 2 ? piece->size : 0);
}

void bspt_displacement_place(const bspt_displacement *piece, uint32_t vertex, float out[2])
{
	uint32_t cells = 1u << piece->power, row = vertex / (cells + 1), column = vertex % (cells + 1);
	float corners[4][2], up = (float)row / (float)cells, along = (float)column / (float)cells;
	for (uint32_t i = 0; i < 4; i++) corner_of(piece, piece->start + i, corners[i]);
	for (int k = 0; k < 2; k++) {
		out[k] = corners[0][k] + (corners[1][k] - corners[0][k]) * up + (corners[3][k] - corners[0][k]) * along;
	}
}

/* Gets the two ends of an edge of the displacement (0 left, 1 top, 2 right, 3 bottom). The end at the lower row or
 * column is first. */
static void edge_of(const bspt_displacement *piece, uint32_t edge, float from[2], float to[2])
{
	static const uint32_t ends[4][2] = { { 0, 1 }, { 1, 2 }, { 3, 2 }, { 0, 3 } };
	corner_of(piece, piece->start + ends[edge][0], from);
	corner_of(piece, piece->start + ends[edge][1], to);
}

static bool same(const float a[2], const float b[2])
{
	return a[0] == b[0] && a[1] == b[1];
}

static bool same_edge(const float a[2], const float b[2], const float c[2], const float d[2])
{
	return (same(a, c) && same(b, d)) || (same(a, d) && same(b, c));
}

/* Returns true if the edge from c to d is the edge from a to b or one half of it. *span then says whether it is the
 * whole edge, the half at a, or the half at b. */
static bool part_of(const float a[2], const float b[2], const float c[2], const float d[2], uint8_t *span)
{
	const float middle[2] = { (a[0] + b[0]) / 2, (a[1] + b[1]) / 2 };
	bool first = same_edge(a, middle, c, d);
	*span = same_edge(a, b, c, d) ? BSPI_SPAN_ALL : first ? BSPI_SPAN_FIRST_HALF : BSPI_SPAN_SECOND_HALF;
	return *span != BSPI_SPAN_SECOND_HALF || same_edge(middle, b, c, d);
}

/* ---- Neighbors ------------------------------------------------------------------------------------------- */

static bool join_edge(const bspt_displacement *pieces, uint32_t a, uint32_t edge, uint32_t b, bspi_dispinfo *info)
{
	float from[2], to[2], their_from[2], their_to[2];
	edge_of(&pieces[a], edge, from, to);
	for (uint32_t theirs = 0; theirs < 4; theirs++) {
		bspi_disp_neighbor neighbor = { .dispinfo = (int32_t)b };
		edge_of(&pieces[b], theirs, their_from, their_to);
		bool whole = part_of(from, to, their_from, their_to, &neighbor.span);
		if (!whole) {
			neighbor.span = BSPI_SPAN_ALL;
			if (!part_of(their_from, their_to, from, to, &neighbor.their_span)) continue;
		}
		neighbor.orientation = (uint8_t)((theirs - edge - 2) & 3);
		info->neighbors[2 * edge + (neighbor.span == BSPI_SPAN_SECOND_HALF)] = neighbor;
		return true;
	}
	return false;
}

static void join_corner(const bspt_displacement *pieces, uint32_t a, uint32_t corner, uint32_t b, bspi_dispinfo *info)
{
	bspi_disp_corner_neighbors *corners = &info->corners[corner];
	float own[2], theirs[2];
	corner_of(&pieces[a], pieces[a].start + corner, own);
	for (uint32_t i = 0; i < 4; i++) {
		corner_of(&pieces[b], i, theirs);
		if (same(own, theirs) && corners->count < 4) corners->dispinfos[corners->count++] = (int32_t)b;
	}
}

static void join_pieces(const bspt_displacement *pieces, uint32_t count, uint32_t a, bspi_dispinfo *info)
{
	for (int i = 0; i < 8; i++) info->neighbors[i].dispinfo = NONE;
	for (int i = 0; i < 16; i++) info->corners[i / 4].dispinfos[i % 4] = NONE;
	for (uint32_t b = 0; b < count && !pieces[a].knows_nobody; b++) {
		bool beside = false;
		for (uint32_t edge = 0; edge < 4 && a != b; edge++) beside |= join_edge(pieces, a, edge, b, info);
		for (uint32_t corner = 0; corner < 4 && a != b && !beside; corner++) join_corner(pieces, a, corner, b, info);
	}
}

/* ---- The map ---------------------------------------------------------------------------------------------- */

typedef struct builder {
	bspi_vertex vertices[4 * BSPT_MOST_DISPLACEMENTS];
	bspi_edge edges[1 + 4 * BSPT_MOST_DISPLACEMENTS];
	bspi_surfedge surfedges[4 * BSPT_MOST_DISPLACEMENTS];
	bspi_face faces[BSPT_MOST_DISPLACEMENTS];
	bspi_dispinfo infos[BSPT_MOST_DISPLACEMENTS];
	bspi_disp_vertex moves[BSPT_MOST_DISPLACEMENTS * 17 * 17];
	bspi_disp_triangle tags[BSPT_MOST_DISPLACEMENTS * 512];
	bspi_model model;
	uint32_t move_count, tag_count;
} builder;

static void add_piece(builder *b, const bspt_displacement *pieces, uint32_t count, uint32_t index,
                      bspt_height_fn *height)
{
	const bspt_displacement *piece = &pieces[index];
	bspi_dispinfo *info = &b->infos[index];
	uint32_t side = (1u << piece->power) + 1;
	b->faces[index] = (bspi_face){
		.plane = UP_PLANE, .first_edge = (int32_t)(4 * index), .edge_count = 4, .texinfo = GRASS_INFO,
		.dispinfo = (int32_t)index, .styles = { 255, 255, 255, 255 }, .light_offset = -1,
	};
	for (uint32_t i = 0; i < 4; i++) {
		uint32_t at = 4 * index + i;
		corner_of(piece, piece->first + i, b->vertices[at].position);
		b->edges[1 + at] = (bspi_edge){ { at, i == 3 ? at - 3 : at + 1 } };
		b->surfedges[at].value = (int32_t)(1 + at);
	}
	*info = (bspi_dispinfo){
		.first_vertex = (int32_t)b->move_count, .first_triangle = (int32_t)b->tag_count, .power = piece->power,
	};
	corner_of(piece, piece->start, info->start);
	join_pieces(pieces, count, index, info);
	for (uint32_t i = 0; i < side * side; i++) {
		float at[2];
		bspt_displacement_place(piece, i, at);
		b->moves[b->move_count++] = (bspi_disp_vertex){ { 0, 0, 1 }, height(at[0], at[1]), 0 };
	}
	b->tag_count += 2 * (side - 1) * (side - 1);
}

bspt_bytes bspt_build_displacements(const bspi_variant *variant, const bspt_displacement *pieces, uint32_t count,
                                    bspt_height_fn *height)
{
	bspt_parts parts, room;
	builder *b = calloc(1, sizeof *b);
	if (!b || count > BSPT_MOST_DISPLACEMENTS) bspt_die("build", "displacements");
	if (!bspt_room_parts(&bspi_family_vbsp, variant, &room)) bspt_die("build", "displacements");
	for (uint32_t i = 0; i < count; i++) add_piece(b, pieces, count, i, height);
	b->model = (bspi_model){ .face_count = (int32_t)count };
	parts = room;
	memset(&parts.map, 0, sizeof parts.map);
	for (uint32_t slot = 0; slot < VBSP_LUMPS; slot++) {
		bool kept = slot == VBSP_TEXDATA || slot == VBSP_NAMES || slot == VBSP_NAME_OFFSETS;
		if (!kept) parts.raw[slot] = (bspi_bytes){ 0 };
	}
	parts.moved_count = 0;
#define KEEP(array) (parts.map.array = room.map.array, parts.map.array##_count = room.map.array##_count)
	KEEP(planes), KEEP(textures), KEEP(texinfos), KEEP(light_projections);
#undef KEEP
#define SET(array, from, size) (parts.map.array = (from), parts.map.array##_count = (size))
	SET(vertices, b->vertices, 4 * count), SET(edges, b->edges, 1 + 4 * count), SET(surfedges, b->surfedges, 4 * count);
	SET(faces, b->faces, count), SET(models, &b->model, 1), SET(dispinfos, b->infos, count);
	SET(disp_vertices, b->moves, b->move_count), SET(disp_triangles, b->tags, b->tag_count);
#undef SET
	bspt_bytes file = bspt_encode_parts(variant, &parts);
	free(b);
	return file;
}
