/* goldsrc_materials.c - makes materials from miptexes, which have palettes of their own and are in the map or in WADs.
 *
 * Differences from Quake: a palette follows the last mip level of each texture. Textures without pixels are looked up
 * in the WADs of worldspawn's `wad`, the last WAD first (xash3d). In textures with "{", texels of index 255 are holes.
 * "!" means a liquid too. The sky is a box of six files. Entities choose how their models are blended
 * (docs/formats/goldsrc.md, "Textures"). Afterburner has no pixels in maps or WADs. Its textures are textures/NAME.png,
 * and the size of this file divides the uvs. */
#include "materials/indexed/indexed.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "materials/indexed/map_wads.h"

enum {
	MIPTEX_HEADER = 40, MIPTEX_WIDTH = 16, MIPTEX_HEIGHT = 20, MIPTEX_OFFSETS = 24, HOLE = 255,
	MOST_FRAMES = 10
};
enum { MODE_NORMAL, MODE_COLOR, MODE_TEXTURE, MODE_GLOW, MODE_SOLID, MODE_ADDITIVE };
#define FRAMES_PER_SECOND 5.0f
#define LEAST_ALPHA 0.25f              /* cut-out texels with less alpha than this are not drawn (xash3d
                                        * R_SetRenderMode) */
#define TEXTURE_GAMMA 0.8              /* 2 / 2.5, the engine's defaults of `texgamma` and `gamma` (xash3d gamma.c) */

static const struct { const char *name; bspscene_surface_kind include; } tools[] = {
	{ "aaatrigger", BSPSCENE_SURFACE_TRIGGER }, { "clip", BSPSCENE_SURFACE_CLIP }, { "noclip", BSPSCENE_SURFACE_CLIP },
	{ "origin", BSPSCENE_SURFACE_TOOL }, { "null", BSPSCENE_SURFACE_NODRAW }, { "skip", BSPSCENE_SURFACE_SKIP },
	{ "hint", BSPSCENE_SURFACE_HINT }, { "solidhint", BSPSCENE_SURFACE_HINT }, { "bevel", BSPSCENE_SURFACE_TOOL },
	{ "bevelhint", BSPSCENE_SURFACE_HINT }, { "splitface", BSPSCENE_SURFACE_TOOL },
	{ "contentwater", BSPSCENE_SURFACE_TOOL }, { "cliphull1", BSPSCENE_SURFACE_CLIP },
	{ "cliphull2", BSPSCENE_SURFACE_CLIP }, { "cliphull3", BSPSCENE_SURFACE_CLIP },
	{ "clipbevel", BSPSCENE_SURFACE_CLIP }, { "clipbevelbrush", BSPSCENE_SURFACE_CLIP },
	{ "boundingbox", BSPSCENE_SURFACE_TOOL }, { "trigger", BSPSCENE_SURFACE_TRIGGER },
	{ "nodraw", BSPSCENE_SURFACE_NODRAW },
};
/* Afterburner's tool textures are special/NAME. */
static const char tool_folder[] = "special/";

static bool is_sky(const char *name)
{
	return bspi_text_starts(name, "sky") || bspi_text_starts(name, "special/sky");
}

static bspscene_surface_kind tool_of(const char *name)
{
	bool in_folder = bspi_text_starts(name, tool_folder);
	if (is_sky(name)) return BSPSCENE_SURFACE_VISIBLE;
	if (in_folder) name += sizeof tool_folder - 1;
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
		if (bspi_text_equal(name, tools[i].name)) return tools[i].include;
	}
	return in_folder ? BSPSCENE_SURFACE_TOOL : BSPSCENE_SURFACE_VISIBLE;
}

static bool is_external(const bspi_texture *texture)
{
	return texture->miptex.size >= MIPTEX_HEADER && !bspi_load_u32(texture->miptex.data + MIPTEX_OFFSETS);
}

/* False for textures whose pixels are not needed: tools and skies, which are drawn without them, and copies of other
 * textures for a render mode. */
static bool needs_pixels(const bspi_texture *texture)
{
	if (texture->render_mode != MODE_NORMAL) return false;
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
		if (bspi_text_equal(texture->name, tools[i].name)) return false;
	}
	return !bspi_text_starts(texture->name, "sky");
}

static bool is_in_wads(const bspi_map_wads *wads, const char *name)
{
	for (uint32_t i = 0; i < wads->count; i++) {
		if (bspi_wad_find(&wads->list[i], name).size) return true;
	}
	return false;
}

static bool open_wads(bspi_materials *m, bspi_map_wads *wads)
{
	const char *value = bspi_worldspawn_value(m, "wad");
	if (!value) value = bspi_worldspawn_value(m, "_wad");
	BSPI_TRY(!value || bspi_open_map_wads(m->ctx, value, wads));
	uint32_t unfound = 0;
	for (uint32_t i = 0; wads->missing_count && i < m->texture_count; i++) {
		const bspi_texture *texture = &m->textures[i];
		unfound += is_external(texture) && needs_pixels(texture) && !is_in_wads(wads, texture->name);
	}
	return bspi_warn_of_missing_wads(m->ctx, wads, unfound);
}

/* State shared by all textures. */
typedef struct shared {
	bspi_map_wads wads;
	bspi_texture_lights lights;
} shared;

static bool begin(bspi_materials *m, const bspi_material_rules *rules)
{
	shared *state = bspi_push(m->ctx, &m->ctx->scratch, shared, 1);
	(void)rules;
	BSPI_TRY(state && bspi_list_texture_lights(m, &state->lights));
	m->state = state;
	bool external = false;
	for (uint32_t i = 0; i < m->texture_count; i++) external |= is_external(&m->textures[i]);
	return !external || m->ctx->options.textures == BSPSCENE_TEXTURES_NONE || open_wads(m, &state->wads);
}

typedef struct picture {
	const uint8_t *pixels;
	uint32_t width, height;
	bspi_bytes palette;
} picture;

/* Reads the indices of the largest mip level, and the palette. The palette follows the fourth level: u16 count, then
 * the colors. */
static bool read_picture(bspi_bytes miptex, picture *out)
{
	if (miptex.size < MIPTEX_HEADER) return false;
	out->width = bspi_load_u32(miptex.data + MIPTEX_WIDTH);
	out->height = bspi_load_u32(miptex.data + MIPTEX_HEIGHT);
	uint32_t first = bspi_load_u32(miptex.data + MIPTEX_OFFSETS),
	         last = bspi_load_u32(miptex.data + MIPTEX_OFFSETS + 12);
	bspi_bytes pixels, count;
	if (!first || !out->width || !out->height || out->width > 8192 || out->height > 8192) return false;
	if (!bspi_slice(miptex, first, (uint64_t)out->width * out->height, &pixels)) return false;
	out->pixels = pixels.data;
	uint64_t behind = last + (uint64_t)(out->width / 8) * (out->height / 8);
	if (!bspi_slice(miptex, behind, 2, &count)) return false;
	uint32_t colors = bspi_load_u16(count.data);
	return bspi_slice(miptex, behind + 2, 3 * (uint64_t)(colors < 256 ? colors : 256), &out->palette);
}

static bool find_picture(const bspi_materials *m, const bspi_texture *texture, picture *out)
{
	const bspi_map_wads *wads = &((const shared *)m->state)->wads;
	if (read_picture(texture->miptex, out)) return true;
	for (uint32_t i = 0; i < wads->count; i++) {
		if (read_picture(bspi_wad_find(&wads->list[i], texture->name), out)) return true;
	}
	return false;
}

/* True if the palette is Quake's, which means that the map was converted from Quake. The last color may differ, because
 * the engine's comparison leaves it out. */
static bool is_quakes(bspi_bytes palette)
{
	const size_t compared = BSPI_PALETTE_SIZE - 3;
	return palette.size >= compared && !memcmp(palette.data, bspi_librequake_palette, compared);
}

/* Applies the gamma that the engine applies when it uploads texels. So every host shows the same picture as the game.
 * Cut-out textures and textures with Quake's palette get no gamma (xash3d img_wad.c Image_LoadMIP, img_utils.c
 * Image_SetPalette). */
static bspi_bytes apply_gamma(bspi_bytes palette, uint8_t out[BSPI_PALETTE_SIZE])
{
	for (size_t i = 0; i < palette.size; i++) {
		out[i] = (uint8_t)(255 * pow(palette.data[i] / 255.0, TEXTURE_GAMMA) + 0.5);
	}
	return bspi_bytes_of(out, palette.size);
}

static void adapt_palette(uint8_t *palette)
{
	apply_gamma(bspi_bytes_of(palette, BSPI_PALETTE_SIZE), palette);
}

static bool add_picture(bspi_materials *m, const bspi_texture *texture, int32_t hole, uint32_t *image)
{
	picture found;
	uint8_t colors[BSPI_PALETTE_SIZE];
	bspi_index_rule rule = { hole, 256, false, true, false };
	if (m->map->rules.materials == BSPI_MATERIALS_AFTERBURNER) {
		char path[BSPI_PATH_SIZE];
		snprintf(path, sizeof path, "textures/%.64s.png", texture->name);
		return bspi_find_image(m, path, "not found, so its size is taken as 64 x 64", image);
	}
	if (find_picture(m, texture, &found)) {
		if (hole < 0 && !is_quakes(found.palette)) found.palette = apply_gamma(found.palette, colors);
		return bspi_add_indexed_image(m, texture->name, found.pixels, found.width, found.width, found.height,
		                              found.palette, rule, image);
	}
	return bspi_find_image(m, texture->name, "neither the map nor its WADs have its pixels", image);
}

/* See materials.h. If an entity blends its model, the engine draws the model without a lightmap, even if the compiler
 * stored one (xash3d R_BlendLightmaps). */
bool bspi_apply_render_mode(const bspi_texture *texture, bspscene_material *out)
{
	switch (texture->render_mode) {
	case MODE_COLOR:
		memcpy(out->color, texture->render_color, sizeof texture->render_color);
		out->alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
		break;
	case MODE_TEXTURE: case MODE_GLOW: out->alpha_mode = BSPSCENE_ALPHA_MODE_BLEND; break;
	case MODE_ADDITIVE: out->alpha_mode = BSPSCENE_ALPHA_MODE_ADD; break;
	default: return true;
	}
	out->color[3] = texture->render_amount;
	out->unlit = true;
	out->sort = 9;
	return texture->render_mode != MODE_COLOR;
}

static bool make(bspi_materials *m, const bspi_material_rules *rules, const bspi_texture *texture,
                 bspscene_material *out)
{
	uint32_t images[MOST_FRAMES], count = 1;
	(void)rules;
	bspscene_surface_kind tool = tool_of(texture->name);
	if (tool) {
		out->kind = BSPSCENE_MATERIAL_TOOL;
		out->surface_kind = tool;
	}
	if (is_sky(texture->name)) return bspi_make_sky_box(m, "gfx/env/", "skyname", "desert", out);
	bool liquid = texture->is_liquid || texture->name[0] == '!' || texture->name[0] == '*';
	bool cut_out = texture->name[0] == '{';
	out->surface_light = bspi_texture_light_of(&((const shared *)m->state)->lights, texture->name);
	if (liquid) {
		out->kind = BSPSCENE_MATERIAL_LIQUID;
		out->width = out->height = BSPI_LIQUID_SIZE;
		out->unlit = true; /* the engine draws liquids without their stored light (xash3d R_RenderBrushPoly) */
	}
	if (cut_out) {
		out->alpha_mode = BSPSCENE_ALPHA_MODE_MASK;
		out->alpha_cutoff = LEAST_ALPHA;
	}
	if (!bspi_apply_render_mode(texture, out)) return bspi_add_color_pass(m, out);
	if (m->ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
	const bspi_texture *frames[MOST_FRAMES];
	count = bspi_find_texture_frames(m, texture, frames, MOST_FRAMES);
	for (uint32_t i = 0; i < count; i++) {
		BSPI_TRY(add_picture(m, frames[i], cut_out ? HOLE : -1, &images[i]));
	}
	out->base_image = images[0];
	if (!out->width) {
		out->width = m->images[images[0]].width;
		out->height = m->images[images[0]].height;
	}
	BSPI_TRY(bspi_add_lit_passes(m, images, count, FRAMES_PER_SECOND, BSPSCENE_NO_INDEX, !out->unlit, out));
	const bspi_liquid warp = { .texels = 8, .frequency = 0.125f, .pieces = 64, .wave_height = texture->wave_height };
	return !liquid || bspi_warp_liquid(m, &warp, out); /* follows xash3d gl_rsurf.c EmitWaterPolys */
}

const bspi_material_rules bspi_material_rules_goldsrc = {
	.begin = begin, .make = make, .takes_foreign = true, .adapt_palette = adapt_palette,
};
const bspi_material_rules bspi_material_rules_afterburner = {
	.begin = begin, .make = make, .adapt_palette = adapt_palette,
};
