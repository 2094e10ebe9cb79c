/* bake_light.c - bspscene_bake_light: runs the passes over a scene's light in order. */
#include <assert.h>

#include <bspscene/binding.h>

#include "base/caller_struct.h"
#include "base/owner.h"
#include "baking/baking.h"

#define DEFAULT_TRIANGLE_LIMIT 1000000u
#define DEFAULT_GROWTH 16u
#define BYTES_PER_TRIANGLE 256u        /* memory while meshes are divided, and in the new scene */

void bspscene_start_styles(const bspscene_scene *scene, float out[256])
{
	assert(scene && out);
	for (int i = 0; i < 256; i++) out[i] = 1;
	for (uint32_t i = 0; i < scene->light_style_count; i++) {
		out[scene->light_styles[i]->style & 0xff] = scene->light_styles[i]->start;
	}
}

bool bspi_read_bake_options(const bspscene_bake_options *given, bspscene_bake_options *out, bspscene_error *error)
{
	bspscene_bake_options_init(out);
	const size_t first_size = BSPI_END_OF(bspscene_bake_options, report);
	return !given || bspscene_struct_read(out, sizeof *out, first_size, given, "bake_options", error);
}

static bool complete(const bspscene_bake_options *given, bspscene_bake_options *out, bspscene_error *error)
{
	BSPI_TRY(bspi_read_bake_options(given, out, error));
	if (out->light_error == 0) out->light_error = BSPI_USUAL_LIGHT_ERROR;
	if (!(out->light_error >= 1 && out->light_error <= 255)) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS, "options: light_error %g is not in 1..255",
		                      (double)out->light_error);
	}
	if (!(out->model_light_error >= 0 && out->model_light_error <= 255)) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS, "options: model_light_error %g is not in 0..255",
		                      (double)out->model_light_error);
	}
	if (!out->keep_styles || !out->vertices) return true;
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS, "options: keep_styles and vertices cannot be combined");
}

static bool has_raw_floats(const bspscene_scene *scene)
{
	return scene->lightmap_set_count && scene->lightmap_page_count &&
	       scene->lightmap_sets[0].pages[0].format == BSPSCENE_LIGHTMAP_PAGE_RAW32;
}

/* Sets the brightness of the lamps' styles to the factors by which the light of these styles is multiplied. */
static bool note_brightness(bspi_ctx *ctx, bspscene_scene *scene, const float *brightness)
{
	bspscene_light_style *styles = bspi_push(ctx, &ctx->result, bspscene_light_style, scene->light_style_count);
	BSPI_TRY(styles);
	for (uint32_t i = 0; i < scene->light_style_count; i++) {
		styles[i] = *scene->light_styles[i];
		styles[i].start = brightness[styles[i].style & 0xff];
	}
	scene->light_styles = bspi_table(ctx, bspscene_light_style, styles, scene->light_style_count);
	return scene->light_styles != NULL;
}

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Returns the default of triangle_limit. It grows with the map, as far as memory_limit and the size of the map's file
 * allow. */
static uint32_t usual_limit(const bspi_ctx *ctx, const bspscene_scene *scene)
{
	uint64_t limit = DEFAULT_GROWTH * (uint64_t)scene->counts->triangles;
	uint64_t room = bspi_budget_left(&ctx->budget) / BYTES_PER_TRIANGLE;
	if (limit < DEFAULT_TRIANGLE_LIMIT) limit = DEFAULT_TRIANGLE_LIMIT;
	limit = smaller(smaller(limit, room), bspi_most_lit_triangles(scene));
	return limit < UINT32_MAX / 4 ? (uint32_t)limit : UINT32_MAX / 4;
}

static bool bake_styles(bspi_ctx *ctx, const bspscene_bake_options *options, bspscene_scene *scene,
                        bspscene_bake_report *report)
{
	float brightness[256];
	bool raw = has_raw_floats(scene);
	BSPI_CHECK(ctx, !raw || !options->light_styles, BSPSCENE_ERROR_BAD_OPTIONS, BSPI_NOWHERE,
	           "options: light styles of raw pages cannot be added up");
	bspscene_start_styles(scene, brightness);
	if (options->light_styles) memcpy(brightness, options->light_styles, sizeof brightness);
	BSPI_TRY(note_brightness(ctx, scene, brightness));
	BSPI_TRY(bspi_add_color_styles(ctx, scene, brightness));
	if (!options->vertices) return raw || bspi_add_page_styles(ctx, scene, brightness);
	BSPI_CHECK(ctx, !raw, BSPSCENE_ERROR_BAD_OPTIONS, BSPI_NOWHERE,
	           "raw HDR light cannot be put into vertices: load the lightmaps as display or hdr");
	bspscene_bake_options limited = *options;
	if (!limited.triangle_limit) limited.triangle_limit = usual_limit(ctx, scene);
	return bspi_light_vertices(ctx, scene, brightness, &limited, report);
}

static bool bake(bspi_ctx *ctx, const bspscene_bake_options *options, bspscene_scene *scene)
{
	bspscene_bake_report report = { .struct_size = sizeof report };
	uint32_t before = scene->counts->triangles;
	if (options->model_light_error > 0) BSPI_TRY(bspi_light_instances(ctx, scene, options, &report));
	uint32_t added = scene->counts->triangles - before;
	if (!options->keep_styles) BSPI_TRY(bake_styles(ctx, options, scene, &report));
	if (options->vertices) report.triangles_before -= added;
	bool reports = options->report && (options->vertices || options->model_light_error > 0);
	if (reports) bspi_give_struct(options->report, &report, sizeof report);
	return true;
}

bspscene_scene *bspscene_bake_light(const bspscene_scene *scene, const bspscene_bake_options *options,
                                    bspscene_error *error)
{
	assert(scene);
	bspscene_bake_options complete_options;
	bspi_error_set(error, BSPSCENE_OK, "%s", "");
	if (!complete(options, &complete_options, error)) return NULL;
	bspi_ctx ctx = { .error = { .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET } };
	ctx.file = *scene->name ? scene->name : "map";
	uint64_t limit = complete_options.memory_limit;
	bspi_budget_begin(&ctx.budget, limit ? limit : bspscene_default_limit(scene), complete_options.allocator);
	bspi_budget_read(&ctx.budget, scene->input_size);
	ctx.options.progress = complete_options.progress;
	ctx.options.progress_user = complete_options.progress_user;
	ctx.options.threads = complete_options.threads;
	ctx.options.thread_pool = complete_options.thread_pool;
	bspi_begin_memory(&ctx);

	/* The old scene counts toward the memory limit, because the new scene points into its arrays. */
	bool fits = bspi_budget_take(&ctx.budget, scene->memory_size) || bspi_fail_memory(&ctx);
	bspi_owner *self = fits ? bspi_push(&ctx, &ctx.result, bspi_owner, 1) : NULL;
	if (self) self->scene = *scene;
	bool baked = self && bspi_progress(&ctx, "light", 0, 1) && bake(&ctx, &complete_options, &self->scene);
	bspi_fraction_part(&ctx.fraction, 0, 1);
	baked = baked && bspi_progress(&ctx, "light", 1, 1);
	return bspi_owner_hand_out(&ctx, baked ? self : NULL, error);
}
