/* draft.h - copies of what deforms in a mesh, to be changed for one moment. */
#ifndef BSPR_DRAFT_H
#define BSPR_DRAFT_H

#include "moment.h"

/* A mesh that may be changed; its arrays are those that the public struct points to. */
typedef struct bspr_draft {
	bspscene_mesh mesh;
	float *positions, *normals, *uvs, *lightmap_uvs, *page_uvs;
	uint8_t *colors;
	uint32_t *indices;
	bspscene_section *sections;
	struct bspr_cutter *cutter;        /* NULL: no liquid is cut */
} bspr_draft;

/* Arrays that must be reallocated together: vertices and indices of the draft. */
typedef struct bspr_range {
	uint32_t first_vertex, vertex_count, first_index, index_count;
} bspr_range;

typedef void bspr_range_fn(void *user, const bspr_range *range);

bool bspr_section_deforms(const bspscene_scene *scene, const bspscene_section *section);

/* Room for all sections that deform; `sections` stays NULL when none does. False: memory is out. */
bool bspr_begin_draft(bspr_moment *moment, const bspscene_scene *scene, const bspscene_mesh *from, bspr_draft *out);
/* Appends one of them, liquids in pieces, and calls `deform` for each face of it (models have none: for all of it). */
void bspr_draft_section(const bspscene_scene *scene, const bspscene_mesh *from, const bspscene_section *section,
                        bspr_draft *out, bspr_range_fn *deform, void *user);

#endif
