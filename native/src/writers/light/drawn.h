/* drawn.h - what of a scene is drawn, and as what: the same for all writers of materials and meshes. */
#ifndef BSPI_DRAWN_H
#define BSPI_DRAWN_H

#include <bspscene/material.h>

#include "writers/writers.h"

/* What makes the written materials of one scene material different from each other: its light model and its page. */
typedef struct bspi_look {
	uint32_t material;                 /* of the scene */
	bspscene_lighting lighting;
	uint32_t page;                     /* NO_INDEX: the light is in vertex colors or nowhere */
} bspi_look;

bspi_look bspi_look_of(const bspi_writer *writer, const bspscene_section *section);
/* The section's page of light, NO_INDEX when it has none, whatever light is asked for. */
uint32_t bspi_page_of(const bspscene_scene *scene, const bspscene_section *section);
/* Is no host to add light? */
bool bspi_look_is_unlit(const bspi_writer *writer, const bspi_look *look);
/* Does it shine in the dark? */
bool bspi_is_emissive(const bspscene_material *material);
/* Is any of what is behind it seen through it? */
bool bspi_is_blended(const bspscene_material *material);

/* A bool per mesh: some node shows it. A mesh that none does would be dead weight. */
bool bspi_mark_shown(bspi_writer *writer, bool **out);
/* Has it three different corners? */
bool bspi_is_triangle(const uint32_t *corners);
uint32_t bspi_count_indices(const bspscene_mesh *mesh, const bspscene_section *section); /* of its true triangles */

#endif
