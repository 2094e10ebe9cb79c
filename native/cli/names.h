/* names.h - names of files that are written. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include <stdbool.h>

/* Where the parts of a path are separated last, or NULL. */
const char *cli_last_separator(const char *path);

/* The ending of a file's name without its dot; "" when it has none. */
const char *cli_ending(const char *path);

/* ".glb, .gltf or .obj" in new memory: of all formats that are written, or without those that need Assimp. */
char *cli_written_endings(bool with_assimp);

/* A relative path that stays below its directory: no empty, "." or ".." parts, nothing unprintable. */
bool cli_is_name_safe(const char *name);

/* The name that a '/'-separated one gets on all systems, so that what is written here can be carried there, in new
 * memory. On Windows "aux.png" and its like are devices, which swallow what is written; "dot." and "space " lose their
 * last letter, so that two files become one; and some letters mean something else. "*water" becomes "#water", as
 * Quake's engines store it. */
char *cli_portable_name(const char *name);

#endif
