/* ufoai_materials.c - makes materials of UFO: Alien Invasion. The texinfo's name NAME is an image below textures/;
 * NAME_nm has normals and NAME_gm has glow. The map's .mat text adds passes (docs/formats/ufoai.md, "Materials"). */
#include "materials/indexed/indexed.h"
#include "materials/ufoai/mat.h"

#include <stdio.h>

#include "base/text.h"
#include "io/io.h"


/* The texture that the game replaces by the ground of the climate zone, and the ground that we show for it. */
#define ANY_GROUND "tex_terrain/dummy"
#define USUAL_GROUND "tex_terrain/grass"

/* Limit for the passes of all blocks with one name; the game has at most five. */
enum { MOST_PASSES = 4 * BSPI_MAT_STAGES };

/* Names of tool textures, without their folders. Their surfaces have no flag that marks them. */
static const bspi_tool_texture tools[] = {
	{ "actorclip", BSPSCENE_SURFACE_CLIP }, { "weaponclip", BSPSCENE_SURFACE_CLIP }, { "clip", BSPSCENE_SURFACE_CLIP },
	{ "lightclip", BSPSCENE_SURFACE_CLIP }, { "trigger", BSPSCENE_SURFACE_TRIGGER },
	{ "origin", BSPSCENE_SURFACE_TOOL }, { "hint", BSPSCENE_SURFACE_HINT }, { "skip", BSPSCENE_SURFACE_SKIP },
	{ "nodraw", BSPSCENE_SURFACE_NODRAW },
};

typedef struct ufoai_state {
	bspi_mats mats;
	const char *path;                  /* path of the .mat text */
} ufoai_state;

/* ---- The map's text --------------------------------------------------------------------------------------- */

/* Finds the folder of a map in the path that the map was opened with, and returns its length. It is "farm" for the tile
 * "maps/farm/f_wind.bsp" and for the assembly "maps/farm.ump/medium". */
static int folder_of(const char *path, const char **out)
{
	const char *end = strrchr(path, '/'), *begin;
	for (const char *at = path; *at; at++) {
		if (bspi_text_starts(at, ".ump") && (!at[4] || at[4] == '/')) end = at;
	}
	begin = end;
	while (begin && begin > path && begin[-1] != '/') begin--;
	*out = begin;
	return begin ? (int)(end - begin) : 0;
}

/* Reads the .mat text with the map's name. If there is none, reads the one with the name of the map's folder. */
static bool begin(bspi_materials *m, const bspi_material_rules *rules)
{
	bspi_ctx *ctx = m->ctx;
	bspi_sibling file = { .bytes = BSPI_NO_BYTES };
	char paths[2][BSPI_PATH_SIZE];
	const char *folder = "";
	ufoai_state *state = bspi_push(ctx, &ctx->scratch, ufoai_state, 1);
	(void)rules;
	BSPI_TRY(state);
	m->state = state;
	if (ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
	int length = folder_of(ctx->options.name ? ctx->options.name : ctx->file, &folder);
	snprintf(paths[0], sizeof paths[0], "materials/%.100s.mat", ctx->name);
	snprintf(paths[1], sizeof paths[1], "materials/%.*s.mat", length < 100 ? length : 100, folder);
	for (int i = 0; i < 2; i++) {
		if (bspi_open_sibling(ctx, &ctx->scratch, paths[i], BSPSCENE_FILE_SHADER, &file)) {
			state->path = bspi_text_keep(ctx, paths[i]);
			return state->path && bspi_read_mats(ctx, file.bytes, &state->mats);
		}
		BSPI_TRY(!ctx->error.status);
	}
	return true;
}

/* ---- Passes ----------------------------------------------------------------------------------------------- */

static bool add_frames(bspi_materials *m, const char *path, const bspi_mat_pass *from, bspscene_material_pass *out)
{
	uint32_t image;
	size_t length = strlen(path);
	out->first_frame_image = m->frame_count;
	BSPI_TRY(bspi_find_image(m, path, "a pass of a material", &image) && bspi_add_frame(m, image));
	out->frame_image_count = 1;
	if (path[length - 1] != '0') return true;
	for (uint32_t i = 1; i < from->frames; i++) {
		char next[BSPI_PATH_SIZE];
		snprintf(next, sizeof next, "%.*s%u", (int)length - 1, path, i);
		BSPI_TRY(bspi_try_image(m, next, &image));
		if (image == BSPSCENE_NO_INDEX) break;
		BSPI_TRY(bspi_add_frame(m, image));
		out->frame_image_count++;
	}
	out->frames_per_second = out->frame_image_count > 1 ? from->frames_per_second : 0;
	return true;
}

static void move_picture(const bspi_mat_pass *from, bspscene_material_pass *out)
{
	if (from->scale[0] != 1 || from->scale[1] != 1) {
		out->tc_mods[out->tc_mod_count++] = (bspscene_tc_mod){ BSPSCENE_TC_MOD_SCALE,
		                                                       { from->scale[0], from->scale[1] }, { 0 } };
	}
	if (from->scroll[0] != 0 || from->scroll[1] != 0) {
		out->tc_mods[out->tc_mod_count++] = (bspscene_tc_mod){ BSPSCENE_TC_MOD_SCROLL,
		                                                       { from->scroll[0], from->scroll[1] }, { 0 } };
	}
	if (from->turns != 0) {
		out->tc_mods[out->tc_mod_count++] = (bspscene_tc_mod){ BSPSCENE_TC_MOD_ROTATE, { from->turns * 360 }, { 0 } };
	}
}

/* True if the pass is drawn over the surface. Flares and reflections on opaque surfaces are not; they are only in the
 * material's script_text. */
static bool is_drawn(const bspi_mat_pass *from)
{
	return *from->texture && !from->left_out && !from->environment;
}

static void set_blending(const bspi_mat_pass *from, bspscene_material_pass *out)
{
	out->src_blend = from->src_blend;
	out->dst_blend = from->dst_blend;
	out->depth_write = false;
}

static void set_color(const bspi_mat_pass *from, bspscene_material_pass *out)
{
	if (!from->has_color) return;
	out->color_gen = BSPSCENE_COLOR_GEN_CONST;
	memcpy(out->color, from->color, sizeof out->color);
}

static bool add_pass(bspi_materials *m, const bspi_mat_pass *from, bool blended)
{
	char path[BSPI_PATH_SIZE];
	bspscene_material_pass out = bspi_plain_pass(BSPSCENE_PASS_INPUT_IMAGE);
	snprintf(path, sizeof path, "textures/%s", from->texture);
	BSPI_TRY(add_frames(m, path, from, &out));
	set_blending(from, &out);
	/* Blended surfaces write no depth, so this test would fail on them. */
	out.depth_equal = !blended;
	set_color(from, &out);
	/* The engine multiplies dirt by the surface's light, even without the keyword `lightmap`. */
	if (from->lightmap || from->dirt > 0) out.color_gen = BSPSCENE_COLOR_GEN_LIGHT;
	if (from->dirt > 0) {
		out.alpha_gen = BSPSCENE_ALPHA_GEN_DIRT;
		out.alpha = from->dirt;
	} else if (from->by_height) {
		out.alpha_gen = BSPSCENE_ALPHA_GEN_HEIGHT;
		out.alpha = from->floor;
		out.alpha_range = from->ceiling - from->floor;
	} else if (from->pulses > 0) {
		out.alpha_gen = BSPSCENE_ALPHA_GEN_WAVE;
		out.alpha_wave = (bspscene_wave){ BSPSCENE_WAVE_SIN, 0.5f, 0.5f, -0.25f, from->pulses };
	}
	move_picture(from, &out);
	return bspi_add_pass(m, &out);
}

static bool is_reflection(const bspi_mat_pass *from)
{
	return *from->texture && !from->left_out && from->environment;
}

/* Adds a reflection. On an unlit surface it is black, because the engine's color is black there (r_material.cpp
 * R_SetSurfaceStageState). */
static bool add_reflection(bspi_materials *m, const bspi_mat_pass *from, bool unlit)
{
	char path[BSPI_PATH_SIZE];
	bspscene_material_pass out = bspi_plain_pass(BSPSCENE_PASS_INPUT_IMAGE);
	bool numbered = from->texture[0] >= '0' && from->texture[0] <= '9' && !from->texture[1];
	snprintf(path, sizeof path, "pics/envmaps/%s%s", numbered ? "envmap_" : "", from->texture);
	BSPI_TRY(add_frames(m, path, from, &out));
	set_blending(from, &out);
	out.tc_gen = BSPSCENE_TC_GEN_SIGHT;
	out.color_gen = unlit ? BSPSCENE_COLOR_GEN_CONST : BSPSCENE_COLOR_GEN_LIGHT;
	memset(out.color, 0, sizeof out.color);
	set_color(from, &out);
	return bspi_add_pass(m, &out);
}

/* Adds the reflections of all blocks with the texture's name. The engine draws these passes before a blended surface
 * (r_main.cpp R_RenderFrame). So they lie below it and darken what is seen through it. */
static bool add_reflections(bspi_materials *m, const bspi_mat *mat, bool unlit)
{
	const ufoai_state *state = m->state;
	uint32_t first = m->stage_count;
	for (; mat; mat = bspi_next_mat(&state->mats, mat->name, mat)) {
		for (uint32_t i = 0; i < mat->stage_count && m->stage_count - first < BSPI_MAT_STAGES; i++) {
			if (is_reflection(&mat->stages[i])) BSPI_TRY(add_reflection(m, &mat->stages[i], unlit));
		}
	}
	return true;
}

/* Adds the passes of all blocks with the texture's name. */
static bool add_passes(bspi_materials *m, const bspi_mat *mat, bspscene_material *out)
{
	const ufoai_state *state = m->state;
	out->script_file = state->path;
	out->script_line = mat->line;
	out->script_text = bspi_text_copy(m->ctx, mat->text, NULL);
	bool blended = out->alpha_mode == BSPSCENE_ALPHA_MODE_BLEND;
	BSPI_TRY(out->script_text);
	for (; mat; mat = bspi_next_mat(&state->mats, mat->name, mat)) {
		for (uint32_t i = 0; i < mat->stage_count; i++) {
			bool room = m->stage_count - out->first_pass < MOST_PASSES;
			if (room && is_drawn(&mat->stages[i])) BSPI_TRY(add_pass(m, &mat->stages[i], blended));
		}
	}
	out->pass_count = m->stage_count - out->first_pass;
	return true;
}

/* ---- Textures --------------------------------------------------------------------------------------------- */

static void read_flags(const bspi_texture *texture, bspscene_material *out)
{
	uint32_t flags = texture->surface_flags;
	bspi_read_quake2_kind(texture, tools, sizeof tools / sizeof *tools, out);
	if (flags & BSPI_SURF_ALPHATEST) {
		out->alpha_mode = BSPSCENE_ALPHA_MODE_MASK;
		out->alpha_cutoff = 0.5f;
	}
	if (flags & (BSPI_SURF_TRANS33 | BSPI_SURF_TRANS66)) {
		bool both = (flags & BSPI_SURF_TRANS33) && (flags & BSPI_SURF_TRANS66);
		out->alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
		out->color[3] = both ? 1 : flags & BSPI_SURF_TRANS33 ? 0.33f : 0.66f;
		out->sort = 9;
	}
	out->unlit = flags & BSPI_SURF_WARP;
}

/* Finds the images NAME_nm for normals and NAME_gm for glow next to the image NAME, or the images that the .mat text
 * names instead. */
static bool add_beside(bspi_materials *m, const char *path, const bspi_mat *mat, bspscene_material *out)
{
	char normals[BSPI_PATH_SIZE], glows[BSPI_PATH_SIZE];
	uint32_t glow;
	if (mat && *mat->normal_map) snprintf(normals, sizeof normals, "textures/%s", mat->normal_map);
	else snprintf(normals, sizeof normals, "%.200s_nm", path);
	if (mat && *mat->glow_map) snprintf(glows, sizeof glows, "textures/%s", mat->glow_map);
	else snprintf(glows, sizeof glows, "%.200s_gm", path);
	BSPI_TRY(bspi_try_normal_map(m, normals, &out->normal_image) && bspi_try_image(m, glows, &glow));
	if (glow == BSPSCENE_NO_INDEX) return true;
	out->emissive_image = glow;
	for (int i = 0; i < 3; i++) out->emissive[i] = 1;
	return true;
}

static bool make(bspi_materials *m, const bspi_material_rules *rules, const bspi_texture *texture,
                 bspscene_material *out)
{
	const ufoai_state *state = m->state;
	char path[BSPI_PATH_SIZE];
	(void)rules;
	read_flags(texture, out);
	bool shown = !out->surface_kind || m->ctx->options.include_mask & (uint32_t)out->surface_kind;
	if (!shown || m->ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
	const char *name = bspi_text_equal(texture->name, ANY_GROUND) ? USUAL_GROUND : texture->name;
	const bspi_mat *mat = bspi_next_mat(&state->mats, texture->name, NULL);
	snprintf(path, sizeof path, "textures/%.63s", name);
	BSPI_TRY(bspi_find_image(m, path, "not found, so its size is taken as 64 x 64", &out->base_image));
	BSPI_TRY(add_beside(m, path, mat, out));
	out->width = m->images[out->base_image].width;
	out->height = m->images[out->base_image].height;
	bool blended = out->alpha_mode == BSPSCENE_ALPHA_MODE_BLEND;
	uint32_t first = m->stage_count;
	if (blended) {
		BSPI_TRY(add_reflections(m, mat, out->unlit) && bspi_add_blended_pass(m, out->base_image, out));
		out->pass_count += out->first_pass - first;
		out->first_pass = first;
	} else {
		BSPI_TRY(bspi_add_lit_passes(m, &out->base_image, 1, 0, out->emissive_image, !out->unlit, out));
	}
	return !mat || add_passes(m, mat, out);
}

/* Changes the material of a model: it is blended if its image has alpha. */
static bool dress_model(bspi_materials *m, bspscene_material *out)
{
	const bspscene_image *image = &m->images[out->base_image];
	char path[BSPI_PATH_SIZE];
	if (image->has_alpha && out->alpha_mode == BSPSCENE_ALPHA_MODE_OPAQUE) {
		out->alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
		out->sort = 9;
	}
	const char *dot = strrchr(image->path, '.');
	if (!dot) return true;
	snprintf(path, sizeof path, "%.*s", (int)(dot - image->path < 200 ? dot - image->path : 200), image->path);
	return add_beside(m, path, NULL, out);
}

const bspi_material_rules bspi_material_rules_ufoai = { .begin = begin, .make = make, .dress_model = dress_model };
