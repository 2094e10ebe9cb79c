/* vertex_light.c - the light of pages and vertices -> mesh->light, with as many vertices as it takes. When the
 * triangles become too many, the charts are divided again with the error with which they should fit. See
 * vertex_light.h. */
#include "passes/vertex_light/vertex_light.h"

#include <math.h>

#include "base/costs.h"

/* As the triangles that are added grow with the error, as a power of it; a little more for what that misses. */
#define GROWTH 0.9
#define MARGIN 1.03
#define MOST_TRIES 8
/* A difference of display values that no light has. */
#define LARGEST_ERROR 4.0f
/* How often the half luxels of all pages may be looked at, and how many for each triangle besides. */
#define LOOKS_PER_HALF_LUXEL 8u
#define LOOKS_PER_TRIANGLE 64u
/* And how many in all tries together, by the size of the file: of sixteen real maps none has more than 1.04 half luxels
 * for each byte, and a sixth of that along edges; files that are packed have more. Where faces share luxels, a small
 * file may ask for any number, and a million of noise take three seconds. */
#define BASE_WORK ((uint64_t)256 << 10)
#define WORK_PER_BYTE 3u
#define EDGES_PART 4u

typedef struct whole {
	bspi_ctx *ctx;
	bspscene_scene *scene;
	bool stop_at_white;
	bspi_light_mesh *meshes;           /* per mesh */
	uint64_t inside_left, edges_left;  /* half luxels that may be looked at */
} whole;

static uint64_t most_looks(const bspscene_scene *scene)
{
	uint64_t looks = LOOKS_PER_TRIANGLE * (uint64_t)scene->counts->triangles;
	for (uint32_t i = 0; scene->page_set_count && i < scene->page_count; i++) {
		const bspscene_page *page = &scene->page_sets[0].pages[i];
		looks += LOOKS_PER_HALF_LUXEL * 4 * (uint64_t)page->width * page->height;
	}
	return looks;
}

static void begin_work(whole *w)
{
	uint64_t size = w->scene->source_size;
	bool known = size && size < (UINT64_MAX - BASE_WORK) / WORK_PER_BYTE;
	w->inside_left = known ? BASE_WORK + WORK_PER_BYTE * size : UINT64_MAX;
	w->edges_left = w->inside_left / EDGES_PART;
}

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

static bool begin_mesh(whole *w, uint32_t index, bspi_light_tables *tables, float error)
{
	const bspscene_mesh *mesh = w->scene->meshes[index];
	bspi_light_source *sources = bspi_push(w->ctx, &w->ctx->scratch, bspi_light_source, mesh->section_count);
	BSPI_TRY(sources);
	for (uint32_t s = 0; s < mesh->section_count; s++) {
		BSPI_TRY(bspi_light_source_of(w->ctx, tables, mesh, mesh->sections[s], &sources[s]));
	}
	w->meshes[index] = (bspi_light_mesh){ .mesh = mesh, .faces = w->scene->faces, .sources = sources, .error = error };
	return bspi_find_places(w->ctx, &w->meshes[index]) && bspi_find_edges(w->ctx, &w->meshes[index]);
}

/* All meshes with one error. */
static bool divide_all(whole *w, float error, bspi_light_total *total)
{
	bspi_light_tables tables = { .scene = w->scene, .stop_at_white = w->stop_at_white, .error = error };
	const uint64_t most = most_looks(w->scene), inside = smaller(most, w->inside_left),
	               edges = smaller(most, w->edges_left);
	uint64_t half_luxels = inside, along_edges = edges;
	bspi_arena_reset(&w->ctx->scratch);
	w->meshes = bspi_push(w->ctx, &w->ctx->scratch, bspi_light_mesh, w->scene->mesh_count);
	BSPI_TRY(w->meshes);
	for (uint32_t i = 0; i < w->scene->mesh_count; i++) {
		BSPI_TRY(begin_mesh(w, i, &tables, error) && bspi_find_charts(w->ctx, &w->meshes[i], &half_luxels));
		total->charts += w->meshes[i].chart_count;
	}
	for (uint32_t i = 0; total->divides && i < w->scene->mesh_count; i++) {
		BSPI_TRY(bspi_find_edge_points(w->ctx, &w->meshes[i], &along_edges));
		BSPI_TRY(bspi_divide_charts(w->ctx, &w->meshes[i], total));
		if (w->meshes[i].left_out) total->left_out = true;
	}
	w->inside_left -= total->divides ? inside - half_luxels : 0;
	w->edges_left -= edges - along_edges;
	return true;
}

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
	scene->page_sets = NULL;
	scene->page_set_count = scene->page_count = 0;
	return scene->meshes != NULL;
}

/* With which error there should be no more triangles than may be, after what came of the last one. */
static float next_error(float error, const bspi_light_total *total, uint64_t before)
{
	double added = (double)(total->triangles - before), room = (double)(total->limit - before);
	double larger = pow(added / room, 1 / GROWTH) * MARGIN;
	return error * (float)fmin(fmax(larger, 1.1), 16);
}

bool bspi_light_vertices(bspi_ctx *ctx, bspscene_scene *scene, const float *brightness,
                         const bspscene_bake_options *options, bspscene_bake_report *report)
{
	whole w = { .ctx = ctx, .scene = scene, .stop_at_white = options->stop_at_white };
	uint64_t before = 0;
	float error = options->light_error / 255;
	BSPI_TRY(bspi_add_page_styles(ctx, scene, brightness));
	begin_work(&w);
	for (uint32_t i = 0; i < scene->mesh_count; i++) before += scene->meshes[i]->index_count / 3;
	bspi_fraction_part(&ctx->fraction, 0, BSPI_SHARE_DIVIDED);
	for (int tries = 0;; tries++) {
		bspi_light_total total = { .triangles = before, .limit = options->triangle_limit };
		total.divides = before < total.limit && error <= LARGEST_ERROR && tries < MOST_TRIES;
		if (!total.divides) error = 2 * LARGEST_ERROR;
		bspi_fraction_rest(&ctx->fraction);
		BSPI_TRY(divide_all(&w, error, &total));
		if (!total.divides || total.triangles <= total.limit) {
			report->light_error = (total.left_out ? 2 * LARGEST_ERROR : error) * 255;
			report->usual_error = bspi_measure_quantile(&total.measure, 0.999);
			report->largest_error = bspi_measure_quantile(&total.measure, 1);
			report->edge_error = total.measure.most_on_edges / 10;
			break;
		}
		error = next_error(error, &total, before);
	}
	BSPI_TRY(put_all(&w));
	report->triangles = scene->counts->triangles;
	report->triangles_before = (uint32_t)before;
	return true;
}
