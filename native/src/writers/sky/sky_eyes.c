/* sky_eyes.c - see sky_eyes.h. */
#include "writers/sky/sky_eyes.h"

#include "base/vec.h"
#include "sky/sky_source.h"
#include "writers/sky/sky_surfaces.h"

/* Enough to find the middle; each is tested with all clusters that have sky faces. */
#define MOST_PLACES 256u

/* A set of clusters whose sky is seen together, as a tree (union-find), and the places that see it. */
typedef struct group {
	bool has_sky;
	uint32_t parent;
	double sum[3];
	uint32_t count;
} group;

typedef struct finding {
	const bspscene_scene *scene;
	group *groups;                     /* per cluster */
	uint32_t *clusters, sky_count;     /* clusters with sky faces */
} finding;

static uint32_t root_of(finding *f, uint32_t cluster)
{
	while (f->groups[cluster].parent != cluster) {
		cluster = f->groups[cluster].parent = f->groups[f->groups[cluster].parent].parent;
	}
	return cluster;
}

/* ---- Places ----------------------------------------------------------------------------------------------- */

static bool position_of(const bspscene_scene *scene, uint32_t node, float out[3])
{
	float place[12];
	bspscene_node_world_transform(scene, node, place);
	for (int i = 0; i < 3; i++) out[i] = place[4 * i + 3];
	return bspi_is_position(out);
}

/* Finds the middle of the player starts. */
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

/* True for player starts, items, monsters and the like, which are where players get to. */
static bool is_place(const bspscene_node *node)
{
	return node->entity != BSPSCENE_NO_INDEX && (node->kind == BSPSCENE_NODE_CAMERA ||
	       node->kind == BSPSCENE_NODE_POINT_ENTITY || node->kind == BSPSCENE_NODE_PROP);
}

/* Calls `visit` for up to MOST_PLACES places outside of walls, evenly chosen. */
static void visit_places(finding *f, void (*visit)(finding *f, const float place[3], uint32_t cluster))
{
	const bspscene_scene *scene = f->scene;
	uint32_t count = 0, number = 0;
	for (uint32_t i = 0; i < scene->node_count; i++) count += is_place(scene->nodes[i]);
	const uint32_t step = (count + MOST_PLACES - 1) / MOST_PLACES;
	for (uint32_t i = 0; i < scene->node_count; i++) {
		float at[3];
		if (!is_place(scene->nodes[i]) || number++ % step || !position_of(scene, i, at)) continue;
		uint32_t leaf = bspscene_find_leaf(scene, at);
		uint32_t cluster = leaf == BSPSCENE_NO_INDEX ? BSPSCENE_NO_INDEX : scene->tree->leafs[leaf].cluster;
		if (cluster != BSPSCENE_NO_INDEX) visit(f, at, cluster);
	}
}

/* ---- Groups ----------------------------------------------------------------------------------------------- */

static void join_visible(finding *f, const float place[3], uint32_t cluster)
{
	uint32_t first = BSPSCENE_NO_INDEX;
	(void)place;
	for (uint32_t i = 0; i < f->sky_count; i++) {
		if (!bspscene_cluster_visible(f->scene, cluster, f->clusters[i])) continue;
		uint32_t root = root_of(f, f->clusters[i]);
		if (first == BSPSCENE_NO_INDEX) first = root;
		else f->groups[root].parent = root_of(f, first);
	}
}

static void add_place(finding *f, const float place[3], uint32_t cluster)
{
	uint32_t i = 0;
	while (i < f->sky_count && !bspscene_cluster_visible(f->scene, cluster, f->clusters[i])) i++;
	if (i == f->sky_count) return;
	group *seen = &f->groups[root_of(f, f->clusters[i])];
	for (int k = 0; k < 3; k++) seen->sum[k] += (double)place[k];
	seen->count++;
}

static void mark_clusters(finding *f, uint32_t cluster_count)
{
	const bspscene_scene *scene = f->scene;
	for (uint32_t i = 0; i < scene->face_count; i++) {
		const bspscene_face *face = &scene->faces[i];
		if (face->cluster >= cluster_count || f->groups[face->cluster].has_sky) continue;
		if (!bspi_is_sky_section(scene, scene->meshes[face->mesh]->sections[face->section])) continue;
		f->groups[face->cluster].has_sky = true;
		f->clusters[f->sky_count++] = face->cluster;
	}
}

bool bspi_find_sky_eyes(bspi_writer *writer, bspi_sky_eyes *out)
{
	finding f = { .scene = writer->scene };
	const bspscene_vis *vis = f.scene->vis;
	*out = (bspi_sky_eyes){ .eyes = NULL };
	find_usual(f.scene, out->usual);
	if (!vis || !vis->rows || !f.scene->tree) return true;
	f.groups = bspi_writer_push(writer, group, vis->cluster_count);
	f.clusters = bspi_writer_push(writer, uint32_t, vis->cluster_count);
	out->eyes = bspi_writer_push_zeroed(writer, vis->cluster_count, sizeof *out->eyes);
	BSPI_TRY(f.groups && f.clusters && out->eyes);
	out->cluster_count = vis->cluster_count;
	for (uint32_t i = 0; i < vis->cluster_count; i++) f.groups[i].parent = i;
	mark_clusters(&f, vis->cluster_count);
	visit_places(&f, join_visible);
	visit_places(&f, add_place);
	for (uint32_t i = 0; i < f.sky_count; i++) {
		const group *own = &f.groups[root_of(&f, f.clusters[i])];
		float *eye = out->eyes[f.clusters[i]];
		bspi_copy3(eye, out->usual);
		for (int k = 0; own->count && k < 3; k++) eye[k] = (float)(own->sum[k] / own->count);
	}
	return true;
}

const float *bspi_sky_eye_of(const bspi_sky_eyes *eyes, const bspscene_face *face)
{
	return face && eyes->eyes && face->cluster < eyes->cluster_count ? eyes->eyes[face->cluster] : eyes->usual;
}
