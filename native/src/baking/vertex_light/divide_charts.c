/* divide_charts.c - divides each chart of a mesh on its own, in several threads. See vertex_light.h. */
#include "baking/vertex_light/chart.h"

/* Work of a task, as bspi_chart_size counts it. */
#define TASK_SIZE 32768.0

typedef struct charts_job {
	bspi_ctx *ctx;
	bspi_light_mesh *mesh;
	bspi_light_total *total;
	uint32_t *firsts;                  /* index of each task's first chart; at the end, the number of all charts */
} charts_job;

/* The result of a task, for each of its charts. */
typedef struct task_result {
	bspi_divided_chart *charts;
	bspi_light_measure measure;
} task_result;

static bool is_divided(const bspi_chart *chart)
{
	for (uint32_t i = 0; i < 3 * chart->light->triangle_count; i++) {
		uint32_t edge = chart->mesh->edges_of_sides[3 * (size_t)chart->light->first_triangle + i];
		if (edge != BSPSCENE_NO_INDEX && chart->mesh->edges[edge].point_count) return true;
	}
	return false;
}

static bool divide_chart(bspi_chart *chart, task_result *result, bspi_divided_chart *out)
{
	bool inside = chart->light->size > 0;
	if (!inside && !is_divided(chart)) return true;
	BSPI_TRY(bspi_chart_build(chart));
	if (chart->has_inside) {
		/* Refines first at the centers of luxels, which are a quarter of all half luxels, then at all half luxels. */
		BSPI_TRY(bspi_chart_refine(chart, 2) && bspi_chart_refine(chart, 1) && bspi_chart_thin(chart));
		bspi_chart_measure(chart, &result->measure);
	}
	return bspi_chart_store(chart, out);
}

static bool is_due(const charts_job *job, uint32_t chart)
{
	return bspi_is_chart_in_part(&job->mesh->charts[chart], job->total) &&
	       bspi_is_chart_sampled(job->mesh, chart, job->total->sampling_rate);
}

static bool divide_some(void *user, bspi_task *task)
{
	charts_job *job = user;
	uint32_t first = job->firsts[task->index], count = job->firsts[task->index + 1] - first;
	/* Each inner vertex adds two triangles, so half as many vertices as the limit has triangles reach the limit. */
	bspi_chart chart = { .task = task, .mesh = job->mesh, .most_inner = job->total->limit / 2 };
	task_result *result = bspi_arena_alloc(&task->arena, 1, sizeof *result);
	if (result) result->charts = bspi_arena_alloc(&task->arena, count, sizeof *result->charts);
	bool well = result && result->charts;
	uint64_t made = 0;
	/* Stops after the chart with which this task alone exceeds the limit. take_charts then ends the job at that
	 * chart. */
	for (uint32_t i = 0; well && i < count && made <= job->total->limit; i++) {
		if (!is_due(job, first + i)) continue;
		chart.light = &job->mesh->charts[first + i];
		chart.source = &job->mesh->sources[chart.light->section];
		well = divide_chart(&chart, result, &result->charts[i]);
		uint32_t triangle_count = result->charts[i].triangle_count;
		if (triangle_count > chart.light->triangle_count) made += triangle_count - chart.light->triangle_count;
	}
	task->result = result;
	return well || bspi_task_fail_memory(task);
}

static bool keep_chart(charts_job *job, const bspi_divided_chart *made, bspi_divided_chart *out)
{
	bspi_arena *arena = &job->ctx->scratch;
	*out = *made;
	if (!made->triangle_count) return true;
	out->vertices = bspi_arena_alloc_unset(arena, made->vertex_count, sizeof *out->vertices);
	out->triangles = bspi_arena_alloc_unset(arena, made->triangle_count, sizeof *out->triangles);
	BSPI_TRY(out->vertices && out->triangles);
	memcpy(out->vertices, made->vertices, made->vertex_count * sizeof *out->vertices);
	memcpy(out->triangles, made->triangles, made->triangle_count * sizeof *out->triangles);
	return true;
}

static bool take_charts(void *user, bspi_task *task)
{
	charts_job *job = user;
	const task_result *result = task->result;
	bspi_light_total *total = job->total;
	uint32_t first = job->firsts[task->index], count = job->firsts[task->index + 1] - first;
	for (uint32_t i = 0; i < count; i++) {
		const bspi_divided_chart *made = &result->charts[i];
		const bspi_light_chart *chart = &job->mesh->charts[first + i];
		if (!bspi_is_chart_in_part(chart, total)) continue;
		uint32_t added = made->triangle_count ? made->triangle_count - chart->triangle_count : 0;
		total->size += bspi_chart_size(chart);
		total->added += added / bspi_chart_chance(chart, total->sampling_rate);
		total->triangles += added;
		total->over = total->triangles > total->limit;
		if (total->over) return false;
		/* If only a sample of the charts is divided (sampling_rate > 0), their triangles are counted but not kept. */
		if (total->sampling_rate > 0) continue;
		if (!keep_chart(job, made, &job->mesh->divided[first + i])) return bspi_task_fail_memory(task);
	}
	for (uint32_t i = 0; i < BSPI_MEASURE_BINS; i++) total->measure.counts[i] += result->measure.counts[i];
	total->measure.count += result->measure.count;
	float on_edges = result->measure.most_on_edges;
	if (on_edges > total->measure.most_on_edges) total->measure.most_on_edges = on_edges;
	return true;
}

static bool report_progress(void *user, uint32_t done)
{
	charts_job *job = user;
	bspi_light_total *total = job->total;
	double charts = (double)job->mesh->charts_before + job->firsts[done];
	double share = total->charts > 0 ? charts / total->charts : 0;
	return bspi_progress_share(job->ctx, "light", (total->part + share) / total->part_count);
}

/* Splits the charts into runs of about the same work. */
static bool make_tasks(charts_job *job, uint32_t *count)
{
	const bspi_light_mesh *mesh = job->mesh;
	double size = 0;
	job->firsts = bspi_push(job->ctx, &job->ctx->stage, uint32_t, (size_t)mesh->chart_count + 1);
	BSPI_TRY(job->firsts);
	*count = 0;
	for (uint32_t i = 0; i < mesh->chart_count; i++) {
		size += is_due(job, i) ? bspi_chart_size(&mesh->charts[i]) : 0;
		if (size < TASK_SIZE && i + 1 < mesh->chart_count) continue;
		job->firsts[++*count] = i + 1;
		size = 0;
	}
	return true;
}

bool bspi_divide_charts(bspi_ctx *ctx, bspi_light_mesh *mesh, bspi_light_total *total)
{
	charts_job user = { .ctx = ctx, .mesh = mesh, .total = total };
	uint32_t count;
	BSPI_TRY(make_tasks(&user, &count));
	const bspi_job job = {
		.count = count, .work = divide_some, .finish = take_charts, .report = report_progress, .user = &user,
	};
	bool well = bspi_run_load_job(ctx, &job) || total->over;
	bspi_arena_reset(&ctx->stage);
	return well;
}
