/* lit_rim.c - fills texels that no triangle covers. Close to covered texels they get the mean of their neighbors, which
 * filters need. Further away, only mipmaps read them. There they get the nearest color of their row, and still further
 * away the mean of all colors, which compresses best. */
#include <stdlib.h>
#include <string.h>

#include "writers/lit/lit_paint.h"

#define MARGIN 1u                      /* texels of margin around the marks of a chart, so that all texels have
                                        * neighbors */
#define SMOOTH 2u                      /* number of rounds; each fills the texels next to those filled before, so
                                        * filters may read this many texels beyond the triangles */
#define STRIDE 4u                      /* every fourth texel in x and in y counts for the mean */

static uint8_t *mark_at(const bspi_lit_rim *rim, uint32_t x, uint32_t y)
{
	return rim->marks + (size_t)(y + MARGIN) * (rim->chart->width + 2 * MARGIN) + x + MARGIN;
}

size_t bspi_lit_rim_size(const bspi_lit_chart *chart)
{
	return (size_t)(chart->width + 2 * MARGIN) * (chart->height + 2 * MARGIN);
}

bool bspi_lit_rim_begin(bspi_lit_rim *rim, bspi_arena *arena, uint32_t width, size_t size)
{
	rim->marks = bspi_arena_alloc_unset(arena, size, 1);
	rim->columns = bspi_arena_alloc_unset(arena, (size_t)width + 2 * MARGIN, 1);
	rim->candidates = bspi_arena_alloc_unset(arena, width, 1);
	return rim->marks && rim->columns && rim->candidates;
}

void bspi_lit_rim_start(bspi_lit_rim *rim, const bspi_lit_chart *chart)
{
	rim->chart = chart;
	memset(rim->marks, 0, bspi_lit_rim_size(chart));
}

void bspi_lit_rim_cover(const bspi_lit_rim *rim, const bspi_lit_run *run)
{
	memset(mark_at(rim, run->x - rim->chart->x, run->y - rim->chart->y), 1, run->count);
}

/* ---- Close to covered texels ------------------------------------------------------------------------------- */

/* Sets an uncovered texel to the mean of its neighbors that were filled in earlier rounds. Returns false if it has no
 * such neighbors. */
static bool mean_of_neighbors(const bspi_lit_rim *rim, uint32_t width, const uint8_t *mark, uint8_t round,
                               uint8_t *pixel)
{
	const ptrdiff_t mark_row = (ptrdiff_t)rim->chart->width + 2 * MARGIN, row = 3 * (ptrdiff_t)width;
	uint32_t sums[3] = { 0, 0, 0 }, count = 0;
	for (ptrdiff_t j = -1; j <= 1; j++) {
		for (ptrdiff_t i = -1; i <= 1; i++) {
			uint8_t other = mark[j * mark_row + i];
			if (!other || other > round) continue;
			for (int c = 0; c < 3; c++) sums[c] += pixel[j * row + 3 * i + c];
			count++;
		}
	}
	for (int c = 0; count && c < 3; c++) pixel[c] = (uint8_t)((sums[c] + count / 2) / count);
	return count > 0;
}

/* Marks in rim->candidates the texels of a row that are not filled but have a filled neighbor. `marks` begins at the
 * top left neighbor of the row's first texel. */
static void find_candidates(const bspi_lit_rim *rim, const uint8_t *marks)
{
	const size_t width = rim->chart->width, row = width + 2 * MARGIN;
	uint8_t *columns = rim->columns, *candidates = rim->candidates;
	for (size_t x = 0; x < row; x++) columns[x] = marks[x] | marks[x + row] | marks[x + 2 * row];
	for (size_t x = 0; x < width; x++) {
		uint8_t near = columns[x] | columns[x + 1] | columns[x + 2];
		candidates[x] = near && !marks[row + MARGIN + x];
	}
}

static void smooth(const bspi_lit_rim *rim, uint8_t *corner, uint32_t sheet_width)
{
	const bspi_lit_chart *chart = rim->chart;
	for (uint8_t round = 1; round <= SMOOTH; round++) {
		for (uint32_t y = 0; y < chart->height; y++) {
			uint8_t *marks = mark_at(rim, 0, y), *next = rim->candidates, *end = next + chart->width;
			uint8_t *pixels = corner + 3 * (size_t)y * sheet_width;
			find_candidates(rim, marks - (chart->width + 3 * MARGIN));
			while (next < end && (next = memchr(next, 1, (size_t)(end - next)))) {
				size_t x = (size_t)(next++ - rim->candidates);
				if (mean_of_neighbors(rim, sheet_width, marks + x, round, pixels + 3 * x)) {
					marks[x] = (uint8_t)(round + 1);
				}
			}
		}
	}
}

/* ---- The rest of the rectangle ----------------------------------------------------------------------------- */

static void repeat(uint8_t *row, uint32_t first, uint32_t end, const uint8_t color[3])
{
	for (uint32_t x = first; x < end; x++) memcpy(row + 3 * (size_t)x, color, 3);
}

/* Fills a gap in a row, from `first` to before `end`. The texels near its ends get the color beside it, and those in
 * the middle get the mean. */
static void fill_gap(uint8_t *row, uint32_t first, uint32_t end, uint32_t width, const uint8_t mean[3])
{
	const uint8_t *behind = row + 3 * (size_t)end, *before = first ? row + 3 * (size_t)(first - 1) : behind;
	if (end == width) behind = before;
	uint32_t count = end - first, near = count / 2 < BSPI_LIT_GUTTER ? count / 2 : BSPI_LIT_GUTTER;
	repeat(row, first, first + near, before);
	repeat(row, first + near, end - near, count > 2 * BSPI_LIT_GUTTER ? mean : behind);
	repeat(row, end - near, end, behind);
}

/* Fills the gaps of a row. Returns false if no texel of the row has a color yet. */
static bool fill_row(const uint8_t *marks, uint8_t *row, uint32_t width, const uint8_t mean[3])
{
	const uint8_t *end = marks + width, *first = marks;
	while (first < end && (first = memchr(first, 0, (size_t)(end - first)))) {
		const uint8_t *next = first;
		while (next < end && !*next) next++;
		if (next - first == (ptrdiff_t)width) return false;
		fill_gap(row, (uint32_t)(first - marks), (uint32_t)(next - marks), width, mean);
		first = next;
	}
	return true;
}

/* Sums of the colors of some texels, and their number, to compute the mean color. */
typedef struct mean {
	uint64_t sums[3], count;
} mean;

static void mean_add(mean *m, const uint8_t *pixel)
{
	for (int c = 0; c < 3; c++) m->sums[c] += pixel[c];
	m->count++;
}

static void mean_of(const mean *m, uint8_t out[3])
{
	memset(out, 0, 3);
	for (int c = 0; m->count && c < 3; c++) out[c] = (uint8_t)((m->sums[c] + m->count / 2) / m->count);
}

static void find_mean(const bspi_lit_rim *rim, const uint8_t *corner, size_t row, uint8_t out[3])
{
	const bspi_lit_chart *chart = rim->chart;
	mean m = { .count = 0 };
	for (uint32_t y = STRIDE / 2; y < chart->height; y += STRIDE) {
		const uint8_t *marks = mark_at(rim, 0, y);
		for (uint32_t x = STRIDE / 2; x < chart->width; x += STRIDE) {
			if (marks[x]) mean_add(&m, corner + y * row + 3 * (size_t)x);
		}
	}
	mean_of(&m, out);
}

void bspi_lit_rim_fill(const bspi_lit_rim *rim, uint8_t *pixels, uint32_t width)
{
	const bspi_lit_chart *chart = rim->chart;
	const size_t row = 3 * (size_t)width, size = 3 * (size_t)chart->width;
	uint8_t *corner = pixels + chart->y * row + 3 * (size_t)chart->x;
	uint32_t known = 0;                /* 1 plus the number of the last row with colors; 0: none so far */
	uint8_t all[3];
	smooth(rim, corner, width);
	find_mean(rim, corner, row, all);
	for (uint32_t y = 0; y < chart->height; y++) {
		if (fill_row(mark_at(rim, 0, y), corner + y * row, chart->width, all)) {
			for (uint32_t i = known ? y : 0; i < y; i++) memcpy(corner + i * row, corner + y * row, size);
			known = y + 1;
		} else if (known) {
			memcpy(corner + y * row, corner + (y - 1) * row, size);
		}
	}
}

/* ---- Between charts ---------------------------------------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
	const bspi_lit_chart *p = *(const bspi_lit_chart *const *)a, *q = *(const bspi_lit_chart *const *)b;
	return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* Computes the mean color of a sample of texels in the rectangles of all charts of a sheet. */
static void find_sheet_mean(const bspi_lit_chart *const *charts, uint32_t count, const uint8_t *pixels, uint32_t width,
                            uint8_t out[3])
{
	mean m = { .count = 0 };
	for (uint32_t i = 0; i < count; i++) {
		const bspi_lit_chart *chart = charts[i];
		for (uint32_t y = chart->y; y < chart->y + chart->height; y += STRIDE) {
			for (uint32_t x = chart->x; x < chart->x + chart->width; x += STRIDE) {
				mean_add(&m, pixels + 3 * ((size_t)y * width + x));
			}
		}
	}
	mean_of(&m, out);
}

bool bspi_lit_fill_gaps(bspi_writer *writer, const bspi_lit *lit, uint32_t sheet, uint8_t *pixels)
{
	const uint32_t width = lit->sheets[sheet].width, height = lit->sheets[sheet].height;
	const bspi_lit_chart **charts = bspi_writer_push(writer, const bspi_lit_chart *, lit->chart_count);
	uint32_t *ends = bspi_writer_push(writer, uint32_t, height), count = 0;
	uint8_t all[3];
	BSPI_TRY(charts && ends);
	for (uint32_t i = 0; i < lit->chart_count; i++) {
		if (lit->charts[i].sheet == sheet) charts[count++] = &lit->charts[i];
	}
	qsort(charts, count, sizeof *charts, compare_places);
	find_sheet_mean(charts, count, pixels, width, all);
	for (uint32_t i = 0; i < count; i++) {
		const bspi_lit_chart *chart = charts[i];
		for (uint32_t y = chart->y; y < chart->y + chart->height; y++) {
			if (ends[y] < chart->x) fill_gap(pixels + 3 * (size_t)y * width, ends[y], chart->x, width, all);
			ends[y] = chart->x + chart->width;
		}
	}
	for (uint32_t y = 0; y < height; y++) {
		if (ends[y] && ends[y] < width) fill_gap(pixels + 3 * (size_t)y * width, ends[y], width, width, all);
	}
	return true;
}
