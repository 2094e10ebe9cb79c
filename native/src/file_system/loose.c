/* loose.c - mounts a directory. The directory is listed once; its files are opened on demand. */
#include <stdio.h>
#include <string.h>

#include "file_system/mounts.h"

static bool directory_read(bspi_mount *mount, bspscene_error *error)
{
	bspi_listing listing;
	BSPI_TRY(bspi_list_directory(&mount->arena, mount->origin, true, &listing, error));
	for (uint32_t i = 0; i < listing.count; i++) {
		bspi_entry *entry;
		BSPI_TRY(bspi_mount_add(mount, listing.paths[i], i, &entry, error));
		if (!entry) continue;
		entry->file = listing.paths[i];
		/* A file that is really called "a\\b" is left out, because this name would mean a file b in a folder a. */
		if (strchr(entry->file, '\\')) {
			mount->entry_count--;
			mount->skipped_count++;
		}
	}
	return true;
}

static bool directory_open(const bspi_mount *mount, const bspi_entry *entry, bspscene_stream *out)
{
	size_t size = strlen(mount->origin) + strlen(entry->file) + 2;
	char *path = bspi_heap_take(bspi_mount_heap(mount), size);
	if (!path) return false;
	snprintf(path, size, "%s/%s", mount->origin, entry->file);
	bspi_file *file = bspi_file_open(bspi_mount_heap(mount), path, NULL);
	bspi_heap_give(bspi_mount_heap(mount), path);
	if (!file) return false;
	return bspi_open_spans(mount, (bspi_span[2]){ { 0, bspi_file_size(file), 1 } }, file, out);
}

const bspi_mount_kind bspi_directory_mount = { NULL, NULL, directory_read, directory_open };
