/* axes_bytes.c - writes new texture coordinates of faces that have no vertices of their own. For that it changes the
 * texture projections (texinfo) in the file. If an unchanged face uses the same projection, a changed copy is appended
 * to the lump, for the changed faces. */
#include "rewrite/face_axes.h"
#include "rewrite/rewrite_parts.h"

#include <string.h>

#include "stages/geometry/geometry.h"

#define RECORD(index) BSPI_RECORD("new corners", (index))
#define CHECK(ctx, condition, index, ...) \
	BSPI_CHECK(ctx, condition, BSPSCENE_ERROR_BAD_DATA, RECORD(index), __VA_ARGS__)
#define UNSUPPORTED(ctx, condition, ...) \
	BSPI_CHECK(ctx, condition, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, BSPI_NOWHERE, __VA_ARGS__)

/* The limit that engines and compilers have for the number of projections. */
#define MOST_TEXINFOS 12288
/* A record of a projection begins with its texture axes, which have AXES_SIZE bytes. This is so in all formats whose
 * face records are listed below. MOST_TABLES is the largest number of face lumps in a map. */
enum { AXES_SIZE = 32, MOST_TABLES = 2 };

/* Size of a face record, and offset and size of the projection's index in it, in bytes. */
typedef struct number_place {
	uint32_t stride, at, size;
} number_place;

static const number_place number_places[] = {
	{ 20, 10, 2 }, { 28, 16, 4 }, { 56, 10, 2 }, { 68, 26, 2 }, { 72, 26, 2 }, { 72, 16, 4 }, { 104, 42, 2 },
};

/* New axes. All faces that had the same projection and get the same change use them. */
typedef struct candidate {
	bspi_axes axes;
	uint32_t old, users;               /* index of the old projection; number of faces that use the new axes */
	uint32_t next;                     /* index + 1 of the next candidate for the same old projection; 0: none */
	uint32_t number;                   /* index of the new axes' projection in the new map */
} candidate;

typedef struct axes_work {
	bspi_rewrite *r;
	const bspi_map *map;               /* the map as read from r->file */
	bspi_bytes texinfos;               /* the whole lump of projections */
	bspi_bytes faces[MOST_TABLES]; uint32_t table_count;
	const number_place *number_place;
	/* Lists of the caller's corners of each face. first_of: for each face, index + 1 of its first corner in the list.
	 * next_of: for each corner, index + 1 of the next corner of the same face. 0: there is none. */
	uint32_t *first_of, *next_of;
	uint32_t *users;                   /* for each projection, the number of faces that use it */
	candidate *candidates; uint32_t candidate_count;
	uint32_t *candidates_of;           /* for each projection, index + 1 of its first candidate; 0: none */
	uint32_t *candidate_of;            /* for each face, index + 1 of its candidate; 0: the face is not changed */
	uint32_t added;
} axes_work;

/* ---- Finding the lumps ------------------------------------------------------------------------------------ */

static uint32_t number_at(const number_place *place, const uint8_t *record)
{
	return place->size == 2 ? bspi_load_u16(record + place->at) : bspi_load_u32(record + place->at);
}

static bool has_numbers(const bspi_map *map, const number_place *place, const uint8_t *records)
{
	for (uint32_t i = 0; i < map->faces_count; i++) {
		if (number_at(place, records + (size_t)i * place->stride) != (uint32_t)map->faces[i].texinfo) return false;
	}
	return true;
}

static bool is_inside(bspi_bytes file, uint64_t offset, uint64_t size)
{
	return offset <= file.size && size <= file.size - offset;
}

static bool find_texinfos(axes_work *w)
{
	bspi_ctx *ctx = w->r->ctx;
	const bspi_map *map = w->map;
	const bspi_source *source = &map->sources[BSPI_ARRAY_texinfos];
	const bspi_lump_place *place = source->lump ? bspi_find_place(map, source->lump) : NULL;
	uint64_t used = (uint64_t)map->texinfos_count * source->stride;
	UNSUPPORTED(ctx, place && used && is_inside(map->file, source->offset, used),
	            "writing projections of textures into maps of this format is not supported");
	uint32_t offset = bspi_load_u32(map->file.data + place->at), size = bspi_load_u32(map->file.data + place->size_at);
	bool plain = offset == source->offset && size >= used && is_inside(map->file, offset, size);
	for (uint32_t i = 0; plain && i < map->texinfos_count; i++) {
		const uint8_t *record = map->file.data + offset + (size_t)i * source->stride;
		for (uint32_t k = 0; k < AXES_SIZE / 4; k++) {
			uint32_t bits;
			memcpy(&bits, &map->texinfos[i].texture_vectors[k / 4][k % 4], sizeof bits);
			plain = plain && bspi_load_u32(record + 4 * (size_t)k) == bits;
		}
	}
	UNSUPPORTED(ctx, plain, "projections of textures cannot change if they are compressed or stored in another form");
	w->texinfos = bspi_bytes_of(map->file.data + offset, size);
	return true;
}

/* Finds the lumps with faces. Source may have a second one, with the same faces for HDR light. */
static bool find_faces(axes_work *w)
{
	static const char word[] = "faces";
	bspi_ctx *ctx = w->r->ctx;
	const bspi_map *map = w->map;
	const bspi_source *source = &map->sources[BSPI_ARRAY_faces];
	uint64_t used = (uint64_t)map->faces_count * source->stride;
	for (uint32_t i = 0; used && i < map->lump_span_count; i++) {
		const bspi_lump_span *span = &map->lump_spans[i];
		if (strncmp(span->name, word, sizeof word - 1) != 0) continue;
		bool fits = span->bytes.size / source->stride == map->faces_count && w->table_count < MOST_TABLES &&
		            span->bytes.data >= map->file.data;
		UNSUPPORTED(ctx, fits, "faces cannot change if they are compressed, or differ between LDR and HDR light");
		w->faces[w->table_count++] = span->bytes;
	}
	for (size_t i = 0; w->table_count && i < sizeof number_places / sizeof *number_places; i++) {
		bool found = number_places[i].stride == source->stride;
		for (uint32_t t = 0; found && t < w->table_count; t++) {
			found = has_numbers(map, &number_places[i], w->faces[t].data);
		}
		if (found) w->number_place = &number_places[i];
	}
	UNSUPPORTED(ctx, w->number_place, "writing projections of textures into maps of this format is not supported");
	return true;
}

/* ---- The caller's corners --------------------------------------------------------------------------------- */

static bool sort_corners(axes_work *w)
{
	bspi_rewrite *r = w->r;
	for (uint32_t i = r->corners.count; i-- > 0;) {
		const bspscene_edited_corner *corner = &r->corners.items[i];
		CHECK(r->ctx, corner->face < w->map->faces_count, i, "face %u does not exist: the map has %u faces",
		      corner->face, w->map->faces_count);
		const bspi_face *face = &w->map->faces[corner->face];
		bool flat = (face->kind == BSPI_FACE_POLYGON || face->kind == BSPI_FACE_DISPLACEMENT) && face->texinfo >= 0;
		uint32_t count = flat ? (uint32_t)face->edge_count : 0;
		CHECK(r->ctx, corner->corner < count, i,
		      "face %u: corner %u does not exist or cannot change: only %u corners can", corner->face, corner->corner,
		      count);
		UNSUPPORTED(r->ctx, corner->flags == BSPSCENE_CORNER_UV,
		            "faces of this format have no vertices of their own, so normals and colors cannot change");
		w->next_of[i] = w->first_of[corner->face];
		w->first_of[corner->face] = i + 1;
	}
	return true;
}

/* Compares the new corners of a face with the map's. Sets *changes if any is different. */
static bool collect(axes_work *w, uint32_t number, bspi_wanted_face *out, bool *changes)
{
	bspi_rewrite *r = w->r;
	const bspi_face *face = &w->map->faces[number];
	const bspi_texture *texture = (uint32_t)face->texture < w->map->textures_count
	                                  ? &w->map->textures[face->texture] : NULL;
	*out = (bspi_wanted_face){ number, w->first_of[number] - 1, (uint32_t)face->edge_count, NULL };
	UNSUPPORTED(r->ctx, texture && texture->width && texture->height,
	            "face %u: the map does not say how large its texture is", number);
	out->changes = bspi_push_zeroed(r->ctx, &r->ctx->scratch, out->count, sizeof *out->changes);
	uint32_t *said = bspi_push(r->ctx, &r->ctx->scratch, uint32_t, out->count);
	BSPI_TRY(out->changes && said);
	bspi_texel_place texels = { .size = { texture->width, texture->height } };
	bspi_widen_vectors((const float (*)[4])w->map->texinfos[face->texinfo].texture_vectors, texels.vectors);
	for (uint32_t i = w->first_of[number]; i; i = w->next_of[i - 1]) {
		const bspscene_edited_corner *corner = &r->corners.items[i - 1];
		const bspscene_edited_corner *other =
			said[corner->corner] ? &r->corners.items[said[corner->corner] - 1] : corner;
		float shown[2];
		CHECK(r->ctx, !memcmp(other->uv, corner->uv, sizeof corner->uv), i - 1,
		      "face %u, corner %u: is named twice with different values", number, corner->corner);
		said[corner->corner] = i;
		bspi_texinfo_uv(&texels, bspi_surfedge_position(w->map, face->first_edge + (int32_t)corner->corner), shown);
		bool same = shown[0] == corner->uv[0] && shown[1] == corner->uv[1];
		r->report.corners_changed += !same && other == corner;
		for (int k = 0; k < 2 && !same; k++) {
			out->changes[corner->corner][k] = ((double)corner->uv[k] - (double)shown[k]) * texels.size[k];
		}
		*changes = *changes || !same;
	}
	return true;
}

/* Chooses the axes of a face. If the axes of another face with the same old projection fit, uses these. So faces that
 * were cut out of one wall share a projection again. */
static bool choose(axes_work *w, const bspi_wanted_face *wanted)
{
	uint32_t old = (uint32_t)w->map->faces[wanted->face].texinfo, found = w->candidates_of[old];
	while (found && !bspi_axes_fit(w->map, wanted, &w->candidates[found - 1].axes)) {
		found = w->candidates[found - 1].next;
	}
	bspi_axes axes;
	BSPI_TRY(bspi_find_axes(w->r->ctx, w->map, wanted, &axes));
	if (!found) {
		w->candidates[w->candidate_count] = (candidate){ .axes = axes, .old = old, .next = w->candidates_of[old] };
		found = w->candidates_of[old] = ++w->candidate_count;
	}
	w->candidates[found - 1].users++;
	w->candidate_of[wanted->face] = found;
	return true;
}

static bool choose_all(axes_work *w)
{
	for (uint32_t i = 0; i < w->map->faces_count; i++) {
		bspi_wanted_face wanted;
		bool changes = false;
		if (!w->first_of[i]) continue;
		BSPI_TRY(collect(w, i, &wanted, &changes));
		if (changes) BSPI_TRY(choose(w, &wanted));
	}
	for (uint32_t i = 0; i < w->candidate_count; i++) {
		candidate *c = &w->candidates[i];
		bool alone = c->users == w->users[c->old];
		c->number = alone ? c->old : w->map->texinfos_count + w->added++;
	}
	UNSUPPORTED(w->r->ctx, !w->added || w->map->texinfos_count + w->added <= MOST_TEXINFOS,
	            "the map would have %u projections of textures: engines have room for %u",
	            w->map->texinfos_count + w->added, MOST_TEXINFOS);
	return true;
}

/* ---- Writing ---------------------------------------------------------------------------------------------- */

static void store(uint8_t *out, uint32_t value, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++) out[i] = (uint8_t)(value >> 8 * i);
}

static void put_axes(uint8_t *record, const bspi_axes *axes)
{
	for (uint32_t k = 0; k < AXES_SIZE / 4; k++) {
		uint32_t bits;
		memcpy(&bits, &axes->vectors[k / 4][k % 4], sizeof bits);
		store(record + 4 * (size_t)k, bits, 4);
	}
}

/* Makes the lump with the new projections. If the old lump ends with an incomplete record, that record is left out. */
static bool make_lump(axes_work *w, bspi_bytes *out)
{
	bspi_ctx *ctx = w->r->ctx;
	size_t stride = w->map->sources[BSPI_ARRAY_texinfos].stride, count = (size_t)w->map->texinfos_count + w->added;
	uint8_t *bytes = bspi_push_unset(ctx, &ctx->scratch, count, stride);
	BSPI_TRY(bytes);
	memcpy(bytes, w->texinfos.data, w->map->texinfos_count * stride);
	for (uint32_t i = 0; i < w->candidate_count; i++) {
		const candidate *c = &w->candidates[i];
		uint8_t *record = bytes + c->number * stride;
		if (c->number != c->old) memcpy(record, w->texinfos.data + c->old * stride, stride);
		put_axes(record, &c->axes);
	}
	*out = bspi_bytes_of(bytes, count * stride);
	return true;
}

static bool make_file(axes_work *w)
{
	bspi_ctx *ctx = w->r->ctx;
	const bspi_map *map = w->map;
	bspi_move move = {
		.place = bspi_find_place(map, map->sources[BSPI_ARRAY_texinfos].lump),
		.begin = (size_t)(w->texinfos.data - map->file.data),
	};
	bspi_bytes file;
	move.old_end = move.begin + w->texinfos.size;
	BSPI_TRY(make_lump(w, &move.bytes) && bspi_replace_lump(ctx, map, &move, &file));
	uint8_t *bytes = bspi_push_unset(ctx, &ctx->scratch, file.size, 1);
	BSPI_TRY(bytes);
	memcpy(bytes, file.data, file.size);
	for (uint32_t t = 0; t < w->table_count; t++) {
		size_t at = bspi_moved_to(&move, (size_t)(w->faces[t].data - map->file.data));
		for (uint32_t i = 0; i < map->faces_count; i++) {
			if (!w->candidate_of[i]) continue;
			uint8_t *record = bytes + at + (size_t)i * w->number_place->stride;
			store(record + w->number_place->at, w->candidates[w->candidate_of[i] - 1].number, w->number_place->size);
		}
	}
	w->r->file = bspi_bytes_of(bytes, file.size);
	return true;
}

/* ---- Checking the result ---------------------------------------------------------------------------------- */

static bool same_texinfo(const bspi_texinfo *is, const bspi_texinfo *was, const bspi_axes *axes)
{
	const void *wanted = axes ? (const void *)axes->vectors : (const void *)was->texture_vectors;
	return !memcmp(is->texture_vectors, wanted, sizeof is->texture_vectors) && is->flags == was->flags &&
	       is->value == was->value;
}

static bool same_lumps(const axes_work *w, const bspi_map *again)
{
	const bspi_map *map = w->map;
	if (again->lump_span_count != map->lump_span_count) return false;
	for (uint32_t i = 0; i < map->lump_span_count; i++) {
		const bspi_lump_span *was = &map->lump_spans[i], *is = &again->lump_spans[i];
		bool changed = was->bytes.data == w->texinfos.data;
		for (uint32_t t = 0; t < w->table_count; t++) changed = changed || was->bytes.data == w->faces[t].data;
		if (strcmp(is->name, was->name) != 0) return false;
		if (changed) continue;
		if (is->bytes.size != was->bytes.size) return false;
		bool same = !memcmp(is->bytes.data, was->bytes.data, is->bytes.size);
		/* its content has byte offsets in the file, which change */
		if (!same && strcmp(was->name, "game lump") != 0) return false;
	}
	return true;
}

/* True if the changed faces of the new file have the new projections, and everything else is as before. */
static bool check_again(const axes_work *w)
{
	bspi_ctx *ctx = w->r->ctx;
	const bspi_map *map = w->map;
	bspi_map *again = bspi_push(ctx, &ctx->scratch, bspi_map, 1);
	BSPI_TRY(again);
	bspi_budget_read(&ctx->budget, w->r->file.size);
	if (!bspi_read_map(ctx, w->r->file, again))
		return bspi_fail_again(ctx, "nothing was written, because the new map could not be read again");
	bspi_arena_reset(&ctx->stage);
	bool same = again->faces_count == map->faces_count && same_lumps(w, again);
	for (uint32_t i = 0; same && i < map->faces_count; i++) {
		const bspi_axes *axes = w->candidate_of[i] ? &w->candidates[w->candidate_of[i] - 1].axes : NULL;
		int32_t is = again->faces[i].texinfo, was = map->faces[i].texinfo;
		bool known = is >= 0 && (uint32_t)is < again->texinfos_count && was >= 0 && (uint32_t)was < map->texinfos_count;
		same = known ? same_texinfo(&again->texinfos[is], &map->texinfos[was], axes) : is == was;
	}
	return same || bspi_fail(ctx, BSPSCENE_ERROR_BAD_DATA, BSPI_NOWHERE,
	                         "nothing was written: when the new map was read again, its texture coordinates were not "
	                         "those asked for; please report this map");
}

/* ---- Entry ------------------------------------------------------------------------------------------------ */

/* Reads the new file again if entities were written before, because that moved its lumps. */
static bool read_moved(axes_work *w)
{
	bspi_ctx *ctx = w->r->ctx;
	bspi_map *map = &w->r->map;
	if (w->r->moved) {
		map = bspi_push(ctx, &ctx->scratch, bspi_map, 1);
		BSPI_TRY(map);
		bspi_budget_read(&ctx->budget, w->r->file.size);
		if (!bspi_read_map(ctx, w->r->file, map))
			return bspi_fail_again(ctx, "nothing was written, because the new map could not be read again");
		bspi_arena_reset(&ctx->stage);
	}
	w->map = map;
	return bspi_add_bspx_places(ctx, map);
}

bool bspi_write_axes(bspi_rewrite *r)
{
	bspi_ctx *ctx = r->ctx;
	axes_work w = { .r = r };
	BSPI_TRY(read_moved(&w));
	UNSUPPORTED(ctx, w.map->surfedges_count && w.map->texinfos_count,
	            "faces of this format have no vertices of their own to be changed");
	BSPI_TRY(find_texinfos(&w) && find_faces(&w));
	uint32_t faces = w.map->faces_count, texinfos = w.map->texinfos_count;
	w.first_of = bspi_push(ctx, &ctx->scratch, uint32_t, faces);
	w.next_of = bspi_push(ctx, &ctx->scratch, uint32_t, r->corners.count);
	w.users = bspi_push(ctx, &ctx->scratch, uint32_t, texinfos);
	w.candidates = bspi_push(ctx, &ctx->scratch, candidate, faces);
	w.candidates_of = bspi_push(ctx, &ctx->scratch, uint32_t, texinfos);
	w.candidate_of = bspi_push(ctx, &ctx->scratch, uint32_t, faces);
	BSPI_TRY(w.first_of && w.next_of && w.users && w.candidates && w.candidates_of && w.candidate_of);
	for (uint32_t i = 0; i < faces; i++) {
		/* Faces that were skipped during the load may have an invalid index. */
		int32_t texinfo = w.map->faces[i].texinfo;
		if (texinfo >= 0 && (uint32_t)texinfo < texinfos) w.users[texinfo]++;
	}
	BSPI_TRY(sort_corners(&w) && choose_all(&w));
	return !w.candidate_count || (make_file(&w) && check_again(&w));
}
