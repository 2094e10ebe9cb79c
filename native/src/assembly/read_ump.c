/* read_ump.c - reads the rules of a .ump file: tiles, sets of tiles, and the block of the wanted assembly as text. */
#include "assembly/ump.h"

#include "base/text.h"
#include "io/io.h"

/* State of reading one text: the caller's, or a text that the caller's text includes by "extends". */
typedef struct reading {
	bspi_ctx *ctx;
	bspi_ump_scan scan;
	bspi_bytes base;                   /* path that replaces a "+" at the start of names, from the statement "base" */
	bool inherited;
	bspi_bytes wanted;
	bspi_ump *ump;
	uint32_t first_tile;               /* first tile of the text being read; earlier ones are inherited */
} reading;

static const char *const where = "rules";

static bool warn(reading *r, bspscene_warning_code code, const char *what, bspi_bytes name)
{
	return bspi_warn(r->ctx, code, BSPI_LUMP(where), "%s \"%.*s\"", what, (int)(name.size < 64 ? name.size : 64),
	                 (const char *)name.data);
}

static const char *join(reading *r, const char *before, bspi_bytes a, bspi_bytes b, const char *after)
{
	return bspi_text_format(r->ctx, &r->ctx->scratch, "%s%.*s%.*s%s", before, (int)a.size, (const char *)a.data,
	                        (int)b.size, (const char *)b.data, after);
}

static bspi_bytes without_plus(bspi_bytes id)
{
	return id.size && id.data[0] == '+' ? bspi_bytes_of(id.data + 1, id.size - 1) : id;
}

/* Returns a tile's path. Only names that begin with + are relative to the base. */
static const char *path_of(reading *r, const char *id)
{
	bspi_bytes name = bspi_bytes_of(id, strlen(id));
	bool own = id[0] == '+';
	return join(r, "maps/", own ? r->base : BSPI_NO_BYTES, without_plus(name), ".bsp");
}

/* Reads a cell, a word of one or more characters. '+' means the tile itself, '0' any ground, and another digit or a
 * letter one kind of ground. */
static bool read_cell(bspi_bytes word, uint32_t *out)
{
	enum { FIRST_LETTER = 6 };
	*out = 0;
	for (size_t i = 0; i < word.size; i++) {
		char c = bspi_lower((char)word.data[i]);
		if (c == '+') *out |= BSPI_CELL_SOLID;
		else if (c == '0') *out |= BSPI_CELL_ANY;
		else if (c >= '1' && c < '0' + FIRST_LETTER) *out |= 1u << (c - '0');
		else if (c >= 'a' && c <= 'z') *out |= 1u << (c - 'a' + FIRST_LETTER);
		else return false;
	}
	return true;
}

static bool read_side(bspi_ump_scan *scan, uint32_t *out)
{
	bspi_bytes word;
	*out = 0;
	if (!bspi_ump_word(scan, &word) || !word.size || word.size > 2) return false;
	for (size_t i = 0; i < word.size; i++) {
		if (word.data[i] < '0' || word.data[i] > '9') return false;
		*out = *out * 10 + (uint32_t)(word.data[i] - '0');
	}
	return *out && *out <= BSPI_LARGEST_TILE;
}

/* Reads the size and the cells of a tile. Returns false without ctx->error if they are invalid. The caller then skips
 * the rest of the block. */
static bool read_cells(reading *r, bspi_ump_tile *tile)
{
	bspi_bytes word;
	if (!read_side(&r->scan, &tile->width) || !read_side(&r->scan, &tile->height)) return false;
	uint32_t *cells = bspi_push(r->ctx, &r->ctx->scratch, uint32_t, (size_t)tile->width * tile->height);
	BSPI_TRY(cells);
	for (uint32_t y = tile->height; y-- > 0;) {
		for (uint32_t x = 0; x < tile->width; x++) {
			uint32_t *cell = &cells[y * tile->width + x];
			size_t before = r->scan.at;
			bool is_cell = bspi_ump_word(&r->scan, &word) && read_cell(word, cell);
			if (!is_cell) r->scan.at = before;
			if (!is_cell) return false;
			tile->is_solid = tile->is_solid || (*cell & BSPI_CELL_SOLID);
		}
	}
	tile->cells = cells;
	return true;
}

static bool read_tile(reading *r, bspi_bytes id)
{
	bspi_ump *ump = r->ump;
	bspi_ump_tile tile = { 0 };
	bspi_bytes word;
	bool opened = bspi_ump_word(&r->scan, &word) && bspi_ump_is(&r->scan, word, "{");
	bool usable = opened && read_cells(r, &tile);
	BSPI_TRY(!r->ctx->error.status);
	if (opened) bspi_ump_skip_block(&r->scan);
	if (!usable)
		return warn(r, BSPSCENE_WARNING_REFERENCE, "a tile is left out, because its size or cells are not valid:", id);
	if (ump->tile_count == BSPI_MOST_TILES)
		return warn(r, BSPSCENE_WARNING_LIMIT, "there are too many tiles, so this one is left out:", id);
	tile.id = r->inherited ? join(r, "", r->base, without_plus(id), "") : join(r, "", id, BSPI_NO_BYTES, "");
	BSPI_TRY(tile.id);
	ump->tiles[ump->tile_count++] = tile;
	return true;
}

static bool add_to_set(reading *r, bspi_tile_set *set, bspi_bytes id)
{
	const char *name = r->inherited ? join(r, "", r->base, without_plus(id), "") : join(r, "", id, BSPI_NO_BYTES, "");
	BSPI_TRY(name);
	uint32_t tile = 0;
	while (tile < r->ump->tile_count && strcmp(r->ump->tiles[tile].id, name) != 0) tile++;
	if (tile == r->ump->tile_count)
		return warn(r, BSPSCENE_WARNING_REFERENCE, "a set names a tile that does not exist:", id);
	if (set->tile_count == BSPI_MOST_TILES_IN_SET) {
		return warn(r, BSPSCENE_WARNING_LIMIT, "a set has too many tiles, so this one is left out:", id);
	}
	set->tiles[set->tile_count++] = tile;
	return true;
}

static bool read_set(reading *r, bspi_bytes id)
{
	bspi_tile_set unused = { 0 }, *set = &unused;
	bspi_bytes word;
	if (r->ump->set_count < BSPI_MOST_TILE_SETS) set = &r->ump->sets[r->ump->set_count];
	else BSPI_TRY(warn(r, BSPSCENE_WARNING_LIMIT, "there are too many sets, so this one is left out:", id));
	*set = (bspi_tile_set){ .id = join(r, "", id, BSPI_NO_BYTES, "") };
	BSPI_TRY(set->id);
	if (!bspi_ump_word(&r->scan, &word) || !bspi_ump_is(&r->scan, word, "{")) return true;
	while (bspi_ump_word(&r->scan, &word) && !bspi_ump_is(&r->scan, word, "}")) BSPI_TRY(add_to_set(r, set, word));
	if (set != &unused && set->tile_count) r->ump->set_count++;
	return true;
}

static bool is_same(bspi_bytes a, bspi_bytes b)
{
	bool same = a.size == b.size;
	for (size_t i = 0; same && i < a.size; i++) same = bspi_lower((char)a.data[i]) == bspi_lower((char)b.data[i]);
	return same;
}

static bool read_assembly(reading *r, bspi_bytes id)
{
	bspi_bytes word;
	if (!bspi_ump_word(&r->scan, &word) || !bspi_ump_is(&r->scan, word, "{")) return true;
	size_t first = r->scan.at;
	bspi_ump_skip_block(&r->scan);
	bool wanted = !r->inherited && !r->ump->assembly && (!r->wanted.size || is_same(id, r->wanted));
	if (!wanted) return true;
	r->ump->block = bspi_bytes_of(r->scan.text.data + first, r->scan.at - first);
	r->ump->assembly = bspi_text_copy(r->ctx, id, NULL);
	return r->ump->assembly != NULL;
}

static bool read_text(reading *r);

/* Reads the tiles and sets of the text that "extends" names. This text has a base of its own, and its own "extends" is
 * ignored. */
static bool read_inherited(reading *r, bspi_bytes name)
{
	bspi_sibling file;
	const char *path = join(r, "maps/", name, BSPI_NO_BYTES, BSPI_ASSEMBLY_ENDING);
	BSPI_TRY(path);
	if (r->inherited) return true;
	if (!bspi_open_sibling(r->ctx, &r->ctx->scratch, path, BSPSCENE_FILE_MAP, &file)) {
		BSPI_TRY(!r->ctx->error.status);
		return warn(r, BSPSCENE_WARNING_FILE_MISSING,
		            "the file that \"extends\" names was not found, so its tiles and sets are missing:", name);
	}
	if (file.bytes.size > BSPI_LARGEST_UMP)
		return warn(r, BSPSCENE_WARNING_LIMIT,
		            "the file that \"extends\" names is too large, so its tiles and sets are missing:", name);
	reading inner = {
		.ctx = r->ctx, .scan = { .text = file.bytes }, .base = BSPI_NO_BYTES, .inherited = true, .ump = r->ump,
		.first_tile = r->ump->tile_count,
	};
	return read_text(&inner);
}

static bool read_statement(reading *r, bspi_bytes word)
{
	bspi_ump_scan *scan = &r->scan;
	bspi_bytes name;
	bool is_base = bspi_ump_is(scan, word, "base"), is_line = bspi_ump_is(scan, word, "line");
	bool is_extends = bspi_ump_is(scan, word, "extends"), is_tile = bspi_ump_is(scan, word, "tile");
	bool is_set = bspi_ump_is(scan, word, "tileset"), is_assembly = bspi_ump_is(scan, word, "assembly");
	if (bspi_ump_is(scan, word, "{")) bspi_ump_skip_block(scan);
	if (!(is_base || is_line || is_extends || is_tile || is_set || is_assembly)) return true;
	if (!bspi_ump_word(scan, &name)) return true;
	if (name.size >= BSPI_PATH_SIZE)
		return warn(r, BSPSCENE_WARNING_LIMIT, "the statement is ignored, because the name in it is too long:", name);
	if (is_base) r->base = name;
	if (is_extends) return read_inherited(r, name);
	if (is_tile) return read_tile(r, name);
	if (is_set) return read_set(r, name);
	return !is_assembly || read_assembly(r, name);
}

static bool read_text(reading *r)
{
	bspi_bytes word;
	while (bspi_ump_word(&r->scan, &word)) BSPI_TRY(read_statement(r, word));
	for (uint32_t i = r->first_tile; i < r->ump->tile_count; i++) {
		bspi_ump_tile *tile = &r->ump->tiles[i];
		if (tile->path) continue;
		tile->path = path_of(r, tile->id);
		BSPI_TRY(tile->path);
	}
	return true;
}

bool bspi_read_ump(bspi_ctx *ctx, bspi_bytes text, bspi_bytes wanted, bspi_ump *out)
{
	BSPI_CHECK(ctx, text.size <= BSPI_LARGEST_UMP, BSPSCENE_ERROR_LIMIT, BSPI_NOWHERE,
	           "a .ump file of %zu bytes is too large: at most %zu are read", text.size,
	           BSPI_LARGEST_UMP);
	*out = (bspi_ump){
		.tiles = bspi_push(ctx, &ctx->scratch, bspi_ump_tile, BSPI_MOST_TILES),
		.sets = bspi_push(ctx, &ctx->scratch, bspi_tile_set, BSPI_MOST_TILE_SETS),
		.fixed = bspi_push(ctx, &ctx->scratch, bspi_placed_tile, BSPI_MOST_FIXED_TILES), .block = BSPI_NO_BYTES,
	};
	BSPI_TRY(out->tiles && out->sets && out->fixed);
	reading r = { .ctx = ctx, .scan = { .text = text }, .base = BSPI_NO_BYTES, .wanted = wanted, .ump = out };
	BSPI_TRY(read_text(&r));
	BSPI_CHECK(ctx, out->assembly, BSPSCENE_ERROR_NOT_FOUND, BSPI_NOWHERE, "no assembly \"%.*s\" in it",
	           (int)(wanted.size < 64 ? wanted.size : 64), (const char *)wanted.data);
	return true;
}
