/* zip.c - zip, pk3, pk4 and Source's pakfile through libzip, with the LZMA entries that it does not read through
 * liblzma.
 *
 * Entries are unpacked while they are read, never ahead: a reader that asks for what the directory states gets exactly
 * that or a failure, so an entry that unpacks to more than it says is cut off, and memory is the reader's to limit.
 * Checksums are not compared: released pakfiles have wrong ones (Bloodlines, 29 entries) and the engines do not
 * look. */
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "files/files.h"
#include "io/lzma.h"

/* Larger entries are videos or traps; maps and textures end far below. */
#define LARGEST_ENTRY ((uint64_t)512 << 20)
/* Deflate packs at most 1032 to 1 (RFC 1951: 258 bytes in 2 bits); more is a lie. LZMA can do better, honest data
 * hardly. */
#define LARGEST_RATIO 1032u
/* Some 20,000 files. */
#define LARGEST_DIRECTORY (2u << 20)
#define METHOD_LZMA 14u
#define INPUT_SIZE 16384u
#define END_SIZE 22u
#define LOCATOR_SIZE 20u               /* of the Zip64 record, before the end record */
#define TAIL_SIZE (65535u + END_SIZE + LOCATOR_SIZE)

typedef struct lzma_input {
	lzma_stream decoder;
	uint8_t bytes[INPUT_SIZE];
} lzma_input;

typedef struct zip_stream {
	zip_t *archive;
	uint32_t index;
	uint16_t method;
	uint64_t size, left;               /* unpacked bytes: all, and still to come */
	zip_file_t *file;                  /* NULL until the first read */
	lzma_input *lzma;                  /* NULL for other methods */
	bool failed;
} zip_stream;

/* libzip hashes names without a secret, so 60,000 chosen ones keep it busy for 15 seconds, and it reads on as long as
 * the directory is, whatever number of files is stated. So all end records that it might choose are looked at before it
 * does. */
static bool check_directory_size(const bspi_mount *mount, bspscene_error *error)
{
	size_t size = mount->size < TAIL_SIZE ? (size_t)mount->size : TAIL_SIZE;
	uint8_t *tail = malloc(size);
	bool ok = tail != NULL;
	if (!ok) {
		bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory", mount->origin);
	} else if (!bspi_mount_read(mount, mount->size - size, tail, size)) {
		ok = bspi_error_set(error, BSPSCENE_ERROR_IO, "%s: reading failed", mount->origin);
	}
	for (size_t i = 0; ok && i + END_SIZE <= size; i++) {
		if (memcmp(tail + i, "PK\5\6", 4)) continue;
		if (i >= LOCATOR_SIZE && !memcmp(tail + i - LOCATOR_SIZE, "PK\6\7", 4)) {
			ok = bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "%s: Zip64 is not read", mount->origin);
		} else if (bspi_load_u32(tail + i + 12) > LARGEST_DIRECTORY) {
			ok = bspi_error_set(error, BSPSCENE_ERROR_LIMIT,
			                    "%s: the zip archive's directory is larger than %u MiB: too many files", mount->origin,
			                    LARGEST_DIRECTORY >> 20);
		}
	}
	free(tail);
	return ok;
}

static bool zip_read(bspi_mount *mount, bspscene_error *error)
{
	BSPI_TRY(check_directory_size(mount, error));
	zip_error_t why;
	zip_error_init(&why);
	zip_source_t *source = mount->in_memory
		? zip_source_buffer_create(mount->memory.data, mount->memory.size, 0, &why)
		: zip_source_file_create(mount->origin, 0, -1, &why);
	zip_t *archive = source ? zip_open_from_source(source, ZIP_RDONLY, &why) : NULL;
	if (!archive) {
		bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "%s: the zip archive cannot be read: %s", mount->origin,
		               zip_error_strerror(&why));
		zip_error_fini(&why);
		if (source) zip_source_free(source);
		return false;
	}
	zip_error_fini(&why);
	mount->state = archive;
	bspi_file_close(mount->file);      /* libzip has opened it for itself */
	mount->file = NULL;
	zip_int64_t count = zip_get_num_entries(archive, 0);
	for (zip_int64_t i = 0; i < count; i++) {
		const char *name = zip_get_name(archive, (zip_uint64_t)i, ZIP_FL_ENC_RAW);
		bspi_entry *entry;
		size_t size = name ? strlen(name) : 0;
		if (!size || name[size - 1] == '/' || name[size - 1] == '\\') continue;
		BSPI_TRY(bspi_mount_add(mount, name, (uint32_t)i, &entry, error));
	}
	return true;
}

static void zip_close_archive(bspi_mount *mount)
{
	if (mount->state) zip_discard(mount->state);
}

/* A method-14 entry begins with two bytes of version and two of properties' size (APPNOTE 5.8.8). */
static bool start_lzma(zip_stream *stream)
{
	uint8_t head[4 + BSPI_LZMA_PROPERTIES];
	lzma_input *lzma = malloc(sizeof *lzma);
	if (!lzma) return false;
	lzma->decoder = (lzma_stream)LZMA_STREAM_INIT;
	stream->lzma = lzma;
	if (zip_fread(stream->file, head, sizeof head) != (zip_int64_t)sizeof head) return false;
	if (bspi_load_u16(head + 2) != BSPI_LZMA_PROPERTIES) return false;
	bspi_lzma_header(lzma->bytes, head + 4, stream->size);
	lzma->decoder.next_in = lzma->bytes;
	lzma->decoder.avail_in = BSPI_LZMA_HEADER;
	return lzma_alone_decoder(&lzma->decoder, bspi_lzma_memory(stream->size)) == LZMA_OK;
}

static bool start(zip_stream *stream)
{
	bool is_lzma = stream->method == METHOD_LZMA;
	/* What is stored is its own packed form, and of that libzip computes no checksum. */
	bool as_it_is = is_lzma || stream->method == ZIP_CM_STORE;
	stream->file = zip_fopen_index(stream->archive, stream->index, as_it_is ? ZIP_FL_COMPRESSED : 0);
	return stream->file && (!is_lzma || start_lzma(stream));
}

static bool read_lzma(zip_stream *stream, uint8_t *data, size_t size)
{
	lzma_stream *decoder = &stream->lzma->decoder;
	decoder->next_out = data;
	decoder->avail_out = size;
	while (decoder->avail_out) {
		if (!decoder->avail_in) {
			zip_int64_t got = zip_fread(stream->file, stream->lzma->bytes, INPUT_SIZE);
			/* At the end, 0: the decoder may still hold output. Without any it says so. */
			if (got < 0) return false;
			decoder->next_in = stream->lzma->bytes;
			decoder->avail_in = (size_t)got;
		}
		lzma_ret result = lzma_code(decoder, LZMA_RUN);
		if (result != LZMA_OK) return result == LZMA_STREAM_END && !decoder->avail_out;
	}
	return true;
}

static bool read_plain(zip_stream *stream, uint8_t *data, size_t size)
{
	for (size_t done = 0; done < size; ) {
		zip_int64_t got = zip_fread(stream->file, data + done, size - done);
		if (got <= 0) return false;
		done += (size_t)got;
	}
	return true;
}

static size_t zip_stream_read(void *user, void *data, size_t size)
{
	zip_stream *stream = user;
	if (size > stream->left) size = (size_t)stream->left;
	if (!size) return 0;
	if (!stream->failed && !stream->file) stream->failed = !start(stream);
	if (!stream->failed) {
		stream->failed = !(stream->lzma ? read_lzma(stream, data, size) : read_plain(stream, data, size));
	}
	if (stream->failed) return SIZE_MAX;
	stream->left -= size;
	return size;
}

static void zip_stream_close(void *user)
{
	zip_stream *stream = user;
	if (stream->lzma) lzma_end(&stream->lzma->decoder);
	free(stream->lzma);
	if (stream->file) zip_fclose(stream->file);
	free(stream);
}

static bool is_believable(const zip_stat_t *stat)
{
	if (stat->size > LARGEST_ENTRY) return false;
	return stat->comp_method == METHOD_LZMA || stat->size / LARGEST_RATIO <= stat->comp_size;
}

static bool zip_open_entry(const bspi_mount *mount, const bspi_entry *entry, bspscene_stream *out)
{
	zip_stat_t stat;
	if (zip_stat_index(mount->state, entry->order, ZIP_FL_ENC_RAW, &stat) != 0) return false;
	zip_stream *stream = malloc(sizeof *stream);
	if (!stream) return false;
	*stream = (zip_stream){
		.archive = mount->state, .index = entry->order, .method = stat.comp_method,
		.size = stat.size, .left = stat.size, .failed = !is_believable(&stat),
	};
	*out = (bspscene_stream){
		.user = stream, .read = zip_stream_read, .close = zip_stream_close, .size = stat.size, .origin = mount->origin,
	};
	return true;
}

const bspi_mount_kind bspi_zip_mount = { "PK", zip_read, zip_open_entry, zip_close_archive };
