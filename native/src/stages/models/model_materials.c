/* model_materials.c - makes materials of models. If the map's material rules understand the names in models, they make
 * the materials. Otherwise images are used that are found by name or stored in the model. */
#include "stages/models/model_materials.h"

#include <stdio.h>

#include "base/text.h"
#include "base/vec.h"
#include "materials/indexed/indexed.h"

enum { MASKED_INDEX = 255, FIRST_GLOWING = 224, NOTHING_GLOWS = 256, COLORS = 256 };
#define SORT_OF_BLENDED 9.0f

/* Copies the palette of a model's indexed image to `out`, with the colors that the engine shows. If the model has no
 * palette, the game's palette is used. */
static bool find_colors(bspi_materials *m, const bspi_model_material *from, uint8_t out[BSPI_PALETTE_SIZE])
{
	const bspi_material_rules *rules = bspi_material_rules_of(m->map);
	bool masked = from->flags & BSPI_MODEL_MASKED;
	memset(out, 0, BSPI_PALETTE_SIZE);
	if (!from->palette.size) return bspi_game_palette(m, out);
	memcpy(out, from->palette.data, from->palette.size < BSPI_PALETTE_SIZE ? from->palette.size : BSPI_PALETTE_SIZE);
	if (rules && rules->adapt_palette && !masked) rules->adapt_palette(out);
	return true;
}

static bool add_rgba(bspi_materials *m, const char *name, const bspi_model_material *from, uint32_t *image)
{
	bspscene_image made = {
		.name = name,
		.path = "",
		.archive = "",
		.format = BSPSCENE_IMAGE_RGBA,
		.width = from->width,
		.height = from->height,
		.has_alpha = true,
	};
	if (m->ctx->options.textures == BSPSCENE_TEXTURES_LOAD) {
		uint8_t *pixels = bspi_push_unset(m->ctx, &m->ctx->result, from->pixels.size, 1);
		BSPI_TRY(pixels);
		memcpy(pixels, from->pixels.data, from->pixels.size);
		made.data = pixels;
		made.size = from->pixels.size;
	}
	return bspi_add_image(m, &made, image);
}

/* Makes an image in the last color of the palette. The index of a pixel is its opacity. */
static bool add_index_alpha(bspi_materials *m, const char *name, const bspi_model_material *from, const uint8_t *colors,
                            uint32_t *image)
{
	size_t count = (size_t)from->width * from->height;
	uint8_t *pixels = bspi_push_unset(m->ctx, &m->ctx->scratch, count, 4);
	BSPI_TRY(pixels);
	for (size_t i = 0; i < count; i++) {
		memcpy(pixels + 4 * i, colors + 3 * (COLORS - 1), 3);
		pixels[4 * i + 3] = from->pixels.data[i];
	}
	bspi_model_material rgba = *from;
	rgba.pixels = bspi_bytes_of(pixels, 4 * count);
	return add_rgba(m, name, &rgba, image);
}

static bool add_own_picture(bspi_materials *m, const char *name, const bspi_model_material *from,
                            bspscene_material *out, uint32_t *glow)
{
	uint8_t colors[BSPI_PALETTE_SIZE];
	if (from->rgba) return add_rgba(m, name, from, &out->base_image);
	BSPI_TRY(find_colors(m, from, colors));
	if (from->flags & BSPI_MODEL_INDEX_ALPHA) return add_index_alpha(m, name, from, colors, &out->base_image);
	bspi_bytes palette = bspi_bytes_of(colors, sizeof colors);
	bool masked = from->flags & BSPI_MODEL_MASKED;
	uint32_t first_glowing = masked || !(from->flags & BSPI_MODEL_GLOWING) ? NOTHING_GLOWS : FIRST_GLOWING;
	bspi_index_rule whole = { masked ? MASKED_INDEX : -1, NOTHING_GLOWS, false, true, true };
	bspi_index_rule bright = { -1, FIRST_GLOWING, true, false, false };
	BSPI_TRY(bspi_add_indexed_image(m, name, from->pixels.data, from->width, from->width, from->height, palette, whole,
	                                &out->base_image));
	if (!bspi_any_index_from(from->pixels.data, from->pixels.size, first_glowing)) return true;
	for (int i = 0; i < 3; i++) out->emissive[i] = 1;
	BSPI_TRY(bspi_add_indexed_image(m, name, from->pixels.data, from->width, from->width, from->height, palette, bright,
	                                glow));
	out->emissive_image = *glow;
	return true;
}

/* Finds an image by the name that the model states. If there is none, looks for the name in the model's directory. */
static bool find_picture(bspi_materials *m, const char *name, const char *model_path, uint32_t *image)
{
	char beside[BSPI_PATH_SIZE];
	BSPI_TRY(bspi_try_image(m, name, image));
	if (*image != BSPSCENE_NO_INDEX || m->ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
	const char *slash = strrchr(model_path, '/'), *file = name + strlen(name);
	while (file > name && file[-1] != '/' && file[-1] != '\\') file--;
	int folder = slash ? (int)(slash - model_path) + 1 : 0;
	snprintf(beside, sizeof beside, "%.*s%s", folder, model_path, file);
	BSPI_TRY(bspi_try_image(m, beside, image));
	return *image != BSPSCENE_NO_INDEX || bspi_find_image(m, name, "a model's picture", image);
}

static void set_drawing(uint32_t flags, bspscene_material *out)
{
	if (flags & BSPI_MODEL_MASKED) {
		out->alpha_mode = BSPSCENE_ALPHA_MODE_MASK;
		out->alpha_cutoff = 0.5f;
	}
	bool blended = flags & (BSPI_MODEL_INDEX_ALPHA | BSPI_MODEL_BLENDED) && !(flags & BSPI_MODEL_MASKED);
	if (blended) out->alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
	if (flags & BSPI_MODEL_ADDITIVE) out->alpha_mode = BSPSCENE_ALPHA_MODE_ADD;
	if (flags & BSPI_MODEL_TWO_SIDED) out->cull = BSPSCENE_CULL_NONE;
	out->clamp = out->clamp || flags & BSPI_MODEL_CLAMPED;
	out->unlit = out->unlit || flags & (BSPI_MODEL_BRIGHT | BSPI_MODEL_ADDITIVE);
	if (out->alpha_mode == BSPSCENE_ALPHA_MODE_BLEND || out->alpha_mode == BSPSCENE_ALPHA_MODE_ADD)
		out->sort = SORT_OF_BLENDED;
}

/* Makes a material of the model's own image, or of a file with the material's name. */
static bool make_plain(bspi_materials *m, const bspi_model_material *from, const char *model_path,
                       bspscene_material *out)
{
	uint32_t glow = BSPSCENE_NO_INDEX;
	set_drawing(from->flags, out);
	if (from->width) {
		out->width = from->width;
		out->height = from->height;
	}
	if (m->ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
	if (from->pixels.size) BSPI_TRY(add_own_picture(m, out->name, from, out, &glow));
	else if (*from->name) BSPI_TRY(find_picture(m, from->name, model_path, &out->base_image));
	if (out->base_image == BSPSCENE_NO_INDEX) return true;
	const bspi_material_rules *rules = bspi_material_rules_of(m->map);
	bool dressed = rules && rules->dress_model;
	if (dressed) BSPI_TRY(rules->dress_model(m, out));
	bool lit_alone = dressed || !out->unlit; /* false: the material is unlit, and the game has no rules
	                                          * (dress_model) that change this */
	if (lit_alone && out->alpha_mode == BSPSCENE_ALPHA_MODE_BLEND)
		return bspi_add_blended_pass(m, out->base_image, out);
	return bspi_add_lit_passes(m, &out->base_image, 1, 0, out->emissive_image, !out->unlit, out);
}

/* Makes a sprite's material. The sprite turns to the viewer and has its entity's color (xash3d gl_sprite.c
 * R_DrawSpriteModel). */
static bool make_sprite(bspi_materials *m, const bspi_prop_model *model, bspscene_material *out)
{
	enum { TURN, GLOW, DEFORMS };
	static const bspscene_deform_kind turns[] = {
		[BSPI_SPRITE_UPRIGHT] = BSPSCENE_DEFORM_SPRITE_UPRIGHT,
		[BSPI_SPRITE_FACING_UPRIGHT] = BSPSCENE_DEFORM_SPRITE_FACING,
		[BSPI_SPRITE_PARALLEL] = BSPSCENE_DEFORM_SPRITE,
		[BSPI_SPRITE_ORIENTED] = BSPSCENE_DEFORM_SPRITE,
		[BSPI_SPRITE_PARALLEL_ORIENTED] = BSPSCENE_DEFORM_SPRITE,
	};
	bspscene_deform *deforms = bspi_push(m->ctx, &m->ctx->result, bspscene_deform, DEFORMS);
	BSPI_TRY(deforms);
	out->deforms = bspi_table(m->ctx, bspscene_deform, deforms, DEFORMS);
	BSPI_TRY(out->deforms);
	deforms[TURN].kind = turns[model->turn];
	deforms[GLOW].kind = BSPSCENE_DEFORM_GLOW;
	out->deform_count = model->glows ? DEFORMS : GLOW;
	for (uint32_t i = 0; i < out->pass_count; i++) {
		bspscene_material_pass *stage = &m->stages[out->first_pass + i];
		stage->color_gen = BSPSCENE_COLOR_GEN_ENTITY;
		stage->alpha_gen = model->glows ? BSPSCENE_ALPHA_GEN_GLOW : BSPSCENE_ALPHA_GEN_ENTITY;
	}
	return true;
}

/* Makes the material of a Source sprite. The sprite has the size of its texture. It is blended as the entity states,
 * not as the material does. */
static bool make_picture(bspi_materials *m, const bspi_material_rules *rules, const bspi_texture *texture,
                         bspi_loaded_model *model, bspscene_material *out)
{
	enum { UNKNOWN_SIZE = 64 };
	bspi_prop_model *sprite = &model->model;
	BSPI_TRY(rules->make(m, rules, texture, out));
	out->alpha_mode = BSPSCENE_ALPHA_MODE_OPAQUE;
	set_drawing(sprite->materials[0].flags, out);
	if (out->base_image != BSPSCENE_NO_INDEX) {
		BSPI_TRY(bspi_add_lit_passes(m, &out->base_image, 1, 0, BSPSCENE_NO_INDEX, false, out));
	}
	float *positions = (float *)sprite->positions;
	float width = (float)(out->width ? out->width : UNKNOWN_SIZE);
	float height = (float)(out->height ? out->height : UNKNOWN_SIZE);
	for (size_t i = 0; i < 3 * (size_t)sprite->vertex_count; i++) positions[i] *= i % 3 == 2 ? height : width;
	sprite->bounds = BSPI_EMPTY_BOUNDS;
	for (size_t i = 0; i < sprite->vertex_count; i++) bspi_bounds_add(&sprite->bounds, positions + 3 * i);
	return true;
}

/* Makes a name for a model's own image: "progs/a.mdl_0", "models/b/chrome.bmp". Engines use such names when they look
 * for files that replace the image. */
static void name_material(const bspi_loaded_model *model, uint32_t number, char *out, size_t size)
{
	const bspi_model_material *from = &model->model.materials[number];
	const char *dot = strrchr(model->path, '.');
	int stem = dot ? (int)(dot - model->path) : (int)strlen(model->path);
	if (!*from->name) snprintf(out, size, "%.100s_%u", model->path, number);
	else if (from->pixels.size) snprintf(out, size, "%.*s/%.60s", stem < 60 ? stem : 60, model->path, from->name);
	else snprintf(out, size, "%s", from->name);
}

/* Makes a material for a model by the rules for textures of maps. A reference to a texture inside a map is dropped,
 * because the model does not belong to one map. */
static bool make_map_texture(bspi_materials *m, const bspi_material_rules *rules, const bspi_texture *from,
                             bspscene_material *out)
{
	bspi_texture texture = *from;
	texture.effect = -1;
	return bspi_material_init(m->ctx, &texture, out) && rules->make(m, rules, &texture, out);
}

static bool make_material(bspi_materials *m, bspi_loaded_model *model, uint32_t number, bspscene_material *out)
{
	const bspi_material_rules *rules = bspi_material_rules_of(m->map);
	const bspi_model_material *from = &model->model.materials[number];
	if (from->texture && rules && rules->takes_foreign) return make_map_texture(m, rules, from->texture, out);
	bspi_texture texture = { .name = "", .miptex = BSPI_NO_BYTES, .effect = -1 };
	name_material(model, number, texture.name, sizeof texture.name);
	for (char *c = texture.name; *c; c++) *c = *c == '\\' ? '/' : *c;
	BSPI_TRY(bspi_material_init(m->ctx, &texture, out));
	bool by_rules = *from->name && !from->picture_file && !from->pixels.size && rules && rules->names_models;
	if (by_rules && model->model.sized_by_picture) {
		BSPI_TRY(make_picture(m, rules, &texture, model, out));
		return !model->model.turned_by_view || make_sprite(m, &model->model, out);
	}
	BSPI_TRY(by_rules ? rules->make(m, rules, &texture, out) : make_plain(m, from, model->path, out));
	if (from->flags & BSPI_MODEL_TWO_SIDED) out->cull = BSPSCENE_CULL_NONE;
	if (from->flags & BSPI_MODEL_LIT) out->unlit = false;
	return !model->model.turned_by_view || make_sprite(m, &model->model, out);
}

/* ---- Blended by entities ------------------------------------------------------------------------------------ */

/* The materials of a model before an entity blends them, made on first use. Blended materials are copies of these and
 * share their images. */
typedef struct plain_materials {
	bspscene_material *materials;
	bool *made;
} plain_materials;

static bool find_plain(bspi_materials *m, bspi_loaded_model *model, uint32_t number, plain_materials *plain,
                       bspscene_material *out)
{
	if (!plain->made[number]) {
		uint32_t stages = m->stage_count, frames = m->frame_count;
		BSPI_TRY(make_material(m, model, number, &plain->materials[number]));
		plain->made[number] = true;
		/* Only blended copies of this material are in the scene, so its own stages are dropped. */
		m->stage_count = stages;
		m->frame_count = frames;
	}
	*out = plain->materials[number];
	return true;
}

/* Makes a material blended: replaces all of its shader stages by one. */
static bool blend_material(bspi_materials *m, const bspi_model_use *use, bspscene_material *out)
{
	bool adds = use->blend == BSPI_BLEND_ADD || out->alpha_mode == BSPSCENE_ALPHA_MODE_ADD;
	out->alpha_mode = adds ? BSPSCENE_ALPHA_MODE_ADD : BSPSCENE_ALPHA_MODE_BLEND;
	out->unlit = out->unlit || adds;
	out->color[3] *= use->opacity;
	out->sort = SORT_OF_BLENDED;
	out->pass_count = 0;
	if (out->base_image == BSPSCENE_NO_INDEX) return true;
	return bspi_add_blended_pass(m, out->base_image, out);
}

/* ---- All materials ------------------------------------------------------------------------------------------- */

static uint32_t *no_materials(bspi_build *build, const bspi_loaded_model *model)
{
	uint32_t *made = bspi_push(build->ctx, &build->ctx->scratch, uint32_t, model->model.material_count);
	if (made) memset(made, 0xff, model->model.material_count * sizeof *made);
	return made;
}

/* Makes the materials that one use of a model needs, except those that exist already. */
static bool make_for_use(bspi_build *build, bspi_materials *m, bspi_loaded_model *model, const bspi_model_use *use,
                         plain_materials *plain, bspscene_material *out, uint32_t *count)
{
	uint32_t total = m->progress_total, of_map = total - bspi_count_model_materials(build);
	const uint32_t *skin = model->model.skins + (size_t)use->skin * model->model.slot_count;
	for (uint32_t i = 0; i < model->model.section_count; i++) {
		uint32_t number = skin[model->model.sections[i].slot];
		if (use->materials[number] != BSPSCENE_NO_INDEX) continue;
		bspscene_material *material = &out[*count];
		BSPI_TRY(bspi_progress(build->ctx, "textures", of_map + build->models->material_count++, total));
		if (use->blend) {
			BSPI_TRY(find_plain(m, model, number, plain, material) && blend_material(m, use, material));
		} else {
			BSPI_TRY(make_material(m, model, number, material));
			plain->materials[number] = *material;
			plain->made[number] = true;
		}
		use->materials[number] = (*count)++;
	}
	return true;
}

/* Makes the materials of a model for all its skins, then those for each way of blending. */
static bool make_used(bspi_build *build, bspi_materials *m, bspi_loaded_model *model, bspscene_material *out,
                      uint32_t *count)
{
	struct bspi_models *models = build->models;
	uint32_t *made = no_materials(build, model);
	plain_materials plain = {
		.materials = bspi_push(build->ctx, &build->ctx->scratch, bspscene_material, model->model.material_count),
		.made = bspi_push(build->ctx, &build->ctx->scratch, bool, model->model.material_count),
	};
	BSPI_TRY(made && plain.materials && plain.made);
	for (int blended = 0; blended < 2; blended++) {
		for (uint32_t u = model->first_use; u != BSPSCENE_NO_INDEX; u = models->uses[u].next) {
			bspi_model_use *use = &models->uses[u];
			if ((use->blend != BSPI_BLEND_NONE) != blended) continue;
			use->materials = blended ? no_materials(build, model) : made;
			BSPI_TRY(use->materials && make_for_use(build, m, model, use, &plain, out, count));
		}
	}
	return true;
}

uint32_t bspi_count_model_materials(const bspi_build *build)
{
	uint32_t count = 0;
	for (uint32_t i = 0; build->models && i < build->models->model_count; i++) {
		const bspi_loaded_model *model = &build->models->models[i];
		if (model->first_use == BSPSCENE_NO_INDEX) continue;
		uint32_t times = 1;
		for (uint32_t u = model->first_use; u != BSPSCENE_NO_INDEX; u = build->models->uses[u].next) {
			times += build->models->uses[u].blend != BSPI_BLEND_NONE;
		}
		count += times * model->model.material_count;
	}
	return count;
}

bool bspi_make_model_materials(bspi_build *build, bspi_materials *materials, bspscene_material *out, uint32_t *count)
{
	for (uint32_t i = 0; build->models && i < build->models->model_count; i++) {
		BSPI_TRY(make_used(build, materials, &build->models->models[i], out, count));
	}
	return true;
}
