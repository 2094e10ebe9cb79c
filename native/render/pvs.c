/* pvs.c - see pvs.h. Map compilers split faces by the tree and list a face in each leaf that contains part of it. Here
 * triangles are split by the tree in the same way (q3map facebsp.c FilterFaceIntoTree). */
#include "pvs.h"

#include <math.h>
#include <string.h>

#include "vector.h"

/* A point is on a plane if it is nearer to it than this, in game units. */
#define ON_PLANE 0.05f

/* Limits for the corners of a part and for the parts of a triangle, because each split adds some. A triangle that
 * exceeds them counts as visible. */
enum { MOST_CORNERS = 24, MOST_PARTS = 64 };

/* Limits the work: all triangles together may be split into this many parts. Real maps need a few parts per
 * triangle. */
#define PARTS_BASE UINT64_C(1000000)
#define PARTS_PER_TRIANGLE 256u

typedef struct part {
	float corners[MOST_CORNERS][3];
	uint32_t count;
	int32_t child;
} part;

typedef struct search {
	const bspscene_scene *scene;
	uint32_t cluster;                  /* cluster of the eye */
	float normal[3];                   /* normal of the triangle, not of unit length */
	part parts[MOST_PARTS]; uint32_t part_count;
	uint64_t budget;
} search;

static void put(part *out, const float corner[3])
{
	if (out->count < MOST_CORNERS) memcpy(out->corners[out->count], corner, sizeof out->corners[0]);
	out->count++;
}

/* Splits a part by a plane. Returns false if a piece would have too many corners. */
static bool cut(const part *whole, const float *plane, part *front, part *back)
{
	front->count = back->count = 0;
	for (uint32_t i = 0; i < whole->count; i++) {
		const float *a = whole->corners[i], *b = whole->corners[(i + 1) % whole->count];
		float at_a = bspr_dot(plane, a) - plane[3], at_b = bspr_dot(plane, b) - plane[3];
		if (at_a >= -ON_PLANE) put(front, a);
		if (at_a <= ON_PLANE) put(back, a);
		bool crosses = (at_a > ON_PLANE && at_b < -ON_PLANE) || (at_a < -ON_PLANE && at_b > ON_PLANE);
		if (!crosses) continue;
		float middle[3], share = at_a / (at_a - at_b);
		for (int k = 0; k < 3; k++) middle[k] = a[k] + (b[k] - a[k]) * share;
		put(front, middle);
		put(back, middle);
	}
	return front->count <= MOST_CORNERS && back->count <= MOST_CORNERS;
}

/* Finds on which sides of the plane the part has area. If the part lies in the plane, it is on the side to which it
 * faces. */
static void find_sides(const search *s, const part *whole, const float *plane, bool *front, bool *back)
{
	*front = *back = false;
	for (uint32_t i = 0; i < whole->count; i++) {
		float at = bspr_dot(plane, whole->corners[i]) - plane[3];
		*front |= at > ON_PLANE;
		*back |= at < -ON_PLANE;
	}
	if (*front || *back) return;
	*front = bspr_dot(plane, s->normal) > 0;
	*back = !*front;
}

/* Takes the last part from the list and adds its pieces in the two children of its tree node. Returns false if this
 * exceeds a limit. */
static bool descend(search *s)
{
	const bspscene_tree *tree = s->scene->tree;
	part *whole = &s->parts[s->part_count - 1];
	const float *plane = tree->planes + 4 * (size_t)whole->child;
	const int32_t *children = tree->children + 2 * (size_t)whole->child;
	bool front, back;
	find_sides(s, whole, plane, &front, &back);
	if (front != back) {
		whole->child = children[back];
		return true;
	}
	part in_front;
	if (s->part_count == MOST_PARTS || !cut(whole, plane, &in_front, &s->parts[s->part_count])) return false;
	s->parts[s->part_count++].child = children[1];
	in_front.child = children[0];
	*whole = in_front;
	return true;
}

static bool is_seen(search *s)
{
	while (s->part_count) {
		int32_t child = s->parts[s->part_count - 1].child;
		if (!s->budget || !s->budget--) return true;
		if (child >= 0) {
			if (!descend(s)) return true;
			continue;
		}
		const bspscene_leaf *leaf = &s->scene->tree->leafs[-1 - child];
		s->part_count--;
		if (bspscene_cluster_visible(s->scene, s->cluster, leaf->cluster)) return true;
	}
	return false;
}

static void begin(search *s, const bspscene_mesh *mesh, uint32_t triangle)
{
	part *whole = &s->parts[0];
	float ab[3], ac[3];
	for (uint32_t i = 0; i < 3; i++) {
		const float *position = mesh->positions + (size_t)mesh->indices[triangle * 3 + i] * 3;
		memcpy(whole->corners[i], position, sizeof whole->corners[i]);
	}
	for (int k = 0; k < 3; k++) {
		ab[k] = whole->corners[1][k] - whole->corners[0][k];
		ac[k] = whole->corners[2][k] - whole->corners[0][k];
	}
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		s->normal[i] = ab[j] * ac[k] - ab[k] * ac[j];
	}
	whole->count = 3;
	whole->child = 0;
	s->part_count = 1;
}

/* Shows all triangles of a face if one of them is visible, because engines draw whole faces. Also shows them if the
 * cluster of the first leaf that lists the face is visible. This matters for patches, which compilers may list only in
 * leaves that contain their control points. */
static void show_whole_faces(const bspscene_scene *scene, const bspscene_mesh *mesh, uint32_t eye, bool *hidden)
{
	for (uint32_t i = 0; i < mesh->section_count; i++) {
		const bspscene_section *section = mesh->sections[i];
		for (uint32_t f = section->first_face; f < section->first_face + section->face_count; f++) {
			uint32_t first = scene->faces[f].first_index / 3, end = first + scene->faces[f].index_count / 3;
			bool whole = !bspscene_cluster_visible(scene, eye, scene->faces[f].cluster);
			for (uint32_t t = first; t < end; t++) whole &= hidden[t];
			for (uint32_t t = first; t < end; t++) hidden[t] = whole;
		}
	}
}

void bspr_hide_unseen(const bspscene_scene *scene, const bspscene_mesh *mesh, const float eye[3], bool *hidden)
{
	uint32_t triangles = mesh->index_count / 3, leaf = bspscene_find_leaf(scene, eye);
	if (leaf == BSPSCENE_NO_INDEX || !scene->vis->rows || !scene->tree->node_count) return;
	search s = { .scene = scene, .cluster = scene->tree->leafs[leaf].cluster };
	if (s.cluster == BSPSCENE_NO_INDEX) return;
	s.budget = PARTS_BASE + (uint64_t)PARTS_PER_TRIANGLE * triangles;
	for (uint32_t t = 0; t < triangles; t++) {
		begin(&s, mesh, t);
		hidden[t] = !is_seen(&s);
	}
	show_whole_faces(scene, mesh, s.cluster, hidden);
}
