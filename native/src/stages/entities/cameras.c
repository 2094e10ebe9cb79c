/* cameras.c - makes cameras from spawn points, intermission points and portal cameras. */
#include "stages/entities/nodes.h"

#include <stdio.h>

#include "base/text.h"
#include "base/vec.h"

static void aim(const bspi_nodes *nodes, const bspi_camera_rule *rule, uint32_t entity, bspscene_node *node)
{
	const bspscene_entity *e = nodes->build->scene->entities[entity];
	float direction[3], angles[3];
	if (rule->kind != BSPSCENE_CAMERA_SPAWN && bspi_target_direction(nodes, e, direction)) {
		bspi_look_along(node->transform, e->origin, direction);
		return;
	}
	bool mangled = rule->mangle && bspi_entity_numbers(nodes->build, entity, "mangle", angles, 3);
	bool stands = rule->kind == BSPSCENE_CAMERA_SPAWN || rule->kind == BSPSCENE_CAMERA_INTERMISSION;
	if (!mangled && stands) bspi_standing_angles(nodes, entity, angles);
	else if (!mangled) bspi_entity_angles(nodes, entity, angles);
	bspi_transform_angles(node->transform, e->origin, angles[0], angles[1], angles[2]);
}

/* Moves the camera of a spawn point to the place of the camera in a game that shows players from above. */
static void raise_camera(const bspi_view_above *view, float transform[12])
{
	const float radians = view->pitch * 0.017453292519943295f;
	const float eye[3] = { -view->distance * (float)cos(radians), 0,
	                       view->distance * (float)sin(radians) + view->height };
	bspi_transform_angles(transform, eye, view->pitch, 0, 0);
}

bool bspi_entity_camera(bspi_nodes *nodes, uint32_t entity)
{
	const bspi_rules *rules = &nodes->build->map->rules;
	const bspscene_entity *e = nodes->build->scene->entities[entity];
	const bspi_camera_rule *rule = rules->entities->cameras;
	const bspi_view_above *above = rules->entities->view_above;
	while (rule->name && !bspi_text_matches(e->classname, rule->name)) rule++;
	if (!rule->name || e->model != BSPSCENE_NO_INDEX) return false;

	bspscene_node *node = &nodes->nodes[e->node];
	aim(nodes, rule, entity, node);
	uint32_t camera_node = e->node;
	if (rule->kind == BSPSCENE_CAMERA_SPAWN) {
		/* The origin of a spawn point is that of the player's box. The camera is higher, at the player's eyes. */
		const float eyes[3] = { 0, 0, rules->eye_height };
		char name[300];
		snprintf(name, sizeof name, "%.250s:camera", node->name);
		char *kept = bspi_text_copy(nodes->build->ctx, bspi_bytes_of(name, strlen(name)), NULL);
		if (!kept) return false;
		camera_node = nodes->node_count;
		node = bspi_add_node(nodes, BSPSCENE_NODE_CAMERA, e->node, kept, eyes);
		node->entity = entity;
		if (above) raise_camera(above, node->transform);
	}
	float usual = above && rule->kind == BSPSCENE_CAMERA_SPAWN ? above->fov_degrees : 90;
	float fov = bspi_entity_number(nodes, entity, "fov", usual);
	nodes->cameras[nodes->camera_count] = (bspscene_camera){
		.kind = rule->kind, .node = camera_node, .entity = entity, .fov_degrees = fov >= 1 && fov <= 170 ? fov : usual,
	};
	node->kind = BSPSCENE_NODE_CAMERA;
	node->camera = nodes->camera_count++;
	return true;
}
