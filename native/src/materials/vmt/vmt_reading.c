/* vmt_reading.c - converts shaders and keys of VMT files to the neutral material (docs/formats/source-files.md, "VMT";
 * names and defaults are those of the SDK's shaders, materialsystem/stdshaders). */
#include "materials/vmt/vmt_reading.h"

#include <math.h>

#include "base/text.h"

#define DEGREE 0.0174532925f
/* The engine's default (CShaderShadowDX8::SetDefaultState). */
#define DEFAULT_ALPHA_CUTOFF 0.7f
#define BLENDED_SORT 9.0f

/* ---- Tools ------------------------------------------------------------------------------------------------ */

/* Keys that only the map's compiler reads, and the surface kind that each one sets (vbsp, textures.cpp). */
static const struct { const char *key; bspscene_surface_kind include; } tools[] = {
	{ "%compilesky", BSPSCENE_SURFACE_SKY }, { "%compile2dsky", BSPSCENE_SURFACE_SKY },
	{ "%compilehint", BSPSCENE_SURFACE_HINT }, { "%compileskip", BSPSCENE_SURFACE_SKIP },
	{ "%compiletrigger", BSPSCENE_SURFACE_TRIGGER }, { "%compileorigin", BSPSCENE_SURFACE_TOOL },
	{ "%compilefog", BSPSCENE_SURFACE_TOOL }, { "%compilenpcclip", BSPSCENE_SURFACE_CLIP },
	{ "%compileclip", BSPSCENE_SURFACE_CLIP }, { "%compileplayerclip", BSPSCENE_SURFACE_CLIP },
	{ "%playerclip", BSPSCENE_SURFACE_CLIP }, { "%compileplayercontrolclip", BSPSCENE_SURFACE_CLIP },
	{ "%compilegrenadeclip", BSPSCENE_SURFACE_CLIP }, { "%compiledroneclip", BSPSCENE_SURFACE_CLIP },
	{ "%compileinvisible", BSPSCENE_SURFACE_NODRAW }, { "%compilenodraw", BSPSCENE_SURFACE_NODRAW },
	{ "$no_draw", BSPSCENE_SURFACE_NODRAW },
};

bspscene_surface_kind bspi_vmt_tool(const bspi_vmt *vmt)
{
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
		if (bspi_vmt_is_set(vmt, tools[i].key)) return tools[i].include;
	}
	return BSPSCENE_SURFACE_VISIBLE;
}

/* ---- Images ----------------------------------------------------------------------------------------------- */

/* Finds the normal map. About half of the files that $bumpmap names are not normal maps. They store light from three
 * directions (self-shadowing bump maps), and are skipped. */
static bool find_normals(bspi_materials *m, const bspi_vmt *vmt, bspscene_material *out)
{
	static const char *const keys[] = { "$bumpmap", "$normalmap", NULL };
	const uint32_t self_shadowing = 0x8000000;
	if (m->ctx->options.skip_normal_maps || bspi_vmt_is_set(vmt, "$ssbump")) return true;
	BSPI_TRY(bspi_find_vmt_image(m, vmt, keys, false, &out->normal_image));
	if (bspi_vmt_image_has(m, out->normal_image, self_shadowing)) out->normal_image = BSPSCENE_NO_INDEX;
	out->normal_green_down = out->normal_image != BSPSCENE_NO_INDEX;
	return true;
}

static bool find_images(bspi_materials *m, const bspi_vmt *vmt, bool blends, bspscene_material *out)
{
	static const char *const base[] = { "$basetexture", "$hdrbasetexture", NULL };
	static const char *const second[] = { "$basetexture2", "$texture2", NULL };
	static const char *const whole_eye[] = { "$iris", NULL };
	const char *const *keys = bspi_text_starts(bspi_shader_of_vmt(vmt), "eyerefract") ? whole_eye : base;
	BSPI_TRY(bspi_find_vmt_image(m, vmt, keys, true, &out->base_image) && bspi_pick_vmt_frame(m, vmt, out));
	if (!blends || out->base_image == BSPSCENE_NO_INDEX) return true;
	return bspi_find_vmt_image(m, vmt, second, true, &out->second_image);
}

/* True if the texture does not repeat along either axis. A texture that repeats along one axis only is drawn as if it
 * repeated along both. */
static bool is_clamped(const bspi_materials *m, uint32_t index)
{
	const uint32_t clamp_s = 0x4, clamp_t = 0x8;
	return bspi_vmt_image_has(m, index, clamp_s | clamp_t);
}

/* ---- Keys ------------------------------------------------------------------------------------------------- */

/* True if the texture's alpha is used for emission or reflection, and therefore cuts no holes
 * (InitLightmappedGeneric_DX9). */
static bool has_other_use_of_alpha(const bspi_materials *m, const bspi_vmt *vmt, const bspscene_material *material)
{
	bool used = bspi_vmt_is_set(vmt, "$selfillum") || bspi_vmt_is_set(vmt, "$basealphaenvmapmask");
	return used && material->base_image != BSPSCENE_NO_INDEX && m->images[material->base_image].has_alpha;
}

/* True if the texture's alpha makes it translucent. A texture without alpha never is
 * (CBaseShader::TextureIsTranslucent). */
static bool is_translucent(const bspi_materials *m, const bspi_vmt *vmt, const bspscene_material *material)
{
	const bspscene_image *base = material->base_image == BSPSCENE_NO_INDEX ? NULL : &m->images[material->base_image];
	bool opaque = base && base->data && !base->has_alpha;
	return bspi_vmt_is_set(vmt, "$translucent") && !opaque;
}

static void read_opacity(const bspi_materials *m, const bspi_vmt *vmt, bspscene_material *out)
{
	float alpha = fminf(fmaxf(bspi_vmt_number(vmt, "$alpha", 1), 0), 1);
	out->color[3] = alpha;
	if (bspi_vmt_is_set(vmt, "$additive")) {
		out->alpha_mode = BSPSCENE_ALPHA_MODE_ADD;
		/* In these cases the engine multiplies the color by alpha before it is added (BT_BLENDADD of BaseShader.h). */
		out->added_by_alpha = is_translucent(m, vmt, out) || bspi_vmt_is_set(vmt, "$vertexalpha") ||
		                      bspi_vmt_is_set(vmt, "$alphatest") || alpha < 1;
	} else if (bspi_vmt_is_set(vmt, "$alphatest") && !has_other_use_of_alpha(m, vmt, out)) {
		float cutoff = bspi_vmt_number(vmt, "$alphatestreference", 0);
		out->alpha_mode = BSPSCENE_ALPHA_MODE_MASK;
		out->alpha_cutoff = cutoff > 0 ? fminf(cutoff, 1) : DEFAULT_ALPHA_CUTOFF;
	} else if (is_translucent(m, vmt, out) || bspi_vmt_is_set(vmt, "$vertexalpha") || alpha < 1) {
		out->alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
	}
}

static void read_color(const bspi_vmt *vmt, bspscene_material *out)
{
	static const char *const keys[] = { "$color", "$color2" };
	float color[3];
	for (int i = 0; i < 2; i++) {
		if (!bspi_vmt_color(vmt, keys[i], color)) continue;
		for (int k = 0; k < 3; k++) out->color[k] *= color[k];
	}
}

static void read_transform(const bspi_vmt *vmt, bspscene_material *out)
{
	bspi_vmt_transform transform;
	bspi_read_vmt_transform(vmt, "$basetexturetransform", &transform);
	memcpy(out->uv_scale, transform.scale, sizeof transform.scale);
	memcpy(out->uv_offset, transform.offset, sizeof transform.offset);
	out->uv_rotation_radians = transform.rotation;
}

static float read_decal_scale(const bspi_vmt *vmt)
{
	const float largest = 1024;
	float scale = bspi_vmt_number(vmt, "$decalscale", 1);
	return scale > 0 && scale <= largest ? scale : 1;
}

/* ---- Emission --------------------------------------------------------------------------------------------- */

/* True if the material glows. That needs a mask image, or alpha in its texture (InitLightmappedGeneric_DX9). */
static bool shines(const bspi_materials *m, const bspi_vmt *vmt, const bspscene_material *material, uint32_t mask)
{
	const bspscene_image *base = &m->images[material->base_image];
	bool requested = bspi_vmt_is_set(vmt, "$selfillum") && !material->unlit;
	if (!requested || material->alpha_mode != BSPSCENE_ALPHA_MODE_OPAQUE) return false;
	return base->data && (base->has_alpha || mask != BSPSCENE_NO_INDEX);
}

static bool read_glow(bspi_materials *m, const bspi_vmt *vmt, uint32_t *mask, bspscene_material *out)
{
	static const char *const masks[] = { "$selfillummask", NULL };
	*mask = BSPSCENE_NO_INDEX;
	if (out->base_image == BSPSCENE_NO_INDEX) return true;
	if (bspi_vmt_is_set(vmt, "$selfillum")) BSPI_TRY(bspi_find_vmt_image(m, vmt, masks, false, mask));
	if (!shines(m, vmt, out, *mask)) return true;
	BSPI_TRY(bspi_add_glow(m, out->base_image, *mask, &out->emissive_image));
	bspscene_emission_mask *own = bspi_push(m->ctx, &m->ctx->result, bspscene_emission_mask, 1);
	BSPI_TRY(own);
	own->mask_image = *mask;
	own->color[0] = own->color[1] = own->color[2] = 1;
	bspi_vmt_color(vmt, "$selfillumtint", own->color);
	for (int k = 0; k < 3; k++) out->emissive[k] = (float)pow(own->color[k], 1 / 2.2f);
	out->emission_mask = own;
	return true;
}

/* ---- Shaders ---------------------------------------------------------------------------------------------- */

/* Shaders that draw without light. A name that begins with one of these counts. */
static const char *const unlit_shaders[] = {
	"unlit", "sky", "modulate", "decalmodulate", "sprite", "monitorscreen", "water", "refract",
};

static bool is_one_of(const char *shader, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (bspi_text_starts(shader, names[i])) return true;
	}
	return false;
}

/* Sets the look of water. The game shows the refracted scene behind and above the water. Here the water has its fog
 * color at half opacity. With $forcecheap the water is opaque. */
static void read_water(const bspi_vmt *vmt, bspscene_material *out)
{
	const float shown = 0.5f;
	float color[3];
	out->kind = BSPSCENE_MATERIAL_LIQUID;
	if (out->base_image != BSPSCENE_NO_INDEX) return;
	bool opaque = bspi_vmt_is_set(vmt, "$forcecheap");
	out->alpha_mode = opaque ? BSPSCENE_ALPHA_MODE_OPAQUE : BSPSCENE_ALPHA_MODE_BLEND;
	out->color[3] = opaque ? 1 : shown;
	bool known = bspi_vmt_color(vmt, "$fogcolor", color) || bspi_vmt_color(vmt, "$watertint", color) ||
	             bspi_vmt_color(vmt, "$reflecttint", color);
	if (known) memcpy(out->color, color, sizeof color);
}

/* Sets the look of refracting glass, which has almost no color. With a tint texture, it multiplies the background by
 * twice that texture (refract_ps2x.fxc, REFRACTTINTTEXTURE). If that texture is missing, the background is darkened by
 * half. */
static bool read_refraction(bspi_materials *m, const bspi_vmt *vmt, bspscene_material *out)
{
	static const char *const tints[] = { "$refracttinttexture", NULL };
	const float shown = 0.1f, dark = 0.5f;
	if (out->base_image != BSPSCENE_NO_INDEX) return true;
	bspi_vmt_color(vmt, "$refracttint", out->color);
	out->alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
	out->color[3] = shown;
	if (!bspi_vmt_value(vmt, tints[0])) return true;
	BSPI_TRY(bspi_find_vmt_image(m, vmt, tints, true, &out->base_image));
	bool missing = out->base_image == BSPSCENE_NO_INDEX || m->images[out->base_image].format == BSPSCENE_IMAGE_MISSING;
	if (missing) {
		out->base_image = BSPSCENE_NO_INDEX;
		out->color[0] = out->color[1] = out->color[2] = 0;
		out->color[3] = dark;
		return true;
	}
	out->alpha_mode = BSPSCENE_ALPHA_MODE_MODULATE;
	out->modulated_twice = true;
	out->color[3] = 1;
	return true;
}

/* Sets the look of shaders that multiply the background. Modulate fades to no change where its alpha is low. With
 * $mod2x it multiplies by twice the texture; DecalModulate always does. */
static void read_modulation(const bspi_vmt *vmt, const char *shader, bspscene_material *out)
{
	bool plain = bspi_text_starts(shader, "modulate"), decal = bspi_text_starts(shader, "decalmodulate");
	if (!plain && !decal) return;
	out->alpha_mode = BSPSCENE_ALPHA_MODE_MODULATE;
	out->modulated_twice = decal || bspi_vmt_is_set(vmt, "$mod2x");
	out->whitened_by_alpha = plain;
}

/* Sets the properties that follow from the shader's name. */
static bool read_shader(bspi_materials *m, const bspi_vmt *vmt, const char *shader, bspscene_material *out)
{
	if (bspi_text_starts(shader, "water") || bspi_vmt_is_set(vmt, "%compilewater")) read_water(vmt, out);
	if (bspi_text_starts(shader, "refract")) BSPI_TRY(read_refraction(m, vmt, out));
	read_modulation(vmt, shader, out);
	if (!bspi_text_equal(shader, "unlittwotexture")) return true;
	if (out->alpha_mode != BSPSCENE_ALPHA_MODE_ADD) out->alpha_mode = BSPSCENE_ALPHA_MODE_OPAQUE;
	out->added_by_alpha = false;
	return bspi_read_second_picture(m, vmt, out);
}

static void read_seamless(const bspi_vmt *vmt, bspscene_material *out)
{
	float scale = bspi_vmt_number(vmt, "$seamless_scale", 0);
	if (bspi_kind_of_vmt(vmt) == BSPI_VMT_LIGHTMAPPED && scale > 0 && scale < 1e6f) out->seamless_scale = scale;
}

bool bspi_read_vmt(bspi_materials *m, const bspi_vmt *vmt, bool blends, bspscene_material *out)
{
	const char *shader = bspi_shader_of_vmt(vmt);
	uint32_t mask;
	out->unlit = is_one_of(shader, unlit_shaders, sizeof unlit_shaders / sizeof *unlit_shaders);
	BSPI_TRY(find_images(m, vmt, blends, out));
	if (bspi_text_equal(shader, "lightmapped_4wayblend") && out->second_image != BSPSCENE_NO_INDEX) {
		BSPI_TRY(bspi_read_vmt_layers(m, vmt, out));
	}
	BSPI_TRY(bspi_read_vmt_detail(m, vmt, out));
	read_opacity(m, vmt, out);
	read_color(vmt, out);
	read_transform(vmt, out);
	bspi_read_vmt_scroll(vmt, "$basetexturetransform", out->scroll);
	BSPI_TRY(read_glow(m, vmt, &mask, out) && bspi_read_vmt_animation(m, vmt, mask, out));
	out->half_lambert = bspi_text_starts(shader, "vertexlit") && bspi_vmt_is_set(vmt, "$halflambert");
	if (!out->unlit) BSPI_TRY(find_normals(m, vmt, out));
	out->clamp = is_clamped(m, out->base_image);
	out->polygon_offset = bspi_vmt_is_set(vmt, "$decal");
	out->decal_scale = read_decal_scale(vmt);
	if (bspi_vmt_is_set(vmt, "$nocull")) out->cull = BSPSCENE_CULL_NONE;
	read_seamless(vmt, out);
	BSPI_TRY(read_shader(m, vmt, shader, out));
	BSPI_TRY(bspi_read_vmt_phong(m, vmt, out) && bspi_read_vmt_bump_light(m, vmt, out) &&
	         bspi_read_vmt_reflection(m, vmt, out));
	if (out->alpha_mode > BSPSCENE_ALPHA_MODE_MASK) out->sort = BLENDED_SORT;
	return true;
}
