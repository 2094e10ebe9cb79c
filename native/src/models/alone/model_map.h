/* model_map.h - makes a map that contains only the model in a file. */
#ifndef BSPI_MODEL_MAP_H
#define BSPI_MODEL_MAP_H

#include "base/text.h"
#include "models/model.h"

/* Returns the format of a file, of which at least the first 64 bytes are given. NULL if a model of this file cannot be
 * loaded alone: it is of no known format, or it is a map. */
const bspi_model_format *bspi_model_format_of(bspi_bytes head);
/* Makes the game path of a model from the name by which the host opened its file. It is the whole name if that is a
 * relative path. For an absolute path, it begins at the last folder models, progs or sprites; without such a folder,
 * it is the file name. Returns false if the result is too long. */
bool bspi_model_game_path(const char *name, char out[BSPI_PATH_SIZE]);
/* Makes a map with one entity that shows the model, posed as the load options say. Its rules are those of the games
 * that use the format. ctx->options.name is the name by which the host opened the file. */
bool bspi_model_as_map(bspi_ctx *ctx, bspi_bytes file, const bspi_model_format *format, bspi_map *map);

#endif
