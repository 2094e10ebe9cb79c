/* moment.h - data that depends on the eye and the time, made for each picture. These are: deformed surfaces, as
 * instances in a ray structure of their own; the parts of the sky that are in fog; and triangles that the engine would
 * not draw. */
#ifndef BSPR_MOMENT_H
#define BSPR_MOMENT_H

#include "shade/deform.h"
#include "shade/shade.h"

typedef struct bspr_moment {
	bspr_instance *instances; uint32_t instance_count;
	bspr_surface_class **classes;      /* indexed by instance and section */
	bspr_tracer *tracer;               /* NULL: nothing deforms */
	bool *hidden; /* for each triangle of the first instance, true if the engine would not draw it; NULL: all are
	               * drawn */
	bspi_sky_cover *sky_covers;        /* one for each fog of the scene; NULL: no sky is in fog */
	const bspi_cloud_corners **cloud_corners; /* one for each material, NULL for a material without clouds; the array is
	                                           * NULL if there are no clouds at all */
	bspr_memory *memory; uint64_t size; /* the renderer's memory; the bytes in its count that belong to this moment */
	struct bspr_block *blocks;         /* all memory of the moment */
} bspr_moment;

/* Prepares a picture. `view` is in world space. False if memory is short or the limit exceeded. Call bspr_moment_free
 * in any case. */
bool bspr_moment_make(const bspscene_renderer *renderer, const bspscene_render_options *options, const bspr_axes *view,
                      bspr_moment *out);
/* Returns zeroed memory that is freed with the moment; NULL if memory is short or the limit exceeded. */
void *bspr_moment_take(bspr_moment *moment, size_t count, size_t size);
void bspr_moment_free(bspr_moment *moment);

/* Finds, for each fog of the scene, which parts of the sky an eye at `eye` sees in this fog. sky_covers.c */
void bspr_cover_sky(const bspscene_scene *scene, const bspr_instance *instances, uint32_t instance_count,
                    const float eye[3], bspi_sky_cover *covers);

#endif
