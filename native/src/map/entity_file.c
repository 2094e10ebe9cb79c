/* entity_file.c - reads maps/NAME.ent: entities that engines read in place of the map's.
 *
 * - Quake: QuakeSpasm, Ironwail and vkQuake (Mod_LoadEntities) look for NAME@CRC.ent, then NAME.ent, both only in the
 *   map's own game directory or one that wins over it. DarkPlaces (sv_entpatch), FTE and MVDSV (sv_loadentfiles) and,
 *   for Hexen II, Hammer of Thyrion look for NAME.ent, all by default.
 * - Quake II: Yamagi Quake II and KMQuake2 (sv_entfile) take NAME.ent of more than one byte. Q2PRO also looks for
 *   NAME@CRC.ent, and searches the folder of its map overrides.
 * - GoldSrc: Xash3D (Mod_LoadEntities) takes NAME.ent of the mod, unless it is older than the map: see
 *   file_system/entity_dates.c.
 * - Quake III and relatives: Quake3e and OpenJK (CMod_LoadEntityString) take NAME.ent that is not empty; DarkPlaces as
 *   above.
 * - Source: NAME_l_0.lmp, see families/vbsp/vbsp_patches.c. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "io/map_companions.h"
#include "io/io.h"
#include "map/family.h"

/* Computes CRC-16/CCITT with the initial value 0xffff, like Quake's CRC_Block. */
static uint16_t checksum(bspi_bytes bytes)
{
	uint32_t crc = 0xffff;
	for (size_t i = 0; i < bytes.size; i++) {
		crc ^= (uint32_t)bytes.data[i] << 8;
		for (int bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
		crc &= 0xffff;
	}
	return (uint16_t)crc;
}

/* Returns the checksum of an entity lump as the game computes it. For an empty lump it is 0. */
static uint16_t sum_of(bspi_bytes entities, bspi_entity_sum sum)
{
	if (!entities.size) return 0;
	bool cut = sum == BSPI_ENTITY_SUM_BUT_LAST || !entities.data[entities.size - 1];
	return checksum(bspi_bytes_of(entities.data, entities.size - cut));
}

/* Uses a file's entities if the file exists and contains an entity. Returns false if the load failed. */
static bool try_file(bspi_ctx *ctx, const char *path, bspi_map *map)
{
	char safe[BSPI_PATH_SIZE];
	bspi_sibling file;
	BSPI_TRY(path);
	/* If the map's name has characters that games do not accept, there can be no file. */
	if (!bspi_text_path(path, false, safe, sizeof safe)) return true;
	if (ctx->entity_file || !bspi_open_sibling(ctx, &ctx->scratch, path, BSPSCENE_FILE_ENTITIES, &file)) {
		return !ctx->error.status;
	}
	if (!file.bytes.size || !memchr(file.bytes.data, '{', file.bytes.size)) {
		bspi_reject_companion(ctx, file.path, "it has no entity");
		return bspi_warn(ctx, BSPSCENE_WARNING_FILE_STALE, BSPI_LUMP("entities"),
		                 "%s has no entity: the entities of the map are used", file.path);
	}
	ctx->own_entities = map->entities;
	ctx->entity_file = file.path;
	map->entities = file.bytes;
	return true;
}

bool bspi_use_entity_file(bspi_ctx *ctx, bspi_map *map)
{
	const char *ending = map->rules.entity_file;
	bool wanted = ctx->options.entity_source == BSPSCENE_ENTITY_SOURCE_BESIDE && ctx->options.open_file;
	if (!wanted || !ending || strcmp(ending, ".ent") != 0) return true;
	if (map->rules.entity_sum) {
		const char *path = bspi_text_format(ctx, &ctx->scratch, "maps/%s@%04" PRIx16 ".ent", ctx->name,
		                                    sum_of(map->entities, map->rules.entity_sum));
		BSPI_TRY(try_file(ctx, path, map));
	}
	return try_file(ctx, bspi_text_format(ctx, &ctx->scratch, "maps/%s.ent", ctx->name), map);
}
