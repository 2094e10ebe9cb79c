/* real_path.c - resolves links in a path. See file.h. */
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/system.h"

char *bspi_real_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t size = slash ? (size_t)(slash - path) + 1 : 0;
	char *directory = bspi_heap_take(&bspi_system_heap, size + 2);
	if (!directory) return NULL;
	memcpy(directory, path, size);
	memcpy(directory + size, size ? "" : ".", size ? 1 : 2);
	char *real = bspi_system_real_path(directory);
	bspi_heap_give(&bspi_system_heap, directory);
	return real;
}

bool bspi_lies_below(const char *path, const char *folder)
{
	size_t size = strlen(folder);
	return size && !strncmp(path, folder, size) && (path[size] == '/' || folder[size - 1] == '/');
}
