/* lit_texture.c - decodes textures for the picture, and makes mipmaps for charts with fewer texels than their
 * texture. */
#include "images/images.h"
#include "writers/lit/lit_paint.h"

void bspi_lit_texture_give(bspi_lit_texture *t)
{
	if (t->level_count) bspi_pixels_give(t->budget, &t->levels[0]);
	for (uint32_t i = 1; i < t->level_count; i++) bspi_pixels_give(t->budget, &t->levels[i]);
	t->level_count = 0;
	t->image = BSPSCENE_NO_INDEX;
}

bool bspi_lit_texture_take(bspi_lit_texture *t, const bspscene_scene *scene, uint32_t image, bspscene_error *error)
{
	if (t->image == image) return true;
	bspi_lit_texture_give(t);
	if (image == BSPSCENE_NO_INDEX) return true;
	bspscene_image source = *scene->images[image];
	bool decoded = bspi_image_decode_within(t->budget, &source, &t->levels[0], error);
	if (!decoded && !bspi_budget_refused(t->budget) && error->status != BSPSCENE_ERROR_OUT_OF_MEMORY) {
		source.format = BSPSCENE_IMAGE_MISSING;
		decoded = bspi_image_decode_within(t->budget, &source, &t->levels[0], error);
	}
	BSPI_TRY(decoded);
	t->image = image;
	t->level_count = 1;
	return true;
}

static void halve(const bspscene_pixels *from, bspscene_pixels *to)
{
	size_t right = from->width > 1 ? 4 : 0, below = from->height > 1 ? 4 * (size_t)from->width : 0;
	for (uint32_t y = 0; y < to->height; y++) {
		const uint8_t *texel = from->data + 2 * y * below;
		uint8_t *out = to->data + 4 * (size_t)y * to->width;
		for (uint32_t x = 0; x < to->width; x++, texel += 2 * right, out += 4) {
			for (size_t c = 0; c < 4; c++) {
				out[c] = (uint8_t)((texel[c] + texel[right + c] + texel[below + c] + texel[below + right + c] + 2) / 4);
			}
		}
	}
}

const bspscene_pixels *bspi_lit_texture_level(bspi_lit_texture *t, uint32_t level, bspscene_error *error)
{
	while (t->level_count <= level && t->level_count < BSPI_LIT_LEVELS) {
		const bspscene_pixels *last = &t->levels[t->level_count - 1];
		if (last->width == 1 && last->height == 1) break;
		bspscene_pixels half = { .width = last->width > 1 ? last->width / 2 : 1,
		                         .height = last->height > 1 ? last->height / 2 : 1 };
		uint64_t size = (uint64_t)half.width * half.height * 4;
		bool fits = bspi_budget_take(t->budget, size);
		if (fits) half.data = bspi_heap_take(&t->budget->heap, (size_t)size);
		if (!half.data) {
			char why[BSPI_REFUSAL_SIZE];
			bspscene_status status = bspi_describe_refusal(t->budget, why);
			if (fits) bspi_budget_give(t->budget, size);
			bspi_error_set(error, status, "%s", why);
			return NULL;
		}
		halve(last, &half);
		t->levels[t->level_count++] = half;
	}
	return &t->levels[level < t->level_count ? level : t->level_count - 1];
}
