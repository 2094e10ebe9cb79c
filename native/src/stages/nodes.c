/* nodes.c - entities, models and flares to the scene's tree: the root, the world, one node per entity in file order (a
 * spawn point's camera and a second model right behind it), then flares. Bounds of the whole scene follow from it. */
#include "stages/nodes.h"

#include "base/text.h"
#include "base/vec.h"

/* Larger key values are nonsense, and products of two of these stay finite. */
#define LARGEST_NUMBER 1e9f

enum { ROOT = 0, WORLD = 1, FIRST_ENTITY = 2, NODES_PER_ENTITY = 3 };

bspscene_node *bspi_add_node(bspi_nodes *nodes, bspscene_node_kind kind, uint32_t parent, const char *name, const float origin[3])
{
	bspscene_node *node = &nodes->nodes[nodes->node_count++];
	*node = (bspscene_node){
		.name = name, .kind = kind, .parent = parent,
		.mesh = BSPSCENE_NO_INDEX, .light = BSPSCENE_NO_INDEX, .camera = BSPSCENE_NO_INDEX, .prop = BSPSCENE_NO_INDEX,
		.entity = BSPSCENE_NO_INDEX, .material = BSPSCENE_NO_INDEX,
		.color = { 1, 1, 1 }, .color_alpha = 1,
	};
	bspi_transform_identity(node->transform);
	for (int i = 0; i < 3; i++) node->transform[4 * i + 3] = origin[i];
	return node;
}

void bspi_look_along(float out[12], const float origin[3], const float direction[3])
{
	const float degrees = 57.29577951308232f;
	float flat = sqrtf(direction[0] * direction[0] + direction[1] * direction[1]);
	float yaw = flat > 0 ? atan2f(direction[1], direction[0]) * degrees : 0;
	bspi_transform_angles(out, origin, -atan2f(direction[2], flat) * degrees, yaw, 0);
}

bool bspi_target_direction(const bspi_nodes *nodes, const bspscene_entity *entity, float out[3])
{
	if (entity->target_entity == BSPSCENE_NO_INDEX) return false;
	bspi_sub(out, nodes->build->scene->entities[entity->target_entity].origin, entity->origin);
	return bspi_dot(out, out) > 0;
}

float bspi_entity_number(const bspi_nodes *nodes, uint32_t entity, const char *key, float otherwise)
{
	const char *text = bspi_entity_value(nodes->build, entity, key);
	float value;
	if (!text || !bspi_text_numbers(text, &value, 1)) return otherwise;
	return fminf(fmaxf(value, -LARGEST_NUMBER), LARGEST_NUMBER);
}

void bspi_entity_angles(const bspi_nodes *nodes, uint32_t entity, float out[3])
{
	const char *angles = bspi_entity_value(nodes->build, entity, "angles");
	float angle = bspi_entity_number(nodes, entity, "angle", 0);
	out[0] = out[1] = out[2] = 0;
	if (angles && bspi_text_numbers(angles, out, 3)) return;
	if (angle == -1) out[0] = -90;
	else if (angle == -2) out[0] = 90;
	else out[1] = angle;
}

static bool is_hidden(const bspi_nodes *nodes, const char *classname)
{
	for (const char *const *name = nodes->build->map->rules.entities->hidden; *name; name++) {
		if (bspi_text_matches(classname, *name)) return true;
	}
	return false;
}

/* GoldSrc: rendermode 0 ignores the amount; 5 and 3 are additive, which the material of the entity cannot say. */
static void read_render_mode(const bspi_nodes *nodes, uint32_t entity, bspscene_node *node)
{
	if (!nodes->build->map->rules.entities->render_modes) return;
	float color[3];
	const char *text = bspi_entity_value(nodes->build, entity, "rendercolor");
	float mode = bspi_entity_number(nodes, entity, "rendermode", 0);
	if (mode == 0) return;
	float amount = bspi_entity_number(nodes, entity, "renderamt", 255);
	node->color_alpha = fminf(fmaxf(amount / 255, 0), 1);
	bool colored = text && bspi_text_numbers(text, color, 3) == 3 && (color[0] != 0 || color[1] != 0 || color[2] != 0);
	for (int i = 0; colored && i < 3; i++) node->color[i] = fminf(fmaxf(color[i] / 255, 0), 1);
}

static bool is_external_model(const char *path)
{
	static const char *const endings[] = { ".md3", ".mdl", ".md2", ".spr", ".mdr", ".mds", ".mdc", ".iqm", ".ase", ".obj",
	                                       ".tik", ".glm", ".sp2", ".md5mesh", ".bsp" };
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		if (bspi_text_ends(path, endings[i])) return true;
	}
	return false;
}

static void add_prop(bspi_nodes *nodes, uint32_t node, uint32_t entity, const char *model)
{
	nodes->nodes[node].prop = nodes->prop_count;
	nodes->nodes[node].kind = BSPSCENE_NODE_PROP;
	float skin = bspi_entity_number(nodes, entity, "skin", 0);
	nodes->props[nodes->prop_count++] = (bspscene_prop){
		.model = model, .node = node, .entity = entity, .skin = skin >= 0 && skin < 256 ? (uint32_t)skin : 0,
		.color = { 1, 1, 1, 1 },
	};
}

static bool add_second_model(bspi_nodes *nodes, uint32_t entity)
{
	const bspscene_entity *e = &nodes->build->scene->entities[entity];
	const char *model = bspi_entity_value(nodes->build, entity, "model2");
	if (!model || !is_external_model(model)) return true;
	static const float nowhere[3];
	char *name = bspi_text_format(nodes->build->ctx, &nodes->build->ctx->result, "%s:model2", nodes->nodes[e->node].name);
	BSPI_TRY(name);
	bspscene_node *node = bspi_add_node(nodes, BSPSCENE_NODE_PROP, e->node, name, nowhere);
	node->entity = entity;
	add_prop(nodes, nodes->node_count - 1, entity, model);
	return true;
}

static bool add_static_prop(bspi_nodes *nodes, const bspi_static_prop *from, uint32_t index)
{
	bspi_ctx *ctx = nodes->build->ctx;
	const char *name = bspi_text_format(ctx, &ctx->result, "prop_static:%u", index), *model = bspi_text_keep(ctx, from->model);
	BSPI_TRY(name && model);
	bspscene_node *node = bspi_add_node(nodes, BSPSCENE_NODE_PROP, ROOT, name, from->origin);
	bspi_transform_angles(node->transform, from->origin, from->angles[0], from->angles[1], from->angles[2]);
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) node->transform[4 * row + column] *= from->scale;
	}
	node->prop = nodes->prop_count;
	bspscene_prop *prop = &nodes->props[nodes->prop_count++];
	*prop = (bspscene_prop){
		.model = model, .node = nodes->node_count - 1, .entity = BSPSCENE_NO_INDEX, .is_static = true,
		.skin = from->skin >= 0 ? (uint32_t)from->skin : 0,
	};
	for (int i = 0; i < 4; i++) prop->color[i] = (float)from->color[i] / 255;
	return true;
}

static uint32_t find_mesh(const bspscene_scene *scene, uint32_t model)
{
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		if (scene->meshes[i].model == model) return i;
	}
	return BSPSCENE_NO_INDEX;
}

static void turn_brush(const bspi_nodes *nodes, uint32_t entity, bspscene_node *node)
{
	const bspi_build *build = nodes->build;
	const char *text = build->map->rules.entities->brush_angles ? bspi_entity_value(build, entity, "angles") : NULL;
	float angles[3] = { 0 };
	if (!text || bspi_text_numbers(text, angles, 3) != 3) return;
	for (int i = 0; i < 3; i++) angles[i] = fabsf(angles[i]) <= LARGEST_NUMBER ? angles[i] : 0;
	bspi_transform_angles(node->transform, build->scene->entities[entity].origin, angles[0], angles[1], angles[2]);
}

static bool add_entity(bspi_nodes *nodes, bspscene_entity *entity, uint32_t index, const uint32_t *mesh_of_model)
{
	bspi_build *build = nodes->build;
	bool is_brush = entity->model != BSPSCENE_NO_INDEX;
	char *name = bspi_text_format(build->ctx, &build->ctx->result, "%s:%u", entity->classname[0] ? entity->classname : "entity", index);
	BSPI_TRY(name);
	entity->node = nodes->node_count;
	bspscene_node *node = bspi_add_node(nodes, is_brush ? BSPSCENE_NODE_BRUSH_ENTITY : BSPSCENE_NODE_POINT_ENTITY, ROOT, name, entity->origin);
	node->entity = index;
	node->hidden = is_hidden(nodes, entity->classname);
	if (is_brush) {
		node->mesh = mesh_of_model[entity->model];
		turn_brush(nodes, index, node);
		read_render_mode(nodes, index, node);
		return add_second_model(nodes, index);
	}
	float angles[3];
	bspi_entity_angles(nodes, index, angles);
	bspi_transform_angles(node->transform, entity->origin, angles[0], angles[1], angles[2]);
	if (bspi_entity_light(nodes, index) || bspi_entity_camera(nodes, index)) return true;
	if (build->ctx->error.status) return false;
	const char *model = bspi_entity_value(build, index, "model");
	if (model && model[0] != '*' && is_external_model(model)) {
		read_render_mode(nodes, index, node);
		add_prop(nodes, entity->node, index, model);
	}
	return add_second_model(nodes, index);
}

static bool add_flare(bspi_nodes *nodes, const bspi_face *face, uint32_t index)
{
	char *name = bspi_text_format(nodes->build->ctx, &nodes->build->ctx->result, "flare:%u", index);
	BSPI_TRY(name);
	bspscene_node *node = bspi_add_node(nodes, BSPSCENE_NODE_FLARE, ROOT, name, face->origin);
	if (bspi_dot(face->normal, face->normal) > 0) bspi_look_along(node->transform, face->origin, face->normal);
	for (int i = 0; i < 3; i++) node->color[i] = fminf(fmaxf(face->color[i], 0), 1);
	node->material = nodes->build->map->textures[face->texture].material;
	return true;
}

static uint32_t count_flares(const bspi_map *map)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < map->faces_count; i++) count += map->faces[i].kind == BSPI_FACE_FLARE;
	return count;
}

/* The world's node carries the first worldspawn entity, which has no other. */
static void add_world(bspi_nodes *nodes, bspscene_entity *entities)
{
	static const float nowhere[3];
	bspscene_scene *scene = nodes->build->scene;
	bspi_add_node(nodes, BSPSCENE_NODE_ROOT, BSPSCENE_NO_INDEX, scene->name, nowhere);
	bspscene_node *world = bspi_add_node(nodes, BSPSCENE_NODE_WORLD, ROOT, "worldspawn", nowhere);
	world->mesh = find_mesh(scene, 0);
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		if (!bspi_text_equal(entities[i].classname, "worldspawn")) continue;
		if (world->entity != BSPSCENE_NO_INDEX) {
			entities[i].model = BSPSCENE_NO_INDEX; /* a second one: the world is drawn once */
			continue;
		}
		entities[i].node = WORLD;
		world->entity = i;
	}
}

static void *keep(bspi_ctx *ctx, const void *items, size_t count, size_t size)
{
	void *kept = bspi_push_zeroed(ctx, &ctx->result, count, size);
	if (kept && count) memcpy(kept, items, count * size);
	return kept;
}

static bool keep_all(bspi_nodes *nodes)
{
	bspi_ctx *ctx = nodes->build->ctx;
	bspscene_scene *scene = nodes->build->scene;
#define KEEP(list, type) \
	scene->list##s = keep(ctx, nodes->list##s, nodes->list##_count, sizeof(type)); \
	scene->list##_count = nodes->list##_count; \
	BSPI_TRY(scene->list##s)
	KEEP(node, bspscene_node);
	KEEP(light, bspscene_light);
	KEEP(camera, bspscene_camera);
	KEEP(prop, bspscene_prop);
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

static void measure(bspscene_scene *scene)
{
	bspscene_bounds bounds = BSPI_EMPTY_BOUNDS;
	for (uint32_t i = 0; i < scene->node_count; i++) {
		const bspscene_node *node = &scene->nodes[i];
		if (node->mesh == BSPSCENE_NO_INDEX || bspi_bounds_empty(&scene->meshes[node->mesh].bounds)) continue;
		float transform[12];
		bspscene_node_world_transform(scene, i, transform);
		add_box(&bounds, &scene->meshes[node->mesh].bounds, transform);
	}
	scene->bounds = bspi_bounds_empty(&bounds) ? BSPI_NO_BOUNDS : bounds;
}

bool bspi_build_nodes(bspi_build *build)
{
	bspi_ctx *ctx = build->ctx;
	bspi_map *map = build->map;
	bspscene_scene *scene = build->scene;
	bspscene_entity *entities = (bspscene_entity *)scene->entities;
	size_t most = FIRST_ENTITY + (size_t)scene->entity_count * NODES_PER_ENTITY + count_flares(map) +
	              map->static_props_count;
	bspi_nodes nodes = {
		.build = build,
		.nodes = bspi_push(ctx, &ctx->stage, bspscene_node, most),
		.lights = bspi_push(ctx, &ctx->stage, bspscene_light, scene->entity_count),
		.cameras = bspi_push(ctx, &ctx->stage, bspscene_camera, scene->entity_count),
		.props = bspi_push(ctx, &ctx->stage, bspscene_prop, (size_t)scene->entity_count * 2 + map->static_props_count),
	};
	uint32_t *mesh_of_model = bspi_push(ctx, &ctx->stage, uint32_t, map->models_count);
	BSPI_TRY(nodes.nodes && nodes.lights && nodes.cameras && nodes.props && mesh_of_model);
	memset(mesh_of_model, 0xff, map->models_count * sizeof *mesh_of_model);
	for (uint32_t i = scene->mesh_count; i-- > 0; ) {
		if (scene->meshes[i].model < map->models_count) mesh_of_model[scene->meshes[i].model] = i;
	}

	add_world(&nodes, entities);
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		if (entities[i].node != BSPSCENE_NO_INDEX) continue;
		scene->counts.brush_entities += entities[i].model != BSPSCENE_NO_INDEX;
		BSPI_TRY(add_entity(&nodes, &entities[i], i, mesh_of_model));
	}
	for (uint32_t i = 0; i < map->faces_count; i++) {
		if (map->faces[i].kind == BSPI_FACE_FLARE) BSPI_TRY(add_flare(&nodes, &map->faces[i], i));
	}
	for (uint32_t i = 0; i < map->static_props_count; i++) BSPI_TRY(add_static_prop(&nodes, &map->static_props[i], i));
	BSPI_TRY(keep_all(&nodes));
	measure(scene);
	return bspi_build_light_styles(build);
}
