/* vmt_reflection.c - reads reflections of VMT files: $envmap and its masks (SDK:
 * stdshaders/lightmappedgeneric_dx9_helper.cpp, vertexlitgeneric_dx9_helper.cpp, and their pixel shaders). */
#include "materials/vmt/vmt_reading.h"

#include <stdio.h>

#include "base/text.h"

/* Finds a cube map. The map's compiler writes one file for LDR and another one for HDR. */
static bool find_cube(bspi_materials *m, const char *name, uint32_t *first_frame)
{
	static const char *const endings[] = { ".vtf", ".hdr.vtf" };
	char path[BSPI_PATH_SIZE], stem[BSPI_PATH_SIZE];
	*first_frame = BSPSCENE_NO_INDEX;
	if (!bspi_text_path(name, false, stem, sizeof stem)) return true;
	if (bspi_text_ends(stem, ".vtf")) stem[strlen(stem) - strlen(".vtf")] = 0;
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		uint32_t image;
		snprintf(path, sizeof path, "materials/%.200s%s", stem, endings[i]);
		BSPI_TRY(bspi_try_image(m, path, &image));
		if (image != BSPSCENE_NO_INDEX) return bspi_add_cube(m, image, first_frame);
	}
	return true;
}

static bool has_alpha(const bspi_materials *m, uint32_t image)
{
	return image != BSPSCENE_NO_INDEX && m->images[image].has_alpha;
}

/* Chooses what masks the reflection. A material with a normal map ignores a mask image. Models' shaders then reflect
 * nothing at all, unless the mask is the alpha of the normal map. */
static bool choose_mask(bspi_materials *m, const bspi_vmt *vmt, bspi_vmt_kind kind, const bspscene_material *material,
                        bspscene_reflection *out, bool *reflects)
{
	static const char *const masks[] = { "$envmapmask", NULL };
	bool bumped = bspi_vmt_value(vmt, "$bumpmap"), by_normals = bspi_vmt_is_set(vmt, "$normalmapalphaenvmapmask");
	bool by_base = bspi_vmt_is_set(vmt, "$basealphaenvmapmask") && has_alpha(m, material->base_image);
	bool by_image = bspi_vmt_value(vmt, "$envmapmask");
	*reflects = kind == BSPI_VMT_LIGHTMAPPED || !bumped || by_normals || (!by_base && !by_image);
	if (by_normals && out->normal_image != BSPSCENE_NO_INDEX) {
		out->mask = BSPSCENE_REFLECTION_MASK_NORMAL_ALPHA;
	} else if (by_base) {
		out->mask = BSPSCENE_REFLECTION_MASK_BASE_ALPHA;
	} else if (by_image && !bumped) {
		BSPI_TRY(bspi_find_vmt_image(m, vmt, masks, false, &out->mask_image));
		if (out->mask_image != BSPSCENE_NO_INDEX) out->mask = BSPSCENE_REFLECTION_MASK_IMAGE;
	}
	return true;
}

/* Chooses the mask for materials with $phong: the alpha of the normal map or of the base image. Other shaders use 1
 * minus the alpha of the base image; this one uses the alpha. */
static void choose_glossy_mask(const bspi_vmt *vmt, const bspscene_phong *gloss, bspscene_reflection *out)
{
	bool by_gloss = bspi_vmt_is_set(vmt, "$normalmapalphaenvmapmask");
	bool invert = bspi_vmt_is_set(vmt, "$invertphongmask");
	if (gloss->masked_by_base) out->normal_image = BSPSCENE_NO_INDEX;
	out->inverted = invert;
	if (!by_gloss || gloss->masked_by_base) {
		out->mask = BSPSCENE_REFLECTION_MASK_BASE_ALPHA;
		out->inverted = !invert;
	} else if (out->normal_image != BSPSCENE_NO_INDEX) {
		out->mask = BSPSCENE_REFLECTION_MASK_NORMAL_ALPHA;
	}
}

/* Reads the contrast. Shaders of lightmapped surfaces have a fast variant that uses only contrast 0 or 1. The full
 * variant is used only if a key requires it. */
static void read_contrast(const bspi_vmt *vmt, bspi_vmt_kind kind, bspscene_reflection *out)
{
	float contrast = bspi_vmt_number(vmt, "$envmapcontrast", 0), tint[3] = { 1, 1, 1 };
	out->contrast = contrast;
	out->saturation = bspi_vmt_number(vmt, "$envmapsaturation", 1);
	out->share = 1;
	if (kind != BSPI_VMT_LIGHTMAPPED) return;
	bspi_vmt_color(vmt, "$selfillumtint", tint);
	bool tinted = bspi_vmt_is_set(vmt, "$selfillum") && (tint[0] != 1 || tint[1] != 1 || tint[2] != 1);
	out->share = bspi_vmt_number(vmt, "$fresnelreflection", 1);
	bool long_way = tinted || out->share != 1 || (contrast != 0 && contrast != 1 && out->saturation != 1);
	if (long_way) return;
	out->contrast = contrast == 1;
	out->saturation = 1;
}

static void read_look(const bspi_vmt *vmt, bspi_vmt_kind kind, bool glossy, bspscene_reflection *out)
{
	for (int k = 0; k < 3; k++) out->color[k] = 1;
	bspi_vmt_color(vmt, "$envmaptint", out->color);
	out->saturation = out->share = 1;
	if (glossy) return;
	read_contrast(vmt, kind, out);
	if (kind == BSPI_VMT_OF_MODELS) bspi_linear_vmt_color(out->color);
}

static void read_places(const bspi_vmt *vmt, bspi_vmt_kind kind, bspscene_reflection *out)
{
	bspi_vmt_transform place;
	bspi_read_vmt_transform(vmt, "$envmapmasktransform", &place);
	memcpy(out->uv_scale, place.scale, sizeof place.scale);
	memcpy(out->uv_offset, place.offset, sizeof place.offset);
	out->uv_rotation_radians = place.rotation;
	out->with_base = kind == BSPI_VMT_OF_MODELS;
}

/* Finds the reflected cube map. The map's compiler replaces the name env_cubemap by that of a cube map of the map.
 * Where it did not, the game chooses a cube map while running. For the world's own faces it then draws no
 * reflection. */
static bool find_surroundings(bspi_materials *m, const bspi_vmt *vmt, bspi_vmt_kind kind, bspscene_reflection *out,
                              bool *found)
{
	const char *name = bspi_vmt_value(vmt, "$envmap");
	out->first_frame_image = BSPSCENE_NO_INDEX;
	*found = false;
	if (!name || bspi_vmt_is_set(vmt, "$envmapsphere")) return true;
	if (bspi_text_equal(name, "env_cubemap")) {
		*found = kind == BSPI_VMT_OF_MODELS;
		m->mirrors_nearest |= *found;
		return true;
	}
	BSPI_TRY(find_cube(m, name, &out->first_frame_image));
	*found = out->first_frame_image != BSPSCENE_NO_INDEX;
	return true;
}

static bool keep(bspi_materials *m, const bspscene_reflection *found, bspscene_material *out)
{
	bspscene_reflection *kept = bspi_push(m->ctx, &m->ctx->result, bspscene_reflection, 1);
	BSPI_TRY(kept);
	*kept = *found;
	out->reflection = kept;
	return true;
}

/* Reads the reflection of water (water.cpp, WaterCheap_ps2x.fxc, water_ps2x_helper.h). The game renders the mirrored
 * world, or shows a cube map on cheap water. Here a cube map is used in both cases. Of the waves' movement, only that
 * of $bumptransform is used. */
static bool read_water(bspi_materials *m, const bspi_vmt *vmt, bspscene_material *out)
{
	static const char *const normals[] = { "$normalmap", NULL };
	bspscene_reflection found = { .mask_image = BSPSCENE_NO_INDEX, .with_base = true, .saturation = 1 };
	bspi_vmt_transform place;
	bool named = bspi_vmt_value(vmt, "$envmap") && !bspi_text_equal(bspi_vmt_value(vmt, "$envmap"), "env_cubemap");
	found.first_frame_image = BSPSCENE_NO_INDEX;
	if (named) BSPI_TRY(find_cube(m, bspi_vmt_value(vmt, "$envmap"), &found.first_frame_image));
	m->mirrors_nearest |= found.first_frame_image == BSPSCENE_NO_INDEX;
	BSPI_TRY(bspi_find_vmt_image(m, vmt, normals, false, &found.normal_image));
	for (int k = 0; k < 3; k++) found.color[k] = 1;
	bspi_vmt_color(vmt, "$reflecttint", found.color);
	if (!bspi_vmt_is_set(vmt, "$forcecheap")) bspi_linear_vmt_color(found.color);
	found.uv_scale[0] = found.uv_scale[1] = 1;
	bspi_read_vmt_transform(vmt, "$bumptransform", &place);
	memcpy(out->uv_scale, place.scale, sizeof place.scale);
	memcpy(out->uv_offset, place.offset, sizeof place.offset);
	out->uv_rotation_radians = place.rotation;
	bspi_read_vmt_scroll(vmt, "$bumptransform", out->scroll);
	return keep(m, &found, out);
}

/* True if the water is drawn with only its reflection and its fog color: it has no texture, and no key asks for
 * more. */
static bool is_plain_water(const bspi_vmt *vmt, const bspscene_material *material)
{
	return bspi_text_starts(bspi_shader_of_vmt(vmt), "water") && material->base_image == BSPSCENE_NO_INDEX &&
	       !bspi_vmt_is_set(vmt, "$nofresnel") && !bspi_vmt_is_set(vmt, "$decal");
}

bool bspi_read_vmt_reflection(bspi_materials *m, const bspi_vmt *vmt, bspscene_material *out)
{
	static const char *const normals[] = { "$bumpmap", NULL };
	const uint32_t self_shadowing = 0x8000000;
	const bspi_vmt_kind kind = bspi_kind_of_vmt(vmt);
	bspscene_reflection found = { .mask_image = BSPSCENE_NO_INDEX, .normal_image = BSPSCENE_NO_INDEX };
	found.alone = !bspi_vmt_value(vmt, "$basetexture");
	bool reflects;
	if (!m->ctx->options.reflections) return true;
	if (is_plain_water(vmt, out)) return read_water(m, vmt, out);
	if (kind == BSPI_VMT_OTHER) return true;
	BSPI_TRY(find_surroundings(m, vmt, kind, &found, &reflects));
	if (!reflects) return true;
	BSPI_TRY(bspi_find_vmt_image(m, vmt, normals, false, &found.normal_image));
	bool bumps = bspi_vmt_is_set(vmt, "$ssbump") || bspi_vmt_image_has(m, found.normal_image, self_shadowing);
	if (bumps && !out->bump_light) found.normal_image = BSPSCENE_NO_INDEX;
	if (out->phong) choose_glossy_mask(vmt, out->phong, &found);
	else BSPI_TRY(choose_mask(m, vmt, kind, out, &found, &reflects));
	if (!reflects) return true;
	read_look(vmt, kind, out->phong, &found);
	read_places(vmt, kind, &found);
	return keep(m, &found, out);
}

/* ---- The map's own cube maps -------------------------------------------------------------------------------- */

/* Returns the name that the map had when it was compiled. The map's compiler makes texture names of the form
 * maps/NAME/..., which contain it. */
static const char *compiled_name(const bspi_materials *m, int *length)
{
	const size_t rooted = strlen("maps/");
	for (uint32_t i = 0; i < m->texture_count; i++) {
		const char *name = m->textures[i].name;
		const char *end = bspi_text_starts(name, "maps/") ? strchr(name + rooted, '/') : NULL;
		if (!end) continue;
		*length = (int)(end - name - (ptrdiff_t)rooted);
		return name + rooted;
	}
	*length = (int)strlen(m->ctx->name);
	return m->ctx->name;
}

bool bspi_find_map_cubes(bspi_materials *m)
{
	int length;
	const char *map = compiled_name(m, &length);
	char name[BSPI_PATH_SIZE];
	if (!m->mirrors_nearest) return true;
	m->cube_faces = bspi_push(m->ctx, &m->ctx->scratch, uint32_t, m->map->cubemaps_count);
	BSPI_TRY(m->cube_faces);
	for (uint32_t i = 0; i < m->map->cubemaps_count; i++) {
		const int32_t *at = m->map->cubemaps[i].origin;
		snprintf(name, sizeof name, "maps/%.*s/c%d_%d_%d", length < 150 ? length : 150, map, (int)at[0], (int)at[1],
		         (int)at[2]);
		BSPI_TRY(find_cube(m, name, &m->cube_faces[i]));
	}
	return true;
}
