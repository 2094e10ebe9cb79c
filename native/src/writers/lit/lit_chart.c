/* lit_chart.c - how large charts are, and where they are in the picture. */
#include "writers/lit/lit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* They come in order already; see stages/light/atlas.c. */
#define STBRP_SORT(rects, count, size, compare) ((void)(compare))
#define STBRP_STATIC
#define STB_RECT_PACK_IMPLEMENTATION
#include <stb/stb_rect_pack.h>

#include "writers/light/place_uv.h"

#define MOST_DENSITY 32.0f             /* texels to a luxel; a luxel is as large as 16 or more texels of most games */
#define LEAST_DENSITY 0.125f
#define PLAIN_DETAIL 2.0f              /* of surfaces without texture: light is smooth */
#define PLANAR_LUXEL 16.0f             /* game units */
/* Faces whose luxels would be larger than 256 units have no place of their own on the page. */
#define LEAST_LUXEL_SHARE (1.0 / 256)
#define FILLED 0.9                     /* share of the picture that can be counted on to be filled */
#define MOST_OVERLAP 64.0              /* of its triangles' boxes, in boxes of all of it */
#define SMALLER 0.93f
#define MOST_TRIES 12
#define MOST_CHARTS 131072u            /* packing takes more time for each the more there are */
#define SEARCH_STEPS 24

/* ---- One chart -------------------------------------------------------------------------------------------- */

void bspi_lit_place(const bspscene_scene *scene, const bspi_lit_chart *chart, uint32_t vertex, float out[2])
{
	const bspscene_mesh *mesh = scene->meshes[chart->mesh];
	if (chart->planar) {
		for (int i = 0; i < 2; i++) out[i] = mesh->positions[3 * (size_t)vertex + chart->axes[i]] / PLANAR_LUXEL;
		return;
	}
	const bspscene_page *page = &scene->page_sets[0].pages[mesh->sections[chart->section]->lightmap_page];
	out[0] = mesh->lightmap_uvs[2 * (size_t)vertex] * (float)page->width;
	out[1] = mesh->lightmap_uvs[2 * (size_t)vertex + 1] * (float)page->height;
}

void bspi_lit_texel(const bspscene_scene *scene, const bspi_lit_chart *chart, uint32_t vertex, float out[2])
{
	float at[2];
	const uint32_t corner[2] = { chart->x, chart->y };
	bspi_lit_place(scene, chart, vertex, at);
	for (int i = 0; i < 2; i++) {
		out[i] = (float)(corner[i] + BSPI_LIT_GUTTER) + (at[i] - chart->low[i]) * chart->density;
	}
}

static double area_of(const float a[2], const float b[2], const float c[2])
{
	return 0.5 * fabs((double)(b[0] - a[0]) * (double)(c[1] - a[1]) - (double)(b[1] - a[1]) * (double)(c[0] - a[0]));
}

/* Of its triangles, in luxels of the chart. */
static double chart_area(const bspscene_scene *scene, const bspi_lit_chart *chart)
{
	const uint32_t *indices = scene->meshes[chart->mesh]->indices + chart->first_index;
	double sum = 0;
	for (uint32_t i = 0; i < chart->index_count; i += 3) {
		float at[3][2];
		for (uint32_t c = 0; c < 3; c++) bspi_lit_place(scene, chart, indices[i + c], at[c]);
		sum += area_of(at[0], at[1], at[2]);
	}
	return sum;
}

/* In texels of the texture. */
static double texture_area(const bspscene_scene *scene, const bspi_lit_chart *chart)
{
	const bspscene_mesh *mesh = scene->meshes[chart->mesh];
	const bspscene_material *material = scene->materials[mesh->sections[chart->section]->material];
	const uint32_t *indices = mesh->indices + chart->first_index;
	double sum = 0;
	if (material->base_image == BSPSCENE_NO_INDEX) return 0;
	for (uint32_t i = 0; i < chart->index_count; i += 3) {
		float at[3][2];
		for (uint32_t c = 0; c < 3; c++) bspi_place_uv(material, mesh->uvs + 2 * (size_t)indices[i + c], at[c]);
		sum += area_of(at[0], at[1], at[2]);
	}
	const bspscene_image *image = scene->images[material->base_image];
	return sum * image->width * image->height;
}

/* The plane of two axes upon which most of it is seen. */
static double choose_axes(const bspscene_scene *scene, bspi_lit_chart *chart)
{
	static const uint8_t planes[3][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 } };
	double best = -1;
	bspi_lit_chart flat = *chart;
	flat.planar = true;
	for (int i = 0; i < 3; i++) {
		memcpy(flat.axes, planes[i], sizeof flat.axes);
		double area = chart_area(scene, &flat);
		if (!(area > best)) continue;
		best = area;
		memcpy(chart->axes, planes[i], sizeof chart->axes);
	}
	return best;
}

/* Texels would be painted again and again by triangles that lie upon each other. */
static bool is_simple(const bspscene_scene *scene, const bspi_lit_chart *chart)
{
	const uint32_t *indices = scene->meshes[chart->mesh]->indices + chart->first_index;
	double sum = 0;
	for (uint32_t i = 0; i < chart->index_count; i += 3) {
		float low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
		for (uint32_t c = 0; c < 3; c++) {
			float at[2];
			bspi_lit_place(scene, chart, indices[i + c], at);
			for (int k = 0; k < 2; k++) {
				low[k] = fminf(low[k], at[k]);
				high[k] = fmaxf(high[k], at[k]);
			}
		}
		sum += (double)(high[0] - low[0]) * (double)(high[1] - low[1]);
	}
	return sum <= MOST_OVERLAP * (double)chart->size[0] * (double)chart->size[1];
}

static void find_bounds(const bspscene_scene *scene, bspi_lit_chart *chart)
{
	const uint32_t *indices = scene->meshes[chart->mesh]->indices + chart->first_index;
	float high[2] = { -INFINITY, -INFINITY };
	chart->low[0] = chart->low[1] = INFINITY;
	for (uint32_t i = 0; i < chart->index_count; i++) {
		float at[2];
		bspi_lit_place(scene, chart, indices[i], at);
		for (int k = 0; k < 2; k++) {
			chart->low[k] = fminf(chart->low[k], at[k]);
			high[k] = fmaxf(high[k], at[k]);
		}
	}
	for (int k = 0; k < 2; k++) chart->size[k] = high[k] - chart->low[k];
}

bool bspi_lit_measure(const bspi_writer *writer, bspi_lit_chart *chart)
{
	const bspscene_scene *scene = writer->scene;
	double flat_area = choose_axes(scene, chart), area = chart_area(scene, chart);
	chart->planar = !(area > flat_area * LEAST_LUXEL_SHARE);
	if (chart->planar) area = flat_area;
	find_bounds(scene, chart);
	if (!isfinite(chart->size[0]) || !isfinite(chart->size[1]) || !is_simple(scene, chart)) return false;
	double texels = texture_area(scene, chart), detail = (double)PLAIN_DETAIL;
	if (texels > 0 && area > 0) detail = sqrt(texels / area);
	float longest = fmaxf(chart->size[0], chart->size[1]);
	float room = (float)(writer->options.baked_size - 2 * BSPI_LIT_GUTTER - 2);
	chart->detail = fminf(fmaxf((float)fmin(detail, (double)MOST_DENSITY), 1), room / fmaxf(longest, 1));
	return true;
}

/* ---- All of them ------------------------------------------------------------------------------------------ */

static void set_density(bspi_lit_chart *chart, float density)
{
	chart->density = fminf(density, chart->detail);
	chart->width = (uint32_t)ceilf(chart->size[0] * chart->density) + 2 * BSPI_LIT_GUTTER;
	chart->height = (uint32_t)ceilf(chart->size[1] * chart->density) + 2 * BSPI_LIT_GUTTER;
}

static uint64_t area_at(bspi_lit *lit, float density)
{
	uint64_t area = 0;
	for (uint32_t i = 0; i < lit->chart_count; i++) {
		set_density(&lit->charts[i], density);
		area += (uint64_t)lit->charts[i].width * lit->charts[i].height;
	}
	return area;
}

/* The largest with which they have no more texels. */
static float search_density(bspi_lit *lit, uint64_t most)
{
	float low = LEAST_DENSITY, high = MOST_DENSITY;
	if (area_at(lit, high) <= most) return high;
	for (int i = 0; i < SEARCH_STEPS; i++) {
		float middle = sqrtf(low * high);
		if (area_at(lit, middle) <= most) low = middle;
		else high = middle;
	}
	return low;
}

/* Highest first, then widest; rectangles that are equal stay in order. */
static int compare_rects(const void *a, const void *b)
{
	const stbrp_rect *x = a, *y = b;
	if (x->h != y->h) return x->h < y->h ? 1 : -1;
	if (x->w != y->w) return x->w < y->w ? 1 : -1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static bool pack(bspi_lit *lit, stbrp_rect *rects, stbrp_node *nodes, uint32_t side, uint32_t largest)
{
	stbrp_context context;
	for (uint32_t i = 0; i < lit->chart_count; i++) {
		const bspi_lit_chart *chart = &lit->charts[i];
		rects[i] = (stbrp_rect) { .id = (int)i, .w = (stbrp_coord)chart->width, .h = (stbrp_coord)chart->height };
	}
	qsort(rects, lit->chart_count, sizeof *rects, compare_rects);
	stbrp_init_target(&context, (int)side, (int)largest, nodes, (int)side);
	if (!stbrp_pack_rects(&context, rects, (int)lit->chart_count)) return false;
	lit->width = side;
	lit->height = 0;
	for (uint32_t i = 0; i < lit->chart_count; i++) {
		bspi_lit_chart *chart = &lit->charts[rects[i].id];
		chart->x = (uint32_t)rects[i].x;
		chart->y = (uint32_t)rects[i].y;
		if (chart->y + chart->height > lit->height) lit->height = chart->y + chart->height;
	}
	return true;
}

/* About a square, in which the widest has room. */
static uint32_t side_for(const bspi_lit *lit, uint64_t area, uint32_t largest)
{
	uint32_t side = (uint32_t)ceil(sqrt((double)area / FILLED)), widest = 1;
	for (uint32_t i = 0; i < lit->chart_count; i++) {
		if (lit->charts[i].width > widest) widest = lit->charts[i].width;
	}
	if (side < widest) side = widest;
	side = (side + 3) / 4 * 4;
	return side < largest ? side : largest;
}

bool bspi_lit_arrange(bspi_writer *writer, bspi_lit *lit, uint64_t most)
{
	uint32_t largest = writer->options.baked_size;
	stbrp_rect *rects = bspi_writer_push(writer, stbrp_rect, lit->chart_count);
	stbrp_node *nodes = bspi_writer_push(writer, stbrp_node, largest);
	BSPI_TRY(rects && nodes);
	bool fits = lit->chart_count <= MOST_CHARTS && area_at(lit, LEAST_DENSITY) <= most;
	float density = search_density(lit, (uint64_t)((double)most * FILLED));
	for (int i = 0; fits && i < MOST_TRIES; i++, density *= SMALLER) {
		uint64_t area = area_at(lit, density);
		uint32_t side = side_for(lit, area, largest);
		lit->density = density;
		if (pack(lit, rects, nodes, side, largest) && (uint64_t)lit->width * lit->height <= most) return true;
	}
	lit->chart_count = lit->width = lit->height = 0;
	return true;
}
