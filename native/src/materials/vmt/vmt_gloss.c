/* vmt_gloss.c - reads $phong and $rimlight of VertexLitGeneric (SDK: stdshaders/skin_dx9_helper.cpp, skin_ps20b.fxc).
 * Missing keys count as 0. So highlights are weak unless the material sets all keys. */
#include "materials/vmt/vmt_reading.h"

#include <math.h>

#include "base/text.h"

/* The exponent is 1 plus this times the value of the exponent texture, unless the material sets another factor or a
 * constant exponent. */
#define OF_PICTURE 149.0f

static bool find_one(bspi_materials *m, const bspi_vmt *vmt, const char *key, uint32_t *image)
{
	const char *const keys[] = { key, NULL };
	return bspi_find_vmt_image(m, vmt, keys, false, image);
}

static bool find_pictures(bspi_materials *m, const bspi_vmt *vmt, bspscene_phong *out)
{
	const uint32_t self_shadowing = 0x8000000;
	BSPI_TRY(find_one(m, vmt, "$bumpmap", &out->normal_image));
	bool bumps = bspi_vmt_is_set(vmt, "$ssbump") || bspi_vmt_image_has(m, out->normal_image, self_shadowing);
	if (bumps) out->normal_image = BSPSCENE_NO_INDEX;
	return find_one(m, vmt, "$phongexponenttexture", &out->exponent_image) &&
	       find_one(m, vmt, "$lightwarptexture", &out->light_ramp) &&
	       find_one(m, vmt, "$phongwarptexture", &out->gloss_ramp);
}

/* True if the material has highlights: it needs a normal map, a light ramp, or a mask in the base image's alpha.
 * Otherwise the engine uses another shader, which has no highlights (WantsSkinShader). */
static bool is_shown(const bspi_vmt *vmt, const bspscene_phong *gloss)
{
	return gloss->light_ramp != BSPSCENE_NO_INDEX || bspi_vmt_number(vmt, "$basemapalphaphongmask", 0) == 1 ||
	       gloss->normal_image != BSPSCENE_NO_INDEX;
}

static bool is_opaque(const bspi_materials *m, uint32_t image)
{
	return image == BSPSCENE_NO_INDEX || !m->images[image].has_alpha;
}

/* True if the engine uses a simpler variant of the shader, which ignores exponent textures. */
static bool is_plain(const bspi_materials *m, const bspi_vmt *vmt, const bspscene_material *of,
                     const bspscene_phong *gloss)
{
	bool pictures = gloss->normal_image != BSPSCENE_NO_INDEX || gloss->exponent_image != BSPSCENE_NO_INDEX ||
	                gloss->gloss_ramp != BSPSCENE_NO_INDEX || of->detail_texture;
	return !pictures && !gloss->rim && !of->emission_mask && !bspi_vmt_is_set(vmt, "$blendtintbybasealpha") &&
	       (gloss->masked_by_base || is_opaque(m, of->base_image));
}

static void read_exponent(const bspi_vmt *vmt, bool plain, bspscene_phong *out)
{
	float constant = bspi_vmt_number(vmt, "$phongexponent", 0);
	float factor = bspi_vmt_number(vmt, "$phongexponentfactor", 0);
	out->exponent[0] = 1;
	out->exponent[1] = factor != 0 ? factor : OF_PICTURE;
	if (factor == 0 && (constant > 0 || plain)) {
		out->exponent[0] = constant > 0 ? constant : 0;
		out->exponent[1] = 0;
	}
}

static void read_color(const bspi_vmt *vmt, bspscene_phong *out)
{
	float *color = out->color;
	bspi_vmt_color(vmt, "$phongtint", color);
	if (color[0] != 0 || color[1] != 0 || color[2] != 0) return;
	out->base_color = out->exponent_image != BSPSCENE_NO_INDEX && bspi_vmt_is_set(vmt, "$phongalbedotint");
	for (int i = 0; i < 3; i++) color[i] = 1;
}

static void read_rim(const bspi_vmt *vmt, bspscene_phong *out)
{
	out->rim = bspi_vmt_is_set(vmt, "$rimlight");
	out->rim_exponent = fmaxf(bspi_vmt_number(vmt, "$rimlightexponent", 0), 1);
	out->rim_boost = bspi_vmt_number(vmt, "$rimlightboost", 0);
	out->rim_masked = out->exponent_image != BSPSCENE_NO_INDEX && bspi_vmt_is_set(vmt, "$rimmask");
}

bool bspi_read_vmt_phong(bspi_materials *m, const bspi_vmt *vmt, bspscene_material *out)
{
	bspscene_phong found = { .normal_image = BSPSCENE_NO_INDEX };
	bool lit = bspi_text_starts(bspi_shader_of_vmt(vmt), "vertexlit");
	if (!m->ctx->options.reflections || !lit || !bspi_vmt_is_set(vmt, "$phong")) return true;
	BSPI_TRY(find_pictures(m, vmt, &found));
	if (!is_shown(vmt, &found)) return true;
	found.masked_by_base = bspi_vmt_is_set(vmt, "$basemapalphaphongmask");
	read_rim(vmt, &found);
	read_exponent(vmt, is_plain(m, vmt, out, &found), &found);
	read_color(vmt, &found);
	found.boost = bspi_vmt_number(vmt, "$phongboost", 0);
	bspi_vmt_color(vmt, "$phongfresnelranges", found.fresnel);
	found.reflection_share = bspi_vmt_number(vmt, "$envmapfresnel", 0);
	bspscene_phong *kept = bspi_push(m->ctx, &m->ctx->result, bspscene_phong, 1);
	BSPI_TRY(kept);
	*kept = found;
	out->phong = kept;
	return true;
}
