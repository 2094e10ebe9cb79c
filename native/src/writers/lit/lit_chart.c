/* lit_chart.c - decides how faces lie in the picture of lit.h. */
#include "writers/lit/lit.h"

#include <math.h>
#include <string.h>

#include <bspscene/material.h>

#include "writers/light/place_uv.h"

#define PLAIN_DETAIL 2.0f              /* texels per luxel that surfaces without a texture get */
#define PLANAR_LUXEL 16.0f             /* side of a luxel of planar charts, in game units */
/* A chart is planar if its area on the page, in luxels, is at most this share of its area as a planar chart. A luxel
 * of the page would then be larger than 256 game units, so the position of the face on its page is useless. */
#define LEAST_LUXEL_SHARE (1.0 / 256)
#define MOST_OVERLAP 64.0              /* limit for the sum of the areas of the bounding boxes of triangles, as a
                                        * multiple of the area of the chart */

/* ---- One chart -------------------------------------------------------------------------------------------- */

void bspi_lit_place(const bspscene_scene *scene, const bspi_lit_chart *chart, uint32_t vertex, float out[2])
{
	const bspscene_mesh *mesh = scene->meshes[chart->mesh];
	if (chart->planar) {
		for (int i = 0; i < 2; i++) out[i] = mesh->positions[3 * (size_t)vertex + chart->axes[i]] / PLANAR_LUXEL;
		return;
	}
	const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[mesh->sections[chart->section]->lightmap_page];
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

/* Returns the area of a chart's triangles in square luxels. */
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

/* Returns the area of a chart's triangles in square texels of the texture. */
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

/* Chooses the plane of two axes of the map on which the projection of the face is largest. */
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

/* False if triangles overlap so much that painting would take too long. */
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
	chart->detail = fminf(fmaxf((float)fmin(detail, (double)BSPI_LIT_MOST_DENSITY), 1), room / fmaxf(longest, 1));
	return true;
}
