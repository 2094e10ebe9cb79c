/* level_shot.h - the picture that an author took of the map: as pixels, and as a PNG where browsers do not know it. */
#ifndef CLI_LEVEL_SHOT_H
#define CLI_LEVEL_SHOT_H

#include <bspscene/image.h>
#include <jansson.h>
#include <stdbool.h>

#include "cli/byte_buffer.h"
#include "cli/options/args.h"

/* True if a file of the map is its picture: levelshots/NAME.jpg, or NAME.png next to it. */
enum { CLI_MOST_LEVEL_SHOTS = 4 };

typedef struct cli_level_shot {
	char *name;                        /* its file */
	bspscene_pixels pixels;            /* RGBA; without meaning in A */
} cli_level_shot;

typedef struct cli_level_shots {
	cli_level_shot at[CLI_MOST_LEVEL_SHOTS];
	uint32_t count;
} cli_level_shots;

/* The first of a map's, `entry` being its line of a catalog, that can be read. */
void cli_read_level_shots(const json_t *entry, const cli_args *args, cli_level_shots *out);
void cli_level_shots_free(cli_level_shots *shots);

/* Converts a TGA. False: it cannot be read. The caller frees `png` in any case. */
bool cli_show_level_shot(const void *data, size_t size, cli_bytes *png);

#endif
