/* respawn_files.c - opens files next to a map: files with a single lump each, and files that hold most of the map's
 * entities. */
#include "families/respawn/respawn.h"

#include <inttypes.h>

#include "base/text.h"
#include "io/io.h"

static const uint8_t read_slots[] = {
	RESPAWN_ENTITIES, RESPAWN_PLANES, RESPAWN_TEXDATA, RESPAWN_POSITIONS, RESPAWN_MODELS, RESPAWN_SURFACE_NAMES,
	RESPAWN_ENTITY_PARTS, RESPAWN_NORMALS, RESPAWN_GAME_LUMP, RESPAWN_NAMES, RESPAWN_NAME_OFFSETS, RESPAWN_UNLIT,
	RESPAWN_LIT_FLAT, RESPAWN_LIT_BUMP, RESPAWN_UNLIT_TWO_SIDED, RESPAWN_INDICES, RESPAWN_MESHES,
	RESPAWN_MATERIAL_SORTS,
};

bool bspi_respawn_lump_files(bspi_ctx *ctx, bspi_lump *lumps)
{
	for (uint32_t i = 0; i < sizeof read_slots; i++) {
		bspi_sibling file;
		uint32_t slot = read_slots[i];
		const char *path = bspi_text_format(ctx, &ctx->scratch, "maps/%s.bsp.%04" PRIx32 ".bsp_lump", ctx->name, slot);
		BSPI_TRY(path);
		if (bspi_open_sibling(ctx, &ctx->scratch, path, BSPSCENE_FILE_OTHER, &file)) lumps[slot].bytes = file.bytes;
		BSPI_TRY(!ctx->error.status);
	}
	return true;
}

/* ---- Entities --------------------------------------------------------------------------------------------- */

enum { MOST_PARTS = 16, LONGEST_PART = 32 };

/* Returns a text without its final NULs. If `part` is true, the text is from a file next to the map, so its first
 * line, "ENTITIES01", is removed too. */
static bspi_bytes text_of(bspi_bytes bytes, bool part)
{
	size_t size = bytes.size, begin = 0;
	while (size && !bytes.data[size - 1]) size--;
	while (part && begin < size && bytes.data[begin] != '{') begin++;
	return bspi_bytes_of(bytes.data + begin, size - begin);
}

/* Reads the next word of a list like "01* env spawn". Returns false if there is none. */
static bool next_word(bspi_bytes text, size_t *at, char word[LONGEST_PART])
{
	size_t size = 0;
	while (*at < text.size && text.data[*at] == ' ') (*at)++;
	for (; *at < text.size && text.data[*at] && text.data[*at] != ' '; (*at)++) {
		if (size + 1 < LONGEST_PART) word[size++] = (char)text.data[*at];
	}
	word[size] = 0;
	return size > 0;
}

/* Opens the files of entities. `names` is a list of their names. A word with a '*' stands for the map's own lump, so it
 * names no file. A missing file is counted as a warning. */
static bool open_parts(bspi_ctx *ctx, bspi_bytes names, bspi_bytes *texts, uint32_t *count)
{
	char word[LONGEST_PART];
	size_t at = 0;
	while (*count < MOST_PARTS && next_word(names, &at, word)) {
		bspi_sibling file;
		if (strchr(word, '*')) continue;
		const char *path = bspi_text_format(ctx, &ctx->scratch, "maps/%s_%s.ent", ctx->name, word);
		BSPI_TRY(path);
		if (bspi_open_sibling(ctx, &ctx->scratch, path, BSPSCENE_FILE_ENTITIES, &file)) {
			texts[(*count)++] = text_of(file.bytes, true);
			continue;
		}
		BSPI_TRY(!ctx->error.status && bspi_warn(ctx, BSPSCENE_WARNING_FILE_MISSING, BSPI_LUMP("entity parts"),
		                                         "%s, with more entities, is missing", path));
	}
	return true;
}

bool bspi_respawn_entities(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map)
{
	bspi_bytes texts[MOST_PARTS + 1] = { text_of(lumps[RESPAWN_ENTITIES].bytes, false) };
	uint32_t count = 1;
	map->entities = lumps[RESPAWN_ENTITIES].bytes;
	BSPI_TRY(open_parts(ctx, lumps[RESPAWN_ENTITY_PARTS].bytes, texts, &count));
	if (count == 1) return true;
	size_t size = 0;
	for (uint32_t i = 0; i < count; i++) size += texts[i].size + 1;
	uint8_t *all = bspi_push(ctx, &ctx->scratch, uint8_t, size), *end = all;
	BSPI_TRY(all);
	for (uint32_t i = 0; i < count; i++) {
		memcpy(end, texts[i].data, texts[i].size);
		end[texts[i].size] = '\n';
		end += texts[i].size + 1;
	}
	map->entities = bspi_bytes_of(all, size);
	return true;
}
