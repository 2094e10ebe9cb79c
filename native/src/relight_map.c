/* relight_map.c - the public functions bspscene_relight and bspscene_read_atlas. They check arguments and set up
 * memory. Each has a single exit. */
#include <assert.h>
#include <string.h>

#include <bspscene/binding.h>

#include "base/caller_struct.h"
#include "base/owner.h"
#include "map/family.h"
#include "options.h"
#include "relight/read_atlas.h"
#include "relight/relit_probes.h"

/* Returns the light range, LDR or HDR, to which the light with this name belongs. Atlases have the name from
 * bspscene_map_light.name. */
static bspscene_light_range choose_light(const char *name)
{
	static const char *const hdr[] = { "hdr", "e5bgr9", "lit_e5bgr9" };
	static const char *const plain[] = { "ldr", "lit", "rgblighting", "gray" };
	for (size_t i = 0; i < sizeof hdr / sizeof *hdr; i++) {
		if (!strcmp(name, hdr[i])) return BSPSCENE_LIGHT_RANGE_HDR;
	}
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
		if (!strcmp(name, plain[i])) return BSPSCENE_LIGHT_RANGE_LDR;
	}
	return BSPSCENE_LIGHT_RANGE_AUTO;
}

/* Returns the name of a lighting variant if `name` is one. Returns NULL if `name` means something else. */
static const char *choose_light_set(const char *name)
{
	for (uint32_t i = 0; i < bspi_family_count; i++) {
		const char *const *sets = bspi_families[i]->variants[0].rules->light_sets;
		for (; sets && *sets; sets++) {
			if (!strcmp(name, *sets)) return *sets;
		}
	}
	return NULL;
}

static bool has_probes(const bspscene_edited_light *light)
{
	for (uint32_t i = 0; i < light->list_count; i++) {
		if (!strcmp(light->lists[i].name, BSPI_PROBE_LIST)) return true;
	}
	return false;
}

/* Checks the arguments and copies them. Sets the load options that decide which luxels a map has, as the atlas needs
 * them. */
static bool read_arguments(bspi_ctx *ctx, const bspscene_load_options *load, const bspscene_edited_light *light,
                           const bspscene_relight_options *options, bspi_relight *r, bspscene_error *error)
{
	bspscene_relight_options_init(&r->options);
	size_t least = BSPI_END_OF(bspscene_relight_options, convert_to_gray);
	if (options && !bspscene_struct_read(&r->options, sizeof r->options, least, options, "relight_options", error)) {
		return false;
	}
	bspscene_load_options known;
	if (!bspi_read_options(load, &known, error)) return false;
	known.lightmap_encoding = light->encoding;
	known.light_range = choose_light(light->light);
	known.lighting_variant = choose_light_set(light->light);
	known.light_probes = has_probes(light);
	known.parts = BSPSCENE_PARTS_ALL;
	known.include_mask = 0;
	known.textures = BSPSCENE_TEXTURES_NAMES;
	known.models = BSPSCENE_MODELS_NONE;
	known.entity_source = BSPSCENE_ENTITY_SOURCE_MAP;
	known.lump_patches = known.strict = known.keep_pakfile = known.for_pictures = false;
	if (known.lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_NONE) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS, "relight: lightmap_encoding must not be none");
	}
	return bspi_complete_options(&known, &ctx->options, error);
}

static void close_stream(const bspscene_stream *stream)
{
	if (stream->close) stream->close(stream->user);
}

bool bspscene_relight(const bspscene_stream *map, const bspscene_load_options *load, const bspscene_edited_light *light,
                      const bspscene_relight_options *options, const bspscene_output *output,
                      bspscene_relight_report *report, bspscene_error *error)
{
	assert(map && light);
	bspi_ctx ctx = { .error = { .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET } };
	bspscene_edited_light known_light;
	bspi_relight r = { .light = &known_light, .report = { .clamp_factor = 1 } };
	bspscene_stream stream;
	bspscene_output known_output;
	if (error) *error = ctx.error;
	if (!bspscene_struct_read(&stream, sizeof stream, BSPI_END_OF(bspscene_stream, origin), map, "stream", error)) {
		return false;
	}
	bool ready = bspscene_struct_read(&known_light, sizeof known_light, BSPI_END_OF(bspscene_edited_light, list_count),
	                                  light, "new_light", error);
	ready = ready && (!output || bspscene_struct_read(&known_output, sizeof known_output,
	                                                  BSPI_END_OF(bspscene_output, end), output, "output", error));
	if (!ready || !read_arguments(&ctx, load, &known_light, options, &r, error)) {
		close_stream(&stream);
		return false;
	}
	ctx.file = ctx.options.name ? ctx.options.name : "map";
	bspi_budget_begin(&ctx.budget, ctx.options.memory_limit, ctx.options.allocator);
	ctx.budget.allocation_limit = ctx.options.allocation_limit;
	bspi_begin_memory(&ctx);
	r.build.ctx = &ctx;
	bool done = bspi_run_relight(&r, &stream, output ? &known_output : NULL);
	if (report) bspi_give_struct(report, &r.report, sizeof r.report);
	bspi_owner_hand_out(&ctx, NULL, error);
	return done;
}

/* ---- Atlases ---------------------------------------------------------------------------------------------- */

/* Light that was read from an atlas, with the arena that contains it. */
typedef struct light_owner {
	bspscene_edited_light light;       /* the first member, because callers have its address */
	bspi_budget budget;
	bspi_arena arena;
} light_owner;

static bool read_atlas(bspi_ctx *ctx, bspi_bytes text, light_owner *self)
{
	/* jansson's memory is not in our budget. It takes about 50 bytes for each byte of text. So that much is added to
	 * the budget while it parses. */
	enum { PARSED_PER_BYTE = 50 };
	uint64_t parsed = (uint64_t)text.size * PARSED_PER_BYTE;
	bspi_budget_read(&ctx->budget, text.size);
	if (!self || !bspi_budget_take(&ctx->budget, parsed)) return bspi_fail_memory(ctx);
	bspscene_edited_light_init(&self->light);
	bool read = bspi_read_atlas_text(ctx, text, &self->light);
	bspi_budget_give(&ctx->budget, parsed);
	return read && (!ctx->budget.exhausted || bspi_fail_memory(ctx));
}

bspscene_edited_light *bspscene_read_atlas(const void *json, size_t size, const bspscene_load_options *load,
                                        bspscene_error *error)
{
	assert(json || !size);
	bspi_ctx ctx = { .error = { .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET } };
	if (error) *error = ctx.error;
	if (!bspi_complete_options(load, &ctx.options, error)) return NULL;
	ctx.name = "atlas";
	ctx.file = ctx.options.name ? ctx.options.name : "atlas";
	bspi_budget_begin(&ctx.budget, ctx.options.memory_limit, ctx.options.allocator);
	ctx.budget.allocation_limit = ctx.options.allocation_limit;
	bspi_begin_memory(&ctx);
	light_owner *self = bspi_push(&ctx, &ctx.result, light_owner, 1);
	bool read = read_atlas(&ctx, bspi_bytes_of(json, size), self);
	if (!read) {
		bspi_owner_hand_out(&ctx, NULL, error);
		return NULL;
	}
	bspi_arena_reset(&ctx.stage);
	bspi_arena_reset(&ctx.scratch);
	self->budget = bspi_budget_move(&ctx.budget);
	self->arena = ctx.result;
	return &self->light;
}

void bspscene_edited_light_free(bspscene_edited_light *light)
{
	if (!light) return;
	const light_owner *self = (const light_owner *)light;
	bspi_budget budget = self->budget;
	bspi_arena arena = self->arena;
	arena.budget = &budget;
	bspi_arena_reset(&arena);
}
