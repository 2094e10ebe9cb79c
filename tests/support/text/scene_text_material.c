/* scene_text_material.c - materials with their stages, and images, in a scene's text. */
#include "support/text/scene_text.h"

#include <inttypes.h>

#include "base/text.h"
#include "writers/words.h"

static bool put_stages(bspi_writer *writer, const bspscene_material *material)
{
	for (uint32_t i = 0; i < material->pass_count; i++) {
		const bspscene_material_pass *s = writer->scene->material_passes[material->first_pass + i];
		BSPI_TRY(bspi_put_format(writer, "\t\tstage source %d blend %d %d rgb %d alpha %d tc %d mods %" PRIu32,
		                         (int)s->input, (int)s->src_blend, (int)s->dst_blend, (int)s->color_gen,
		                         (int)s->alpha_gen, (int)s->tc_gen, s->tc_mod_count));
		for (uint32_t f = 0; f < s->frame_image_count; f++) {
			BSPI_TRY(bspt_say_index(writer, "image", writer->scene->frame_images[s->first_frame_image + f]));
		}
		if (s->alpha_test != BSPSCENE_ALPHA_MODE_OPAQUE)
			BSPI_TRY(bspt_say_floats(writer, " cutoff", &s->alpha_cutoff, 1));
		BSPI_TRY(bspt_say_word(writer, "clamp", s->clamp) && bspt_say_word(writer, "depth-write", s->depth_write) &&
		         bspi_put_text(writer, "\n"));
	}
	return true;
}

static bool put_blend_mask(bspi_writer *writer, const bspscene_blend_mask *mask)
{
	if (!mask) return true;
	return bspt_say_index(writer, "mask", mask->image) && bspt_say_word(writer, "alone", mask->masked) &&
	       bspt_say_floats(writer, " scale", mask->uv_scale, 2) &&
	       bspt_say_floats(writer, " offset", mask->uv_offset, 2);
}

static bool put_detail(bspi_writer *writer, const bspscene_detail_texture *detail)
{
	if (!detail) return true;
	return bspt_say_index(writer, "detail", detail->image) &&
	       bspi_put_format(writer, " %s", bspi_detail_word(detail->mode)) &&
	       bspt_say_floats(writer, " scale", detail->uv_scale, 2) &&
	       bspt_say_floats(writer, " color", detail->color, 3) &&
	       bspt_say_floats(writer, " factor", &detail->factor, 1);
}

static bool put_animation(bspi_writer *writer, const bspscene_animation *animation)
{
	if (!animation) return true;
	BSPI_TRY(bspt_say_floats(writer, "\t\tanimation", &animation->frames_per_second, 1) &&
	         bspt_say_word(writer, "once", animation->once));
	for (uint32_t f = 0; f < animation->frame_image_count; f++) {
		BSPI_TRY(bspt_say_index(writer, "image", writer->scene->frame_images[animation->first_frame_image + f]));
		if (animation->first_emissive_image == BSPSCENE_NO_INDEX) continue;
		BSPI_TRY(bspt_say_index(writer, "glow", writer->scene->frame_images[animation->first_emissive_image + f]));
	}
	return bspi_put_text(writer, "\n");
}

static bool put_layers(bspi_writer *writer, const bspscene_material *material)
{
	for (uint32_t i = 0; i < material->layer_count; i++) {
		const bspscene_layer *layer = material->layers[i];
		BSPI_TRY(bspi_put_text(writer, "\t\tlayer") && bspt_say_index(writer, "image", layer->image));
		BSPI_TRY(bspt_say_floats(writer, " scale", layer->uv_scale, 2));
		BSPI_TRY(bspt_say_floats(writer, " luminance", layer->luminance, 2));
		BSPI_TRY(bspt_say_floats(writer, " share", &layer->luminance_share, 1));
		BSPI_TRY(bspt_say_floats(writer, " blend", layer->blend, 2));
		BSPI_TRY(bspt_say_word(writer, "doubled", layer->doubled) && bspi_put_text(writer, "\n"));
	}
	return true;
}

static bool put_material(bspi_writer *writer, uint32_t index)
{
	const bspscene_material *m = writer->scene->materials[index];
	BSPI_TRY(bspi_put_format(writer, "\t%" PRIu32 " ", index) && bspt_say_quoted(writer, m->name));
	BSPI_TRY(bspi_put_format(writer, " %s %s flags %" PRIx32 " %" PRIx32 " size %" PRIu32 " %" PRIu32,
	                         bspi_material_word(m->kind), bspi_alpha_word(m->alpha_mode), m->surface_flags,
	                         m->content_flags, m->width, m->height));
	BSPI_TRY(bspt_say_word(writer, bspi_include_word(m->surface_kind), m->surface_kind != BSPSCENE_SURFACE_VISIBLE));
	BSPI_TRY(bspt_say_index(writer, "image", m->base_image) && bspt_say_index(writer, "second", m->second_image));
	BSPI_TRY(bspt_say_index(writer, "emissive", m->emissive_image) &&
	         bspt_say_index(writer, "normal", m->normal_image));
	BSPI_TRY(bspt_say_word(writer, "unlit", m->unlit) && bspt_say_word(writer, "vertex-lit", m->vertex_lit) &&
	         bspt_say_word(writer, "clamp", m->clamp));
	BSPI_TRY(bspt_say_word(writer, "two-sided", m->cull == BSPSCENE_CULL_NONE) &&
	         bspt_say_word(writer, "inside-out", m->cull == BSPSCENE_CULL_FRONT));
	if (m->alpha_mode == BSPSCENE_ALPHA_MODE_MASK) BSPI_TRY(bspt_say_floats(writer, " cutoff", &m->alpha_cutoff, 1));
	if (m->color[0] != 1 || m->color[1] != 1 || m->color[2] != 1 || m->color[3] != 1) {
		BSPI_TRY(bspt_say_floats(writer, " color", m->color, 4));
	}
	if (m->emissive[0] > 0 || m->emissive[1] > 0 || m->emissive[2] > 0) {
		BSPI_TRY(bspt_say_floats(writer, " emits", m->emissive, 3));
	}
	if (m->uv_scale[0] != 1 || m->uv_scale[1] != 1) BSPI_TRY(bspt_say_floats(writer, " uv_scale", m->uv_scale, 2));
	if (m->uv_offset[0] != 0 || m->uv_offset[1] != 0) BSPI_TRY(bspt_say_floats(writer, " uv_offset", m->uv_offset, 2));
	if (m->uv_rotation_radians != 0) BSPI_TRY(bspt_say_floats(writer, " uv_rotation", &m->uv_rotation_radians, 1));
	BSPI_TRY(put_blend_mask(writer, m->blend_mask) && put_detail(writer, m->detail_texture));
	if (m->scroll[0] != 0 || m->scroll[1] != 0) BSPI_TRY(bspt_say_floats(writer, " scroll", m->scroll, 2));
	if (m->surface_light > 0) BSPI_TRY(bspt_say_floats(writer, " light", &m->surface_light, 1));
	if (m->fog)
		BSPI_TRY(bspt_say_floats(writer, " fog", m->fog->color, 3) && bspt_say_floats(writer, "", &m->fog->depth, 1));
	if (*m->script_file)
		BSPI_TRY(bspi_put_text(writer, " from ") && bspt_say_quoted(writer, m->script_file) &&
		         bspi_put_format(writer, ":%" PRIu32, m->script_line));
	return bspi_put_text(writer, "\n") && put_stages(writer, m) && put_layers(writer, m) &&
	       put_animation(writer, m->animation);
}

bool bspt_say_materials(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	BSPI_TRY(bspi_put_format(writer, "materials %" PRIu32 "\n", scene->material_count));
	for (uint32_t i = 0; i < scene->material_count; i++) BSPI_TRY(put_material(writer, i));
	return true;
}

bool bspt_say_images(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	BSPI_TRY(bspi_put_format(writer, "images %" PRIu32 "\n", scene->image_count));
	for (uint32_t i = 0; i < scene->image_count; i++) {
		const bspscene_image *image = scene->images[i];
		BSPI_TRY(bspi_put_format(writer, "\t%" PRIu32 " ", i) && bspt_say_quoted(writer, image->name));
		BSPI_TRY(bspi_put_format(writer, " %s %" PRIu32 " %" PRIu32, bspi_image_word(image->format), image->width,
		                         image->height));
		BSPI_TRY(bspt_say_word(writer, "alpha", image->has_alpha) &&
		         bspt_say_word(writer, "made", image->is_generated));
		if (image->frame) BSPI_TRY(bspt_say_index(writer, "frame", image->frame));
		if (image->format == BSPSCENE_IMAGE_MISSING) {
			BSPI_TRY(bspi_put_format(writer, " shown as %u %u %u", image->fallback_color[0], image->fallback_color[1],
			                         image->fallback_color[2]));
		}
		if (*image->path) BSPI_TRY(bspi_put_text(writer, " from ") && bspt_say_quoted(writer, image->path));
		if (image->data) BSPI_TRY(bspt_say_hash(writer, "hash", image->data, bspi_hash(image->data, image->size)));
		BSPI_TRY(bspi_put_text(writer, "\n"));
	}
	return true;
}
