/* charts.c - groups the faces of a mesh into charts. See vertex_light.h. */
#include "baking/vertex_light/vertex_light.h"

#include <math.h>

/* Largest coordinate on a page, in half luxels. Coordinates that are larger or not finite become this. It lies outside
 * of all pages. */
#define FARTHEST 131072.0f
/* If twice a triangle's area on its page is below this many square half luxels, its inside is not scanned. */
#define SMALLEST_AREA 1e-3f

void bspi_place_on_page(const bspi_light_mesh *mesh, const bspi_light_source *source, uint32_t vertex, float out[2])
{
	out[0] = out[1] = 0;
	if (!source->page) return;
	const float *uv = mesh->mesh->lightmap_uvs + 2 * (size_t)vertex;
	const float size[2] = { (float)source->page->width, (float)source->page->height };
	for (int k = 0; k < 2; k++) {
		float at = uv[k] * 2 * size[k];
		out[k] = at > -FARTHEST ? at < FARTHEST ? at : FARTHEST : -FARTHEST;
	}
}

void bspi_color_of_vertex(const bspi_light_mesh *mesh, uint32_t vertex, float out[3])
{
	const uint8_t *colors = mesh->mesh->colors;
	for (size_t i = 0; i < 3; i++) out[i] = colors ? (float)colors[4 * (size_t)vertex + i] / 255 : 1;
}

/* ---- Finding ---------------------------------------------------------------------------------------------- */

/* Returns twice the area of a triangle on its page. */
static float area_on_page(const bspi_light_mesh *mesh, const bspi_light_source *source, uint32_t triangle)
{
	const uint32_t *corners = mesh->mesh->indices + 3 * (size_t)triangle;
	float p[3][2];
	for (int k = 0; k < 3; k++) bspi_place_on_page(mesh, source, corners[k], p[k]);
	return (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
}

static void add_chart(bspi_light_mesh *mesh, bspi_chart_kind kind, uint32_t section, uint32_t triangle, bool mirrored)
{
	mesh->charts[mesh->chart_count++] = (bspi_light_chart){
		.kind = kind, .section = section, .first_triangle = triangle, .triangle_count = 0, .mirrored = mirrored,
	};
}

static void extend_chart(bspi_light_mesh *mesh, uint32_t triangle, uint32_t last_vertex)
{
	bspi_light_chart *chart = &mesh->charts[mesh->chart_count - 1];
	const uint32_t *corners = mesh->mesh->indices + 3 * (size_t)triangle;
	chart->triangle_count++;
	for (int k = 0; k < 3; k++) if (corners[k] > chart->last_vertex) chart->last_vertex = corners[k];
	if (last_vertex > chart->last_vertex) chart->last_vertex = last_vertex;
	mesh->charts_of_triangles[triangle] = mesh->chart_count - 1;
}

/* Adds the triangles of one face as charts. If triangles belong to no face, each is a chart of its own. */
static void add_run(bspi_light_mesh *mesh, uint32_t section, uint32_t first, uint32_t end, const bspscene_face *face)
{
	const bspi_light_source *source = &mesh->sources[section];
	bool open = false;
	/* New vertices are stored after the last vertex of their face, so that the vertices of a face stay consecutive. */
	uint32_t last = face && face->vertex_count ? face->first_vertex + face->vertex_count - 1 : 0;
	for (uint32_t t = first; t < end; t++) {
		float area = source->page ? area_on_page(mesh, source, t) : 0;
		bool mapped = fabsf(area) > SMALLEST_AREA, mirrored = area < 0;
		const bspi_light_chart *chart = open ? &mesh->charts[mesh->chart_count - 1] : NULL;
		if (!mapped || !chart || chart->mirrored != mirrored) {
			add_chart(mesh, mapped ? BSPI_CHART_MAPPED : BSPI_CHART_PLAIN, section, t, mapped && mirrored);
		}
		/* If a section is lit by a page and by vertex colors, the colors may jump between triangles. So each triangle
		 * is then a chart of its own. */
		open = mapped && face && !source->colors;
		extend_chart(mesh, t, last);
	}
}

static void add_section(bspi_light_mesh *mesh, uint32_t index)
{
	const bspscene_section *section = mesh->mesh->sections[index];
	uint32_t next = section->first_index / 3, end = next + section->index_count / 3;
	for (uint32_t f = 0; f < section->face_count; f++) {
		const bspscene_face *face = &mesh->faces[section->first_face + f];
		uint32_t first = face->first_index / 3, last = first + face->index_count / 3;
		if (first < next || last > end) continue;
		add_run(mesh, index, next, first, NULL);
		add_run(mesh, index, first, last, face);
		next = last;
	}
	add_run(mesh, index, next, end, NULL);
}

/* ---- Inner edges ------------------------------------------------------------------------------------------ */

static uint32_t corner_of_side(const bspi_light_mesh *mesh, uint32_t side, uint32_t which)
{
	return mesh->mesh->indices[side / 3 * 3 + (side % 3 + which) % 3];
}

/* True if exactly two triangles of one chart meet at the edge, and run along the same two vertices in opposite
 * order. */
static bool is_inner(const bspi_light_mesh *mesh, const bspi_shared_edge *edge)
{
	if (edge->side_count != 2) return false;
	uint32_t a = edge->first_side, b = mesh->next_sides[a], chart = mesh->charts_of_triangles[a / 3];
	return a / 3 != b / 3 && chart != BSPSCENE_NO_INDEX && chart == mesh->charts_of_triangles[b / 3] &&
	       mesh->charts[chart].kind == BSPI_CHART_MAPPED &&
	       corner_of_side(mesh, a, 0) == corner_of_side(mesh, b, 1) &&
	       corner_of_side(mesh, a, 1) == corner_of_side(mesh, b, 0);
}

/* ---- Budget ----------------------------------------------------------------------------------------------- */

/* Returns the number of half luxels in the bounding rectangle of a chart. */
static uint64_t half_luxels_of(const bspi_light_mesh *mesh, const bspi_light_chart *chart)
{
	float low[2] = { FARTHEST, FARTHEST }, high[2] = { -FARTHEST, -FARTHEST };
	for (uint32_t i = 0; i < 3 * chart->triangle_count; i++) {
		float place[2];
		uint32_t vertex = mesh->mesh->indices[3 * (size_t)chart->first_triangle + i];
		bspi_place_on_page(mesh, &mesh->sources[chart->section], vertex, place);
		for (int k = 0; k < 2; k++) {
			low[k] = fminf(low[k], place[k]);
			high[k] = fmaxf(high[k], place[k]);
		}
	}
	return (uint64_t)(high[0] - low[0] + 3) * (uint64_t)(high[1] - low[1] + 3);
}

bool bspi_find_charts(bspi_ctx *ctx, bspi_light_mesh *mesh, uint64_t *luxels_left)
{
	uint32_t triangle_count = mesh->mesh->index_count / 3;
	mesh->charts = bspi_push_unset(ctx, &ctx->scratch, triangle_count, sizeof *mesh->charts);
	mesh->charts_of_triangles = bspi_push_unset(ctx, &ctx->scratch, triangle_count, sizeof(uint32_t));
	BSPI_TRY(mesh->charts && mesh->charts_of_triangles);
	for (uint32_t i = 0; i < triangle_count; i++) mesh->charts_of_triangles[i] = BSPSCENE_NO_INDEX;
	for (uint32_t s = 0; s < mesh->mesh->section_count; s++) add_section(mesh, s);
	for (uint32_t i = 0; i < mesh->edge_count; i++) mesh->edges[i].inner = is_inner(mesh, &mesh->edges[i]);
	for (uint32_t i = 0; i < mesh->chart_count; i++) {
		bspi_light_chart *chart = &mesh->charts[i];
		if (chart->kind != BSPI_CHART_MAPPED) continue;
		uint64_t size = half_luxels_of(mesh, chart);
		if (size > *luxels_left || size > UINT32_MAX) {
			mesh->left_out = true;
			continue;
		}
		chart->size = (uint32_t)size;
		*luxels_left -= size;
	}
	return true;
}
