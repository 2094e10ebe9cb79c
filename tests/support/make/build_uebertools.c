/* build_uebertools.c - Quake III's room in the formats of FAKK 2, Alice, Elite Force II and Medal of Honor. The last
 * one has a hill, a similar ceiling and a placed model. */
#include <string.h>

#include "support/make/build_map.h"

enum { QUAKE3_ENTITIES = 0, QUAKE3_LIGHTMAPS = 14, QUAKE3_LIGHT_GRID = 15, QUAKE3_VISIBILITY = 16 };

/* For each format, the number of its lumps and the indices of some lumps in the directory. If `light_grid` is 0, the
 * format has a grid of run-length coded columns instead, in the three lumps after `visibility`. */
static const struct order {
	const char *magic;
	int32_t version;
	uint32_t lump_count, lightmaps, entities, visibility, light_grid;
	uint32_t columns, height;          /* columns on each side of the grid, and samples in a column */
} orders[] = {
	{ "FAKK", 12, 20, 2, 14, 15, 16, 0, 0 },
	{ "FAKK", 42, 20, 2, 14, 15, 16, 0, 0 },
	{ "FAKK", 19, 30, 2, 16, 17, 18, 0, 0 },
	{ "EF2!", 20, 30, 2, 16, 17, 18, 0, 0 },
	{ "2015", 17, 29, 2, 15, 16, 0, 9, 9 },
	{ "2015", 18, 29, 2, 15, 16, 0, 9, 9 },
	{ "2015", 19, 28, 2, 14, 15, 0, 9, 9 },
	{ "EALA", 20, 28, 2, 14, 15, 0, 6, 5 },
	{ "EALA", 21, 28, 2, 14, 15, 0, 4, 4 },
};

/* The second terrain hangs from above, because a flag inverts it. */
static bspi_terrain terrain[] = {
	{ .x = -8, .y = 4, .z = -64, .uvs = { { 0, 0 }, { 0, 4 }, { 8, 0 }, { 8, 4 } }, .texture = 0, .lightmap = 1,
	  .lightmap_x = 40, .lightmap_y = 60, .luxels = 2 },
	{ .x = 0, .y = -8, .z = 300, .uvs = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 } }, .texture = 0, .lightmap = -1,
	  .luxels = 1, .flags = 0x40 },
};
static bspi_static_prop static_props[] = {
	{ .model = "static/tree.tik", .origin = { 64, 32, 0 }, .angles = { 0, 90, 0 }, .scale = 2 },
};

static const struct order *order_of(const bspi_variant *variant)
{
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
		if (!strcmp(orders[i].magic, variant->magic) && orders[i].version == variant->version) return &orders[i];
	}
	bspt_die("find the order of lumps of", variant->name);
}

/* Adds the grid of columns. Each column has two literal palette indices, then a run of bspt_column_index(x, y, 2). */
static void add_columns(const struct order *order, bspt_parts *parts)
{
	enum { COLUMN = 5, MOST = 9 * 9 };
	static uint8_t palette[768], offsets[2 * (9 + MOST)], columns[COLUMN * MOST];
	for (size_t i = 0; i < sizeof palette; i++) palette[i] = (uint8_t)(i * 11 % 101);
	for (uint32_t x = 0, at = 0; x < order->columns; x++) {
		uint32_t upper = at / 256;
		offsets[2 * x] = (uint8_t)upper;
		for (uint32_t y = 0; y < order->columns; y++, at += COLUMN) {
			uint8_t *lower = offsets + 2 * (order->columns + x * order->columns + y), *column = columns + at;
			lower[0] = (uint8_t)(at - 256 * upper);
			lower[1] = (uint8_t)((at - 256 * upper) >> 8);
			column[0] = 256 - 2;
			for (uint32_t z = 0; z < 2; z++) column[1 + z] = bspt_column_index(x, y, z);
			column[3] = (uint8_t)(order->height - 2 - 2);
			column[4] = bspt_column_index(x, y, 2);
		}
	}
	uint32_t count = order->columns * order->columns;
	parts->raw[order->visibility + 1] = bspi_bytes_of(palette, sizeof palette);
	parts->raw[order->visibility + 2] = bspi_bytes_of(offsets, 2 * (size_t)(order->columns + count));
	parts->raw[order->visibility + 3] = bspi_bytes_of(columns, (size_t)COLUMN * count);
}

uint8_t bspt_column_index(uint32_t x, uint32_t y, uint32_t z)
{
	return (uint8_t)((x * 31 + y * 7 + (z < 2 ? z : 2) * 3) % 256);
}

void bspt_room_uebertools(const bspi_variant *variant, bspt_parts *parts)
{
	const struct order *order = order_of(variant);
	bspt_parts quake3 = { .lump_count = 0 };
	bspt_room_quake3(variant, &quake3);
	parts->map = quake3.map;
	parts->lump_count = order->lump_count;
	parts->raw[order->entities] = quake3.raw[QUAKE3_ENTITIES];
	parts->raw[order->lightmaps] = quake3.raw[QUAKE3_LIGHTMAPS];
	parts->raw[order->visibility] = quake3.raw[QUAKE3_VISIBILITY];
	if (order->light_grid) parts->raw[order->light_grid] = quake3.raw[QUAKE3_LIGHT_GRID];
	/* Only Medal of Honor's formats, which have 28 or 29 lumps, have terrain, placed models and columns. */
	if (order->lump_count != 28 && order->lump_count != 29) return;
	for (int i = 0; i < 81; i++) {
		terrain[0].heights[i] = terrain[1].heights[i] = (uint8_t)((i % 9) * (8 - i % 9) * (i / 9));
	}
	parts->map.terrain = terrain;
	parts->map.terrain_count = 2;
	parts->map.static_props = static_props;
	parts->map.static_props_count = 1;
	add_columns(order, parts);
}
