/* overview.c - pictures from above: which part of a map they show, and from where. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <bspscene/render.h>

#define TO_DEGREES 57.29577951308232f

/* ---- What counts ------------------------------------------------------------------------------------------ */

/* Of worlds in parts by levels, whose nodes follow the world's, the largest. */
static const bspscene_mesh *world_of(const bspscene_scene *scene)
{
	enum { FIRST_PART = 2 };
	const bspscene_mesh *world = scene->mesh_count ? scene->meshes[0] : NULL;
	for (uint32_t i = FIRST_PART; i < scene->node_count && scene->nodes[i]->kind == BSPSCENE_NODE_WORLD; i++) {
		const bspscene_mesh *part = scene->meshes[scene->nodes[i]->mesh];
		if (i == FIRST_PART || part->vertex_count > world->vertex_count) world = part;
	}
	return world;
}

static bool is_seen(const bspscene_scene *scene, const bspscene_section *section)
{
	return section->kind == BSPSCENE_VISIBLE && scene->materials[section->material]->kind != BSPSCENE_MATERIAL_SKY;
}

static bool in_box(const float p[3], const bspscene_bounds *box)
{
	for (int i = 0; i < 3; i++) {
		if (p[i] < box->min[i] || p[i] > box->max[i]) return false;
	}
	return true;
}

static void add_point(bspscene_bounds *box, const float p[3])
{
	for (int i = 0; i < 3; i++) {
		box->min[i] = fminf(box->min[i], p[i]);
		box->max[i] = fmaxf(box->max[i], p[i]);
	}
}

static const bspscene_bounds nothing = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };

static bool is_empty(const bspscene_bounds *box)
{
	return !(box->max[0] >= box->min[0]);
}

/* Walks over the corners of what is drawn of the world: `*at` is the place of the next, NULL after the last. */
typedef struct corners {
	const bspscene_scene *scene;
	uint32_t section, vertex;
} corners;

static const float *next_corner(corners *c)
{
	const bspscene_mesh *world = world_of(c->scene);
	for (; world && c->section < world->section_count; c->section++, c->vertex = 0) {
		const bspscene_section *section = world->sections[c->section];
		if (!is_seen(c->scene, section) || c->vertex >= section->vertex_count) continue;
		return world->positions + (size_t)(section->first_vertex + c->vertex++) * 3;
	}
	return NULL;
}

/* ---- The part of the map that is shown -------------------------------------------------------------------- */

static int compare_floats(const void *left, const void *right)
{
	float a = *(const float *)left, b = *(const float *)right;
	return (a > b) - (a < b);
}

/* The box that holds all but the outermost parts of what is drawn: maps keep skies and hidden rooms far outside. */
static bspscene_bounds main_part(const bspscene_scene *scene)
{
	enum { OUTERMOST = 500, SLACK = 16, FEWEST = 8 };
	const bspscene_mesh *world = world_of(scene);
	bspscene_bounds box = scene->bounds;
	float *values = world && world->vertex_count >= FEWEST ? malloc(world->vertex_count * sizeof *values) : NULL;
	for (uint32_t axis = 0; values && axis < 3; axis++) {
		uint32_t count = 0;
		corners c = { .scene = scene };
		for (const float *at; (at = next_corner(&c));) values[count++] = at[axis];
		if (count < FEWEST) continue;
		qsort(values, count, sizeof *values, compare_floats);
		float low = values[count / OUTERMOST], high = values[count - 1 - count / OUTERMOST];
		box.min[axis] = low - (high - low) / SLACK;
		box.max[axis] = high + (high - low) / SLACK;
	}
	free(values);
	return box;
}

/* From where to where a triangle reaches along an axis. */
typedef struct span {
	float low, high;
} span;

/* Those of all triangles that lie in the box, in order. */
static uint32_t sort_spans(const bspscene_scene *scene, const bspscene_bounds *box, uint32_t axis, span *spans)
{
	const bspscene_mesh *world = world_of(scene);
	uint32_t count = 0;
	for (uint32_t i = 0; i < world->section_count; i++) {
		const bspscene_section *section = world->sections[i];
		if (!is_seen(scene, section)) continue;
		for (uint32_t t = 0; t + 2 < section->index_count; t += 3) {
			const uint32_t *index = world->indices + section->first_index + t;
			const float *at[3];
			for (int k = 0; k < 3; k++) at[k] = world->positions + (size_t)index[k] * 3;
			if (!in_box(at[0], box) || !in_box(at[1], box) || !in_box(at[2], box)) continue;
			spans[count++] = (span){ fminf(fminf(at[0][axis], at[1][axis]), at[2][axis]),
				                     fmaxf(fmaxf(at[0][axis], at[1][axis]), at[2][axis]) };
		}
	}
	if (count) qsort(spans, count, sizeof *spans, compare_floats); /* by their first member */
	return count;
}

/* Leaves out little that lies far from the rest with nothing between, as rooms behind a teleporter. */
static void leave_islands(const bspscene_scene *scene, bspscene_bounds *box)
{
	/* An island's part of all triangles, which must be some for that to say anything; the gap's of the length. */
	enum { PASSES = 2, LARGEST = 10, FEWEST_TRIANGLES = 100, NEAREST = 10 };
	const bspscene_mesh *world = world_of(scene);
	span *spans = world && world->index_count ? malloc(world->index_count / 3 * sizeof *spans) : NULL;
	for (uint32_t i = 0; spans && i < PASSES * 3; i++) {
		uint32_t axis = i % 3, count = sort_spans(scene, box, axis, spans);
		if (count < FEWEST_TRIANGLES) continue;
		float reach = spans[0].high, gap = (box->max[axis] - box->min[axis]) / NEAREST;
		for (uint32_t k = 1; k < count; reach = fmaxf(reach, spans[k++].high)) {
			if (spans[k].low - reach < gap) continue;
			if (k <= count / LARGEST) {
				box->min[axis] = spans[k].low;
			} else if (count - k <= count / LARGEST) {
				box->max[axis] = reach;
				break;
			}
		}
	}
	free(spans);
}

static bool in_skybox(const bspscene_scene *scene, uint32_t node)
{
	while (scene->nodes[node]->kind != BSPSCENE_NODE_SKY && scene->nodes[node]->parent != BSPSCENE_NO_INDEX) {
		node = scene->nodes[node]->parent;
	}
	return scene->nodes[node]->kind == BSPSCENE_NODE_SKY;
}

static void add_node(const bspscene_scene *scene, uint32_t node, bspscene_bounds *box)
{
	float transform[12];
	if (in_skybox(scene, node)) return;
	bspscene_node_world_transform(scene, node, transform);
	const float place[3] = { transform[3], transform[7], transform[11] };
	add_point(box, place);
}

/* Where players are: around the places where they start and the things that they find. Empty: the map has neither. */
static bspscene_bounds players_part(const bspscene_scene *scene)
{
	const float reach = 512, share = 1.0f / 8;
	bspscene_bounds box = nothing;
	for (uint32_t i = 0; i < scene->camera_count; i++) {
		if (scene->cameras[i]->kind == BSPSCENE_CAMERA_SPAWN) add_node(scene, scene->cameras[i]->node, &box);
	}
	for (uint32_t i = 0; i < scene->prop_count; i++) {
		if (scene->props[i]->entity != BSPSCENE_NO_INDEX) add_node(scene, scene->props[i]->node, &box);
	}
	for (int i = 0; i < 3 && !is_empty(&box); i++) {
		float grown = reach + (box.max[i] - box.min[i]) * share;
		box.min[i] -= grown;
		box.max[i] += grown;
	}
	return box;
}

static void intersect(bspscene_bounds *box, const bspscene_bounds *other)
{
	for (int i = 0; i < 3; i++) {
		box->min[i] = fmaxf(box->min[i], other->min[i]);
		box->max[i] = fminf(box->max[i], other->max[i]);
	}
}

/* Nearly all of the corners in the box are in the smaller one too. */
static bool holds_most(const bspscene_scene *scene, const bspscene_bounds *box, const bspscene_bounds *smaller)
{
	const double most = 0.9;
	uint32_t all = 0, kept = 0;
	corners c = { .scene = scene };
	for (const float *at; (at = next_corner(&c));) {
		if (!in_box(at, box)) continue;
		all++;
		kept += in_box(at, smaller);
	}
	return kept && kept >= most * all;
}

/* ---- The view --------------------------------------------------------------------------------------------- */

enum { PITCH = 50, FOV = 30 };

/* The view that is being fitted: its axes, and how far points reach beyond the four planes of the picture. */
typedef struct frame {
	float forward[3], right[3], up[3], center[3];
	float wide, high;                  /* tangents of half the angles */
	float reach[4];                    /* right, left, up, down */
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

/* A view of the box that holds nothing yet. */
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

/* From where all that it holds is in the picture: two opposite planes decide the distance, their mean the position.
 * *away is the distance to the box's middle. */
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

/* As near as all corners in the box are in the picture. */
static bspscene_view fit(const bspscene_scene *scene, const bspscene_bounds *box, float yaw, float aspect, float *away)
{
	frame f = frame_of(box, yaw, aspect);
	corners c = { .scene = scene };
	for (const float *at; (at = next_corner(&c));) {
		if (in_box(at, box)) include_point(&f, at);
	}
	if (holds_nothing(&f)) {
		include_point(&f, box->min);
		include_point(&f, box->max);
	}
	return view_of(&f, yaw, away);
}

/* A box is made smaller only when all that is in it gets this much larger in the picture. */
#define NEARER 0.85f
#define USUAL_ASPECT 0.75f
#define USUAL_YAW 60.0f
#define OTHER_YAW 30.0f

static bool is_nearer(const bspscene_scene *scene, const bspscene_bounds *smaller, const bspscene_bounds *box)
{
	float before, after;
	fit(scene, box, USUAL_YAW, USUAL_ASPECT, &before);
	fit(scene, smaller, USUAL_YAW, USUAL_ASPECT, &after);
	return after < before * NEARER;
}

/* What a picture from above is to show: the map without what would make it small and is hardly seen by players. */
static bspscene_bounds shown_part(const bspscene_scene *scene)
{
	bspscene_bounds box = main_part(scene), mainland = box, players = players_part(scene);
	leave_islands(scene, &mainland);
	if (is_nearer(scene, &mainland, &box)) box = mainland;
	players.max[2] = box.max[2]; /* towers and roofs are seen from below */
	intersect(&players, &box);
	if (holds_most(scene, &box, &players) && is_nearer(scene, &players, &box)) box = players;
	return box;
}

/* Of the corners in the part; of the scene when there are none, and of no size when it has none. */
static bspscene_bounds bounds_in(const bspscene_scene *scene, const bspscene_bounds *part)
{
	bspscene_bounds box = nothing;
	corners c = { .scene = scene };
	for (const float *at; (at = next_corner(&c));) {
		if (in_box(at, part)) add_point(&box, at);
	}
	if (is_empty(&box)) box = scene->bounds;
	if (is_empty(&box)) memset(&box, 0, sizeof box);
	return box;
}

bspscene_view bspscene_view_overview(const bspscene_scene *scene, uint32_t width, uint32_t height)
{
	const float clearly = 0.92f;
	float aspect = (float)height / (float)width, usual_away, other_away;
	bspscene_bounds box = shown_part(scene);
	bspscene_view usual = fit(scene, &box, USUAL_YAW, aspect, &usual_away);
	bspscene_view other = fit(scene, &box, OTHER_YAW, aspect, &other_away);
	return other_away < usual_away * clearly ? other : usual;
}

/* ---- The view as it turns --------------------------------------------------------------------------------- */

/* A point on its way around the vertical line through the center, in all places at once: the reach beyond each plane is
 * a sum of sine and cosine of the angle, whose largest value is known. */
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
	bspscene_bounds part = shown_part(scene), box = bounds_in(scene, &part);
	frame ring = frame_of(&box, USUAL_YAW, aspect);
	corners c = { .scene = scene };
	for (const float *at; (at = next_corner(&c));) {
		if (in_box(at, &part)) include_ring(&ring, at);
	}
	if (holds_nothing(&ring)) include_ring(&ring, box.max);
	for (uint32_t i = 0; i < count; i++) {
		float yaw = fmodf(USUAL_YAW + 360.0f * (float)i / (float)count, 360);
		frame f = frame_of(&box, yaw, aspect);
		memcpy(f.reach, ring.reach, sizeof f.reach);
		views[i] = view_of(&f, yaw, &away);
	}
}

/* ---- The plan --------------------------------------------------------------------------------------------- */

/* So far above that lines which go up are points. */
#define PLAN_FOV 1.0f
#define PLAN_MARGIN 1.05f
#define LEAST_SIDE 64.0f

bspscene_view bspscene_view_plan(const bspscene_scene *scene, uint32_t width, uint32_t height, float *units_per_pixel)
{
	bspscene_bounds part = shown_part(scene), box = bounds_in(scene, &part);
	float wide = fmaxf(box.max[0] - box.min[0], LEAST_SIDE), high = fmaxf(box.max[1] - box.min[1], LEAST_SIDE);
	*units_per_pixel = fmaxf(wide / (float)width, high / (float)height) * PLAN_MARGIN;
	float away = *units_per_pixel * (float)width / 2 / (float)tan(PLAN_FOV / TO_DEGREES / 2);
	return (bspscene_view) {
		{ (box.min[0] + box.max[0]) / 2, (box.min[1] + box.max[1]) / 2, box.max[2] + away }, 90, 90, 0, PLAN_FOV
	};
}
