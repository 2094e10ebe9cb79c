/* zip.c - reads the directory of a zip, pk3, pk4 or Source pakfile, with or without Zip64. Its entries are unpacked by
 * zlib, liblzma and libbz2 (PKWARE's APPNOTE 6.3 defines the records; numbers in brackets are its sections).
 *
 * libzip was replaced for three reasons. It hashes names without a secret, so that names chosen by an attacker keep it
 * busy for a quarter of a minute. Only one thread may use its handle. And it converts each entry's time, for which it
 * asks the system for the time zone.
 *
 * Entries are unpacked while they are read, never in advance. A reader that requests the stated size gets exactly this
 * size or a failure. So an entry that unpacks to more is cut, and the reader limits the memory. Checksums are not
 * compared: released pakfiles have wrong ones (Bloodlines, 29 entries), and engines ignore them. */
#include <libdeflate.h>
#include <string.h>

#include "file_system/mounts.h"
#include "file_system/zip_overlaps.h"
#include "io/inflate.h"
#include "io/unpack.h"

/* Largest unpacked size. Larger entries are videos or attacks; maps and textures are far smaller. */
#define LARGEST_ENTRY ((uint64_t)512 << 20)
/* Deflate expands data at most 1032 times (RFC 1951: 258 bytes in 2 bits). A larger ratio means that the stated sizes
 * are false. The ratio of other methods is not checked. */
#define LARGEST_RATIO 1032u
/* Memory for unpacking a whole entry at once, in addition to its packed bytes. */
#define WHOLE_MEMORY (BSPI_LIBDEFLATE_MEMORY + 64)

enum {
	LOCAL_SIZE = 30,                   /* [4.3.7] without name and extra field; its last fields have their sizes */
	RECORD_SIZE = 46,                  /* [4.3.12] */
	END_SIZE = 22,                     /* [4.3.16] */
	LOCATOR_SIZE = 20,                 /* [4.3.15] locator of the Zip64 end record; it stands right before the end
	                                    * record */
	END64_SIZE = 56,                   /* [4.3.14] */
	TAIL_SIZE = 65535 + END_SIZE + LOCATOR_SIZE,
	FLAG_ENCRYPTED = 1,
	EXTRA_ZIP64 = 1                    /* [4.5.3] */
};

/* Numbers of the compression methods [4.4.5]. */
enum { METHOD_STORED = 0, METHOD_DEFLATE = 8, METHOD_BZIP2 = 12, METHOD_LZMA = 14 };

/* Where the directory is. `start` is the beginning of the archive. In a self-extracting archive, it comes after the
 * program. */
typedef struct directory {
	uint64_t offset, size, start;
} directory;

/* ---- Finding the directory --------------------------------------------------------------------------------- */

static bool fail_zip(const bspi_mount *mount, const char *why, bspscene_error *error)
{
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "%s: the zip archive cannot be read: %s", mount->origin,
	                      why);
}

/* Finds the directory that the end record at `end` refers to. The directory is at the stated offset. If the archive was
 * appended to another file, the directory is instead right before the end record. */
static bool place_directory(const bspi_mount *mount, uint64_t end, directory *out)
{
	uint8_t magic[4];
	if (out->size > end) return false;
	uint64_t at = end - out->size;
	bool stated = out->offset <= at;
	if (!out->size) return stated;
	if (stated && bspi_mount_read(mount, out->offset, magic, 4) && !memcmp(magic, "PK\1\2", 4)) return true;
	if (!stated || !bspi_mount_read(mount, at, magic, 4) || memcmp(magic, "PK\1\2", 4)) return false;
	out->start = at - out->offset;
	out->offset = at;
	return true;
}

static bool read_end64(const bspi_mount *mount, uint64_t at, directory *out)
{
	uint8_t record[END64_SIZE];
	if (!bspi_mount_read(mount, at, record, sizeof record) || memcmp(record, "PK\6\6", 4)) return false;
	*out = (directory){ .size = bspi_load_u64(record + 40), .offset = bspi_load_u64(record + 48) };
	return place_directory(mount, at, out);
}

/* Reads an end record, which is at offset `at` of the archive. The `before` bytes that precede `record` are in memory
 * too. */
static bool read_end(const bspi_mount *mount, const uint8_t *record, size_t before, uint64_t at, directory *out)
{
	const uint8_t *locator = record - LOCATOR_SIZE;
	if (before >= LOCATOR_SIZE && !memcmp(locator, "PK\6\7", 4)) {
		if (read_end64(mount, bspi_load_u64(locator + 8), out)) return true;
		/* If the archive was appended to another file, the Zip64 record is not at its stated offset. */
		uint64_t least = LOCATOR_SIZE + END64_SIZE;
		if (at >= least && read_end64(mount, at - least, out)) return true;
	}
	*out = (directory){ .size = bspi_load_u32(record + 12), .offset = bspi_load_u32(record + 16) };
	return place_directory(mount, at, out);
}

/* Finds the end record of the archive. Only its own comment may follow it. If several records are valid, the last one
 * counts. */
static bool find_directory(const bspi_mount *mount, directory *out, bspscene_error *error)
{
	size_t size = mount->size < TAIL_SIZE ? (size_t)mount->size : TAIL_SIZE;
	uint8_t *tail = bspi_heap_take(bspi_mount_heap(mount), size);
	if (!tail) return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory", mount->origin);
	bool read = bspi_mount_read(mount, mount->size - size, tail, size), found = false;
	for (size_t i = size; read && !found && i-- > 0; ) {
		if (size - i < END_SIZE || memcmp(tail + i, "PK\5\6", 4)) continue;
		found = read_end(mount, tail + i, i, mount->size - size + i, out);
	}
	bspi_heap_give(bspi_mount_heap(mount), tail);
	if (!read) return bspi_error_set(error, BSPSCENE_ERROR_IO, "%s: reading failed", mount->origin);
	return found || fail_zip(mount, "it has no directory at its end, so it is cut off or damaged", error);
}

/* ---- Reading the directory --------------------------------------------------------------------------------- */

/* Reads the Zip64 extra field [4.5.3]: the unpacked size, the packed size and the offset, in this order. Each is
 * stored only if the record of the directory has the largest 32-bit number in its place. */
static void read_zip64_extra(bspi_bytes extra, bspi_entry *entry)
{
	bspi_cursor c = bspi_cursor_at(extra, 0);
	while (!c.failed && c.at < extra.size) {
		uint16_t id = bspi_take_u16(&c), size = bspi_take_u16(&c);
		bspi_bytes field;
		if (c.failed || !bspi_slice(extra, c.at, size, &field)) return;
		c.at += size;
		if (id != EXTRA_ZIP64) continue;
		bspi_cursor wide = bspi_cursor_at(field, 0);
		uint64_t *const numbers[] = { &entry->unpacked_size, &entry->spans[0].size, &entry->spans[0].offset };
		for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
			if (*numbers[i] == UINT32_MAX) *numbers[i] = bspi_take_u64(&wide);
		}
		return;
	}
}

static bool fail_record(const bspi_mount *mount, uint32_t number, bspscene_error *error)
{
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "%s: the zip archive's directory is broken at entry %u",
	                      mount->origin, number);
}

/* True if the entry is a directory. Such entries have no data. */
static bool is_directory_name(const char *name)
{
	size_t size = strlen(name);
	return !size || name[size - 1] == '/' || name[size - 1] == '\\';
}

/* True if an extra field is missing although the directory states its size. This happens in Valve's archives for
 * consoles: only local headers have extra fields, which align files to sectors. In the directory, the next record
 * follows instead, or zeros up to the sector's end. */
static bool is_without_extra(const bspi_cursor *c)
{
	if (c->failed || c->bytes.size - c->at < 4) return false;
	const uint8_t *next = c->bytes.data + c->at;
	return !memcmp(next, "PK\1\2", 4) || !bspi_load_u32(next);
}

static bspi_packing packing_of(uint16_t method)
{
	return method == METHOD_DEFLATE ? BSPI_PACKING_DEFLATE : method == METHOD_BZIP2 ? BSPI_PACKING_BZIP2
	       : method == METHOD_LZMA  ? BSPI_PACKING_ZIP_LZMA : BSPI_PACKING_NONE;
}

static bool is_readable(uint16_t method)
{
	return method == METHOD_STORED || packing_of(method) != BSPI_PACKING_NONE;
}

static bool read_record(bspi_mount *mount, bspi_cursor *c, uint64_t start, uint32_t number, bspscene_error *error)
{
	char name[BSPI_PATH_SIZE] = "";
	const uint8_t *record = bspi_take(c, RECORD_SIZE);
	if (!record || memcmp(record, "PK\1\2", 4)) return fail_record(mount, number, error);
	uint16_t name_size = bspi_load_u16(record + 28), extra_size = bspi_load_u16(record + 30);
	const uint8_t *letters = bspi_take(c, name_size);
	if (is_without_extra(c)) extra_size = 0;
	const uint8_t *extra = bspi_take(c, extra_size);
	bspi_take(c, bspi_load_u16(record + 32));
	if (c->failed) return fail_record(mount, number, error);
	if (name_size >= sizeof name) {
		char last = (char)letters[name_size - 1];
		mount->skipped_count += last != '/' && last != '\\';
		return true;
	}
	memcpy(name, letters, name_size);
	if (is_directory_name(name)) return true;
	bspi_entry *entry;
	BSPI_TRY(bspi_mount_add(mount, name, number, &entry, error));
	if (!entry) return true;
	entry->method = bspi_load_u16(record + 10);
	if (!is_readable(entry->method)) entry->unreadable = "is packed by a method that is not supported";
	if (bspi_load_u16(record + 8) & FLAG_ENCRYPTED) entry->unreadable = "is encrypted";
	entry->spans[0] = (bspi_span){ bspi_load_u32(record + 42), bspi_load_u32(record + 20), 0 };
	entry->unpacked_size = bspi_load_u32(record + 24);
	read_zip64_extra(bspi_bytes_of(extra, extra_size), entry);
	/* An entry outside of the archive gets an offset that is never readable. */
	bool inside = entry->spans[0].offset <= UINT64_MAX - start;
	entry->spans[0].offset = inside ? entry->spans[0].offset + start : UINT64_MAX;
	return true;
}

/* True if the directory's records have ended. A signature may follow them [4.3.13], or zeros. */
static bool is_behind_records(const bspi_cursor *c)
{
	if (c->bytes.size - c->at < 4) return false;
	const uint8_t *next = c->bytes.data + c->at;
	return !memcmp(next, "PK\5\5", 4) || !bspi_load_u32(next);
}

static bool zip_read(bspi_mount *mount, bspscene_error *error)
{
	directory found = { 0 };
	bspi_bytes bytes;
	BSPI_TRY(find_directory(mount, &found, error));
	BSPI_TRY(bspi_mount_load(mount, found.offset, found.size, "zip archive's directory", &bytes, error));
	bspi_cursor c = bspi_cursor_at(bytes, 0);
	for (uint32_t i = 0; c.at < bytes.size && !is_behind_records(&c); i++) {
		BSPI_TRY(read_record(mount, &c, found.start, i, error));
	}
	return bspi_zip_refuse_overlaps(mount, LOCAL_SIZE, error);
}

/* ---- Reading an entry -------------------------------------------------------------------------------------- */

typedef struct zip_stream {
	bspi_unpacking unpacking;
	const bspi_mount *mount;
	const bspi_entry *entry;
	bspi_span packed;                  /* packed bytes that are still to be read */
	uint64_t left;                     /* unpacked bytes that are still to be returned */
	bspi_unpacker *unpacker;           /* NULL: the entry is stored, or is not opened yet */
	bool begun, failed;
} zip_stream;

static size_t read_packed(void *user, void *data, size_t size)
{
	zip_stream *stream = user;
	bspi_span *packed = &stream->packed;
	if (size > packed->size) size = (size_t)packed->size;
	if (size && !bspi_mount_read(stream->mount, packed->offset, data, size)) return SIZE_MAX;
	packed->offset += size;
	packed->size -= size;
	return size;
}

/* Moves a span past the local header, whose name and extra field may have other sizes than in the directory. */
static bool find_bytes(const bspi_mount *mount, bspi_span *span)
{
	uint8_t header[LOCAL_SIZE];
	if (span->offset > mount->size || mount->size - span->offset < LOCAL_SIZE) return false;
	if (!bspi_mount_read(mount, span->offset, header, sizeof header) || memcmp(header, "PK\3\4", 4)) return false;
	span->offset += LOCAL_SIZE + (uint64_t)bspi_load_u16(header + 26) + bspi_load_u16(header + 28);
	return span->offset <= mount->size && span->size <= mount->size - span->offset;
}

static bool is_believable(const bspi_entry *entry)
{
	uint64_t size = entry->unpacked_size, packed = entry->spans[0].size;
	if (entry->unreadable || size > LARGEST_ENTRY) return false;
	if (entry->method == METHOD_STORED) return size <= packed;
	return entry->method != METHOD_DEFLATE || size / LARGEST_RATIO <= packed;
}

static bool begin(zip_stream *stream)
{
	const bspi_entry *entry = stream->entry;
	stream->begun = true;
	if (!is_believable(entry) || !find_bytes(stream->mount, &stream->packed)) return false;
	if (entry->method == METHOD_STORED) return true;
	stream->unpacker = bspi_unpacker_create(&stream->unpacking.charge, packing_of(entry->method),
	                                        entry->unpacked_size, read_packed, stream);
	return stream->unpacker != NULL;
}

/* Unpacks the whole entry at once, which takes half the time. If this returns false, the state is unchanged, and the
 * bytes in `data` are undefined. The streaming unpacker then tries again, and reports any damage. */
static bool unpack_whole(zip_stream *stream, void *data, size_t size)
{
	const bspi_span span = stream->packed;
	const bspi_entry *entry = stream->entry;
	if (entry->method != METHOD_DEFLATE || size != entry->unpacked_size || span.size > size) return false;
	bspi_charge *charge = &stream->unpacking.charge;
	if (charge->budget && bspi_budget_left(charge->budget) < span.size + WHOLE_MEMORY) return false;
	if (!bspi_charge_take(charge, BSPI_LIBDEFLATE_MEMORY)) return false;
	struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
	uint8_t *packed = inflater ? bspi_charged_take(charge, 1, (size_t)span.size) : NULL;
	bool done = packed && read_packed(stream, packed, (size_t)span.size) == span.size &&
	            libdeflate_deflate_decompress(inflater, packed, (size_t)span.size, data, size, NULL) ==
	            LIBDEFLATE_SUCCESS;
	if (inflater) libdeflate_free_decompressor(inflater);
	bspi_charged_give(charge, packed);
	bspi_charge_give(charge, BSPI_LIBDEFLATE_MEMORY);
	stream->packed = span;
	return done;
}

static size_t zip_stream_read(void *user, void *data, size_t size)
{
	zip_stream *stream = user;
	if (size > stream->left) size = (size_t)stream->left;
	if (!size) return 0;
	if (!stream->begun) {
		stream->failed = !begin(stream);
		if (!stream->failed && unpack_whole(stream, data, size)) {
			stream->left = 0;
			return size;
		}
	}
	if (stream->failed) return SIZE_MAX;
	size_t got = stream->unpacker ? bspi_unpacker_read(stream->unpacker, data, size) : read_packed(stream, data, size);
	stream->failed = got != size;
	if (stream->failed) return SIZE_MAX;
	stream->left -= size;
	return size;
}

static void zip_stream_close(bspi_unpacking *unpacking)
{
	zip_stream *stream = (zip_stream *)unpacking;
	bspi_unpacker_free(stream->unpacker);
	bspi_heap_give(bspi_mount_heap(stream->mount), stream);
}

static bool zip_open(const bspi_mount *mount, const bspi_entry *entry, bspscene_stream *out)
{
	zip_stream *stream = bspi_heap_take(bspi_mount_heap(mount), sizeof *stream);
	if (!stream) return false;
	*stream = (zip_stream){
		.unpacking = { { .heap = bspi_mount_heap(mount) }, zip_stream_close },
		.mount = mount, .entry = entry, .packed = entry->spans[0], .left = entry->unpacked_size,
	};
	*out = (bspscene_stream){
		.user = stream, .read = zip_stream_read, .close = bspi_close_unpacking, .size = entry->unpacked_size,
		.origin = mount->origin,
	};
	return true;
}

const bspi_mount_kind bspi_zip_mount = { "PK", NULL, zip_read, zip_open };
