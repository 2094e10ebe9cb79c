/* material_formats.c - finds the rules for the material format that a family's bspi_rules name. */
#include "materials/materials.h"

const bspi_material_rules *bspi_material_rules_of(const bspi_map *map)
{
	static const bspi_material_rules *const rules[] = {
		NULL,
#define BSPI_MATERIALS(word, name) &bspi_material_rules_##name,
#include "map/material_formats.def"
#undef BSPI_MATERIALS
	};
	return rules[map->rules.materials];
}
