/* sky_eyes.h - chooses from where each sky face shows the sky.
 *
 * Two sky faces that are visible from one place must show the sky from one eye, or their pictures would not meet. So
 * the faces form groups by the map's vis, and the eye of a group is the middle of the places that see it. Rooms that no
 * place connects each have an eye of their own: from one in another room, their skies would be smeared. */
#ifndef BSPI_SKY_EYES_H
#define BSPI_SKY_EYES_H

#include "writers/writers.h"

typedef struct bspi_sky_eyes {
	float usual[3];                    /* the middle of the player starts, or of the scene */
	float (*eyes)[3];                  /* per cluster with sky faces; NULL: the usual one everywhere */
	uint32_t cluster_count;
} bspi_sky_eyes;

/* Finds the eyes for the sky faces of the writer's scene. False with writer->failure set. */
bool bspi_find_sky_eyes(bspi_writer *writer, bspi_sky_eyes *out);
/* Returns the eye of a face, which may be NULL. */
const float *bspi_sky_eye_of(const bspi_sky_eyes *eyes, const bspscene_face *face);

#endif
