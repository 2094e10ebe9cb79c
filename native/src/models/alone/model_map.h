/* model_map.h - makes a map that contains only the model of a file. */
#ifndef BSPI_MODEL_MAP_H
#define BSPI_MODEL_MAP_H

#include "base/text.h"
#include "models/model.h"

/* Returns the format of a file or of its first 64 bytes, if such a model can be loaded alone: any except maps shown as
 * models. NULL if there is none. */
const bspi_model_format *bspi_model_format_of(bspi_bytes head);
/* Derives the game path of a model from the host's name of its file: from its folder models, progs or sprites on if
 * there is one, else the whole of a relative path, else the file name. False if it is too long. */
bool bspi_model_game_path(const char *name, char out[BSPI_PATH_SIZE]);
/* Makes an empty map with one entity that shows the model as the options say, with the rules of the format's games.
 * ctx->options.name is the host's name of the file. */
bool bspi_model_as_map(bspi_ctx *ctx, bspi_bytes file, const bspi_model_format *format, bspi_map *map);

#endif
