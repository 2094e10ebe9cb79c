/* map_names.h - tells from file names what may contain maps, and what a map is called. */
#ifndef CLI_MAP_NAMES_H
#define CLI_MAP_NAMES_H

#include <stdbool.h>

bool cli_is_map_name(const char *name);
/* False for the parts x_000.vpk of a VPK, which have no directory of their own. */
bool cli_is_archive_name(const char *name);
/* Returns the kind ("RAR") of an archive that only builds with libarchive read, or none here, and that may hold maps.
 * Else NULL. */
const char *cli_other_archive_kind(const char *name);
/* True if the name ends as maps and archives do. False for the parts of a VPK other than its directory. */
bool cli_catalog_takes(const char *name);
/* Returns "atrium" for "maps/atrium.bsp.gz", in new memory. */
char *cli_map_name(const char *path);

#endif
