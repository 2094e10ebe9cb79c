/* baking.h - a finished scene to another one, for hosts that know less than ours: bspscene_bake_light and its parts.
 *
 * A pass is handed `scene`, a shallow copy of the caller's that it may change, and puts arrays of its own in the place
 * of those that it has to change, in the result arena. */
#ifndef BSPI_PASSES_H
#define BSPI_PASSES_H

#include <bspscene/bake.h>

#include "base/ctx.h"

#define BSPI_USUAL_LIGHT_ERROR 14.0f

/* Pages, or colors of vertices, of all styles, times `brightness` (256 of them), become those of style 0.
 * add_styles.c */
bool bspi_add_page_styles(bspi_ctx *ctx, bspscene_scene *scene, const float *brightness);
bool bspi_add_color_styles(bspi_ctx *ctx, bspscene_scene *scene, const float *brightness);
/* What nodes show of a model in other light than its mesh's becomes a mesh of its own, within the options'
 * model_light_error, and what it took is told. Before all others: light is as the scene has it. instance_light.c */
bool bspi_light_instances(bspi_ctx *ctx, bspscene_scene *scene, const bspscene_bake_options *options,
                          bspscene_bake_report *report);
/* Light of pages, all styles of them, and of vertices becomes mesh->light, as the (complete) options ask for it, and
 * what it took is told. vertex_light/vertex_light.c */
bool bspi_light_vertices(bspi_ctx *ctx, bspscene_scene *scene, const float *brightness,
                         const bspscene_bake_options *options, bspscene_bake_report *report);
/* Triangles that a scene may have with its light by default: a budget of work by the size of its file. */
uint64_t bspi_most_lit_triangles(const bspscene_scene *scene);

#endif
