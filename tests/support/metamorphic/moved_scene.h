/* moved_scene.h - what the scenes of a room and of the same room, moved, have in common. */
#ifndef BSPT_MOVED_SCENE_H
#define BSPT_MOVED_SCENE_H

#include "support/metamorphic/move_map.h"

/* What the second scene need not have in common with the first. */
enum {
	BSPT_OTHER_RECORDS = 1,            /* numbers of face records */
	BSPT_OTHER_LUXELS = 2,             /* colors of luxels */
	BSPT_OTHER_TREE = 4,
	BSPT_OTHER_ENTITY_ORDER = 8
};

/* Faces (corners, normals, coordinates, light, colors, styles, where in the tree), entities, lamps, cameras and the
 * leafs of a grid of points: as the motion has them, and not otherwise. */
void bspt_check_moved(const bspscene_scene *before, const bspscene_scene *after, const bspt_motion *motion, int other,
                      bspt_report *report);
/* Light at a grid of points, which families find in their own ways. */
void bspt_check_moved_samples(const bspscene_scene *before, const bspscene_scene *after, const bspt_motion *motion,
                              bspt_report *report);
extern const bspt_motion bspt_unmoved;

#endif
