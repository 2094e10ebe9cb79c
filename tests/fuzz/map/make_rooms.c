/* make_rooms.c - writes the map target's first corpus: make_rooms DIRECTORY. A room of every variant without its light,
 * which is most of a room's bytes, one with light, each followed by a tail of options. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/build_map.h"

#define TAIL 16

static void write_room(const char *directory, const char *name, bspt_bytes file, const uint8_t tail[TAIL])
{
	char path[4096];
	uint8_t *input = malloc(file.size + TAIL);
	if (!input) bspt_die("allocate", name);
	memcpy(input, file.data, file.size);
	memcpy(input + file.size, tail, TAIL);
	snprintf(path, sizeof path, "%s/%s", directory, name);
	bspt_write_file(path, input, file.size + TAIL);
	free(input);
	free(file.data);
}

int main(int argc, char **argv)
{
	if (argc != 2) return 2;
	/* Everything included, textures from the input itself, written by the first writer. */
	static const uint8_t tail[TAIL] = { 1, 0, 0, 0, 2, 0, 0, 0, 0, 7, 0 };
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		const bspi_family *family = bspi_families[f];
		for (uint32_t v = 0; v < family->variant_count; v++) {
			bspt_parts parts;
			if (!bspt_room_parts(family, &family->variants[v], &parts)) continue;
			if (!v) write_room(argv[1], "lit", bspt_encode_parts(&family->variants[v], &parts), tail);
			for (uint32_t slot = 0; slot < parts.lump_count; slot++) {
				if (parts.raw[slot].size > 16384) parts.raw[slot] = BSPI_NO_BYTES;
			}
			char name[128];
			snprintf(name, sizeof name, "%s-%u", bspt_variant_name(family, &family->variants[v]), v);
			write_room(argv[1], name, bspt_encode_parts(&family->variants[v], &parts), tail);
		}
	}
	return 0;
}
