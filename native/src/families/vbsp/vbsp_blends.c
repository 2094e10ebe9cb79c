/* vbsp_blends.c - reads the weights of four textures on displacements (docs/formats/source.md, "Displacements"). The
 * weights of all displacements with a certain flag are stored one after another. There are no indices, so only the
 * total number of weights can be checked. */
#include "families/vbsp/vbsp_tables.h"

#include <inttypes.h>

/* Sets first_blend of each displacement, and returns the total number of weights. A displacement whose power is out of
 * range gets no weights; its face is dropped later. */
static int64_t number_vertices(bspi_map *map)
{
	enum { LARGEST_POWER = 4 };
	int64_t sum = 0;
	for (uint32_t i = 0; i < map->dispinfos_count; i++) {
		bspi_dispinfo *info = &map->dispinfos[i];
		info->first_blend = -1;
		if (!(info->flags & BSPI_DISP_BLENDED) || info->power < 0 || info->power > LARGEST_POWER) continue;
		int64_t side = (1 << info->power) + 1;
		info->first_blend = sum <= INT32_MAX ? (int32_t)sum : -1;
		sum += side * side;
	}
	return sum;
}

/* Reads Black Mesa's weights. Its maps store them in a lump that later games use for the system levels of overlays. */
static bool read_black_mesas(bspi_ctx *ctx, const bspi_lump *lump, uint32_t count, bspi_map *map)
{
	map->disp_blends = bspi_push(ctx, &ctx->scratch, bspi_disp_blend, count);
	BSPI_TRY(map->disp_blends);
	map->disp_blends_count = count;
	map->sources[BSPI_ARRAY_disp_blends] = (bspi_source){ lump->name, lump->offset, bspi_vbsp_disp_blend.file_size };
	bspi_layout_decode(&bspi_vbsp_disp_blend, lump->bytes.data, count, map->disp_blends);
	return true;
}

bool bspi_share_disp_blends(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map)
{
	const bspi_lump *levels = &lumps[VBSP_OVERLAY_LEVELS];
	int64_t wanted = number_vertices(map);
	size_t size = levels->bytes.size, record = bspi_vbsp_disp_blend.file_size;
	bool is_black_mesa = wanted && !map->disp_blends_count && size / record == (uint64_t)wanted && size % record == 0;
	if (is_black_mesa) return read_black_mesas(ctx, levels, (uint32_t)wanted, map);
	if (wanted == map->disp_blends_count) return true;
	uint32_t count = map->disp_blends_count;
	map->disp_blends_count = 0;
	return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP(lumps[VBSP_DISP_BLENDS].name),
	                 "blend weights left out: there are %" PRIu32 ", but blended displacements have %" PRId64
	                 " vertices",
	                 count, wanted);
}
