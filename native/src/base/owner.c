/* owner.c - see owner.h; and bspscene_scene_free. */
#include "base/owner.h"

void bspi_set_parts(bspscene_scene *scene, const bspi_scene_parts *parts)
{
	scene->counts = &parts->counts;
	scene->light_grid = &parts->light_grid;
	scene->map_fog = &parts->map_fog;
	scene->tree = &parts->tree;
	scene->vis = &parts->vis;
}

/* Returns no scene if memory was out at any time. A decoder may then have failed as if its picture were damaged, and a
 * file may seem to be missing that could not be opened. */
bspscene_scene *bspi_owner_hand_out(bspi_ctx *ctx, bspi_owner *owner, bspscene_error *error)
{
	if (ctx->budget.exhausted) {
		owner = NULL;
		ctx->error.status = BSPSCENE_OK;
		bspi_fail_memory(ctx);
	}
	if (error) *error = ctx->error;
	if (!owner) {
		bspi_end_memory(ctx);
		return NULL;
	}
	bspi_arena_reset(&ctx->stage);
	bspi_arena_reset(&ctx->scratch);
	owner->scene.input_size = ctx->budget.source_size;
	owner->scene.memory_size = ctx->budget.used;
	owner->scene.memory_peak = ctx->budget.peak;
	owner->budget = bspi_budget_move(&ctx->budget);
	owner->arena = ctx->result;
	return &owner->scene;
}

void bspscene_scene_free(bspscene_scene *scene)
{
	if (!scene) return;
	const bspi_owner *self = (const bspi_owner *)scene;
	bspi_budget budget = self->budget;
	bspi_arena arena = self->arena;
	arena.budget = &budget;
	bspi_arena_reset(&arena);
}
