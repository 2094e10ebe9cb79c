/* light_lists.c - light that is on no page, as lists of luxels: of draw vertices, of points of a plain light grid. */
#include "stages/light/light.h"

enum { GRID_SAMPLE = 8, DIRECTED = 3, ROW = 256, LONG_ROW = 16384 };

uint32_t bspi_find_light_lists(const bspi_map *map, bspi_light_list out[BSPI_MOST_LIGHT_LISTS])
{
	static const char *const names[BSPI_MOST_COLOR_SETS] = { "vertices", "vertices1", "vertices2", "vertices3" };
	uint32_t count = 0;
	if (map->rules.light_storage != BSPI_STORAGE_PAGES) return 0;
	for (uint32_t i = 0; i < map->vertex_color_count; i++) {
		const bspi_light_list list = { names[i], map->vertex_colors[i] };
		out[count++] = list;
	}
 /* Raven's points share records, Medal of Honor's are indices of colours. */
	bool plain = !map->light_grid_index.size && !map->light_grid_palette.size;
	uint32_t points = plain ? (uint32_t)(map->light_grid.size / GRID_SAMPLE) : 0;
	for (uint32_t i = 0; points && i < 2; i++) {
		const bspi_light_list list = {
			i ? "grid_directed" : "grid_ambient",
			{ map->light_grid.data + (i ? DIRECTED : 0), points, GRID_SAMPLE },
		};
		out[count++] = list;
	}
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
	for (uint32_t i = 0; i < list->colors.count; i++) {
		encoder.row(&encoder, list->colors.first + i * list->colors.stride, 1, data + (size_t)i * encoder.out_size);
	}
	*out = (bspscene_light_list) { list->name, list->colors.count, { width, height, encoder.format, data } };
	return true;
}

bool bspi_encode_light_lists(bspi_build *build, bspscene_stored_light *stored)
{
	bspi_light_list lists[BSPI_MOST_LIGHT_LISTS];
	uint32_t count = bspi_find_light_lists(build->map, lists);
	bspscene_light_list *out = bspi_push(build->ctx, &build->ctx->result, bspscene_light_list, count);
	BSPI_TRY(out);
	for (uint32_t i = 0; i < count; i++) BSPI_TRY(encode_list(build, &lists[i], &out[i]));
	stored->lists = out;
	stored->list_count = count;
	return true;
}
