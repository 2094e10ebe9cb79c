/* vertex_light.c - puts the light of pages and vertices into mesh->light, and divides meshes where needed. If the
 * triangles become too many, a sample of the charts estimates the error with which they fit. See vertex_light.h. */
#include "baking/vertex_light/vertex_light.h"

#include <math.h>

#include "base/costs.h"

/* Share of the allowed triangles that is aimed at, and the tolerance that ends the search. */
#define AIM 0.965
#define NEAR_ENOUGH 0.08
/* Added triangles grow with the error to the power of minus this: usual value, least and most. */
#define USUAL_GROWTH 1.3
#define LEAST_GROWTH 0.6
#define MOST_GROWTH 3.0
#define LARGEST_STEP 16.0
#define MOST_SAMPLES 3
#define MOST_TRIES 8
/* The error grows at least by this, times the square of the number of tries. */
#define LEAST_STEP 0.05f
/* Number of charts that is a large enough sample, and its least and largest share of all work. */
#define TELLING_CHARTS 500
#define LEAST_TELLING 0.1
#define MOST_TELLING 0.32
/* A difference of display values larger than any light. */
#define LARGEST_ERROR 4.0f
/* How many times the half luxels of all pages may be scanned, and how many more for each triangle. */
#define LOOKS_PER_HALF_LUXEL 8u
#define LOOKS_PER_TRIANGLE 64u
/* Half luxels that may be scanned with one error, per byte of the file. Of sixteen real maps none has more than 1.7 per
 * byte, a sixth of them along edges; packed files have more. A small file whose faces share luxels could ask for any
 * number, and a million of noise take three seconds. */
#define BASE_WORK ((uint64_t)256 << 10)
#define WORK_PER_BYTE 3u
#define EDGES_PART 4u
/* Default limit of added triangles per byte of the file. The 113 maps of OpenArena, deflated in their archives, all
 * keep the error that was asked for and add at most an eighth of it, the 34 of Nexuiz a quarter. */
#define BASE_TRIANGLES 131072u
#define BYTES_PER_TRIANGLE 4u
/* Factor of that limit for all tries together. Beyond it errors double, then nothing is divided. */
#define MADE_BEFORE_DOUBLING 2u
#define MOST_MADE 3.5

typedef struct whole {
	bspi_ctx *ctx;
	bspscene_scene *scene;
	bool stop_at_white, left_out;
	bspi_light_mesh *meshes;           /* per mesh */
	bspi_arena kept;                   /* data that does not depend on the error */
	uint64_t triangles;                /* before */
	uint64_t edges;                    /* samples along them that may be taken */
	uint32_t chart_count;
	double size;                       /* for all charts */
	double made;                       /* triangles added by all tries so far */
} whole;

static uint64_t most_looks(const bspscene_scene *scene)
{
	uint64_t looks = LOOKS_PER_TRIANGLE * (uint64_t)scene->counts->triangles;
	for (uint32_t i = 0; scene->lightmap_set_count && i < scene->lightmap_page_count; i++) {
		const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[i];
		looks += LOOKS_PER_HALF_LUXEL * 4 * (uint64_t)page->width * page->height;
	}
	return looks;
}

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Returns the number of half luxels that may be scanned. */
static uint64_t most_work(const bspscene_scene *scene)
{
	uint64_t size = scene->input_size;
	bool known = size && size < (UINT64_MAX - BASE_WORK) / WORK_PER_BYTE;
	return known ? BASE_WORK + WORK_PER_BYTE * size : UINT64_MAX;
}

uint64_t bspi_most_lit_triangles(const bspscene_scene *scene)
{
	if (!scene->input_size) return UINT64_MAX;
	return scene->counts->triangles + (uint64_t)BASE_TRIANGLES + scene->input_size / BYTES_PER_TRIANGLE;
}

/* ---- Charts, which all errors share ----------------------------------------------------------------------- */

static bool begin_mesh(whole *w, uint32_t index, uint64_t *half_luxels)
{
	const bspscene_mesh *from = w->scene->meshes[index];
	bspi_light_mesh *mesh = &w->meshes[index];
	*mesh = (bspi_light_mesh){ .mesh = from, .faces = w->scene->faces, .charts_before = w->chart_count };
	mesh->sources = bspi_push(w->ctx, &w->ctx->scratch, bspi_light_source, from->section_count);
	BSPI_TRY(mesh->sources);
	for (uint32_t s = 0; s < from->section_count; s++) {
		mesh->sources[s] = bspi_light_source_of(w->scene, from, from->sections[s]);
	}
	BSPI_TRY(bspi_find_places(w->ctx, mesh) && bspi_find_edges(w->ctx, mesh));
	BSPI_TRY(bspi_find_charts(w->ctx, mesh, half_luxels));
	w->chart_count += mesh->chart_count;
	w->triangles += from->index_count / 3;
	for (uint32_t i = 0; i < mesh->chart_count; i++) w->size += bspi_chart_size(&mesh->charts[i]);
	if (mesh->left_out) w->left_out = true;
	return true;
}

static bool begin_all(whole *w)
{
	bspi_ctx *ctx = w->ctx;
	uint64_t most = most_looks(w->scene), work = most_work(w->scene), half_luxels = smaller(most, work);
	w->edges = smaller(most, work / EDGES_PART);
	bspi_arena_reset(&ctx->scratch);
	w->meshes = bspi_push(ctx, &ctx->scratch, bspi_light_mesh, w->scene->mesh_count);
	BSPI_TRY(w->meshes);
	for (uint32_t i = 0; i < w->scene->mesh_count; i++) BSPI_TRY(begin_mesh(w, i, &half_luxels));
	w->kept = ctx->scratch;
	bspi_arena_init(&ctx->scratch, w->kept.budget);
	return true;
}

/* ---- With one error --------------------------------------------------------------------------------------- */

static bool begin_error(whole *w, bspi_light_mesh *mesh, bspi_light_tables *tables)
{
	mesh->error = tables->error;
	mesh->divided = bspi_push(w->ctx, &w->ctx->scratch, bspi_divided_chart, mesh->chart_count);
	BSPI_TRY(mesh->divided);
	for (uint32_t s = 0; s < mesh->mesh->section_count; s++) {
		BSPI_TRY(bspi_light_find_steps(w->ctx, tables, &mesh->sources[s]));
	}
	return true;
}

/* Divides all meshes with one error. */
static bool divide_all(whole *w, float error, bspi_light_total *total)
{
	bspi_light_tables tables = { .stop_at_white = w->stop_at_white, .error = error };
	uint64_t along_edges = w->edges;
	total->triangles = w->triangles;
	total->charts = w->chart_count;
	total->left_out = w->left_out;
	bspi_fraction_rest(&w->ctx->fraction);
	bspi_arena_reset(&w->ctx->scratch);
	for (uint32_t i = 0; i < w->scene->mesh_count; i++) BSPI_TRY(begin_error(w, &w->meshes[i], &tables));
	for (uint32_t i = 0; total->divides && !total->over && i < w->scene->mesh_count; i++) {
		BSPI_TRY(bspi_find_edge_points(w->ctx, &w->meshes[i], total->asked, &along_edges));
		BSPI_TRY(bspi_divide_charts(w->ctx, &w->meshes[i], total));
		if (w->meshes[i].left_out) total->left_out = true;
	}
	w->made += (double)(total->triangles - w->triangles);
	return true;
}

/* ---- The error with which they fit ------------------------------------------------------------------------ */

/* An error and the number of triangles it adds. */
typedef struct error_fit {
	double error, added, growth;
} error_fit;

/* Extrapolates the error that adds the wanted number of triangles. */
static double fitting_error(const error_fit *fit, double added)
{
	double step = pow(fit->added / fmax(added, 1), 1 / fit->growth);
	return fit->error * fmin(fmax(step, 1 / LARGEST_STEP), LARGEST_STEP);
}

/* Records the result of another error. */
static void learn(error_fit *fit, double error, double added)
{
	double across = log(error / fit->error), down = log(fmax(fit->added, 1) / fmax(added, 1));
	if (fabs(across) > 0.02) fit->growth = fmin(fmax(down / across, LEAST_GROWTH), MOST_GROWTH);
	fit->error = error;
	fit->added = added;
}

/* Estimates the added triangles of all charts from the sample so far. */
static double all_added(const whole *w, const bspi_light_total *total)
{
	return total->added * (total->size > 0 ? w->size / total->size : 1);
}

/* Returns the share of charts to sample. */
static double part_asked(const whole *w, double asked)
{
	double size = 0;
	for (uint32_t i = 0; i < w->scene->mesh_count; i++) {
		for (uint32_t k = 0; k < w->meshes[i].chart_count; k++) {
			const bspi_light_chart *chart = &w->meshes[i].charts[k];
			size += bspi_chart_size(chart) * bspi_chart_chance(chart, asked);
		}
	}
	return size / fmax(w->size, 1);
}

/* Searches a closer error with a sample of the charts, starting from the result of the first error. */
static bool find_error(whole *w, uint64_t limit, double wanted, error_fit *fit)
{
	double asked = TELLING_CHARTS / fmax(w->size, 1);
	while (part_asked(w, asked) > MOST_TELLING && asked * w->size > 1) asked /= 2;
	while (part_asked(w, asked) < LEAST_TELLING) asked *= 2;
	for (int i = 0; i < MOST_SAMPLES; i++) {
		bspi_light_total some = { .limit = limit, .asked = asked, .divides = true };
		double error = fitting_error(fit, wanted);
		if (error > (double)LARGEST_ERROR) break;
		BSPI_TRY(divide_all(w, (float)error, &some));
		/* The exponent is estimated from the same sample. */
		double added = all_added(w, &some);
		if (i) learn(fit, error, added);
		else *fit = (error_fit) { error, added, USUAL_GROWTH };
		if (fabs(fit->added / wanted - 1) < NEAR_ENOUGH) break;
	}
	return true;
}

/* Divides until the triangles fit. *error is the error that was reached. */
static bool divide_within(whole *w, uint64_t limit, float *error, bspi_light_total *total)
{
	double room = (double)(limit > w->triangles ? limit - w->triangles : 0), wanted = AIM * room;
	bool by_size = limit == bspi_most_lit_triangles(w->scene);
	error_fit fit = { .growth = USUAL_GROWTH };
	for (int tries = 0;; tries++) {
		*total = (bspi_light_total){ .limit = limit };
		total->divides = w->triangles < limit && *error <= LARGEST_ERROR && tries < MOST_TRIES;
		if (by_size && w->made > MOST_MADE * room) total->divides = false;
		if (!total->divides) *error = 2 * LARGEST_ERROR;
		BSPI_TRY(divide_all(w, *error, total));
		if (!total->over) return true;
		fit.error = (double)*error;
		fit.added = all_added(w, total);
		if (!tries) BSPI_TRY(find_error(w, limit, wanted, &fit));
		bool doubles = by_size && w->made > MADE_BEFORE_DOUBLING * room;
		float least = doubles ? 2 : 1 + LEAST_STEP * (float)(tries * tries);
		*error = fmaxf((float)fitting_error(&fit, wanted), *error * least);
	}
}

/* ---- The scene -------------------------------------------------------------------------------------------- */

static bool put_all(whole *w)
{
	bspscene_scene *scene = w->scene;
	bspscene_mesh *meshes = bspi_push(w->ctx, &w->ctx->result, bspscene_mesh, scene->mesh_count);
	bspscene_face *faces = bspi_push(w->ctx, &w->ctx->result, bspscene_face, scene->face_count);
	bspscene_counts *counts = bspi_push_copy(w->ctx, scene->counts, 1, sizeof *counts);
	BSPI_TRY(meshes && faces && counts);
	if (scene->face_count) memcpy(faces, scene->faces, scene->face_count * sizeof *faces);
	counts->vertices = counts->triangles = 0;
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		meshes[i] = *scene->meshes[i];
		BSPI_TRY(bspi_split_mesh(w->ctx, &w->meshes[i], &meshes[i], faces));
		counts->vertices += meshes[i].vertex_count;
		counts->triangles += meshes[i].index_count / 3;
	}
	scene->meshes = bspi_table(w->ctx, bspscene_mesh, meshes, scene->mesh_count);
	scene->faces = faces;
	scene->counts = counts;
	scene->lightmap_sets = NULL;
	scene->lightmap_set_count = scene->lightmap_page_count = 0;
	return scene->meshes != NULL;
}

bool bspi_light_vertices(bspi_ctx *ctx, bspscene_scene *scene, const float *brightness,
                         const bspscene_bake_options *options, bspscene_bake_report *report)
{
	whole w = { .ctx = ctx, .scene = scene, .stop_at_white = options->clamp_to_white };
	bspi_light_total total;
	float error = options->light_error / 255;
	BSPI_TRY(bspi_add_page_styles(ctx, scene, brightness));
	bspi_fraction_part(&ctx->fraction, 0, BSPI_SHARE_DIVIDED);
	BSPI_TRY(begin_all(&w));
	bool well = divide_within(&w, options->triangle_limit, &error, &total) && put_all(&w);
	bspi_arena_reset(&w.kept);
	BSPI_TRY(well);
	report->light_error = (total.left_out ? 2 * LARGEST_ERROR : error) * 255;
	report->usual_error = bspi_measure_quantile(&total.measure, 0.999);
	report->largest_error = bspi_measure_quantile(&total.measure, 1);
	report->edge_error = total.measure.most_on_edges / 10;
	report->triangles = scene->counts->triangles;
	report->triangles_before = (uint32_t)w.triangles;
	return true;
}
