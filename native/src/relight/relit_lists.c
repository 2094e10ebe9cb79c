/* relit_lists.c - changes light that is on no page: that of vertices and of the light grid. It is compared and changed
 * luxel by luxel, as on pages. */
#include "relight/relit_probes.h"

#include <string.h>

#define HERE BSPI_LUMP("atlas")

/* A list of the atlas, and the list of the map that has the same name. */
typedef struct list_pair {
	const bspscene_light_list *shown;
	bspi_light_list stored;
} list_pair;

static bool find_pair(bspi_relight *r, const bspscene_light_list *shown, const bspi_light_encoder *encoder,
                      list_pair *out)
{
	bspi_ctx *ctx = r->build.ctx;
	bspi_light_list lists[BSPI_MOST_LIGHT_LISTS];
	uint32_t count = bspi_find_light_lists(&r->map, lists), i = 0;
	while (i < count && strcmp(lists[i].name, shown->name)) i++;
	BSPI_CHECK(ctx, i < count, BSPSCENE_ERROR_OTHER_MAP, HERE,
	           "the atlas has the light list \"%.40s\", but the map does not", shown->name);
	const bspi_stored_colors *colors = &lists[i].colors;
	BSPI_CHECK(ctx, shown->count == colors->count, BSPSCENE_ERROR_OTHER_MAP, HERE,
	           "the light list \"%s\" has %u luxels in the atlas, but %u in this map", lists[i].name, shown->count,
	           colors->count);
	const bspscene_lightmap_page *page = &shown->luxels;
	bool fits = page->format == encoder->format && (uint64_t)page->width * page->height >= shown->count;
	BSPI_CHECK(ctx, !page->data || fits, BSPSCENE_ERROR_BAD_DATA, HERE,
	           "the page of light list \"%s\" does not hold %u luxels in this encoding", lists[i].name, shown->count);
	*out = (list_pair) { shown, lists[i] };
	return true;
}

static void put_luxel(bspi_relight *r, const bspi_byte_table *table, const void *shown, uint8_t *out)
{
	double light[3], factor = 1;
	bool repaired = false;
	r->report.points_changed++;
	switch (r->light->encoding) {
	case BSPSCENE_LIGHTMAP_ENCODING_RAW: memcpy(out, shown, 3); break;
	case BSPSCENE_LIGHTMAP_ENCODING_DISPLAY: factor = bspi_bytes_to_luxel(table, shown, out); break;
	default:
		bspi_page_to_light(&table->code, r->map.rules.intensity, r->light->encoding, shown, light, &repaired);
		factor = bspi_light_to_luxel(&table->code, light, out);
	}
	bspi_note_clamped(r, factor);
	r->report.repaired += repaired;
}

static void write_list(bspi_relight *r, const list_pair *pair, const bspi_light_encoder *encoder)
{
	const bspi_stored_colors *colors = &pair->stored.colors;
	const uint8_t *shown = pair->shown->luxels.data;
	uint8_t *new = r->files[0].new + (colors->first - r->map.file.data);
	size_t size = encoder->out_size;
	bspi_luxel_code code;
	bspi_byte_table table;
	bspi_init_luxel_code(&code, &r->map.rules, BSPI_LIGHT_RGB8, r->map.rules.overbright);
	bspi_init_byte_table(&table, &code, (double)r->map.rules.intensity);
	for (uint32_t first = 0, count; first < colors->count; first += count, shown += count * size) {
		uint8_t old[BSPI_COLORS_AT_ONCE][3];
		uint16_t kept[BSPI_COLORS_AT_ONCE][3]; /* the map's luxels, encoded like the list: half floats or bytes */
		count = bspi_gather_colors(colors, first, old);
		encoder->row(encoder, old[0], count, kept);
		if (!memcmp(shown, kept, count * size)) continue;
		for (size_t i = 0; i < count; i++) {
			if (!memcmp(shown + i * size, (const uint8_t *)kept + i * size, size)) continue;
			put_luxel(r, &table, shown + i * size, new + (first + i) * colors->stride);
		}
	}
}

/* Changes all lists. The list of probes comes last: it contains more about a point of the grid than the grid's own
 * lists. */
bool bspi_relight_lists(bspi_relight *r)
{
	bspi_light_encoder encoder;
	const bspscene_light_list *probes = NULL;
	if (!r->light->list_count) return true;
	bspi_init_list_encoder(&r->build, &encoder);
	for (uint32_t i = 0; i < r->light->list_count; i++) {
		const bspscene_light_list *shown = &r->light->lists[i];
		list_pair pair = { .shown = NULL };
		bool is_probes = !strcmp(shown->name, BSPI_PROBE_LIST);
		BSPI_TRY(is_probes || find_pair(r, shown, &encoder, &pair));
		for (uint32_t k = 0; k < i; k++) {
			bool twice = !strcmp(r->light->lists[k].name, shown->name);
			BSPI_CHECK(r->build.ctx, !twice, BSPSCENE_ERROR_BAD_DATA, HERE, "the light list \"%s\" is there twice",
			           shown->name);
		}
		if (is_probes) probes = shown;
		else if (shown->luxels.data) write_list(r, &pair, &encoder);
	}
	return !probes || bspi_relight_probes(r, probes);
}

bool bspi_same_lists(const bspi_relight *r, const bspi_relight *again)
{
	bspi_light_list old[BSPI_MOST_LIGHT_LISTS], new[BSPI_MOST_LIGHT_LISTS];
	uint32_t count = bspi_find_light_lists(&r->map, old);
	if (bspi_find_light_lists(&again->map, new) != count) return false;
	for (uint32_t i = 0; i < count; i++) {
		const bspi_stored_colors *a = &old[i].colors, *b = &new[i].colors;
		bool is_grid = !strncmp(old[i].name, "grid_", strlen("grid_"));
		if (is_grid && r->records.count) continue; /* bspi_same_records checks shared records */
		if (a->count != b->count || a->stride != b->stride) return false;
		for (uint32_t k = 0; k < a->count; k++) {
			const uint8_t *written = r->files[0].new + (a->first + k * a->stride - r->map.file.data);
			if (memcmp(written, b->first + k * b->stride, 3)) return false;
		}
	}
	return true;
}
