/* vertex_light.c - puts the light of pages and vertices into mesh->baked_light, and divides meshes where needed. See
 * vertex_light.h. */
#include "baking/vertex_light/whole_light.h"

#include "base/costs.h"

/* The first of two limits for the half luxels of all charts. It also limits the samples along edges. It is
 * SAMPLES_PER_HALF_LUXEL for each half luxel of all pages, plus SAMPLES_PER_TRIANGLE for each triangle. */
#define SAMPLES_PER_HALF_LUXEL 8u
#define SAMPLES_PER_TRIANGLE 64u
/* The second limit for the half luxels of all charts: BASE_WORK, plus WORK_PER_BYTE for each byte of the map's file.
 * The samples along edges have a limit of their own: this number divided by EDGES_PART. Sixteen real maps were
 * measured: the largest need is 1.7 per byte, a sixth of it for edges. The limits protect against small files whose
 * faces share luxels, because their work could be unbounded. A million half luxels of noise take three seconds. */
#define BASE_WORK ((uint64_t)256 << 10)
#define WORK_PER_BYTE 3u
#define EDGES_PART 4u

static uint64_t most_samples(const bspscene_scene *scene)
{
	uint64_t samples = SAMPLES_PER_TRIANGLE * (uint64_t)scene->counts->triangles;
	for (uint32_t i = 0; scene->lightmap_set_count && i < scene->lightmap_page_count; i++) {
		const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[i];
		samples += SAMPLES_PER_HALF_LUXEL * 4 * (uint64_t)page->width * page->height;
	}
	return samples;
}

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Returns the second limit for half luxels (BASE_WORK). UINT64_MAX if the size of the map's file is not known. */
static uint64_t most_work(const bspscene_scene *scene)
{
	uint64_t size = scene->input_size;
	bool known = size && size < (UINT64_MAX - BASE_WORK) / WORK_PER_BYTE;
	return known ? BASE_WORK + WORK_PER_BYTE * size : UINT64_MAX;
}

/* ---- Charts, which do not depend on the error ------------------------------------------------------------- */

static bool begin_mesh(bspi_whole_light *w, uint32_t index, uint64_t *half_luxels)
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
	for (uint32_t i = 0; i < mesh->chart_count; i++) {
		w->size += bspi_chart_size(&mesh->charts[i]);
		w->half_luxels += mesh->charts[i].size;
	}
	if (mesh->left_out) w->left_out = true;
	return true;
}

static bool begin_all(bspi_whole_light *w)
{
	bspi_ctx *ctx = w->ctx;
	uint64_t most = most_samples(w->scene), work = most_work(w->scene), half_luxels = smaller(most, work);
	w->edges = smaller(most, work / EDGES_PART);
	bspi_arena_reset(&ctx->scratch);
	w->meshes = bspi_push(ctx, &ctx->scratch, bspi_light_mesh, w->scene->mesh_count);
	BSPI_TRY(w->meshes);
	for (uint32_t i = 0; i < w->scene->mesh_count; i++) BSPI_TRY(begin_mesh(w, i, &half_luxels));
	w->kept = ctx->scratch;
	bspi_arena_init(&ctx->scratch, w->kept.budget);
	return true;
}

/* ---- The scene -------------------------------------------------------------------------------------------- */

static bool put_all(bspi_whole_light *w)
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
	bspi_whole_light w = { .ctx = ctx, .scene = scene, .stop_at_white = options->clamp_to_white };
	bspi_light_total total;
	float error = options->light_error / 255;
	BSPI_TRY(bspi_add_page_styles(ctx, scene, brightness));
	bspi_fraction_part(&ctx->fraction, 0, BSPI_SHARE_DIVIDED);
	BSPI_TRY(begin_all(&w));
	bool well = bspi_divide_within(&w, options->triangle_limit, &error, &total) && put_all(&w);
	bspi_arena_reset(&w.kept);
	BSPI_TRY(well);
	report->light_error = (total.left_out ? 2 * BSPI_LARGEST_LIGHT_ERROR : error) * 255;
	report->usual_error = bspi_measure_quantile(&total.measure, 0.999);
	report->largest_error = bspi_measure_quantile(&total.measure, 1);
	report->edge_error = total.measure.most_on_edges / 10;
	report->triangles = scene->counts->triangles;
	report->triangles_before = (uint32_t)w.triangles;
	return true;
}
