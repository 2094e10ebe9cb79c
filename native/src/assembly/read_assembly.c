/* read_assembly.c - chooses tiles by rules and the load's seed, reads them and joins them. See assembly.h. */
#include "assembly/assembly.h"

#include "assembly/join_maps.h"
#include "assembly/ump.h"
#include "base/text.h"
#include "io/io.h"
#include "stages/light/light.h"

#define SQUARE 256.0f                  /* side of a square in game units */
enum { MOST_DRAWS = 16 };

/* Returns the assembly's name in a path: "medium" for "maps/farm.ump/medium". Empty if the path names no assembly. */
static bspi_bytes wanted_assembly(const char *path)
{
	const char *found = "";
	for (const char *at = path; at && *at; at++) {
		if (bspi_text_starts(at, BSPI_ASSEMBLY_ENDING "/")) found = at + strlen(BSPI_ASSEMBLY_ENDING "/");
	}
	return bspi_bytes_of(found, strlen(found));
}

/* Places tiles. If the tiles drawn from sets cannot fill the assembly, other ones are drawn, up to MOST_DRAWS times. */
static bool arrange(bspi_ctx *ctx, bspi_ump *ump, const bspi_placed_tile **placed, uint32_t *count)
{
	bspi_random random = { .state = ctx->options.seed };
	*count = 0;
	for (uint32_t draw = 0; draw < MOST_DRAWS && !*count; draw++) {
		BSPI_TRY(bspi_draw_rules(ctx, &random, !draw, ump) && bspi_arrange_tiles(ctx, &random, ump, placed, count));
		BSPI_TRY(bspi_progress(ctx, "read", 0, 1));
	}
	BSPI_CHECK(ctx, *count, BSPSCENE_ERROR_BAD_LUMP, BSPI_LUMP("rules"),
	           "assembly \"%s\": no way was found to fill %u x %u squares with its tiles", ump->assembly,
	           (unsigned)ump->width, (unsigned)ump->height);
	return true;
}

/* Computes the size of each face's light in luxels and stores it in the face. The size depends on the last bits of the
 * vertex positions (see extents.c). Moving a tile rounds them, so the size is computed before the tile is moved, from
 * the positions that the map compiler used. */
static bool state_blocks(bspi_ctx *ctx, bspi_map *map)
{
	bspi_scene_parts parts = { 0 };
	bspi_build build = { .ctx = ctx, .map = map, .parts = &parts };
	BSPI_TRY(bspi_prepare_lighting(&build));
	for (uint32_t i = 0; i < map->faces_count; i++) {
		const bspi_face_light *found = &build.light->faces[i];
		bspi_face *face = &map->faces[i];
		face->lightmap_x[0] = found->x;
		face->lightmap_y[0] = found->y;
		face->lightmap_width = found->width;
		face->lightmap_height = found->height;
	}
	return true;
}

/* Reads a tile. *found is false, and a warning is counted, if it is missing. */
static bool read_tile(bspi_ctx *ctx, const char *path, bspi_map *map, bool *found)
{
	bspi_sibling file;
	bspi_bytes bytes;
	const char *whole = ctx->file;
	*found = bspi_open_sibling(ctx, &ctx->scratch, path, BSPSCENE_FILE_MAP, &file);
	BSPI_TRY(!ctx->error.status);
	if (!*found)
		return bspi_warn(ctx, BSPSCENE_WARNING_FILE_MISSING, BSPI_LUMP("tiles"),
		                 "the map of a tile, \"%s\", was not found", path);
	ctx->file = path;
	bool ok = bspi_unpack_map(ctx, &ctx->scratch, file.bytes, &bytes) && bspi_read_map(ctx, bytes, map) &&
	          state_blocks(ctx, map);
	ctx->file = whole;
	bspi_arena_rewind(&ctx->stage);
	return ok;
}

/* Returns the position of a square in game units. The middle square (rounded down) is at 0. */
static float place_of(uint32_t square, uint32_t squares)
{
	return (float)((int32_t)square - (int32_t)(squares / 2)) * SQUARE;
}

typedef struct tiles {
	bspi_map *maps;
	bool *searched, *found;
} tiles;

/* Reads each tile once, however often it is placed. */
static bool read_tiles(bspi_ctx *ctx, const bspi_ump *ump, const bspi_placed_tile *placed, uint32_t count,
                       bspi_map_part *parts, uint32_t *part_count)
{
	tiles t = {
		bspi_push(ctx, &ctx->scratch, bspi_map, ump->tile_count), bspi_push(ctx, &ctx->scratch, bool, ump->tile_count),
		bspi_push(ctx, &ctx->scratch, bool, ump->tile_count),
	};
	BSPI_TRY(t.maps && t.searched && t.found);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t tile = placed[i].tile;
		const char *path = ump->tiles[tile].path;
		if (!t.searched[tile]) {
			t.searched[tile] = true;
			BSPI_TRY(read_tile(ctx, path, &t.maps[tile], &t.found[tile]));
			BSPI_TRY(bspi_progress(ctx, "read", i, count));
			const bspi_map *first = *part_count ? parts[0].map : &t.maps[tile];
			const char *why = t.found[tile] ? bspi_why_not_joined(&t.maps[tile], first) : NULL;
			BSPI_CHECK(ctx, !why, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, BSPI_LUMP("tiles"), "\"%s\": %s", path, why);
		}
		if (!t.found[tile]) continue;
		parts[(*part_count)++] = (bspi_map_part){
			.map = &t.maps[tile],
			.shift = { place_of(placed[i].x, ump->width), place_of(placed[i].y, ump->height), 0 },
		};
	}
	BSPI_CHECK(ctx, *part_count, BSPSCENE_ERROR_NOT_FOUND, BSPI_LUMP("tiles"),
	           "none of the %u tiles of assembly \"%s\" is there", (unsigned)count, ump->assembly);
	return true;
}

/* Names the map after its rules and the assembly, such as "farm_medium". Sibling files are found by this name. */
static bool name_map(bspi_ctx *ctx, const char *assembly)
{
	const char *path = ctx->options.name ? ctx->options.name : ctx->file, *end = NULL;
	for (const char *at = path; *at; at++) {
		if (bspi_text_starts(at, BSPI_ASSEMBLY_ENDING)) end = at;
	}
	const char *begin = end;
	while (begin && begin > path && begin[-1] != '/') begin--;
	if (!begin || begin == end) return true;
	const char *name = bspi_text_format(ctx, &ctx->scratch, "%.*s_%s", (int)(end - begin), begin, assembly);
	if (name) ctx->name = bspi_text_keep(ctx, name);
	return name && ctx->name;
}

bool bspi_read_assembly(bspi_ctx *ctx, bspi_bytes text, bspi_map *map)
{
	bspi_ump ump;
	const bspi_placed_tile *placed = NULL;
	uint32_t count = 0, part_count = 0;
	BSPI_TRY(bspi_read_ump(ctx, text, wanted_assembly(ctx->options.name), &ump));
	BSPI_TRY(arrange(ctx, &ump, &placed, &count) && name_map(ctx, ump.assembly));
	bspi_map_part *parts = bspi_push(ctx, &ctx->scratch, bspi_map_part, count);
	BSPI_TRY(parts && read_tiles(ctx, &ump, placed, count, parts, &part_count));
	BSPI_TRY(bspi_join_maps(ctx, parts, part_count, map) &&
	         bspi_join_entities(ctx, parts, part_count, &map->entities));
	map->file = text;
	return bspi_validate(ctx, map);
}
