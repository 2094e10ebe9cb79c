/* rewrite_map.c - the public functions bspscene_rewrite and bspscene_compare_entities. They check arguments and set
 * up memory. Each has a single exit. */
#include <assert.h>
#include <string.h>

#include <bspscene/binding.h>

#include "base/caller_struct.h"
#include "base/owner.h"
#include "options.h"
#include "rewrite/rewrite_parts.h"

/* Changes of entities, with the arena that contains them. */
typedef struct changes_owner {
	bspscene_entity_changes changes;   /* the first member, because callers have its address */
	bspi_budget budget;
	bspi_arena arena;
} changes_owner;

/* Ends the work. Returns the result if `well` is true. Otherwise returns NULL and sets the error. */
static bspscene_entity_changes *hand_out(bspi_ctx *ctx, changes_owner *self, bool well, bspscene_error *error)
{
	if (!self || !well || ctx->budget.exhausted) {
		bspi_owner_hand_out(ctx, NULL, error);
		return NULL;
	}
	bspi_arena_reset(&ctx->stage);
	bspi_arena_reset(&ctx->scratch);
	self->budget = bspi_budget_move(&ctx->budget);
	self->arena = ctx->result;
	return &self->changes;
}

static void begin(bspi_ctx *ctx, const char *file)
{
	ctx->file = file;
	bspi_budget_begin(&ctx->budget, ctx->options.memory_limit, ctx->options.allocator);
	ctx->budget.allocation_limit = ctx->options.allocation_limit;
	bspi_begin_memory(ctx);
}

/* ---- Comparing -------------------------------------------------------------------------------------------- */

static bool compare(bspi_ctx *ctx, const bspscene_scene *old_scene, const bspscene_scene *new_scene,
                    bspscene_entity_changes *out)
{
	bspi_entity_set old, new;
	bspi_entity_pairing pairing;
	bspi_key_pairing keys;
	return bspi_take_scene_entities(ctx, old_scene, &old) && bspi_take_scene_entities(ctx, new_scene, &new) &&
	       bspi_pair_entities(ctx, &old, &new, false, &pairing) && bspi_pair_keys(ctx, &old, &new, &pairing, &keys) &&
	       bspi_list_changes(ctx, &old, &new, &pairing, &keys, out) &&
	       bspi_list_warnings(ctx, &out->warnings, &out->warning_count);
}

bspscene_entity_changes *bspscene_compare_entities(const bspscene_scene *old_scene, const bspscene_scene *new_scene,
                                                   bspscene_error *error)
{
	assert(old_scene && new_scene);
	bspi_ctx ctx = { .error = { .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET } };
	if (error) *error = ctx.error;
	if (!bspi_complete_options(NULL, &ctx.options, error)) return NULL;
	begin(&ctx, "entities");
	bspi_budget_read(&ctx.budget, old_scene->input_size + new_scene->input_size);
	changes_owner *self = bspi_push(&ctx, &ctx.result, changes_owner, 1);
	return hand_out(&ctx, self, self && compare(&ctx, old_scene, new_scene, &self->changes), error);
}

void bspscene_entity_changes_free(bspscene_entity_changes *changes)
{
	if (!changes) return;
	const changes_owner *self = (const changes_owner *)changes;
	bspi_budget budget = self->budget;
	bspi_arena arena = self->arena;
	arena.budget = &budget;
	bspi_arena_reset(&arena);
}

/* ---- Writing ---------------------------------------------------------------------------------------------- */

static bool read_options(bspi_ctx *ctx, const bspscene_load_options *load, const bspscene_rewrite_options *options,
                         bspi_rewrite *r, bspscene_error *error)
{
	bspscene_rewrite_options_init(&r->options);
	size_t least = BSPI_END_OF(bspscene_rewrite_options, corner_count);
	if (options && !bspscene_struct_read(&r->options, sizeof r->options, least, options, "rewrite_options", error)) {
		return false;
	}
	if ((unsigned)r->options.form > BSPSCENE_REWRITE_FORM_LUMP_PATCH) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS, "rewrite: form %d is unknown", (int)r->options.form);
	}
	bspscene_load_options known;
	if (!bspi_read_options(load, &known, error)) return false;
	known.entity_source = BSPSCENE_ENTITY_SOURCE_MAP;
	known.lump_patches = known.strict = known.keep_pakfile = false;
	return bspi_complete_options(&known, &ctx->options, error);
}

bool bspscene_rewrite(const bspscene_stream *map, const bspscene_load_options *load,
                      const bspscene_edited_entities *entities, const bspscene_rewrite_options *options,
                      const bspscene_output *output, bspscene_rewrite_report *report, bspscene_error *error)
{
	assert(map);
	bspi_ctx ctx = { .error = { .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET } };
	bspi_rewrite r = { .ctx = &ctx };
	bspscene_stream stream;
	bspscene_output known_output;
	bspscene_edited_entities known;
	if (error) *error = ctx.error;
	if (!bspscene_struct_read(&stream, sizeof stream, BSPI_END_OF(bspscene_stream, origin), map, "stream", error)) {
		return false;
	}
	size_t least = BSPI_END_OF(bspscene_edited_entities, pair_count);
	bool ready = !entities || bspscene_struct_read(&known, sizeof known, least, entities, "edited_entities", error);
	ready = ready && (!output || bspscene_struct_read(&known_output, sizeof known_output,
	                                                  BSPI_END_OF(bspscene_output, end), output, "output", error));
	if (!ready || !read_options(&ctx, load, options, &r, error)) {
		if (stream.close) stream.close(stream.user);
		return false;
	}
	begin(&ctx, ctx.options.name ? ctx.options.name : "map");
	changes_owner *self = bspi_push(&ctx, &ctx.result, changes_owner, 1);
	bspscene_entity_changes spare;
	bool done = bspi_run_rewrite(&r, &stream, entities ? &known : NULL, output ? &known_output : NULL,
	                             self ? &self->changes : &spare);
	bspscene_entity_changes *changes = hand_out(&ctx, self, done, error);
	r.report.changes = changes;
	size_t given = report ? bspi_give_struct(report, &r.report, sizeof r.report) : 0;
	if (given < BSPI_END_OF(bspscene_rewrite_report, changes)) bspscene_entity_changes_free(changes);
	return changes != NULL;
}
