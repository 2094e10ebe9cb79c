/* troika.c - reads the archives pack000.vpk and so on of Vampire: The Masquerade - Bloodlines. These share only the
 * extension with Valve's VPK. The data comes first, then a list of names with offsets and sizes, then the number of
 * entries and the offset of the list. */
#include "file_system/mounts.h"

enum { FOOTER_SIZE = 9, VERSION_AT = 8, LEAST_ENTRY = 12 };

typedef struct footer {
	uint32_t count, list_offset;
	uint8_t version;
} footer;

static bool read_footer(const bspi_mount *mount, footer *out)
{
	uint8_t bytes[FOOTER_SIZE];
	if (mount->size < FOOTER_SIZE) return false;
	if (!bspi_mount_read(mount, mount->size - FOOTER_SIZE, bytes, sizeof bytes)) return false;
	*out = (footer){ bspi_load_u32(bytes), bspi_load_u32(bytes + 4), bytes[VERSION_AT] };
	return true;
}

/* There is no magic. Instead, the list must lie between the data and the footer, and its size must fit the number of
 * entries. */
static bool recognize(const bspi_mount *mount)
{
	footer f;
	if (!bspi_text_ends(mount->origin, ".vpk") || !read_footer(mount, &f) || f.version != 0) return false;
	if (!f.count) return f.list_offset == mount->size - FOOTER_SIZE;
	return f.list_offset <= mount->size - FOOTER_SIZE &&
	       f.count <= (mount->size - FOOTER_SIZE - f.list_offset) / LEAST_ENTRY;
}

static bool fail_list(const bspi_mount *mount, uint32_t number, bspscene_error *error)
{
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "%s: the list of names is broken at entry %u",
	                      mount->origin, number);
}

static bool read_entry(bspi_mount *mount, bspi_cursor *list, uint32_t number, bspscene_error *error)
{
	char name[BSPI_PATH_SIZE] = "";
	uint32_t length = bspi_take_u32(list);
	const uint8_t *letters = bspi_take(list, length);
	uint32_t offset = bspi_take_u32(list), size = bspi_take_u32(list);
	if (list->failed) return fail_list(mount, number, error);
	if (length < sizeof name) memcpy(name, letters, length);
	else mount->skipped_count++;
	bspi_entry *entry;
	BSPI_TRY(bspi_mount_add(mount, name, number, &entry, error));
	if (entry) entry->spans[0] = (bspi_span){ offset, size, 0 };
	return true;
}

static bool troika_read(bspi_mount *mount, bspscene_error *error)
{
	footer f;
	bspi_bytes bytes;
	if (!read_footer(mount, &f)) return fail_list(mount, 0, error);
	BSPI_TRY(bspi_mount_load(mount, f.list_offset, mount->size - FOOTER_SIZE - f.list_offset, "list of names", &bytes,
	                         error));
	bspi_cursor list = bspi_cursor_at(bytes, 0);
	for (uint32_t i = 0; i < f.count; i++) BSPI_TRY(read_entry(mount, &list, i, error));
	return true;
}

static bool troika_open(const bspi_mount *mount, const bspi_entry *entry, bspscene_stream *out)
{
	return bspi_open_spans(mount, entry->spans, NULL, out);
}

const bspi_mount_kind bspi_troika_mount = { NULL, recognize, troika_read, troika_open };
