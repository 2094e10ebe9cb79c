/* assembly_rules.c - reads the rules of an assembly: its size, fixed tiles, and bounds for the number of each tile. */
#include "assembly/ump.h"

#include "base/text.h"

typedef struct drawing {
	bspi_ctx *ctx;
	bspi_random *random;
	bool first;                        /* this is the first draw, whose warnings are counted */
	bspi_ump_scan scan;
	bspi_ump *ump;
} drawing;

static bool warn(drawing *d, const char *what, bspi_bytes name)
{
	if (!d->first) return true;
	return bspi_warn(d->ctx, BSPSCENE_WARNING_REFERENCE, BSPI_LUMP("rules"), "assembly \"%s\": %s \"%.*s\"",
	                 d->ump->assembly, what, (int)(name.size < 64 ? name.size : 64), (const char *)name.data);
}

/* Reads "8 5". False if it is something else or exceeds `most`. */
static bool read_two(bspi_bytes word, uint32_t most, uint32_t out[2])
{
	char text[32];
	float numbers[2];
	if (word.size >= sizeof text) return false;
	memcpy(text, word.data, word.size);
	text[word.size] = 0;
	if (bspi_text_numbers(text, numbers, 2) != 2) return false;
	for (int i = 0; i < 2; i++) {
		if (!(numbers[i] >= 0 && numbers[i] <= (float)most)) return false;
		out[i] = (uint32_t)numbers[i];
	}
	return true;
}

static bool next_two(drawing *d, uint32_t most, uint32_t out[2], bspi_bytes *word)
{
	return bspi_ump_word(&d->scan, word) && read_two(*word, most, out);
}

static bool is_named(const char *id, bspi_bytes name)
{
	return strlen(id) == name.size && !memcmp(id, name.data, name.size);
}

static uint32_t find_tile(const bspi_ump *ump, bspi_bytes name)
{
	for (uint32_t i = 0; i < ump->tile_count; i++) {
		if (is_named(ump->tiles[i].id, name)) return i;
	}
	return BSPSCENE_NO_INDEX;
}

static const bspi_tile_set *next_set(drawing *d, bspi_bytes *name)
{
	if (!bspi_ump_word(&d->scan, name)) return NULL;
	for (uint32_t i = 0; i < d->ump->set_count; i++) {
		if (is_named(d->ump->sets[i].id, *name)) return &d->ump->sets[i];
	}
	return NULL;
}

static uint32_t draw(drawing *d, const bspi_tile_set *set)
{
	return set->tiles[bspi_random_below(d->random, set->tile_count)];
}

/* Draws tiles from a set, as many as its bounds say. */
static bool draw_set(drawing *d)
{
	bspi_bytes name, word;
	uint32_t bounds[2];
	const bspi_tile_set *set = next_set(d, &name);
	if (!next_two(d, BSPI_MOST_OF_TILE, bounds, &word) || bounds[0] > bounds[1]) {
		return warn(d, "the rule is ignored, because no valid minimum and maximum, such as \"0 2\", follow the set",
		            name);
	}
	if (!set) return warn(d, "the rule is ignored, because the .ump file defines no set", name);
	for (uint32_t i = 0; i < bounds[1]; i++) {
		bspi_ump_tile *tile = &d->ump->tiles[draw(d, set)];
		tile->most++;
		tile->least += i < bounds[0];
	}
	return true;
}

/* Reads the name of a tile. In its place, the game also allows a set, or a setting ("*...") that is followed by its
 * default. */
static bool read_tile_name(drawing *d, bspi_bytes *word, uint32_t *tile)
{
	if (word->size && word->data[0] == '*' && !bspi_ump_word(&d->scan, word)) return false;
	*tile = find_tile(d->ump, *word);
	return true;
}

static bool read_fixed(drawing *d)
{
	bspi_ump *ump = d->ump;
	bspi_bytes word, place;
	uint32_t at[2], tile = BSPSCENE_NO_INDEX;
	if (!bspi_ump_word(&d->scan, &word)) return true;
	if (bspi_ump_is(&d->scan, word, "tileset")) {
		const bspi_tile_set *set = next_set(d, &word);
		if (set) tile = draw(d, set);
	} else if (!read_tile_name(d, &word, &tile)) {
		return true;
	}
	if (!next_two(d, BSPI_LARGEST_ASSEMBLY, at, &place))
		return warn(d, "the rule is ignored, because no valid position, such as \"4 0\", follows the fixed tile", word);
	if (tile == BSPSCENE_NO_INDEX)
		return warn(d, "the rule is ignored, because the .ump file does not define this tile:", word);
	if (ump->fixed_count == BSPI_MOST_FIXED_TILES)
		return warn(d, "there are too many fixed tiles, so this one is left out:", word);
	ump->fixed[ump->fixed_count++] = (bspi_placed_tile){ tile, at[0], at[1] };
	return true;
}

static bool read_bounds(drawing *d, bspi_bytes word)
{
	uint32_t tile, bounds[2];
	bspi_bytes name = word, text;
	if (!read_tile_name(d, &name, &tile)) return true;
	if (!next_two(d, BSPI_MOST_OF_TILE, bounds, &text) || bounds[0] > bounds[1]) {
		return warn(d, "the rule is ignored, because no valid minimum and maximum, such as \"0 2\", follow the tile",
		            name);
	}
	if (tile == BSPSCENE_NO_INDEX) return warn(d, "the rule is ignored, because the .ump file defines no tile", name);
	d->ump->tiles[tile].least = bounds[0];
	d->ump->tiles[tile].most = bounds[1];
	return true;
}

static bool read_size(drawing *d)
{
	uint32_t size[2];
	bspi_bytes word;
	if (!next_two(d, BSPI_LARGEST_ASSEMBLY, size, &word) || !size[0] || !size[1])
		return warn(d, "the size is ignored, because it is not two numbers from 1 on, such as \"12 8\":", word);
	d->ump->width = size[0];
	d->ump->height = size[1];
	return true;
}

static bool read_step(drawing *d)
{
	uint32_t step[2];
	bspi_bytes word;
	if (!next_two(d, BSPI_LARGEST_ASSEMBLY, step, &word) || !step[0] || !step[1])
		return warn(d, "the grid is ignored, because it is not two numbers from 1 on, such as \"2 2\":", word);
	d->ump->step[0] = step[0];
	d->ump->step[1] = step[1];
	return true;
}

static bool read_rule(drawing *d, bspi_bytes word)
{
	bspi_ump_scan *scan = &d->scan;
	bspi_bytes unused;
	if (bspi_ump_is(scan, word, "size")) return read_size(d);
	if (bspi_ump_is(scan, word, "grid")) return read_step(d);
	if (bspi_ump_is(scan, word, "fix")) return read_fixed(d);
	if (bspi_ump_is(scan, word, "tileset")) return draw_set(d);
	if (bspi_ump_is(scan, word, "seeds")) {
		/* Skips seeds, which are for the game's own random number generator. */
		if (bspi_ump_word(scan, &unused)) bspi_ump_skip_block(scan);
		return true;
	}
	if (bspi_ump_is(scan, word, "title") || bspi_ump_is(scan, word, "multiplayer")) {
		bspi_ump_word(scan, &unused);
		return true;
	}
	return read_bounds(d, word);
}

bool bspi_draw_rules(bspi_ctx *ctx, bspi_random *random, bool first, bspi_ump *ump)
{
	enum { USUAL_SIZE = 8 };
	drawing d = { .ctx = ctx, .random = random, .first = first, .scan = { .text = ump->block }, .ump = ump };
	bspi_bytes word;
	for (uint32_t i = 0; i < ump->tile_count; i++) ump->tiles[i].least = ump->tiles[i].most = 0;
	ump->fixed_count = 0;
	ump->width = ump->height = USUAL_SIZE;
	ump->step[0] = ump->step[1] = 1;
	while (bspi_ump_word(&d.scan, &word) && !bspi_ump_is(&d.scan, word, "}")) BSPI_TRY(read_rule(&d, word));
	return true;
}
