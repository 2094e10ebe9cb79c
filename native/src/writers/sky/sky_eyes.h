/* sky_eyes.h - chooses the eye of each sky face: the point from which it shows the sky.
 *
 * Sky faces that touch form a group with one eye, because otherwise their pictures would not meet. The eye of a group
 * is the mean of the places that see it, weighted by the solid angle that its faces have from there. Openings that do
 * not touch have eyes of their own, because from a distant eye the sky of a room would look shifted or smeared. */
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
/* Finds the eyes for the sky faces of the writer's scene. Returns false with writer->failure set if memory is out. */
bool bspi_find_sky_eyes(bspi_writer *writer, bspi_sky_eyes *out);
/* Returns the eye of a face. Returns eyes->usual if the face is NULL or belongs to no group. */
const float *bspi_sky_eye_of(const bspi_sky_eyes *eyes, const bspscene_face *face);

#endif
