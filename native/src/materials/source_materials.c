/* source_materials.c - makes materials from Source's texture names and flags: decides which textures are skies or
 * editor surfaces, and reads VMT files for all others.
 *
 * Flags are not enough: a third of the trigger faces lack the trigger flag, so the last part of the name counts too.
 * Not all textures in tools/ are hidden: toolsblack and surfaces of mods are visible (docs/formats/source.md,
 * "Faces"). */
#include <stdio.h>

#include "base/text.h"
#include "materials/vmt/vmt_reading.h"

#define SURF_SKY2D 0x2u
#define SURF_SKY 0x4u
#define SURF_WARP 0x8u
#define SURF_TRANS 0x10u
#define SURF_TRIGGER 0x40u
#define SURF_NODRAW 0x80u
#define SURF_HINT 0x100u
#define SURF_SKIP 0x200u

/* Prefixes of the last part of a name. If a prefix begins with another one and means something else, it comes first. */
static const struct { const char *start; bspscene_surface_kind include; } tools[] = {
	{ "toolsskyfog", BSPSCENE_SURFACE_TOOL }, { "toolsskybox", BSPSCENE_SURFACE_SKY },
	{ "toolsnodraw", BSPSCENE_SURFACE_NODRAW }, { "toolsinvisible", BSPSCENE_SURFACE_NODRAW },
	{ "toolstrigger", BSPSCENE_SURFACE_TRIGGER }, { "toolshint", BSPSCENE_SURFACE_HINT },
	{ "toolssolidhint", BSPSCENE_SURFACE_HINT }, { "toolsskip", BSPSCENE_SURFACE_SKIP },
	{ "toolsclip", BSPSCENE_SURFACE_CLIP }, { "toolsplayerclip", BSPSCENE_SURFACE_CLIP },
	{ "toolsnpcclip", BSPSCENE_SURFACE_CLIP }, { "toolsgrenadeclip", BSPSCENE_SURFACE_CLIP },
	{ "toolsdroneclip", BSPSCENE_SURFACE_CLIP }, { "toolscontrolclip", BSPSCENE_SURFACE_CLIP },
	{ "toolsareaportal", BSPSCENE_SURFACE_TOOL }, { "toolsoccluder", BSPSCENE_SURFACE_TOOL },
	{ "toolsblocklight", BSPSCENE_SURFACE_TOOL }, { "toolsblockbullets", BSPSCENE_SURFACE_TOOL },
	{ "toolsblock_los", BSPSCENE_SURFACE_TOOL }, { "toolsblockbomb", BSPSCENE_SURFACE_TOOL },
	{ "toolsblocksound", BSPSCENE_SURFACE_TOOL }, { "toolsfog", BSPSCENE_SURFACE_TOOL },
	{ "toolsorigin", BSPSCENE_SURFACE_TOOL }, { "tools_shadow", BSPSCENE_SURFACE_TOOL },
};

/* Returns the surface kind of a texture in a folder tools/. `last` is the name in this folder and must match as a
 * whole, except that names of triggers may begin with `trigger_`. */
static bspscene_surface_kind tool_in_folder(const char *last)
{
	if (bspi_text_equal(last, "trigger") || bspi_text_starts(last, "trigger_")) return BSPSCENE_SURFACE_TRIGGER;
	if (bspi_text_equal(last, "clip")) return BSPSCENE_SURFACE_CLIP;
	return bspi_text_equal(last, "origin") ? BSPSCENE_SURFACE_TOOL : BSPSCENE_SURFACE_VISIBLE;
}

static bspscene_surface_kind tool_by_name(const char *name)
{
	const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
		if (bspi_text_starts(last, tools[i].start)) return tools[i].include;
	}
	enum { FOLDER = 6 };
	bool in_folder = slash && last - name >= FOLDER && bspi_text_starts(last - FOLDER, "tools/");
	return in_folder ? tool_in_folder(last) : BSPSCENE_SURFACE_VISIBLE;
}

static bspscene_surface_kind tool_by_flags(uint32_t flags)
{
	if (flags & (SURF_SKY | SURF_SKY2D)) return BSPSCENE_SURFACE_SKY;
	if (flags & SURF_NODRAW) return BSPSCENE_SURFACE_NODRAW;
	if (flags & SURF_HINT) return BSPSCENE_SURFACE_HINT;
	if (flags & SURF_SKIP) return BSPSCENE_SURFACE_SKIP;
	return flags & SURF_TRIGGER ? BSPSCENE_SURFACE_TRIGGER : BSPSCENE_SURFACE_VISIBLE;
}

/* ---- Sky -------------------------------------------------------------------------------------------------- */

static bool find_side_of_vmt(bspi_materials *m, const bspi_vmt *vmt, uint32_t *index)
{
	static const char *const keys[] = { "$basetexture", "$hdrbasetexture", NULL };
	static const char *const packed[] = { "$hdrcompressedtexture", NULL };
	BSPI_TRY(bspi_find_vmt_image(m, vmt, keys, false, index));
	if (*index != BSPSCENE_NO_INDEX) return true;
	BSPI_TRY(bspi_find_vmt_image(m, vmt, packed, false, index));
	return *index == BSPSCENE_NO_INDEX || bspi_add_unpacked_light(m, index);
}

/* Finds the image of a sky side: the one that the side's VMT names, otherwise the VTF with the side's name. */
static bool find_side(bspi_materials *m, const char *name, const char *side, uint32_t *index)
{
	char path[BSPI_PATH_SIZE];
	bspi_vmt vmt;
	bool found;
	snprintf(path, sizeof path, "skybox/%.100s%s", name, side);
	BSPI_TRY(bspi_open_vmt(m->ctx, path, &vmt, &found));
	*index = BSPSCENE_NO_INDEX;
	if (found) BSPI_TRY(find_side_of_vmt(m, &vmt, index));
	if (*index != BSPSCENE_NO_INDEX) return true;
	snprintf(path, sizeof path, "materials/skybox/%.100s%s.vtf", name, side);
	return bspi_try_image(m, path, index);
}

static bool make_sky(bspi_materials *m, bspscene_material *out)
{
	const char *name = bspi_worldspawn_value(m, "skyname");
	bspi_make_sky(out);
	if (!name || !*name) return true;
	bspscene_sky *sky = bspi_add_sky(m->ctx, out);
	BSPI_TRY(sky);
	sky->name = bspi_text_format(m->ctx, &m->ctx->result, "skybox/%.100s", name);
	BSPI_TRY(sky->name);
	if (m->ctx->options.textures == BSPSCENE_TEXTURES_NONE || !m->ctx->options.open_file) return true;
	bool any = false;
	for (int i = 0; i < 6; i++) {
		BSPI_TRY(find_side(m, name, bspi_box_suffixes[i], &sky->box[i]));
		any |= sky->box[i] != BSPSCENE_NO_INDEX;
	}
	return any ||
	       bspi_warn(m->ctx, BSPSCENE_WARNING_FILE_MISSING, BSPI_LUMP("sky"),
	                 "the pictures of the sky were not found: materials/%s with rt, bk, lf, ft, up or dn after it",
	                 sky->name);
}

/* ---- Surfaces --------------------------------------------------------------------------------------------- */

/* Marks the textures that are used on displacements. Only displacements have weights for a second image. */
static bool begin(bspi_materials *m, const bspi_material_rules *rules)
{
	bool *displaced = bspi_push(m->ctx, &m->ctx->scratch, bool, m->texture_count);
	(void)rules;
	BSPI_TRY(displaced);
	for (uint32_t i = 0; i < m->map->faces_count; i++) {
		const bspi_face *face = &m->map->faces[i];
		if (face->kind == BSPI_FACE_DISPLACEMENT) displaced[bspi_shown_texture(m, i)] = true;
	}
	m->state = displaced;
	return true;
}

/* True if any texture of this name is on a displacement. */
static bool is_displaced(const bspi_materials *m, const bspi_texture *texture)
{
	const bool *displaced = m->state;
	for (uint32_t i = 0; i < m->texture_count; i++) {
		if (displaced[i] && bspi_text_equal(m->textures[i].name, texture->name)) return true;
	}
	return false;
}

/* Makes the material of a texture without a VMT: the VTF of that name. The flags of the map's compiler say if it is
 * blended. */
static bool make_without_vmt(bspi_materials *m, const char *name, bspscene_material *out)
{
	const float blended_sort = 9;
	char path[BSPI_PATH_SIZE];
	snprintf(path, sizeof path, "materials/%.200s.vtf", name);
	if (out->surface_flags & SURF_WARP) out->kind = BSPSCENE_MATERIAL_LIQUID;
	if (out->surface_flags & SURF_TRANS) {
		out->alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
		out->sort = blended_sort;
	}
	BSPI_TRY(bspi_find_image(m, path, "neither the material's .vmt nor a picture of the same name was found",
	                         &out->base_image));
	/* A missing image that should be blended lets half of the background through. */
	bool requested = out->base_image != BSPSCENE_NO_INDEX;
	bool missing = requested && m->images[out->base_image].format == BSPSCENE_IMAGE_MISSING;
	if (missing && out->surface_flags & SURF_TRANS) out->color[3] = 0.5f;
	return true;
}

/* If the image of water is missing, sets the water's color to $fogcolor, which the VMT patch inside the map states. */
static void color_water(const bspi_materials *m, const bspi_vmt *vmt, bspscene_material *out)
{
	float color[3];
	bool requested = out->kind == BSPSCENE_MATERIAL_LIQUID && out->base_image != BSPSCENE_NO_INDEX;
	if (!requested || m->images[out->base_image].format != BSPSCENE_IMAGE_MISSING) return;
	if (!bspi_vmt_color(vmt, "$fogcolor", color)) return;
	memcpy(out->color, color, sizeof color);
	out->base_image = BSPSCENE_NO_INDEX;
}

/* Makes a material from a VMT. If the VMT patches a missing file, the VTF with the name of that file is used. */
static bool make_from_vmt(bspi_materials *m, const bspi_texture *texture, const bspi_vmt *vmt, bspscene_material *out)
{
	out->script_file = vmt->path;
	out->script_line = *vmt->shader ? 1 : 0;
	if (!*vmt->shader) {
		char name[BSPI_PATH_SIZE];
		size_t rooted = bspi_text_starts(vmt->path, "materials/") ? strlen("materials/") : 0;
		size_t ending = bspi_text_ends(vmt->path, ".vmt") ? strlen(".vmt") : 0;
		size_t length = strlen(vmt->path) - rooted - ending;
		snprintf(name, sizeof name, "%.*s", (int)length, vmt->path + rooted);
		BSPI_TRY(make_without_vmt(m, name, out));
		color_water(m, vmt, out);
		return true;
	}
	out->script_text = bspi_text_copy(m->ctx, vmt->text, NULL);
	BSPI_TRY(out->script_text);
	bool blends = bspi_vmt_value(vmt, "$basetexture2") && is_displaced(m, texture);
	return bspi_read_vmt(m, vmt, blends, out);
}

static bool is_shown(const bspi_materials *m, const bspscene_material *material)
{
	return !material->surface_kind || m->ctx->options.include_mask & (uint32_t)material->surface_kind;
}

/* Makes a material. It has no passes: the properties for a single texture are enough. */
static bool make(bspi_materials *m, const bspi_material_rules *rules, const bspi_texture *texture,
                 bspscene_material *out)
{
	bspi_vmt vmt;
	bool found = false;
	(void)rules;
	out->surface_kind = tool_by_flags(texture->surface_flags);
	if (!out->surface_kind) out->surface_kind = tool_by_name(texture->name);
	if (out->surface_kind == BSPSCENE_SURFACE_SKY) return make_sky(m, out);
	if (out->surface_kind) out->kind = BSPSCENE_MATERIAL_TOOL;
	if (!is_shown(m, out) || m->ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
	BSPI_TRY(bspi_open_vmt(m->ctx, texture->name, &vmt, &found));
	if (found && !out->surface_kind) out->surface_kind = bspi_vmt_tool(&vmt);
	if (out->surface_kind == BSPSCENE_SURFACE_SKY) return make_sky(m, out);
	if (out->surface_kind) out->kind = BSPSCENE_MATERIAL_TOOL;
	if (!is_shown(m, out)) return true;
	BSPI_TRY(found ? make_from_vmt(m, texture, &vmt, out) : make_without_vmt(m, texture->name, out));
	if (out->base_image == BSPSCENE_NO_INDEX) return true;
	/* Uvs are divided by the image size that the map stores. This size is 0 if the map's compiler did not find the
	 * material. Then the size of the found image is used. */
	if (!out->width) out->width = m->images[out->base_image].width;
	if (!out->height) out->height = m->images[out->base_image].height;
	return true;
}

const bspi_material_rules bspi_material_rules_source = { .begin = begin, .make = make, .names_models = true };
