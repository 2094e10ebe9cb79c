/* respawn_meshes.c - makes faces from the meshes of Respawn's maps. A mesh uses vertices from one of four lumps. These
 * vertices refer to positions and normals. Each face gets its own copies of its vertices, because meshes share them. */
#include "families/respawn/respawn.h"

#include <inttypes.h>
#include <math.h>

enum { KIND_BITS = 0x600, KIND_SHIFT = 9, SORT_SIZE = 12, SORT_OFFSET = 8 };

static const uint8_t vertex_slots[RESPAWN_VERTEX_KINDS] = {
	RESPAWN_LIT_FLAT, RESPAWN_LIT_BUMP, RESPAWN_UNLIT, RESPAWN_UNLIT_TWO_SIDED,
};

/* ---- Vertices --------------------------------------------------------------------------------------------- */

typedef struct vertex_part {
	bspi_draw_vertex *vertices;
	uint32_t count;
} vertex_part;

/* Completes a vertex from its record. If the index of its position is invalid, the vertex becomes invalid too, and
 * validation drops the faces that use it. */
static void settle_vertex(const bspi_map *map, const uint8_t *record, bspi_draw_vertex *vertex)
{
	uint32_t position = bspi_load_u32(record), normal = bspi_load_u32(record + 4);
	for (int k = 0; k < 3; k++) {
		vertex->position[k] = position < map->vertices_count ? map->vertices[position].position[k] : NAN;
		vertex->normal[k] = normal < map->normals_count ? map->normals[normal].normal[k] : 0;
	}
}

static bool read_vertices(bspi_ctx *ctx, const bspi_layout *layout, const bspi_lump *lump, const bspi_map *map,
                          vertex_part *part)
{
	size_t size = lump->bytes.size, record = layout->file_size, count = size / record;
	BSPI_CHECK(ctx, count <= INT32_MAX, BSPSCENE_ERROR_BAD_LUMP, BSPI_LUMP(lump->name),
	           "%zu records are more than any map has", count);
	if (size % record) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_LUMP_TAIL, BSPI_LUMP(lump->name),
		                   "%zu bytes after the last whole record of %zu bytes are left out", size % record, record));
	}
	*part = (vertex_part){ bspi_push_unset(ctx, &ctx->scratch, count, sizeof *part->vertices), (uint32_t)count };
	BSPI_TRY(part->vertices);
	bspi_layout_decode_fresh(layout, lump->bytes.data, part->count, part->vertices);
	for (size_t i = 0; i < count; i++) settle_vertex(map, lump->bytes.data + i * record, &part->vertices[i]);
	return true;
}

/* ---- Meshes ----------------------------------------------------------------------------------------------- */

enum { INDEX_VALUES = 0x10000 };

typedef struct mesh_writer {
	const bspi_lump *sorts;
	vertex_part parts[RESPAWN_VERTEX_KINDS];
	bspi_draw_vertex *vertices;
	bspi_index *indices;
	size_t vertex_count, index_count, room;
	uint32_t *taken;                   /* element v: the vertex of the face taken_by[v] - 1 that is the copy for the
	                                    * index value v of the file */
	uint32_t *taken_by;                /* element v: 1 + the last face that uses the index value v; 0: none yet */
} mesh_writer;

/* Appends the vertices and indices of a mesh, and makes the face refer to them. Indices in the file count from the
 * first vertex of the mesh's material, in the lump of the mesh's kind of vertex. Returns false if an index or a vertex
 * does not exist. */
static bool settle_mesh(mesh_writer *w, const bspi_map *map, uint32_t number, bspi_face *face)
{
	bspi_bytes sort;
	const vertex_part *part = &w->parts[(uint32_t)face->game_type >> KIND_SHIFT & (RESPAWN_VERTEX_KINDS - 1)];
	uint64_t first = (uint32_t)face->first_index, count = (uint64_t)face->index_count, first_vertex = w->vertex_count;
	if (!bspi_slice(w->sorts->bytes, (uint64_t)face->texinfo * SORT_SIZE, SORT_SIZE, &sort)) return false;
	if (first + count > map->draw_indices_count || count > w->room - w->index_count) return false;
	uint64_t base = bspi_load_u32(sort.data + SORT_OFFSET);
	for (uint64_t i = 0; i < count; i++) {
		if (base + map->draw_indices[first + i].value >= part->count) return false;
	}
	for (uint64_t i = 0; i < count; i++) {
		uint32_t value = map->draw_indices[first + i].value;
		if (w->taken_by[value] != number + 1) {
			w->taken_by[value] = number + 1;
			w->taken[value] = (uint32_t)(w->vertex_count - first_vertex);
			w->vertices[w->vertex_count++] = part->vertices[base + value];
		}
		w->indices[w->index_count + i].value = w->taken[value];
	}
	face->texture = bspi_load_u16(sort.data);
	face->first_vertex = (int32_t)first_vertex;
	face->vertex_count = (int32_t)(w->vertex_count - first_vertex);
	face->first_index = (int32_t)w->index_count;
	w->index_count += (size_t)count;
	return true;
}

static void clear_face(bspi_face *face)
{
	face->kind = BSPI_FACE_TRIANGLES;
	face->soup = face->fullbright = true;
	face->plane = face->dispinfo = face->light_offset = face->light_projection = face->fog = -1;
	for (int slot = 0; slot < BSPI_MAX_STYLES; slot++) {
		face->lightmap[slot] = BSPI_PAGE_NONE;
		face->styles[slot] = face->vertex_styles[slot] = slot ? 255 : 0;
	}
}

/* Allocates memory for the copies of vertices. In real maps each index belongs to one mesh, so MOST_USES copies per
 * index are enough. */
static bool begin(bspi_ctx *ctx, const bspi_respawn_quirks *own, const bspi_lump *lumps, const bspi_map *map,
                  mesh_writer *w)
{
	enum { MOST_USES = 4 };
	for (uint32_t i = 0; i < RESPAWN_VERTEX_KINDS; i++) {
		BSPI_TRY(read_vertices(ctx, own->vertices[i], &lumps[vertex_slots[i]], map, &w->parts[i]));
	}
	w->sorts = &lumps[RESPAWN_MATERIAL_SORTS];
	w->room = (size_t)map->draw_indices_count * MOST_USES;
	w->vertices = bspi_push_unset(ctx, &ctx->scratch, w->room, sizeof *w->vertices);
	w->indices = bspi_push_unset(ctx, &ctx->scratch, w->room, sizeof *w->indices);
	w->taken = bspi_push_unset(ctx, &ctx->scratch, INDEX_VALUES, sizeof *w->taken);
	w->taken_by = bspi_push(ctx, &ctx->scratch, uint32_t, INDEX_VALUES);
	return w->vertices && w->indices && w->taken && w->taken_by;
}

bool bspi_respawn_meshes(bspi_ctx *ctx, const bspi_respawn_quirks *own, const bspi_lump *lumps, bspi_map *map)
{
	mesh_writer w = { .room = 0 };
	BSPI_TRY(begin(ctx, own, lumps, map, &w));
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *face = &map->faces[i];
		clear_face(face);
		face->index_count *= 3;
		bool empty = !face->index_count, sound = !empty && settle_mesh(&w, map, i, face);
		if (!sound) face->kind = BSPI_FACE_DROPPED;
		if (!sound && !empty) {
			BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_FACE_DROPPED, bspi_record_location(map, BSPI_ARRAY_faces, i),
			                   "left out: its material, indices or vertices do not exist"));
		}
		face->texinfo = -1;
	}
	map->draw_vertices = w.vertices;
	map->draw_vertices_count = (uint32_t)w.vertex_count;
	map->draw_indices = w.indices;
	map->draw_indices_count = (uint32_t)w.index_count;
	return true;
}
