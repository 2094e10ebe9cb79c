/* png_write.c - pixels to PNG: rows by png_rows.c, deflated by libdeflate in one piece. What is larger than that is
 * worth goes through zlib in portions.
 *
 * Filters and levels are measured, lightmap pages and textures apart (processor time and size against libpng's level 1
 * with Paeth and run lengths, which this replaced). Pages: Paeth, level 1 .64 and .94, 3 .91 and .89, 12 39 and .76.
 * Textures: the lightest filter, level 1 .93 and .98, 3 1.3 and .97, 12 16 and .92. Eight-bit textures as indices,
 * level 1 .2 and .42, 3 .2 and .41, 12 8 and .40. */
#include <libdeflate.h>
#include <limits.h>
#include <string.h>
#include <zlib.h>

#include "images/write/png_rows.h"
#include "images/write/write.h"

#define LARGEST_WHOLE ((uint64_t)64 << 20)
#define PORTION ((size_t)1 << 16)
enum { HEADER_SIZE = 8 + 25, MOST_TABLES = 2 * 12 + 256 * 4 };

typedef struct png_job {
	const bspi_heap *heap;
	bspi_png_rows rows;
	int level;
	uint8_t *shrunk, *black, *tried, *filtered, *packed; /* of the heap, NULL or not */
	bspscene_write_fn *write;
	void *user;
} png_job;

typedef enum png_result { PNG_WRITTEN, PNG_LACKS_MEMORY, PNG_NOT_WRITTEN } png_result;

static void put_u32(uint8_t *out, uint32_t value)
{
	for (int i = 0; i < 4; i++) out[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* ---- Chunks ----------------------------------------------------------------------------------------------- */

/* Returns what it wrote to `out`, behind which the data is if it is there already. */
static size_t put_chunk(uint8_t *out, const char *name, const void *data, uint32_t size)
{
	put_u32(out, size);
	memcpy(out + 4, name, 4);
	if (size) memmove(out + 8, data, size);
	put_u32(out + 8 + size, libdeflate_crc32(0, out + 4, 4 + (size_t)size));
	return 12 + (size_t)size;
}

static bool write_head(const png_job *job)
{
	static const uint8_t signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
	const bspi_png_rows *rows = &job->rows;
	uint8_t out[HEADER_SIZE + MOST_TABLES], header[13] = { 0 }, colors[3 * 256], alphas[256];
	put_u32(header, rows->width);
	put_u32(header + 4, rows->height);
	header[8] = 8;
	header[9] = rows->color_type;
	memcpy(out, signature, sizeof signature);
	size_t size = sizeof signature;
	size += put_chunk(out + size, "IHDR", header, sizeof header);
	for (uint32_t i = 0; i < rows->color_count; i++) {
		memcpy(colors + 3 * i, rows->palette[i], 3);
		alphas[i] = rows->palette[i][3];
	}
	if (rows->color_count) size += put_chunk(out + size, "PLTE", colors, 3 * rows->color_count);
	if (rows->alpha_count) size += put_chunk(out + size, "tRNS", alphas, rows->alpha_count);
	return job->write(job->user, out, size);
}

static bool write_data(const png_job *job, const uint8_t *data, uint32_t size)
{
	uint8_t head[8], tail[4];
	put_u32(head, size);
	memcpy(head + 4, "IDAT", 4);
	put_u32(tail, libdeflate_crc32(libdeflate_crc32(0, head + 4, 4), data, size));
	return job->write(job->user, head, sizeof head) && job->write(job->user, data, size) &&
	       job->write(job->user, tail, sizeof tail);
}

static bool write_end(const png_job *job)
{
	uint8_t out[12];
	return job->write(job->user, out, put_chunk(out, "IEND", NULL, 0));
}

/* ---- Pixels ----------------------------------------------------------------------------------------------- */

static png_result write_whole(png_job *job)
{
	size_t row_size = bspi_png_row_size(&job->rows), size = row_size * job->rows.height;
	struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(job->level);
	if (!compressor) return PNG_LACKS_MEMORY;
	size_t room = libdeflate_zlib_compress_bound(compressor, size), packed = 0;
	job->filtered = bspi_heap_take(job->heap, size);
	job->packed = bspi_heap_take(job->heap, room);
	if (job->filtered && job->packed) {
		for (uint32_t y = 0; y < job->rows.height; y++) {
			bspi_png_filter_row(&job->rows, y, job->black, job->tried, job->filtered + y * row_size);
		}
		packed = libdeflate_zlib_compress(compressor, job->filtered, size, job->packed, room);
	}
	libdeflate_free_compressor(compressor);
	if (!packed) return PNG_LACKS_MEMORY;
	return write_head(job) && write_data(job, job->packed, (uint32_t)packed) && write_end(job) ? PNG_WRITTEN
	                                                                                           : PNG_NOT_WRITTEN;
}

static void *allocate(void *heap, uInt count, uInt size)
{
	return bspi_heap_take_array(heap, count, size);
}

/* Hands on what zlib has, once its portion is full or, at the end, all of it. */
static png_result pack_row(const png_job *job, z_stream *z, int flush)
{
	for (int result = Z_OK; result == Z_OK && (z->avail_in || flush == Z_FINISH);) {
		result = deflate(z, flush);
		if (z->avail_out && result != Z_STREAM_END) continue;
		if (!write_data(job, job->packed, (uint32_t)(PORTION - z->avail_out))) return PNG_NOT_WRITTEN;
		z->next_out = job->packed;
		z->avail_out = PORTION;
	}
	return PNG_WRITTEN;
}

static png_result write_rows(const png_job *job, z_stream *z)
{
	size_t row_size = bspi_png_row_size(&job->rows);
	if (!write_head(job)) return PNG_NOT_WRITTEN;
	for (uint32_t y = 0; y < job->rows.height; y++) {
		bspi_png_filter_row(&job->rows, y, job->black, job->tried, job->filtered);
		z->next_in = job->filtered;
		z->avail_in = (uInt)row_size;
		png_result result = pack_row(job, z, y + 1 < job->rows.height ? Z_NO_FLUSH : Z_FINISH);
		if (result != PNG_WRITTEN) return result;
	}
	return write_end(job) ? PNG_WRITTEN : PNG_NOT_WRITTEN;
}

static png_result write_portions(png_job *job)
{
	z_stream z = { .zalloc = allocate, .zfree = bspi_heap_give_back, .opaque = bspi_heap_opaque(job->heap) };
	job->filtered = bspi_heap_take(job->heap, bspi_png_row_size(&job->rows));
	job->packed = bspi_heap_take(job->heap, PORTION);
	if (!job->filtered || !job->packed) return PNG_LACKS_MEMORY;
	if (deflateInit2(&z, 1, Z_DEFLATED, MAX_WBITS, 8, Z_RLE) != Z_OK) return PNG_LACKS_MEMORY;
	z.next_out = job->packed;
	z.avail_out = PORTION;
	png_result result = write_rows(job, &z);
	deflateEnd(&z);
	return result;
}

/* ---- All of it -------------------------------------------------------------------------------------------- */

static int level_of(const bspi_png_kind *kind, uint8_t color_type)
{
	if (kind->compression == BSPSCENE_COMPRESSION_FAST) return 1;
	if (kind->compression == BSPSCENE_COMPRESSION_SMALL) return 12;
	return kind->light || color_type == BSPI_PNG_INDEXED ? 3 : 1;
}

static png_result encode(png_job *job, const bspi_png_kind *kind)
{
	bspi_png_rows *rows = &job->rows;
	size_t row_size = bspi_png_row_size(rows);
	job->black = bspi_heap_take_zeroed(job->heap, row_size);
	job->tried = bspi_heap_take(job->heap, row_size);
	if (!job->black || !job->tried) return PNG_LACKS_MEMORY;
	if (!rows->pixels) {
		rows->pixels = job->black;
		rows->stride = 0;
	}
	if (kind->may_shrink) {
		job->shrunk = bspi_heap_take(job->heap, (size_t)rows->width * rows->height);
		if (!job->shrunk) return PNG_LACKS_MEMORY;
		(void)bspi_png_shrink(rows, job->shrunk);
	}
	bool small = kind->compression == BSPSCENE_COMPRESSION_SMALL;
	rows->chooses = small || (!kind->light && kind->compression != BSPSCENE_COMPRESSION_FAST);
	job->level = level_of(kind, rows->color_type);
	bool whole = (uint64_t)bspi_png_row_size(rows) * rows->height <= LARGEST_WHOLE;
	return whole ? write_whole(job) : write_portions(job);
}

uint64_t bspi_png_work_size(uint32_t width, uint32_t height, uint32_t channels)
{
	uint64_t size = ((uint64_t)width * channels + 1) * height, shrunk = (uint64_t)width * height;
	return shrunk + (size <= LARGEST_WHOLE ? 2 * size : 0);
}

bool bspi_write_png(const bspi_heap *heap, const bspi_png_kind *kind, uint32_t width, uint32_t height,
                    uint32_t channels, const void *pixels, bspscene_write_fn *write, void *user, bspscene_error *error)
{
	png_job job = { .heap = heap, .write = write, .user = user };
	job.rows = (bspi_png_rows){
		.width = width, .height = height, .channels = channels, .pixels = pixels, .stride = (size_t)width * channels,
		.color_type = channels == 4 ? BSPI_PNG_RGBA : BSPI_PNG_RGB,
	};
	png_result result = encode(&job, kind);
	bspi_heap_give(heap, job.shrunk);
	bspi_heap_give(heap, job.black);
	bspi_heap_give(heap, job.tried);
	bspi_heap_give(heap, job.filtered);
	bspi_heap_give(heap, job.packed);
	if (result == PNG_LACKS_MEMORY) return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "PNG: out of memory");
	if (result == PNG_NOT_WRITTEN) return bspi_error_set(error, BSPSCENE_ERROR_IO, "PNG: writing failed");
	return true;
}
