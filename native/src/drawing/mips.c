/* mips.c - see mips.h. Mipmaps are box-filtered display values, as the engines make them. */
#include "drawing/mips.h"

#include <string.h>

#include <bspscene/image.h>

static bool add_level(const bspscene_allocator *memory, bspi_mips *mips)
{
	const bspi_mip_level *from = &mips->levels[mips->level_count - 1];
	bspi_mip_level *to = &mips->levels[mips->level_count];
	to->width = from->width > 1 ? from->width / 2 : 1;
	to->height = from->height > 1 ? from->height / 2 : 1;
	to->rgba = memory->allocate(memory->user, (size_t)to->width * to->height * 4);
	if (!to->rgba) return false;
	uint32_t step_x = from->width > 1, step_y = from->height > 1;
	for (uint32_t y = 0; y < to->height; y++) {
		const uint8_t *top = from->rgba + (size_t)(y << step_y) * from->width * 4;
		const uint8_t *bottom = top + (size_t)step_y * from->width * 4;
		uint8_t *out = to->rgba + (size_t)y * to->width * 4;
		for (uint32_t x = 0; x < to->width * 4; x++) {
			uint32_t left = ((x / 4) << step_x) * 4 + x % 4, right = left + step_x * 4;
			out[x] = (uint8_t)((top[left] + top[right] + bottom[left] + bottom[right]) / 4);
		}
	}
	mips->level_count++;
	return true;
}

static void free_largest(const bspscene_allocator *memory, bspi_mips *mips)
{
	bspscene_pixels pixels = { .width = mips->levels[0].width,
		                       .height = mips->levels[0].height,
		                       .data = mips->levels[0].rgba };
	if (mips->decoded) bspscene_pixels_free(&pixels);
	else if (mips->levels[0].rgba) memory->release(memory->user, mips->levels[0].rgba);
}

static void drop_level(const bspscene_allocator *memory, bspi_mips *mips)
{
	free_largest(memory, mips);
	mips->decoded = false;
	mips->level_count--;
	memmove(mips->levels, mips->levels + 1, mips->level_count * sizeof *mips->levels);
}

bool bspi_mips_build(const bspscene_allocator *memory, bspi_mips *mips, uint32_t side)
{
	while (mips->level_count < BSPI_MOST_MIP_LEVELS) {
		const bspi_mip_level *last = &mips->levels[mips->level_count - 1];
		if (last->width == 1 && last->height == 1) break;
		if (!add_level(memory, mips)) return false;
		bool large = mips->levels[0].width > side || mips->levels[0].height > side;
		if (large) drop_level(memory, mips);
	}
	return true;
}

void bspi_mips_free(const bspscene_allocator *memory, bspi_mips *mips)
{
	free_largest(memory, mips);
	for (uint32_t i = 1; i < mips->level_count; i++) memory->release(memory->user, mips->levels[i].rgba);
	memset(mips, 0, sizeof *mips);
}
