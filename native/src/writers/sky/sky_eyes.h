/* sky_eyes.h - chooses from where each sky face shows the sky.
 *
 * Sky faces that touch must show the sky from one eye, or their pictures would not meet, so they form a group. The eye
 * of a group is the mean of the places that see it, weighted by the solid angle of its faces from there. Separate
 * openings have separate eyes, because from one far away the sky of a room would look shifted or smeared. */
#ifndef BSPI_SKY_EYES_H
#define BSPI_SKY_EYES_H

#include "writers/writers.h"

typedef struct bspi_sky_eyes {
	float usual[3];                    /* mean position of the player starts, or center of the scene */
	const bspscene_face *faces;        /* the faces of the scene */
	const uint32_t *groups;            /* for each face of the scene, an index into `eyes`, or NO_INDEX */
	float (*eyes)[3];
} bspi_sky_eyes;

/* True if the section shows the sky in the game. */
bool bspi_is_sky_section(const bspscene_scene *scene, const bspscene_section *section);
/* Finds the eyes for the sky faces of the writer's scene. False with writer->failure set. */
bool bspi_find_sky_eyes(bspi_writer *writer, bspi_sky_eyes *out);
/* Returns the eye for a face; `usual` for NULL or a face without a group. */
const float *bspi_sky_eye_of(const bspi_sky_eyes *eyes, const bspscene_face *face);

#endif
