/* vmt_pictures.c - generates images that the engine's shaders compute while drawing: emission, and light unpacked from
 * 8 bits. Each image is generated only once. */
#include "materials/vmt/vmt_reading.h"

#include <math.h>

#include "base/text.h"
#include "images/images.h"

/* Returns the emission share of a texel: its own alpha, or the color of the mask. The mask may have another size than
 * the image. */
static void glow_at(const bspscene_pixels *base, const bspscene_pixels *mask, uint32_t x, uint32_t y, uint8_t out[3])
{
	if (!mask->data) {
		memset(out, base->data[4 * ((size_t)y * base->width + x) + 3], 3);
		return;
	}
	size_t column = (size_t)x * mask->width / base->width, row = (size_t)y * mask->height / base->height;
	memcpy(out, mask->data + 4 * (row * mask->width + column), 3);
}

/* Multiplies the colors by the shares in linear light. The pixels are display values before and after. */
static void make_glow(bspscene_pixels *base, const bspscene_pixels *mask)
{
	const float display_power = 1 / 2.2f;
	float shares[256];
	uint8_t *pixel = base->data, glow[3];
	for (int i = 0; i < 256; i++) shares[i] = (float)pow(i / 255.0, display_power);
	for (uint32_t y = 0; y < base->height; y++) {
		for (uint32_t x = 0; x < base->width; x++, pixel += 4) {
			glow_at(base, mask, x, y, glow);
			for (int k = 0; k < 3; k++) pixel[k] = (uint8_t)((float)pixel[k] * shares[glow[k]] + 0.5f);
			pixel[3] = 255;
		}
	}
}

/* Unpacks linear light, which is color * alpha * 8 (sky_hdr_compressed_rgbs_ps2x.fxc). Light above white is clamped to
 * white, because textures cannot store it. */
static void unpack_light(bspscene_pixels *picture)
{
	const float range = 8, display_power = 1 / 2.2f;
	size_t size = (size_t)picture->width * picture->height * 4;
	for (uint8_t *pixel = picture->data; pixel < picture->data + size; pixel += 4) {
		for (int k = 0; k < 3; k++) {
			float light = fminf((float)(pixel[k] * pixel[3]) * range / (255 * 255), 1);
			pixel[k] = (uint8_t)((float)pow(light, display_power) * 255 + 0.5f);
		}
		pixel[3] = 255;
	}
}

bool bspi_add_glow(bspi_materials *m, uint32_t base, uint32_t mask, uint32_t *index)
{
	const char *name = mask == BSPSCENE_NO_INDEX
		? bspi_text_format(m->ctx, &m->ctx->result, "%s_glow", m->images[base].name)
		: bspi_text_format(m->ctx, &m->ctx->result, "%s_glow_by_%s", m->images[base].name, m->images[mask].name);
	bspscene_pixels picture = { 0 }, masked = { 0 };
	BSPI_TRY(name);
	if (bspi_find_made_picture(m, name, index)) return true;
	bool decoded, added = bspi_decode_for_making(m, base, &picture, &decoded) &&
	                      (!decoded || mask == BSPSCENE_NO_INDEX || bspi_decode_for_making(m, mask, &masked, &decoded));
	if (added && decoded) {
		make_glow(&picture, &masked);
		added = bspi_add_made_picture(m, name, &picture, index);
	}
	bspi_pixels_give(&m->ctx->budget, &picture);
	bspi_pixels_give(&m->ctx->budget, &masked);
	return added;
}

bool bspi_add_unpacked_light(bspi_materials *m, uint32_t *index)
{
	const bspscene_image *packed = &m->images[*index];
	const char *name = bspi_text_format(m->ctx, &m->ctx->result, "%s_light", packed->name);
	bspscene_pixels picture = { 0 };
	BSPI_TRY(name);
	if (!packed->data || bspi_find_made_picture(m, name, index)) return true;
	bool decoded, added = bspi_decode_for_making(m, *index, &picture, &decoded);
	if (added && decoded) {
		unpack_light(&picture);
		added = bspi_add_made_picture(m, name, &picture, index);
	}
	bspi_pixels_give(&m->ctx->budget, &picture);
	return added;
}
