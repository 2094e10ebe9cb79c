/* test_unpacking_memory.c - Promise: the memory of decompressors is charged to the load's budget before it is
 * allocated, so tiny files with large windows are refused within `memory_limit`. Once, 25 bytes of bzip2 used 1.4 MB
 * under a limit of 202 KB. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <lzma.h>

#include "images/images.h"
#include "io/io.h"
#include "io/lzma.h"
#include "io/unpack.h"
#include "io/zstd_memory.h"
#include "support/hostile/counted_memory.h"
#include "support/make/build_archive.h"
#include "support/make/build_map.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define KB(count) ((uint64_t)(count) << 10)

static const char text[] = "no map at all";

/* Makes an xz file with the dictionary of the highest level, 64 MiB. */
static bspt_bytes wide_xz(void)
{
	bspt_bytes out = { malloc(256), 0 };
	assert_int_equal(lzma_easy_buffer_encode(9, LZMA_CHECK_CRC32, NULL, (const uint8_t *)text, sizeof text, out.data,
	                                         &out.size, 256), LZMA_OK);
	return out;
}

static bspt_bytes copy(const void *data, size_t size)
{
	bspt_bytes out = { malloc(size), size };
	memcpy(out.data, data, size);
	return out;
}

/* Makes a zstd frame with a window of 64 MiB and one stored block of a byte. */
static bspt_bytes wide_zstd(void)
{
	return copy("\x28\xb5\x2f\xfd\x00\x80\x09\x00\x00X", 10);
}

/* Makes the truncated first block of bzip2 at level 9. */
static bspt_bytes wide_bzip2(void)
{
	return copy("BZh9\x0f\0\0\0\0\2\0\0\0\2\0\0\x41\0\x09\0\0\0\0\0\0", 25);
}

static bspt_bytes gzipped(void)
{
	return bspt_gzip(text, sizeof text);
}

static const struct wide {
	bspt_bytes (*make)(void);
	bspi_packing packing;
	/* The file must be refused under a limit of `limit` bytes. Its decoder takes at least `least` bytes. */
	uint64_t limit, least;
} wide_files[] = {
	{ gzipped, BSPI_PACKING_GZIP, KB(20), KB(7) },
	{ wide_xz, BSPI_PACKING_XZ, KB(4096), KB(65536) },
#ifdef BSPI_HAVE_BZIP2
	{ wide_bzip2, BSPI_PACKING_BZIP2, KB(202), KB(3500) },
#endif
#ifdef BSPI_HAVE_ZSTD
	{ wide_zstd, BSPI_PACKING_ZSTD, KB(4096), KB(65536) },
#endif
};

static void expect_refused(bspt_bytes file, uint64_t limit)
{
	bspt_counted counted = { 0 };
	bspscene_allocator allocator = bspt_counted_allocator(&counted);
	bspscene_error error;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.memory_limit = limit;
	options.allocator = &allocator;
	assert_null(bspscene_load_memory(file.data, file.size, &options, &error));
	if (error.status != BSPSCENE_ERROR_MEMORY_LIMIT || !strstr(error.message, "needs more than the memory limit of")) {
		fail_msg("%s \"%s\"", bspscene_status_name(error.status), error.message);
	}
	/* The 16 KB are for the struct of the load itself, which is not charged to the budget. */
	if (counted.most_bytes > limit + KB(16)) fail_msg("%zu bytes under %zu", (size_t)counted.most_bytes, (size_t)limit);
	assert_int_equal(counted.pieces, 0);
}

static void wide_windows_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(wide_files); i++) {
		bspt_bytes file = wide_files[i].make();
		expect_refused(file, wide_files[i].limit);
		free(file.data);
	}
}

static size_t give(void *user, void *data, size_t size)
{
	bspi_bytes *left = user;
	/* Returns one byte at a time, so that headers arrive in pieces. */
	if (size > 1) size = 1;
	if (size > left->size) size = left->size;
	memcpy(data, left->data, size);
	*left = bspi_bytes_of(left->data + size, left->size - size);
	return size;
}

static void all_is_charged_and_given_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(wide_files); i++) {
		bspt_bytes file = wide_files[i].make();
		bspi_bytes left = bspi_bytes_of(file.data, file.size);
		char out[64];
		bspi_budget budget;
		bspi_budget_begin(&budget, 0, NULL);
		bspi_charge charge = bspi_charge_to(&budget);
		bspi_unpacker *u = bspi_unpacker_create(&charge, wide_files[i].packing, 0, give, &left);
		assert_non_null(u);
		while (bspi_unpacker_read(u, out, sizeof out) - 1 < sizeof out) {}
		bspi_unpacker_free(u);
		assert_false(charge.refused);
		assert_int_equal(budget.used, 0);
		if (budget.peak < wide_files[i].least) fail_msg("row %zu: peak of %zu bytes", i, (size_t)budget.peak);
		free(file.data);
	}
}

static void windows_of_zstd_are_told_by_the_header(void **state)
{
	(void)state;
	static const struct { uint8_t bytes[BSPI_ZSTD_HEADER]; size_t size; uint64_t window; } rows[] = {
		{ { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x80 }, 6, KB(65536) },
		{ { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x01 }, 6, 1024 + 128 },
		{ { 0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x10 }, 6, 1024 },
		{ { 0x28, 0xb5, 0x2f, 0xfd, 0x60, 0x00, 0x10 }, 7, 4096 + 256 },
		{ { 0x28, 0xb5, 0x2f, 0xfd, 0xa1, 0x07, 0x00, 0x00, 0x10, 0x00 }, 10, KB(1024) },
		{ { 0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 4 }, 13, KB(65536) },
		{ { 0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 1 }, 13, 0 },
		{ { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xff }, 6, 0 },
		{ { 0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 4 }, 12, 0 },
		{ { 0x28, 0xb5, 0x2f, 0xfd }, 4, 0 },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		uint64_t want = rows[i].window ? bspi_zstd_buffers(rows[i].window) : 0;
		uint64_t got = bspi_zstd_memory(bspi_bytes_of(rows[i].bytes, rows[i].size));
		if (got != want) fail_msg("row %zu: %zu instead of %zu", i, (size_t)got, (size_t)want);
	}
}

/* ---- Archives --------------------------------------------------------------------------------------------- */

/* Reads the only file of a zip for a load with this limit. */
static bool read_entry(uint16_t method, size_t size, uint64_t limit, bspscene_error *error)
{
	char *content = calloc(size + 1, 1);
	memset(content, 'x', size);
	const bspt_member member = { .name = "a.txt", .text = content, .method = method };
	bspt_bytes zip = bspt_zip(&member, 1);
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	assert_true(bspscene_file_system_mount_memory(files, "a.zip", zip.data, zip.size, NULL));
	assert_true(bspscene_file_system_open(files, &stream, "a.txt", BSPSCENE_FILE_OTHER));
	bspi_ctx ctx = { .file = "test", .name = "test", .error = { .status = BSPSCENE_OK } };
	ctx.budget.limit = limit;
	bspi_begin_memory(&ctx);
	bspi_bytes bytes;
	bool ok = bspi_read_stream(&ctx, &ctx.scratch, &stream, &bytes);
	*error = ctx.error;
	bspi_end_memory(&ctx);
	assert_int_equal(ctx.budget.used, 0);
	bspscene_file_system_free(files);
	free(zip.data);
	free(content);
	return ok;
}

/* The file itself fits into the limit, but not its decoder. */
static void entries_of_zips_are_charged(void **state)
{
	(void)state;
	static const struct { uint16_t method; size_t size; uint64_t limit; } rows[] = {
		{ 8, 1000, KB(20) },
#ifdef BSPI_HAVE_BZIP2
		{ 12, 1000, KB(500) },
#endif
		{ 14, 65536, KB(130) },
	};
	bspscene_error error;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_true(read_entry(rows[i].method, rows[i].size, KB(16384), &error));
		if (read_entry(rows[i].method, rows[i].size, rows[i].limit, &error)) fail_msg("row %zu was read", i);
		if (error.status != BSPSCENE_ERROR_MEMORY_LIMIT || !strstr(error.message, "needs more than the memory limit")) {
			fail_msg("row %zu: %s \"%s\"", i, bspscene_status_name(error.status), error.message);
		}
	}
	assert_true(read_entry(0, 1000, KB(20), &error));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wide_windows_are_refused),
		cmocka_unit_test(all_is_charged_and_given_back),
		cmocka_unit_test(windows_of_zstd_are_told_by_the_header),
		cmocka_unit_test(entries_of_zips_are_charged),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
