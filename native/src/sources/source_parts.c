/* source_parts.c - functions that the files of this folder share. They copy to a source's arena, set its errors, and
 * read the beginning of its file. */
#include "sources/open_source.h"

#include <string.h>

#include "io/io.h"

char *bspi_source_copy(bspscene_source *place, const char *text, size_t size)
{
	char *copy = bspi_arena_alloc(&place->arena, size + 1, 1);
	if (copy && size) memcpy(copy, text, size);
	return copy;
}

bool bspi_source_fail_memory(const bspscene_source *place, bspscene_error *error)
{
	return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory",
	                      place && place->path ? place->path : "the source");
}

bool bspi_read_place_head(bspscene_source *place, size_t size, bspi_bytes *out, bspscene_error *error)
{
	if (place->in_memory) {
		return bspi_slice(place->data, 0, size < place->data.size ? size : place->data.size, out);
	}
	bspi_file *file = bspi_file_open(&place->budget.heap, place->path, error);
	if (!file) return false;
	uint8_t *head = bspi_arena_alloc(&place->arena, size, 1);
	size_t got = head ? bspi_file_read(file, 0, head, size) : 0;
	bspi_file_close(file);
	if (!head) return bspi_source_fail_memory(place, error);
	if (got == SIZE_MAX) return bspi_error_set(error, BSPSCENE_ERROR_IO, "%s: reading failed", place->path);
	*out = bspi_bytes_of(head, got);
	return true;
}
