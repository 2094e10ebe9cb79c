/* light_models.c - computes vertex colors of models from the light at their positions. All nodes of a mesh share these
 * colors, so a mesh gets the mean light of its nodes. bspscene_prop.colors and light_sample have the light of each
 * node. */
#include "stages/models/models.h"

#include <bspscene/material.h>

#include "base/vec.h"
#include "images/display.h"
#include "stages/light/direct_light.h"
#include "stages/light/point_light.h"

/* Limit for the vertices of all props that have colors of their own. Real maps have a few million. */
#define MOST_VERTICES (1u << 26)

/* Light that falls on a mesh from the six sides of its own space, summed over all nodes that show the mesh. */
typedef struct mesh_light {
	float sides[6][3];
	uint32_t count;
	uint32_t *stored, stored_count;    /* for each vertex, the sums of three channels over the nodes for which the map
	                                    * stores colors; number of these nodes */
} mesh_light;

static bool add_node(bspi_build *build, uint32_t number, mesh_light *out)
{
	const bspscene_scene *scene = build->scene;
	const bspscene_node *node = scene->nodes[number];
	bspscene_prop *prop = (bspscene_prop *)scene->props[node->prop];
	bspscene_light_sample light;
	float world[12];
	bspscene_node_world_transform(scene, number, world);
	const float origin[3] = { world[3], world[7], world[11] };
	bool elsewhere = prop->flags & BSPSCENE_PROP_LIGHTING_ORIGIN;
	const float *place = elsewhere ? prop->lighting_origin : origin;
	if (!bspi_light_at_point(scene, &build->models->floors, place, &light)) return true;
	for (int side = 0; side < 6; side++) {
		float normal[3], on[3], sign = side % 2 ? -1.0f : 1.0f;
		for (int i = 0; i < 3; i++) normal[i] = world[4 * i + side / 2] * sign;
		if (!bspi_normalize(normal)) return true;
		bspi_light_on_normal(&light, normal, on);
		for (int i = 0; i < 3; i++) out->sides[side][i] += on[i];
	}
	out->count++;
	prop->light_sample = bspi_push_copy(build->ctx, &light, 1, sizeof light);
	return prop->light_sample != NULL;
}

static bool add_stored(bspi_build *build, const uint8_t *colors, uint32_t vertex_count, mesh_light *out)
{
	if (!out->stored) out->stored = bspi_push(build->ctx, &build->ctx->stage, uint32_t, 3 * (size_t)vertex_count);
	BSPI_TRY(out->stored);
	for (size_t i = 0; i < 3 * (size_t)vertex_count; i++) out->stored[i] += colors[i / 3 * 4 + i % 3];
	out->stored_count++;
	return true;
}

static uint8_t byte_of(float value)
{
	return (uint8_t)(fminf(fmaxf(value, 0), 1) * 255 + 0.5f);
}

/* ---- Lamps of the compiler's list ---- */

/* The light at a node. `ambient` is light from six sides, or black if the map has none there. `direct` is the light
 * of lamps; it is valid if has_lamps is true. */
typedef struct node_light {
	float world[12], ambient[6][3];
	bspi_direct_light direct;
	bool has_ambient, has_lamps;
} node_light;

/* Computes the transform of a node in the map. For a node in the 3D skybox, the enlargement of the skybox is left
 * out. */
static void find_transform(const bspscene_scene *scene, uint32_t number, float out[12])
{
	const bspscene_node *node = scene->nodes[number];
	bool in_skybox = scene->nodes[node->parent]->kind == BSPSCENE_NODE_SKY;
	if (in_skybox) memcpy(out, node->transform, sizeof node->transform);
	else bspscene_node_world_transform(scene, number, out);
}

/* Finds the point at which the engine samples light: the model's center, unless the compiler stored another one. */
static void find_place(const bspscene_prop *prop, const bspscene_mesh *mesh, const float world[12], float out[3])
{
	float low[3] = { 0 }, high[3] = { 0 };
	for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
		float value = mesh->positions[i];
		low[i % 3] = i < 3 ? value : fminf(low[i % 3], value);
		high[i % 3] = i < 3 ? value : fmaxf(high[i % 3], value);
	}
	for (int i = 0; i < 3; i++) {
		out[i] = world[4 * i + 3];
		for (int k = 0; k < 3; k++) out[i] += world[4 * i + k] * (low[k] + high[k]) / 2;
	}
	if (prop->flags & BSPSCENE_PROP_LIGHTING_ORIGIN) bspi_copy3(out, prop->lighting_origin);
}

/* Finds the ambient light from six sides at a position. If the map has no such light, returns false, and `out` is
 * black. */
static bool find_ambient(const bspscene_scene *scene, const bspi_floors *floors, const float place[3],
                         const float origin[3], float out[6][3])
{
	bspscene_light_sample light;
	bool found =
		bspi_light_at_point(scene, floors, place, &light) || bspi_light_at_point(scene, floors, origin, &light);
	if (!found) light = (bspscene_light_sample) { .direction = { 0, 0, 1 } };
	for (int k = 0; k < 18; k++) out[k / 3][k % 3] = bspi_linear_from_display(light.sides[k / 3][k % 3]);
	return found;
}

static bool has_light(const bspscene_scene *scene, const bspscene_mesh *mesh)
{
	uint32_t i = 0;
	while (i < mesh->section_count && scene->materials[mesh->sections[i]->material]->unlit) i++;
	return i < mesh->section_count;
}

static void color_vertex(const bspscene_mesh *mesh, size_t v, const node_light *light, bool softly, float gain,
                         uint8_t out[4])
{
	const float *from = mesh->positions + 3 * v, *turned = mesh->normals + 3 * v;
	float position[3], normal[3], on[3];
	for (int i = 0; i < 3; i++) {
		const float *row = light->world + 4 * i;
		position[i] = bspi_dot(row, from) + row[3];
		normal[i] = bspi_dot(row, turned);
	}
	if (!bspi_normalize(normal)) bspi_copy3(normal, (const float[3]) { 0, 0, 1 });
	bspi_direct_light_on(&light->direct, (const float(*)[3])light->ambient, position, normal, softly, on);
	for (int i = 0; i < 3; i++) out[i] = byte_of(bspi_display_from_linear(fmaxf(on[i], 0)) * gain);
	out[3] = 255;
}

static uint8_t *color_vertices(bspi_build *build, const bspscene_mesh *mesh, const node_light *light)
{
	const bspscene_scene *scene = build->scene;
	uint8_t *colors = bspi_push(build->ctx, &build->ctx->result, uint8_t, 4 * (size_t)mesh->vertex_count);
	float gain = 1 / bspi_color_intensity(scene);
	for (uint32_t s = 0; colors && s < mesh->section_count; s++) {
		const bspscene_section *section = mesh->sections[s];
		bool softly = scene->materials[section->material]->half_lambert;
		for (uint32_t i = 0; i < section->vertex_count; i++) {
			size_t v = (size_t)section->first_vertex + i;
			color_vertex(mesh, v, light, softly, gain, colors + 4 * v);
		}
	}
	return colors;
}

/* Finds the light at the position of a node. */
static void find_node_light(bspi_build *build, bspi_lamps *lamps, uint32_t number, bool glossy, node_light *out)
{
	const bspscene_scene *scene = build->scene;
	const bspscene_node *node = scene->nodes[number];
	float place[3];
	memset(out, 0, sizeof *out);
	find_transform(scene, number, out->world);
	find_place(scene->props[node->prop], scene->meshes[node->mesh], out->world, place);
	if (!bspi_are_finite(place, 3)) return;
	out->has_lamps = bspi_find_direct_light(lamps, place, &out->direct);
	if (!out->has_lamps && !glossy) return;
	const float *m = out->world, origin[3] = { m[3], m[7], m[11] };
	out->has_ambient = find_ambient(scene, &build->models->floors, place, origin, out->ambient);
}

/* True if a material of the node has phong, and the node is not part of the enlarged 3D skybox. */
static bool has_gloss(const bspscene_scene *scene, const bspscene_node *node)
{
	const bspscene_mesh *mesh = scene->meshes[node->mesh];
	uint32_t i = 0;
	while (i < mesh->section_count && !scene->materials[mesh->sections[i]->material]->phong) i++;
	return i < mesh->section_count && scene->nodes[node->parent]->kind != BSPSCENE_NODE_SKY;
}

static bool keep_light(bspi_build *build, const node_light *light, bspscene_prop *prop)
{
	bspi_ctx *ctx = build->ctx;
	const bspi_direct_light *direct = &light->direct;
	if (!light->has_ambient && !light->has_lamps) return true;
	bspscene_model_light *kept = bspi_push(ctx, &ctx->result, bspscene_model_light, 1);
	bspscene_model_lamp *lamps = bspi_push(ctx, &ctx->result, bspscene_model_lamp, direct->count);
	BSPI_TRY(kept && lamps);
	for (int i = 0; i < 18; i++) kept->cube[i / 3][i % 3] = light->ambient[i / 3][i % 3] + direct->cube[i / 3][i % 3];
	for (uint32_t i = 0; i < direct->count; i++) lamps[i] = *direct->lamps[i];
	kept->lamps = bspi_table(ctx, bspscene_model_lamp, lamps, direct->count);
	kept->lamp_count = direct->count;
	prop->model_light = kept;
	return kept->lamps != NULL;
}

/* Gives one prop vertex colors of its own, computed from the lamps that reach it. If the map stores colors for the
 * prop, it keeps those. For glossy materials, the lamps are stored with the prop too. */
static bool light_by_lamps(bspi_build *build, bspi_lamps *lamps, uint32_t number, uint32_t *vertices)
{
	const bspscene_scene *scene = build->scene;
	const bspscene_node *node = scene->nodes[number];
	const bspscene_mesh *mesh = scene->meshes[node->mesh];
	bspscene_prop *prop = (bspscene_prop *)scene->props[node->prop];
	bool room = mesh->vertex_count <= MOST_VERTICES - *vertices;
	bool wanted = !prop->colors && lamps->count && room && has_light(scene, mesh), glossy = has_gloss(scene, node);
	node_light light;
	if (!wanted && !glossy) return true;
	find_node_light(build, lamps, number, glossy, &light);
	if (glossy) BSPI_TRY(keep_light(build, &light, prop));
	if (!wanted || !light.has_lamps) return true;
	*vertices += mesh->vertex_count;
	prop->colors = color_vertices(build, mesh, &light);
	return prop->colors != NULL;
}

static bool color_mesh(bspi_build *build, const mesh_light *light, bspscene_mesh *mesh)
{
	float gain = 1 / (bspi_color_intensity(build->scene) * fmaxf((float)light->count, 1));
	uint8_t *colors = bspi_push_unset(build->ctx, &build->ctx->result, mesh->vertex_count, 4);
	BSPI_TRY(colors);
	for (size_t i = 0; i < mesh->vertex_count; i++) {
		const float *normal = mesh->normals + 3 * i;
		for (size_t k = 0; k < 3 && light->stored; k++) {
			colors[4 * i + k] = (uint8_t)(light->stored[3 * i + k] / light->stored_count);
		}
		for (size_t k = 0; k < 3 && !light->stored; k++) {
			float value = 0;
			for (size_t axis = 0; axis < 3; axis++) {
				value += light->sides[2 * axis + (normal[axis] < 0)][k] * normal[axis] * normal[axis];
			}
			colors[4 * i + k] = byte_of(value * gain);
		}
		colors[4 * i + 3] = 255;
	}
	mesh->colors = colors;
	for (uint32_t i = 0; i < mesh->section_count; i++) {
		bspscene_section *section = (bspscene_section *)mesh->sections[i];
		bool unlit = build->scene->materials[section->material]->unlit;
		if (!unlit) section->lighting = BSPSCENE_LIGHTING_VERTEX;
	}
	return true;
}

/* State that light_node uses for one node after another. */
typedef struct lighting {
	bspi_lamps lamps;
	mesh_light *of_meshes;
	uint32_t vertices; /* total number of vertices of the props that got colors of their own so far */
	bool by_floor;
} lighting;

static bool light_node(bspi_build *build, lighting *l, uint32_t number)
{
	const bspscene_scene *scene = build->scene;
	const bspscene_node *node = scene->nodes[number];
	bspscene_prop *prop = (bspscene_prop *)scene->props[node->prop];
	const bspscene_mesh *mesh = scene->meshes[node->mesh];
	mesh_light *light = &l->of_meshes[node->mesh - build->models->drawn_meshes];
	if (mesh->colors) return true; /* the file of the model has colors, which all nodes share */
	BSPI_TRY(light_by_lamps(build, &l->lamps, number, &l->vertices));
	if (prop->colors) return add_stored(build, prop->colors, mesh->vertex_count, light);
	if (l->by_floor && !bspi_may_search_floor(build)) return true;
	return add_node(build, number, light);
}

static bool warn_of_limits(bspi_build *build, const lighting *l)
{
	bool spent = l->lamps.count && !l->lamps.budget, many = l->vertices > MOST_VERTICES / 2;
	if (!spent && !many) return true;
	return bspi_warn(build->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("world lights"),
	                 "the map has too many lamps and models: some models are not lit by lamps");
}

bool bspi_light_models(bspi_build *build)
{
	bspscene_scene *scene = build->scene;
	const struct bspi_models *models = build->models;
	bool wanted = !scene->is_full_bright && build->ctx->options.lightmap_encoding != BSPSCENE_LIGHTMAP_ENCODING_NONE;
	if (!models || !models->mesh_count || !wanted) return true;
	lighting l = { .by_floor = !scene->outdoor_light && !scene->light_grid->counts[0] && !scene->ambient_count };
	l.of_meshes = bspi_push(build->ctx, &build->ctx->stage, mesh_light, models->mesh_count);
	BSPI_TRY(l.of_meshes && bspi_collect_lamps(build, &l.lamps));
	for (uint32_t i = 0; i < scene->node_count; i++) {
		const bspscene_node *node = scene->nodes[i];
		if (node->prop == BSPSCENE_NO_INDEX || node->mesh == BSPSCENE_NO_INDEX) continue;
		if (i % 64 == 0) BSPI_TRY(bspi_progress(build->ctx, "geometry", i, scene->node_count));
		BSPI_TRY(light_node(build, &l, i));
	}
	for (uint32_t i = 0; i < models->mesh_count; i++) {
		bool lit = l.of_meshes[i].count || l.of_meshes[i].stored_count;
		bspscene_mesh *mesh = (bspscene_mesh *)scene->meshes[models->drawn_meshes + i];
		if (lit) BSPI_TRY(color_mesh(build, &l.of_meshes[i], mesh));
	}
	return warn_of_limits(build, &l);
}
