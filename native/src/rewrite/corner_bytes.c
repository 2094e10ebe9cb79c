/* corner_bytes.c - writes new values of corners into the vertices of the file. Values that equal the old ones keep
 * their bytes. */
#include "rewrite/rewrite_parts.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "map/layout.h"

#define RECORD(index) BSPI_RECORD("new corners", (index))
#define CHECK(ctx, condition, index, ...) \
	BSPI_CHECK(ctx, condition, BSPSCENE_ERROR_BAD_DATA, RECORD(index), __VA_ARGS__)

/* The new values of a vertex, from all corners that refer to it. */
typedef struct wanted_vertex {
	uint32_t parts;
	float uv[2], normal[3];
	uint8_t color[4];
} wanted_vertex;

typedef struct corner_work {
	bspi_rewrite *r;
	uint32_t count;                    /* number of vertices that the file stores */
	wanted_vertex *wanted;             /* for each vertex, the values that the caller wants it to have */
	uint8_t *records;                  /* a copy of the vertex records, which is changed */
} corner_work;

/* ---- Corners in the caller's edit ----------------------------------------------------------------------------- */

static bool find_vertex(const corner_work *w, uint32_t index, uint32_t *out)
{
	const bspi_rewrite *r = w->r;
	const bspi_map *map = &r->map;
	const bspscene_edited_corner *corner = &r->corners.items[index];
	CHECK(r->ctx, corner->face < map->faces_count, index, "face %u does not exist: the map has %u faces", corner->face,
	      map->faces_count);
	const bspi_face *face = &map->faces[corner->face];
	uint32_t count = face->vertex_count > 0 ? (uint32_t)face->vertex_count : 0;
	CHECK(r->ctx, corner->corner < count, index, "face %u: corner %u does not exist: it has %u corners", corner->face,
	      corner->corner, count);
	*out = (uint32_t)face->first_vertex + corner->corner;
	CHECK(r->ctx, *out < w->count, index, "face %u: its corners are not stored as vertices in the file", corner->face);
	return true;
}

static void normalize(const float in[3], float out[3])
{
	double length = sqrt((double)in[0] * (double)in[0] + (double)in[1] * (double)in[1] + (double)in[2] * (double)in[2]);
	bool is_unit = fabs(length - 1) < 1e-6;
	for (int i = 0; i < 3; i++) out[i] = is_unit ? in[i] : (float)((double)in[i] / length);
}

static bool add_corner(corner_work *w, uint32_t index)
{
	bspi_ctx *ctx = w->r->ctx;
	const bspscene_edited_corner *corner = &w->r->corners.items[index];
	uint32_t vertex = 0;
	float normal[3] = { 0 };
	BSPI_TRY(find_vertex(w, index, &vertex));
	wanted_vertex *wanted = &w->wanted[vertex];
	uint32_t both = wanted->parts & corner->flags;
	if (corner->flags & BSPSCENE_CORNER_NORMAL) normalize(corner->normal, normal);
	bool agrees = (!(both & BSPSCENE_CORNER_UV) || !memcmp(wanted->uv, corner->uv, sizeof wanted->uv)) &&
	              (!(both & BSPSCENE_CORNER_NORMAL) || !memcmp(wanted->normal, normal, sizeof normal)) &&
	              (!(both & BSPSCENE_CORNER_COLOR) || !memcmp(wanted->color, corner->color, sizeof wanted->color));
	CHECK(ctx, agrees, index,
	      "face %u, corner %u: another corner of the same vertex of the map has different new values", corner->face,
	      corner->corner);
	wanted->parts |= corner->flags;
	if (corner->flags & BSPSCENE_CORNER_UV) memcpy(wanted->uv, corner->uv, sizeof wanted->uv);
	if (corner->flags & BSPSCENE_CORNER_NORMAL) memcpy(wanted->normal, normal, sizeof normal);
	if (corner->flags & BSPSCENE_CORNER_COLOR) memcpy(wanted->color, corner->color, sizeof wanted->color);
	return true;
}

/* ---- Writing ---------------------------------------------------------------------------------------------- */

/* Finds the field of a vertex record that becomes `member` of bspi_draw_vertex. Returns NULL if there is none, or it
 * has another type. */
static const bspi_field *find_field(const bspi_layout *layout, size_t member, bspi_file_type type)
{
	for (uint32_t i = 0; i < layout->field_count; i++) {
		const bspi_field *field = &layout->fields[i];
		bool found = field->file_type == type && field->memory_type != BSPI_MEMORY_NONE;
		if (found && field->memory_offset == member) return field;
	}
	return NULL;
}

static void store_floats(uint8_t *out, const float *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t bits;
		memcpy(&bits, &values[i], sizeof bits);
		for (int k = 0; k < 4; k++) out[4 * i + (size_t)k] = (uint8_t)(bits >> 8 * k);
	}
}

static bool put_vertex(const corner_work *w, uint32_t index)
{
	bspi_rewrite *r = w->r;
	const bspi_layout *layout = r->map.draw_vertex_layout;
	const wanted_vertex *wanted = &w->wanted[index];
	const bspi_draw_vertex *shown = &r->map.draw_vertices[index];
	uint8_t *record = w->records + (size_t)index * layout->file_size;
	const struct { uint32_t part; size_t member; bspi_file_type type; const void *is, *was; size_t size; } parts[] = {
		{ BSPSCENE_CORNER_UV, offsetof(bspi_draw_vertex, uv), BSPI_F32, wanted->uv, shown->uv, sizeof shown->uv },
		{ BSPSCENE_CORNER_NORMAL, offsetof(bspi_draw_vertex, normal), BSPI_F32, wanted->normal, shown->normal,
		  sizeof shown->normal },
		{ BSPSCENE_CORNER_COLOR, offsetof(bspi_draw_vertex, color), BSPI_U8, wanted->color, shown->color,
		  sizeof shown->color },
	};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (!(wanted->parts & parts[i].part) || !memcmp(parts[i].is, parts[i].was, parts[i].size)) continue;
		const bspi_field *field = find_field(layout, parts[i].member, parts[i].type);
		BSPI_CHECK(r->ctx, field, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, BSPI_NOWHERE,
		           "vertices of this format do not store the texture coordinates, normal or color that should change");
		uint8_t *out = record + field->file_offset;
		if (parts[i].type == BSPI_F32) store_floats(out, parts[i].is, parts[i].size / sizeof(float));
		else memcpy(out, parts[i].is, field->count < parts[i].size ? field->count : parts[i].size);
	}
	return true;
}

static bool check_shared(const bspi_rewrite *r)
{
	const bspi_map *map = &r->map;
	const uint8_t *begin = map->draw_vertex_records.data, *end = begin + map->draw_vertex_records.size;
	for (uint32_t i = 0, own = 0; i < map->lump_span_count; i++) {
		bspi_bytes span = map->lump_spans[i].bytes;
		if (span.data >= end || span.data + span.size <= begin) continue;
		BSPI_CHECK(r->ctx, !own++, BSPSCENE_ERROR_BAD_LUMP, BSPI_LUMP(map->lump_spans[i].name),
		           "it shares bytes with the vertices, so these cannot change alone");
	}
	return true;
}

/* True if the new file has the new vertices and the new entities. */
static bool check_again(const corner_work *w)
{
	bspi_rewrite *r = w->r;
	bspi_ctx *ctx = r->ctx;
	bspi_map *again = bspi_push(ctx, &ctx->scratch, bspi_map, 1);
	BSPI_TRY(again);
	bspi_budget_read(&ctx->budget, r->file.size);
	if (!bspi_read_map(ctx, r->file, again))
		return bspi_fail_again(ctx, "nothing was written, because the new map could not be read again");
	bspi_arena_reset(&ctx->stage);
	bspi_bytes records = again->draw_vertex_records;
	bool same = records.size == r->map.draw_vertex_records.size && !memcmp(records.data, w->records, records.size) &&
	            again->entities.size == r->text.size && !memcmp(again->entities.data, r->text.data, r->text.size) &&
	            again->faces_count == r->map.faces_count && again->draw_vertices_count == r->map.draw_vertices_count;
	for (uint32_t i = 0; same && i < w->count; i++) {
		const wanted_vertex *wanted = &w->wanted[i];
		const bspi_draw_vertex *is = &again->draw_vertices[i];
		bool uv = !(wanted->parts & BSPSCENE_CORNER_UV) || !memcmp(is->uv, wanted->uv, sizeof is->uv);
		bool color = !(wanted->parts & BSPSCENE_CORNER_COLOR) || !memcmp(is->color, wanted->color, sizeof is->color);
		same = uv && color;
	}
	return same || bspi_fail(ctx, BSPSCENE_ERROR_BAD_DATA, BSPI_NOWHERE,
	                         "nothing was written: when the new map was read again, its corners were not those asked "
	                         "for; please report this map");
}

/* Makes a copy of the whole file, with the new vertex records at byte offset `at`. */
static bool put_records(corner_work *w, size_t at)
{
	bspi_rewrite *r = w->r;
	size_t size = r->map.draw_vertex_records.size;
	uint8_t *out = bspi_push_unset(r->ctx, &r->ctx->scratch, r->file.size, 1);
	BSPI_TRY(out);
	memcpy(out, r->file.data, r->file.size);
	memcpy(out + at, w->records, size);
	r->file = bspi_bytes_of(out, r->file.size);
	return true;
}

static void count_changed(const corner_work *w)
{
	const bspi_map *map = &w->r->map;
	size_t size = map->draw_vertex_layout->file_size;
	for (uint32_t i = 0; i < w->count; i++) {
		const uint8_t *old = map->draw_vertex_records.data + i * size;
		w->r->report.corners_changed += memcmp(old, w->records + i * size, size) != 0;
	}
}

bool bspi_write_corners(bspi_rewrite *r)
{
	bspi_ctx *ctx = r->ctx;
	const bspi_map *map = &r->map;
	bspi_bytes records = map->draw_vertex_records, file = map->file;
	corner_work w = { .r = r };
	if (!r->corners.count) return true;
	BSPI_CHECK(ctx, r->options.form == BSPSCENE_REWRITE_FORM_MAP, BSPSCENE_ERROR_BAD_OPTIONS, BSPI_NOWHERE,
	           "corners can only be written into a map (.bsp), not into .ent files or lump patches");
	bool there = records.size && records.data >= file.data && records.data + records.size <= file.data + file.size;
	if (!there) return bspi_write_axes(r);
	w.count = (uint32_t)(records.size / map->draw_vertex_layout->file_size);
	if (w.count > map->draw_vertices_count) w.count = map->draw_vertices_count;
	w.wanted = bspi_push(ctx, &ctx->scratch, wanted_vertex, w.count);
	w.records = bspi_push_unset(ctx, &ctx->scratch, records.size, 1);
	BSPI_TRY(w.wanted && w.records);
	memcpy(w.records, records.data, records.size);
	for (uint32_t i = 0; i < r->corners.count; i++) BSPI_TRY(add_corner(&w, i));
	for (uint32_t i = 0; i < w.count; i++) BSPI_TRY(!w.wanted[i].parts || put_vertex(&w, i));
	count_changed(&w);
	if (!r->report.corners_changed) return true;
	size_t at = (size_t)(records.data - file.data);
	return check_shared(r) && put_records(&w, r->moved ? bspi_moved_to(&r->move, at) : at) && check_again(&w);
}
