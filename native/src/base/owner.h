/* owner.h - a public scene and the memory it lives in: what a load and a pass over a scene hand out. */
#ifndef BSPI_OWNER_H
#define BSPI_OWNER_H

#include "base/ctx.h"

/* Lives in its own arena, so freeing the arena frees the scene. */
typedef struct bspi_owner {
	bspscene_scene scene;              /* first: callers hold its address */
	bspi_budget budget;
	bspi_arena arena;
} bspi_owner;

/* Ends the work of `ctx`: its result arena becomes the owner's, the others are freed. With `owner` NULL, which lives in
 * that arena, or when memory did not suffice, all of them are, and NULL is returned. `error` may be NULL. */
bspscene_scene *bspi_owner_hand_out(bspi_ctx *ctx, bspi_owner *owner, bspscene_error *error);

#endif
