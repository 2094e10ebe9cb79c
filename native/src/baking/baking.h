/* baking.h - bspscene_bake_light and its passes, which make a finished scene simpler for hosts. A pass gets `scene`, a
 * shallow copy of the caller's scene, and may change it. If it changes an array, it makes a new one in the result
 * arena. */
#ifndef BSPI_PASSES_H
#define BSPI_PASSES_H

#include <bspscene/bake.h>

#include "base/ctx.h"

#define BSPI_USUAL_LIGHT_ERROR 14.0f

/* Copies the options to the current struct; `given` may be NULL. False, with `error` set, for an invalid
 * struct_size. */
bool bspi_read_bake_options(const bspscene_bake_options *given, bspscene_bake_options *out, bspscene_error *error);

/* Multiplies the pages (or the vertex colors) of each style by the style's number in `brightness` (256 factors), and
 * adds them up. The sums become those of style 0. add_styles.c */
bool bspi_add_page_styles(bspi_ctx *ctx, bspscene_scene *scene, const float *brightness);
bool bspi_add_color_styles(bspi_ctx *ctx, bspscene_scene *scene, const float *brightness);
/* Gives a node a model mesh of its own if the node's light differs from the shared mesh's by more than
 * options->model_light_error, and reports the cost. Runs first, while the light is as the scene has it.
 * instance_light.c */
bool bspi_light_instances(bspi_ctx *ctx, bspscene_scene *scene, const bspscene_bake_options *options,
                          bspscene_bake_report *report);
/* Turns the light of pages and vertices into mesh->baked_light and reports the cost. `options` must be complete, with
 * all defaults filled in. vertex_light/vertex_light.c */
bool bspi_light_vertices(bspi_ctx *ctx, bspscene_scene *scene, const float *brightness,
                         const bspscene_bake_options *options, bspscene_bake_report *report);
/* Returns the default limit for the triangles of a scene with vertex light. It grows with the size of the map's file,
 * so that a small file cannot cause unbounded work. */
uint64_t bspi_most_lit_triangles(const bspscene_scene *scene);

#endif
