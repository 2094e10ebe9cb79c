/* genesis3d_materials.c - makes materials from Genesis3D's textures. Images and palettes are in the map. Flags of the
 * texinfo tell how they are drawn. Worldspawn names the six textures of the sky (docs/formats/genesis3d.md). */
#include "materials/indexed/indexed.h"

#include <stdio.h>

#include "base/text.h"

enum { SKY = 0x4, BY_VERTEX = 0x60, NO_LIGHTMAP = 0x8000, HOLE = 255, NOTHING_GLOWS = 256 };

static bool has_picture(const bspi_texture *texture)
{
	return texture->miptex.size && texture->palette.size;
}

/* Adds the image of a texture. Copies of the texture with other flags share it, because its holes do not depend on the
 * flags. */
static bool add_picture(bspi_materials *m, const bspi_texture *texture, uint32_t *image)
{
	bspi_index_rule rule = { texture->holes ? HOLE : -1, NOTHING_GLOWS, false, true, false };
	if (!has_picture(texture)) return bspi_find_image(m, texture->name, "the map does not have its picture", image);
	if (bspi_find_made_picture(m, texture->name, image)) return true;
	return bspi_add_indexed_image(m, texture->name, texture->miptex.data, texture->width, texture->width,
	                              texture->height, texture->palette, rule, image);
}

/* ---- The sky ---------------------------------------------------------------------------------------------- */

static const bspi_texture *find_texture(const bspi_materials *m, const char *name)
{
	for (uint32_t i = 0; i < m->texture_count; i++) {
		if (bspi_text_equal(m->textures[i].name, name) && has_picture(&m->textures[i])) return &m->textures[i];
	}
	return NULL;
}

/* Adds an image of the sky, rotated by a quarter turn. The images of the game's ceiling and floor are aligned with
 * front and back, but those of a cube map with left and right (World.cpp BuildSkyBox). */
static bool add_turned(bspi_materials *m, const bspi_texture *texture, bool up, uint32_t *image)
{
	char name[sizeof texture->name + 8];
	uint32_t width = texture->height, height = texture->width;
	snprintf(name, sizeof name, "%s_%s", texture->name, up ? "up" : "down");
	if (bspi_find_made_picture(m, name, image)) return true;
	uint8_t *turned = bspi_push_unset(m->ctx, &m->ctx->scratch, (size_t)width * height, 1);
	BSPI_TRY(turned);
	for (uint32_t y = 0; y < height; y++) {
		for (uint32_t x = 0; x < width; x++) {
			uint32_t row = up ? texture->height - 1 - x : x, column = up ? y : texture->width - 1 - y;
			turned[(size_t)y * width + x] = texture->miptex.data[(size_t)row * texture->width + column];
		}
	}
	bspi_index_rule rule = { -1, NOTHING_GLOWS, false, true, false };
	return bspi_add_indexed_image(m, name, turned, width, width, height, texture->palette, rule, image);
}

/* Makes the sky. Front is -Z in the game, which becomes +Y. */
static bool make_sky(bspi_materials *m, bspscene_material *out)
{
	enum { SIDES = 6, UP = 4 };
	static const char *const keys[SIDES] = { "SkyRight", "SkyFront", "SkyLeft", "SkyBack", "SkyTop", "SkyBottom" };
	bspi_make_sky(out);
	bspscene_sky *sky = bspi_add_sky(m->ctx, out);
	BSPI_TRY(sky);
	sky->name = out->name;
	if (m->ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
	for (int i = 0; i < SIDES; i++) {
		const char *name = bspi_worldspawn_value(m, keys[i]);
		const bspi_texture *texture = name ? find_texture(m, name) : NULL;
		if (!texture) continue;
		BSPI_TRY(i >= UP ? add_turned(m, texture, i == UP, &sky->box[i]) : add_picture(m, texture, &sky->box[i]));
	}
	return true;
}

/* ---- Everything else -------------------------------------------------------------------------------------- */

static bool make(bspi_materials *m, const bspi_material_rules *rules, const bspi_texture *texture,
                 bspscene_material *out)
{
	const float sort_of_glass = 9, half = 0.5f;
	uint32_t image;
	(void)rules;
	if (texture->surface_flags & SKY) return make_sky(m, out);
	out->unlit = texture->surface_flags & NO_LIGHTMAP && !(texture->surface_flags & BY_VERTEX);
	if (texture->holes) {
		out->alpha_mode = BSPSCENE_ALPHA_MODE_MASK;
		out->alpha_cutoff = half;
	}
	if (texture->render_amount < 1) {
		out->alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
		out->color[3] = texture->render_amount;
		out->sort = sort_of_glass;
	}
	if (m->ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
	BSPI_TRY(add_picture(m, texture, &image));
	out->base_image = image;
	out->width = m->images[image].width;
	out->height = m->images[image].height;
	if (out->alpha_mode == BSPSCENE_ALPHA_MODE_BLEND) return bspi_add_blended_pass(m, image, out);
	return bspi_add_lit_passes(m, &image, 1, 0, BSPSCENE_NO_INDEX, !out->unlit, out);
}

const bspi_material_rules bspi_material_rules_genesis3d = { .make = make };
