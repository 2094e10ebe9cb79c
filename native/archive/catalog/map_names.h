/* map_names.h - by their names: what a catalog looks into, and what a map is called. */
#ifndef CLI_MAP_NAMES_H
#define CLI_MAP_NAMES_H

#include <stdbool.h>

bool cli_is_map_name(const char *name);
/* x_000.vpk has no directory of its own. */
bool cli_is_archive_name(const char *name);
/* Archives that are read in builds with libarchive, or by nothing here, and may hold maps: "RAR", or NULL. */
const char *cli_other_archive_kind(const char *name);
/* Any of these: does the name end as maps and archives do? Parts of a VPK but its directory do not. */
bool cli_catalog_takes(const char *name);
/* "maps/atrium.bsp.gz" is called "atrium"; new memory. */
char *cli_map_name(const char *path);

#endif
