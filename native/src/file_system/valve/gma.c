/* gma.c - reads archives of Garry's Mod's workshop (GMAD 1 to 3): a list of names and sizes, then the data of all files
 * in the same order. In older workshop archives, all of this is compressed by LZMA. Such an archive is unpacked once,
 * when it is mounted. */
#include <string.h>

#include "base/bytes.h"
#include "file_system/mounts.h"
#include "io/unpack.h"

#define MAGIC "GMAD"
/* The limit is the same as for packed maps. Game files compress to between 1/3 and 1/10 of their size. */
#define LEAST_LIMIT ((uint64_t)64 << 20)
#define LARGEST_RATIO 64u
#define LARGEST_LIMIT ((uint64_t)1 << 30)

enum { LZMA_SIZE_AT = 5, MAGIC_SIZE = 4, NEWEST_VERSION = 3, BUFFER_SIZE = 4096, PORTION = 65536 };

/* ---- LZMA ------------------------------------------------------------------------------------------------- */

typedef struct packed_file {
	const bspi_mount *mount;
	uint64_t at;
} packed_file;

static size_t read_packed(void *user, void *data, size_t size)
{
	packed_file *file = user;
	uint64_t left = file->mount->size - file->at;
	if (size > left) size = (size_t)left;
	if (size && !bspi_mount_read(file->mount, file->at, data, size)) return SIZE_MAX;
	file->at += size;
	return size;
}

/* Unpacks up to `most` bytes into `out`, or only counts them if `out` is NULL. *size receives their number. False if
 * the stream is damaged. */
static bool unpack(const bspi_mount *mount, uint64_t most, uint8_t *out, uint64_t *size)
{
	uint8_t portion[PORTION];
	bspi_budget budget = { .limit = UINT64_MAX, .heap = *bspi_mount_heap(mount) };
	bspi_charge charge = bspi_charge_to(&budget);
	packed_file file = { mount, 0 };
	bspi_unpacker *unpacker = bspi_unpacker_create(&charge, BSPI_PACKING_LZMA, 0, read_packed, &file);
	size_t got = unpacker ? 1 : SIZE_MAX;
	for (*size = 0; unpacker && *size < most; *size += got) {
		uint64_t left = most - *size;
		got = bspi_unpacker_read(unpacker, out ? out + *size : portion, left < PORTION ? (size_t)left : PORTION);
		if (!got || got == SIZE_MAX) break;
	}
	bspi_unpacker_free(unpacker);
	return got != SIZE_MAX;
}

/* Raw LZMA has no magic. So the name must end in ".gma", or in "_legacy.bin" as Steam stores it. Then the first
 * unpacked bytes must be the magic. False for files inside of maps. */
static bool recognize(const bspi_mount *mount)
{
	uint8_t head[MAGIC_SIZE];
	uint64_t size;
	bool named = bspi_text_ends(mount->origin, ".gma") || bspi_text_ends(mount->origin, "_legacy.bin");
	return named && mount->arena.budget == &mount->own_budget && unpack(mount, sizeof head, head, &size) &&
	       size == sizeof head && !memcmp(head, MAGIC, sizeof head);
}

/* Returns the unpacked size that the header of the LZMA stream states. UINT64_MAX: it states none. */
static uint64_t stated_size(const bspi_mount *mount)
{
	uint8_t head[LZMA_SIZE_AT + 8];
	return bspi_mount_read(mount, 0, head, sizeof head) ? bspi_load_u64(head + LZMA_SIZE_AT) : UINT64_MAX;
}

/* Unpacks the archive into memory. From then on, the mount uses these bytes and not the file. */
static bool unpack_whole(bspi_mount *mount, bspscene_error *error)
{
	uint64_t packed = mount->size < LARGEST_LIMIT ? mount->size : LARGEST_LIMIT;
	uint64_t limit = LEAST_LIMIT + LARGEST_RATIO * packed, size = stated_size(mount), again;
	if (limit > LARGEST_LIMIT) limit = LARGEST_LIMIT;
	/* If no size is stated, the stream is unpacked twice: the first time only to count the bytes. */
	bool whole = size != UINT64_MAX || unpack(mount, limit + 1, NULL, &size);
	if (whole && size > limit) {
		return bspi_error_set(error, BSPSCENE_ERROR_LIMIT, "%s: its %llu bytes of LZMA unpack to more than %llu MiB",
		                      mount->origin, (unsigned long long)mount->size, (unsigned long long)(limit >> 20));
	}
	uint8_t *data = whole ? bspi_arena_alloc(&mount->arena, (size_t)size + 1, 1) : NULL;
	if (whole && !data) return bspi_mount_fail_memory(mount, error);
	if (!whole || !unpack(mount, size, data, &again) || again != size) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "%s: its LZMA stream is damaged or cut off",
		                      mount->origin);
	}
	bspi_file_close(mount->file);
	mount->file = NULL;
	mount->memory = bspi_bytes_of(data, (size_t)size);
	mount->in_memory = true;
	return true;
}

/* ---- The list of files ------------------------------------------------------------------------------------ */

/* Reads the archive in small portions, even if it is not in memory. */
typedef struct gma_reader {
	const bspi_mount *mount;
	uint64_t size;                     /* unpacked size of the archive */
	uint64_t at;                       /* offset of the next byte */
	uint64_t buffer_at; size_t buffered;
	bool failed;
	uint8_t buffer[BUFFER_SIZE];
} gma_reader;

static uint8_t take_byte(gma_reader *r)
{
	if (r->failed || r->at >= r->size) {
		r->failed = true;
		return 0;
	}
	if (!r->buffered || r->at - r->buffer_at >= r->buffered) {
		uint64_t left = r->size - r->at;
		r->buffer_at = r->at;
		r->buffered = left < BUFFER_SIZE ? (size_t)left : BUFFER_SIZE;
		r->failed = !bspi_mount_read(r->mount, r->at, r->buffer, r->buffered);
		if (r->failed) return 0;
	}
	return r->buffer[r->at++ - r->buffer_at];
}

static uint64_t take_number(gma_reader *r, unsigned size)
{
	uint64_t number = 0;
	for (unsigned i = 0; i < size; i++) number |= (uint64_t)take_byte(r) << 8 * i;
	return number;
}

/* Reads a string up to its NUL. A string that is too long is returned as empty. Returns false if the stored string is
 * empty. */
static bool take_text(gma_reader *r, char out[BSPI_PATH_SIZE])
{
	size_t length = 0;
	for (char c; (c = (char)take_byte(r)) != 0; length++) {
		if (length + 1 < BSPI_PATH_SIZE) out[length] = c;
	}
	out[length < BSPI_PATH_SIZE ? length : 0] = 0;
	return length != 0;
}

/* Skips the header: the author's Steam id and the time; from version 2 on, strings up to an empty one; then the name,
 * the description, the author and a version. */
static void skip_header(gma_reader *r)
{
	char text[BSPI_PATH_SIZE];
	for (unsigned i = 0; i < MAGIC_SIZE; i++) take_byte(r);
	uint8_t version = take_byte(r);
	if (version < 1 || version > NEWEST_VERSION) r->failed = true;
	take_number(r, 8);
	take_number(r, 8);
	while (version > 1 && take_text(r, text)) continue;
	for (int i = 0; i < 3; i++) take_text(r, text);
	take_number(r, 4);
}

static bool fail_list(const bspi_mount *mount, bspscene_error *error)
{
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "%s: the GMA's list of files is broken or cut off",
	                      mount->origin);
}

/* Reads the list of files. Each entry begins with a number, from 1 up, and a 0 ends the list. Offsets are relative to
 * the end of the list, which is known only after all entries were read. */
static bool take_list(gma_reader *r, bspi_mount *mount, bspscene_error *error)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; take_number(r, 4) && !r->failed; i++) {
		char name[BSPI_PATH_SIZE];
		bspi_entry *entry;
		mount->skipped_count += take_text(r, name) && !*name; /* the name is too long */
		uint64_t size = take_number(r, 8);
		take_number(r, 4);             /* checksum */
		if (r->failed || size > r->size - sum) return fail_list(mount, error);
		BSPI_TRY(bspi_mount_add(mount, name, i, &entry, error));
		if (entry) entry->spans[0] = (bspi_span){ sum, size, 0 };
		sum += size;
	}
	return !r->failed || fail_list(mount, error);
}

static bool gma_read(bspi_mount *mount, bspscene_error *error)
{
	uint8_t head[MAGIC_SIZE];
	bool plain = bspi_mount_read(mount, 0, head, sizeof head) && !memcmp(head, MAGIC, sizeof head);
	if (!plain) BSPI_TRY(unpack_whole(mount, error));
	gma_reader *r = bspi_arena_alloc(&mount->arena, 1, sizeof *r);
	if (!r) return bspi_mount_fail_memory(mount, error);
	*r = (gma_reader){ .mount = mount, .size = mount->in_memory ? mount->memory.size : mount->size };
	skip_header(r);
	BSPI_TRY(take_list(r, mount, error));
	for (uint32_t i = 0; i < mount->entry_count; i++) {
		bspi_entry *entry = &mount->entries[i];
		entry->spans[0].offset += r->at;
		if (entry->spans[0].size > r->size - r->at || entry->spans[0].offset > r->size - entry->spans[0].size) {
			entry->unreadable = "the archive is cut off before the end of this file";
		}
	}
	return true;
}

static bool gma_open(const bspi_mount *mount, const bspi_entry *entry, bspscene_stream *out)
{
	return !entry->unreadable && bspi_open_spans(mount, entry->spans, NULL, out);
}

const bspi_mount_kind bspi_gma_mount = { MAGIC, recognize, gma_read, gma_open };
