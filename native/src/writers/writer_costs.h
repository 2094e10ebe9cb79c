/* writer_costs.h - about how long writers take for parts of a scene, so that their progress goes with the time. */
#ifndef BSPI_WRITER_COSTS_H
#define BSPI_WRITER_COSTS_H

#include <bspscene/scene.h>

/* Of the time that glTF takes, when all light goes into the vertices. */
#define BSPI_SHARE_OF_VERTEX_LIGHT 0.87

/* Microseconds, on the machine where they were measured (tests/bench/bench_progress.c); what counts is how they
 * compare. Light styles that are added up; pictures that are encoded anew; pages as pictures; triangles as text. */
double bspi_cost_of_styles(const bspscene_scene *scene);
double bspi_cost_of_pictures(const bspscene_scene *scene);
double bspi_cost_of_pages(const bspscene_scene *scene);
double bspi_cost_of_text(const bspscene_scene *scene);
/* Of whole files. */
double bspi_cost_of_gltf(const bspscene_scene *scene);
double bspi_cost_of_obj(const bspscene_scene *scene);

#endif
