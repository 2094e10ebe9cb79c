/* moment.h - what a picture shows that depends on its eye and its time: surfaces that deform, as instances of their own
 * in a ray structure of their own, where skies reach into fogs, and what is out of sight. Made for each picture. */
#ifndef BSPR_MOMENT_H
#define BSPR_MOMENT_H

#include "shade/deform.h"
#include "shade/shade.h"

typedef struct bspr_moment {
	bspr_instance *instances; uint32_t instance_count;
	bspr_surface_class **classes;      /* by instance and section */
	bspr_tracer *tracer;               /* NULL: nothing depends on it */
	bool *hidden;                      /* triangles of the first instance that the engine would not draw; NULL: none */
	bspi_sky_cover *sky_covers;        /* by fog; NULL: there is none */
	const bspi_cloud_corners **cloud_corners; /* by material, those of skies with clouds; NULL: there are none */
	bspr_memory *memory; uint64_t size; /* what it took of it */
	struct bspr_block *blocks;         /* all that it allocated */
} bspr_moment;

/* `view` is in the world's space. False when memory is out or refused; to be freed then too. */
bool bspr_moment_make(const bspscene_renderer *renderer, const bspscene_render_options *options, const bspr_axes *view,
                      bspr_moment *out);
/* Zeroed memory for as long as the moment lasts; NULL: there is none. */
void *bspr_moment_take(bspr_moment *moment, size_t count, size_t size);
void bspr_moment_free(bspr_moment *moment);

/* For each fog of the scene, where skies in it are seen from `eye`. sky_covers.c */
void bspr_cover_sky(const bspscene_scene *scene, const bspr_instance *instances, uint32_t instance_count,
                    const float eye[3], bspi_sky_cover *covers);

#endif
