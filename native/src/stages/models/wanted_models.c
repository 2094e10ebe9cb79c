/* wanted_models.c - finds the models that the game shows for an entity, from its keys or its class. */
#include <math.h>

#include "stages/models/models.h"

#include "base/text.h"

#define LARGEST_NUMBER 65535.0f

static uint32_t number_of(const bspi_build *build, uint32_t entity, const char *key)
{
	float value;
	bool known = bspi_entity_numbers(build, entity, key, &value, 1) && value >= 0 && value <= LARGEST_NUMBER;
	return known ? (uint32_t)value : 0;
}

static const char *text_of(const bspi_build *build, uint32_t entity, const char *key)
{
	const char *value = bspi_entity_value(build, entity, key);
	return value && *value ? value : NULL;
}

static bool is_of(const char *const *names, const char *classname)
{
	for (; names && *names; names++) {
		if (bspi_text_matches(classname, *names)) return true;
	}
	return false;
}

/* Returns the first row of the game's table of classes that matches the entity, or NULL. */
static const bspi_class_model *find_class(const bspi_build *build, uint32_t entity)
{
	const char *classname = build->scene->entities[entity]->classname;
	const bspi_entity_rules *rules = build->map->rules.entities;
	const bspi_class_model *const tables[] = { rules->own_class_models, rules->class_models };
	uint32_t flags = tables[0] || tables[1] ? bspi_spawnflags(build, entity) : 0;
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		for (const bspi_class_model *row = tables[i]; row && row->name; row++) {
			if ((flags & row->mask) == row->value && bspi_text_equal(classname, row->name)) return row;
		}
	}
	return NULL;
}

/* Returns 1 plus the entity's render mode if the path names a sprite. Returns 0 for other models, which do not depend
 * on the render mode. */
static uint32_t sprite_mode_of(const bspi_build *build, uint32_t entity, const char *path)
{
	const bspi_entity_rules *rules = build->map->rules.entities;
	bool sprite = bspi_text_ends(path, ".spr") || bspi_text_ends(path, ".vmt");
	return sprite && (rules->render_modes || rules->sprite_materials) ? 1 + number_of(build, entity, "rendermode") : 0;
}

/* Sets how the entity blends its model. In render modes 1 to 4, the key renderamt (0 to 255) is the model's opacity.
 * In mode 5, the model's colors are added to the background (xash3d gl_studio.c R_StudioSetRenderMode). prop_nodes.c
 * hides the nodes of fully transparent models. These models are transparent too, for hosts that show hidden nodes. */
static void want_blended(const bspi_build *build, uint32_t entity, bspi_wanted_model *out)
{
	enum { MODE_ADDITIVE = 5 };
	uint32_t mode = number_of(build, entity, "rendermode");
	float amount = 255;
	if (!build->map->rules.entities->render_modes || !mode || out->state.sprite_mode) return;
	bspi_entity_numbers(build, entity, "renderamt", &amount, 1);
	bool adds = mode == MODE_ADDITIVE;
	if (!adds && amount >= 255) return;
	out->blend = adds ? BSPI_BLEND_ADD : BSPI_BLEND_ALPHA;
	out->opacity = amount > 0 ? fminf(amount / 255, 1) : 0;
}

/* Returns the sequence that a Source prop plays: `DefaultAnim`, otherwise the first sequence, whatever its name is
 * (CDynamicProp::Spawn). NULL: the file of the model decides. */
static const char *sequence_of(const bspi_build *build, uint32_t entity)
{
	static const char *const props[] = { "prop_dynamic*", "prop_physics*", "prop_door*", "dynamic_prop", NULL };
	const char *named = text_of(build, entity, "defaultanim");
	if (!named) named = text_of(build, entity, "sequence");
	return !named && is_of(props, build->scene->entities[entity]->classname) ? "0" : named;
}

static void want_by_key(const bspi_build *build, uint32_t entity, const char *path, bspi_wanted_model *out)
{
	uint32_t groups = number_of(build, entity, "setbodygroup");
	*out = (bspi_wanted_model){
		.path = path, .skin = number_of(build, entity, "skin"),
		.state = {
			.body = groups ? groups : number_of(build, entity, "body"), .frame = number_of(build, entity, "frame"),
			.sequence = sequence_of(build, entity),
			.sprite_mode = sprite_mode_of(build, entity, path),
		},
		.at_run_time = is_of(build->map->rules.entities->moving_models, build->scene->entities[entity]->classname),
	};
}

/* True if the path names a model. In some games, paths of models have no extension. */
static bool is_model(const bspi_build *build, const char *path)
{
	const char *alone = build->map->model_path;
	bool named = build->map->rules.entities->models_by_name && path[0] != '*';
	return named || (alone && bspi_text_equal(alone, path)) || bspi_is_model_path(path);
}

void bspi_wanted_models(const bspi_build *build, uint32_t entity, bspi_wanted_model out[BSPI_MODELS_PER_ENTITY])
{
	const bspi_entity_rules *rules = build->map->rules.entities;
	const bspscene_entity *e = build->scene->entities[entity];
	const char *model = text_of(build, entity, "model"), *second = text_of(build, entity, "model2");
	memset(out, 0, BSPI_MODELS_PER_ENTITY * sizeof *out);
	bool is_brush = e->model != BSPSCENE_NO_INDEX;
	const bspi_class_model *row = is_brush || model ? NULL : find_class(build, entity);
	if (!is_brush && model && is_model(build, model)) want_by_key(build, entity, model, &out[BSPI_MODEL_OWN]);
	if (row) {
		out[BSPI_MODEL_OWN] = (bspi_wanted_model) {
			.path = row->model,
			.skin = row->skin,
			.at_run_time = true,
			.by_class = row,
			.state = { .body = row->body, .frame = row->frame, .sequence = row->sequence },
		};
	}
	if (row && row->with_it) {
		out[BSPI_MODEL_WITH_IT] = (bspi_wanted_model) { .path = row->with_it, .at_run_time = true, .by_class = row };
	}
	if (out[BSPI_MODEL_OWN].path) want_blended(build, entity, &out[BSPI_MODEL_OWN]);
	if (second && bspi_is_model_path(second)) out[BSPI_MODEL_SECOND] = (bspi_wanted_model) { .path = second };
	/* The compiler already merged the models of these entities into the world, so they get no models. */
	if (is_of(rules->merged_models, e->classname)) memset(out, 0, BSPI_MODELS_PER_ENTITY * sizeof *out);
}
