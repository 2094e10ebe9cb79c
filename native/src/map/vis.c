/* vis.c - decodes visibility to uncompressed rows of bits. */
#include "map/map.h"

#define LARGEST_VIS ((uint64_t)512 << 20)
#define SEES_ALL UINT32_MAX

/* Reads a row that begins at offset `at`. Returns false if the data ends before the row does. */
typedef bool read_row_fn(bspi_bytes rows, size_t at, uint8_t *out, size_t size);

static bool copy_row(bspi_bytes rows, size_t at, uint8_t *out, size_t size)
{
	bspi_bytes row;
	if (!bspi_slice(rows, at, size, &row)) return false;
	memcpy(out, row.data, size);
	return true;
}

/* Decodes a row. A zero byte is followed by the number of zero bytes, which is never 0. Other bytes stand for
 * themselves. */
static bool decode_row(bspi_bytes rows, size_t at, uint8_t *out, size_t size)
{
	const uint8_t *from = rows.data, *end = from + rows.size;
	memset(out, 0, size);              /* all at once, because runs of zeros are too short for a memset each */
	for (from += at < rows.size ? at : rows.size; size && from < end; from++) {
		if (*from) {
			*out++ = *from;
			size--;
			continue;
		}
		size_t run = ++from < end ? *from : 0;
		if (!run) return false;
		if (run > size) run = size;
		out += run;
		size -= run;
	}
	return !size;
}

static bool read_rows(bspi_ctx *ctx, read_row_fn *read_row, bspi_bytes rows, const uint32_t *offsets, uint32_t clusters,
                      size_t row_size, bspi_map *map)
{
	if (row_size > LARGEST_VIS || clusters * (uint64_t)row_size > LARGEST_VIS) {
		return bspi_warn(ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("visibility"),
		                 "visibility left out: %u clusters need too much memory", clusters);
	}
	uint8_t *out = bspi_push_unset(ctx, &ctx->result, clusters * row_size, 1); /* the scene uses these rows without
	                                                                            * copying them */
	BSPI_TRY(out);
	for (uint32_t i = 0; i < clusters; i++) {
		uint8_t *row = out + i * row_size;
		if (offsets[i] != SEES_ALL && read_row(rows, offsets[i], row, row_size)) continue;
		memset(row, 0xff, row_size);
		if (offsets[i] == SEES_ALL) continue;
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_RECORD("visibility", i),
		                   "the row ends early: the cluster sees everything"));
	}
	map->cluster_count = clusters;
	map->vis_row_size = (uint32_t)row_size;
	map->vis_rows = out;
	map->vis_rows_kept = true;
	return true;
}

bool bspi_decode_vis(bspi_ctx *ctx, bspi_bytes rows, const uint32_t *offsets, uint32_t clusters, bspi_map *map)
{
	return read_rows(ctx, decode_row, rows, offsets, clusters, ((size_t)clusters + 7) / 8, map);
}

bool bspi_copy_vis(bspi_ctx *ctx, bspi_bytes rows, const uint32_t *offsets, uint32_t clusters, size_t row_size,
                   bspi_map *map)
{
	return read_rows(ctx, copy_row, rows, offsets, clusters, row_size, map);
}

bool bspi_decode_cluster_vis(bspi_ctx *ctx, bspi_bytes lump, bspi_map *map)
{
	bspi_cursor cursor = bspi_cursor_at(lump, 0);
	if (!lump.size) return true;
	uint32_t clusters = bspi_take_u32(&cursor);
	if (cursor.failed || clusters > (lump.size - 4) / 8) {
		return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP("visibility"),
		                 "visibility left out: the lump is too small for %u clusters", clusters);
	}
	uint32_t *offsets = bspi_push(ctx, &ctx->stage, uint32_t, clusters);
	BSPI_TRY(offsets);
	for (uint32_t i = 0; i < clusters; i++) {
		offsets[i] = bspi_take_u32(&cursor);
		bspi_take_u32(&cursor);
	}
	return bspi_decode_vis(ctx, lump, offsets, clusters, map);
}
