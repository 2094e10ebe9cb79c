/* prop_nodes.c - adds props for the models of entities. The node of an entity shows its first model. Child nodes
 * show further models that belong to it. If a model's file is missing, its node has no mesh. */
#include "stages/entities/nodes.h"
#include "stages/models/models.h"

#include "base/text.h"
#include "base/vec.h"

#define LARGEST_SCALE 10000.0f

/* Sets how the game turns an item and moves it up and down. Items of classes that are placed exactly do not move.
 * The gunblade is never in the world, so it needs no exception. */
static void move_item(const bspi_nodes *nodes, const bspi_wanted_model *wanted, bspscene_prop *prop)
{
	const bspi_item_rules *rules = nodes->build->map->rules.entities->items;
	if (!rules || !wanted->by_class || wanted->by_class->placing == BSPI_PLACED_EXACTLY) return;
	prop->turn_degrees_per_second = rules->turn_degrees_per_second;
	prop->bob_height = rules->bob_height;
	if (rules->bob_height == 0) return;
	prop->bob_radians_per_second = rules->bob_radians_per_second + rules->bob_step * (float)prop->entity;
	prop->bob_phase_radians = prop->bob_radians_per_second;
}

/* Makes a node the prop for model number `which` of the node's entity. */
static void fill_prop(bspi_nodes *nodes, bspscene_node *node, const bspi_wanted_model *wanted, uint32_t which)
{
	uint32_t entity = node->entity, mesh = bspi_entity_mesh(nodes->build, entity, which);
	node->prop = nodes->prop_count;
	node->mesh = mesh;
	bspscene_prop *prop = &nodes->props[nodes->prop_count++];
	*prop = (bspscene_prop) {
		.model = wanted->path,
		.node = (uint32_t)(node - nodes->nodes),
		.entity = entity,
		.skin = wanted->skin,
		.skin_count = bspi_entity_skins(nodes->build, entity, which),
		.body = wanted->state.body,
		.is_dynamic = wanted->at_run_time,
		.from_classname = wanted->by_class != NULL,
		.color = { 1, 1, 1, 1 },
		.fade_scale = 1,
		.colors = mesh == BSPSCENE_NO_INDEX ? NULL : nodes->build->scene->meshes[mesh]->colors,
	};
	bspi_copy3(prop->lighting_origin, nodes->build->scene->entities[entity]->origin);
	move_item(nodes, wanted, prop);
}

/* Adds a child node for a model. It is `above` game units higher than the entity's origin. */
static bool add_below(bspi_nodes *nodes, uint32_t entity, uint32_t which, const bspi_wanted_model *wanted,
                      const char *word, float above)
{
	bspi_ctx *ctx = nodes->build->ctx;
	const bspscene_entity *e = nodes->build->scene->entities[entity];
	if (!wanted->path) return true;
	char *name = bspi_text_format(ctx, &ctx->result, "%s:%s", nodes->nodes[e->node].name, word);
	BSPI_TRY(name);
	bspscene_node *node = bspi_add_node(nodes, BSPSCENE_NODE_PROP, e->node, name, (float[3]) { 0, 0, above });
	node->entity = entity;
	node->hidden = nodes->nodes[e->node].hidden;
	fill_prop(nodes, node, wanted, which);
	return true;
}

/* Scales a model by the keys scale, modelscale and modelscale_vec of its entity. If prop_keys in the game's rules is
 * true, does nothing, because bspi_dress_prop then scales the model. */
static void scale_by_keys(const bspi_nodes *nodes, uint32_t entity, float transform[12])
{
	static const char *const keys[] = { "scale", "modelscale" };
	if (nodes->build->map->rules.entities->prop_keys) return;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		float factor = bspi_entity_number(nodes, entity, keys[i], 1);
		for (int k = 0; k < 9 && factor > 0 && factor <= LARGEST_SCALE; k++) transform[k / 3 * 4 + k % 3] *= factor;
	}
	float axes[3];
	if (bspi_entity_numbers(nodes->build, entity, "modelscale_vec", axes, 3) != 3) return;
	for (int k = 0; k < 9; k++) {
		float factor = axes[k % 3];
		if (factor > 0 && factor <= LARGEST_SCALE) transform[k / 3 * 4 + k % 3] *= factor;
	}
}

static void place_own(const bspi_nodes *nodes, uint32_t entity, const bspi_wanted_model *wanted, bspscene_node *node)
{
	const bspi_build *build = nodes->build;
	float angles[3];
	bspi_standing_angles(nodes, entity, angles);
	if (build->map->rules.entities->model_pitch_up) angles[0] = -angles[0];
	bspi_transform_angles(node->transform, build->scene->entities[entity]->origin, angles[0], angles[1], angles[2]);
	scale_by_keys(nodes, entity, node->transform);
	if (node->mesh != BSPSCENE_NO_INDEX) bspi_place_model(build, entity, wanted->by_class, node->transform);
}

bool bspi_add_models(bspi_nodes *nodes, uint32_t entity)
{
	bspi_wanted_model wanted[BSPI_MODELS_PER_ENTITY];
	bspi_wanted_models(nodes->build, entity, wanted);
	bspscene_node *node = &nodes->nodes[nodes->build->scene->entities[entity]->node];
	const bspi_wanted_model *own = &wanted[BSPI_MODEL_OWN], *with_it = &wanted[BSPI_MODEL_WITH_IT];
	if (node->kind == BSPSCENE_NODE_LIGHT) {
		BSPI_TRY(add_below(nodes, entity, BSPI_MODEL_OWN, own, "model", 0));
	} else if (node->kind == BSPSCENE_NODE_POINT_ENTITY && own->path) {
		node->kind = BSPSCENE_NODE_PROP;
		fill_prop(nodes, node, own, BSPI_MODEL_OWN);
		place_own(nodes, entity, own, node);
		const bspi_entity_rules *rules = nodes->build->map->rules.entities;
		if (rules->render_modes || own->state.sprite_mode) bspi_read_render_mode(nodes, entity, node);
		/* The engine does not draw models with renderamt 0 (xash3d gl_rmain.c R_AddEntity). */
		if (rules->render_modes && node->color_alpha == 0) node->hidden = true;
		bspi_dress_prop(nodes, entity);
	}
	float above = with_it->by_class ? with_it->by_class->above : 0;
	return add_below(nodes, entity, BSPI_MODEL_WITH_IT, with_it, "with", above) &&
	       add_below(nodes, entity, BSPI_MODEL_SECOND, &wanted[BSPI_MODEL_SECOND], "model2", 0);
}
