/* vbsp_patches.c - reads lump patches next to a map: maps/<name>_l_0.lmp, _l_1.lmp and so on. The header of a patch
 * names the lump that it replaces (docs/formats/source-files.md, "Lump patches"). Administrators of servers change a
 * map's entities in this way. */
#include "families/vbsp/vbsp_tables.h"

#include <inttypes.h>

#include "base/text.h"
#include "io/map_companions.h"
#include "io/io.h"
#include "io/lzma.h"

enum { HEADER_SIZE = 20, MOST_PATCHES = 64 };

static bool leave_out(bspi_ctx *ctx, const char *path, const char *why)
{
	bspi_reject_companion(ctx, path, "damaged, or of a lump that cannot be replaced");
	return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP("lump patch"), "%s is not used: %s", path, why);
}

/* True if the options request this patch. One option is for patches of entities. The other one is for patches of all
 * other lumps, because they can do unnoticed harm: light could belong to the faces of another build of the map. */
static bool is_wanted(bspi_ctx *ctx, const char *path, int32_t slot)
{
	bool wanted = slot == VBSP_ENTITIES ? ctx->options.entity_source == BSPSCENE_ENTITY_SOURCE_BESIDE
	                                    : ctx->options.lump_patches;
	if (wanted) return true;
	bspi_reject_companion(ctx, path, slot == VBSP_ENTITIES
	                      ? "--entities beside takes the entities of files next to the map"
	                      : "it changes other lumps than the entities: --lump-patches applies it");
	return false;
}

static bool apply(bspi_ctx *ctx, const bspi_sibling *patch, int32_t revision, bspi_lump *lumps)
{
	bspi_cursor cursor = bspi_cursor_at(patch->bytes, 0);
	int32_t offset = bspi_take_i32(&cursor), slot = bspi_take_i32(&cursor), version = bspi_take_i32(&cursor);
	int32_t size = bspi_take_i32(&cursor), wanted = bspi_take_i32(&cursor);
	bspi_bytes bytes;
	if (cursor.failed || offset < HEADER_SIZE || size < 0 || slot < 0 || slot >= VBSP_LUMPS ||
	    !bspi_slice(patch->bytes, (uint64_t)offset, (uint64_t)size, &bytes)) {
		return leave_out(ctx, patch->path, "its header names a lump or bytes that do not exist");
	}
	if (wanted != revision) {
		bspi_reject_companion(ctx, patch->path, "for another revision of the map");
		return bspi_warn(ctx, BSPSCENE_WARNING_FILE_STALE, BSPI_LUMP("lump patch"),
		                 "%s is not used: it is for revision %" PRId32 ", but the map has revision %" PRId32,
		                 patch->path, wanted, revision);
	}
	/* The game lump is not replaced, because its offsets are relative to the map's own file. */
	if (slot == VBSP_GAME_LUMP) return leave_out(ctx, patch->path, "it replaces the game lump, which is not supported");
	if (!is_wanted(ctx, patch->path, slot)) return true;
	if (bspi_is_valve_lzma(bytes)) BSPI_TRY(bspi_read_valve_lzma(ctx, bytes, BSPI_LUMP("lump patch"), true, &bytes));
	if (slot == VBSP_ENTITIES) {
		if (!ctx->entity_file) ctx->own_entities = lumps[slot].bytes;
		ctx->entity_file = patch->path;
	}
	lumps[slot].bytes = bytes;
	lumps[slot].packed = BSPI_NO_BYTES;
	lumps[slot].version = version;
	lumps[slot].offset = 0;
	return true;
}

bool bspi_apply_lump_patches(bspi_ctx *ctx, int32_t revision, bspi_lump *lumps)
{
	for (uint32_t i = 0; i < MOST_PATCHES; i++) {
		bspi_sibling patch;
		const char *path = bspi_text_format(ctx, &ctx->scratch, "maps/%s_l_%" PRIu32 ".lmp", ctx->name, i);
		char safe[BSPI_PATH_SIZE];
		BSPI_TRY(path);
		/* If the map's name has characters that games do not accept, there can be no patch. */
		if (!bspi_text_path(path, false, safe, sizeof safe)) return true;
		if (!bspi_open_sibling(ctx, &ctx->scratch, path, BSPSCENE_FILE_ENTITIES, &patch)) return !ctx->error.status;
		BSPI_TRY(apply(ctx, &patch, revision, lumps));
	}
	return true;
}
