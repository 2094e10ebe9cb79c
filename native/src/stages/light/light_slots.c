/* light_slots.c - finds the luxels of the further light styles of faces. A face can have up to four styles, one in each
 * slot, and stores uvs for each slot. The luxels of all slots are equally large rectangles at different positions. So
 * the uvs of slot 0, plus an offset per slot, are enough. */
#include "stages/light/light.h"

#include <math.h>

/* Largest rounding error of the compiler's uvs, in luxels. */
#define TOLERANCE (1 / 64.0f)
#define LARGEST_LUXEL 65536.0f

typedef struct slot_extent {
	float min[2], max[2];              /* bounds of the face's uvs on the slot's page, in luxels */
} slot_extent;

static float *slot_uv(const bspi_light *light, const bspi_face *face, uint32_t slot, int32_t index)
{
	return light->uvs[(size_t)face->first_vertex + (size_t)index][slot];
}

static void find_luxel(const bspi_build *build, const bspi_face *face, uint32_t slot, int32_t index, float out[2])
{
	const bspi_map_page *page = bspi_find_page(build->light, bspi_light_of(build, face)->pages[slot]);
	const float *uv = slot_uv(build->light, face, slot, index);
	out[0] = uv[0] * (float)page->width;
	out[1] = uv[1] * (float)page->height;
}

static slot_extent measure_slot(const bspi_build *build, const bspi_face *face, uint32_t slot)
{
	slot_extent out = { { INFINITY, INFINITY }, { -INFINITY, -INFINITY } };
	for (int32_t i = 0; i < face->vertex_count; i++) {
		float luxel[2];
		find_luxel(build, face, slot, i, luxel);
		for (int k = 0; k < 2; k++) {
			out.min[k] = fminf(out.min[k], luxel[k]);
			out.max[k] = fmaxf(out.max[k], luxel[k]);
		}
	}
	return out;
}

static bool is_solid(const slot_extent *extent)
{
	return extent->max[0] - extent->min[0] < TOLERANCE && extent->max[1] - extent->min[1] < TOLERANCE;
}

static void swap_uvs(const bspi_light *light, const bspi_face *face, uint32_t slot)
{
	for (int32_t i = 0; i < face->vertex_count; i++) {
		float *a = slot_uv(light, face, 0, i), *b = slot_uv(light, face, slot, i);
		for (int k = 0; k < 2; k++) {
			float kept = a[k];
			a[k] = b[k];
			b[k] = kept;
		}
	}
}

/* Swaps slots so that slot 0 has a whole rectangle. If the light of a slot is the same everywhere, q3map2 stores a
 * single luxel for it ("solid"). */
static void lead_with_rectangle(const bspi_build *build, const bspi_face *face)
{
	slot_extent first = measure_slot(build, face, 0);
	if (!is_solid(&first)) return;
	for (uint32_t slot = 1; slot < BSPI_MAX_STYLES; slot++) {
		if (!bspi_slot_used(build, face, slot)) continue;
		slot_extent extent = measure_slot(build, face, slot);
		if (is_solid(&extent)) continue;
		bspi_face_light *lit = bspi_light_of(build, face);
		int32_t number = lit->pages[0];
		uint8_t style = lit->styles[0];
		swap_uvs(build->light, face, slot);
		lit->pages[0] = lit->pages[slot];
		lit->styles[0] = lit->styles[slot];
		lit->pages[slot] = number;
		lit->styles[slot] = style;
		return;
	}
}

static bool is_inside(const bspi_map_page *page, int64_t x, int64_t y, uint32_t width, uint32_t height)
{
	return x >= 0 && y >= 0 && x + width <= page->width && y + height <= page->height;
}

static bool are_sane(const float luxel[2])
{
	return fabsf(luxel[0]) <= LARGEST_LUXEL && fabsf(luxel[1]) <= LARGEST_LUXEL;
}

/* Finds the offset of a slot's luxels from those of slot 0. Returns false unless the slot has a single luxel, or a
 * rectangle as large as that of slot 0, and these luxels are inside its page. */
static bool relate_slot(const bspi_build *build, const bspi_face *face, uint32_t slot, bspi_slot *out)
{
	const bspi_map_page *page = bspi_find_page(build->light, bspi_light_of(build, face)->pages[slot]);
	slot_extent extent = measure_slot(build, face, slot);
	float lead[2], here[2];
	find_luxel(build, face, 0, 0, lead);
	find_luxel(build, face, slot, 0, here);
	if (!are_sane(lead) || !are_sane(here)) return false;
	if (is_solid(&extent)) {
		*out = (bspi_slot){ (int32_t)floorf(here[0]), (int32_t)floorf(here[1]), true };
		return is_inside(page, out->x, out->y, 1, 1);
	}
	float step[2] = { roundf(here[0] - lead[0]), roundf(here[1] - lead[1]) };
	for (int32_t i = 0; i < face->vertex_count; i++) {
		find_luxel(build, face, 0, i, lead);
		find_luxel(build, face, slot, i, here);
		for (int k = 0; k < 2; k++) {
			if (!(fabsf(here[k] - lead[k] - step[k]) <= TOLERANCE)) return false;
		}
	}
	*out = (bspi_slot){ (int32_t)step[0], (int32_t)step[1], false };
	bspi_luxel_box box;
	return bspi_find_footprint(build, face, &box) &&
	       is_inside(page, (int64_t)box.x + out->x, (int64_t)box.y + out->y, box.width, box.height);
}

static bool relate_face(bspi_build *build, uint32_t index)
{
	const bspi_face *face = &build->map->faces[index];
	const bspi_light *light = build->light;
	bspi_face_light *lit = &light->faces[index];
	if (!bspi_may_have_page(face) || face->vertex_count < 1 || !bspi_find_page(light, lit->pages[0])) return true;
	lead_with_rectangle(build, face);
	for (uint32_t slot = 1; slot < BSPI_MAX_STYLES; slot++) {
		if (!bspi_slot_used(build, face, slot)) continue;
		if (relate_slot(build, face, slot, &light->slots[index][slot - 1])) continue;
		BSPI_TRY(bspi_warn(build->ctx, BSPSCENE_WARNING_LIGHTMAP, BSPI_FACE(index),
		                   "light of style %u left out: its luxels are not placed as those of style %u",
		                   lit->styles[slot], lit->styles[0]));
		lit->styles[slot] = BSPI_NO_STYLE;
	}
	return true;
}

bool bspi_relate_slots(bspi_build *build)
{
	const bspi_map *map = build->map;
	if (!bspi_has_slots(build)) return true;
	build->light->slots = bspi_push_zeroed(build->ctx, &build->ctx->scratch, map->faces_count,
	                                       sizeof *build->light->slots);
	BSPI_TRY(build->light->slots);
	for (uint32_t i = 0; i < map->faces_count; i++) BSPI_TRY(relate_face(build, i));
	return true;
}
