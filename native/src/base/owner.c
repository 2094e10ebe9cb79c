/* owner.c - see owner.h; and bspscene_scene_free. */
#include "base/owner.h"

bspscene_scene *bspi_owner_hand_out(bspi_ctx *ctx, bspi_owner *owner)
{
	if (!owner) {
		bspi_end_memory(ctx);
		return NULL;
	}
	bspi_arena_reset(&ctx->stage);
	bspi_arena_reset(&ctx->scratch);
	owner->scene.source_size = ctx->budget.source_size;
	owner->scene.memory_size = ctx->budget.used;
	owner->scene.memory_peak = ctx->budget.peak;
	owner->budget = ctx->budget;
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
