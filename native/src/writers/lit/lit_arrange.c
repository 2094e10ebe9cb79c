/* lit_arrange.c - chooses how large charts are, how many sheets there are, and where charts lie on them. */
#include "writers/lit/lit.h"

#include <math.h>
#include <stdlib.h>

/* The rectangles are sorted before packing, so that the library need not sort them; see stages/atlas/atlas.c. */
#define STBRP_SORT(rects, count, size, compare) ((void)(compare))
#define STBRP_STATIC
#define STB_RECT_PACK_IMPLEMENTATION
#include <stb/stb_rect_pack.h>

#define LEAST_DENSITY 0.125f
#define BLURRED 0.5f                   /* one sheet is enough if each chart has at least this share of the texels of its
                                        * texture */
#define FILLED 0.9                     /* share of a sheet that packing usually fills */
#define SMALLER 0.93f
#define MOST_TRIES 12
#define MOST_CHARTS 131072u            /* limit for the number of charts, because packing many takes long */
#define SEARCH_STEPS 24

/* One of the combinations of density, number of sheets and size of sheets that are tried. */
typedef struct plan {
	float density;                     /* texels of the picture per luxel; each chart gets this, unless `share`
	                                    * requires more, but never more than its texture has */
	float share;                       /* least share (0..1) of its texture's texels per luxel that each chart gets */
	uint32_t sheets;
	uint64_t most;                     /* largest number of texels of a sheet */
	uint32_t largest;                  /* largest side of a sheet in texels */
} plan;

typedef struct packing {
	stbrp_rect *rects;
	stbrp_node *nodes;
} packing;

/* ---- Sizes ------------------------------------------------------------------------------------------------ */

static void set_density(bspi_lit_chart *chart, const plan *p)
{
	chart->density = fminf(fmaxf(p->density, p->share * chart->detail), chart->detail);
	chart->width = (uint32_t)ceilf(chart->size[0] * chart->density) + 2 * BSPI_LIT_GUTTER;
	chart->height = (uint32_t)ceilf(chart->size[1] * chart->density) + 2 * BSPI_LIT_GUTTER;
}

static uint64_t area_with(bspi_lit *lit, const plan *p)
{
	uint64_t area = 0;
	for (uint32_t i = 0; i < lit->chart_count; i++) {
		set_density(&lit->charts[i], p);
		area += (uint64_t)lit->charts[i].width * lit->charts[i].height;
	}
	return area;
}

static uint64_t area_at(bspi_lit *lit, plan p, float density)
{
	p.density = density;
	return area_with(lit, &p);
}

/* Finds by binary search the largest density with which the charts should fit on the sheets. */
static float search_density(bspi_lit *lit, const plan *p)
{
	float low = LEAST_DENSITY, high = BSPI_LIT_MOST_DENSITY;
	uint64_t most = (uint64_t)((double)p->sheets * (double)p->most * FILLED);
	if (area_at(lit, *p, high) <= most) return high;
	for (int i = 0; i < SEARCH_STEPS; i++) {
		float middle = sqrtf(low * high);
		if (area_at(lit, *p, middle) <= most) low = middle;
		else high = middle;
	}
	return low;
}

static bool is_blurred(const bspi_lit *lit, float density)
{
	for (uint32_t i = 0; i < lit->chart_count; i++) {
		if (density < BLURRED * lit->charts[i].detail) return true;
	}
	return false;
}

/* Plans as many sheets as are needed to give each chart at least the share BLURRED of its texture's texels. If more
 * than `most_sheets` sheets were needed, plans `most_sheets` sheets, with fewer texels for the charts. */
static plan plan_sheets(bspi_lit *lit, const plan *one, uint32_t most_sheets)
{
	plan p = { .density = LEAST_DENSITY, .share = BLURRED, .most = one->most, .largest = one->largest };
	double sheets = ceil((double)area_with(lit, &p) / ((double)p.most * FILLED));
	p.sheets = sheets < most_sheets ? (uint32_t)fmax(sheets, 2) : most_sheets;
	if (sheets > most_sheets) p.share = 0;
	p.density = search_density(lit, &p);
	return p;
}

/* ---- Packing ---------------------------------------------------------------------------------------------- */

/* Compares two rectangles for sorting: the higher one comes first, then the wider one. Rectangles of the same size keep
 * their order. */
static int compare_rects(const void *a, const void *b)
{
	const stbrp_rect *x = a, *y = b;
	if (x->h != y->h) return x->h < y->h ? 1 : -1;
	if (x->w != y->w) return x->w < y->w ? 1 : -1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* Returns the side in texels of a square that has room for the charts. It is at least as wide as the widest chart. */
static uint32_t side_for(const bspi_lit_chart *charts, uint32_t count, uint32_t largest)
{
	uint64_t area = 0;
	uint32_t widest = 1;
	for (uint32_t i = 0; i < count; i++) {
		area += (uint64_t)charts[i].width * charts[i].height;
		if (charts[i].width > widest) widest = charts[i].width;
	}
	uint32_t side = (uint32_t)ceil(sqrt((double)area / FILLED));
	if (side < widest) side = widest;
	side = (side + 3) / 4 * 4;
	return side < largest ? side : largest;
}

/* Packs `count` consecutive charts on a new sheet. Returns false if they do not fit. */
static bool pack(bspi_lit *lit, uint32_t first, uint32_t count, const packing *room, const plan *p)
{
	stbrp_context context;
	bspi_lit_chart *charts = lit->charts + first;
	bspi_lit_sheet *sheet = &lit->sheets[lit->sheet_count];
	uint32_t side = side_for(charts, count, p->largest);
	for (uint32_t i = 0; i < count; i++) {
		room->rects[i] = (stbrp_rect) { .id = (int)i, .w = (stbrp_coord)charts[i].width,
		                                .h = (stbrp_coord)charts[i].height };
	}
	qsort(room->rects, count, sizeof *room->rects, compare_rects);
	stbrp_init_target(&context, (int)side, (int)p->largest, room->nodes, (int)side);
	if (!stbrp_pack_rects(&context, room->rects, (int)count)) return false;
	sheet->width = side;
	sheet->height = 0;
	for (uint32_t i = 0; i < count; i++) {
		bspi_lit_chart *chart = &charts[room->rects[i].id];
		chart->sheet = lit->sheet_count;
		chart->x = (uint32_t)room->rects[i].x;
		chart->y = (uint32_t)room->rects[i].y;
		if (chart->y + chart->height > sheet->height) sheet->height = chart->y + chart->height;
	}
	lit->sheet_count++;
	return (uint64_t)sheet->width * sheet->height <= p->most;
}

/* Packs all charts. Each sheet gets about an equal part of the texels, but a new sheet begins only where a section may
 * be split. */
static bool pack_all(bspi_lit *lit, const packing *room, const plan *p)
{
	const uint64_t all = area_with(lit, p);
	uint64_t before = 0;
	uint32_t first = 0;
	lit->sheet_count = 0;
	lit->density = p->density;
	for (uint32_t i = 0; i < lit->chart_count; i++) {
		const bspi_lit_chart *chart = &lit->charts[i];
		const uint64_t area = (uint64_t)chart->width * chart->height;
		bool is_full = ((double)before + (double)area / 2) * p->sheets >= (double)all * (lit->sheet_count + 1);
		if (chart->density > lit->density) lit->density = chart->density;
		if (i > first && is_full && chart->may_part && lit->sheet_count + 1 < p->sheets) {
			BSPI_TRY(pack(lit, first, i - first, room, p));
			first = i;
		}
		before += area;
	}
	return pack(lit, first, lit->chart_count - first, room, p);
}

/* Packs the charts. If they do not fit, tries again with more sheets or smaller charts. */
static bool try_to_pack(bspi_lit *lit, const packing *room, plan p, uint32_t most_sheets)
{
	for (int i = 0; i < MOST_TRIES; i++) {
		if (pack_all(lit, room, &p)) return true;
		if (p.sheets < most_sheets) {
			p.sheets++;
		} else {
			p.density *= SMALLER;
			p.share *= SMALLER;
		}
	}
	return false;
}

bool bspi_lit_arrange(bspi_writer *writer, bspi_lit *lit, uint64_t most)
{
	uint32_t largest = writer->options.baked_size;
	uint64_t whole = (uint64_t)largest * largest;
	const packing room = { bspi_writer_push(writer, stbrp_rect, lit->chart_count),
	                       bspi_writer_push(writer, stbrp_node, largest) };
	BSPI_TRY(room.rects && room.nodes);
	plan one = { .density = LEAST_DENSITY, .sheets = 1, .most = most < whole ? most : whole, .largest = largest };
	uint64_t sheets = most / whole;
	uint32_t most_sheets = sheets < BSPI_LIT_MOST_SHEETS ? (uint32_t)sheets : BSPI_LIT_MOST_SHEETS;
	if (lit->chart_count <= MOST_CHARTS && area_with(lit, &one) <= one.most) {
		one.density = search_density(lit, &one);
		bool more = most_sheets > 1 && is_blurred(lit, one.density);
		if (more && try_to_pack(lit, &room, plan_sheets(lit, &one, most_sheets), most_sheets)) return true;
		if (try_to_pack(lit, &room, one, 1)) return true;
	}
	lit->chart_count = lit->sheet_count = 0;
	return true;
}
