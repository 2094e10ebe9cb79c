/* level_shot.h - a picture that browsers do not know -> a PNG. */
#ifndef CLI_LEVEL_SHOT_H
#define CLI_LEVEL_SHOT_H

#include <stdbool.h>

#include "cli/byte_buffer.h"

/* Of a TGA's bytes. False: it is none that can be read; `png` has to be freed in any case. */
bool cli_show_level_shot(const void *data, size_t size, cli_bytes *png);

#endif
