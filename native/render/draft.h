/* draft.h - copies those sections of a mesh whose materials deform them, so that the copies can be deformed for the
 * time and the eye of one picture. */
#ifndef BSPR_DRAFT_H
#define BSPR_DRAFT_H

#include "moment.h"

/* A copy of a mesh. `mesh` points to the writable arrays. */
typedef struct bspr_draft {
	bspscene_mesh mesh;
	float *positions, *normals, *uvs, *lightmap_uvs, *page_uvs;
	uint8_t *colors;
	uint32_t *indices;
	bspscene_section *sections;
	struct bspr_cutter *cutter;        /* working memory; NULL: no liquid is subdivided */
} bspr_draft;

/* A range of the draft's vertices and indices. */
typedef struct bspr_range {
	uint32_t first_vertex, vertex_count, first_index, index_count;
} bspr_range;

typedef void bspr_range_fn(void *user, const bspr_range *range);

bool bspr_section_deforms(const bspscene_scene *scene, const bspscene_section *section);

/* Allocates memory for all sections of the mesh that deform. `sections` stays NULL if there are none. False if memory
 * is short. */
bool bspr_begin_draft(bspr_moment *moment, const bspscene_scene *scene, const bspscene_mesh *from, bspr_draft *out);
/* Appends a copy of a section to the draft, with liquids subdivided. Then calls `deform` with the range of each face
 * or, for a model, once with the range of the whole section. */
void bspr_draft_section(const bspscene_scene *scene, const bspscene_mesh *from, const bspscene_section *section,
                        bspr_draft *out, bspr_range_fn *deform, void *user);

#endif
