/* entity_dates.c - Xash3D reads maps/NAME.ent only if this file is not older than the map (Mod_LoadEntities in
 * mod_bmodel.c). A file in an archive has the date of the archive (FS_FileTime). */
#include <stdio.h>
#include <string.h>

#include "file_system/mounts.h"
#include "io/system.h"

static bool date_of(const bspi_entry *entry, int64_t *seconds)
{
	char path[2 * BSPI_PATH_SIZE];
	const bspi_mount *mount = entry->mount;
	if (mount->in_memory) return false;
	if (!entry->file) return bspi_system_modified(mount->origin, seconds);
	int length = snprintf(path, sizeof path, "%s/%s", mount->origin, entry->file);
	return length > 0 && (size_t)length < sizeof path && bspi_system_modified(path, seconds);
}

bool bspi_is_older_than_map(const bspi_entry *file, const bspi_entry *map, const char *path)
{
	int64_t file_seconds, map_seconds;
	bool known = path ? bspi_system_modified(path, &map_seconds) : map && date_of(map, &map_seconds);
	return known && date_of(file, &file_seconds) && file_seconds < map_seconds;
}
