/* bspx.c - reads the BSPX lumps, which follow the map's own lumps: sizes and offsets of light, normals of faces,
 * brushes. See bspx.h. */
#include "families/quake/bspx.h"

#include <stdio.h>

enum { ENTRY = 32, NAME = 24, DECOUPLED = 40, VECTOR = 12, CORNER = 12, BRUSH = 28, PLANE = 16 };

/* texinfo flag of faces that use the lump VERTEXNORMALS */
#define TEXINFO_SMOOTH 0x800u

/* Finds the container. It begins at the end of the last lump, rounded up to a multiple of 4. (Three of three real files
 * are like this; the specification differs.) */
static bspi_cursor container(bspi_bytes file, const bspi_lump *lumps)
{
	uint64_t end = 0;
	for (uint32_t i = 0; i < BSPI_MAX_LUMPS; i++) {
		uint64_t lump_end = lumps[i].bytes.size ? lumps[i].offset + lumps[i].bytes.size : 0;
		if (lump_end > end) end = lump_end;
	}
	bspi_cursor cursor = bspi_cursor_at(file, (end + 3) & ~(uint64_t)3);
	const uint8_t *tag = bspi_take(&cursor, 4);
	if (!tag || memcmp(tag, "BSPX", 4)) cursor.failed = true;
	return cursor;
}

static bool is_read(const uint8_t *name)
{
	static const char *const names[] = {
		"RGBLIGHTING", "LIGHTINGDIR", "LIGHTING_E5BGR9", "DECOUPLED_LM", "LMSHIFT", "LMOFFSET", "LMSTYLE", "LMSTYLE16",
		"FACENORMALS", "VERTEXNORMALS", "BRUSHLIST", "LIGHTGRID_OCTREE",
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!strncmp((const char *)name, names[i], NAME)) return true;
	}
	return false;
}

/* Appends the name of an unsupported lump to a list for the user. */
static void note_unread(const uint8_t *entry, char *list, size_t size)
{
	size_t at = strlen(list);
	snprintf(list + at, size - at, "%s%.*s", at ? ", " : "", NAME, (const char *)entry);
}

/* Adds the BSPX lumps to the map's lump spans. If the directory or an entry lies outside of the file, a warning is
 * counted. */
static bool check_directory(bspi_ctx *ctx, bspi_map *map, const bspi_lump *lumps)
{
	bspi_cursor cursor = container(map->file, lumps);
	if (cursor.failed) return true;
	uint32_t left = bspi_take_u32(&cursor), room = (uint32_t)((map->file.size - cursor.at) / ENTRY), count = 0;
	bspi_lump_span *spans = bspi_push(ctx, &ctx->stage, bspi_lump_span, left < room ? left : room);
	BSPI_TRY(spans);
	char unread[200] = "";
	for (; left && !cursor.failed; left--) {
		bspi_bytes lump;
		const uint8_t *entry = bspi_take(&cursor, ENTRY);
		if (!entry) continue;
		if (!is_read(entry)) note_unread(entry, unread, sizeof unread);
		uint32_t offset = bspi_load_u32(entry + NAME), size = bspi_load_u32(entry + NAME + 4);
		if (!size) continue;
		if (bspi_slice(map->file, offset, size, &lump)) {
			spans[count++] = (bspi_lump_span){ "BSPX", lump };
			continue;
		}
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP("BSPX"),
		                   "a lump of %u bytes at offset %u reaches past the end of the file: it is left out", size,
		                   offset));
	}
	if (*unread) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_UNSUPPORTED, BSPI_LUMP("BSPX"),
		                   "lumps of these names are not read: %s", unread));
	}
	return bspi_add_lump_spans(ctx, map, spans, count) &&
	       (!cursor.failed || bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP("BSPX"),
	                                    "its directory is cut off: the lumps after that are not read"));
}

bspi_bytes bspi_bspx_find(bspi_bytes file, const bspi_lump *lumps, const char *name)
{
	bspi_cursor cursor = container(file, lumps);
	bspi_bytes found = BSPI_NO_BYTES;
	for (uint32_t left = bspi_take_u32(&cursor); left && !cursor.failed; left--) {
		const uint8_t *entry = bspi_take(&cursor, ENTRY);
		if (!entry || strncmp((const char *)entry, name, NAME)) continue;
		bspi_slice(file, bspi_load_u32(entry + NAME), bspi_load_u32(entry + NAME + 4), &found);
		break;
	}
	return found.size ? found : BSPI_NO_BYTES;
}

static bool leave_out(bspi_ctx *ctx, const char *name, const char *why)
{
	return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP(name), "left out: %s", why);
}

/* ---- Light ------------------------------------------------------------------------------------------------ */

/* Finds a lump that has `size` bytes per face. If its size is wrong, a warning is counted and *out is empty. */
static bool per_face(bspi_ctx *ctx, const bspi_lump *lumps, const bspi_map *map, const char *name, size_t size,
                     bspi_bytes *out)
{
	*out = bspi_bspx_find(map->file, lumps, name);
	if (!out->size || out->size == size * map->faces_count) return true;
	*out = BSPI_NO_BYTES;
	return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP(name), "left out: its size does not fit %u faces",
	                 map->faces_count);
}

/* Reads DECOUPLED_LM. It has for each face: u16 width, height; i32 offset; f32 S[4], T[4]. Luxel coordinates are whole
 * numbers at the centers of luxels; the first luxel is at 0, 0. */
static bool read_decoupled(bspi_ctx *ctx, bspi_bytes lump, bspi_map *map)
{
	map->light_projections = bspi_push(ctx, &ctx->scratch, bspi_light_projection, map->faces_count);
	BSPI_TRY(map->light_projections);
	map->light_projections_count = map->faces_count;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		const uint8_t *p = lump.data + (size_t)i * DECOUPLED;
		bspi_face *face = &map->faces[i];
		face->lightmap_width = bspi_load_u16(p);
		face->lightmap_height = bspi_load_u16(p + 2);
		face->lightmap_x[0] = face->lightmap_y[0] = 0;
		face->light_offset = bspi_load_i32(p + 4);
		if (!face->lightmap_width || !face->lightmap_height) face->light_offset = -1;
		face->light_projection = (int32_t)i;
		for (int k = 0; k < 8; k++) map->light_projections[i].vectors[k / 4][k % 4] = bspi_load_f32(p + 8 + 4 * k);
	}
	return true;
}

static bool read_light_layout(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map)
{
	bspi_bytes decoupled, shift, offset;
	BSPI_TRY(per_face(ctx, lumps, map, "DECOUPLED_LM", DECOUPLED, &decoupled));
	if (decoupled.size) return read_decoupled(ctx, decoupled, map);

	BSPI_TRY(per_face(ctx, lumps, map, "LMSHIFT", 1, &shift));
	BSPI_TRY(per_face(ctx, lumps, map, "LMOFFSET", 4, &offset));
	for (uint32_t i = 0; i < map->faces_count; i++) {
		if (shift.size && shift.data[i] <= 16) map->faces[i].luxel_shift = shift.data[i];
		if (offset.size) map->faces[i].light_offset = bspi_load_i32(offset.data + 4 * (size_t)i);
	}
	return true;
}

/* ---- Normals ---------------------------------------------------------------------------------------------- */

static bspi_normal *read_normals(bspi_ctx *ctx, const uint8_t *data, uint32_t count)
{
	bspi_normal *normals = bspi_push(ctx, &ctx->scratch, bspi_normal, count);
	for (size_t i = 0; normals && i < (size_t)count * 3; i++) {
		normals[i / 3].normal[i % 3] = bspi_load_f32(data + 4 * i);
	}
	return normals;
}

/* Reads FACENORMALS: u32 count, then f32[3] for each normal. For all corners of all faces, in order, the indices of
 * normal, tangent and bitangent follow. */
static bool read_face_normals(bspi_ctx *ctx, bspi_bytes lump, bspi_map *map)
{
	bspi_cursor cursor = bspi_cursor_at(lump, 0);
	uint32_t count = bspi_take_u32(&cursor);
	bool fits = count <= lump.size / VECTOR;
	const uint8_t *normals = fits ? bspi_take(&cursor, (size_t)count * VECTOR) : NULL;
	uint64_t corners = 0;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		int32_t edges = map->faces[i].edge_count;
		corners += edges > 0 ? (uint32_t)edges : 0;
	}
	size_t left = lump.size - cursor.at;
	if (!normals || left % CORNER || left / CORNER != corners) {
		return leave_out(ctx, "FACENORMALS", "its size does not fit the corners of the faces");
	}
	bspi_index *numbers = bspi_push(ctx, &ctx->scratch, bspi_index, (size_t)corners);
	map->normals = read_normals(ctx, normals, count);
	BSPI_TRY(numbers && map->normals);
	for (size_t i = 0; i < (size_t)corners; i++) numbers[i].value = bspi_load_u32(lump.data + cursor.at + CORNER * i);
	map->normals_count = count;
	map->corner_normals = numbers;
	map->corner_normals_count = (uint32_t)corners;
	uint32_t next = 0;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *face = &map->faces[i];
		if (face->edge_count <= 0) continue;
		face->first_normal = (int32_t)next;
		next += (uint32_t)face->edge_count;
	}
	return true;
}

static bool read_vertex_normals(bspi_ctx *ctx, bspi_bytes lump, bspi_map *map)
{
	if (lump.size % VECTOR || lump.size / VECTOR != map->vertices_count) {
		return leave_out(ctx, "VERTEXNORMALS", "its size does not fit the vertices");
	}
	map->vertex_normals = read_normals(ctx, lump.data, map->vertices_count);
	BSPI_TRY(map->vertex_normals);
	map->vertex_normals_count = map->vertices_count;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		int32_t texinfo = map->faces[i].texinfo;
		bool known = texinfo >= 0 && (uint32_t)texinfo < map->texinfos_count;
		map->faces[i].smooth = known && map->texinfos[texinfo].flags & TEXINFO_SMOOTH;
	}
	return true;
}

static bool read_all_normals(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map)
{
	bspi_bytes faces = bspi_bspx_find(map->file, lumps, "FACENORMALS");
	bspi_bytes vertices = bspi_bspx_find(map->file, lumps, "VERTEXNORMALS");
	return (!faces.size || read_face_normals(ctx, faces, map)) &&
	       (!vertices.size || read_vertex_normals(ctx, vertices, map));
}

/* ---- Brushes ---------------------------------------------------------------------------------------------- */

/* The brushes that were read. The file stores only a brush's planes that are not axial; six axial planes are added to
 * each. So the size of the lump bounds the number of planes. */
typedef struct brush_list {
	bspi_plane *planes; uint32_t plane_count;
	bspi_brush_side *sides; uint32_t side_count;
	bspi_brush *brushes; uint32_t brush_count;
} brush_list;

static void add_side(brush_list *list, const float normal[3], float distance)
{
	bspi_plane *plane = &list->planes[list->plane_count];
	memcpy(plane->normal, normal, sizeof plane->normal);
	plane->distance = distance;
	list->sides[list->side_count++] = (bspi_brush_side){ (int32_t)list->plane_count++, -1, 0 };
}

/* Reads a brush: f32 mins[3], maxs[3]; i16 contents; u16 number of non-axial planes; then for each plane f32 normal[3],
 * distance. */
static bool read_brush(bspi_cursor *cursor, brush_list *list)
{
	const uint8_t *p = bspi_take(cursor, BRUSH);
	if (!p) return false;
	uint32_t planes = bspi_load_u16(p + BRUSH - 2);
	const uint8_t *plane = bspi_take(cursor, (size_t)planes * PLANE);
	if (!plane) return false;
	bspi_brush brush = {
		.first_side = (int32_t)list->side_count, .contents = bspi_load_i16(p + BRUSH - 4), .texture = -1,
	};
	for (int axis = 0; axis < 3; axis++) {
		float up[3] = { 0, 0, 0 }, down[3] = { 0, 0, 0 };
		up[axis] = 1;
		down[axis] = -1;
		add_side(list, down, -bspi_load_f32(p + 4 * axis));
		add_side(list, up, bspi_load_f32(p + VECTOR + 4 * axis));
	}
	for (uint32_t i = 0; i < planes; i++, plane += PLANE) {
		float normal[3] = { bspi_load_f32(plane), bspi_load_f32(plane + 4), bspi_load_f32(plane + 8) };
		add_side(list, normal, bspi_load_f32(plane + VECTOR));
	}
	brush.side_count = (int32_t)list->side_count - brush.first_side;
	list->brushes[list->brush_count++] = brush;
	return true;
}

/* Reads a block for each model: u32 version 1, model, number of brushes, number of planes; then the brushes. */
static bool read_blocks(bspi_cursor *cursor, bspi_map *map, brush_list *list)
{
	while (cursor->at < cursor->bytes.size) {
		uint32_t version = bspi_take_u32(cursor), model = bspi_take_u32(cursor), count = bspi_take_u32(cursor);
		bspi_take_u32(cursor);
		if (cursor->failed || version != 1) return false;
		uint32_t first = list->brush_count;
		for (uint32_t i = 0; i < count; i++) {
			if (!read_brush(cursor, list)) return false;
		}
		if (model >= map->models_count) continue;
		map->models[model].first_brush = (int32_t)first;
		map->models[model].brush_count = (int32_t)count;
	}
	return true;
}

/* Reads BRUSHLIST, which only maps without brushes need. Its planes are added after the map's own planes. */
static bool read_brush_list(bspi_ctx *ctx, bspi_bytes lump, bspi_map *map)
{
	size_t brushes = lump.size / BRUSH, sides = brushes * 6 + lump.size / PLANE;
	brush_list list = {
		.planes = bspi_push(ctx, &ctx->scratch, bspi_plane, map->planes_count + sides),
		.plane_count = map->planes_count,
		.sides = bspi_push(ctx, &ctx->scratch, bspi_brush_side, sides),
		.brushes = bspi_push(ctx, &ctx->scratch, bspi_brush, brushes),
	};
	BSPI_TRY(list.planes && list.sides && list.brushes);
	if (map->planes_count) memcpy(list.planes, map->planes, map->planes_count * sizeof *list.planes);
	bspi_cursor cursor = bspi_cursor_at(lump, 0);
	if (!read_blocks(&cursor, map, &list)) {
		BSPI_TRY(leave_out(ctx, "BRUSHLIST", "the rest of the list ends inside a brush or has an unknown version"));
	}
	map->planes = list.planes;
	map->planes_count = list.plane_count;
	map->brush_sides = list.sides;
	map->brush_sides_count = list.side_count;
	map->brushes = list.brushes;
	map->brushes_count = list.brush_count;
	return true;
}

bool bspi_bspx_read(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map)
{
	BSPI_TRY(check_directory(ctx, map, lumps));
	bspi_bytes brushes = bspi_bspx_find(map->file, lumps, "BRUSHLIST");
	map->light_octree = bspi_bspx_find(map->file, lumps, "LIGHTGRID_OCTREE");
	return read_light_layout(ctx, lumps, map) && read_all_normals(ctx, lumps, map) &&
	       (map->brushes_count || !brushes.size || read_brush_list(ctx, brushes, map));
}
