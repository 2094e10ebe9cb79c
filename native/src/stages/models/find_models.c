/* find_models.c - reads each model that entities and static props refer to once. If a model is missing or damaged, a
 * warning is counted and its nodes have no mesh. */
#include <stdio.h>

#include "stages/models/models.h"

#include "base/text.h"
#include "io/io.h"
#include "materials/materials.h"

/* MOST_MODELS limits the number of models. The triangles that all nodes with models show together are limited to
 * LEAST_TRIANGLES plus TRIANGLES_PER_BYTE for each byte of the files, so that a small file cannot ask for much. Real
 * maps refer to up to 800 models and show up to ten million triangles. */
#define MOST_MODELS 4096u
#define LEAST_TRIANGLES 4194304u
#define TRIANGLES_PER_BYTE 16u

static uint64_t hash_of(const char *path, const bspi_model_state *state)
{
	const uint32_t numbers[4] = { state->body, state->frame, state->is_static, state->sprite_mode };
	const char *sequence = state->sequence ? state->sequence : "";
	uint64_t hash = bspi_hash(path, strlen(path)) * 31 + bspi_hash(numbers, sizeof numbers);
	return hash * 31 + bspi_hash(sequence, strlen(sequence));
}

static bool same_state(const bspi_model_state *a, const bspi_model_state *b)
{
	const char *x = a->sequence ? a->sequence : "", *y = b->sequence ? b->sequence : "";
	return a->body == b->body && a->frame == b->frame && a->is_static == b->is_static &&
	       a->sprite_mode == b->sprite_mode && bspi_text_equal(x, y);
}

/* Returns the slot of a model in the hash table, or a free slot if the model is not there yet. */
static uint32_t *find_slot(struct bspi_models *models, const char *path, const bspi_model_state *state)
{
	uint32_t at = (uint32_t)hash_of(path, state) & (models->table_size - 1);
	while (models->table[at] != BSPSCENE_NO_INDEX) {
		const bspi_loaded_model *model = &models->models[models->table[at]];
		if (!strcmp(model->path, path) && same_state(&model->state, state)) break;
		at = (at + 1) & (models->table_size - 1);
	}
	return &models->table[at];
}

/* True if the path names a material: Source's sprites are materials, whatever their extension. */
static bool is_sprite_material(const bspi_build *build, const char *path)
{
	bool sprite = bspi_text_ends(path, ".spr") && build->map->rules.entities->sprite_materials;
	return sprite || bspi_text_ends(path, ".vmt");
}

/* Limit for the total count of numbers in the animation frames of all models. It is needed because small files can
 * unpack to very many numbers. */
#define MOST_RIG_VALUES 67108864u

/* True if the load options ask for rigs, and the limit of MOST_RIG_VALUES is not exceeded. `alone` is true if the
 * loaded file is the model itself instead of a map; then there is no limit. */
static bool is_rigged(const bspi_build *build, bool alone)
{
	const bspi_ctx *ctx = build->ctx;
	return alone ? ctx->options.rigs : ctx->options.map_rigs && build->models->rig_values <= MOST_RIG_VALUES;
}

static bool count_rig(bspi_build *build, const bspi_prop_model *model)
{
	const bspscene_rig *rig = model->rig;
	struct bspi_models *models = build->models;
	if (!rig) return true;
	bool before = models->rig_values > MOST_RIG_VALUES;
	uint64_t of_frame = (uint64_t)rig->bone_count * (sizeof *rig->poses / sizeof(float));
	if (model->frame_positions) of_frame += 6 * (uint64_t)model->vertex_count;
	models->rig_values += rig->frame_count * of_frame;
	if (before || models->rig_values <= MOST_RIG_VALUES) return true;
	return bspi_warn(build->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("models"),
	                 "the models have more than %u values of animation: the others do not move", MOST_RIG_VALUES);
}

static bool load_model(bspi_build *build, bspi_loaded_model *out)
{
	bspi_ctx *ctx = build->ctx;
	bspi_sibling file = { .bytes = BSPI_NO_BYTES };
	if (is_sprite_material(build, out->path)) {
		bool found;
		BSPI_TRY(bspi_read_sprite_material(ctx, out->path, &out->state, &out->model, &found));
		out->missing = !found;
		if (!found) out->why = "there is no such material";
		return true;
	}
	const bspi_map *map = build->map;
	bspi_model_state state = out->state;
	bool alone = map->model_path && !strcmp(map->model_path, out->path);
	state.rigged = is_rigged(build, alone);
	if (alone) {
		file.bytes = map->model_file;
	} else if (!bspi_open_sibling(ctx, &ctx->scratch, out->path, BSPSCENE_FILE_MODEL, &file)) {
		out->missing = true;
		out->why = "it was not found";
		return !ctx->error.status;
	}
	bool read = bspi_read_model(ctx, out->path, file.bytes, &state, &out->model, &out->why);
	return read ? count_rig(build, &out->model) : !ctx->error.status;
}

/* Normalizes the path of a model. If the path would lead out of the game's directory, it is left unchanged, and opening
 * it fails. */
static void fold_path(const bspi_build *build, const char *from, char out[BSPI_PATH_SIZE])
{
	const char *folder = build->map->rules.entities->model_folder;
	char path[BSPI_PATH_SIZE] = "";
	if (!bspi_text_path(from, true, path, sizeof path)) snprintf(path, sizeof path, "%.*s", BSPI_PATH_SIZE - 1, from);
	bool whole = !folder || bspi_text_starts(path, folder) || strlen(folder) + strlen(path) >= BSPI_PATH_SIZE;
	snprintf(out, BSPI_PATH_SIZE, "%s%s", whole ? "" : folder, path);
}

/* Returns the model with this path and state. Reads it if it was not read before. Returns NULL if there are too many
 * models, or if the load failed. */
static bspi_loaded_model *find_model(bspi_build *build, const bspi_wanted_model *wanted)
{
	bspi_ctx *ctx = build->ctx;
	struct bspi_models *models = build->models;
	char path[BSPI_PATH_SIZE];
	fold_path(build, wanted->path, path);
	uint32_t *slot = find_slot(models, path, &wanted->state);
	if (*slot != BSPSCENE_NO_INDEX) return &models->models[*slot];
	if (models->model_count == MOST_MODELS) return NULL;
	if (!bspi_reserve(ctx, (void **)&models->models, models->model_count, &models->model_capacity,
	                  sizeof *models->models)) {
		return NULL;
	}
	bspi_loaded_model *model = &models->models[models->model_count];
	*model = (bspi_loaded_model) {
		.path = bspi_text_format(ctx, &ctx->scratch, "%s", path),
		.state = wanted->state,
		.first_use = BSPSCENE_NO_INDEX,
	};
	if (!model->path || !load_model(build, model)) return NULL;
	*slot = models->model_count++;
	return model;
}

/* Limit for the materials of models that entities blend. Each way of blending a model needs a mesh and materials of its
 * own. When the limit is reached, further models are drawn without blending. */
#define MOST_BLENDED_MATERIALS 4096u

static uint32_t find_same_use(const struct bspi_models *models, const bspi_loaded_model *model,
                              const bspi_model_use *wanted)
{
	uint32_t i = model->first_use;
	for (; i != BSPSCENE_NO_INDEX; i = models->uses[i].next) {
		const bspi_model_use *use = &models->uses[i];
		if (use->skin == wanted->skin && use->blend == wanted->blend && use->opacity == wanted->opacity) break;
	}
	return i;
}

/* Finds the use of a model with this skin and blending, or adds it. If the model has no such skin, its first one is
 * used. */
static bool find_use(bspi_build *build, bspi_loaded_model *model, const bspi_wanted_model *wanted, uint32_t *out)
{
	struct bspi_models *models = build->models;
	uint32_t materials = model->model.material_count + 1;
	bspi_model_use use = {
		.model = (uint32_t)(model - models->models),
		.skin = wanted->skin < model->model.skin_count ? wanted->skin : 0,
		.blend = wanted->blend,
		.opacity = wanted->opacity,
		.mesh = BSPSCENE_NO_INDEX,
	};
	*out = find_same_use(models, model, &use);
	if (*out == BSPSCENE_NO_INDEX && use.blend && materials > MOST_BLENDED_MATERIALS - models->blended_count) {
		BSPI_TRY(bspi_warn(build->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("models"),
		                   "more than %u blended materials of models: the others are drawn without blending",
		                   MOST_BLENDED_MATERIALS));
		use.blend = BSPI_BLEND_NONE;
		use.opacity = 0;
		*out = find_same_use(models, model, &use);
	}
	if (*out != BSPSCENE_NO_INDEX) return true;
	if (use.blend) models->blended_count += materials;
	BSPI_TRY(bspi_reserve(build->ctx, (void **)&models->uses, models->use_count, &models->use_capacity,
	                      sizeof *models->uses));
	*out = models->use_count++;
	use.next = model->first_use;
	models->uses[*out] = use;
	model->first_use = *out;
	return true;
}

static bool is_wanted(const bspi_build *build, const bspi_wanted_model *wanted)
{
	if (!wanted->path) return false;
	return build->ctx->options.models == BSPSCENE_MODELS_ALL || !wanted->at_run_time;
}

static bool find_wanted(bspi_build *build, const bspi_wanted_model *wanted, uint32_t *out)
{
	*out = BSPSCENE_NO_INDEX;
	if (!is_wanted(build, wanted)) return true;
	bspi_loaded_model *model = find_model(build, wanted);
	if (!model) {
		return !build->ctx->error.status &&
		       bspi_warn(build->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("models"),
		                 "the map uses more than %u models: the others are left out", MOST_MODELS);
	}
	model->wanted++;
	model->wanted_by_details += wanted->is_detail;
	if (model->why) return true;
	BSPI_TRY(find_use(build, model, wanted, out));
	build->models->uses[*out].wanted++;
	return true;
}

static bool find_all(bspi_build *build)
{
	const bspi_map *map = build->map;
	struct bspi_models *models = build->models;
	for (uint32_t i = 0; i < build->scene->entity_count; i++) {
		bspi_wanted_model wanted[BSPI_MODELS_PER_ENTITY];
		bspi_wanted_models(build, i, wanted);
		for (int k = 0; k < BSPI_MODELS_PER_ENTITY; k++) {
			BSPI_TRY(find_wanted(build, &wanted[k], &models->of_entity[i][k]));
		}
		BSPI_TRY(bspi_progress(build->ctx, "geometry", i, build->scene->entity_count));
	}
	for (uint32_t i = 0; i < map->static_props_count; i++) {
		const bspi_static_prop *prop = &map->static_props[i];
		bspi_wanted_model wanted = {
			.path = prop->model,
			.state = { .is_static = true },
			.skin = prop->skin > 0 ? (uint32_t)prop->skin : 0,
		};
		BSPI_TRY(find_wanted(build, &wanted, &models->of_static_prop[i]));
	}
	return true;
}

/* Requests the model of each detail prop that has one. */
static bool find_detail_models(bspi_build *build)
{
	const bspi_map *map = build->map;
	struct bspi_models *models = build->models;
	for (uint32_t i = 0; i < map->detail_props_count; i++) {
		const bspi_detail_prop *prop = &map->detail_props[i];
		bspi_wanted_model wanted = { .state = { .is_static = true }, .is_detail = true };
		if (prop->kind == BSPSCENE_DETAIL_PROP_MODEL) wanted.path = prop->model;
		BSPI_TRY(find_wanted(build, &wanted, &models->of_detail[i]));
		if (wanted.path) BSPI_TRY(bspi_progress(build->ctx, "geometry", i, map->detail_props_count));
	}
	return true;
}

/* Makes a single model of all detail props that are sprites. It is placed once. */
static bool find_detail_pictures(bspi_build *build)
{
	struct bspi_models *models = build->models;
	bspi_prop_model made;
	const char *sheet;
	BSPI_TRY(bspi_make_details(build, &made, &sheet));
	if (!sheet) return true;
	BSPI_TRY(bspi_reserve(build->ctx, (void **)&models->models, models->model_count, &models->model_capacity,
	                      sizeof *models->models));
	bspi_loaded_model *model = &models->models[models->model_count++];
	*model = (bspi_loaded_model) { .path = sheet, .wanted = 1, .first_use = BSPSCENE_NO_INDEX, .model = made };
	const bspi_wanted_model plain = { .skin = 0 };
	BSPI_TRY(find_use(build, model, &plain, &models->grass));
	models->uses[models->grass].wanted = 1;
	return true;
}

/* Returns the words that follow the number model->wanted in a warning: "2 places stay empty". If only detail props
 * use the model, the words say that these are left out, because they get no nodes. */
static const char *word_of_loss(const bspi_loaded_model *model)
{
	bool one = model->wanted == 1;
	if (model->wanted_by_details == model->wanted) return one ? "detail prop is left out" : "detail props are left out";
	return one ? "place stays empty" : "places stay empty";
}

/* Counts a warning for each file that could not be read, with the number of nodes that show it. */
static bool warn_of_unread(bspi_build *build)
{
	/* if the loaded file is a model instead of a map, this is that model */
	const bspi_loaded_model *alone = build->models->models;
	if (build->map->model_path && build->models->model_count && alone->why) {
		return bspi_fail(build->ctx, BSPSCENE_ERROR_BAD_LUMP, BSPI_NOWHERE, "the model cannot be read: %s",
		                 alone->why);
	}
	for (uint32_t i = 0; i < build->models->model_count; i++) {
		const bspi_loaded_model *model = &build->models->models[i];
		if (!model->why) continue;
		bspscene_warning_code code = model->missing ? BSPSCENE_WARNING_FILE_MISSING : BSPSCENE_WARNING_MODEL_BAD;
		BSPI_TRY(bspi_warn(build->ctx, code, BSPI_LUMP("models"), "%s: %s; %u %s", model->path, model->why,
		                   model->wanted, word_of_loss(model)));
	}
	return true;
}

/* Leaves out models that have too many triangles and vertex colors. The limit is for all nodes together, and depends on
 * the size of the files. */
static bool limit_triangles(bspi_build *build)
{
	struct bspi_models *models = build->models;
	uint64_t left = LEAST_TRIANGLES + build->ctx->budget.source_size * TRIANGLES_PER_BYTE;
	for (uint32_t i = 0; i < models->use_count; i++) {
		bspi_model_use *use = &models->uses[i];
		const bspi_prop_model *model = &models->models[use->model].model;
		uint32_t triangles = model->index_count / 3;
		uint64_t each = (triangles > model->vertex_count ? triangles : model->vertex_count) + (uint64_t)1;
		if (use->wanted <= left / each) {
			left -= use->wanted * each;
			continue;
		}
		use->wanted = 0;
		BSPI_TRY(bspi_warn(build->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("models"),
		                   "%s: its instances have too many triangles: they are left out",
		                   models->models[use->model].path));
	}
	return true;
}

bool bspi_find_models(bspi_build *build)
{
	bspi_ctx *ctx = build->ctx;
	const bspscene_load_options *options = &ctx->options;
	const bspi_map *map = build->map;
	bool readable = options->open_file || map->model_path;
	if (options->models == BSPSCENE_MODELS_NONE || options->parts != BSPSCENE_PARTS_ALL || !readable) return true;
	uint32_t entities = build->scene->entity_count;
	struct bspi_models *models = bspi_push(ctx, &ctx->scratch, struct bspi_models, 1);
	BSPI_TRY(models);
	models->of_entity = bspi_push_zeroed(ctx, &ctx->scratch, entities, sizeof *models->of_entity);
	models->of_static_prop = bspi_push(ctx, &ctx->scratch, uint32_t, map->static_props_count);
	models->of_detail = bspi_push(ctx, &ctx->scratch, uint32_t, map->detail_props_count);
	models->table_size = 2 * MOST_MODELS;
	models->table = bspi_push(ctx, &ctx->scratch, uint32_t, models->table_size);
	BSPI_TRY(models->of_entity && models->of_static_prop && models->of_detail && models->table);
	memset(models->table, 0xff, models->table_size * sizeof *models->table);
	models->grass = BSPSCENE_NO_INDEX;
	build->models = models;
	return find_all(build) && find_detail_models(build) && warn_of_unread(build) &&
	       find_detail_pictures(build) && limit_triangles(build);
}
