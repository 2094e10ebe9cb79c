/* shader_building.c - adds a shader's stages to the scene, with their images. */
#include "materials/shader/shader.h"

static void multiply_in(bspscene_material_pass *stage)
{
	stage->src_blend = BSPSCENE_BLEND_DST_COLOR;
	stage->dst_blend = BSPSCENE_BLEND_ZERO;
	stage->depth_write = false;
}

/* True for pages that q3map2 wrote as pictures: "maps/atrium/lm_0003.tga". */
static bool is_light_picture(const char *name)
{
	const char *last = bspi_last_part(name);
	if (!bspi_text_starts(last, "lm_")) return false;
	size_t digits = strspn(last + 3, "0123456789");
	return digits >= 4 && last[3 + digits] == '.';
}

/* Finds a stage that shows a lightmap page other than the surface's own. Turns it into a plain lightmap pass of a light
 * style, which light_passes.c later connects with the page. A picture in a shader without a $lightmap stage becomes the
 * surface's first page. */
static bool take_light_stage(bspi_materials *m, const bspi_shader *shader, const bspi_shader_stage *in,
                             bspscene_material_pass *stage)
{
	const uint32_t first_free_style = 64;
	bspi_light_pass light = { .stage = m->stage_count };
	const bspscene_tc_mod *mod = &stage->tc_mods[0];
	const float *matrix = mod->values;
	bool moved = stage->tc_mod_count == 1 && mod->kind == BSPSCENE_TC_MOD_TRANSFORM && matrix[0] == 1 &&
	             matrix[1] == 0 && matrix[2] == 0 && matrix[3] == 1;
	bool picture = stage->input == BSPSCENE_PASS_INPUT_IMAGE && in->image_count == 1 && is_light_picture(in->images[0]);
	bool own = stage->input == BSPSCENE_PASS_INPUT_LIGHTMAP && stage->light_style && moved;
	light.style = stage->light_style;
	stage->light_style = 0;
	if (stage->tc_gen != BSPSCENE_TC_GEN_LIGHTMAP || (stage->tc_mod_count && !moved) || (!picture && !own)) return true;
	if (m->light_stage_count == BSPI_MAX_LIGHT_STAGES) return true;
	if (moved) memcpy(light.offset, matrix + 4, sizeof light.offset);
	bool first = true;
	for (uint32_t i = 0; i < shader->stage_count; i++) {
		first &= shader->stages[i].stage.input != BSPSCENE_PASS_INPUT_LIGHTMAP;
	}
	if (!first && !light.style) light.style = first_free_style + m->light_stage_count % first_free_style;
	if (picture) light.picture = in->images[0];
	stage->input = BSPSCENE_PASS_INPUT_LIGHTMAP;
	stage->light_style = light.style;
	stage->tc_mod_count = 0;
	return bspi_add_light_stage(m, &light);
}

/* Adds a pass that adds the image NAME_glow, if it exists, where NAME is the image of the stage. */
static bool add_glow(bspi_materials *m, const bspi_shader_stage *in, const bspscene_material_pass *base)
{
	const char *name = in->images[0], *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
	bspscene_material_pass glow = *base;
	uint32_t image;
	const char *path = bspi_text_format(m->ctx, &m->ctx->scratch, "%.*s_glow",
	                                    (int)(dot ? dot - name : (ptrdiff_t)strlen(name)), name);
	BSPI_TRY(path && bspi_try_image(m, path, &image));
	if (image == BSPSCENE_NO_INDEX) return true;
	glow.first_frame_image = m->frame_count;
	glow.frame_image_count = 1;
	glow.frames_per_second = 0;
	glow.color_gen = BSPSCENE_COLOR_GEN_IDENTITY;
	glow.alpha_gen = BSPSCENE_ALPHA_GEN_IDENTITY;
	glow.alpha_test = BSPSCENE_ALPHA_MODE_OPAQUE;
	glow.src_blend = glow.dst_blend = BSPSCENE_BLEND_ONE;
	glow.depth_equal = base->depth_write;
	glow.depth_write = false;
	return bspi_add_frame(m, image) && bspi_add_pass(m, &glow);
}

static bool add_frames(bspi_materials *m, const bspi_shader_stage *in, bspscene_material_pass *stage)
{
	for (uint32_t i = 0; stage->input == BSPSCENE_PASS_INPUT_IMAGE && i < in->image_count; i++) {
		uint32_t image;
		BSPI_TRY(bspi_find_image(m, in->images[i], "no such image", &image) && bspi_add_frame(m, image));
		stage->frame_image_count++;
	}
	return true;
}

static bool add_cube(bspi_materials *m, const char *name, bspscene_material_pass *stage)
{
	uint32_t box[BSPSCENE_CUBE_SIDES];
	BSPI_TRY(bspi_find_cube_map(m, name, box));
	for (int i = 0; i < BSPSCENE_CUBE_SIDES; i++) BSPI_TRY(bspi_add_frame(m, box[i]));
	stage->frame_image_count = BSPSCENE_CUBE_SIDES;
	return true;
}

bool bspi_build_shader_stage(bspi_materials *m, const bspi_shader *shader, const bspi_shader_stage *in)
{
	bspscene_material_pass stage = in->stage;
	BSPI_TRY(take_light_stage(m, shader, in, &stage));
	stage.first_frame_image = m->frame_count;
	BSPI_TRY(in->cube ? add_cube(m, in->images[0], &stage) : add_frames(m, in, &stage));
	if (stage.input == BSPSCENE_PASS_INPUT_VIDEO) {
		stage.video = bspi_text_keep(m->ctx, stage.video);
		BSPI_TRY(stage.video);
	}
	if (stage.frame_image_count < 2) stage.frames_per_second = 0;
	BSPI_TRY(bspi_add_pass(m, &stage));
	if (in->lit) {
		bspscene_material_pass light = bspi_plain_pass(BSPSCENE_PASS_INPUT_LIGHT);
		multiply_in(&light);
		light.depth_equal = stage.alpha_test != BSPSCENE_ALPHA_MODE_OPAQUE || !stage.depth_write;
		BSPI_TRY(bspi_add_pass(m, &light));
	}
	return !in->glows || !in->image_count || add_glow(m, in, &stage);
}

bool bspi_build_implicit_passes(bspi_materials *m, bspi_implicit kind, uint32_t image)
{
	bspscene_material_pass light = bspi_plain_pass(BSPSCENE_PASS_INPUT_LIGHT),
						   texture = bspi_plain_pass(BSPSCENE_PASS_INPUT_IMAGE);
	bool texture_first = kind == BSPI_IMPLICIT_MASK || kind == BSPI_IMPLICIT_BLEND;
	if (image == BSPSCENE_NO_INDEX) return bspi_add_pass(m, &light);
	texture.first_frame_image = m->frame_count;
	texture.frame_image_count = 1;
	BSPI_TRY(bspi_add_frame(m, image));
	if (!texture_first) {
		multiply_in(&texture);
		return bspi_add_pass(m, &light) && bspi_add_pass(m, &texture);
	}
	if (kind == BSPI_IMPLICIT_MASK) {
		texture.alpha_test = BSPSCENE_ALPHA_MODE_MASK;
		texture.alpha_cutoff = 0.5f;
	} else {
		texture.src_blend = BSPSCENE_BLEND_SRC_ALPHA;
		texture.dst_blend = BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA;
	}
	multiply_in(&light);
	light.depth_equal = true;
	return bspi_add_pass(m, &texture) && bspi_add_pass(m, &light);
}
