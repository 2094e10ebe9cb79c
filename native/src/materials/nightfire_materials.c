/* nightfire_materials.c - makes materials from Nightfire's texture names, surface flags and material names.
 *
 * A surface has the name of an image below textures/, without extension. It also has the name of a material: a file
 * materials/NAME.rma says how to draw it. These files are not read. Common materials are recognized by their names. All
 * others are drawn opaque and lit (docs/formats/nightfire.md, "Surfaces"). */
#include "materials/indexed/indexed.h"

#include <stdio.h>

#include "base/text.h"
#include "io/io.h"

#define SURF_SKY 0x4u
#define SURF_WATER 0x100000u

/* The surface kind of a texture special/NAME. A surface matches a row by NAME, or by the flag that the map compiler
 * sets for this name (bbsp, mapfile.cpp; 0: none). The first row that matches counts. */
static const struct { uint32_t flag; const char *name; bspscene_surface_kind include; } tools[] = {
	{ SURF_SKY, "sky", BSPSCENE_SURFACE_SKY }, { 0x200000, "trigger", BSPSCENE_SURFACE_TRIGGER },
	{ 0x10000, "clip", BSPSCENE_SURFACE_CLIP }, { 0x80000, "itemclip", BSPSCENE_SURFACE_CLIP },
	{ 0x1000, "hint", BSPSCENE_SURFACE_HINT }, { 0, "skip", BSPSCENE_SURFACE_SKIP },
	{ 0x400, "origin", BSPSCENE_SURFACE_TOOL }, { 0x100, "bsp", BSPSCENE_SURFACE_TOOL },
	{ 0x10, "portal", BSPSCENE_SURFACE_TOOL }, { 0x20, "nodraw", BSPSCENE_SURFACE_NODRAW },
};

static bspscene_surface_kind tool_of(const bspi_texture *texture)
{
	static const char folder[] = "special/";
	const char *name = bspi_text_starts(texture->name, folder) ? texture->name + sizeof folder - 1 : "";
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
		if (texture->surface_flags & tools[i].flag || bspi_text_equal(name, tools[i].name)) return tools[i].include;
	}
	return BSPSCENE_SURFACE_VISIBLE;
}

static void cut_out(bspscene_material *out)
{
	out->alpha_mode = BSPSCENE_ALPHA_MODE_MASK;
	out->alpha_cutoff = 0.5f;
}

static bool apply_effect(const bspi_materials *m, const bspi_texture *texture, bspscene_material *out)
{
	if (*bspi_last_part(texture->name) == '{') cut_out(out);
	if (texture->effect < 0 || (uint32_t)texture->effect >= m->map->effects_count) return true;
	const char *name = m->map->effects[texture->effect].name;
	out->script_file = bspi_text_format(m->ctx, &m->ctx->result, "materials/%s.rma", name);
	BSPI_TRY(out->script_file);
	if (bspi_text_equal(name, "wld_fullbright")) out->unlit = true;
	if (bspi_text_equal(name, "wld_masked")) cut_out(out);
	if (bspi_text_equal(name, "wld_glass")) {
		out->alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
		out->sort = 9;
	}
	return true;
}

static bool make(bspi_materials *m, const bspi_material_rules *rules, const bspi_texture *texture,
                 bspscene_material *out)
{
	char path[BSPI_PATH_SIZE];
	(void)rules;
	BSPI_TRY(apply_effect(m, texture, out));
	out->surface_kind = tool_of(texture);
	/* It is not known in which folder this game keeps its sky boxes. GoldSrc's folder is used. */
	if (out->surface_kind == BSPSCENE_SURFACE_SKY) return bspi_make_sky_box(m, "gfx/env/", "skyname", NULL, out);
	if (out->surface_kind) out->kind = BSPSCENE_MATERIAL_TOOL;
	else if (texture->surface_flags & SURF_WATER) out->kind = BSPSCENE_MATERIAL_LIQUID;
	if (!bspi_apply_render_mode(texture, out)) return bspi_add_color_pass(m, out);
	bool shown = !out->surface_kind || m->ctx->options.include_mask & (uint32_t)out->surface_kind;
	if (!shown || m->ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
	snprintf(path, sizeof path, "textures/%.67s", texture->name);
	BSPI_TRY(bspi_find_image(m, path, "not found, so its size is taken as 64 x 64", &out->base_image));
	out->width = m->images[out->base_image].width;
	out->height = m->images[out->base_image].height;
	return bspi_add_lit_passes(m, &out->base_image, 1, 0, BSPSCENE_NO_INDEX, !out->unlit, out);
}

const bspi_material_rules bspi_material_rules_nightfire = { .make = make };
