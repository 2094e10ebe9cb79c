/* map_name.c - see map_name.h. */
#include "base/map_name.h"

#include "base/text.h"

static const char *last_part(const char *path)
{
	const char *part = path;
	for (const char *c = path; *c; c++) {
		if (*c == '/' || *c == '\\') part = c + 1;
	}
	return part;
}

size_t bspi_map_path_size(const char *path)
{
	const char *part = last_part(path), *end = part;
	for (; *end; end++) {
		bool ending = end > part && bspi_text_starts(end, ".bsp") && (!end[4] || end[4] == '.');
		if (ending) break;
	}
	return (size_t)(end - path);
}

bspi_bytes bspi_map_stem(const char *path)
{
	const char *part = last_part(path);
	return bspi_bytes_of(part, bspi_map_path_size(path) - (size_t)(part - path));
}
