/* overview.c - chooses the viewpoints of pictures from above. */
#include <math.h>
#include <string.h>

#include "overview/shown_part.h"

#define TO_DEGREES 57.29577951308232f

/* ---- The view --------------------------------------------------------------------------------------------- */

enum { PITCH = 50, FOV = 30 };

/* A view that is being fitted to points. */
typedef struct frame {
	float forward[3], right[3], up[3], center[3];
	float wide, high;                  /* tangents of half the horizontal and half the vertical field of view */
	float reach[4];                    /* for the right, left, upper and lower plane of the frustum: how far points lie
	                                    * beyond the parallel plane through the center, measured across the view */
} frame;

static void include_point(frame *f, const float point[3])
{
	float r = 0, u = 0, depth = 0;
	for (int i = 0; i < 3; i++) {
		float p = point[i] - f->center[i];
		r += p * f->right[i];
		u += p * f->up[i];
		depth += p * f->forward[i];
	}
	f->reach[0] = fmaxf(f->reach[0], r - depth * f->wide);
	f->reach[1] = fmaxf(f->reach[1], -r - depth * f->wide);
	f->reach[2] = fmaxf(f->reach[2], u - depth * f->high);
	f->reach[3] = fmaxf(f->reach[3], -u - depth * f->high);
}

/* Begins a view toward the center of the box, without any points. */
static frame frame_of(const bspscene_bounds *box, float yaw, float aspect)
{
	const float margin = 0.96f;
	float sp = (float)sin(PITCH / TO_DEGREES), cp = (float)cos(PITCH / TO_DEGREES);
	float sy = (float)sin(yaw / TO_DEGREES), cy = (float)cos(yaw / TO_DEGREES);
	float wide = (float)tan(FOV / TO_DEGREES / 2) * margin;
	frame f = { { cp * cy, cp * sy, -sp }, { sy, -cy, 0 }, { sp * cy, sp * sy, cp }, { 0, 0, 0 }, wide, wide * aspect,
		        { -INFINITY, -INFINITY, -INFINITY, -INFINITY } };
	for (int i = 0; i < 3; i++) f.center[i] = (box->min[i] + box->max[i]) / 2;
	return f;
}

static bool holds_nothing(const frame *f)
{
	return !(f->reach[0] > -INFINITY);
}

/* Returns the nearest view in which all points are in the picture. The width of the points requires one distance of
 * the eye from the box's center, their height another. The larger distance is used and stored in *away. The eye is
 * moved sideways and up or down, so that the points are in the middle of the picture. */
static bspscene_view view_of(const frame *f, float yaw, float *away)
{
	*away = fmaxf(64, fmaxf((f->reach[0] + f->reach[1]) / (2 * f->wide), (f->reach[2] + f->reach[3]) / (2 * f->high)));
	bspscene_view view = { { 0, 0, 0 }, PITCH, yaw, 0, FOV };
	for (int i = 0; i < 3; i++) {
		view.origin[i] = f->center[i] - f->forward[i] * *away + f->right[i] * (f->reach[0] - f->reach[1]) / 2 +
		                 f->up[i] * (f->reach[2] - f->reach[3]) / 2;
	}
	return view;
}

/* Fits the view to all corners in the box. */
static bspscene_view fit(const bspr_parts *parts, const bspscene_bounds *box, float yaw, float aspect, float *away)
{
	frame f = frame_of(box, yaw, aspect);
	for (bspr_corners c = { .parts = parts }; bspr_next_corner(&c);) {
		if (bspr_in_box(c.at, box)) include_point(&f, c.at);
	}
	if (holds_nothing(&f)) {
		include_point(&f, box->min);
		include_point(&f, box->max);
	}
	return view_of(&f, yaw, away);
}

/* A smaller box is used only if its view is much nearer: at less than this fraction of the larger box's distance. */
#define NEARER 0.85f
#define USUAL_ASPECT 0.75f
#define USUAL_YAW 60.0f
#define OTHER_YAW 30.0f

static bool is_nearer(const bspr_parts *parts, const bspscene_bounds *smaller, const bspscene_bounds *box)
{
	float before, after;
	fit(parts, box, USUAL_YAW, USUAL_ASPECT, &before);
	fit(parts, smaller, USUAL_YAW, USUAL_ASPECT, &after);
	return after < before * NEARER;
}

/* Returns the bounds of the corners inside the box `part`, or an empty box at the scene's center if there are none. */
static bspscene_bounds bounds_in(const bspr_parts *parts, const bspscene_bounds *part)
{
	bspscene_bounds box = bspr_nothing;
	for (bspr_corners c = { .parts = parts }; bspr_next_corner(&c);) {
		if (bspr_in_box(c.at, part)) bspr_add_point(&box, c.at);
	}
	if (bspr_is_empty(&box)) box = parts->scene->bounds;
	if (bspr_is_empty(&box)) memset(&box, 0, sizeof box);
	return box;
}

bspscene_bounds bspr_shown_bounds(const bspscene_scene *scene)
{
	bspr_parts parts = bspr_find_parts(scene);
	bspscene_bounds part = bspr_shown_part(&parts, is_nearer), box = bounds_in(&parts, &part);
	bspr_free_parts(&parts);
	return box;
}

bspscene_view bspscene_view_overview(const bspscene_scene *scene, uint32_t width, uint32_t height)
{
	const float clearly = 0.92f;
	float aspect = (float)height / (float)width, usual_away, other_away;
	bspr_parts parts = bspr_find_parts(scene);
	bspscene_bounds box = bspr_shown_part(&parts, is_nearer);
	bspscene_view usual = fit(&parts, &box, USUAL_YAW, aspect, &usual_away);
	bspscene_view other = fit(&parts, &box, OTHER_YAW, aspect, &other_away);
	bspr_free_parts(&parts);
	return other_away < usual_away * clearly ? other : usual;
}

/* ---- Turning views ---------------------------------------------------------------------------------------- */

/* Includes the circle on which a point moves when it is turned about the vertical line through the center. Its
 * distance beyond a plane is a weighted sum of the sine and the cosine of the angle, whose maximum is known. */
static void include_ring(frame *f, const float point[3])
{
	float x = point[0] - f->center[0], y = point[1] - f->center[1], z = point[2] - f->center[2];
	float radius = sqrtf(x * x + y * y), sp = -f->forward[2], cp = f->up[2];
	float side = radius * sqrtf(1 + f->wide * cp * f->wide * cp) + f->wide * sp * z;
	f->reach[0] = fmaxf(f->reach[0], side);
	f->reach[1] = f->reach[0];
	f->reach[2] = fmaxf(f->reach[2], radius * fabsf(sp - f->high * cp) + z * (cp + f->high * sp));
	f->reach[3] = fmaxf(f->reach[3], radius * (sp + f->high * cp) - z * (cp - f->high * sp));
}

void bspscene_view_turn(const bspscene_scene *scene, uint32_t width, uint32_t height, uint32_t count,
                        bspscene_view *views)
{
	float aspect = (float)height / (float)width, away;
	bspr_parts parts = bspr_find_parts(scene);
	bspscene_bounds part = bspr_shown_part(&parts, is_nearer), box = bounds_in(&parts, &part);
	frame ring = frame_of(&box, USUAL_YAW, aspect);
	for (bspr_corners c = { .parts = &parts }; bspr_next_corner(&c);) {
		if (bspr_in_box(c.at, &part)) include_ring(&ring, c.at);
	}
	bspr_free_parts(&parts);
	if (holds_nothing(&ring)) include_ring(&ring, box.max);
	for (uint32_t i = 0; i < count; i++) {
		float yaw = fmodf(USUAL_YAW + 360.0f * (float)i / (float)count, 360);
		frame f = frame_of(&box, yaw, aspect);
		memcpy(f.reach, ring.reach, sizeof f.reach);
		views[i] = view_of(&f, yaw, &away);
	}
}

/* ---- Plans ------------------------------------------------------------------------------------------------ */

/* The viewpoint is so far above that vertical lines become points. */
#define PLAN_FOV 1.0f
#define PLAN_MARGIN 1.05f
#define LEAST_SIDE 64.0f

bspscene_view bspscene_view_plan(const bspscene_scene *scene, uint32_t width, uint32_t height, float *units_per_pixel)
{
	bspscene_bounds box = bspr_shown_bounds(scene);
	float wide = fmaxf(box.max[0] - box.min[0], LEAST_SIDE), high = fmaxf(box.max[1] - box.min[1], LEAST_SIDE);
	*units_per_pixel = fmaxf(wide / (float)width, high / (float)height) * PLAN_MARGIN;
	float away = *units_per_pixel * (float)width / 2 / (float)tan(PLAN_FOV / TO_DEGREES / 2);
	return (bspscene_view) {
		{ (box.min[0] + box.max[0]) / 2, (box.min[1] + box.max[1]) / 2, box.max[2] + away }, 90, 90, 0, PLAN_FOV
	};
}
