/* light_diff.h - measures how the light of two maps differs on the faces that both have. */
#ifndef CLI_LIGHT_DIFF_H
#define CLI_LIGHT_DIFF_H

#include "archive/diff/face_pairs.h"

/* Number of elements that were compared, and of those whose light differs. */
typedef struct cli_light_count {
	uint64_t all, changed;
} cli_light_count;

typedef struct cli_light_diff {
	cli_light_count faces, luxels, vertices, grid_points;
	cli_light_count directions;        /* luxels, for maps that store light directions */
	cli_light_count corners;           /* triangle corners of faces whose number of luxels differs */
	uint32_t resized;                  /* number of faces counted in `corners` */
	bool other_grid;                   /* true: the light grids differ in size, or only one map has one, so no point was
	                                    * compared */
	double mean;                       /* mean difference of all changed luxels, vertices and corners; the difference of
	                                    * two colors is that of the channel that differs most, 0 to 255 */
	uint32_t largest;                  /* largest difference of two colors, 0 to 255 */
	float *by_face;                    /* mean over all luxels of each face of the first map, 0 to 255 */
} cli_light_diff;

/* Compares the light of two maps, both loaded with the display encoding of light. */
cli_light_diff cli_diff_light(const bspscene_scene *a, const bspscene_scene *b, const cli_face_pairs *pairs);
bool cli_is_same_light(const cli_light_diff *diff);
void cli_light_diff_free(cli_light_diff *diff);

#endif
