/* sky_eyes.c - see sky_eyes.h. */
#include "writers/sky/sky_eyes.h"

#include <string.h>

#include <bspscene/material.h>

#include "base/text.h"
#include "base/vec.h"
#include "sky/sky_source.h"

/* Limits for the number of places, and for the number of pairs of a place and a sky face that are tested. */
#define MOST_PLACES 256u
#define MOST_TESTS (UINT32_C(1) << 26)
/* In the weight of a place, distances between the place and a sky face that are smaller than this count as this
 * distance, in game units. */
#define NEAREST 64.0

typedef struct place {
	float position[3];
	uint32_t cluster;
} place;

/* A sky face. It refers to another face of its group as `parent`, so that a group is a tree (union-find). */
typedef struct member {
	uint32_t face, parent;
	double sum[3], weight;             /* used only in the root of a group: the weighted sum of the positions of all
	                                    * places that see the group, and the sum of the weights */
} member;

/* A slot of the hash table of all vertices of sky faces. */
typedef struct corner {
	const float *position;             /* position of the vertex; NULL: the slot is free */
	uint32_t mesh, member;
} corner;

typedef struct finding {
	bspi_writer *writer;
	const bspscene_scene *scene;
	place places[MOST_PLACES]; uint32_t place_count;
	member *members; uint32_t member_count;
} finding;

/* ---- Places ----------------------------------------------------------------------------------------------- */

static bool position_of(const bspscene_scene *scene, uint32_t node, float out[3])
{
	float transform[12];
	bspscene_node_world_transform(scene, node, transform);
	for (int i = 0; i < 3; i++) out[i] = transform[4 * i + 3];
	return bspi_is_position(out);
}

/* Computes the mean position of the player starts. */
static void find_usual(const bspscene_scene *scene, float out[3])
{
	double sum[3] = { 0, 0, 0 };
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->camera_count; i++) {
		float at[3];
		if (scene->cameras[i]->kind != BSPSCENE_CAMERA_SPAWN) continue;
		if (!position_of(scene, scene->cameras[i]->node, at)) continue;
		for (int k = 0; k < 3; k++) sum[k] += (double)at[k];
		count++;
	}
	bspi_sky_middle(scene, out);
	for (int k = 0; count && k < 3; k++) out[k] = (float)(sum[k] / count);
}

/* True for nodes where players can be: player starts, items, monsters and the like. */
static bool is_place(const bspscene_node *node)
{
	return node->entity != BSPSCENE_NO_INDEX && (node->kind == BSPSCENE_NODE_CAMERA ||
	       node->kind == BSPSCENE_NODE_POINT_ENTITY || node->kind == BSPSCENE_NODE_PROP);
}

/* Chooses up to `most` places that are not inside walls, evenly spread over the list of nodes. */
static void find_places(finding *f, uint32_t most)
{
	const bspscene_scene *scene = f->scene;
	uint32_t count = 0, number = 0;
	for (uint32_t i = 0; i < scene->node_count; i++) count += is_place(scene->nodes[i]);
	const uint32_t step = (count + most - 1) / most;
	for (uint32_t i = 0; i < scene->node_count; i++) {
		place *own = &f->places[f->place_count];
		if (!is_place(scene->nodes[i]) || number++ % step || !position_of(scene, i, own->position)) continue;
		uint32_t leaf = bspscene_find_leaf(scene, own->position);
		own->cluster = leaf == BSPSCENE_NO_INDEX ? BSPSCENE_NO_INDEX : scene->tree->leafs[leaf].cluster;
		if (!scene->tree->node_count || own->cluster != BSPSCENE_NO_INDEX) f->place_count++;
	}
}

/* ---- Groups ----------------------------------------------------------------------------------------------- */

static uint32_t root_of(finding *f, uint32_t index)
{
	member *all = f->members;
	while (all[index].parent != index) index = all[index].parent = all[all[index].parent].parent;
	return index;
}

static void join(finding *f, uint32_t a, uint32_t b)
{
	f->members[root_of(f, a)].parent = root_of(f, b);
}

bool bspi_is_sky_section(const bspscene_scene *scene, const bspscene_section *section)
{
	return scene->materials[section->material]->kind == BSPSCENE_MATERIAL_SKY;
}

static bool is_sky_face(const bspscene_scene *scene, const bspscene_face *face)
{
	return bspi_is_sky_section(scene, scene->meshes[face->mesh]->sections[face->section]);
}

static bool find_members(finding *f)
{
	const bspscene_scene *scene = f->scene;
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->face_count; i++) count += is_sky_face(scene, &scene->faces[i]);
	f->members = bspi_writer_push(f->writer, member, count);
	BSPI_TRY(f->members);
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (!is_sky_face(scene, &scene->faces[i])) continue;
		f->members[f->member_count] = (member){ .face = i, .parent = f->member_count };
		f->member_count++;
	}
	return true;
}

/* Joins the sky faces of each cluster into one group. Usually they touch, even if they have no common vertex. */
static bool join_clusters(finding *f)
{
	const bspscene_vis *vis = f->scene->vis;
	uint32_t *firsts = bspi_writer_push(f->writer, uint32_t, vis->cluster_count);
	BSPI_TRY(firsts);
	for (uint32_t i = 0; i < f->member_count; i++) {
		uint32_t cluster = f->scene->faces[f->members[i].face].cluster;
		if (cluster >= vis->cluster_count) continue;
		if (firsts[cluster]) join(f, i, firsts[cluster] - 1);
		else firsts[cluster] = i + 1;
	}
	return true;
}

static void join_corner(finding *f, corner *slots, size_t slot_count, const corner *own)
{
	size_t at = (size_t)bspi_hash(own->position, 3 * sizeof *own->position) & (slot_count - 1);
	for (; slots[at].position; at = (at + 1) & (slot_count - 1)) {
		if (slots[at].mesh != own->mesh || !bspi_equal3(slots[at].position, own->position)) continue;
		join(f, own->member, slots[at].member);
		return;
	}
	slots[at] = *own;
}

/* Joins sky faces that share a vertex into one group. */
static bool join_neighbors(finding *f)
{
	const bspscene_scene *scene = f->scene;
	size_t slot_count = 16;
	uint64_t vertices = 0;
	for (uint32_t i = 0; i < f->member_count; i++) vertices += scene->faces[f->members[i].face].vertex_count;
	while (slot_count < 2 * vertices) slot_count *= 2;
	corner *slots = bspi_writer_push(f->writer, corner, slot_count);
	BSPI_TRY(slots);
	for (uint32_t i = 0; i < f->member_count; i++) {
		const bspscene_face *face = &scene->faces[f->members[i].face];
		for (uint32_t v = 0; v < face->vertex_count; v++) {
			const float *position = scene->meshes[face->mesh]->positions + 3 * ((size_t)face->first_vertex + v);
			const corner own = { position, face->mesh, i };
			join_corner(f, slots, slot_count, &own);
		}
	}
	return true;
}

/* ---- Eyes ------------------------------------------------------------------------------------------------- */

static bool may_see(const bspscene_scene *scene, const place *from, const bspscene_face *face)
{
	bool known = face->cluster != BSPSCENE_NO_INDEX && from->cluster != BSPSCENE_NO_INDEX;
	return !known || bspscene_cluster_visible(scene, from->cluster, face->cluster);
}

/* Computes the center of a face, and its normal with a length of twice its area. */
static void measure(const bspscene_scene *scene, const bspscene_face *face, float middle[3], float normal[3])
{
	const bspscene_mesh *mesh = scene->meshes[face->mesh];
	memset(middle, 0, 3 * sizeof *middle);
	memset(normal, 0, 3 * sizeof *normal);
	for (uint32_t i = 0; i < face->index_count; i += 3) {
		const float *corners[3];
		float ways[2][3], cross[3];
		for (uint32_t c = 0; c < 3; c++) {
			corners[c] = mesh->positions + 3 * (size_t)mesh->indices[face->first_index + i + c];
			for (int k = 0; k < 3; k++) middle[k] += corners[c][k] / (float)face->index_count;
		}
		for (int c = 0; c < 2; c++) bspi_sub(ways[c], corners[c + 1], corners[0]);
		bspi_cross(cross, ways[0], ways[1]);
		for (int k = 0; k < 3; k++) normal[k] += cross[k];
	}
}

static void weigh(finding *f, uint32_t index)
{
	const bspscene_face *face = &f->scene->faces[f->members[index].face];
	member *group = &f->members[root_of(f, index)];
	float middle[3], normal[3], way[3];
	measure(f->scene, face, middle, normal);
	for (uint32_t i = 0; i < f->place_count; i++) {
		const place *own = &f->places[i];
		bspi_sub(way, own->position, middle);
		double along = (double)bspi_dot(normal, way), distance = fmax(sqrt((double)bspi_dot(way, way)), NEAREST);
		if (!(along > 0) || !may_see(f->scene, own, face)) continue;
		double weight = along / (distance * distance * distance);
		for (int k = 0; k < 3; k++) group->sum[k] += weight * (double)own->position[k];
		group->weight += weight;
	}
}

static bool hand_out(finding *f, bspi_sky_eyes *out)
{
	const bspscene_scene *scene = f->scene;
	uint32_t *groups = bspi_writer_push(f->writer, uint32_t, scene->face_count);
	out->eyes = bspi_writer_push_zeroed(f->writer, f->member_count, sizeof *out->eyes);
	BSPI_TRY(groups && out->eyes);
	for (uint32_t i = 0; i < scene->face_count; i++) groups[i] = BSPSCENE_NO_INDEX;
	for (uint32_t i = 0; i < f->member_count; i++) {
		const member *own = &f->members[i];
		groups[own->face] = root_of(f, i);
		for (int k = 0; k < 3; k++) {
			out->eyes[i][k] = own->weight > 0 ? (float)(own->sum[k] / own->weight) : out->usual[k];
		}
	}
	out->faces = scene->faces;
	out->groups = groups;
	return true;
}

bool bspi_find_sky_eyes(bspi_writer *writer, bspi_sky_eyes *out)
{
	finding f = { .writer = writer, .scene = writer->scene };
	*out = (bspi_sky_eyes){ .eyes = NULL };
	find_usual(f.scene, out->usual);
	BSPI_TRY(find_members(&f));
	if (!f.member_count) return true;
	uint32_t most = MOST_TESTS / f.member_count;
	find_places(&f, most < 1 ? 1 : most < MOST_PLACES ? most : MOST_PLACES);
	BSPI_TRY(join_clusters(&f) && join_neighbors(&f));
	for (uint32_t i = 0; i < f.member_count; i++) weigh(&f, i);
	return hand_out(&f, out);
}

const float *bspi_sky_eye_of(const bspi_sky_eyes *eyes, const bspscene_face *face)
{
	uint32_t group = face && eyes->groups ? eyes->groups[face - eyes->faces] : BSPSCENE_NO_INDEX;
	return group == BSPSCENE_NO_INDEX ? eyes->usual : eyes->eyes[group];
}
