/* whole_light.h - all meshes of a scene while their light moves into vertices. See vertex_light.h. */
#ifndef BSPI_WHOLE_LIGHT_H
#define BSPI_WHOLE_LIGHT_H

#include "baking/vertex_light/vertex_light.h"

/* Largest error with which meshes are divided, as a difference of display values. Twice this number is reported if
 * meshes were not divided, or if some light was not compared with the game's. */
#define BSPI_LARGEST_LIGHT_ERROR 4.0f

typedef struct bspi_whole_light {
	bspi_ctx *ctx;
	bspscene_scene *scene;
	bool stop_at_white, left_out;
	bspi_light_mesh *meshes;           /* per mesh */
	bspi_arena kept;                   /* arena for data that does not depend on the error */
	uint64_t triangles;                /* triangles of the scene before it is divided */
	uint64_t edges;                    /* number of samples that may still be taken along edges */
	uint64_t half_luxels;              /* number of half luxels in all charts */
	uint32_t chart_count;
	double size;                       /* work of all charts, by bspi_chart_size */
	double made;                       /* triangles added by all tries so far */
} bspi_whole_light;

/* Divides all meshes so that they have at most `limit` triangles. *error is the requested error, and on return the
 * largest one that was used. within_limit.c */
bool bspi_divide_within(bspi_whole_light *w, uint64_t limit, float *error, bspi_light_total *total);

#endif
