/* owner.h - a public scene and its memory, as a load or a pass over a scene returns it. */
#ifndef BSPI_OWNER_H
#define BSPI_OWNER_H

#include <bspscene/scene.h>

#include "base/ctx.h"

/* Parts of a scene in structs of their own, so that each struct can grow. */
typedef struct bspi_scene_parts {
	bspscene_counts counts;
	bspscene_light_grid light_grid;
	bspscene_map_fog map_fog;
	bspscene_tree tree;
	bspscene_vis vis;
} bspi_scene_parts;

/* Stored in its own result arena: freeing the arena frees the scene. */
typedef struct bspi_owner {
	bspscene_scene scene;              /* first member: callers have its address */
	bspi_scene_parts parts;
	bspi_budget budget;
	bspi_arena arena;
} bspi_owner;

/* Sets the scene's pointers to its parts. */
void bspi_set_parts(bspscene_scene *scene, const bspi_scene_parts *parts);

/* Ends a load: its result arena goes to the owner, the others are freed. If `owner` (which is in that arena) is NULL or
 * memory was out, everything is freed and NULL is returned. `error` may be NULL. */
bspscene_scene *bspi_owner_hand_out(bspi_ctx *ctx, bspi_owner *owner, bspscene_error *error);

#endif
