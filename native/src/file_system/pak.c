/* pak.c - reads PAK archives: Quake's, and SiN's with longer names. Entries are uncompressed. */
#include <string.h>

#include "file_system/mounts.h"

#define HEADER_SIZE 12u
#define LONGEST_NAME 120u

static bool read_pak(bspi_mount *mount, size_t name_size, bspscene_error *error)
{
	uint8_t header[HEADER_SIZE];
	bspi_bytes directory;
	size_t record = name_size + 8;
	if (!bspi_mount_read(mount, 0, header, sizeof header)) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "%s: the pak is cut off in its header", mount->origin);
	}
	BSPI_TRY(bspi_mount_load(mount, bspi_load_u32(header + 4), bspi_load_u32(header + 8), "pak's directory", &directory,
	                         error));
	if (directory.size % record) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER,
		                      "%s: the pak's directory of %zu bytes is not made of %zu-byte entries", mount->origin,
		                      directory.size, record);
	}
	for (uint32_t i = 0; i < directory.size / record; i++) {
		const uint8_t *at = directory.data + i * record;
		char name[LONGEST_NAME + 1] = { 0 };
		bspi_entry *entry;
		memcpy(name, at, name_size);
		BSPI_TRY(bspi_mount_add(mount, name, i, &entry, error));
		if (entry) entry->spans[0] = (bspi_span){ bspi_load_u32(at + name_size), bspi_load_u32(at + name_size + 4), 0 };
	}
	return true;
}

static bool pak_read(bspi_mount *mount, bspscene_error *error)
{
	return read_pak(mount, 56, error);
}

static bool sin_pak_read(bspi_mount *mount, bspscene_error *error)
{
	return read_pak(mount, LONGEST_NAME, error);
}

static bool pak_open(const bspi_mount *mount, const bspi_entry *entry, bspscene_stream *out)
{
	return bspi_open_spans(mount, entry->spans, NULL, out);
}

const bspi_mount_kind bspi_pak_mount = { "PACK", NULL, pak_read, pak_open };
const bspi_mount_kind bspi_sin_pak_mount = { "SPAK", NULL, sin_pak_read, pak_open };
