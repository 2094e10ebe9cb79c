/* level_shot.h - the preview picture that a map's author made: its pixels, and a PNG of it if browsers cannot show the
 * file. */
#ifndef CLI_LEVEL_SHOT_H
#define CLI_LEVEL_SHOT_H

#include <bspscene/image.h>
#include <jansson.h>
#include <stdbool.h>

#include "cli/byte_buffer.h"
#include "cli/options/args.h"

enum { CLI_MOST_LEVEL_SHOTS = 4 };     /* largest number of pictures that are read for a map */

typedef struct cli_level_shot {
	char *name;                        /* path of the file, for messages and descriptions */
	bspscene_pixels pixels;            /* RGBA; A has no meaning */
} cli_level_shot;

typedef struct cli_level_shots {
	cli_level_shot at[CLI_MOST_LEVEL_SHOTS];
	uint32_t count;
} cli_level_shots;

/* Reads the first usable pictures of a map, such as levelshots/NAME.jpg. `entry` is the map's line of a catalog. */
void cli_read_level_shots(const json_t *entry, const cli_args *args, cli_level_shots *out);
void cli_level_shots_free(cli_level_shots *shots);

/* Converts a TGA to PNG. Returns false if it cannot be read. The caller must free `png` even then. */
bool cli_show_level_shot(const void *data, size_t size, cli_bytes *png);

#endif
