/* lit_paint.c - paints charts, grouped by texture, so that most textures are decoded once. */
#include <math.h>
#include <string.h>

#include <bspscene/material.h>

#include "writers/light/place_uv.h"
#include "writers/lit/lit_paint.h"
#include "writers/writer_costs.h"

/* A task takes further charts with its texture until it paints this many texels, or TEXELS_PER_DECODED for each texel
 * of the texture if that is more. Each task decodes its texture itself, so a large texture should not have many
 * tasks. */
#define TASK_TEXELS (UINT64_C(1) << 20)
#define TEXELS_PER_DECODED 8u
/* Tolerance for texels on the common edge of two triangles, so that one of them paints the texel. */
#define ON_EDGE 1e-7

/* A corner of a triangle. */
typedef struct corner {
	float at[2];                       /* position in texels of the picture */
	float uv[2], light_uv[2], color[3];
} corner;

/* Charts with the same base image that one task paints. */
typedef struct portion {
	uint32_t image, first, count;      /* base image; `first` and `count`: the range of painting.order */
	uint64_t texels;
} portion;

typedef struct painting {
	bspi_writer *writer;
	const bspi_lit *lit;
	uint32_t sheet;
	uint8_t *pixels;
	uint32_t *order; uint32_t count;   /* charts of the sheet, sorted by their base image */
	portion *portions; uint32_t portion_count;
} painting;

/* State of a thread that paints charts. */
typedef struct painter {
	const bspscene_scene *scene;
	const bspi_adding_tables *tables;
	uint32_t width;                    /* width of the sheet in texels */
	uint8_t *pixels;
	bspi_lit_rim rim;
	bspi_lit_texture base, glow;
	bspi_lit_light light;
	/* The members below belong to the chart that is being painted. */
	const bspi_lit_chart *chart;
	const bspscene_material *material;
	const bspscene_pixels *base_pixels, *glow_pixels; /* the mipmaps whose density is closest to that of the picture, or
	                                                   * NULL */
	float glow_factors[3];
} painter;

/* ---- Triangles -------------------------------------------------------------------------------------------- */

static corner corner_of(const painter *p, uint32_t vertex)
{
	const bspscene_mesh *mesh = p->scene->meshes[p->chart->mesh];
	corner out;
	bspi_lit_texel(p->scene, p->chart, vertex, out.at);
	bspi_place_uv(p->material, mesh->uvs + 2 * (size_t)vertex, out.uv);
	memcpy(out.light_uv, mesh->lightmap_uvs + 2 * (size_t)vertex, sizeof out.light_uv);
	for (size_t i = 0; i < 3; i++) out.color[i] = mesh->colors ? (float)mesh->colors[4 * (size_t)vertex + i] / 255 : 1;
	return out;
}

/* Returns how a value changes over the triangle. `a`, `b` and `c` are its values at the corners. `area` is twice the
 * area of the triangle. */
static bspi_lit_slope slope_of(const corner k[3], double area, double a, double b, double c)
{
	double x0 = (double)k[0].at[0], y0 = (double)k[0].at[1];
	double x1 = (double)k[1].at[0] - x0, y1 = (double)k[1].at[1] - y0;
	double x2 = (double)k[2].at[0] - x0, y2 = (double)k[2].at[1] - y0;
	bspi_lit_slope out = { .by_x = ((b - a) * y2 - (c - a) * y1) / area, .by_y = ((c - a) * x1 - (b - a) * x2) / area };
	if (!isfinite(out.by_x) || !isfinite(out.by_y)) out.by_x = out.by_y = 0;
	out.at_zero = a - out.by_x * x0 - out.by_y * y0;
	return out;
}

static bspi_lit_slopes slopes_of(const corner k[3], double area)
{
	bspi_lit_slopes out;
	for (int i = 0; i < 2; i++) {
		out.uv[i] = slope_of(k, area, (double)k[0].uv[i], (double)k[1].uv[i], (double)k[2].uv[i]);
		out.light_uv[i] = slope_of(k, area, (double)k[0].light_uv[i], (double)k[1].light_uv[i],
		                           (double)k[2].light_uv[i]);
	}
	for (int i = 0; i < 3; i++) {
		out.color[i] = slope_of(k, area, (double)k[0].color[i], (double)k[1].color[i], (double)k[2].color[i]);
	}
	return out;
}

/* Finds the rows of the chart that the triangle may touch: from *first to before *end. */
static void reach(const bspi_lit_chart *chart, const corner k[3], uint32_t *first, uint32_t *end)
{
	float low = fminf(k[0].at[1], fminf(k[1].at[1], k[2].at[1]));
	float high = fmaxf(k[0].at[1], fmaxf(k[1].at[1], k[2].at[1]));
	float least = (float)chart->y, most = (float)(chart->y + chart->height);
	*first = (uint32_t)fminf(fmaxf(floorf(low), least), most);
	*end = (uint32_t)fminf(fmaxf(ceilf(high) + 1, least), most);
}

/* An edge of a triangle, as x = at_zero + by_y * y. */
typedef struct edge {
	double at_zero, by_y;
	bool is_left, is_right;            /* is_left: the triangle lies to the right of the edge; is_right: to the left;
	                                    * both false: the edge is horizontal */
} edge;

static void find_edges(const corner k[3], bool turned, edge out[3])
{
	for (int i = 0; i < 3; i++) {
		const float *a = k[i].at, *b = k[(i + 1) % 3].at;
		double across = (double)b[0] - (double)a[0], down = (double)b[1] - (double)a[1];
		out[i] = (edge){ .is_left = turned ? down > 0 : down < 0, .is_right = turned ? down < 0 : down > 0 };
		if (!(out[i].is_left || out[i].is_right)) continue;
		out[i].by_y = across / down;
		out[i].at_zero = (double)a[0] - out[i].by_y * (double)a[1];
	}
}

/* Returns the texels of row `y` whose centers are inside the triangle, which reaches from y = low to y = high. */
static bspi_lit_run run_of(const bspi_lit_chart *chart, const edge edges[3], double low, double high, uint32_t y)
{
	const double middle = y + 0.5;
	double first = chart->x, end = chart->x + chart->width;
	if (middle < low - ON_EDGE || middle > high + ON_EDGE) return (bspi_lit_run){ .count = 0 };
	for (int i = 0; i < 3; i++) {
		double cut = edges[i].at_zero + edges[i].by_y * middle - 0.5;
		if (edges[i].is_left && cut - ON_EDGE > first) first = cut - ON_EDGE;
		if (edges[i].is_right && cut + ON_EDGE + 1 < end) end = cut + ON_EDGE + 1;
	}
	if (!(first < end)) return (bspi_lit_run){ .count = 0 };
	uint32_t from = (uint32_t)first, to = (uint32_t)end;
	if (from < first) from++;
	return (bspi_lit_run){ from, y, to > from ? to - from : 0 };
}

static void paint_run(painter *p, const bspi_lit_slopes *slopes, const bspi_lit_run *run)
{
	bspi_lit_walk base, glow;
	bool clamp = p->material->clamp;
	bspi_lit_walk_start(&base, p->base_pixels, clamp, slopes->uv, run);
	if (p->glow_pixels) bspi_lit_walk_start(&glow, p->glow_pixels, clamp, slopes->uv, run);
	bspi_lit_light_fill(&p->light, slopes, run);
	bspi_lit_row_paint(&base, p->glow_pixels ? &glow : NULL, p->glow_factors, (const float (*)[4])p->light.row,
	                   run->count, p->pixels + 3 * ((size_t)run->y * p->width + run->x));
	bspi_lit_rim_cover(&p->rim, run);
}

static double twice_area(const corner k[3])
{
	double x0 = (double)k[0].at[0], y0 = (double)k[0].at[1];
	double x1 = (double)k[1].at[0] - x0, y1 = (double)k[1].at[1] - y0;
	return x1 * ((double)k[2].at[1] - y0) - y1 * ((double)k[2].at[0] - x0);
}

static void paint_triangle(painter *p, const uint32_t *indices)
{
	corner k[3];
	edge edges[3];
	uint32_t y0, y1;
	for (int i = 0; i < 3; i++) k[i] = corner_of(p, indices[i]);
	double area = twice_area(k);
	if (!(fabs(area) > 0)) return;
	const bspi_lit_slopes slopes = slopes_of(k, area);
	find_edges(k, area < 0, edges);
	reach(p->chart, k, &y0, &y1);
	double low = fmin((double)k[0].at[1], fmin((double)k[1].at[1], (double)k[2].at[1]));
	double high = fmax((double)k[0].at[1], fmax((double)k[1].at[1], (double)k[2].at[1]));
	for (uint32_t y = y0; y < y1; y++) {
		const bspi_lit_run run = run_of(p->chart, edges, low, high, y);
		if (run.count) paint_run(p, &slopes, &run);
	}
}

/* ---- Charts ----------------------------------------------------------------------------------------------- */

static const bspscene_pixels *choose_level(bspi_lit_texture *texture, uint32_t level, bspscene_error *error)
{
	static uint8_t white_texel[4] = { 255, 255, 255, 255 };
	static const bspscene_pixels white = { .width = 1, .height = 1, .data = white_texel };
	return texture->level_count ? bspi_lit_texture_level(texture, level, error) : &white;
}

static bool paint_chart(painter *p, const bspi_lit_chart *chart, bspscene_error *error)
{
	const bspscene_mesh *mesh = p->scene->meshes[chart->mesh];
	p->chart = chart;
	p->material = p->scene->materials[mesh->sections[chart->section]->material];
	uint32_t level = (uint32_t)(log2(fmax((double)(chart->detail / chart->density), 1)) + 0.5);
	const float *emissive = p->material->emissive;
	bool dark = emissive[0] <= 0 && emissive[1] <= 0 && emissive[2] <= 0;
	for (int i = 0; i < 3; i++) p->glow_factors[i] = dark ? 1 : emissive[i];
	BSPI_TRY(bspi_lit_texture_take(&p->glow, p->scene, p->material->emissive_image, error));
	p->base_pixels = choose_level(&p->base, level, error);
	p->glow_pixels = p->glow.level_count ? choose_level(&p->glow, level, error) : NULL;
	BSPI_TRY(p->base_pixels && (p->glow_pixels || !p->glow.level_count));
	bspi_lit_light_start(&p->light, p->scene, p->tables, chart);
	bspi_lit_rim_start(&p->rim, chart);
	for (uint32_t i = 0; i < chart->index_count; i += 3) paint_triangle(p, mesh->indices + chart->first_index + i);
	bspi_lit_rim_fill(&p->rim, p->pixels, p->width);
	return true;
}

/* Allocates the memory for painting the largest chart of a task. */
static bool begin_painter(painter *p, const painting *all, const portion *part, bspi_task *task)
{
	uint32_t width = 0, luxels = 0;
	size_t marks = 0;
	for (uint32_t i = 0; i < part->count; i++) {
		const bspi_lit_chart *chart = &all->lit->charts[all->order[part->first + i]];
		uint32_t across = bspi_lit_luxels_across(chart);
		size_t size = bspi_lit_rim_size(chart);
		if (chart->width > width) width = chart->width;
		if (across > luxels) luxels = across;
		if (size > marks) marks = size;
	}
	return bspi_lit_rim_begin(&p->rim, &task->arena, width, marks) &&
	       bspi_lit_light_begin(&p->light, &task->arena, width, luxels);
}

static bool paint_portion(void *user, bspi_task *task)
{
	const painting *all = user;
	const portion *part = &all->portions[task->index];
	bspi_budget *budget = &all->writer->budget;
	painter p = {
		.scene = all->writer->scene, .tables = &all->lit->tables, .width = all->lit->sheets[all->sheet].width,
		.pixels = all->pixels,
		.base = { .budget = budget, .image = BSPSCENE_NO_INDEX },
		.glow = { .budget = budget, .image = BSPSCENE_NO_INDEX },
	};
	if (!begin_painter(&p, all, part, task)) {
		char why[BSPI_REFUSAL_SIZE];
		bspscene_status status = bspi_describe_refusal(budget, why);
		return bspi_error_set(&task->error, status, "%s", why);
	}
	bool painted = bspi_lit_texture_take(&p.base, p.scene, part->image, &task->error);
	for (uint32_t i = 0; painted && i < part->count; i++) {
		painted = paint_chart(&p, &all->lit->charts[all->order[part->first + i]], &task->error);
	}
	bspi_lit_texture_give(&p.base);
	bspi_lit_texture_give(&p.glow);
	return painted;
}

static bool report_portion(void *user, bspi_task *task)
{
	const painting *all = user;
	return bspi_writer_worked(all->writer, "textures", bspi_cost_of_lit_texels(all->portions[task->index].texels));
}

/* ---- All charts ------------------------------------------------------------------------------------------- */

static uint32_t image_of(const bspscene_scene *scene, const bspi_lit_chart *chart)
{
	const bspscene_section *section = scene->meshes[chart->mesh]->sections[chart->section];
	return scene->materials[section->material]->base_image;
}

/* Sorts the charts by image, those without an image last. Charts with the same image keep their order. */
static bool order_charts(painting *all)
{
	const bspscene_scene *scene = all->writer->scene;
	const bspi_lit *lit = all->lit;
	uint32_t *firsts = bspi_writer_push(all->writer, uint32_t, (size_t)scene->image_count + 2);
	for (uint32_t i = 0; i < lit->chart_count; i++) all->count += lit->charts[i].sheet == all->sheet;
	all->order = bspi_writer_push(all->writer, uint32_t, all->count);
	BSPI_TRY(firsts && all->order);
	for (uint32_t i = 0; i < lit->chart_count; i++) {
		uint32_t image = image_of(scene, &lit->charts[i]);
		if (lit->charts[i].sheet != all->sheet) continue;
		firsts[(image == BSPSCENE_NO_INDEX ? scene->image_count : image) + 1]++;
	}
	for (uint32_t i = 0; i < scene->image_count; i++) firsts[i + 1] += firsts[i];
	for (uint32_t i = 0; i < lit->chart_count; i++) {
		uint32_t image = image_of(scene, &lit->charts[i]);
		if (lit->charts[i].sheet != all->sheet) continue;
		all->order[firsts[image == BSPSCENE_NO_INDEX ? scene->image_count : image]++] = i;
	}
	return true;
}

static uint64_t most_texels(const bspscene_scene *scene, uint32_t image)
{
	if (image == BSPSCENE_NO_INDEX) return TASK_TEXELS;
	uint64_t decoded = (uint64_t)scene->images[image]->width * scene->images[image]->height * TEXELS_PER_DECODED;
	return decoded > TASK_TEXELS ? decoded : TASK_TEXELS;
}

static bool divide_charts(painting *all)
{
	const bspscene_scene *scene = all->writer->scene;
	all->portions = bspi_writer_push(all->writer, portion, all->count);
	BSPI_TRY(all->portions);
	for (uint32_t i = 0; i < all->count; i++) {
		const bspi_lit_chart *chart = &all->lit->charts[all->order[i]];
		uint32_t image = image_of(scene, chart);
		portion *part = all->portion_count ? &all->portions[all->portion_count - 1] : NULL;
		if (!part || part->image != image || part->texels >= most_texels(scene, image)) {
			part = &all->portions[all->portion_count++];
			*part = (portion){ .image = image, .first = i };
		}
		part->texels += (uint64_t)chart->width * chart->height;
		part->count++;
	}
	return true;
}

bool bspi_lit_paint(bspi_writer *writer, const bspi_lit *lit, uint32_t sheet, uint8_t *pixels)
{
	painting all = { .writer = writer, .lit = lit, .sheet = sheet, .pixels = pixels };
	BSPI_TRY(order_charts(&all) && divide_charts(&all));
	const bspi_job job = { .count = all.portion_count, .work = paint_portion, .finish = report_portion, .user = &all };
	BSPI_TRY(bspi_run_writer_job(writer, &job));
	return bspi_lit_fill_gaps(writer, lit, sheet, pixels);
}
