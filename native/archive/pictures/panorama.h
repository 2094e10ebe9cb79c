/* panorama.h - writes the sky of a map as a 360-degree picture. Needs no renderer. */
#ifndef CLI_PANORAMA_H
#define CLI_PANORAMA_H

#include "cli/output.h"

/* True if the path has the extension of a format in which panoramas can be written. */
bool cli_is_panorama_name(const char *path);
/* Runs `render --panorama` for a camera position (NULL: the middle of the map) and a time in seconds. */
cli_exit cli_panorama(const cli_args *args, const float *eye, float time);

#endif
