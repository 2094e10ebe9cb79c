/* shot_fit.h - an author's picture of a map at the size of a tile. */
#ifndef CLI_SHOT_FIT_H
#define CLI_SHOT_FIT_H

#include <stdbool.h>

#include "archive/companions/level_shot.h"
#include "archive/pictures/picture_kinds.h"

/* True if the picture has more detail than its author's thumbnail. */
bool cli_is_shot_large(const bspscene_pixels *shot);
/* RGB pixels of that size, to be freed. Square ones are stretched, as engines show them, which had squares for
 * textures; of others what is too wide or too high is cut off, the same on both sides. */
uint8_t *cli_fit_shot(const bspscene_pixels *shot, cli_picture_size size);

#endif
