/* drawn.h - tells all writers of materials and meshes which parts of a scene are drawn, and how. */
#ifndef BSPI_DRAWN_H
#define BSPI_DRAWN_H

#include <bspscene/scene.h>

#include "writers/writers.h"

/* One scene material can be written as several materials, which differ in lighting or page. A look identifies one of
 * them. */
typedef struct bspi_look {
	uint32_t material;                 /* index of the scene material */
	bspscene_lighting lighting;
	uint32_t page;                     /* NO_INDEX: the material has no page; its light, if any, is in vertex colors */
} bspi_look;

bspi_look bspi_look_of(const bspi_writer *writer, const bspscene_section *section);
/* Returns the section's lightmap page, or NO_INDEX. It does so even if the requested lighting uses no pages. */
uint32_t bspi_page_of(const bspscene_scene *scene, const bspscene_section *section);
/* True if the material is written as unlit, because its light is complete and the host must not add any. */
bool bspi_look_is_unlit(const bspi_writer *writer, const bspi_look *look);
/* True if the material glows by itself. */
bool bspi_is_emissive(const bspscene_material *material);
/* True if the material shows what lies behind it. */
bool bspi_is_blended(const bspscene_material *material);

/* Marks the meshes that some node shows: *out has a bool for each mesh. Other meshes need not be written. */
bool bspi_mark_shown(bspi_writer *writer, bool **out);
/* True if all three corners differ. */
bool bspi_is_triangle(const uint32_t *corners);
/* Returns the number of indices of a section, without those of triangles that have two equal corners. */
uint32_t bspi_count_indices(const bspscene_mesh *mesh, const bspscene_section *section);

#endif
