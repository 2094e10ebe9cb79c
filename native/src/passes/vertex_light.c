/* vertex_light.c - the light of pages and vertices -> mesh->light, with as many vertices as it takes. When the
 * triangles become too many, all meshes begin again with a larger error. See vertex_light.h. */
#include "passes/vertex_light.h"

/* From one try to the next; beyond the last one, nothing is split. */
#define COARSER 1.5f
#define LARGEST_ERROR 4.0f
/* Of the time, the rest puts the meshes together. */
#define SHARE_DIVIDED 0.95

typedef struct whole {
	bspi_ctx *ctx;
	bspscene_scene *scene;
	const float *brightness;
	const bspi_curves *curves;
	bool stop_at_white;
	bspi_division *divisions;          /* per mesh */
	bool full;                         /* no mesh could be divided: there are as many triangles as may be */
} whole;

static bool begin_mesh(whole *w, uint32_t index)
{
	const bspscene_mesh *mesh = &w->scene->meshes[index];
	bspi_light_rule *rules = bspi_push(w->ctx, &w->ctx->scratch, bspi_light_rule, mesh->section_count);
	BSPI_TRY(rules);
	for (uint32_t s = 0; s < mesh->section_count; s++) {
		rules[s] = bspi_light_rule_of(w->scene, mesh, &mesh->sections[s], w->brightness, w->curves);
		rules[s].stop_at_white = w->stop_at_white;
	}
	return bspi_begin_division(w->ctx, mesh, rules, &w->divisions[index]);
}

/* All meshes with one error; what one takes is not there for the others. */
static bspi_division_result divide_all(whole *w, float error, uint32_t limit)
{
	uint64_t total = 0;
	bspi_arena_reset(&w->ctx->scratch);
	w->divisions = bspi_push(w->ctx, &w->ctx->scratch, bspi_division, w->scene->mesh_count);
	if (!w->divisions) return BSPI_DIVISION_FAILED;
	for (uint32_t i = 0; i < w->scene->mesh_count; i++) {
		if (!begin_mesh(w, i)) return BSPI_DIVISION_FAILED;
		total += w->divisions[i].triangle_count;
	}
	w->full = total >= limit;
	bool may_divide = error <= LARGEST_ERROR && !w->full;
	bspi_light_work work = { .done = 0, .waiting = (double)total };
	for (uint32_t i = 0; may_divide && i < w->scene->mesh_count; i++) {
		uint32_t before = w->divisions[i].triangle_count;
		work.waiting -= before;
		uint64_t most = before + (limit > total ? limit - total : 0);
		bspi_division_result result = bspi_divide(w->ctx, &w->divisions[i], error,
		                                          most < UINT32_MAX / 3 ? (uint32_t)most : UINT32_MAX / 3, &work);
		if (result != BSPI_DIVIDED) return result;
		total += w->divisions[i].triangle_count - before;
	}
	return BSPI_DIVIDED;
}

static bool put_all(whole *w)
{
	bspscene_scene *scene = w->scene;
	bspscene_mesh *meshes = bspi_push(w->ctx, &w->ctx->result, bspscene_mesh, scene->mesh_count);
	bspscene_face *faces = bspi_push(w->ctx, &w->ctx->result, bspscene_face, scene->face_count);
	BSPI_TRY(meshes && faces);
	if (scene->mesh_count) memcpy(meshes, scene->meshes, scene->mesh_count * sizeof *meshes);
	if (scene->face_count) memcpy(faces, scene->faces, scene->face_count * sizeof *faces);
	scene->counts.vertices = scene->counts.triangles = 0;
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		BSPI_TRY(bspi_split_mesh(w->ctx, &w->divisions[i], &meshes[i], faces));
		scene->counts.vertices += meshes[i].vertex_count;
		scene->counts.triangles += meshes[i].index_count / 3;
	}
	scene->meshes = meshes;
	scene->faces = faces;
	scene->page_sets = NULL;
	scene->page_set_count = scene->page_count = 0;
	return true;
}

bool bspi_light_vertices(bspi_ctx *ctx, bspscene_scene *scene, const float *brightness,
                         const bspscene_bake_options *options, float *reached)
{
	bspi_curves *curves = bspi_push(ctx, &ctx->result, bspi_curves, 1);
	BSPI_TRY(curves);
	bspi_make_curves(curves);
	whole w = { .ctx = ctx, .scene = scene, .brightness = brightness, .curves = curves,
	            .stop_at_white = options->stop_at_white };
	bspi_fraction_part(&ctx->fraction, 0, SHARE_DIVIDED);
	for (*reached = options->light_error;; *reached *= COARSER) {
		bspi_fraction_rest(&ctx->fraction);
		bspi_division_result result = divide_all(&w, *reached / 255, options->triangle_limit);
		if (result == BSPI_DIVISION_FAILED) return false;
		if (w.full) *reached = COARSER * LARGEST_ERROR * 255;
		if (result == BSPI_DIVIDED) return put_all(&w);
	}
}
