/* shared_records.c - writes light grids whose points share records (Raven, QFusion). Points that changed get new
 * records; points with the same new light share one. New records replace old ones that no point uses anymore. If there
 * are not enough of these, the lump is moved to the end of the file and enlarged. */
#include "relight/relit_probes.h"

#include <stdlib.h>
#include <string.h>

#define HERE BSPI_LUMP("light grid")

enum {
	SIZE = BSPI_STYLED_SAMPLE, STYLES_AT = 24, STYLES_END = 28,
	MOST_RECORDS = 0xffff,             /* q3map2's MAX_MAP_GRID; a point has the index of its record in two bytes */
	LUMP_ALIGNMENT = 4
};

bool bspi_give_record(bspi_relight *r, uint32_t most, uint32_t point, const uint8_t record[30])
{
	bspi_ctx *ctx = r->build.ctx;
	if (!r->records.items) r->records.items = bspi_push_unset(ctx, &ctx->scratch, most, sizeof *r->records.items);
	BSPI_TRY(r->records.items);
	bspi_given_record *given = &r->records.items[r->records.count++];
	given->point = point;
	memcpy(given->bytes, record, SIZE);
	return true;
}

static int compare_records(const void *x, const void *y)
{
	const bspi_given_record *a = x, *b = y;
	int order = memcmp(a->bytes, b->bytes, SIZE);
	return order ? order : (a->point > b->point) - (a->point < b->point);
}

/* Sorts the new records and numbers them from 0. Equal records get the same number. Returns how many different ones
 * there are. */
static uint32_t number_records(bspi_given_record *items, uint32_t count)
{
	uint32_t numbers = 0;
	qsort(items, count, sizeof *items, compare_records);
	for (uint32_t i = 0; i < count; i++) {
		if (i && memcmp(items[i].bytes, items[i - 1].bytes, SIZE)) numbers++;
		items[i].number = numbers;
	}
	return numbers + 1;
}

/* Rounds the values of a record to multiples of `step`, so that more records are equal. White stays white. A color that
 * was not 0 does not become 0. */
static void coarsen(bspi_given_record *item, uint32_t step)
{
	for (uint32_t i = 0; i < SIZE; i++) {
		if (i >= STYLES_AT && i < STYLES_END) continue;
		uint32_t value = (item->bytes[i] + step / 2) / step * step;
		if (i >= STYLES_END) item->bytes[i] = (uint8_t)(value & 0xff);
		else if (item->bytes[i]) item->bytes[i] = (uint8_t)(value > 255 ? 255 : value ? value : 1);
	}
}

/* Marks the records to which unchanged points refer. Returns how many these are. */
static uint32_t find_used(const bspi_relight *r, const uint8_t *index, const bool *given, bool *used, uint32_t count)
{
	uint32_t kept = 0;
	for (size_t i = 0; i < r->map.light_grid_index.size / 2; i++) {
		uint32_t number = bspi_load_u16(index + 2 * i);
		if (given[i] || number >= count || used[number]) continue;
		used[number] = true;
		kept++;
	}
	return kept;
}

static const bspi_lump_place *find_place(const bspi_map *map)
{
	uint64_t offset = (uint64_t)(map->light_grid.data - map->file.data);
	for (uint32_t i = 0; i < map->lump_place_count; i++) {
		const bspi_lump_place *place = &map->lump_places[i];
		if (!strcmp(place->name, "light grid") && bspi_load_u32(map->file.data + place->at) == offset) return place;
	}
	return NULL;
}

static void store_u32(uint8_t *out, uint32_t value)
{
	for (int i = 0; i < 4; i++) out[i] = (uint8_t)(value >> 8 * i);
}

/* Makes room for `count` records at the end of the file, and copies the old records there. Sets the lump's offset and
 * size in the directory. */
static uint8_t *move_lump(bspi_relight *r, uint32_t count)
{
	bspi_ctx *ctx = r->build.ctx;
	bspi_relit_file *file = &r->files[0];
	bspi_bytes old = r->map.light_grid;
	const bspi_lump_place *place = find_place(&r->map);
	uint64_t at = ((uint64_t)file->new_size + LUMP_ALIGNMENT - 1) / LUMP_ALIGNMENT * LUMP_ALIGNMENT;
	uint64_t size = at + (uint64_t)count * SIZE;
	if (!place || size > INT32_MAX) {
		bspi_fail(ctx, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, HERE,
		          "the lump has no room for the changed light, and cannot be moved");
		return NULL;
	}
	uint8_t *grown = bspi_push(ctx, &ctx->scratch, uint8_t, (size_t)size);
	if (!grown) return NULL;
	uint8_t *from = grown + (old.data - r->map.file.data);
	memcpy(grown, file->new, file->new_size);
	memcpy(grown + at, from, old.size);
	memset(from, 0, old.size);
	store_u32(grown + place->at, (uint32_t)at);
	store_u32(grown + place->size_at, count * SIZE);
	file->new = grown;
	file->new_size = (size_t)size;
	return grown + at;
}

/* Writes each new record once. Unused old records are overwritten first. Sets the record index of each changed
 * point. */
static bool write_records(bspi_relight *r, const bool *used, uint32_t count, uint32_t all)
{
	const bspi_given_record *items = r->records.items;
	uint8_t *records = all > count ? move_lump(r, all)
	                               : r->files[0].new + (r->map.light_grid.data - r->map.file.data);
	BSPI_TRY(records);
	uint8_t *index = r->files[0].new + (r->map.light_grid_index.data - r->map.file.data);
	uint32_t slot = BSPSCENE_NO_INDEX;
	for (uint32_t i = 0; i < r->records.count; i++) {
		if (!i || items[i].number != items[i - 1].number) {
			do slot++; /* the first time, this wraps from NO_INDEX to 0 */
			while (slot < count && used[slot]);
			memcpy(records + (size_t)slot * SIZE, items[i].bytes, SIZE);
		}
		index[2 * (size_t)items[i].point] = (uint8_t)slot;
		index[2 * (size_t)items[i].point + 1] = (uint8_t)(slot >> 8);
	}
	r->records.bytes = bspi_bytes_of(records, (size_t)(all > count ? all : count) * SIZE);
	return true;
}

/* Some points refer to a record that does not exist. When the lump grows, their index must stay too large, so it is set
 * to 0xffff. */
static void keep_lost(bspi_relight *r, const bool *given, uint32_t count)
{
	bspi_bytes old = r->map.light_grid_index;
	uint8_t *index = r->files[0].new + (old.data - r->map.file.data);
	for (size_t i = 0; i < old.size / 2; i++) {
		if (!given[i] && bspi_load_u16(old.data + 2 * i) >= count) index[2 * i] = index[2 * i + 1] = 0xff;
	}
}

bool bspi_settle_records(bspi_relight *r)
{
	enum { COARSEST = 64 };
	bspi_ctx *ctx = r->build.ctx;
	bspi_bytes index = r->map.light_grid_index;
	uint32_t count = (uint32_t)(r->map.light_grid.size / SIZE), step = 1;
	if (!r->records.count) return true;
	bool *given = bspi_push(ctx, &ctx->scratch, bool, index.size / 2);
	bool *used = bspi_push(ctx, &ctx->scratch, bool, count);
	BSPI_TRY(given && used);
	for (uint32_t i = 0; i < r->records.count; i++) given[r->records.items[i].point] = true;
	uint32_t kept = find_used(r, index.data, given, used, count);
	uint32_t news = number_records(r->records.items, r->records.count);
	while (news > MOST_RECORDS - kept && step < COARSEST) {
		step *= 2;
		for (uint32_t i = 0; i < r->records.count; i++) coarsen(&r->records.items[i], step);
		news = number_records(r->records.items, r->records.count);
	}
	BSPI_CHECK(ctx, kept <= MOST_RECORDS && news <= MOST_RECORDS - kept, BSPSCENE_ERROR_LIMIT, HERE,
	           "its %u points would need more different colors than the %u that the format has room for",
	           r->records.count, MOST_RECORDS);
	uint32_t all = kept + news > count ? kept + news : count;
	if (all > count) keep_lost(r, given, count);
	return write_records(r, used, count, all);
}

bool bspi_same_records(const bspi_relight *r, const bspi_relight *again)
{
	bspi_bytes old = r->map.light_grid_index, new = again->map.light_grid_index, records = again->map.light_grid;
	const uint8_t *index = r->files[0].new + (old.data - r->map.file.data);
	return records.size >= r->records.bytes.size && new.size == old.size && !memcmp(new.data, index, new.size) &&
	       !memcmp(records.data, r->records.bytes.data, r->records.bytes.size);
}
