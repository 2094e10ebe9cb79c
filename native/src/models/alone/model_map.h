/* model_map.h - makes a map that contains only the model of a file. */
#ifndef BSPI_MODEL_MAP_H
#define BSPI_MODEL_MAP_H

#include "base/text.h"
#include "models/model.h"

/* The format of a file, or of its beginning (64 bytes do), that a model can be alone: all but maps that are shown as
 * models. NULL: it is none. */
const bspi_model_format *bspi_model_format_of(bspi_bytes head);
/* The game path of a model from what hosts call its file: from its part called models, progs or sprites on, where it
 * has one of these, else all of a relative path, else the file's name. False: it does not fit. */
bool bspi_model_game_path(const char *name, char out[BSPI_PATH_SIZE]);
/* An empty map with one entity that shows the model as the load's options want it, by the rules of the games that have
 * the format. `name`: what hosts call the file. */
bool bspi_model_as_map(bspi_ctx *ctx, bspi_bytes file, const bspi_model_format *format, bspi_map *map);

#endif
