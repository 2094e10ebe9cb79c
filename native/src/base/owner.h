/* owner.h - a public scene together with its memory, as loads and passes over scenes return it. */
#ifndef BSPI_OWNER_H
#define BSPI_OWNER_H

#include <bspscene/scene.h>

#include "base/ctx.h"

/* The structs that a scene points to. They are separate, so that each can grow in later versions. */
typedef struct bspi_scene_parts {
	bspscene_counts counts;
	bspscene_light_grid light_grid;
	bspscene_map_fog map_fog;
	bspscene_tree tree;
	bspscene_vis vis;
} bspi_scene_parts;

/* A scene and its memory. It is stored in its own arena, so freeing the arena frees the scene. */
typedef struct bspi_owner {
	bspscene_scene scene;              /* first member: callers have its address */
	bspi_scene_parts parts;
	bspi_budget budget;
	bspi_arena arena;
} bspi_owner;

/* Sets the scene's pointers to its parts. */
void bspi_set_parts(bspscene_scene *scene, const bspi_scene_parts *parts);

/* Ends a load: the result arena moves into the owner, and the other arenas are freed. If `owner` (which is in that
 * arena) is NULL or memory was out, everything is freed and NULL is returned. `error` may be NULL. */
bspscene_scene *bspi_owner_hand_out(bspi_ctx *ctx, bspi_owner *owner, bspscene_error *error);

#endif
