/* vpk.c - reads Valve's VPK, versions 1 and 2, and Respawn's version 2.3. `base_dir.vpk` has a tree of names. Data
 * follows the tree, or is in `base_000.vpk`, `base_001.vpk` and so on. */
#include <stdio.h>
#include <string.h>

#include "file_system/valve/vpk.h"

#define MAGIC "\x34\x12\xaa\x55"
#define IN_DIRECTORY 0x7fffu           /* this archive number means that the data follows the tree */
#define ENTRY_END 0xffffu
#define RESPAWN_VERSION 0x30002u
#define DIRECTORY_ENDING "_dir.vpk"

static bool fail_tree(const bspi_mount *mount, size_t at, bspscene_error *error)
{
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER,
	                      "%s: the VPK's tree of names is broken (offset 0x%zx of it)", mount->origin, at);
}

/* Reads a string, which must end before the tree does. */
static const char *take_text(bspi_cursor *tree)
{
	size_t left = tree->failed ? 0 : tree->bytes.size - tree->at;
	const uint8_t *text = tree->bytes.data + tree->at;
	const uint8_t *end = left ? memchr(text, 0, left) : NULL;
	if (!end) {
		tree->failed = true;
		return "";
	}
	tree->at += (size_t)(end - text) + 1;
	return (const char *)text;
}

/* Returns a part of a name. A single space in the file means "", because an empty string would end the list. */
static const char *part(const char *text)
{
	return strcmp(text, " ") ? text : "";
}

/* Joins the parts of a name. A name that is too long becomes empty, and its entry is skipped. At most
 * 256 bytes of each part are used, so that hostile strings take little time. */
static void join_name(char out[BSPI_PATH_SIZE], const char *folder, const char *stem, const char *ending)
{
	int size = snprintf(out, BSPI_PATH_SIZE, "%.256s/%.256s%s%.256s", folder, stem, *ending ? "." : "", ending);
	if (size < 0 || size >= BSPI_PATH_SIZE) out[0] = 0;
}

/* Reads an entry of the tree. The tree begins at offset `header_size` of the file. */
typedef bool read_entry_fn(bspi_mount *mount, bspi_cursor *tree, uint64_t header_size, const char *name,
                           bspscene_error *error);

static bool read_entry(bspi_mount *mount, bspi_cursor *tree, uint64_t header_size, const char *name,
                       bspscene_error *error)
{
	bspi_entry *entry;
	bspi_take(tree, 4);                /* checksum */
	uint16_t preload = bspi_take_u16(tree), archive = bspi_take_u16(tree);
	uint32_t offset = bspi_take_u32(tree), size = bspi_take_u32(tree);
	if (bspi_take_u16(tree) != ENTRY_END) tree->failed = true;
	uint64_t preload_offset = header_size + tree->at;
	bspi_take(tree, preload);
	if (tree->failed) return fail_tree(mount, tree->at, error);

	mount->skipped_count += !*name;
	BSPI_TRY(bspi_mount_add(mount, name, mount->entry_count, &entry, error));
	if (!entry) return true;
	entry->spans[0] = (bspi_span){ preload_offset, preload, 0 };
	entry->spans[1] = archive == IN_DIRECTORY
		? (bspi_span){ header_size + tree->bytes.size + offset, size, 0 }
		: (bspi_span){ offset, size, archive + 1u };
	if (!preload && archive == IN_DIRECTORY) {
		entry->spans[0] = entry->spans[1];
		entry->spans[1] = (bspi_span){ 0 };
	}
	return true;
}

static bool read_respawn_entry(bspi_mount *mount, bspi_cursor *tree, uint64_t header_size, const char *name,
                               bspscene_error *error)
{
	return bspi_vpk_read_respawn_entry(mount, tree, header_size, name, error) ||
	       (tree->failed && fail_tree(mount, tree->at, error));
}

static bool read_tree(bspi_mount *mount, bspi_cursor *tree, uint64_t header_size, read_entry_fn *read,
                      bspscene_error *error)
{
	for (const char *ending; *(ending = take_text(tree)); ) {
		for (const char *folder; *(folder = take_text(tree)); ) {
			for (const char *stem; *(stem = take_text(tree)); ) {
				char name[BSPI_PATH_SIZE];
				join_name(name, part(folder), part(stem), part(ending));
				BSPI_TRY(read(mount, tree, header_size, name, error));
			}
		}
	}
	return !tree->failed || fail_tree(mount, tree->at, error);
}

static bool vpk_read(bspi_mount *mount, bspscene_error *error)
{
	uint8_t header[12];
	bspi_bytes bytes;
	if (!bspi_mount_read(mount, 0, header, sizeof header)) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "%s: the VPK is cut off in its header", mount->origin);
	}
	uint32_t version = bspi_load_u32(header + 4), size = bspi_load_u32(header + 8);
	bool respawn = version == RESPAWN_VERSION;
	if (version != 1 && version != 2 && !respawn) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		                      "%s: VPK version %u.%u is not read (only 1, 2 and 2.3)", mount->origin, version & 0xffff,
		                      version >> 16);
	}
	uint64_t header_size = version == 1 ? 12 : respawn ? 16 : 28;
	BSPI_TRY(bspi_mount_load(mount, header_size, size, "VPK's tree of names", &bytes, error));
	bspi_cursor tree = bspi_cursor_at(bytes, 0);
	return read_tree(mount, &tree, header_size, respawn ? read_respawn_entry : read_entry, error);
}

/* Opens a volume. For example, `base_007.vpk` is the volume with number 7 of `base_dir.vpk`. */
static bspi_file *open_part(const bspi_mount *mount, size_t folder, const char *base, uint32_t volume)
{
	size_t size = strlen(mount->origin) + 8, tail = strlen(DIRECTORY_ENDING);
	char *path = bspi_heap_take(bspi_mount_heap(mount), size);
	if (!path) return NULL;
	snprintf(path, size, "%.*s%.*s_%03u.vpk", (int)folder, mount->origin, (int)(strlen(base) - tail), base, volume - 1);
	bspi_file *file = bspi_file_open(bspi_mount_heap(mount), path, NULL);
	bspi_heap_give(bspi_mount_heap(mount), path);
	return file;
}

/* Opens a volume by its number + 1. NULL if it does not exist, or if the VPK is in memory or its name does not end in
 * "_dir.vpk". */
static bspi_file *open_volume(const bspi_mount *mount, uint32_t volume)
{
	if (mount->in_memory || !bspi_text_ends(mount->origin, DIRECTORY_ENDING)) return NULL;
	const char *slash = strrchr(mount->origin, '/');
	size_t folder = slash ? (size_t)(slash + 1 - mount->origin) : 0;
	const char *base = mount->origin + folder, *plain = bspi_vpk_skip_language(base);
	bspi_file *file = open_part(mount, folder, base, volume);
	return file || plain == base || strlen(plain) <= strlen(DIRECTORY_ENDING)
		? file
		: open_part(mount, folder, plain, volume);
}

static bool vpk_open(const bspi_mount *mount, const bspi_entry *entry, bspscene_stream *out)
{
	if (entry->unreadable) return false;
	uint32_t volume = entry->spans[1].size ? entry->spans[1].volume : 0;
	bspi_file *file = volume ? open_volume(mount, volume) : NULL;
	if (volume && !file) return false;
	return bspi_open_spans(mount, entry->spans, file, out);
}

const bspi_mount_kind bspi_vpk_mount = { MAGIC, NULL, vpk_read, vpk_open };
