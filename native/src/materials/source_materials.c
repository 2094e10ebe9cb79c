/* source_materials.c - texture names and flags of Source maps to materials, without their VMT files: what is sky or an
 * editor's surface, and the picture when a plain image of the name is there.
 *
 * Flags alone do not tell: a third of the trigger faces lack theirs, so names decide too, by their last part. Not all of
 * tools/ is hidden: toolsblack and mods' own surfaces are meant to be seen (source.md 4.6). */
#include "materials/indexed.h"

#include <stdio.h>

#include "base/text.h"
#include "io/io.h"

#define SURF_SKY2D 0x2u
#define SURF_SKY 0x4u
#define SURF_TRANS 0x10u
#define SURF_TRIGGER 0x40u
#define SURF_NODRAW 0x80u
#define SURF_HINT 0x100u
#define SURF_SKIP 0x200u

/* Beginnings of the last part of a name; longer ones that mean something else first. */
static const struct { const char *start; bspscene_include include; } tools[] = {
	{ "toolsskyfog", BSPSCENE_INCLUDE_TOOL }, { "toolsskybox", BSPSCENE_INCLUDE_SKY },
	{ "toolsnodraw", BSPSCENE_INCLUDE_NODRAW }, { "toolsinvisible", BSPSCENE_INCLUDE_NODRAW },
	{ "toolstrigger", BSPSCENE_INCLUDE_TRIGGER }, { "toolshint", BSPSCENE_INCLUDE_HINT },
	{ "toolssolidhint", BSPSCENE_INCLUDE_HINT }, { "toolsskip", BSPSCENE_INCLUDE_SKIP },
	{ "toolsclip", BSPSCENE_INCLUDE_CLIP }, { "toolsplayerclip", BSPSCENE_INCLUDE_CLIP },
	{ "toolsnpcclip", BSPSCENE_INCLUDE_CLIP }, { "toolsgrenadeclip", BSPSCENE_INCLUDE_CLIP },
	{ "toolsdroneclip", BSPSCENE_INCLUDE_CLIP }, { "toolscontrolclip", BSPSCENE_INCLUDE_CLIP },
	{ "toolsareaportal", BSPSCENE_INCLUDE_TOOL }, { "toolsoccluder", BSPSCENE_INCLUDE_TOOL },
	{ "toolsblocklight", BSPSCENE_INCLUDE_TOOL }, { "toolsblockbullets", BSPSCENE_INCLUDE_TOOL },
	{ "toolsblock_los", BSPSCENE_INCLUDE_TOOL }, { "toolsblockbomb", BSPSCENE_INCLUDE_TOOL },
	{ "toolsblocksound", BSPSCENE_INCLUDE_TOOL }, { "toolsfog", BSPSCENE_INCLUDE_TOOL },
	{ "toolsorigin", BSPSCENE_INCLUDE_TOOL }, { "tools_shadow", BSPSCENE_INCLUDE_TOOL },
};

/* Whole names, of textures in a folder tools/; `trigger_` begins more of them. */
static bspscene_include tool_in_folder(const char *last)
{
	if (bspi_text_equal(last, "trigger") || bspi_text_starts(last, "trigger_")) return BSPSCENE_INCLUDE_TRIGGER;
	if (bspi_text_equal(last, "clip")) return BSPSCENE_INCLUDE_CLIP;
	return bspi_text_equal(last, "origin") ? BSPSCENE_INCLUDE_TOOL : BSPSCENE_VISIBLE;
}

static bspscene_include tool_by_name(const char *name)
{
	const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
		if (bspi_text_starts(last, tools[i].start)) return tools[i].include;
	}
	enum { FOLDER = 6 };
	bool in_folder = slash && last - name >= FOLDER && bspi_text_starts(last - FOLDER, "tools/");
	return in_folder ? tool_in_folder(last) : BSPSCENE_VISIBLE;
}

static bspscene_include tool_by_flags(uint32_t flags)
{
	if (flags & (SURF_SKY | SURF_SKY2D)) return BSPSCENE_INCLUDE_SKY;
	if (flags & SURF_NODRAW) return BSPSCENE_INCLUDE_NODRAW;
	if (flags & SURF_HINT) return BSPSCENE_INCLUDE_HINT;
	if (flags & SURF_SKIP) return BSPSCENE_INCLUDE_SKIP;
	return flags & SURF_TRIGGER ? BSPSCENE_INCLUDE_TRIGGER : BSPSCENE_VISIBLE;
}

static bool make_sky(bspi_materials *m, bspscene_material *out)
{
	static const char *const sides[6] = { "rt", "bk", "lf", "ft", "up", "dn" };
	const char *name = NULL;
	for (uint32_t i = 0; i < m->scene->entity_count && !name; i++) {
		if (bspi_text_equal(m->scene->entities[i].classname, "worldspawn")) name = bspscene_entity_value(m->scene, i, "skyname");
	}
	out->kind = BSPSCENE_MATERIAL_SKY;
	out->include = BSPSCENE_INCLUDE_SKY;
	out->unlit = true;
	if (!name || !*name) return true;
	out->sky.name = bspi_text_format(m->ctx, &m->ctx->result, "skybox/%.100s", name);
	BSPI_TRY(out->sky.name);
	for (int i = 0; i < 6; i++) {
		char path[BSPI_PATH_SIZE];
		snprintf(path, sizeof path, "materials/skybox/%.100s%s", name, sides[i]);
		BSPI_TRY(bspi_try_image(m, path, &out->sky.box[i]));
	}
	return true;
}

/* The map's own size stays what uvs are divided by; it is 0 where the compiler did not find the material. */
static bool add_picture(bspi_materials *m, const bspi_texture *texture, bspscene_material *out)
{
	char path[BSPI_PATH_SIZE];
	snprintf(path, sizeof path, "materials/%.131s", texture->name);
	BSPI_TRY(bspi_find_image(m, path, "materials (VMT, VTF) are not read yet", &out->base_image));
	if (out->base_image == BSPSCENE_NO_INDEX) return true;
	if (!out->width) out->width = m->images[out->base_image].width;
	if (!out->height) out->height = m->images[out->base_image].height;
	return true;
}

static bool make(bspi_materials *m, const bspi_material_rules *rules, const bspi_texture *texture, bspscene_material *out)
{
	(void)rules;
	out->include = tool_by_flags(texture->surface_flags);
	if (!out->include) out->include = tool_by_name(texture->name);
	if (out->include == BSPSCENE_INCLUDE_SKY) return make_sky(m, out);
	if (out->include) out->kind = BSPSCENE_MATERIAL_TOOL;
	if (texture->surface_flags & SURF_TRANS) {
		out->alpha_mode = BSPSCENE_ALPHA_BLEND;
		out->sort = 9;
	}
	bool shown = !out->include || m->ctx->options.include & (uint32_t)out->include;
	if (!shown || m->ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
	BSPI_TRY(add_picture(m, texture, out));
	return bspi_add_lit_stages(m, &out->base_image, 1, 0, BSPSCENE_NO_INDEX, !out->unlit, out);
}

const bspi_material_rules bspi_material_rules_source = { .make = make };
