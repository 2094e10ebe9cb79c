/* instance_light.c - gives nodes that show a model meshes of their own if their light differs. Before this pass, a mesh
 * has the mean light of all nodes that show it. Nodes with nearly the same light share one new mesh. */
#include "baking/baking.h"

#include <math.h>

#include "base/text.h"
#include "base/vec.h"
#include "images/display.h"

/* LEAST_TRIANGLES: the number of triangles that this pass adds is at most the number that the map has or, if that is
 * smaller, this number. BYTES_PER_TRIANGLE: memory for an added triangle, in both scenes and while it is written. */
#define LEAST_TRIANGLES 250000u
#define BYTES_PER_TRIANGLE 512u
/* Limit for the vertices that are compared in one call of choose_groups. Beyond it, nodes keep the shared mesh. No real
 * map reached it. */
#define MOST_COMPARISONS ((uint64_t)1 << 28)

/* Nodes that show one mesh and have nearly the same light. */
typedef struct group {
	uint32_t next;                     /* next group of the same mesh, or NO_INDEX */
	const uint8_t *colors;
	uint32_t mesh;                     /* index of its mesh in the new scene */
} group;

typedef struct instance_groups {
	bspi_ctx *ctx;
	bspscene_scene *scene;
	uint32_t *users;                   /* per mesh: number of nodes that show it */
	uint32_t *sharing;                 /* per mesh: number of nodes that keep the mesh's own light */
	uint32_t *firsts;                  /* per mesh: its first group, or NO_INDEX */
	uint32_t *of_nodes;                /* per node: its group, or NO_INDEX */
	group *groups; uint32_t group_count;
	uint8_t *colors;                   /* light of the node being compared */
	float gain;
	uint64_t triangles, room;          /* triangles added so far, and their limit */
	uint64_t comparisons_left;         /* vertices that may still be compared */
} instance_groups;

/* ---- Light ------------------------------------------------------------------------------------------------ */

/* True if the mesh may be a model that is lit by the light at its position. Such a mesh has no rig and no baked light,
 * and has vertex colors of one style. */
static bool is_lit_model(const bspscene_mesh *mesh)
{
	return mesh->model == BSPSCENE_NO_INDEX && mesh->colors && !mesh->vertex_color_set_count && !mesh->rig &&
	       !mesh->baked_light && mesh->normals;
}

static const bspscene_prop *prop_of(const bspscene_scene *scene, uint32_t node)
{
	uint32_t prop = scene->nodes[node]->prop;
	return prop == BSPSCENE_NO_INDEX ? NULL : scene->props[prop];
}

static void light_by_place(const instance_groups *c, uint32_t node, const bspscene_mesh *mesh, uint8_t *out)
{
	const bspscene_light_sample *light = prop_of(c->scene, node)->light_sample;
	float world[12];
	bspscene_node_world_transform(c->scene, node, world);
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const float *from = mesh->normals + 3 * v;
		float normal[3], on[3];
		for (int i = 0; i < 3; i++) normal[i] = bspi_dot(world + 4 * i, from);
		bspi_normalize(normal);
		bspscene_shade_normal(light, normal, on);
		for (size_t i = 0; i < 3; i++) out[4 * v + i] = (uint8_t)(bspi_clamp_unit(on[i] / c->gain) * 255 + 0.5f);
		out[4 * v + 3] = 255;
	}
}

/* Returns the light of a node's vertices (RGBA), or NULL if it is unknown. */
static const uint8_t *light_of(const instance_groups *c, uint32_t node, const bspscene_mesh *mesh)
{
	const bspscene_prop *prop = prop_of(c->scene, node);
	if (!prop) return NULL;
	if (prop->colors) return prop->colors;
	if (!prop->light_sample) return NULL;
	light_by_place(c, node, mesh, c->colors);
	return c->colors;
}

/* True if the two lights of a mesh differ by at most `steps` in each channel. Compares only vertices that are lit by
 * vertex colors. */
static bool are_alike(instance_groups *c, const bspscene_mesh *mesh, const uint8_t *a, const uint8_t *b, int steps)
{
	for (uint32_t s = 0; s < mesh->section_count; s++) {
		const bspscene_section *section = mesh->sections[s];
		if (section->lighting != BSPSCENE_LIGHTING_VERTEX) continue;
		for (size_t v = section->first_vertex; v < (size_t)section->first_vertex + section->vertex_count; v++) {
			if (c->comparisons_left) c->comparisons_left--;
			for (size_t i = 4 * v; i < 4 * v + 3; i++) {
				int difference = a[i] - b[i];
				if (difference > steps || -difference > steps) return false;
			}
		}
	}
	return true;
}

/* ---- Groups ----------------------------------------------------------------------------------------------- */

static bool add_group(instance_groups *c, uint32_t mesh, uint32_t *last, const uint8_t *colors)
{
	size_t size = 4 * (size_t)c->scene->meshes[mesh]->vertex_count;
	uint8_t *copy = bspi_push_unset(c->ctx, &c->ctx->scratch, size, 1);
	BSPI_TRY(copy);
	memcpy(copy, colors, size);
	*last = c->group_count++;
	c->groups[*last] = (group) { .next = BSPSCENE_NO_INDEX, .colors = copy };
	if (c->users[mesh] > 1) c->triangles += c->scene->meshes[mesh]->index_count / 3;
	return true;
}

static bool choose_group(instance_groups *c, uint32_t node, float error)
{
	uint32_t mesh = c->scene->nodes[node]->mesh;
	const bspscene_mesh *shared = c->scene->meshes[mesh];
	c->of_nodes[node] = BSPSCENE_NO_INDEX;
	const uint8_t *light = is_lit_model(shared) ? light_of(c, node, shared) : NULL;
	int steps = (int)(error / c->gain);
	bool shares = !light || !c->comparisons_left || are_alike(c, shared, light, shared->colors, steps);
	c->sharing[mesh] += shares;
	if (shares) return true;
	uint32_t *at = &c->firsts[mesh];
	while (*at != BSPSCENE_NO_INDEX && !are_alike(c, shared, light, c->groups[*at].colors, steps)) {
		at = &c->groups[*at].next;
	}
	if (*at == BSPSCENE_NO_INDEX) BSPI_TRY(add_group(c, mesh, at, light));
	c->of_nodes[node] = *at;
	return true;
}

/* Groups all nodes by their light. Nodes of a mesh are in one group if their light differs by at most an allowed
 * error. This error is `error` for a mesh that several nodes show. It is `requested` for a mesh that only one node
 * shows, because replacing that mesh adds no triangles. */
static bool choose_groups(instance_groups *c, float requested, float error)
{
	const bspscene_scene *scene = c->scene;
	bspi_arena_reset(&c->ctx->scratch);
	c->group_count = 0;
	c->triangles = 0;
	c->comparisons_left = MOST_COMPARISONS;
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		c->firsts[i] = BSPSCENE_NO_INDEX;
		c->sharing[i] = 0;
	}
	for (uint32_t i = 0; i < scene->node_count; i++) {
		uint32_t mesh = scene->nodes[i]->mesh;
		if (mesh == BSPSCENE_NO_INDEX) continue;
		BSPI_TRY(choose_group(c, i, c->users[mesh] == 1 ? requested : error));
		if (c->triangles > c->room) return true;
		if (i % 64 == 0) BSPI_TRY(bspi_progress(c->ctx, "light", 0, 1));
	}
	return true;
}

/* ---- Meshes ----------------------------------------------------------------------------------------------- */

/* Stores a mesh for each group. If no node keeps the light of the old mesh, the mesh of the first group takes its
 * place. Meshes of other groups are appended. */
static bool add_meshes(instance_groups *c, bspscene_mesh *meshes, uint32_t *count)
{
	const bspscene_scene *scene = c->scene;
	bspi_ctx *ctx = c->ctx;
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		meshes[i] = *scene->meshes[i];
		uint32_t number = 0;
		for (uint32_t at = c->firsts[i]; at != BSPSCENE_NO_INDEX; at = c->groups[at].next) {
			group *own = &c->groups[at];
			bool takes_over = !number++ && !c->sharing[i];
			own->mesh = takes_over ? i : (*count)++;
			bspscene_mesh *mesh = &meshes[own->mesh];
			if (!takes_over) {
				*mesh = *scene->meshes[i];
				mesh->name = bspi_text_format(ctx, &ctx->result, "%s:light%u", scene->meshes[i]->name, number);
			}
			mesh->colors = bspi_push_copy(ctx, own->colors, mesh->vertex_count, 4);
			BSPI_TRY(mesh->name && mesh->colors);
		}
	}
	return true;
}

static bool move_nodes(instance_groups *c)
{
	bspscene_scene *scene = c->scene;
	bspscene_node *nodes = bspi_push(c->ctx, &c->ctx->result, bspscene_node, scene->node_count);
	BSPI_TRY(nodes);
	for (uint32_t i = 0; i < scene->node_count; i++) {
		nodes[i] = *scene->nodes[i];
		if (nodes[i].mesh == BSPSCENE_NO_INDEX || c->of_nodes[i] == BSPSCENE_NO_INDEX) continue;
		nodes[i].mesh = c->groups[c->of_nodes[i]].mesh;
	}
	scene->nodes = bspi_table(c->ctx, bspscene_node, nodes, scene->node_count);
	return scene->nodes != NULL;
}

static bool put_groups(instance_groups *c, bspscene_bake_report *report)
{
	bspscene_scene *scene = c->scene;
	if (!c->group_count) return true;
	uint32_t count = scene->mesh_count;
	bspscene_mesh *meshes = bspi_push(c->ctx, &c->ctx->result, bspscene_mesh, (size_t)count + c->group_count);
	bspscene_counts *counts = bspi_push_copy(c->ctx, scene->counts, 1, sizeof *counts);
	BSPI_TRY(meshes && counts && add_meshes(c, meshes, &count) && move_nodes(c));
	for (uint32_t i = scene->mesh_count; i < count; i++) {
		counts->vertices += meshes[i].vertex_count;
		counts->triangles += meshes[i].index_count / 3;
	}
	report->meshes_for_light = count - scene->mesh_count;
	scene->counts = counts;
	scene->mesh_count = count;
	scene->meshes = bspi_table(c->ctx, bspscene_mesh, meshes, count);
	return scene->meshes != NULL;
}

/* ---- The pass --------------------------------------------------------------------------------------------- */

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Returns the number of triangles that this pass may add. Half of the remaining triangle limit stays for the world. */
static uint64_t room_for(const bspi_ctx *ctx, const bspscene_scene *scene, uint32_t triangle_limit)
{
	uint64_t triangles = scene->counts->triangles, room = triangles > LEAST_TRIANGLES ? triangles : LEAST_TRIANGLES;
	if (triangle_limit) room = smaller(room, triangle_limit > triangles ? (triangle_limit - triangles) / 2 : 0);
	return smaller(room, bspi_budget_left(&ctx->budget) / BYTES_PER_TRIANGLE / 2);
}

static bool begin(instance_groups *c)
{
	const bspscene_scene *scene = c->scene;
	bspi_ctx *ctx = c->ctx;
	size_t most_vertices = 0;
	c->users = bspi_push(ctx, &ctx->stage, uint32_t, scene->mesh_count);
	c->sharing = bspi_push(ctx, &ctx->stage, uint32_t, scene->mesh_count);
	c->firsts = bspi_push(ctx, &ctx->stage, uint32_t, scene->mesh_count);
	c->of_nodes = bspi_push(ctx, &ctx->stage, uint32_t, scene->node_count);
	c->groups = bspi_push(ctx, &ctx->stage, group, scene->node_count);
	BSPI_TRY(c->users && c->sharing && c->firsts && c->of_nodes && c->groups);
	for (uint32_t i = 0; i < scene->node_count; i++) {
		uint32_t mesh = scene->nodes[i]->mesh;
		if (mesh == BSPSCENE_NO_INDEX) continue;
		c->users[mesh]++;
		if (scene->meshes[mesh]->vertex_count > most_vertices) most_vertices = scene->meshes[mesh]->vertex_count;
	}
	c->colors = bspi_push_unset(ctx, &ctx->stage, most_vertices, 4);
	c->gain = fmaxf(bspi_color_intensity(scene), 1e-3f);
	return c->colors != NULL;
}

bool bspi_light_instances(bspi_ctx *ctx, bspscene_scene *scene, const bspscene_bake_options *options,
                          bspscene_bake_report *report)
{
	instance_groups c = { .ctx = ctx, .scene = scene, .room = room_for(ctx, scene, options->triangle_limit) };
	float requested = options->model_light_error, error = requested;
	BSPI_TRY(begin(&c));
	BSPI_TRY(choose_groups(&c, requested, error));
	/* This loop ends: when the error is above 255, all nodes share the old mesh. */
	while (c.triangles > c.room) {
		error *= 2;
		BSPI_TRY(choose_groups(&c, requested, error));
	}
	report->model_light_error = error;
	BSPI_TRY(put_groups(&c, report));
	bspi_arena_reset(&ctx->scratch);
	bspi_arena_reset(&ctx->stage);
	return true;
}
