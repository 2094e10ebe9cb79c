/* bspx.c - lumps behind the lumps: finding them, and what they say about the light of faces. See bspx.h. */
#include "families/bspx.h"

enum { ENTRY = 32, NAME = 24, DECOUPLED = 40 };

/* The first 4-byte aligned offset at or after the end of the furthest lump (3 of 3 real files; the specification says
 * otherwise). */
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

/* A lump with `size` bytes per face, or an empty span with the fault counted. */
static bool per_face(bspi_ctx *ctx, const bspi_lump *lumps, const bspi_map *map, const char *name, size_t size, bspi_bytes *out)
{
	*out = bspi_bspx_find(map->file, lumps, name);
	if (!out->size || out->size == size * map->faces_count) return true;
	*out = BSPI_NO_BYTES;
	return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP(name), "its size does not fit %u faces: left out", map->faces_count);
}

/* u16 width, height; i32 offset; f32 S[4], T[4]: luxel centres at whole numbers, the corner is luxel 0, 0. */
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

bool bspi_bspx_faces(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map)
{
	bspi_bytes decoupled, shift, offset, style;
	BSPI_TRY(per_face(ctx, lumps, map, "DECOUPLED_LM", DECOUPLED, &decoupled));
	BSPI_TRY(per_face(ctx, lumps, map, "LMSTYLE", 4, &style));
	for (uint32_t i = 0; style.size && i < map->faces_count; i++) memcpy(map->faces[i].styles, style.data + 4 * (size_t)i, 4);
	if (decoupled.size) return read_decoupled(ctx, decoupled, map);

	BSPI_TRY(per_face(ctx, lumps, map, "LMSHIFT", 1, &shift));
	BSPI_TRY(per_face(ctx, lumps, map, "LMOFFSET", 4, &offset));
	for (uint32_t i = 0; i < map->faces_count; i++) {
		if (shift.size && shift.data[i] <= 16) map->faces[i].luxel_shift = shift.data[i];
		if (offset.size) map->faces[i].light_offset = bspi_load_i32(offset.data + 4 * (size_t)i);
	}
	return true;
}
