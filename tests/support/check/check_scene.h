/* check_scene.h - checks every promise of bspscene.h, for scenes from any file, including hostile ones. */
#ifndef BSPT_CHECK_SCENE_H
#define BSPT_CHECK_SCENE_H

#include "support/bspt.h"

/* Reports broken promises. `options` are those of the load, or NULL for the defaults. */
void bspt_check_scene(const bspscene_scene *scene, const bspscene_load_options *options, bspt_report *report);
/* Checks the error of a failed load, which has a status, and a message of one line of UTF-8. */
void bspt_check_error(const bspscene_error *error, bspt_report *report);
/* Returns the share of a scene's triangles (0..1) whose corner normals agree with counterclockwise winding. In valid
 * maps it is well above 0.9. Triangles of smoothed and two-sided models may disagree. */
double bspt_winding_agreement(const bspscene_scene *scene);

/* The parts of bspt_check_scene, one file each. */
void bspt_check_tree(const bspscene_scene *scene, bspt_report *report);
void bspt_check_meshes(const bspscene_scene *scene, const bspscene_load_options *options, bspt_report *report);
void bspt_check_materials(const bspscene_scene *scene, const bspscene_load_options *options, bspt_report *report);
void bspt_check_light(const bspscene_scene *scene, const bspscene_load_options *options, bspt_report *report);
void bspt_check_world(const bspscene_scene *scene, bspt_report *report);

/* True if the text is not NULL and is UTF-8. */
bool bspt_is_text(const char *text);
/* True if a game path is safe for callers: relative, '/'-separated, without ".." or control characters. */
bool bspt_is_safe_path(const char *path);
bool bspt_are_finite(const float *values, size_t count);
bool bspt_is_box(const bspscene_bounds *bounds);  /* numbers are finite; the box may be empty */
bool bspt_is_empty_box(const bspscene_bounds *bounds);

/* True for an index into an array of `count`, or NO_INDEX. */
static inline bool bspt_is_index(uint32_t index, uint32_t count)
{
	return index < count || index == BSPSCENE_NO_INDEX;
}

/* True if `count` elements from `first` are inside an array of `total`. */
static inline bool bspt_is_range(uint32_t first, uint32_t count, uint32_t total)
{
	return first <= total && count <= total - first;
}

#define BSPT_EXPECT_INDEX(report, index, count, what) \
	BSPT_EXPECT(report, bspt_is_index((index), (count)), "%s: index %u of %u", (what), (index), (count))
#define BSPT_EXPECT_TEXT(report, text, what) BSPT_EXPECT(report, bspt_is_text(text), "%s is no UTF-8 text", (what))
#define BSPT_EXPECT_FINITE(report, values, count, what) \
	BSPT_EXPECT(report, bspt_are_finite((values), (count)), "%s is not finite", (what))

#endif
