/* vmt_detail.c - reads blend masks (the border between two textures) and detail textures of VMT files (SDK:
 * stdshaders/lightmappedgeneric_dx9_helper.cpp, lightmappedgeneric_ps2_3_x.h, common_ps_fxc.h TextureCombine). */
#include "materials/vmt/vmt_reading.h"

#include <math.h>

#include "base/text.h"

#define DEFAULT_DETAIL_SCALE 4.0f
#define SELF_SHADOWING 0x8000000u

/* True if the shader has a free texture unit for the mask. */
static bool has_room_for_mask(const bspi_vmt *vmt)
{
	return !bspi_vmt_is_set(vmt, "$selfillum") && !bspi_vmt_is_set(vmt, "$normalmapalphaenvmapmask");
}

static bool read_mask(bspi_materials *m, const bspi_vmt *vmt, bspscene_material *out)
{
	static const char *const keys[] = { "$blendmodulatetexture", NULL };
	bspi_vmt_transform place;
	uint32_t image;
	if (out->second_image == BSPSCENE_NO_INDEX || !has_room_for_mask(vmt)) return true;
	BSPI_TRY(bspi_find_vmt_image(m, vmt, keys, false, &image));
	if (image == BSPSCENE_NO_INDEX) return true;
	bspscene_blend_mask *mask = bspi_push(m->ctx, &m->ctx->result, bspscene_blend_mask, 1);
	BSPI_TRY(mask);
	mask->image = image;
	bspi_read_vmt_transform(vmt, "$blendmasktransform", &place);
	memcpy(mask->uv_scale, place.scale, sizeof place.scale);
	memcpy(mask->uv_offset, place.offset, sizeof place.offset);
	mask->masked = bspi_vmt_is_set(vmt, "$maskedblending");
	out->blend_mask = mask;
	return true;
}

/* True if the blend mode is supported. Modes 5 and 6 are emission, which only models' shaders have. Mode 10 shades by
 * the direction of light, which is not visible in even light. A flag of the texture selects it, not the key. */
static bool is_known(bspi_vmt_kind kind, float mode)
{
	static const uint32_t everywhere =
		1u << 0 | 1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 | 1u << 7 | 1u << 8 | 1u << 9 | 1u << 11;
	uint32_t known = everywhere | (kind == BSPI_VMT_OF_MODELS ? 1u << 5 | 1u << 6 : 0);
	return mode >= 0 && mode < 12 && (known >> (uint32_t)mode & 1);
}

static void read_scale(const bspi_vmt *vmt, float out[2])
{
	const char *value = bspi_vmt_value(vmt, "$detailscale");
	uint32_t count = value ? bspi_text_numbers(value, out, 2) : 0;
	if (!count) out[0] = DEFAULT_DETAIL_SCALE;
	if (count < 2) out[1] = out[0];
}

static bool read_detail(bspi_materials *m, const bspi_vmt *vmt, bspscene_material *out)
{
	static const char *const keys[] = { "$detail", NULL };
	float mode = bspi_vmt_number(vmt, "$detailblendmode", 0), factor = bspi_vmt_number(vmt, "$detailblendfactor", 1);
	const bspi_vmt_kind kind = bspi_kind_of_vmt(vmt);
	uint32_t image;
	if (!is_known(kind, mode)) return true;
	BSPI_TRY(bspi_find_vmt_image(m, vmt, keys, false, &image));
	if (bspi_vmt_image_has(m, image, SELF_SHADOWING)) {
		mode = BSPSCENE_DETAIL_TEXTURE_SELF_SHADOWED;
		/* With a normal map, this kind of detail texture only changes normals, which is not visible in even light. */
		if (bspi_vmt_value(vmt, "$bumpmap")) image = BSPSCENE_NO_INDEX;
	}
	if (image == BSPSCENE_NO_INDEX) return true;
	bspscene_detail_texture *detail = bspi_push(m->ctx, &m->ctx->result, bspscene_detail_texture, 1);
	BSPI_TRY(detail);
	*detail = (bspscene_detail_texture){
		.image = image, .mode = (bspscene_detail_texture_mode)mode, .color = { 1, 1, 1 }, .factor = factor,
	};
	read_scale(vmt, detail->uv_scale);
	bspi_vmt_color(vmt, "$detailtint", detail->color);
	detail->keeps_alpha = kind == BSPI_VMT_LIGHTMAPPED;
	if (kind == BSPI_VMT_OF_MODELS) {
		bspi_linear_vmt_color(detail->color);
		detail->display = detail->mode != BSPSCENE_DETAIL_TEXTURE_DOUBLED;
	}
	out->detail_texture = detail;
	return true;
}

/* Reads the second image of UnlitTwoTexture. The shader multiplies two images, each with its own transform, and ignores
 * the alpha of the second one. */
bool bspi_read_second_picture(bspi_materials *m, const bspi_vmt *vmt, bspscene_material *out)
{
	static const char *const keys[] = { "$texture2", NULL };
	bspi_vmt_transform place;
	uint32_t image;
	BSPI_TRY(bspi_find_vmt_image(m, vmt, keys, true, &image));
	if (image == BSPSCENE_NO_INDEX) return true;
	bspscene_detail_texture *second = bspi_push(m->ctx, &m->ctx->result, bspscene_detail_texture, 1);
	BSPI_TRY(second);
	*second = (bspscene_detail_texture){
		.image = image, .mode = BSPSCENE_DETAIL_TEXTURE_MULTIPLY, .color = { 1, 1, 1 }, .factor = 1, .display = true,
		.keeps_alpha = true, .own_uv = true,
	};
	bspi_read_vmt_transform(vmt, "$texture2transform", &place);
	memcpy(second->uv_scale, place.scale, sizeof place.scale);
	memcpy(second->uv_offset, place.offset, sizeof place.offset);
	second->uv_rotation_radians = place.rotation;
	bspi_read_vmt_scroll(vmt, "$texture2transform", second->scroll);
	out->detail_texture = second;
	return true;
}

bool bspi_read_vmt_detail(bspi_materials *m, const bspi_vmt *vmt, bspscene_material *out)
{
	if (out->base_image == BSPSCENE_NO_INDEX) return true;
	return read_mask(m, vmt, out) && read_detail(m, vmt, out);
}
