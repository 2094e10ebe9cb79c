/* placed.c - reads the keys with which entities change how their models look. Adds nodes for the props and overlays
 * that the map's compiler placed. Copies detail props, ambient cubes and cube maps to arrays of the scene. */
#include "stages/entities/nodes.h"
#include "stages/models/models.h"
#include "stages/skybox.h"

#include <math.h>

#include "base/text.h"
#include "base/vec.h"

#define LARGEST_SCALE 10000.0f

static float scale_of(const bspi_nodes *nodes, uint32_t entity, const char *key)
{
	float scale = bspi_entity_number(nodes, entity, key, 1);
	return scale > 0 && scale <= LARGEST_SCALE ? scale : 1;
}

static void fade_prop(const bspi_nodes *nodes, uint32_t entity, bspscene_prop *prop)
{
	float first = bspi_entity_number(nodes, entity, "fademindist", -1);
	float last = bspi_entity_number(nodes, entity, "fademaxdist", 0);
	prop->fade_scale = bspi_entity_number(nodes, entity, "fadescale", 1);
	if (first < 0 || last <= 0) return;
	prop->flags |= BSPSCENE_PROP_FADES;
	prop->fade_near = fminf(first, last);
	prop->fade_far = last;
}

void bspi_dress_prop(bspi_nodes *nodes, uint32_t entity)
{
	const bspi_build *build = nodes->build;
	if (!build->map->rules.entities->prop_keys) return;
	bspscene_node *node = &nodes->nodes[build->scene->entities[entity]->node];
	bspscene_prop *prop = &nodes->props[node->prop];
	float scale = scale_of(nodes, entity, "modelscale") * scale_of(nodes, entity, "uniformscale"), color[3];
	const bspi_prop_model *model = bspi_entity_model(build, entity, BSPI_MODEL_OWN);
	if (model && model->sized_by_picture) scale *= scale_of(nodes, entity, "scale");
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) node->transform[4 * row + column] *= scale;
	}
	bool colored = bspi_entity_numbers(build, entity, "rendercolor", color, 3) == 3;
	for (int k = 0; colored && k < 3; k++) prop->color[k] = fminf(fmaxf(color[k] / 255, 0), 1);
	fade_prop(nodes, entity, prop);
	if (bspi_entity_number(nodes, entity, "disableshadows", 0) != 0) prop->flags |= BSPSCENE_PROP_NO_SHADOW;
	/* renderamt is ignored in mode 0, in which nothing is blended. */
	if (bspi_entity_number(nodes, entity, "rendermode", 0) == 0) return;
	prop->color[3] = fminf(fmaxf(bspi_entity_number(nodes, entity, "renderamt", 255) / 255, 0), 1);
}

static void place_static_prop(const bspi_static_prop *from, bspscene_node *node)
{
	bspi_transform_angles(node->transform, from->origin, from->angles[0], from->angles[1], from->angles[2]);
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) {
			float stretch = from->stretch[column] > 0 ? from->stretch[column] : 1;
			node->transform[4 * row + column] *= from->scale * stretch;
		}
	}
}

static void dress_static_prop(const bspi_static_prop *from, bspscene_prop *prop)
{
	bool lit_elsewhere = from->flags & BSPSCENE_PROP_LIGHTING_ORIGIN;
	prop->skin = from->skin >= 0 ? (uint32_t)from->skin : 0;
	prop->solid = (uint32_t)from->solid;
	prop->flags = from->flags;
	prop->flags_ex = from->flags_ex;
	prop->fade_near = from->fade_near;
	prop->fade_far = from->fade_far;
	prop->fade_scale = from->fade_scale;
	prop->lightmap_width = (uint32_t)from->lightmap_size[0];
	prop->lightmap_height = (uint32_t)from->lightmap_size[1];
	prop->first_leaf = (uint32_t)from->first_leaf;
	prop->leaf_count = (uint32_t)from->leaf_count;
	bspi_copy3(prop->lighting_origin, lit_elsewhere ? from->lighting_origin : from->origin);
	for (int i = 0; i < 4; i++) prop->color[i] = (float)from->color[i] / 255;
	for (int i = 0; i < 2; i++) {
		prop->dx_levels[i] = (uint32_t)from->dx_levels[i];
		prop->cpu_levels[i] = (uint32_t)from->cpu_levels[i];
		prop->gpu_levels[i] = (uint32_t)from->gpu_levels[i];
	}
}

static bool is_in_skybox(const bspi_build *build, const bspi_static_prop *prop)
{
	for (int32_t i = 0; i < prop->leaf_count; i++) {
		uint32_t leaf = build->map->prop_leafs[prop->first_leaf + i].value;
		if (leaf != BSPSCENE_NO_INDEX) return bspi_is_leaf_in_skybox(build, (int32_t)leaf);
	}
	return false;
}

static bool add_static_prop(bspi_nodes *nodes, const bspi_static_prop *from, uint32_t index)
{
	bspi_ctx *ctx = nodes->build->ctx;
	const char *name = bspi_text_format(ctx, &ctx->result, "prop_static:%u", index);
	const char *model = bspi_text_keep(ctx, from->model);
	const char *own_name = from->name[0] ? bspi_text_keep(ctx, from->name) : NULL;
	BSPI_TRY(name && model && (own_name || !from->name[0]));
	uint32_t parent = is_in_skybox(nodes->build, from) ? nodes->skybox : BSPI_NODE_ROOT;
	bspscene_node *node = bspi_add_node(nodes, BSPSCENE_NODE_PROP, parent, name, from->origin);
	place_static_prop(from, node);
	node->prop = nodes->prop_count;
	node->mesh = bspi_static_prop_mesh(nodes->build, index);
	bspscene_prop *prop = &nodes->props[nodes->prop_count++];
	*prop = (bspscene_prop){
		.model = model, .node = nodes->node_count - 1, .entity = BSPSCENE_NO_INDEX, .is_static = true, .name = own_name,
		.skin_count = bspi_static_prop_skins(nodes->build, index),
	};
	dress_static_prop(from, prop);
	return bspi_find_prop_light(nodes->build, index, &prop->colors);
}

bool bspi_add_static_props(bspi_nodes *nodes)
{
	const bspi_map *map = nodes->build->map;
	for (uint32_t i = 0; i < map->static_props_count; i++) BSPI_TRY(add_static_prop(nodes, &map->static_props[i], i));
	return true;
}

void bspi_add_grass(bspi_nodes *nodes)
{
	static const float nowhere[3];
	const bspscene_scene *scene = nodes->build->scene;
	uint32_t mesh = bspi_grass_mesh(nodes->build);
	if (mesh == BSPSCENE_NO_INDEX) return;
	bspscene_node *node = bspi_add_node(nodes, BSPSCENE_NODE_PROP, BSPI_NODE_ROOT, "details", nowhere);
	node->prop = nodes->prop_count;
	node->mesh = mesh;
	nodes->props[nodes->prop_count++] = (bspscene_prop){
		.model = scene->meshes[mesh]->name, .node = nodes->node_count - 1, .entity = BSPSCENE_NO_INDEX,
		.is_static = true, .colors = scene->meshes[mesh]->colors, .color = { 1, 1, 1, 1 }, .fade_scale = 1,
	};
}

static bool add_detail_model(bspi_nodes *nodes, const bspi_detail_prop *from, uint32_t index)
{
	bspi_ctx *ctx = nodes->build->ctx;
	const char *name = bspi_text_format(ctx, &ctx->result, "prop_detail:%u", index);
	const char *model = bspi_text_keep(ctx, from->model);
	BSPI_TRY(name && model);
	bool in_skybox = from->leaf >= 0 && bspi_is_leaf_in_skybox(nodes->build, from->leaf);
	uint32_t parent = in_skybox ? nodes->skybox : BSPI_NODE_ROOT;
	bspscene_node *node = bspi_add_node(nodes, BSPSCENE_NODE_PROP, parent, name, from->origin);
	bspi_transform_angles(node->transform, from->origin, from->angles[0], from->angles[1], from->angles[2]);
	node->prop = nodes->prop_count;
	node->mesh = bspi_detail_mesh(nodes->build, index);
	bspscene_prop *prop = &nodes->props[nodes->prop_count++];
	*prop = (bspscene_prop){
		.model = model, .node = nodes->node_count - 1, .entity = BSPSCENE_NO_INDEX, .is_static = true,
		.skin_count = bspi_detail_skins(nodes->build, index), .color = { 1, 1, 1, 1 }, .fade_scale = 1,
	};
	bspi_copy3(prop->lighting_origin, from->origin);
	return bspi_color_detail(nodes->build, index, node->mesh, &prop->colors);
}

static bool is_shown(const bspi_build *build, uint32_t detail)
{
	return bspi_detail_mesh(build, detail) != BSPSCENE_NO_INDEX;
}

uint32_t bspi_count_detail_models(const bspi_build *build)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < build->map->detail_props_count; i++) count += is_shown(build, i);
	return count;
}

bool bspi_add_detail_models(bspi_nodes *nodes)
{
	const bspi_map *map = nodes->build->map;
	for (uint32_t i = 0; i < map->detail_props_count; i++) {
		if (is_shown(nodes->build, i)) BSPI_TRY(add_detail_model(nodes, &map->detail_props[i], i));
	}
	return true;
}

bool bspi_add_overlays(bspi_nodes *nodes)
{
	static const float nowhere[3];
	const bspi_build *build = nodes->build;
	for (uint32_t i = 0; i < build->overlay_count; i++) {
		const bspi_placed_overlay *placed = &build->overlays[i];
		const bspi_overlay *overlay = placed->overlay;
		uint32_t mesh = build->mesh_of_part[bspi_overlay_part(build, i)];
		if (mesh == BSPSCENE_NO_INDEX) continue;
		bool is_decal = overlay->entity >= 0;
		uint32_t parent = placed->in_skybox ? nodes->skybox : BSPI_NODE_ROOT;
		if (is_decal && overlay->model) parent = build->scene->entities[overlay->owner]->node;
		const char *name = build->scene->meshes[mesh]->name;
		bspscene_node *node = bspi_add_node(nodes, BSPSCENE_NODE_OVERLAY, parent, name, nowhere);
		node->mesh = mesh;
		/* A decal that has a name is hidden until a trigger shows it. */
		node->hidden = is_decal && *build->scene->entities[placed->source]->targetname;
		nodes->overlays[nodes->overlay_count++] = (bspscene_overlay){
			.node = nodes->node_count - 1, .mesh = mesh, .material = build->texture_materials[overlay->texture],
			.record = is_decal ? BSPSCENE_NO_INDEX : placed->source,
			.entity = is_decal ? placed->source : BSPSCENE_NO_INDEX,
			.order = (uint32_t)overlay->order, .water = placed->water,
			.fade_near = overlay->fade_near, .fade_far = overlay->fade_far,
		};
	}
	return true;
}

/* ---- Data without nodes ----------------------------------------------------------------------------------- */

static bool build_details(bspi_build *build)
{
	const bspi_map *map = build->map;
	bspscene_detail_prop *details =
		bspi_push(build->ctx, &build->ctx->result, bspscene_detail_prop, map->detail_props_count);
	BSPI_TRY(details);
	const char *model = "";
	for (uint32_t i = 0; i < map->detail_props_count; i++) {
		const bspi_detail_prop *from = &map->detail_props[i];
		/* Thousands of detail props in a row have the same model. So its name is copied only for the first one. */
		if (strcmp(model, from->model)) model = bspi_text_keep(build->ctx, from->model);
		BSPI_TRY(model);
		details[i] = (bspscene_detail_prop){
			.kind = from->kind, .model = model, .scale = from->scale, .orientation = (uint32_t)from->orientation,
			.leaf = from->leaf < 0 ? BSPSCENE_NO_INDEX : (uint32_t)from->leaf,
		};
		bspi_copy3(details[i].origin, from->origin);
		bspi_copy3(details[i].angles, from->angles);
		bspi_copy3(details[i].color, from->light);
		memcpy(details[i].size, from->size, sizeof from->size);
		memcpy(details[i].uv, from->uv, sizeof from->uv);
	}
	build->scene->detail_props = details;
	build->scene->detail_prop_count = map->detail_props_count;
	return true;
}

static bool build_ambients(bspi_build *build)
{
	const bspi_map *map = build->map;
	bspscene_ambient *ambients = bspi_push(build->ctx, &build->ctx->result, bspscene_ambient, map->ambients_count);
	BSPI_TRY(ambients);
	for (uint32_t i = 0; i < map->ambients_count; i++) {
		ambients[i].leaf = (uint32_t)map->ambients[i].leaf;
		bspi_copy3(ambients[i].origin, map->ambients[i].origin);
		memcpy(ambients[i].cube, map->ambients[i].cube, sizeof ambients[i].cube);
	}
	build->scene->ambients = ambients;
	build->scene->ambient_count = map->ambients_count;
	return true;
}

static bool build_cubemaps(bspi_build *build)
{
	enum { LARGEST = 13 };                 /* 1 + log2 of the largest width, which is 4096 pixels */
	const bspi_map *map = build->map;
	bspscene_cubemap *cubemaps = bspi_push(build->ctx, &build->ctx->result, bspscene_cubemap, map->cubemaps_count);
	BSPI_TRY(cubemaps);
	for (uint32_t i = 0; i < map->cubemaps_count; i++) {
		int32_t size = map->cubemaps[i].size;
		for (int k = 0; k < 3; k++) cubemaps[i].origin[k] = (float)map->cubemaps[i].origin[k];
		cubemaps[i].first_frame_image = build->cube_faces ? build->cube_faces[i] : BSPSCENE_NO_INDEX;
		cubemaps[i].size = size > 0 && size <= LARGEST ? 1u << (size - 1) : 0;
	}
	build->scene->cubemaps = bspi_table(build->ctx, bspscene_cubemap, cubemaps, map->cubemaps_count);
	BSPI_TRY(build->scene->cubemaps);
	build->scene->cubemap_count = map->cubemaps_count;
	return true;
}

static bool build_prop_leafs(bspi_build *build)
{
	const bspi_map *map = build->map;
	uint32_t *leafs = bspi_push(build->ctx, &build->ctx->result, uint32_t, map->prop_leafs_count);
	BSPI_TRY(leafs);
	for (uint32_t i = 0; i < map->prop_leafs_count; i++) leafs[i] = map->prop_leafs[i].value;
	build->scene->prop_leafs = leafs;
	build->scene->prop_leaf_count = map->prop_leafs_count;
	return true;
}

bool bspi_build_placed(bspi_build *build)
{
	return build_details(build) && build_ambients(build) && build_cubemaps(build) && build_prop_leafs(build);
}
