/* map_names.h - recognizes maps and archives by their file names, and derives the names of maps. */
#ifndef CLI_MAP_NAMES_H
#define CLI_MAP_NAMES_H

#include <stdbool.h>

bool cli_is_map_name(const char *name);
/* True if the name has the extension of an archive. False for the data files of a VPK, such as x_000.vpk: only the
 * VPK's directory file lists its files. */
bool cli_is_archive_name(const char *name);
/* Returns the kind ("RAR") of an archive that may hold maps but that this build cannot read, or reads only with
 * libarchive. Else NULL. */
const char *cli_other_archive_kind(const char *name);
/* True if the name has the extension of a map or an archive. False for the data files of a VPK. */
bool cli_catalog_takes(const char *name);
/* Returns "atrium" for "maps/atrium.bsp.gz", in new memory. */
char *cli_map_name(const char *path);

#endif
