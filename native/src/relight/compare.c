/* compare.c - compares pages with the map's luxels, and changes the luxels that differ.
 *
 * Encoding loses precision. So a luxel is not changed if encoding it gives what the page shows. Faces may share luxels,
 * and an atlas may show a luxel in several rectangles. Rectangles that show it unchanged are ignored. If the other
 * rectangles show different light, the mean of their values is stored. */
#include "relight/relight_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/page_luxels.h"

#define PROGRESS_STEP 256              /* number of rectangles after which progress is reported */
#define MOST_LUXELS (UINT32_C(1) << 31) /* limit for the number of luxels in all rectangles and sets together; the
                                         * largest maps have 2^29 */
#define HERE BSPI_LUMP("atlas")

/* The light that one rectangle shows for a luxel. Only luxels for which rectangles show different light have these. */
typedef struct demand {
	bspi_luxel_span *span;
	size_t luxel;                      /* offset of the luxel's first byte in the span */
	bspi_luxel_code code;
	double light[3];
	bool direction;                    /* the luxel is three bytes of a direction, not light */
} demand;

typedef struct comparison {
	bspi_relight *relight;
	uint8_t *row;                      /* one row of a rectangle, encoded like the page */
	uint8_t *sparse_row;               /* the same row of the page, if the page is sparse */
	demand *demands; size_t demand_count, demand_capacity;
	bool collects;                     /* true in the second pass, which only adds disputed luxels to `demands` */
	const bspi_luxel_source *source;   /* the luxels that are being compared */
	bspi_luxel_span *span;             /* the span in which these luxels are */
	bspi_byte_table bytes;             /* how these luxels are encoded; the table in it is used only if `by_bytes` is
	                                    * set */
	bool by_bytes;                     /* luxels are bytes in both the page and the map */
	bool stored_form;                  /* the page has the same bytes as the map's file */
	double shown[256];                 /* for pages with display values: the linear light of each byte */
	bool face_changed;
} comparison;

/* ---- Light of rectangles ---------------------------------------------------------------------------------- */

uint32_t bspi_list_place(const bspi_relight *r, const bspscene_lightmap_rect *place,
                         bspi_luxel_source out[BSPI_MOST_LUXEL_SOURCES])
{
	const bspi_face *face = &r->map.faces[place->face_record];
	bspi_luxel_box box;
	if (!bspi_find_luxels(&r->build, face, &box)) return 0;
	bspi_luxel_source all[BSPI_MOST_LUXEL_SOURCES];
	uint32_t count = bspi_list_luxels(&r->build, &r->encoders, face, &box, all), kept = 0;
	for (uint32_t i = 0; i < count; i++) {
		/* If two sources have the same kind and style, the page shows only the second one. */
		bool hidden = false;
		for (uint32_t k = i + 1; k < count; k++) {
			hidden = hidden || (all[k].kind == all[i].kind && all[k].style == all[i].style);
		}
		if (!hidden) out[kept++] = all[i];
	}
	return kept;
}

static const bspscene_lightmap_set *find_set(const bspi_relight *r, const bspi_luxel_source *source)
{
	for (uint32_t i = 0; i < r->light->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &r->light->lightmap_sets[i];
		if (set->kind == source->kind && set->style == source->style) return set;
	}
	return NULL;
}

bspi_luxel_span *bspi_find_span(const bspi_relight *r, const uint8_t *luxel)
{
	uint32_t i = 0;
	while (luxel < r->spans[i].old.data || luxel >= r->spans[i].old.data + r->spans[i].old.size) {
		i++;
		assert(i < r->span_count);
	}
	return &r->spans[i];
}

bspi_luxel_code bspi_code_of(const bspi_relight *r, const bspi_luxel_source *source)
{
	bspi_luxel_code code;
	bool blocks = r->map.rules.light_storage == BSPI_STORAGE_BLOCKS;
	bspi_init_luxel_code(&code, &r->map.rules, blocks ? r->build.light->encoding : BSPI_LIGHT_RGB8, source->overbright);
	code.luma = r->options.convert_to_gray;
	return code;
}

/* ---- Checks ----------------------------------------------------------------------------------------------- */

static bool check_place(bspi_relight *r, const bspscene_lightmap_rect *place)
{
	bspi_ctx *ctx = r->build.ctx;
	bspi_luxel_box box = { 0, 0, 0, 0 };
	BSPI_CHECK(ctx, place->face_record < r->map.faces_count, BSPSCENE_ERROR_OTHER_MAP, HERE,
	           "the atlas has face %u, but the map has only %u faces", place->face_record, r->map.faces_count);
	bool lit = bspi_find_luxels(&r->build, &r->map.faces[place->face_record], &box);
	BSPI_CHECK(ctx, lit, BSPSCENE_ERROR_OTHER_MAP, HERE, "the atlas has light for face %u, which has none in this map",
	           place->face_record);
	BSPI_CHECK(ctx, place->width == box.width && place->height == box.height, BSPSCENE_ERROR_OTHER_MAP, HERE,
	           "face %u has %u x %u luxels in the atlas, but %u x %u in this map", place->face_record, place->width,
	           place->height, box.width, box.height);
	BSPI_CHECK(ctx, place->lightmap_page < r->light->lightmap_page_count, BSPSCENE_ERROR_BAD_DATA, HERE,
	           "face %u is on page %u of the atlas, which has %u pages", place->face_record, place->lightmap_page,
	           r->light->lightmap_page_count);
	for (uint32_t i = 0; i < r->light->lightmap_set_count; i++) {
		const bspscene_lightmap_page *page = &r->light->lightmap_sets[i].pages[place->lightmap_page];
		bool inside = place->width <= page->width && place->x <= page->width - place->width &&
		              place->height <= page->height && place->y <= page->height - place->height;
		BSPI_CHECK(ctx, !bspi_page_has_light(page) || inside, BSPSCENE_ERROR_BAD_DATA, HERE,
		           "the rectangle of face %u at %u, %u reaches out of page %u", place->face_record, place->x, place->y,
		           place->lightmap_page);
	}
	return true;
}

static bool are_blocks_of(const bspscene_lightmap_page *page)
{
	const bspscene_lightmap_blocks *blocks = page->blocks;
	const bool is_gray = page->format == BSPSCENE_LIGHTMAP_PAGE_RGB8 && blocks->luxel_size == 1;
	return blocks->columns == bspi_blocks_along(page->width) && blocks->rows == bspi_blocks_along(page->height) &&
	       (is_gray || blocks->luxel_size == bspi_luxel_bytes(page->format));
}

static bool check_pages(bspi_relight *r)
{
	for (uint32_t i = 0; i < r->light->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &r->light->lightmap_sets[i];
		bool directions = set->kind == BSPSCENE_LIGHTMAP_SET_DIRECTION;
		bspscene_lightmap_page_format format = directions ? r->encoders.directions.format : r->encoders.light.format;
		for (uint32_t k = 0; k < r->light->lightmap_page_count; k++) {
			const bspscene_lightmap_page *page = &set->pages[k];
			BSPI_CHECK(r->build.ctx, !bspi_page_has_light(page) || page->format == format, BSPSCENE_ERROR_BAD_DATA,
			           HERE, "page %u has another pixel format than this map's light in this encoding", k);
			BSPI_CHECK(r->build.ctx, !bspi_page_is_sparse(page) || are_blocks_of(page), BSPSCENE_ERROR_BAD_DATA, HERE,
			           "page %u has blocks that do not fit its size of %u x %u", k, page->width, page->height);
		}
	}
	return true;
}

/* Limits the work. The rectangles come from a file, which may list the same large face many times. */
static bool check_work(bspi_relight *r)
{
	uint64_t work = 0, sets = r->light->lightmap_set_count;
	for (uint32_t i = 0; i < r->light->rect_count && work <= MOST_LUXELS; i++) {
		uint64_t area = (uint64_t)r->light->rects[i].width * r->light->rects[i].height;
		work += area < MOST_LUXELS ? (area + 1) * sets : 0; /* check_place refuses larger rectangles, because no
		                                                     * face has so many luxels */
	}
	BSPI_CHECK(r->build.ctx, work <= MOST_LUXELS, BSPSCENE_ERROR_BAD_DATA, HERE,
	           "%u faces in %u sets of pages have more than %u luxels, the most that is supported",
	           r->light->rect_count, r->light->lightmap_set_count, MOST_LUXELS);
	return true;
}

bool bspi_check_places(bspi_relight *r)
{
	BSPI_TRY(check_work(r));
	for (uint32_t i = 0; i < r->light->rect_count; i++) BSPI_TRY(check_place(r, &r->light->rects[i]));
	return check_pages(r);
}

/* ---- Comparing -------------------------------------------------------------------------------------------- */

static bool demand_light(comparison *c, const demand *wanted)
{
	bspi_ctx *ctx = c->relight->build.ctx;
	if (c->demand_count == c->demand_capacity) {
		size_t capacity = c->demand_capacity ? 2 * c->demand_capacity : 1024;
		demand *demands = bspi_push_unset(ctx, &ctx->scratch, capacity, sizeof *demands);
		BSPI_TRY(demands);
		if (c->demand_count) memcpy(demands, c->demands, c->demand_count * sizeof *demands);
		c->demands = demands;
		c->demand_capacity = capacity;
	}
	c->demands[c->demand_count++] = *wanted;
	return true;
}

void bspi_note_clamped(bspi_relight *r, double factor)
{
	if (factor <= 1) return;
	r->report.clamped++;
	if ((float)factor > r->report.clamp_factor) r->report.clamp_factor = (float)factor;
}

static void note_color(bspi_relight *r, const bspi_luxel_span *span, const uint8_t *luxel)
{
	if (span == r->blocks && r->build.light->encoding == BSPI_LIGHT_RGB8) {
		r->colored = r->colored || luxel[0] != luxel[1] || luxel[1] != luxel[2];
	}
}

/* True if the page has the same bytes as the map's file. This is so for directions and raw floats. */
static bool is_stored_form(const bspi_relight *r, const bspi_luxel_source *source)
{
	return source->kind == BSPSCENE_LIGHTMAP_SET_DIRECTION || source->encoder->format == BSPSCENE_LIGHTMAP_PAGE_RAW32 ||
	       r->light->encoding == BSPSCENE_LIGHTMAP_ENCODING_RAW;
}

static void page_to_light(const comparison *c, const void *luxel, double out[3], bool *repaired)
{
	const bspi_relight *r = c->relight;
	const uint8_t *bytes = luxel;
	bool display = r->light->encoding == BSPSCENE_LIGHTMAP_ENCODING_DISPLAY;
	if (display) for (int i = 0; i < 3; i++) out[i] = c->shown[bytes[i]];
	else bspi_page_to_light(&c->bytes.code, r->map.rules.intensity, r->light->encoding, luxel, out, repaired);
}

/* Returns how the luxel at byte offset `at` of the span is encoded. */
static bspi_luxel_code code_at(const comparison *c, const bspi_luxel_span *span, size_t at)
{
	bspi_luxel_code code = c->bytes.code;
	bspi_direct_luxel_code(&code, span->old.data + at);
	return code;
}

/* Encodes a luxel of the page like the luxel at byte offset `at` of the span. Returns the factor by which it is too
 * bright. */
static double encode(const comparison *c, const bspi_luxel_span *span, size_t at, const void *luxel, uint8_t stored[4],
                     bool *repaired)
{
	double light[3];
	if (c->stored_form) {
		memcpy(stored, luxel, c->source->encoder->part_size);
		return 1;
	}
	if (c->by_bytes) return bspi_bytes_to_luxel(&c->bytes, luxel, stored);
	page_to_light(c, luxel, light, repaired);
	const bspi_luxel_code code = code_at(c, span, at);
	return bspi_light_to_luxel(&code, light, stored);
}

/* Written out for three bytes, because most luxels have three. */
static inline bool is_same(const uint8_t *a, const uint8_t *b, size_t size)
{
	return size == 3 ? a[0] == b[0] && a[1] == b[1] && a[2] == b[2] : !memcmp(a, b, size);
}

static inline void copy_luxel(uint8_t *out, const uint8_t *luxel, size_t size)
{
	for (size_t i = 0; i < size; i++) out[i] = luxel[i];
}

/* Changes the luxel at byte offset `at` of the span to the light that the page shows. If it was already changed to
 * other light, marks it as disputed. */
static void change_luxel(comparison *c, const bspi_luxel_span *span, size_t at, const void *shown)
{
	bspi_relight *r = c->relight;
	uint8_t stored[4], *new = span->new + at;
	size_t size = c->source->encoder->part_size;
	bool repaired = false;
	double factor = encode(c, span, at, shown, stored, &repaired);
	r->report.repaired += repaired;
	if (span->states[at] == BSPI_LUXEL_KEPT) {
		span->states[at] = BSPI_LUXEL_CHANGED;
		copy_luxel(new, stored, size);
		r->report.changed++;
		bspi_note_clamped(r, factor);
		note_color(r, c->span, stored);
	} else if (span->states[at] == BSPI_LUXEL_CHANGED && !is_same(new, stored, size)) {
		span->states[at] = BSPI_LUXEL_DISPUTED;
		r->report.conflicts++;
	}
}

static bool demand_shown(comparison *c, size_t at, const void *shown)
{
	const uint8_t *bytes = shown;
	bool repaired;
	demand wanted = { .span = c->span, .luxel = at };
	wanted.direction = c->source->kind == BSPSCENE_LIGHTMAP_SET_DIRECTION;
	wanted.code = wanted.direction ? c->bytes.code : code_at(c, c->span, at);
	if (wanted.direction) for (int i = 0; i < 3; i++) wanted.light[i] = bytes[i];
	else if (c->stored_form) bspi_luxel_to_light(&wanted.code, bytes, wanted.light);
	else page_to_light(c, shown, wanted.light, &repaired);
	return demand_light(c, &wanted);
}

/* Prepares what is the same for all luxels of a source. */
static void begin_source(comparison *c, const bspi_luxel_source *source)
{
	const bspi_relight *r = c->relight;
	bspi_luxel_code code = bspi_code_of(r, source);
	double scale = r->light->encoding == BSPSCENE_LIGHTMAP_ENCODING_RAW ? code.scale : (double)r->map.rules.intensity;
	c->source = source;
	c->span = bspi_find_span(r, source->luxels);
	c->stored_form = is_stored_form(r, source) && source->encoder->part_size == source->encoder->out_size;
	c->by_bytes = bspi_is_byte_code(&code) && r->light->encoding != BSPSCENE_LIGHTMAP_ENCODING_HDR;
	bool known = c->bytes.code.scale == code.scale && c->bytes.scale == scale;
	if (!known) bspi_init_byte_table(&c->bytes, &code, scale);
}

/* Encodes a row of the map's luxels like the page, and compares the result with the same row of the page. In the
 * first pass, changes the luxels that differ. In the second pass, only adds disputed luxels to `demands`. */
static bool compare_row(comparison *c, const uint8_t *stored, const uint8_t *shown, uint32_t count)
{
	const bspi_luxel_span span = *c->span; /* a copy, which the compiler can keep in registers while bytes are
	                                        * written */
	const bspi_light_encoder *encoder = c->source->encoder;
	const uint8_t *row = c->row;
	size_t size = encoder->out_size, step = encoder->in_size, first = (size_t)(stored - span.old.data);
	bool solid = c->source->solid;
	encoder->row(encoder, stored, solid ? 1 : count, c->row);
	if (!solid && !memcmp(shown, row, count * size)) return true;
	for (uint32_t x = 0; x < count; x++, shown += size) {
		size_t i = solid ? 0 : x, at = first + i * step;
		if (is_same(shown, row + i * size, size)) continue;
		BSPI_CHECK(c->relight->build.ctx, span.writable, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, HERE,
		           "the changed light is in a file next to the map, which cannot be written");
		if (!c->collects) change_luxel(c, &span, at, shown);
		else if (span.states[at] == BSPI_LUXEL_DISPUTED) BSPI_TRY(demand_shown(c, at, shown));
		c->face_changed = true;
	}
	return true;
}

/* Returns row `y` of a rectangle. The page must have light. */
static const uint8_t *row_of(comparison *c, const bspscene_lightmap_page *page, const bspscene_lightmap_rect *place,
                             uint32_t y)
{
	if (page->data) return bspi_luxel_at(page, place->x, place->y + y, NULL);
	bspscene_lightmap_page_read(page, place->x, place->y + y, place->width, 1, c->sparse_row);
	return c->sparse_row;
}

static bool compare_source(comparison *c, const bspscene_lightmap_rect *place, const bspi_luxel_source *source)
{
	const bspscene_lightmap_set *set = find_set(c->relight, source);
	const bspscene_lightmap_page *page = set ? &set->pages[place->lightmap_page] : NULL;
	uint64_t area = (uint64_t)place->width * place->height;
	if (!page || !bspi_page_has_light(page)) {
		if (!c->collects) c->relight->report.outside += area;
		return true;
	}
	if (!c->collects) c->relight->report.luxels += area;
	begin_source(c, source);
	for (uint32_t y = 0; y < place->height; y++) {
		const uint8_t *shown = row_of(c, page, place, y);
		BSPI_TRY(compare_row(c, source->luxels + (source->solid ? 0 : y * source->stride), shown, place->width));
	}
	return true;
}

/* Counts luxels of a page that have light although the face has no light of that style. */
static void count_homeless(comparison *c, const bspscene_lightmap_rect *place, const bspi_luxel_source *sources,
                           uint32_t count)
{
	bspi_relight *r = c->relight;
	for (uint32_t i = 0; i < r->light->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &r->light->lightmap_sets[i];
		const bspscene_lightmap_page *page = &set->pages[place->lightmap_page];
		bool known = !bspi_page_has_light(page);
		for (uint32_t k = 0; k < count; k++) known = known || find_set(r, &sources[k]) == set;
		size_t size = bspi_luxel_bytes(page->format);
		for (uint32_t y = 0; y < place->height && !known; y++) {
			const uint8_t *row = row_of(c, page, place, y);
			for (uint32_t x = 0; x < place->width; x++) {
				bool lit = false;
				for (size_t k = 0; k < size; k++) lit = lit || row[x * size + k];
				r->report.not_stored += lit;
			}
		}
	}
}

static bool compare_places(comparison *c)
{
	bspi_relight *r = c->relight;
	for (uint32_t i = 0; i < r->light->rect_count; i++) {
		const bspscene_lightmap_rect *place = &r->light->rects[i];
		bspi_luxel_source sources[BSPI_MOST_LUXEL_SOURCES];
		if (i % PROGRESS_STEP == 0) BSPI_TRY(bspi_progress(r->build.ctx, "light", i, r->light->rect_count));
		uint32_t count = bspi_list_place(r, place, sources);
		c->face_changed = false;
		for (uint32_t k = 0; k < count; k++) BSPI_TRY(compare_source(c, place, &sources[k]));
		if (c->collects) continue;
		count_homeless(c, place, sources, count);
		r->report.faces_changed += c->face_changed;
	}
	return true;
}

/* ---- Luxels about which rectangles disagree --------------------------------------------------------------- */

static int compare_doubles(const double a[3], const double b[3])
{
	for (int i = 0; i < 3; i++) {
		if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
	}
	return 0;
}

static int compare_demands(const void *x, const void *y)
{
	const demand *a = x, *b = y;
	if (a->span != b->span) return a->span < b->span ? -1 : 1;
	if (a->luxel != b->luxel) return a->luxel < b->luxel ? -1 : 1;
	return compare_doubles(a->light, b->light);
}

/* Stores the mean of all different values that rectangles show for a luxel. */
static void settle(bspi_relight *r, const demand *demands, size_t count)
{
	const demand *first = demands;
	double sum[3] = { 0, 0, 0 }, voices = 0;
	uint8_t *out = first->span->new + first->luxel;
	for (size_t i = 0; i < count; i++) {
		if (i && !compare_doubles(demands[i].light, demands[i - 1].light)) continue;
		for (int k = 0; k < 3; k++) sum[k] += demands[i].light[k];
		voices++;
	}
	for (int k = 0; k < 3; k++) sum[k] /= voices;
	if (first->direction) for (int k = 0; k < 3; k++) out[k] = (uint8_t)(sum[k] + 0.5);
	else bspi_light_to_luxel(&first->code, sum, out);
	first->span->states[first->luxel] = BSPI_LUXEL_CHANGED;
	note_color(r, first->span, out);
}

static bool settle_disputes(comparison *c)
{
	c->collects = true;
	BSPI_TRY(compare_places(c));
	if (c->demand_count) qsort(c->demands, c->demand_count, sizeof *c->demands, compare_demands);
	for (size_t first = 0, end; first < c->demand_count; first = end) {
		const demand *d = c->demands;
		end = first + 1;
		while (end < c->demand_count && d[end].span == d[first].span && d[end].luxel == d[first].luxel) end++;
		settle(c->relight, d + first, end - first);
	}
	return true;
}

static void init_shown(const bspi_relight *r, double shown[256])
{
	bool repaired;
	for (int i = 0; i < 256; i++) {
		const uint8_t bytes[3] = { (uint8_t)i, 0, 0 };
		const bspi_luxel_code plain = { .encoding = BSPI_LIGHT_RGB8 };
		double light[3];
		bspi_page_to_light(&plain, r->map.rules.intensity, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, bytes, light, &repaired);
		shown[i] = light[0];
	}
}

bool bspi_compare_pages(bspi_relight *r)
{
	bspi_ctx *ctx = r->build.ctx;
	comparison c = { .relight = r };
	uint32_t widest = 1;
	init_shown(r, c.shown);
	for (uint32_t i = 0; i < r->light->rect_count; i++) {
		if (r->light->rects[i].width > widest) widest = r->light->rects[i].width;
	}
	c.row = bspi_push(ctx, &ctx->scratch, uint8_t, (size_t)widest * r->encoders.light.out_size + 8);
	c.sparse_row = bspi_push(ctx, &ctx->scratch, uint8_t, (size_t)widest * BSPI_LARGEST_LUXEL);
	BSPI_TRY(c.row && c.sparse_row && compare_places(&c));
	return !r->report.conflicts || settle_disputes(&c);
}
