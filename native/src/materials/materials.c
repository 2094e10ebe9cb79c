/* materials.c - functions that extend the lists of materials, and set up a material. See materials.h. */
#include "materials/materials.h"

#include "base/text.h"

bool bspi_add_pass(bspi_materials *m, const bspscene_material_pass *stage)
{
	BSPI_TRY(bspi_reserve(m->ctx, (void **)&m->stages, m->stage_count, &m->stage_capacity, sizeof *stage));
	m->stages[m->stage_count++] = *stage;
	return true;
}

bool bspi_add_frame(bspi_materials *m, uint32_t image)
{
	BSPI_TRY(bspi_reserve(m->ctx, (void **)&m->frames, m->frame_count, &m->frame_capacity, sizeof image));
	m->frames[m->frame_count++] = image;
	return true;
}

bool bspi_add_light_stage(bspi_materials *m, const bspi_light_pass *stage)
{
	BSPI_TRY(bspi_reserve(m->ctx, (void **)&m->light_stages, m->light_stage_count, &m->light_stage_capacity,
	                      sizeof *stage));
	m->light_stages[m->light_stage_count++] = *stage;
	return true;
}

bspscene_material_pass bspi_plain_pass(bspscene_pass_input source)
{
	bool light = source == BSPSCENE_PASS_INPUT_LIGHTMAP || source == BSPSCENE_PASS_INPUT_LIGHT;
	return (bspscene_material_pass){
		.input = source,
		.video = "",
		.src_blend = BSPSCENE_BLEND_ONE,
		.dst_blend = BSPSCENE_BLEND_ZERO,
		.color = { 1, 1, 1 },
		.alpha = 1,
		.tc_gen = light ? BSPSCENE_TC_GEN_LIGHTMAP : BSPSCENE_TC_GEN_TEXTURE,
		.depth_write = true,
	};
}

void bspi_make_sky(bspscene_material *out)
{
	out->kind = BSPSCENE_MATERIAL_SKY;
	out->surface_kind = BSPSCENE_SURFACE_SKY;
	out->unlit = true;
}

bspscene_sky *bspi_add_sky(bspi_ctx *ctx, bspscene_material *out)
{
	bspscene_sky *sky = bspi_push(ctx, &ctx->result, bspscene_sky, 1);
	if (!sky) return NULL;
	*sky = (bspscene_sky){ .name = "", .layers = { BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX } };
	for (int i = 0; i < 6; i++) sky->box[i] = BSPSCENE_NO_INDEX;
	out->sky = sky;
	return sky;
}

bool bspi_material_init(bspi_ctx *ctx, const bspi_texture *texture, bspscene_material *out)
{
	const float opaque_sort = 3;
	bool repaired = false;
	*out = (bspscene_material){
		.name = bspi_text_copy(ctx, bspi_bytes_of(texture->name, strlen(texture->name)), &repaired),
		.surface_flags = texture->surface_flags,
		.content_flags = texture->content_flags,
		.width = texture->width,
		.height = texture->height,
		.base_image = BSPSCENE_NO_INDEX,
		.second_image = BSPSCENE_NO_INDEX,
		.emissive_image = BSPSCENE_NO_INDEX,
		.normal_image = BSPSCENE_NO_INDEX,
		.color = { 1, 1, 1, 1 },
		.uv_scale = { 1, 1 },
		.decal_scale = 1,
		.sort = opaque_sort,
		.script_file = "",
		.script_text = "",
	};
	if (texture->sides == BSPI_SIDES_BOTH) out->cull = BSPSCENE_CULL_NONE;
	if (texture->sides == BSPI_SIDES_NONE) out->surface_kind = BSPSCENE_SURFACE_NODRAW;
	if (repaired) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_TEXT, BSPI_LUMP("textures"),
		                   "the name '%s' is not UTF-8: it was read as Windows-1252", out->name));
	}
	return out->name != NULL;
}
