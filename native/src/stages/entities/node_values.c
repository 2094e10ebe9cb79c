/* node_values.c - functions that all files of this folder need. They add a node, and read keys of entities as numbers,
 * angles, directions and transforms. */
#include "stages/entities/nodes.h"
#include "stages/skybox.h"

#include "base/vec.h"

/* Largest number that is accepted as a value of a key. Larger numbers are errors, and are replaced by this one. The
 * product of two such numbers is still a finite float. */
#define LARGEST_NUMBER 1e9f

uint32_t bspi_parent_at(const bspi_nodes *nodes, const float origin[3])
{
	return nodes->skybox != BSPSCENE_NO_INDEX && bspi_is_in_skybox(nodes->build, origin) ? nodes->skybox
	                                                                                     : BSPI_NODE_ROOT;
}

bspscene_node *bspi_add_node(bspi_nodes *nodes, bspscene_node_kind kind, uint32_t parent, const char *name,
                             const float origin[3])
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
	float yaw = flat > 0 ? (float)atan2(direction[1], direction[0]) * degrees : 0;
	bspi_transform_angles(out, origin, -(float)atan2(direction[2], flat) * degrees, yaw, 0);
}

bool bspi_target_direction(const bspi_nodes *nodes, const bspscene_entity *entity, float out[3])
{
	if (entity->target_entity == BSPSCENE_NO_INDEX) return false;
	bspi_sub(out, nodes->build->scene->entities[entity->target_entity]->origin, entity->origin);
	return bspi_dot(out, out) > 0;
}

float bspi_entity_number(const bspi_nodes *nodes, uint32_t entity, const char *key, float otherwise)
{
	float value;
	bool found = bspi_entity_numbers(nodes->build, entity, key, &value, 1);
	/* Games that read numbers with sscanf or atof get 0 if a value is not a number. */
	bool is_zero = nodes->build->map->rules.scanned_numbers && bspi_entity_value(nodes->build, entity, key);
	if (!found && !is_zero) return otherwise;
	return fminf(fmaxf(value, -LARGEST_NUMBER), LARGEST_NUMBER);
}

void bspi_entity_angles(const bspi_nodes *nodes, uint32_t entity, float out[3])
{
	float angle = bspi_entity_number(nodes, entity, "angle", 0);
	if (bspi_entity_numbers(nodes->build, entity, "angles", out, 3)) return;
	if (angle == -1) out[0] = -90;
	else if (angle == -2) out[0] = 90;
	else out[1] = angle;
}

void bspi_standing_angles(const bspi_nodes *nodes, uint32_t entity, float out[3])
{
	bool is_yaw = nodes->build->map->rules.entities->angle_is_yaw;
	if (!is_yaw || bspi_entity_value(nodes->build, entity, "angles")) {
		bspi_entity_angles(nodes, entity, out);
		return;
	}
	out[0] = out[2] = 0;
	out[1] = bspi_entity_number(nodes, entity, "angle", 0);
}

/* Reads rendermode, renderamt and rendercolor. In mode 0, all three are ignored. Models with mode 3 or 5 are added to
 * the background; this is not set in the node, but in copies of the model's textures (render_modes.c). */
void bspi_read_render_mode(const bspi_nodes *nodes, uint32_t entity, bspscene_node *node)
{
	float color[3];
	float mode = bspi_entity_number(nodes, entity, "rendermode", 0);
	if (mode == 0) return;
	float amount = bspi_entity_number(nodes, entity, "renderamt", 255);
	node->color_alpha = fminf(fmaxf(amount / 255, 0), 1);
	bool colored = bspi_entity_numbers(nodes->build, entity, "rendercolor", color, 3) == 3 &&
	               (color[0] != 0 || color[1] != 0 || color[2] != 0);
	for (int i = 0; colored && i < 3; i++) node->color[i] = fminf(fmaxf(color[i] / 255, 0), 1);
}

void bspi_place_as_built(const bspi_build *build, uint32_t entity, float out[12])
{
	float angles[3] = { 0 };
	if (build->map->rules.entities->brush_angles) bspi_entity_numbers(build, entity, "angles", angles, 3);
	for (int i = 0; i < 3; i++) angles[i] = fabsf(angles[i]) <= LARGEST_NUMBER ? angles[i] : 0;
	bspi_transform_angles(out, build->scene->entities[entity]->origin, angles[0], angles[1], angles[2]);
}
