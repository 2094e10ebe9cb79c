/* callofduty_common.c - records and rules shared by the Call of Duty games. See callofduty_common.h.
 *
 * The first six sides of a brush store the bounds of its box where other sides store a plane index. Their order is -x
 * +x -y +y -z +z. */
#include "families/quake3/callofduty_common.h"

enum { BOX_SIDES = 6 };

const char *const bspi_callofduty_hidden[] = { "trigger_*", "script_vehicle_collmap", NULL };

/* ---- Records ---------------------------------------------------------------------------------------------- */

static const bspi_field material_rows[] = {
	NAME_FIELD(bspi_texture, name,           0, 64),
	FIELD(bspi_texture, surface_flags,      64, U32),
	FIELD(bspi_texture, content_flags,      68, U32),
};
const bspi_layout bspi_callofduty_material = LAYOUT("material", bspi_texture, material_rows, 72);

static const bspi_field brush_rows[] = {
	FIELD(bspi_brush, side_count,            0, U16),
	FIELD(bspi_brush, texture,               2, U16),
};
const bspi_layout bspi_callofduty_brush = LAYOUT("brush", bspi_brush, brush_rows, 4);

static const bspi_field index_rows[] = {
	FIELD(bspi_index, value,                 0, U16),
};
const bspi_layout bspi_callofduty_index = LAYOUT("index (2)", bspi_index, index_rows, 2);

static const bspi_field vertex_rows[] = {
	FIELD(bspi_draw_vertex, position,        0, F32),
	FIELD(bspi_draw_vertex, normal,         12, F32),
	FIELD(bspi_draw_vertex, color,          24, U8),
	FIELD(bspi_draw_vertex, uv,             28, F32),
	FIELD(bspi_draw_vertex, lightmap,       36, F32),
	SKIP("tangent, binormal",               44, 24),
};
const bspi_layout bspi_callofduty_vertex = LAYOUT("vertex", bspi_draw_vertex, vertex_rows, 68);

/* ---- After reading tables --------------------------------------------------------------------------------- */

void bspi_callofduty_soups(bspi_map *map, uint32_t pages)
{
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *face = &map->faces[i];
		face->kind = BSPI_FACE_TRIANGLES;
		face->soup = true;
		face->plane = face->texinfo = face->dispinfo = face->light_offset = face->light_projection = face->fog = -1;
		if ((uint32_t)face->lightmap[0] >= pages) face->lightmap[0] = BSPI_PAGE_BY_VERTEX;
		for (int slot = 1; slot < BSPI_MAX_STYLES; slot++) {
			face->lightmap[slot] = BSPI_PAGE_BY_VERTEX;
			face->styles[slot] = face->vertex_styles[slot] = 255;
		}
	}
}

/* Makes a plane that faces outward from a bound. The table of fields has read the bound, which is a float, as an
 * integer plane index. */
static bspi_plane bound_plane(int32_t bits, uint32_t side)
{
	bspi_plane plane = { { 0, 0, 0 }, 0 };
	float bound, sign = side & 1 ? 1 : -1;
	memcpy(&bound, &bits, sizeof bound);
	plane.normal[side / 2] = sign;
	plane.distance = sign * bound;
	return plane;
}

/* Returns the index of a plane of the file, or -1 for an invalid one. Otherwise the planes that are added later would
 * make it valid. */
static int32_t stored_plane(int32_t plane, uint32_t stored)
{
	return (uint32_t)plane < stored ? plane : -1;
}

/* See callofduty_common.h. The sides of all brushes are consecutive. If a brush has fewer than six sides, or more than
 * are left, its sides and those of all later brushes are unknown. Validation drops these brushes. */
bool bspi_callofduty_brushes(bspi_ctx *ctx, bspi_map *map)
{
	uint32_t first = 0, stored = map->planes_count;
	BSPI_CHECK(ctx, (uint64_t)stored + (uint64_t)map->brushes_count * BOX_SIDES <= INT32_MAX, BSPSCENE_ERROR_BAD_LUMP,
	           BSPI_NOWHERE, "too many brushes: %u", (unsigned)map->brushes_count);
	bspi_plane *planes = bspi_push(ctx, &ctx->scratch, bspi_plane, stored + (size_t)map->brushes_count * BOX_SIDES);
	BSPI_TRY(planes);
	if (stored) memcpy(planes, map->planes, stored * sizeof *planes);
	uint32_t count = stored;
	for (uint32_t i = 0; i < map->nodes_count; i++) map->nodes[i].plane = stored_plane(map->nodes[i].plane, stored);
	for (uint32_t i = 0; i < map->brushes_count; i++) {
		bspi_brush *one = &map->brushes[i];
		uint32_t sides = (uint32_t)one->side_count, left = map->brush_sides_count - first;
		one->first_side = (int32_t)first;
		if (sides < BOX_SIDES || sides > left) {
			one->first_side = (int32_t)map->brush_sides_count;
			first = map->brush_sides_count;
			continue;
		}
		for (uint32_t k = 0; k < BOX_SIDES; k++) {
			planes[count] = bound_plane(map->brush_sides[first + k].plane, k);
			map->brush_sides[first + k].plane = (int32_t)count++;
		}
		for (uint32_t k = first + BOX_SIDES; k < first + sides; k++) {
			map->brush_sides[k].plane = stored_plane(map->brush_sides[k].plane, stored);
		}
		first += sides;
	}
	map->planes = planes;
	map->planes_count = count;
	return true;
}
