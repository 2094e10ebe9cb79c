/* relit_probes.c - finds the probes for which the atlas shows other light from six sides than the map. Writes their
 * light in the form in which the map stores it. */
#include "relight/relit_probes.h"

#include <string.h>

#include "base/vec.h"

#define HERE BSPI_LUMP("atlas")

/* The map's probes, and the light that the atlas has for them. */
typedef struct probing {
	bspi_relight *r;
	const bspscene_light_list *shown;
	bspi_probes probes;
	bspi_luxel_code code;
	size_t luxel_size;
	bool *changed;                     /* for each probe, true if its light in the atlas differs from the map's */
} probing;

static bool check_list(probing *p)
{
	const bspi_relight *r = p->r;
	bspi_ctx *ctx = r->build.ctx;
	const bspscene_light_list *shown = p->shown;
	uint32_t luxels = p->probes.count * BSPI_SIDES;
	BSPI_CHECK(ctx, r->light->encoding != BSPSCENE_LIGHTMAP_ENCODING_RAW, BSPSCENE_ERROR_BAD_DATA, HERE,
	           "light list \"" BSPI_PROBE_LIST "\" cannot be in raw encoding: use display or hdr");
	BSPI_CHECK(ctx, p->probes.kind != BSPI_NO_PROBES, BSPSCENE_ERROR_OTHER_MAP, HERE,
	           "the atlas has the light list \"" BSPI_PROBE_LIST "\", but the map does not");
	BSPI_CHECK(ctx, shown->count == luxels, BSPSCENE_ERROR_OTHER_MAP, HERE,
	           "the light list \"" BSPI_PROBE_LIST "\" has %u luxels in the atlas, but %u in this map", shown->count,
	           luxels);
	const bspscene_lightmap_page *page = &shown->luxels;
	bool fits = page->format == bspi_probe_format(&r->build) && (uint64_t)page->width * page->height >= luxels;
	BSPI_CHECK(ctx, !page->data || fits, BSPSCENE_ERROR_BAD_DATA, HERE,
	           "the page of light list \"" BSPI_PROBE_LIST "\" does not hold %u luxels in this encoding", luxels);
	return true;
}

/* Returns the address that bytes of the map have in the copy of its file. Returns NULL if they are compressed in the
 * file. */
static uint8_t *copy_of(const bspi_relight *r, const uint8_t *stored)
{
	const bspi_relit_file *map = &r->files[0];
	bool inside = stored >= map->old.data && stored < map->old.data + map->old.size;
	return inside ? map->new + (stored - map->old.data) : NULL;
}

/* ---- Wanted light ----------------------------------------------------------------------------------------- */

/* Finds the light that a probe gets. A side for which the atlas shows the map's light keeps its light. Its stored
 * bytes may change nevertheless, if the format stores several sides in the same bytes. */
static void read_new(const probing *p, uint32_t index, bspi_edited_light_of *out)
{
	bspi_relight *r = p->r;
	const bspi_probe *probe = &p->probes.items[index];
	const uint8_t *shown = (const uint8_t *)p->shown->luxels.data + (size_t)index * BSPI_SIDES * p->luxel_size;
	uint8_t own[BSPI_SIDES * 3 * sizeof(uint16_t)];
	*out = (bspi_edited_light_of) { .changed = false };
	bspi_probe_luxels(&r->build, &p->probes, probe, own);
	bspi_probe_light(&p->probes, probe, out->light);
	for (int side = 0; side < BSPI_SIDES; side++) {
		const uint8_t *luxel = shown + (size_t)side * p->luxel_size;
		bool repaired = false;
		if (!memcmp(luxel, own + (size_t)side * p->luxel_size, p->luxel_size)) continue;
		bspi_page_to_light(&p->code, r->map.rules.intensity, r->light->encoding, luxel, out->light[side], &repaired);
		r->report.repaired += repaired;
		out->changed = out->side_changed[side] = true;
	}
	if (out->changed) r->report.points_changed++;
	p->changed[index] = out->changed;
}

/* ---- Written light ---------------------------------------------------------------------------------------- */

static void write_mean(const probing *p, const bspi_edited_light_of *new, uint8_t *out)
{
	double mean[3] = { 0 };
	for (int k = 0; k < 3 * BSPI_SIDES; k++) mean[k % 3] += new->light[k / 3][k % 3] / BSPI_SIDES;
	bspi_note_clamped(p->r, bspi_light_to_luxel(&p->code, mean, out));
}

static void write_cube(const probing *p, const bspi_edited_light_of *new, uint8_t *out)
{
	for (int side = 0; side < BSPI_SIDES; side++) {
		double factor = 1;
		if (new->side_changed[side]) factor = bspi_light_to_luxel(&p->code, new->light[side], out + 4 * side);
		bspi_note_clamped(p->r, factor);
	}
}

static bool write_point(probing *p, uint32_t first, uint32_t count)
{
	bspi_relight *r = p->r;
	const bspi_probe *items = &p->probes.items[first];
	bspi_edited_light_of news[BSPI_GRID_SETS];
	uint8_t record[BSPI_STYLED_SAMPLE];
	bool changed = false;
	for (uint32_t i = 0; i < count; i++) {
		read_new(p, first + i, &news[i]);
		changed = changed || news[i].changed;
	}
	if (!changed) return true;
	uint8_t *new = copy_of(r, items[0].stored);
	BSPI_CHECK(r->build.ctx, new, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, HERE,
	           "the map stores the light list \"" BSPI_PROBE_LIST "\" compressed, so changes cannot be written");
	if (p->probes.kind == BSPI_CUBE_PROBES) write_cube(p, news, new);
	else if (p->probes.kind == BSPI_OCTREE_PROBES) write_mean(p, news, new);
	if (p->probes.kind != BSPI_GRID_PROBES) return true;
	size_t size = p->probes.sets > 1 ? BSPI_STYLED_SAMPLE : BSPI_PLAIN_SAMPLE;
	memcpy(record, new, size);
	bspi_note_clamped(r, bspi_fit_record(&p->probes, items, news, count, &p->code, record));
	if (r->map.light_grid_index.size) return bspi_give_record(r, p->probes.count, items[0].point, record);
	memcpy(new, record, size);
	return true;
}

/* ---- Probes of the other range of light ------------------------------------------------------------------- */

/* Finds the nearest probe that is in the same leaf. Probes are in the order of their leaves, so this is a binary
 * search. Returns NO_INDEX if there is none. */
static uint32_t find_nearest(const bspi_probes *probes, const bspi_ambient *other)
{
	enum { MOST_COMPARED = 64 };       /* limit; compilers write up to 16 in a leaf */
	uint32_t low = 0, high = probes->count, best = BSPSCENE_NO_INDEX, leaf = (uint32_t)other->leaf;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (probes->items[middle].point < leaf) low = middle + 1;
		else high = middle;
	}
	for (uint32_t i = low; i < probes->count && i - low < MOST_COMPARED && probes->items[i].point == leaf; i++) {
		bool nearer = best == BSPSCENE_NO_INDEX ||
		              bspi_distance_squared(probes->items[i].shown.origin, other->origin) <
		                  bspi_distance_squared(probes->items[best].shown.origin, other->origin);
		if (nearer) best = i;
	}
	return best;
}

/* Copies changed light to the probes of the other range. Probes of LDR and HDR have different positions. So each one
 * takes the light of the nearest probe, if that changed. */
static bool write_others(const probing *p)
{
	bspi_relight *r = p->r;
	for (uint32_t i = 0; i < r->map.other_ambient_count; i++) {
		const bspi_ambient *other = &r->map.other_ambients[i];
		uint32_t nearest = find_nearest(&p->probes, other);
		if (nearest == BSPSCENE_NO_INDEX || !p->changed[nearest]) continue;
		uint8_t *new = copy_of(r, other->stored);
		BSPI_CHECK(r->build.ctx, new, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, HERE,
		           "the map stores the light list \"" BSPI_PROBE_LIST "\" compressed, so changes cannot be written");
		memcpy(new, copy_of(r, p->probes.items[nearest].stored), (size_t)4 * BSPI_SIDES);
	}
	return true;
}

/* ---- All probes ------------------------------------------------------------------------------------------- */

bool bspi_relight_probes(bspi_relight *r, const bspscene_light_list *shown)
{
	enum { CUBE_SCALE = 255 };         /* a stored value of 1 is a light of 1 in cubes, but of 1/255 in luxels */
	bspi_ctx *ctx = r->build.ctx;
	probing p = { .r = r, .shown = shown, .luxel_size = bspi_probe_luxel_size(&r->build) };
	BSPI_TRY(bspi_find_probes(&r->build, &ctx->scratch, &p.probes) && check_list(&p));
	if (!shown->luxels.data) return true;
	bool cubes = p.probes.kind == BSPI_CUBE_PROBES, grid = p.probes.kind == BSPI_GRID_PROBES;
	bspi_init_luxel_code(&p.code, &r->map.rules, cubes ? BSPI_LIGHT_RGBEXP32 : BSPI_LIGHT_RGB8,
	                     r->map.rules.overbright);
	if (cubes) p.code.scale = CUBE_SCALE;
	p.changed = bspi_push(ctx, &ctx->scratch, bool, p.probes.count);
	BSPI_TRY(p.changed);
	for (uint32_t i = 0, count; i < p.probes.count; i += count) {
		const bspi_probe *items = p.probes.items + i;
		count = 1;
		while (grid && i + count < p.probes.count && items[count].point == items[0].point) count++;
		BSPI_TRY(write_point(&p, i, count));
	}
	return !cubes || write_others(&p);
}

static bool is_as_written(const bspi_relight *r, bspi_bytes old, bspi_bytes new)
{
	const uint8_t *written = old.size ? copy_of(r, old.data) : NULL;
	return !written || (old.size == new.size && !memcmp(written, new.data, new.size));
}

bool bspi_same_probes(const bspi_relight *r, const bspi_relight *again)
{
	enum { CUBE = 4 * BSPI_SIDES };
	const bspi_map *old = &r->map, *new = &again->map;
	bool same = old->ambients_count == new->ambients_count && is_as_written(r, old->light_octree, new->light_octree);
	for (uint32_t i = 0; same && i < old->ambients_count; i++) {
		const uint8_t *was = old->ambients[i].stored, *is = new->ambients[i].stored;
		same = is_as_written(r, bspi_bytes_of(was, CUBE), bspi_bytes_of(is, CUBE));
	}
	return same && (!r->records.count || bspi_same_records(r, again));
}
