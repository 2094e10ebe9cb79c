/* map_kind.c - recognizes the game of a directory by the first map in its maps/ folder that is not compressed. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "map/family.h"
#include "sources/open_source.h"

enum { HEAD_SIZE = 4096, MOST_TRIED = 8, PATH_SIZE = 4096 };

bool bspi_tell_map_kind(bspi_bytes head, bspi_map_kind *out)
{
	const bspi_variant *variant;
	const bspi_family *family = bspi_find_family(head, &variant);
	if (family) *out = (bspi_map_kind){ family->about.name, variant->name };
	return family != NULL;
}

static bool tell_file(const char *path, bspi_map_kind *out)
{
	uint8_t head[HEAD_SIZE];
	bspi_file *file = bspi_file_open(&bspi_system_heap, path, NULL);
	size_t got = file ? bspi_file_read(file, 0, head, sizeof head) : SIZE_MAX;
	bspi_file_close(file);
	return got != SIZE_MAX && bspi_tell_map_kind(bspi_bytes_of(head, got), out);
}

bspi_map_kind bspi_map_kind_of_game(bspi_arena *arena, const char *directory)
{
	bspi_map_kind kind = { 0 };
	char folder[PATH_SIZE], path[PATH_SIZE + BSPI_PATH_SIZE];
	bspi_listing listing;
	uint32_t tried = 0;
	int size = snprintf(folder, sizeof folder, "%s/maps", directory);
	if (size <= 0 || (size_t)size >= sizeof folder || !bspi_is_directory(folder)) return kind;
	if (!bspi_list_directory(arena, folder, false, &listing, NULL)) return kind;
	for (uint32_t i = 0; i < listing.count && tried < MOST_TRIED; i++) {
		if (!bspi_text_ends(listing.paths[i], ".bsp")) continue;
		tried++;
		size = snprintf(path, sizeof path, "%s/%s", folder, listing.paths[i]);
		if (size > 0 && (size_t)size < sizeof path && tell_file(path, &kind)) return kind;
	}
	return kind;
}
