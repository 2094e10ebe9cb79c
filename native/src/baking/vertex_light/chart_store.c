/* chart_store.c - stores the triangles and new vertices of a chart for the new mesh. See chart.h. */
#include "baking/vertex_light/chart.h"

static bspi_light_vertex vertex_of(const bspi_chart *chart, const bspi_chart_vertex *v)
{
	bspi_light_vertex out = { .parents = { v->parents[0], v->parents[1], v->parents[1] }, .shares = { v->share, 0 } };
	memcpy(out.levels, v->levels, sizeof out.levels);
	if (v->share > 0) return out;
	const bspi_chart_group *group = &chart->groups[v->group];
	const double (*c)[2] = group->corners;
	double bx = c[1][0] - c[0][0], by = c[1][1] - c[0][1], cx = c[2][0] - c[0][0], cy = c[2][1] - c[0][1];
	double x = v->x - c[0][0], y = v->y - c[0][1];
	for (uint32_t k = 0; k < 3; k++) {
		out.parents[k] = chart->mesh->mesh->indices[3 * (size_t)group->triangle +
		                                            (chart->light->mirrored && k ? 3 - k : k)];
	}
	out.shares[0] = (float)((x * cy - cx * y) / group->area);
	out.shares[1] = (float)((bx * y - x * by) / group->area);
	return out;
}

static bool make_room(bspi_chart *chart, uint32_t triangle_count, bspi_divided_chart *out)
{
	out->vertices = bspi_arena_alloc_unset(&chart->task->arena, chart->vertex_count, sizeof *out->vertices);
	out->triangles = bspi_arena_alloc_unset(&chart->task->arena, triangle_count, sizeof *out->triangles);
	out->vertex_count = out->triangle_count = 0;
	for (uint32_t i = 0; i < chart->vertex_count; i++) chart->vertices[i].number = BSPSCENE_NO_INDEX;
	return out->vertices && out->triangles;
}

static uint32_t number_of(bspi_chart *chart, uint32_t vertex, bspi_divided_chart *out)
{
	bspi_chart_vertex *v = &chart->vertices[vertex];
	if (v->origin != BSPSCENE_NO_INDEX) return v->origin;
	if (v->number == BSPSCENE_NO_INDEX) {
		v->number = chart->mesh->mesh->vertex_count + out->vertex_count;
		out->vertices[out->vertex_count++] = vertex_of(chart, v);
	}
	return v->number;
}

bool bspi_chart_store(bspi_chart *chart, bspi_divided_chart *out)
{
	BSPI_TRY(make_room(chart, chart->triangle_count, out));
	for (uint32_t i = 0; i < chart->triangle_count; i++) {
		const bspi_chart_triangle *t = &chart->triangles[i];
		if (t->gone) continue;
		bspi_light_triangle *to = &out->triangles[out->triangle_count++];
		to->origin = chart->groups[t->group].triangle;
		for (uint32_t k = 0; k < 3; k++) {
			to->corners[chart->light->mirrored && k ? 3 - k : k] = number_of(chart, t->v[k], out);
		}
	}
	/* If a chart has no new vertices and no flips, no triangles are stored. This means that it is unchanged. */
	if (!out->vertex_count && !chart->has_flipped) out->triangle_count = 0;
	return true;
}
