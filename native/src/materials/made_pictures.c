/* made_pictures.c - keeps images that were generated from the game's images. Each of them is generated once. */
#include "materials/materials.h"

#include "images/images.h"

bool bspi_find_made_picture(const bspi_materials *m, const char *name, uint32_t *index)
{
	for (uint32_t i = 0; i < m->image_count; i++) {
		if (strcmp(m->images[i].name, name)) continue;
		*index = i;
		return true;
	}
	return false;
}

bool bspi_add_made_picture(bspi_materials *m, const char *name, const bspscene_pixels *picture, uint32_t *index)
{
	size_t size = (size_t)picture->width * picture->height * 4;
	uint8_t *pixels = bspi_push(m->ctx, &m->ctx->result, uint8_t, size);
	BSPI_TRY(pixels);
	memcpy(pixels, picture->data, size);
	const bspscene_image image = {
		.name = name,
		.path = "",
		.archive = "",
		.format = BSPSCENE_IMAGE_RGBA,
		.width = picture->width,
		.height = picture->height,
		.data = pixels,
		.size = size,
		.has_alpha = bspi_pixels_have_alpha(picture),
	};
	return bspi_add_image(m, &image, index);
}

bool bspi_decode_for_making(bspi_materials *m, uint32_t image, bspscene_pixels *out, bool *decoded)
{
	bspscene_error why;
	*decoded = bspi_image_decode_within(&m->ctx->budget, &m->images[image], out, &why);
	return *decoded || !m->ctx->budget.refused || bspi_fail_memory(m->ctx);
}
