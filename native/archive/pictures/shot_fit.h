/* shot_fit.h - resizes the author's picture of a map to a tile. */
#ifndef CLI_SHOT_FIT_H
#define CLI_SHOT_FIT_H

#include <stdbool.h>

#include "archive/companions/level_shot.h"
#include "archive/pictures/picture_kinds.h"

/* True if the picture is large enough to be more than a thumbnail. */
bool cli_is_shot_large(const bspscene_pixels *shot);
/* Returns the tile as RGB pixels of the given size; the caller frees them. Square pictures are stretched: engines do
 * that too, because their textures had to be square. Other pictures are cropped on two opposite sides. */
uint8_t *cli_fit_shot(const bspscene_pixels *shot, cli_picture_size size);

#endif
