/* shown_part.h - chooses the part of a map that pictures from above show: where players can be, without what is far
 * outside. */
#ifndef BSPR_SHOWN_PART_H
#define BSPR_SHOWN_PART_H

#include <bspscene/render.h>

/* A mesh with the transform of its node. */
typedef struct bspr_part {
	const bspscene_mesh *mesh;
	float transform[12];
	bool moved;                        /* the transform is not the identity */
} bspr_part;

/* The parts of the scene to which an overview is fitted: the world, other models, or both. */
typedef struct bspr_parts {
	const bspscene_scene *scene;
	bspr_part *parts; uint32_t count;
} bspr_parts;

/* Finds the objects to which an overview is fitted. Free the result by bspr_free_parts. It is empty if memory is
 * short. */
bspr_parts bspr_find_parts(const bspscene_scene *scene);
void bspr_free_parts(bspr_parts *parts);

/* Iterates over the corners of the drawn sections of the parts. */
typedef struct bspr_corners {
	const bspr_parts *parts;
	uint32_t part, section, vertex;
	float at[3];
} bspr_corners;

bool bspr_next_corner(bspr_corners *corners); /* sets `at` to the next corner; false after the last */

/* Returns the current section if it is drawn, else the next section that is drawn. NULL after the last. */
const bspscene_section *bspr_next_section(bspr_corners *corners);
/* Transforms a vertex of a part to the world. */
void bspr_place_corner(const bspr_part *part, uint32_t vertex, float out[3]);
/* Returns the bounds of player starts and, if requested, of items. */
bspscene_bounds bspr_starts(const bspscene_scene *scene, bool with_things);

extern const bspscene_bounds bspr_nothing;
bool bspr_in_box(const float point[3], const bspscene_bounds *box);
void bspr_add_point(bspscene_bounds *box, const float point[3]);
bool bspr_is_empty(const bspscene_bounds *box);

/* Returns true if a picture of only the smaller box would show its content clearly larger. */
typedef bool bspr_is_nearer_fn(const bspr_parts *parts, const bspscene_bounds *smaller, const bspscene_bounds *box);
bspscene_bounds bspr_shown_part(const bspr_parts *parts, bspr_is_nearer_fn *is_nearer);
/* Returns the bounds of the drawn surfaces in the part that overviews and plans show. */
bspscene_bounds bspr_shown_bounds(const bspscene_scene *scene);

#endif
