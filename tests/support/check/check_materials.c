/* check_materials.c - the promises about materials, stages and images. See check_scene.h. */
#include <math.h>
#include <string.h>

#include <bspscene/material.h>

#include "support/check/check_scene.h"

static bool is_wave(const bspscene_wave *wave)
{
	const float values[] = { wave->base, wave->amplitude, wave->phase, wave->frequency };
	return (unsigned)wave->func <= BSPSCENE_WAVE_NOISE && bspt_are_finite(values, 4);
}

static void check_stage(const bspscene_scene *scene, uint32_t index, bspt_report *report)
{
	const bspscene_material_pass *stage = scene->material_passes[index];
	BSPT_EXPECT(report, (unsigned)stage->input <= BSPSCENE_PASS_INPUT_LIGHT, "stage %u has source %d", index,
	            (int)stage->input);
	BSPT_EXPECT(report, bspt_is_range(stage->first_frame_image, stage->frame_image_count, scene->frame_image_count),
	            "stage %u has frames %u + %u of %u",
	            index, stage->first_frame_image, stage->frame_image_count, scene->frame_image_count);
	BSPT_EXPECT(report, stage->input != BSPSCENE_PASS_INPUT_IMAGE || stage->frame_image_count,
	            "stage %u shows no image", index);
	BSPT_EXPECT(report, isfinite(stage->frames_per_second) && stage->frames_per_second >= 0,
	            "stage %u has %g frames per second", index,
	            stage->frames_per_second);
	BSPT_EXPECT_TEXT(report, stage->video, "stage.video");
	BSPT_EXPECT(report,
	            (unsigned)stage->src_blend <= BSPSCENE_BLEND_SRC_ALPHA_SATURATE &&
	                (unsigned)stage->dst_blend <= BSPSCENE_BLEND_SRC_ALPHA_SATURATE,
	            "stage %u has an unknown blend", index);
	BSPT_EXPECT(report,
	            stage->alpha_test == BSPSCENE_ALPHA_MODE_OPAQUE || stage->alpha_test == BSPSCENE_ALPHA_MODE_MASK,
	            "stage %u has alpha test %d", index, (int)stage->alpha_test);
	BSPT_EXPECT(report, (unsigned)stage->color_gen <= BSPSCENE_COLOR_GEN_LIGHT &&
	            (unsigned)stage->alpha_gen <= BSPSCENE_ALPHA_GEN_DIRT &&
	            (unsigned)stage->tc_gen <= BSPSCENE_TC_GEN_SURROUND, "stage %u has an unknown generator", index);
	bool box = stage->tc_gen == BSPSCENE_TC_GEN_REFLECTION || stage->tc_gen == BSPSCENE_TC_GEN_SURROUND;
	BSPT_EXPECT(report,
	            !box || (stage->input == BSPSCENE_PASS_INPUT_IMAGE && stage->frame_image_count == BSPSCENE_CUBE_SIDES),
	            "stage %u shows a box of %u sides", index, stage->frame_image_count);
	BSPT_EXPECT(report, is_wave(&stage->color_wave) && is_wave(&stage->alpha_wave), "stage %u has a wave that is none",
	            index);
	BSPT_EXPECT_FINITE(report, stage->color, 3, "stage.color");
	BSPT_EXPECT_FINITE(report, &stage->alpha, 1, "stage.alpha");
	BSPT_EXPECT_FINITE(report, &stage->alpha_range, 1, "stage.alpha_range");
	BSPT_EXPECT_FINITE(report, &stage->alpha_cutoff, 1, "stage.alpha_cutoff");
	BSPT_EXPECT_FINITE(report, &stage->tc_vectors[0][0], 8, "stage.tc_vectors");
	BSPT_EXPECT(report, stage->tc_mod_count <= BSPSCENE_MATERIAL_PASS_MAX_TC_MODS, "stage %u has %u tcMods", index,
	            stage->tc_mod_count);
	for (uint32_t i = 0; i < stage->tc_mod_count && i < BSPSCENE_MATERIAL_PASS_MAX_TC_MODS; i++) {
		const bspscene_tc_mod *mod = &stage->tc_mods[i];
		BSPT_EXPECT(report, (unsigned)mod->kind <= BSPSCENE_TC_MOD_WARP && is_wave(&mod->wave) &&
		            bspt_are_finite(mod->values, 6),
		            "stage %u has a tcMod that is none", index);
	}
}

static void check_sky(const bspscene_scene *scene, const bspscene_sky *sky, bspt_report *report)
{
	for (int i = 0; i < 6; i++) BSPT_EXPECT_INDEX(report, sky->box[i], scene->image_count, "sky.box");
	for (int i = 0; i < 2; i++) BSPT_EXPECT_INDEX(report, sky->layers[i], scene->image_count, "sky.layers");
	BSPT_EXPECT_TEXT(report, sky->name, "sky.name");
	BSPT_EXPECT_FINITE(report, &sky->cloud_height, 1, "sky.cloud_height");
	BSPT_EXPECT_FINITE(report, sky->sun_color, 3, "sky.sun_color");
	BSPT_EXPECT_FINITE(report, &sky->sun_intensity, 1, "sky.sun_intensity");
	BSPT_EXPECT_FINITE(report, sky->sun_direction, 3, "sky.sun_direction");
}

static void check_parts(const bspscene_scene *scene, const bspscene_material *material, bspt_report *report)
{
	if (material->sky) check_sky(scene, material->sky, report);
	if (material->fog) {
		BSPT_EXPECT_FINITE(report, material->fog->color, 3, "fog.color");
		BSPT_EXPECT_FINITE(report, &material->fog->depth, 1, "fog.depth");
		BSPT_EXPECT(report, material->fog->depth > 0, "material \"%.40s\" has a fog of no depth", material->name);
	}
	if (material->blend_mask) {
		const bspscene_blend_mask *mask = material->blend_mask;
		BSPT_EXPECT(report, mask->image < scene->image_count, "a blend mask has image %u", mask->image);
		BSPT_EXPECT_FINITE(report, mask->uv_scale, 2, "blend_mask.uv_scale");
		BSPT_EXPECT_FINITE(report, mask->uv_offset, 2, "blend_mask.uv_offset");
	}
	if (material->detail_texture) {
		const bspscene_detail_texture *detail = material->detail_texture;
		BSPT_EXPECT(report, detail->image < scene->image_count, "a detail texture has image %u", detail->image);
		BSPT_EXPECT_FINITE(report, detail->uv_scale, 2, "detail.uv_scale");
		BSPT_EXPECT_FINITE(report, detail->color, 3, "detail.color");
		BSPT_EXPECT_FINITE(report, &detail->factor, 1, "detail.factor");
	}
}

static void check_material(const bspscene_scene *scene, uint32_t index, bspt_report *report)
{
	const bspscene_material *material = scene->materials[index];
	BSPT_EXPECT_TEXT(report, material->name, "material.name");
	BSPT_EXPECT_TEXT(report, material->script_file, "material.source_file");
	BSPT_EXPECT_TEXT(report, material->script_text, "material.source_text");
	BSPT_EXPECT(report, (unsigned)material->kind <= BSPSCENE_MATERIAL_PORTAL, "material %u has kind %d", index,
	            (int)material->kind);
	uint32_t include = (uint32_t)material->surface_kind;
	BSPT_EXPECT(report, !(include & (include - 1)) && !(include & ~(uint32_t)BSPSCENE_SURFACE_ALL),
	            "material %u is hidden as 0x%x", index, include);
	BSPT_EXPECT(report, (unsigned)material->alpha_mode <= BSPSCENE_ALPHA_MODE_MODULATE &&
	            (unsigned)material->cull <= BSPSCENE_CULL_NONE,
	            "material %u has an unknown mode", index);
	BSPT_EXPECT_INDEX(report, material->base_image, scene->image_count, "material.base_image");
	BSPT_EXPECT_INDEX(report, material->second_image, scene->image_count, "material.second_image");
	BSPT_EXPECT(report, material->layer_count != 1 && material->layer_count <= BSPSCENE_MATERIAL_MAX_LAYERS,
	            "material \"%.40s\" has %u layers", material->name, material->layer_count);
	for (uint32_t i = 0; i < material->layer_count && i < BSPSCENE_MATERIAL_MAX_LAYERS; i++) {
		const bspscene_layer *layer = material->layers[i];
		BSPT_EXPECT(report, layer->image < scene->image_count, "a layer has image %u", layer->image);
		BSPT_EXPECT_FINITE(report, layer->uv_scale, 2, "layer.uv_scale");
		BSPT_EXPECT_FINITE(report, layer->luminance, 2, "layer.luminance");
		BSPT_EXPECT_FINITE(report, &layer->luminance_share, 1, "layer.luminance_share");
		BSPT_EXPECT_FINITE(report, layer->blend, 2, "layer.blend");
	}
	if (material->layer_count) {
		const bspscene_layer *const *layers = material->layers;
		bool same = layers[0]->image == material->base_image && layers[1]->image == material->second_image;
		BSPT_EXPECT(report, same, "material \"%.40s\" has other layers than images", material->name);
	}
	BSPT_EXPECT_INDEX(report, material->emissive_image, scene->image_count, "material.emissive_image");
	BSPT_EXPECT_INDEX(report, material->normal_image, scene->image_count, "material.normal_image");
	BSPT_EXPECT(report, bspt_is_range(material->first_pass, material->pass_count, scene->material_pass_count),
	            "material %u has stages %u + %u of %u",
	            index, material->first_pass, material->pass_count, scene->material_pass_count);
	const float values[] = {
		material->alpha_cutoff, material->color[0],     material->color[1],      material->color[2],
		material->color[3],     material->emissive[0],  material->emissive[1],   material->emissive[2],
		material->uv_scale[0],  material->uv_scale[1],  material->uv_offset[0],  material->uv_offset[1],
		material->scroll[0],    material->scroll[1],    material->surface_light, material->sort,
		material->uv_rotation_radians,  material->decal_scale,
	};
	BSPT_EXPECT(report, bspt_are_finite(values, sizeof values / sizeof *values),
	            "material %u has a number that is not finite", index);
	check_parts(scene, material, report);
}

static void check_image(const bspscene_scene *scene, uint32_t index, const bspscene_load_options *options,
                        bspt_report *report)
{
	const bspscene_image *image = scene->images[index];
	BSPT_EXPECT_TEXT(report, image->name, "image.name");
	BSPT_EXPECT_TEXT(report, image->archive, "image.archive");
	BSPT_EXPECT_TEXT(report, image->path, "image.path");
	BSPT_EXPECT(report, image->path && bspt_is_safe_path(image->path), "image %u was found at an unsafe path", index);
	BSPT_EXPECT(report, (unsigned)image->format <= BSPSCENE_IMAGE_IWI, "image %u has format %d", index,
	            (int)image->format);
	BSPT_EXPECT(report, !image->data == !image->size, "image %u has %zu bytes at %s", index, image->size,
	            image->data ? "data" : "NULL");
	BSPT_EXPECT(report, image->format != BSPSCENE_IMAGE_MISSING || !image->data, "image %u is missing but has bytes",
	            index);
	BSPT_EXPECT(report, image->format != BSPSCENE_IMAGE_RGBA || !image->data ||
	            image->size == (size_t)image->width * image->height * 4,
	            "image %u has %zu bytes for %ux%u", index, image->size, image->width, image->height);
	BSPT_EXPECT(report, options->textures == BSPSCENE_TEXTURES_LOAD || image->format == BSPSCENE_IMAGE_RGBA ||
	            !image->data,
	            "image %u was read though only names were asked for", index);
	if (image->data) {
		volatile uint8_t last = ((const uint8_t *)image->data)[image->size - 1];
		(void)last;
	}
}

void bspt_check_materials(const bspscene_scene *scene, const bspscene_load_options *options, bspt_report *report)
{
	for (uint32_t i = 0; i < scene->material_count; i++) check_material(scene, i, report);
	for (uint32_t i = 0; i < scene->material_pass_count; i++) check_stage(scene, i, report);
	for (uint32_t i = 0; i < scene->frame_image_count; i++) {
		BSPT_EXPECT(report, scene->frame_images[i] < scene->image_count, "frame %u is image %u of %u", i,
		            scene->frame_images[i], scene->image_count);
	}
	for (uint32_t i = 0; i < scene->image_count; i++) check_image(scene, i, options, report);
}
