/* light_lists.c - lists, as luxels, the light that is on no page: that of draw vertices and of the light grid. */
#include <string.h>

#include "stages/light/light.h"

enum { GRID_SETS = 4, ROW = 256, LONG_ROW = 16384 };

/* Lists the colors in the records of a grid. A record has one ambient color per set, then one directed color per set,
 * then other data. In Quake III a record has one set and belongs to one point. In Raven's games and QFusion it has four
 * sets and may belong to several points. */
static uint32_t list_records(bspi_bytes grid, uint32_t sets, bspi_light_list *out)
{
	static const char *const names[2][GRID_SETS] = {
		{ "grid_ambient", "grid_ambient1", "grid_ambient2", "grid_ambient3" },
		{ "grid_directed", "grid_directed1", "grid_directed2", "grid_directed3" },
	};
	enum { PLAIN = 8, STYLED = 30 };
	uint32_t size = sets > 1 ? STYLED : PLAIN, records = (uint32_t)(grid.size / size);
	for (uint32_t i = 0; records && i < 2 * sets; i++) {
		const bspi_light_list list = { names[i / sets][i % sets], { grid.data + (size_t)3 * i, records, size } };
		out[i] = list;
	}
	return records ? 2 * sets : 0;
}

/* Lists the palette of Medal of Honor's grid. Each point of that grid is an index into the palette. Color 0 always
 * means no light. */
static uint32_t list_palette(bspi_bytes palette, bspi_light_list *out)
{
	enum { MOST = 256 };
	uint32_t colors = palette.size / 3 < MOST ? (uint32_t)(palette.size / 3) : MOST;
	*out = (bspi_light_list) { "grid_palette", { palette.data, colors, 3 } };
	return colors > 0;
}

uint32_t bspi_find_light_lists(const bspi_map *map, bspi_light_list out[BSPI_MOST_LIGHT_LISTS])
{
	static const char *const names[BSPI_MOST_COLOR_SETS] = { "vertices", "vertices1", "vertices2", "vertices3" };
	uint32_t count = 0;
	if (map->rules.light_storage != BSPI_STORAGE_PAGES) return 0;
	for (uint32_t i = 0; i < map->vertex_color_count; i++) {
		const bspi_light_list list = { names[i], map->vertex_colors[i] };
		out[count++] = list;
	}
	if (map->light_grid_palette.size) return count + list_palette(map->light_grid_palette, out + count);
	return count + list_records(map->light_grid, map->light_grid_index.size ? GRID_SETS : 1, out + count);
}

uint32_t bspi_gather_colors(const bspi_stored_colors *colors, uint32_t first, uint8_t out[BSPI_COLORS_AT_ONCE][3])
{
	uint32_t left = colors->count - first, count = left < BSPI_COLORS_AT_ONCE ? left : BSPI_COLORS_AT_ONCE;
	for (uint32_t i = 0; i < count; i++) memcpy(out[i], colors->first + (first + (size_t)i) * colors->stride, 3);
	return count;
}

void bspi_init_list_encoder(const bspi_build *build, bspi_light_encoder *out)
{
	const bspi_rules *rules = &build->map->rules;
	bspi_init_encoder(out, rules, BSPI_LIGHT_RGB8, rules->overbright, build->ctx->options.lightmap_encoding);
}

static bool encode_list(bspi_build *build, const bspi_light_list *list, bspscene_light_list *out)
{
	bspi_light_encoder encoder;
	bspi_init_list_encoder(build, &encoder);
	uint32_t width = list->colors.count > ROW * LONG_ROW ? LONG_ROW : ROW;
	uint32_t height = (list->colors.count - 1) / width + 1;
	uint8_t *data = bspi_push_zeroed(build->ctx, &build->ctx->result, (size_t)width * height, encoder.out_size);
	BSPI_TRY(data);
	for (uint32_t first = 0, count; first < list->colors.count; first += count) {
		uint8_t colors[BSPI_COLORS_AT_ONCE][3];
		count = bspi_gather_colors(&list->colors, first, colors);
		encoder.row(&encoder, colors[0], count, data + (size_t)first * encoder.out_size);
	}
	*out = (bspscene_light_list) { list->name, list->colors.count, { width, height, encoder.format, data, NULL } };
	return true;
}

bool bspi_encode_light_lists(bspi_build *build, bspscene_map_light *stored)
{
	bspi_light_list lists[BSPI_MOST_LIGHT_LISTS];
	uint32_t count = bspi_find_light_lists(build->map, lists);
	bspscene_light_list *out = bspi_push(build->ctx, &build->ctx->result, bspscene_light_list, count + 1);
	bool probes;
	BSPI_TRY(out);
	for (uint32_t i = 0; i < count; i++) BSPI_TRY(encode_list(build, &lists[i], &out[i]));
	BSPI_TRY(bspi_encode_probes(build, stored, &out[count], &probes));
	stored->lists = out;
	stored->list_count = count + probes;
	return true;
}
