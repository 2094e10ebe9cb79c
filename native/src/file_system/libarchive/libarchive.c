/* libarchive.c - reads 7z, RAR and tar (plain, or packed by gzip, bzip2, xz or Zstandard) by libarchive.
 *
 * To read one file of these archives, everything before it must be unpacked. So all files are unpacked once, when the
 * archive is mounted. The bytes of every entry count against a limit that depends on the archive's size, even if the
 * entry is left out. libarchive never gets a path and returns only names and bytes, so it cannot write files or follow
 * links. It uses malloc and does not report how much. Archives can state dictionaries of up to 4 GiB. Of these,
 * libarchive touches only as many bytes as it has unpacked. */
#include "file_system/mounts.h"
#include "io/system.h"

#ifdef BSPI_HAVE_LIBARCHIVE

	#include <stdio.h>
	#include <string.h>

	#include "file_system/libarchive/archive_library.h"

/* The limit is the same as for packed maps. Game files compress to between 1/3 and 1/10 of their size. */
	#define LEAST_LIMIT ((uint64_t)64 << 20)
	#define LARGEST_RATIO 64u
	#define LARGEST_LIMIT ((uint64_t)1 << 30)

enum { PORTION = 16384, TAR_MAGIC_AT = 257, TAR_MAGIC_END = 262 };

typedef struct source {
	bspi_mount *mount;
	bspi_archive_library library;
	struct archive *archive;
	uint64_t at;                       /* offset of the next byte of the file */
	uint64_t done, limit;              /* unpacked bytes so far; their limit */
	uint32_t count;                    /* number of entries of any kind */
	uint8_t portion[PORTION];
} source;

/* ---- Recognizing the format ------------------------------------------------------------------------------- */

static const struct {
	const char *magic;
	size_t size;
} magics[] = {
	{ "7z\xBC\xAF\x27\x1C", 6 }, { "Rar!\x1A\x07", 6 },
	/* Compressed formats that may contain a tar. */
	{ "\x1F\x8B", 2 }, { "BZh", 3 }, { "\xFD" "7zXZ", 5 }, { "\x28\xB5\x2F\xFD", 4 },
};

/* True if the file has the magic of one of these formats. False for archives inside of maps, because engines read only
 * zip there. */
static bool recognize(const bspi_mount *mount)
{
	uint8_t head[TAR_MAGIC_END];
	if (mount->arena.budget != &mount->own_budget) return false;
	size_t size = mount->size < sizeof head ? (size_t)mount->size : sizeof head;
	if (!bspi_mount_read(mount, 0, head, size)) return false;
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
		if (size >= magics[i].size && !memcmp(head, magics[i].magic, magics[i].size)) return true;
	}
	return size == sizeof head && !memcmp(head + TAR_MAGIC_AT, "ustar", TAR_MAGIC_END - TAR_MAGIC_AT);
}

/* ---- Reading for libarchive ------------------------------------------------------------------------------- */

static la_ssize_t read_portion(struct archive *archive, void *user, const void **out)
{
	source *s = user;
	uint64_t left = s->mount->size - s->at;
	size_t size = left < PORTION ? (size_t)left : PORTION;
	/* The data of entries counts against the limit when it is read. This check also limits what else a compressed
	 * tar contains, such as headers and padding. */
	if (s->library.archive_filter_bytes(archive, 0) > (la_int64_t)(2 * s->limit)) return ARCHIVE_FATAL;
	if (size && !bspi_mount_read(s->mount, s->at, s->portion, size)) return ARCHIVE_FATAL;
	s->at += size;
	*out = s->portion;
	return (la_ssize_t)size;
}

static la_int64_t skip(struct archive *archive, void *user, la_int64_t request)
{
	source *s = user;
	uint64_t left = s->mount->size - s->at, wanted = request > 0 ? (uint64_t)request : 0;
	(void)archive;
	if (wanted > left) wanted = left;
	s->at += wanted;
	return (la_int64_t)wanted;
}

static la_int64_t seek(struct archive *archive, void *user, la_int64_t offset, int from)
{
	source *s = user;
	la_int64_t size = (la_int64_t)s->mount->size;
	la_int64_t base = from == SEEK_CUR ? (la_int64_t)s->at : from == SEEK_END ? size : 0;
	(void)archive;
	if (offset < -base || offset > size - base) return ARCHIVE_FATAL;
	s->at = (uint64_t)(base + offset);
	return base + offset;
}

/* Only enables the filters that libarchive implements itself. For other filters it would start a program. */
static bool open_archive(source *s)
{
	struct archive *a = s->archive;
	const bspi_archive_library *library = &s->library;
	library->archive_read_support_format_7zip(a);
	library->archive_read_support_format_rar(a);
	library->archive_read_support_format_rar5(a);
	library->archive_read_support_format_tar(a);
	if (library->archive_zlib_version()) library->archive_read_support_filter_gzip(a);
	if (library->archive_bzlib_version()) library->archive_read_support_filter_bzip2(a);
	if (library->archive_liblzma_version()) library->archive_read_support_filter_xz(a);
	if (library->archive_libzstd_version()) library->archive_read_support_filter_zstd(a);
	library->archive_read_set_read_callback(a, read_portion);
	library->archive_read_set_skip_callback(a, skip);
	library->archive_read_set_seek_callback(a, seek);
	library->archive_read_set_callback_data(a, s);
	return library->archive_read_open1(a) == ARCHIVE_OK;
}

/* ---- Entries ---------------------------------------------------------------------------------------------- */

static bool fail_limit(const source *s, bspscene_error *error)
{
	return bspi_error_set(error, BSPSCENE_ERROR_LIMIT,
	                      "%s: its %llu bytes unpack to more than %llu MiB: unpack it to a folder, or pack it as zip",
	                      s->mount->origin, (unsigned long long)s->mount->size, (unsigned long long)(s->limit >> 20));
}

static bool fail_archive(const source *s, bspscene_error *error)
{
	const char *why = s->library.archive_error_string(s->archive);
	bool foreign = !s->count && s->library.archive_format(s->archive) == 0;
	if (foreign) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNKNOWN_FORMAT,
		                      "%s: the packed file in it is not a tar archive", s->mount->origin);
	}
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "%s: cannot be read as an archive after %u entries: %s",
	                      s->mount->origin, s->count, why ? why : "it is damaged");
}

/* Reads all data of an entry. Stores it in `out`, unless `out` is NULL, and its size in *got. Returns false if the
 * archive ends or contains too much data. Sets *broken if only this entry cannot be read. */
static bool read_data(source *s, uint8_t *out, uint64_t size, uint64_t *got, bool *broken, bspscene_error *error)
{
	*got = 0;
	*broken = false;
	for (;;) {
		const void *block;
		size_t length;
		la_int64_t offset;
		int result = s->library.archive_read_data_block(s->archive, &block, &length, &offset);
		if (result == ARCHIVE_EOF) return true;
		if (result == ARCHIVE_FATAL) return fail_archive(s, error);
		if (result < ARCHIVE_WARN) {
			*broken = true;
			return true;
		}
		if (length > s->limit - s->done) return fail_limit(s, error);
		s->done += length;
		/* Holes between blocks stay zero. */
		bool inside = offset >= 0 && (uint64_t)offset <= size && length <= size - (uint64_t)offset;
		if (!inside) *broken = true;
		else if (out && length) memcpy(out + offset, block, length);
		if (inside) *got = (uint64_t)offset + length;
	}
}

/* True for a regular file with data and a known size. */
static bool is_file(const source *s, struct archive_entry *entry)
{
	const bspi_archive_library *library = &s->library;
	if (library->archive_entry_filetype(entry) != AE_IFREG || library->archive_entry_hardlink(entry)) return false;
	return library->archive_entry_size_is_set(entry) && library->archive_entry_size(entry) >= 0;
}

static bool add_entry(source *s, struct archive_entry *entry, bspscene_error *error)
{
	const char *name = s->library.archive_entry_pathname(entry);
	uint64_t size = is_file(s, entry) ? (uint64_t)s->library.archive_entry_size(entry) : 0, got;
	uint8_t *data = NULL;
	bool broken;
	bspi_entry *added = NULL;
	if (size > s->limit - s->done) return fail_limit(s, error);
	if (is_file(s, entry) && !name) s->mount->skipped_count++;
	if (name && is_file(s, entry)) BSPI_TRY(bspi_mount_add(s->mount, name, s->count, &added, error));
	if (added) {
		data = bspi_arena_alloc(&s->mount->arena, (size_t)size + 1, 1);
		if (!data) return bspi_mount_fail_memory(s->mount, error);
	}
	BSPI_TRY(read_data(s, data, size, &got, &broken, error));
	if (!added) return true;
	/* A sparse file may end with a hole. libarchive returns no block for it. */
	bool whole = !broken && (got == size || s->library.archive_entry_sparse_count(entry) > 0);
	added->unpacked = whole ? data : NULL;
	added->spans[0] = (bspi_span){ 0, size, 0 };
	return true;
}

static bool is_rar(const source *s)
{
	int format = s->library.archive_format(s->archive) & ARCHIVE_FORMAT_BASE_MASK;
	return format == ARCHIVE_FORMAT_RAR || format == ARCHIVE_FORMAT_RAR_V5;
}

static bool read_entries(source *s, bspscene_error *error)
{
	struct archive_entry *entry;
	if (!open_archive(s)) return fail_archive(s, error);
	for (;;) {
		int result = s->library.archive_read_next_header(s->archive, &entry);
		/* libarchive reports a truncated RAR as an empty one. */
		if (result == ARCHIVE_EOF) return s->count || !is_rar(s) || fail_archive(s, error);
		if (result < ARCHIVE_WARN) return fail_archive(s, error);
		if (s->count++ >= BSPI_MOST_FILES) {
			return bspi_error_set(error, BSPSCENE_ERROR_LIMIT, "%s: has more than %u files, which is the limit",
			                      s->mount->origin, BSPI_MOST_FILES);
		}
		BSPI_TRY(add_entry(s, entry, error));
	}
}

static bool read_archive(bspi_mount *mount, bspscene_error *error)
{
	uint64_t size = mount->size < LARGEST_LIMIT ? mount->size : LARGEST_LIMIT;
	uint64_t limit = LEAST_LIMIT + LARGEST_RATIO * size;
	source *s = bspi_heap_take_zeroed(bspi_mount_heap(mount), sizeof *s);
	if (!s) return bspi_mount_fail_memory(mount, error);
	s->mount = mount;
	s->limit = limit < LARGEST_LIMIT ? limit : LARGEST_LIMIT;
	if (!bspi_load_archive_library(mount->origin, &s->library, error)) {
		bspi_heap_give(bspi_mount_heap(mount), s);
		return false;
	}
	s->archive = s->library.archive_read_new();
	/* The names in 7z and RAR are UTF-16. libarchive drops names that the locale cannot represent. */
	bspi_utf8_locale locale = bspi_system_begin_utf8();
	bool ok = s->archive ? read_entries(s, error) : bspi_mount_fail_memory(mount, error);
	s->library.archive_read_free(s->archive);
	bspi_system_end_utf8(locale);
	bspi_heap_give(bspi_mount_heap(mount), s);
	return ok;
}

static bool open_entry(const bspi_mount *mount, const bspi_entry *entry, bspscene_stream *out)
{
	if (!entry->unpacked) return false;
	*out = (bspscene_stream){ .data = entry->unpacked, .size = entry->spans[0].size, .origin = mount->origin };
	return true;
}

const bspi_mount_kind bspi_libarchive_mount = { NULL, recognize, read_archive, open_entry };

#else

typedef int bspi_no_libarchive; /* a translation unit must not be empty */

#endif
