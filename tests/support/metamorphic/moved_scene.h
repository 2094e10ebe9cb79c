/* moved_scene.h - compares the scenes of a room and of the same room, moved. */
#ifndef BSPT_MOVED_SCENE_H
#define BSPT_MOVED_SCENE_H

#include "support/metamorphic/move_map.h"

/* Flags for properties that may differ. */
enum {
	BSPT_OTHER_RECORDS = 1,            /* indices of face records in the file */
	BSPT_OTHER_LUXELS = 2,             /* colors of luxels */
	BSPT_OTHER_TREE = 4,
	BSPT_OTHER_ENTITY_ORDER = 8
};

/* Checks that everything in `before`, after the motion, is the same in `after`: faces (corners, normals, coordinates,
 * light, colors, styles, position in the tree), entities, lamps, cameras, and the leafs at a grid of points. `other`
 * has flags for what may differ. */
void bspt_check_moved(const bspscene_scene *before, const bspscene_scene *after, const bspt_motion *motion, int other,
                      bspt_report *report);
/* Compares the light at a grid of points. Each family computes this light in its own way. */
void bspt_check_moved_samples(const bspscene_scene *before, const bspscene_scene *after, const bspt_motion *motion,
                              bspt_report *report);
extern const bspt_motion bspt_unmoved;

#endif
