/* Promise: a GoldSrc palette that has fewer than 256 colors is found at the same offset as a full one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "families/quake/quake_common.h"
#include "support/make/build_map.h"
#include "support/store.h"

/* Each miptex of the room has a header, 340 texels of four levels, a count of colors, and the palette. */
enum { TEXTURES = 3, HEADER = 40, TEXELS = 16 * 16 * 85 / 64, COLORS = 64 };

static bspscene_scene *load(const bspt_parts *parts)
{
	return bspt_load_parts(bspt_find_variant(&bspi_family_goldsrc, "goldsrc"), parts, NULL);
}

static void short_palettes_have_the_same_first_colors(void **state)
{
	(void)state;
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_goldsrc, bspt_find_variant(&bspi_family_goldsrc, "goldsrc"), &parts));
	bspscene_scene *whole = load(&parts);
	bspi_bytes *lump = &parts.raw[QUAKE_TEXTURES];
	uint8_t *copy = malloc(lump->size);
	assert_non_null(copy);
	memcpy(copy, lump->data, lump->size);
	for (uint32_t i = 0; i < TEXTURES; i++) {
		uint32_t at = bspi_load_u32(copy + 4 + 4 * i);
		copy[at + HEADER + TEXELS] = COLORS;
		copy[at + HEADER + TEXELS + 1] = 0;
	}
	const uint8_t *indices = copy + bspi_load_u32(copy + 4) + HEADER;
	lump->data = copy;
	bspscene_scene *brief = load(&parts);
	const bspscene_image *a = whole->images[0], *b = brief->images[0];
	uint32_t compared = 0;
	assert_true(a->format == BSPSCENE_IMAGE_RGBA && b->format == BSPSCENE_IMAGE_RGBA && a->width == 16);
	for (size_t i = 0; i < 256; i++) {
		if (indices[i] >= COLORS) continue;
		assert_memory_equal((const uint8_t *)a->data + 4 * i, (const uint8_t *)b->data + 4 * i, 4);
		compared++;
	}
	assert_true(compared > 20);
	bspscene_scene_free(whole);
	bspscene_scene_free(brief);
	free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(short_palettes_have_the_same_first_colors) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
