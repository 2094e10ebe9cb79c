/* quake_materials.c - makes materials from miptexes: Quake, Hexen II, and variants with larger maps.
 *
 * The name of a texture tells its kind. "sky" has two layers side by side. "*" is a liquid. "+0" to "+9" are animations
 * with 5 frames a second. In textures with "{", index 255 is a hole; this is a convention of later engines. Textures of
 * the editor are never drawn. Indices from 224 on glow (docs/formats/quake.md, "Textures"). */
#include "materials/indexed/indexed.h"

#include <math.h>
#include <stdio.h>

#include <bspscene/scene.h>

#include "base/text.h"

enum { MIPTEX_HEADER = 40, MIPTEX_PIXELS = 24, FIRST_GLOWING = 224, NOTHING_GLOWS = 256, HOLE = 255, MOST_FRAMES = 10 };
#define FRAMES_PER_SECOND 5.0f

/* A wave of a liquid is 128 texels long (d_scan.c and r_main.c of the software engine; QuakeSpasm gl_warp.c
 * WARPCALC). */
static const bspi_liquid turbulence = { .texels = 8, .frequency = 6.2831853f / 128 };

static const struct { const char *name; bspscene_surface_kind include; } tools[] = {
	{ "trigger", BSPSCENE_SURFACE_TRIGGER }, { "clip", BSPSCENE_SURFACE_CLIP }, { "skip", BSPSCENE_SURFACE_SKIP },
	{ "hint", BSPSCENE_SURFACE_HINT }, { "hintskip", BSPSCENE_SURFACE_HINT }, { "origin", BSPSCENE_SURFACE_TOOL },
	{ "nodraw", BSPSCENE_SURFACE_NODRAW }, { "waterskip", BSPSCENE_SURFACE_SKIP },
	{ "*waterskip", BSPSCENE_SURFACE_SKIP }, { "lavaskip", BSPSCENE_SURFACE_SKIP },
	{ "slimeskip", BSPSCENE_SURFACE_SKIP },
};

static bool find_palette(bspi_materials *m, uint8_t *out)
{
	static const bspi_fallback_palette stand_in = { bspi_librequake_palette, "in LibreQuake's colors" };
	return bspi_find_palette(m->ctx, "gfx/palette.lmp", &stand_in, out);
}

bool bspi_game_palette(bspi_materials *m, uint8_t out[BSPI_PALETTE_SIZE])
{
	if (m->map->rules.materials != BSPI_MATERIALS_QUAKE) return find_palette(m, out);
	memcpy(out, m->state, BSPI_PALETTE_SIZE);
	return true;
}

static bool begin(bspi_materials *m, const bspi_material_rules *rules)
{
	uint8_t *palette = bspi_push(m->ctx, &m->ctx->scratch, uint8_t, BSPI_PALETTE_SIZE);
	(void)rules;
	BSPI_TRY(palette);
	m->state = palette;
	if (m->ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
	return find_palette(m, palette);
}

/* Returns the indices of the largest mip level. NULL if they are not in the map: their offset is 0, or they exceed the
 * file. */
static const uint8_t *pixels_of(const bspi_texture *texture)
{
	bspi_bytes pixels;
	if (texture->miptex.size < MIPTEX_HEADER || !texture->width || !texture->height) return NULL;
	uint32_t offset = bspi_load_u32(texture->miptex.data + MIPTEX_PIXELS);
	if (!offset || !bspi_slice(texture->miptex, offset, (uint64_t)texture->width * texture->height, &pixels)) {
		return NULL;
	}
	return pixels.data;
}

/* Finds an image file with the name of the texture, textures/NAME.png, as later engines do. If there is none, makes an
 * image with the format MISSING. */
static bool find_outside(bspi_materials *m, const char *name, uint32_t *image)
{
	char path[BSPI_PATH_SIZE];
	/* Some file systems do not allow '*' in names, so engines use '#' instead. */
	snprintf(path, sizeof path, "textures/%s%.100s", name[0] == '*' ? "#" : "", name[0] == '*' ? name + 1 : name);
	return bspi_find_image(m, path, "its pixels are not in the map", image);
}

static bool add_picture(bspi_materials *m, const bspi_texture *texture, const char *name, bspi_index_rule rule,
                        uint32_t *image)
{
	const uint8_t *pixels = pixels_of(texture);
	bspi_bytes palette = bspi_bytes_of(m->state, BSPI_PALETTE_SIZE);
	if (!pixels) return find_outside(m, texture->name, image);
	return bspi_add_indexed_image(m, name, pixels, texture->width, texture->width, texture->height, palette, rule,
	                              image);
}

/* Makes the sky. The right half of the texture is the far layer. The left half is the near layer, in which index 0 is
 * transparent (gl_warp.c R_InitSky). */
static bool make_sky(bspi_materials *m, const bspi_texture *texture, bspscene_material *out)
{
	const uint8_t *pixels = pixels_of(texture);
	bspi_bytes palette = bspi_bytes_of(m->state, BSPI_PALETTE_SIZE);
	bspi_make_sky(out);
	bspscene_sky *sky = bspi_add_sky(m->ctx, out);
	BSPI_TRY(sky);
	sky->name = out->name;
	if (!pixels || texture->width < 2 || m->ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
	uint32_t half = texture->width / 2;
	bspi_index_rule far_layer = { -1, NOTHING_GLOWS, false, true, false },
	                near_layer = { 0, NOTHING_GLOWS, false, true, true };
	return bspi_add_indexed_image(m, texture->name, pixels + half, texture->width, half, texture->height, palette,
	                              far_layer, &sky->layers[0]) &&
	       bspi_add_indexed_image(m, texture->name, pixels, texture->width, half, texture->height, palette, near_layer,
	                              &sky->layers[1]);
}

/* Returns the opacity of a liquid. The name of its texture tells its kind, and worldspawn has a key for each kind. Keys
 * may begin with an underscore, and the last one counts. For all kinds except water, an opacity of 0 means opaque
 * (QuakeSpasm gl_rmisc.c R_ParseWorldspawn, gl_rsurf.c GL_WaterAlphaForSurface). */
static float opacity_of(const bspi_materials *m, const char *name)
{
	static const struct { const char *prefix, *key; } kinds[] = {
		{ "*lava", "lavaalpha" }, { "*slime", "slimealpha" }, { "*tele", "telealpha" }, { "*", "wateralpha" },
	};
	enum { WATER = sizeof kinds / sizeof *kinds - 1 };
	const bspscene_entity *world = m->scene->entity_count ? m->scene->entities[0] : NULL;
	float opacity = 1, value;
	size_t kind = 0;
	while (!bspi_text_starts(name, kinds[kind].prefix)) kind++;
	for (uint32_t i = 0; world && i < world->pair_count; i++) {
		const bspscene_pair *pair = &m->scene->pairs[world->first_pair + i];
		const char *key = pair->key[0] == '_' ? pair->key + 1 : pair->key;
		if (!strcmp(key, kinds[kind].key) && bspi_text_numbers(pair->value, &value, 1)) opacity = value;
	}
	if (kind != WATER && opacity <= 0) return 1;
	return fminf(fmaxf(opacity, 0), 1);
}

/* Sets the opacity of a liquid or of a translucent brush model. The opacity of an entity overrides that of worldspawn
 * (QuakeSpasm r_world.c GL_WaterAlphaForEntitySurface). */
static void thin(const bspi_materials *m, const bspi_texture *texture, bspscene_material *out)
{
	const float sort_of_water = 9;
	bool liquid = texture->name[0] == '*', own = texture->render_mode != BSPI_THIN_NOT;
	if (!liquid && !own) return;
	out->color[3] = own ? texture->render_amount : opacity_of(m, texture->name);
	if (texture->render_mode == BSPI_THIN_UNLIT) out->unlit = true;
	if (own && out->color[3] <= 0 && out->surface_kind == BSPSCENE_SURFACE_VISIBLE) {
		out->surface_kind = BSPSCENE_SURFACE_NODRAW;
		out->color[3] = 1;
	}
	if (out->color[3] >= 1) return;
	out->alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
	out->sort = sort_of_water;
}

/* Makes all stages of a material translucent, including the glow. Lit materials are multiplied by the light before they
 * are blended. */
static void blend_passes(bspi_materials *m, const bspscene_material *material)
{
	bspscene_material_pass *passes = &m->stages[material->first_pass];
	if (!material->unlit) passes[0].color_gen = BSPSCENE_COLOR_GEN_LIGHT;
	for (uint32_t i = 1; i < material->pass_count; i++) {
		passes[i].src_blend = BSPSCENE_BLEND_SRC_ALPHA;
		passes[i].alpha_gen = BSPSCENE_ALPHA_GEN_CONST;
		passes[i].alpha = material->color[3];
		passes[i].depth_equal = false;
	}
}

static bool make(bspi_materials *m, const bspi_material_rules *rules, const bspi_texture *texture,
                 bspscene_material *out)
{
	const bspi_texture *frames[MOST_FRAMES];
	uint32_t images[MOST_FRAMES], glow = BSPSCENE_NO_INDEX;
	(void)rules;
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
		if (!bspi_text_equal(texture->name, tools[i].name)) continue;
		out->kind = BSPSCENE_MATERIAL_TOOL;
		out->surface_kind = tools[i].include;
	}
	if (bspi_text_starts(texture->name, "sky")) return make_sky(m, texture, out);
	bool liquid = texture->name[0] == '*', cut_out = texture->name[0] == '{';
	if (liquid && out->kind != BSPSCENE_MATERIAL_TOOL) out->kind = BSPSCENE_MATERIAL_LIQUID;
	if (liquid) out->width = out->height = BSPI_LIQUID_SIZE;
	if (cut_out) {
		out->alpha_mode = BSPSCENE_ALPHA_MODE_MASK;
		out->alpha_cutoff = 0.5f;
	}
	thin(m, texture, out);
	if (m->ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;

	uint32_t count = bspi_find_texture_frames(m, texture, frames, MOST_FRAMES);
	int32_t hole = cut_out ? HOLE : -1;
	const uint8_t *pixels = pixels_of(texture);
	uint32_t first_glowing = cut_out ? NOTHING_GLOWS : FIRST_GLOWING;
	bool glows = pixels && !liquid &&
	             bspi_any_index_from(pixels, (size_t)texture->width * texture->height, first_glowing);
	for (uint32_t i = 0; i < count; i++) {
		bspi_index_rule rule = { hole, first_glowing, !glows, true, false };
		BSPI_TRY(add_picture(m, frames[i], frames[i]->name, rule, &images[i]));
	}
	out->base_image = images[0];
	if (glows) {
		bspi_index_rule whole = { hole, NOTHING_GLOWS, false, true, false },
		                bright = { hole, first_glowing, true, false, false };
		BSPI_TRY(add_picture(m, texture, texture->name, whole, &out->base_image));
		BSPI_TRY(add_picture(m, texture, texture->name, bright, &glow));
		out->emissive_image = glow;
		for (int i = 0; i < 3; i++) out->emissive[i] = 1;
	}
	BSPI_TRY(bspi_add_lit_passes(m, images, count, FRAMES_PER_SECOND, glow,
	                             out->alpha_mode != BSPSCENE_ALPHA_MODE_BLEND, out));
	if (out->alpha_mode == BSPSCENE_ALPHA_MODE_BLEND && !liquid) blend_passes(m, out);
	return !liquid || bspi_warp_liquid(m, &turbulence, out);
}

const bspi_material_rules bspi_material_rules_quake = { .begin = begin, .make = make, .takes_foreign = true };
