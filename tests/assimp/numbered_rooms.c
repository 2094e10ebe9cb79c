/* numbered_rooms.c - see numbered_rooms.h. Numbers all variants that have a room, in the order of their families. */
#include "assimp/numbered_rooms.h"

#include "support/make/build_map.h"

/* Gets the family and the variant of the room with the number `wanted`. Returns the number of all rooms. */
static uint32_t walk(uint32_t wanted, const bspi_family **family, const bspi_variant **variant)
{
	uint32_t count = 0;
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		bspt_parts parts;
		if (!bspt_room_parts(bspi_families[f], &bspi_families[f]->variants[0], &parts)) continue;
		for (uint32_t v = 0; v < bspi_families[f]->variant_count; v++, count++) {
			if (count != wanted) continue;
			*family = bspi_families[f];
			*variant = &bspi_families[f]->variants[v];
		}
	}
	return count;
}

uint32_t bspt_room_count(void)
{
	return walk(UINT32_MAX, NULL, NULL);
}

bspt_bytes bspt_room(uint32_t number, const char **name)
{
	const bspi_family *family = NULL;
	const bspi_variant *variant = NULL;
	walk(number, &family, &variant);
	if (!family) bspt_die("number out of range", "room");
	*name = bspt_variant_name(family, variant);
	return bspt_build_room(family, variant);
}
