/* source_assemblies.c - lists the assemblies that the text files of a source define. Assemblies are maps that are made
 * of tiles. They are listed like all other maps. */
#include <string.h>

#include "assembly/assembly.h"
#include "base/text.h"
#include "sources/open_source.h"

/* Limit in bytes for all texts of a source together. Those of the released game have 0.2 MB. */
#define MOST_TEXT ((size_t)64 << 20)
enum { MOST_IN_TEXT = 256, LONGEST_NAME = 64 };

/* True if users can type the name, and it can be part of a path. */
static bool is_name(bspi_bytes name)
{
	bool plain = name.size && name.size <= LONGEST_NAME && name.data[0] != '.';
	for (size_t i = 0; plain && i < name.size; i++) {
		plain = name.data[i] > ' ' && name.data[i] < 127 && !strchr("/\\:\"*?<>|", name.data[i]);
	}
	return plain;
}

bool bspi_list_assemblies(bspi_bytes text, const char *file, bspi_found_assembly_fn *found, void *user)
{
	bspi_bytes name;
	size_t at = 0;
	for (uint32_t count = 0; count < MOST_IN_TEXT && bspi_next_assembly(text, &at, &name); count++) {
		if (is_name(name) && !found(user, file, name)) return false;
	}
	return true;
}

typedef struct text_list {
	const bspscene_file_system *files;
	bspi_found_assembly_fn *found;
	void *user;
	uint8_t *buffer;                   /* has BSPI_LARGEST_UMP bytes */
	size_t left;                       /* number of bytes that are left of MOST_TEXT */
	bool failed;
} text_list;

/* Reads a whole stream and closes it. Returns SIZE_MAX if it does not fit into `size` bytes or cannot be read. */
static size_t read_all(bspscene_stream *stream, uint8_t *out, size_t size)
{
	size_t got = 0, more = 1;
	if (stream->data) {
		got = stream->size <= size ? (size_t)stream->size : SIZE_MAX;
		if (got != SIZE_MAX && got) memcpy(out, stream->data, got);
	}
	while (!stream->data && got != SIZE_MAX && more) {
		uint8_t beyond;
		more = got < size ? stream->read(stream->user, out + got, size - got) : stream->read(stream->user, &beyond, 1);
		got = more == SIZE_MAX || (more && got == size) ? SIZE_MAX : got + more;
	}
	if (stream->close) stream->close(stream->user);
	return got;
}

static void list_file(void *user, const char *path)
{
	text_list *list = user;
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (list->failed || list->left < BSPI_LARGEST_UMP || !bspi_text_starts(path, "maps/")) return;
	if (!bspscene_file_system_open((void *)(uintptr_t)list->files, &stream, path, BSPSCENE_FILE_MAP)) return;
	size_t size = read_all(&stream, list->buffer, BSPI_LARGEST_UMP);
	list->left -= size == SIZE_MAX ? BSPI_LARGEST_UMP : size;
	if (size == SIZE_MAX || !bspi_is_assembly_text(bspi_bytes_of(list->buffer, size))) return;
	list->failed = !bspi_list_assemblies(bspi_bytes_of(list->buffer, size), path, list->found, list->user);
}

bool bspi_list_assemblies_of(const bspscene_file_system *files, uint32_t first, bspi_found_assembly_fn *found,
                             void *user)
{
	text_list list = { .files = files, .found = found, .user = user, .left = MOST_TEXT };
	list.buffer = bspi_heap_take(&bspi_system_heap, BSPI_LARGEST_UMP);
	if (!list.buffer) return false;
	bspi_file_system_list_from(files, first, BSPI_ASSEMBLY_ENDING, list_file, &list);
	bspi_heap_give(&bspi_system_heap, list.buffer);
	return !list.failed;
}
