/* light_questions.c - answers questions of several light stages: where a stored page is, which slots have a style of
 * their own, and how a face is projected to luxels. */
#include "stages/light/light.h"

const bspi_map_page *bspi_find_page(const bspi_light *light, int32_t number)
{
	const bspi_map_page *page = NULL;
	if (number >= BSPI_FIRST_PICTURE_PAGE && number - BSPI_FIRST_PICTURE_PAGE < (int64_t)light->picture_count) {
		page = &light->pictures[number - BSPI_FIRST_PICTURE_PAGE];
	} else if (number >= 0 && number < (int64_t)light->page_count) {
		page = &light->pages[number];
	}
	return page && page->rgb ? page : NULL;
}

bool bspi_slot_used(const bspi_build *build, const bspi_face *face, uint32_t slot)
{
	const bspi_face_light *lit = bspi_light_of(build, face);
	if (slot == 0) return true;
	if (!bspi_has_slots(build) || lit->styles[slot] == BSPI_NO_STYLE) return false;
	for (uint32_t i = 0; i < slot; i++) {
		if (lit->styles[i] == lit->styles[slot]) return false;
	}
	return bspi_find_page(build->light, lit->pages[slot]) != NULL;
}

uint32_t bspi_luxel_size(bspi_light_encoding encoding)
{
	static const uint32_t sizes[] = {
		[BSPI_LIGHT_NONE] = 1, [BSPI_LIGHT_GRAY8] = 1, [BSPI_LIGHT_RGB8] = 3, [BSPI_LIGHT_E5BGR9] = 4,
		[BSPI_LIGHT_RGBEXP32] = 4, [BSPI_LIGHT_RGB8_FROM] = BSPI_DIRECTED_SIZE,
	};
	return sizes[encoding];
}

bool bspi_may_have_page(const bspi_face *face)
{
	return face->kind == BSPI_FACE_TRIANGLES || face->kind == BSPI_FACE_PATCH || face->kind == BSPI_FACE_TERRAIN;
}

bool bspi_find_grid(const bspi_map *map, const bspi_face *face, bspi_luxel_grid *out)
{
	if (face->light_projection >= 0 && (uint32_t)face->light_projection < map->light_projections_count) {
		*out = (bspi_luxel_grid){ map->light_projections[face->light_projection].vectors, 1 };
		return true;
	}
	if (face->texinfo < 0 || (uint32_t)face->texinfo >= map->texinfos_count) return false;
	bool own = face->luxel_shift > 0 && face->luxel_shift < 16;
	float texels = own ? (float)(1 << face->luxel_shift) : map->rules.luxel_size;
	*out = (bspi_luxel_grid){ map->texinfos[face->texinfo].texture_vectors, texels };
	return out->texels_per_luxel > 0;
}
