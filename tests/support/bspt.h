/* bspt.h - what all tests share: reports that count and keep the first failure, guard pages, files, fixtures.
 *
 * It depends on no test framework: unit tests and fuzz targets end with bspt_assert_clean. */
#ifndef BSPT_H
#define BSPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bspscene/file_system.h>
#include <bspscene/formats.h>
#include <bspscene/scene.h>

#if defined(__GNUC__)
	#define BSPT_PRINTF(format_at, first) __attribute__((format(printf, format_at, first)))
#else
	#define BSPT_PRINTF(format_at, first)
#endif

/* BSPT_ADDRESS_SANITIZER is 1 under AddressSanitizer, where a few tests check more (bspt_heap_*). */
#if defined(__SANITIZE_ADDRESS__)
	#define BSPT_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
	#if __has_feature(address_sanitizer)
		#define BSPT_ADDRESS_SANITIZER 1
	#endif
#endif

/* ---- Reports ---------------------------------------------------------------------------------------------- */

/* The results of a check. `context` precedes its messages ("atrium.bsp, byte 812 = 0xff: "). */
typedef struct bspt_report {
	uint32_t failures;
	char context[160];
	char first[640];
} bspt_report;

void bspt_context(bspt_report *report, const char *format, ...) BSPT_PRINTF(2, 3);
void bspt_fail(bspt_report *report, const char *file, int line, const char *format, ...) BSPT_PRINTF(4, 5);

/* Counts a broken promise and continues, so that one run shows all of them. */
#define BSPT_EXPECT(report, condition, ...) \
	do { \
		if (!(condition)) bspt_fail((report), __FILE__, __LINE__, __VA_ARGS__); \
	} while (0)

/* Ends the program with a message about the test's own failure. */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void bspt_die(const char *what, const char *path);
/* Ends the program with the first failure, if there was one. */
void bspt_assert_clean(const bspt_report *report);

/* ---- Bytes and files -------------------------------------------------------------------------------------- */

typedef struct bspt_bytes {
	uint8_t *data;                     /* never NULL */
	size_t size;
} bspt_bytes;

/* Read whole files; end the program if that fails. Free `data` with free. */
bspt_bytes bspt_read_file(const char *path);
bspt_bytes bspt_read_fixture(const char *name);
void bspt_write_file(const char *path, const void *data, size_t size);
/* Returns "<tests>/fixtures/<name>" in a buffer that the second call after this one reuses. */
const char *bspt_fixture_path(const char *name);
/* Mounts the fixture's game directory and any number of others below fixtures/. The list ends with NULL. */
bspscene_file_system *bspt_mount_fixtures(const char *first, ...);
/* Makes loads with these options open files in this file system. */
void bspt_use_files(bspscene_load_options *options, bspscene_file_system *files);
/* Make a new empty directory for a test, and remove it with everything in it. */
void bspt_make_directory(char *path, size_t size);
void bspt_remove_directory(const char *path);
void bspt_make_folder(const char *path);

/* ---- Guard pages ------------------------------------------------------------------------------------------ */

/* Memory between unreadable pages. Contents may end at one, or begin at a page's start, so that an access one byte too
 * far is a fault even without a sanitizer. A guard can be reused for any contents up to its capacity. */
typedef struct bspt_guard {
	uint8_t *base;
	size_t mapped, capacity;
} bspt_guard;

bspt_guard bspt_guard_make(size_t capacity);
/* Copies `size` bytes so that the last one touches the unreadable page. The copy is read-only, and valid until the
 * next call with this guard. */
const uint8_t *bspt_guard_place(bspt_guard *guard, const void *data, size_t size);
void bspt_guard_free(bspt_guard *guard);

/* Make bytes of an allocation unreadable, and readable again. Return false without AddressSanitizer. */
bool bspt_forbid(const void *data, size_t size);
void bspt_allow(const void *data, size_t size);

/* ---- Heap ------------------------------------------------------------------------------------------------- */

/* Return the bytes that are allocated now, and the most since the reset. They need AddressSanitizer: without it
 * bspt_heap_known returns false and the others 0. */
bool bspt_heap_known(void);
void bspt_heap_reset_peak(void);
size_t bspt_heap_now(void);
size_t bspt_heap_peak(void);

/* ---- Loading ---------------------------------------------------------------------------------------------- */

/* A stream over memory that misbehaves on demand. */
typedef struct bspt_stream {
	const uint8_t *data;
	size_t size, at;
	size_t largest_read;               /* largest number of bytes in a read, 0 for no limit */
	size_t fail_at;                    /* reads that reach this byte fail; SIZE_MAX for none */
	uint32_t closed;                   /* number of calls of close */
} bspt_stream;

bspscene_stream bspt_stream_open(bspt_stream *stream, uint64_t claimed_size);

/* An output that accepts everything and keeps a hash, the size and the number of files. */
typedef struct bspt_sink {
	uint64_t hash, size;
	uint32_t files, open_files;
	uint64_t fail_after;               /* writes beyond this number of bytes fail; UINT64_MAX for none */
} bspt_sink;

bspscene_output bspt_sink_output(bspt_sink *sink);

/* Returns a hash of a scene's text and arrays: equal scenes have equal hashes. */
uint64_t bspt_scene_hash(const bspscene_scene *scene);

/* Adds the empty parts that every scene must have to a scene that is made by a test. */
void bspt_empty_parts(bspscene_scene *scene);
/* Fills a scene's table of pointers with the addresses of a test's records. */
#define BSPT_POINT(table, records) \
	do { \
		for (size_t i_ = 0; i_ < sizeof(table) / sizeof *(table); i_++) (table)[i_] = &(records)[i_]; \
	} while (0)

#endif
