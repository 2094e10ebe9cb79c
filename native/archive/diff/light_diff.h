/* light_diff.h - measures how the light of two maps differs on the faces that both have. */
#ifndef CLI_LIGHT_DIFF_H
#define CLI_LIGHT_DIFF_H

#include "archive/diff/face_pairs.h"

/* The number of elements that were compared, and the number of elements whose light differs. */
typedef struct cli_light_count {
	uint64_t all, changed;
} cli_light_count;

typedef struct cli_light_diff {
	cli_light_count faces, luxels, vertices, grid_points;
	cli_light_count directions;        /* counts of luxels with light directions, if the maps store them */
	cli_light_count corners;           /* counts of triangle corners, for faces whose lightmaps differ in size between
	                                    * the maps */
	uint32_t resized;                  /* number of faces counted in `corners` */
	bool other_grid;                   /* true: no points of the light grids were compared, because the grids differ in
	                                    * size or number of styles, or only one map has a grid */
	double mean;                       /* mean difference of all changed luxels, vertices and corners; the difference of
	                                    * two colors is the largest difference of a channel, 0 to 255 */
	uint32_t largest;                  /* largest difference of two colors, 0 to 255 */
	float *by_face;                    /* for each face of the first map, the mean difference of its luxels, vertices
	                                    * or corners, 0 to 255; 255 if the maps store its light differently; 0 if it
	                                    * was not compared */
} cli_light_diff;

/* Compares the light of two maps, both loaded with the display encoding of light. */
cli_light_diff cli_diff_light(const bspscene_scene *a, const bspscene_scene *b, const cli_face_pairs *pairs);
bool cli_is_same_light(const cli_light_diff *diff);
void cli_light_diff_free(cli_light_diff *diff);

#endif
