/* rooms.c - compares the rooms that build_<family>.c makes with the fixtures <family>/maps/room.bsp. These fixtures
 * exist for formats for which we could not compile a map of our own: rooms DIRECTORY [--update]
 *
 * rooms DIRECTORY --family ID writes that family's room in every variant, DIRECTORY/VARIANT.bsp. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/make/build_map.h"
#include "support/golden_file.h"

static const struct {
	const bspi_family *family;
	const char *variant, *path;        /* path relative to fixtures/ */
} rooms[] = {
	{ &bspi_family_nightfire, "nightfire", "nightfire/maps/room.bsp" },
	{ &bspi_family_uebertools, "mohaa", "mohaa/maps/room.bsp" },
	{ &bspi_family_ufoai, "ufoai", "ufoai/maps/room.bsp" },
	{ &bspi_family_callofduty, "callofduty", "callofduty/maps/room.bsp" },
	{ &bspi_family_callofduty4, "callofduty4", "callofduty4/maps/room.bsp" },
	{ &bspi_family_genesis3d, "genesis3d", "genesis3d/maps/room.bsp" },
	{ &bspi_family_respawn, "titanfall", "respawn/maps/room.bsp" },
	{ &bspi_family_vbsp, "source20", "source/maps/room.bsp" },
};

static bool is_first_of_its_name(const bspi_family *family, uint32_t index)
{
	for (uint32_t i = 0; i < index; i++) {
		if (!strcmp(family->variants[i].name, family->variants[index].name)) return false;
	}
	return true;
}

/* Writes the family's variants. If variants of consoles and PCs share a name, writes the first one. */
static void write_family(const char *directory, const bspi_family *family)
{
	for (uint32_t i = 0; i < family->variant_count; i++) {
		char path[1024];
		if (!is_first_of_its_name(family, i)) continue;
		snprintf(path, sizeof path, "%s/%s.bsp", directory, family->variants[i].name);
		bspt_bytes room = bspt_build_room(family, &family->variants[i]);
		bspt_write_file(path, room.data, room.size);
		free(room.data);
	}
}

int main(int argc, char **argv)
{
	bool update = argc == 3 && !strcmp(argv[2], "--update");
	if (argc < 2) return 2;
	for (uint32_t i = 0; argc == 4 && i < bspi_family_count; i++) {
		if (!strcmp(argv[3], bspi_families[i]->about.name)) write_family(argv[1], bspi_families[i]);
	}
	if (argc == 4) return 0;
	int differences = 0;
	for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
		char path[1024];
		snprintf(path, sizeof path, "%s/%s", argv[1], rooms[i].path);
		bspt_bytes now = bspt_build_room(rooms[i].family, bspt_find_variant(rooms[i].family, rooms[i].variant));
		bspt_bytes fixture = bspt_golden_that_differs(path, now.data, now.size, update);
		if (fixture.data) {
			printf("tests/fixtures/%s is not what tests/support makes of the layout tables now. If that is right,\n"
			       "write it anew with `cmake --build build/dev --target golden_update`.\n",
			       rooms[i].path);
			differences++;
		}
		free(fixture.data);
		free(now.data);
	}
	return differences != 0;
}
