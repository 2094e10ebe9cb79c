/* check_tree.c - the promises about nodes, entities, cameras and props. See check_scene.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check/check_scene.h"

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void check_names_are_unique(const bspscene_scene *scene, bspt_report *report)
{
	const char **names = malloc((scene->node_count + 1) * sizeof *names);
	if (!names) bspt_die("allocate", "names");
	for (uint32_t i = 0; i < scene->node_count; i++) names[i] = scene->nodes[i]->name;
	qsort(names, scene->node_count, sizeof *names, compare_names);
	for (uint32_t i = 1; i < scene->node_count; i++) {
		BSPT_EXPECT(report, strcmp(names[i - 1], names[i]) != 0, "two nodes are named \"%.60s\"", names[i]);
	}
	free(names);
}

static void check_node(const bspscene_scene *scene, uint32_t index, bspt_report *report)
{
	const bspscene_node *node = scene->nodes[index];
	BSPT_EXPECT(report, (node->kind == BSPSCENE_NODE_ROOT) == (index == 0), "node %u has kind %d", index,
	            (int)node->kind);
	BSPT_EXPECT(report, (unsigned)node->kind <= BSPSCENE_NODE_OVERLAY, "node %u has kind %d", index, (int)node->kind);
	BSPT_EXPECT(report, index ? node->parent < index : node->parent == BSPSCENE_NO_INDEX, "node %u has parent %u",
	            index, node->parent);
	BSPT_EXPECT_FINITE(report, node->transform, 12, "node.transform");
	BSPT_EXPECT_INDEX(report, node->mesh, scene->mesh_count, "node.mesh");
	BSPT_EXPECT_INDEX(report, node->light, scene->light_count, "node.light");
	BSPT_EXPECT_INDEX(report, node->camera, scene->camera_count, "node.camera");
	BSPT_EXPECT_INDEX(report, node->prop, scene->prop_count, "node.prop");
	BSPT_EXPECT_INDEX(report, node->entity, scene->entity_count, "node.entity");
	BSPT_EXPECT_INDEX(report, node->material, scene->material_count, "node.material");
	for (int i = 0; i < 3; i++) {
		BSPT_EXPECT(report, node->color[i] >= 0 && node->color[i] <= 1, "node %u has color %g", index, node->color[i]);
	}
	BSPT_EXPECT(report, node->color_alpha >= 0 && node->color_alpha <= 1, "node %u has alpha %g", index,
	            node->color_alpha);
	BSPT_EXPECT(report, node->kind != BSPSCENE_NODE_LIGHT || node->light != BSPSCENE_NO_INDEX,
	            "light node %u without light", index);
	BSPT_EXPECT(report, node->kind != BSPSCENE_NODE_CAMERA || node->camera != BSPSCENE_NO_INDEX,
	            "camera node %u without camera", index);
	BSPT_EXPECT(report, node->kind != BSPSCENE_NODE_PROP || node->prop != BSPSCENE_NO_INDEX,
	            "prop node %u without prop", index);
	if (node->light < scene->light_count) {
		BSPT_EXPECT(report, scene->lights[node->light]->node == index, "node %u and its light disagree", index);
	}
	if (node->camera < scene->camera_count) {
		BSPT_EXPECT(report, scene->cameras[node->camera]->node == index, "node %u and its camera disagree", index);
	}
	if (node->prop < scene->prop_count) {
		BSPT_EXPECT(report, scene->props[node->prop]->node == index, "node %u and its prop disagree", index);
	}
	float world[12];
	bspscene_node_world_transform(scene, index, world);
	BSPT_EXPECT_FINITE(report, world, 12, "a node's world transform");
}

static void check_entity(const bspscene_scene *scene, uint32_t index, uint32_t *next_pair, bspt_report *report)
{
	const bspscene_entity *entity = scene->entities[index];
	BSPT_EXPECT_TEXT(report, entity->classname, "entity.classname");
	BSPT_EXPECT_TEXT(report, entity->targetname, "entity.targetname");
	BSPT_EXPECT(report, entity->first_pair == *next_pair && bspt_is_range(entity->first_pair, entity->pair_count,
	            scene->pair_count),
	            "entity %u has pairs %u + %u of %u", index, entity->first_pair, entity->pair_count, scene->pair_count);
	*next_pair = entity->first_pair + entity->pair_count;
	BSPT_EXPECT(report, entity->node < scene->node_count, "entity %u has node %u", index, entity->node);
	if (entity->node < scene->node_count) {
		BSPT_EXPECT(report, scene->nodes[entity->node]->entity == index, "entity %u and its node disagree", index);
	}
	BSPT_EXPECT_INDEX(report, entity->model, scene->counts->models, "entity.model");
	BSPT_EXPECT_INDEX(report, entity->target_entity, scene->entity_count, "entity.target_entity");
	BSPT_EXPECT_FINITE(report, entity->origin, 3, "entity.origin");

	const char *classname = bspscene_entity_value(scene, index, "CLASSNAME");
	BSPT_EXPECT(report, !strcmp(classname ? classname : "", entity->classname), "entity %u has two classnames", index);
	const char *target = bspscene_entity_value(scene, index, "target");
	if (entity->target_entity < scene->entity_count) {
		const char *targetname = scene->entities[entity->target_entity]->targetname;
		BSPT_EXPECT(report, target && targetname[0], "entity %u targets nothing", index);
	}
}

static void check_cameras_and_props(const bspscene_scene *scene, bspt_report *report)
{
	for (uint32_t i = 0; i < scene->camera_count; i++) {
		const bspscene_camera *camera = scene->cameras[i];
		BSPT_EXPECT(report, (unsigned)camera->kind <= BSPSCENE_CAMERA_OTHER, "camera %u has kind %d", i,
		            (int)camera->kind);
		BSPT_EXPECT(report, camera->node < scene->node_count && scene->nodes[camera->node]->camera == i,
		            "camera %u and its node disagree", i);
		BSPT_EXPECT_INDEX(report, camera->entity, scene->entity_count, "camera.entity");
		BSPT_EXPECT(report, camera->fov_degrees > 0 && camera->fov_degrees < 180, "camera %u sees %g degrees", i,
		            camera->fov_degrees);
	}
	for (uint32_t i = 0; i < scene->prop_count; i++) {
		const bspscene_prop *prop = scene->props[i];
		BSPT_EXPECT_TEXT(report, prop->model, "prop.model");
		BSPT_EXPECT(report, prop->node < scene->node_count && scene->nodes[prop->node]->prop == i,
		            "prop %u and its node disagree", i);
		BSPT_EXPECT_INDEX(report, prop->entity, scene->entity_count, "prop.entity");
		BSPT_EXPECT_FINITE(report, prop->color, 4, "prop.color");
		BSPT_EXPECT(report, prop->entity != BSPSCENE_NO_INDEX || (!prop->turn_degrees_per_second && !prop->bob_height),
		            "prop %u moves about no entity", i);
	}
	for (uint32_t i = 0; i < scene->overlay_count; i++) {
		const bspscene_overlay *overlay = scene->overlays[i];
		BSPT_EXPECT(report, overlay->node < scene->node_count, "overlay %u has node %u", i, overlay->node);
		BSPT_EXPECT(report, overlay->mesh < scene->mesh_count, "overlay %u has mesh %u", i, overlay->mesh);
		BSPT_EXPECT(report, overlay->material < scene->material_count, "overlay %u has material %u", i,
		            overlay->material);
		BSPT_EXPECT_INDEX(report, overlay->entity, scene->entity_count, "overlay.entity");
		BSPT_EXPECT(report,
		            overlay->fade_near >= 0 && overlay->fade_near <= overlay->fade_far && overlay->fade_far < 1e30f,
		            "overlay %u fades from %g to %g", i, overlay->fade_near, overlay->fade_far);
	}
	for (uint32_t i = 0; i < scene->detail_prop_count; i++) {
		const bspscene_detail_prop *detail = &scene->detail_props[i];
		BSPT_EXPECT_TEXT(report, detail->model, "detail.model");
		BSPT_EXPECT(report, (unsigned)detail->kind <= BSPSCENE_DETAIL_PROP_TRIANGLE, "detail %u has kind %d", i,
		            (int)detail->kind);
		BSPT_EXPECT_INDEX(report, detail->leaf, scene->tree->leaf_count, "detail.leaf");
		BSPT_EXPECT_FINITE(report, detail->origin, 6, "detail.origin and angles");
		BSPT_EXPECT_FINITE(report, detail->size, 8, "detail.size and uv");
		BSPT_EXPECT_FINITE(report, detail->color, 3, "detail.color");
		BSPT_EXPECT(report, detail->scale > 0 && detail->scale < 1e30f, "detail %u has scale %g", i, detail->scale);
	}
}

void bspt_check_tree(const bspscene_scene *scene, bspt_report *report)
{
	BSPT_EXPECT(report, scene->node_count > 0, "a scene without its root");
	uint32_t worlds = 0;
	bool named = true;
	for (uint32_t i = 0; i < scene->node_count; i++) {
		named = named && bspt_is_text(scene->nodes[i]->name);
		const bspscene_node *node = scene->nodes[i];
		bool world = node->kind == BSPSCENE_NODE_WORLD, part = world && node->levels;
		worlds += world && !part;
		BSPT_EXPECT(report, !part || scene->nodes[node->parent]->kind == BSPSCENE_NODE_WORLD,
		            "node %u is a part of the world outside of it", i);
		check_node(scene, i, report);
	}
	BSPT_EXPECT(report, named, "a node's name is no UTF-8 text");
	BSPT_EXPECT(report, worlds <= 1, "%u worlds", worlds);
	if (named) check_names_are_unique(scene, report);

	for (uint32_t i = 0; i < scene->pair_count; i++) {
		BSPT_EXPECT_TEXT(report, scene->pairs[i].key, "pair.key");
		BSPT_EXPECT_TEXT(report, scene->pairs[i].value, "pair.value");
	}
	if (report->failures) return;
	uint32_t next_pair = 0;
	for (uint32_t i = 0; i < scene->entity_count; i++) check_entity(scene, i, &next_pair, report);
	BSPT_EXPECT(report, next_pair == scene->pair_count, "%u pairs belong to entities, %u exist", next_pair,
	            scene->pair_count);
	check_cameras_and_props(scene, report);
}
