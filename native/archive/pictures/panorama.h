/* panorama.h - the sky of a map as one picture of all directions, in a file. Needs no renderer. */
#ifndef CLI_PANORAMA_H
#define CLI_PANORAMA_H

#include "cli/output.h"

/* True if the path has an extension of such a picture. */
bool cli_is_panorama_name(const char *path);
/* The whole of `render --panorama`, after which the program ends: from there (NULL: the middle of the map), then. */
cli_exit cli_panorama(const cli_args *args, const float *eye, float time);

#endif
