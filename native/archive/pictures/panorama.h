/* panorama.h - writes the sky of a map as a picture of all directions. Needs no renderer. */
#ifndef CLI_PANORAMA_H
#define CLI_PANORAMA_H

#include "cli/output.h"

/* True if the path has an extension of such a picture. */
bool cli_is_panorama_name(const char *path);
/* Runs `render --panorama` from a place (NULL: the middle of the map) at a time. */
cli_exit cli_panorama(const cli_args *args, const float *eye, float time);

#endif
