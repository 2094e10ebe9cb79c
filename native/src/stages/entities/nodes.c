/* nodes.c - makes the scene's tree of nodes. First come the root, the world and the 3D skybox. Then comes a node for
 * each entity, in the order of the file; a spawn point's camera or a second model follows its entity. Last come flares,
 * compiled props and collision meshes. Also computes the bounds of the whole scene. */
#include "stages/entities/nodes.h"
#include "stages/models/models.h"
#include "stages/skybox.h"

#include <stdio.h>

#include "base/text.h"
#include "base/vec.h"

enum { WORLD = BSPI_NODE_ROOT + 1, OWN_NODES = 4 + BSPI_LEVEL_MASKS, NODES_PER_ENTITY = 5 };

bool bspi_is_hidden(const bspi_build *build, uint32_t entity)
{
	const bspi_entity_rules *rules = build->map->rules.entities;
	const char *classname = build->scene->entities[entity]->classname;
	for (const char *const *name = rules->hidden; *name; name++) {
		if (bspi_text_matches(classname, *name)) return true;
	}
	for (const bspi_hidden_rule *rule = rules->hidden_by_flags; rule && rule->name; rule++) {
		bool hides = (bspi_spawnflags(build, entity) & rule->mask) == rule->value;
		hides &= !rule->named || *build->scene->entities[entity]->targetname;
		if (hides && bspi_text_equal(classname, rule->name)) return true;
	}
	return false;
}

void bspi_place_brush(const bspi_build *build, uint32_t entity, float out[12])
{
	bspi_place_as_built(build, entity, out);
	bspi_start_mover(build, entity, out);
	bspi_move_with_parents(build, entity, out);
}

static bool add_entity(bspi_nodes *nodes, bspscene_entity *entity, uint32_t index)
{
	bspi_build *build = nodes->build;
	bool is_brush = entity->model != BSPSCENE_NO_INDEX;
	bool is_shown = is_brush || bspi_entity_value(build, index, "model");
	char *name = bspi_text_format(build->ctx, &build->ctx->result, "%s:%u",
	                              entity->classname[0] ? entity->classname : "entity", index);
	BSPI_TRY(name);
	entity->node = nodes->node_count;
	bspscene_node_kind kind = is_brush ? BSPSCENE_NODE_BRUSH_ENTITY : BSPSCENE_NODE_POINT_ENTITY;
	bspscene_node *node = bspi_add_node(nodes, kind, bspi_parent_at(nodes, entity->origin), name, entity->origin);
	node->entity = index;
	node->hidden = bspi_is_hidden(build, index);
	if (is_shown) node->levels = bspi_spawnflags(build, index) & build->map->rules.entities->level_flags;
	if (is_brush) {
		node->mesh = build->mesh_of_part[entity->model];
		bspi_place_brush(build, index, node->transform);
		if (build->map->rules.entities->render_modes) bspi_read_render_mode(nodes, index, node);
		return bspi_add_models(nodes, index);
	}
	float angles[3];
	bspi_entity_angles(nodes, index, angles);
	bspi_transform_angles(node->transform, entity->origin, angles[0], angles[1], angles[2]);
	bool known = bspi_entity_light(nodes, index) || bspi_entity_camera(nodes, index);
	BSPI_TRY((known || !build->ctx->error.status) && bspi_add_models(nodes, index));
	bspi_move_with_parents(build, index, nodes->nodes[entity->node].transform);
	return true;
}

static bool add_flare(bspi_nodes *nodes, const bspi_face *face, uint32_t index)
{
	char *name = bspi_text_format(nodes->build->ctx, &nodes->build->ctx->result, "flare:%u", index);
	BSPI_TRY(name);
	bspscene_node *node = bspi_add_node(nodes, BSPSCENE_NODE_FLARE, BSPI_NODE_ROOT, name, face->origin);
	if (bspi_dot(face->normal, face->normal) > 0) bspi_look_along(node->transform, face->origin, face->normal);
	for (int i = 0; i < 3; i++) node->color[i] = fminf(fmaxf(face->color[i], 0), 1);
	node->material = bspi_face_material(nodes->build, face);
	return true;
}

static uint32_t count_flares(const bspi_map *map)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < map->faces_count; i++) count += map->faces[i].kind == BSPI_FACE_FLARE;
	return count;
}

/* Adds the node of the world. It belongs to the first worldspawn entity. */
static void add_world(bspi_nodes *nodes)
{
	static const float nowhere[3];
	bspscene_scene *scene = nodes->build->scene;
	bspi_add_node(nodes, BSPSCENE_NODE_ROOT, BSPSCENE_NO_INDEX, scene->name, nowhere);
	bspscene_node *world = bspi_add_node(nodes, BSPSCENE_NODE_WORLD, BSPI_NODE_ROOT, "worldspawn", nowhere);
	world->mesh = nodes->build->mesh_of_part[0];
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		bspscene_entity *entity = (bspscene_entity *)scene->entities[i];
		if (!bspi_text_equal(entity->classname, "worldspawn")) continue;
		if (world->entity != BSPSCENE_NO_INDEX) {
			entity->model = BSPSCENE_NO_INDEX; /* a second worldspawn gets no model, because the world is drawn
			                                    * only once */
			continue;
		}
		entity->node = WORLD;
		world->entity = i;
	}
}

/* Returns the name of a node for several levels. It lists the levels, as in "worldspawn:levels_1-3" or
 * "worldspawn:levels_1+4-8". */
const char *bspi_levels_name(bspi_ctx *ctx, uint32_t levels)
{
	enum { LEVELS = 8, SIZE = sizeof "worldspawn:levels_1+3+5+7" };
	char *name = bspi_push(ctx, &ctx->result, char, SIZE);
	if (!name) return NULL;
	char *end = name + sprintf(name, "worldspawn:levels_");
	const char *begin = end;
	for (int first = 0, after; first < LEVELS; first = after + 1) {
		for (after = first; after < LEVELS && levels >> after & 1;) after++;
		if (after == first) continue;
		if (end > begin) *end++ = '+';
		*end++ = (char)('1' + first);
		if (after - first > 1) *end++ = '-';
		if (after - first > 1) *end++ = (char)('0' + after);
	}
	return name;
}

/* Adds a node for each set of levels, so that viewers can hide everything that is above a floor. */
static void add_levels(bspi_nodes *nodes)
{
	static const float nowhere[3];
	const bspi_build *build = nodes->build;
	if (!build->map->rules.entities->level_flags) return;
	for (uint32_t levels = 1; levels < BSPI_LEVEL_MASKS; levels++) {
		uint32_t mesh = build->mesh_of_part[bspi_world_part(build, levels)];
		if (mesh == BSPSCENE_NO_INDEX) continue;
		bspscene_node *node = bspi_add_node(nodes, BSPSCENE_NODE_WORLD, WORLD, build->scene->meshes[mesh]->name,
		                                    nowhere);
		node->mesh = mesh;
		node->levels = levels;
	}
}

/* Adds the node of the 3D skybox. Its transform makes everything below it as large as players see it, and moves it
 * there. */
static void add_skybox(bspi_nodes *nodes)
{
	const bspi_build *build = nodes->build;
	const bspscene_scene *scene = build->scene;
	if (!build->skybox_area) return;
	float scale = scene->sky_camera_scale, origin[3];
	for (int i = 0; i < 3; i++) origin[i] = -scene->sky_camera_origin[i] * scale;
	nodes->skybox = nodes->node_count;
	bspscene_node *node = bspi_add_node(nodes, BSPSCENE_NODE_SKY, BSPI_NODE_ROOT, "skybox", origin);
	for (int i = 0; i < 3; i++) node->transform[5 * i] = scale;
	node->mesh = build->mesh_of_part[bspi_skybox_part(build)];
}

static bool keep_all(bspi_nodes *nodes)
{
	bspi_ctx *ctx = nodes->build->ctx;
	bspscene_scene *scene = nodes->build->scene;
#define KEEP(list, type) \
	const type *kept_##list = bspi_push_copy(ctx, nodes->list##s, nodes->list##_count, sizeof(type)); \
	scene->list##s = kept_##list ? bspi_table(ctx, type, kept_##list, nodes->list##_count) : NULL; \
	scene->list##_count = nodes->list##_count; \
	BSPI_TRY(scene->list##s)
	KEEP(node, bspscene_node);
	KEEP(light, bspscene_light);
	KEEP(camera, bspscene_camera);
	KEEP(prop, bspscene_prop);
	KEEP(overlay, bspscene_overlay);
#undef KEEP
	return true;
}

static void add_box(bspscene_bounds *out, const bspscene_bounds *box, const float transform[12])
{
	for (int corner = 0; corner < 8; corner++) {
		float p[3];
		for (int i = 0; i < 3; i++) p[i] = corner >> i & 1 ? box->max[i] : box->min[i];
		bspi_transform_point(p, transform, p);
		bspi_bounds_add(out, p);
	}
}

/* True if the node is in the enlarged 3D skybox, which does not belong to the scene's bounds. */
static bool is_below_skybox(const bspscene_scene *scene, const bspscene_node *node)
{
	while (node->kind != BSPSCENE_NODE_SKY && node->parent != BSPSCENE_NO_INDEX) node = scene->nodes[node->parent];
	return node->kind == BSPSCENE_NODE_SKY;
}

static void measure(bspscene_scene *scene)
{
	bspscene_bounds bounds = BSPI_EMPTY_BOUNDS;
	for (uint32_t i = 0; i < scene->node_count; i++) {
		const bspscene_node *node = scene->nodes[i];
		if (is_below_skybox(scene, node) || node->kind == BSPSCENE_NODE_COLLISION) continue;
		if (node->mesh == BSPSCENE_NO_INDEX || bspi_bounds_empty(&scene->meshes[node->mesh]->bounds)) continue;
		float transform[12];
		bspscene_node_world_transform(scene, i, transform);
		add_box(&bounds, &scene->meshes[node->mesh]->bounds, transform);
	}
	scene->bounds = bspi_bounds_empty(&bounds) ? BSPI_NO_BOUNDS : bounds;
}

static bool reserve(bspi_nodes *nodes)
{
	bspi_ctx *ctx = nodes->build->ctx;
	const bspi_map *map = nodes->build->map;
	size_t entities = nodes->build->scene->entity_count, overlays = nodes->build->overlay_count;
	size_t placed = map->static_props_count + bspi_count_detail_models(nodes->build);
	size_t placed_lights = map->world_lights_count + BSPI_MOST_SKY_SUNS + 1; /* + 1 for the sun of worldspawn */
	size_t most = OWN_NODES + entities * NODES_PER_ENTITY + count_flares(map) + placed + placed_lights + overlays +
	              bspi_count_collision_nodes(nodes->build);
	nodes->nodes = bspi_push(ctx, &ctx->stage, bspscene_node, most);
	nodes->lights = bspi_push(ctx, &ctx->stage, bspscene_light, entities + placed_lights);
	nodes->cameras = bspi_push(ctx, &ctx->stage, bspscene_camera, entities);
	size_t props = entities * BSPI_MODELS_PER_ENTITY + placed + 1; /* + 1 for all detail props that are sprites,
	                                                                * which are one prop */
	nodes->props = bspi_push(ctx, &ctx->stage, bspscene_prop, props);
	nodes->overlays = bspi_push(ctx, &ctx->stage, bspscene_overlay, overlays);
	return nodes->nodes && nodes->lights && nodes->cameras && nodes->props && nodes->overlays;
}

bool bspi_build_nodes(bspi_build *build)
{
	const bspi_map *map = build->map;
	bspscene_scene *scene = build->scene;
	bspi_nodes nodes = { .build = build, .skybox = BSPSCENE_NO_INDEX };
	BSPI_TRY(reserve(&nodes));
	add_world(&nodes);
	add_levels(&nodes);
	add_skybox(&nodes);
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		bspscene_entity *entity = (bspscene_entity *)scene->entities[i];
		if (entity->node != BSPSCENE_NO_INDEX) continue;
		build->parts->counts.brush_entities += entity->model != BSPSCENE_NO_INDEX;
		BSPI_TRY(add_entity(&nodes, entity, i));
	}
	for (uint32_t i = 0; i < map->faces_count; i++) {
		if (map->faces[i].kind == BSPI_FACE_FLARE) BSPI_TRY(add_flare(&nodes, &map->faces[i], i));
	}
	bspi_add_grass(&nodes);
	BSPI_TRY(bspi_add_static_props(&nodes) && bspi_add_detail_models(&nodes));
	BSPI_TRY(bspi_add_world_lights(&nodes) && bspi_add_sky_suns(&nodes));
	BSPI_TRY(bspi_add_overlays(&nodes) && bspi_add_collision_nodes(&nodes) && keep_all(&nodes));
	measure(scene);
	return bspi_build_light_styles(build);
}
