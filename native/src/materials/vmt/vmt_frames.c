/* vmt_frames.c - chooses the frame of a texture with several frames: the one that $frame names, or all in sequence if a
 * proxy counts $frame up. Names and defaults are those of the SDK's proxies (game/client, baseanimatedtextureproxy.cpp
 * and animatedoffsettextureproxy.cpp). */
#include <inttypes.h>

#include "base/text.h"
#include "images/images.h"
#include "materials/vmt/vmt_reading.h"

/* Finds the proxy that counts the frames. In the game, some begin when the map starts, others when an entity is
 * switched on. Here all begin at time 0. */
static bool find_player(const bspi_vmt *vmt, bspi_vmt_proxy *out)
{
	static const char *const names[] = { "AnimatedTexture", "AnimatedOffsetTexture", "AnimatedEntityTexture" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const bspi_vmt_proxy player = { names[i], "animatedtexturevar", "$basetexture" };
		*out = player;
		const char *counted = bspi_vmt_proxy_value(vmt, out, "animatedtextureframenumvar");
		if (counted && bspi_text_equal(counted, "$frame")) return true;
	}
	return false;
}

/* Finds how many frames an image has, up to a limit. It is 1 for images of other formats, and for those that were
 * not loaded. */
static bool count_frames(bspi_materials *m, uint32_t index, uint32_t *count)
{
	const bspscene_image *image = &m->images[index];
	uint32_t claimed;
	*count = 1;
	if (image->format != BSPSCENE_IMAGE_VTF || !image->data) return true;
	uint32_t there = bspi_vtf_count_frames(bspi_bytes_of(image->data, image->size), BSPI_MAX_FRAMES, &claimed);
	if (there > 1) *count = there;
	/* `there` is 0 if the pixels of the file are not read. Such files are kept for hosts. */
	if (there == claimed || !there) return true;
	if (there == BSPI_MAX_FRAMES) {
		return bspi_warn(m->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("textures"),
		                 "%s: it has %" PRIu32 " frames; the first %u are shown", image->path, claimed,
		                 BSPI_MAX_FRAMES);
	}
	return bspi_warn(m->ctx, BSPSCENE_WARNING_IMAGE_BAD, BSPI_LUMP("textures"),
	                 "%s: it should have %" PRIu32 " frames, but %" PRIu32 " are in the file", image->path, claimed,
	                 there);
}

/* Replaces the base image by the frame that $frame names. An invalid number means frame 0, like in the engine. */
bool bspi_pick_vmt_frame(bspi_materials *m, const bspi_vmt *vmt, bspscene_material *out)
{
	bspi_vmt_proxy proxy;
	uint32_t count;
	float frame = bspi_vmt_number(vmt, "$frame", 0);
	if (out->base_image == BSPSCENE_NO_INDEX || frame < 1 || find_player(vmt, &proxy)) return true;
	BSPI_TRY(count_frames(m, out->base_image, &count));
	if (!(frame < (float)count)) return true;
	return bspi_find_frame(m, out->base_image, (uint32_t)frame, &out->base_image);
}

/* Adds `count` frames of the image `base` to the list of frames, in order. */
static bool add_frames(bspi_materials *m, uint32_t base, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t image;
		BSPI_TRY(bspi_find_frame(m, base, i, &image) && bspi_add_frame(m, image));
	}
	return true;
}

/* Makes the emission of each frame. If a frame cannot be decoded, it gets the emission of the first frame. */
static bool add_glows(bspi_materials *m, const bspscene_animation *animation, uint32_t mask, uint32_t otherwise)
{
	for (uint32_t i = 0; i < animation->frame_image_count; i++) {
		uint32_t glow = otherwise;
		BSPI_TRY(bspi_add_glow(m, m->frames[animation->first_frame_image + i], mask, &glow) && bspi_add_frame(m, glow));
	}
	return true;
}

bool bspi_read_vmt_animation(bspi_materials *m, const bspi_vmt *vmt, uint32_t mask, bspscene_material *out)
{
	const float usual_rate = 15;
	bspi_vmt_proxy proxy;
	uint32_t count;
	if (out->base_image == BSPSCENE_NO_INDEX || !find_player(vmt, &proxy)) return true;
	float rate = bspi_vmt_proxy_number(vmt, &proxy, "animatedtextureframerate", usual_rate);
	BSPI_TRY(count_frames(m, out->base_image, &count));
	if (count < 2 || !(rate > 0)) return true;
	bspscene_animation animation = {
		.first_frame_image = m->frame_count,
		.frame_image_count = count,
		.first_emissive_image = BSPSCENE_NO_INDEX,
		.frames_per_second = rate,
		.once = bspi_vmt_proxy_number(vmt, &proxy, "animationnowrap", 0) != 0,
	};
	BSPI_TRY(add_frames(m, out->base_image, count));
	if (out->emissive_image != BSPSCENE_NO_INDEX) {
		animation.first_emissive_image = m->frame_count;
		BSPI_TRY(add_glows(m, &animation, mask, out->emissive_image));
	}
	bspscene_animation *kept = bspi_push(m->ctx, &m->ctx->result, bspscene_animation, 1);
	BSPI_TRY(kept);
	*kept = animation;
	out->animation = kept;
	return true;
}
