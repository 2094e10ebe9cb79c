/* names.h - checks and converts file names. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include <stdbool.h>

/* Returns the last separator of a path, or NULL. */
const char *cli_last_separator(const char *path);

/* Returns the ending of a file's name without its dot, or "". */
const char *cli_ending(const char *path);

/* Returns ".glb, .gltf or .obj" and so on in new memory: all formats that can be written, or only those without
 * Assimp. */
char *cli_written_endings(bool with_assimp);

/* True for a relative path that stays in its directory: no empty, "." or ".." parts, and no unprintable letters. */
bool cli_is_name_safe(const char *name);

/* Returns the portable form of a '/'-separated path, in new memory, so that output can be copied to any system. On
 * Windows, names like "aux.png" are devices, final dots and spaces are dropped, so that different names may collide,
 * and some characters are not allowed. "*water" becomes "#water", as in Quake's engines. */
char *cli_portable_name(const char *name);

#endif
