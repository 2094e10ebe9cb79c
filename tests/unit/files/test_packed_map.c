/* test_packed_map.c - maps that are compressed by gzip, bzip2, xz or zstd, as servers keep them, give the same scenes
 * as plain maps. If a few KB would unpack to hundreds of MB, the load uses no more memory than a map of this size
 * could, and fails with one message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/build_archive.h"
#include "support/make/build_map.h"

typedef bspt_bytes pack_fn(const void *data, size_t size);

static const struct packer {
	pack_fn *pack;
	const char *file, *name;
} packers[] = {
	{ bspt_gzip, "maps/room.bsp.gz", "gzip" },
	{ bspt_xz, "room.bsp.xz", "xz" },
#ifdef BSPI_HAVE_BZIP2
	{ bspt_bzip2, "room.bsp.bz2", "bzip2" },
#endif
#ifdef BSPI_HAVE_ZSTD
	{ bspt_zstd, "room.bsp.zst", "Zstandard" },
#endif
};
enum { PACKER_COUNT = sizeof packers / sizeof *packers };

static bspt_bytes make_map(void)
{
	return bspt_build_room(&bspi_family_quake3, bspt_find_variant(&bspi_family_quake3, "quake3"));
}

static uint64_t hash_of(bspt_bytes file, const char *name)
{
	bspscene_error error;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.name = name;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
	if (!scene) fail_msg("%s", error.message);
	assert_string_equal(scene->name, "room");
	uint64_t hash = bspt_scene_hash(scene);
	bspscene_scene_free(scene);
	return hash;
}

/* Checks that the memory limit grows with the stored bytes, not with their unpacked size. */
static void expect_packed_size_counted(bspt_bytes packed)
{
	bspscene_scene *scene = bspscene_load_memory(packed.data, packed.size, NULL, NULL);
	assert_true(scene && scene->input_size <= packed.size + 1);
	bspscene_scene_free(scene);
}

static bspt_bytes join(bspt_bytes a, const void *b, size_t size)
{
	bspt_bytes out = { malloc(a.size + size), a.size + size };
	memcpy(out.data, a.data, a.size);
	memcpy(out.data + a.size, b, size);
	return out;
}

static void packed_maps_are_maps(void **state)
{
	(void)state;
	bspt_bytes map = make_map();
	uint64_t want = hash_of(map, "maps/room.bsp");
	for (int i = 0; i < PACKER_COUNT; i++) {
		bspt_bytes packed = packers[i].pack(map.data, map.size);
		bspscene_format format;
		bspscene_format_init(&format);
		assert_true(hash_of(packed, packers[i].file) == want);
		expect_packed_size_counted(packed);
		assert_true(bspscene_probe(packed.data, packed.size, &format));
		assert_string_equal(format.family, "quake3");
		/* Several compressed streams in one file, and unrelated bytes after them, are accepted, even if they begin
		 * like a stream. */
		bspt_bytes first = packers[i].pack(map.data, 100), second = packers[i].pack(map.data + 100, map.size - 100);
		bspt_bytes both = join(first, second.data, second.size), more = join(both, "\0\0\0", 3);
		bspt_bytes like = join(both, (const uint8_t[]){ packed.data[0], 0 }, 2);
		assert_true(hash_of(both, "room.bsp") == want);
		assert_true(hash_of(more, "room.bsp") == want);
		assert_true(hash_of(like, "room.bsp") == want);
		free(packed.data);
		free(first.data);
		free(second.data);
		free(both.data);
		free(more.data);
		free(like.data);
	}
	free(map.data);
}

static void expect_refused(bspt_bytes file, uint64_t memory_limit, bspscene_status status, const char *words)
{
	bspscene_error error;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.memory_limit = memory_limit;
	assert_null(bspscene_load_memory(file.data, file.size, &options, &error));
	if (error.status != status || !strstr(error.message, words)) {
		fail_msg("%s \"%s\" instead of \"%s\"", bspscene_status_name(error.status), error.message, words);
	}
}

/* The message names the limit, 64 MiB and 64 times the packed size. */
static void expect_limit_named(bspt_bytes bomb, const char *packer)
{
	char words[120];
	snprintf(words, sizeof words, "its %zu bytes of %s unpack to more than %zu MiB, more than any map has", bomb.size,
	         packer, 64 + bomb.size / 16384);
	expect_refused(bomb, 0, BSPSCENE_ERROR_LIMIT, words);
}

/* 100 MB of zeros become 100 KB of gzip or 120 bytes of bzip2. */
static void bombs_are_refused(void **state)
{
	(void)state;
	const size_t size = (size_t)100 << 20;
	uint8_t *zeroes = calloc(size, 1);
	assert_non_null(zeroes);
	for (int i = 0; i < PACKER_COUNT; i++) {
		bspt_bytes bomb = packers[i].pack(zeroes, size);
		expect_limit_named(bomb, packers[i].name);
		expect_refused(bomb, (uint64_t)8 << 20, BSPSCENE_ERROR_MEMORY_LIMIT,
		               "needs more than the memory limit of 8 MiB");
		assert_false(bspscene_probe(bomb.data, bomb.size, NULL));
		free(bomb.data);
	}
	free(zeroes);
}

static void damaged_streams_are_refused_in_words(void **state)
{
	(void)state;
	bspt_bytes map = make_map();
	for (int i = 0; i < PACKER_COUNT; i++) {
		bspt_bytes packed = packers[i].pack(map.data, map.size);
		bspt_bytes text = packers[i].pack("no map at all", 13);
		bspt_bytes cut = { packed.data, packed.size / 2 };
		char words[80];
		snprintf(words, sizeof words, "the %s stream is damaged or cut off", packers[i].name);
		expect_refused(cut, 0, BSPSCENE_ERROR_IO, words);
		expect_refused(text, 0, BSPSCENE_ERROR_UNKNOWN_FORMAT, "not a map but text beginning with \"no map at all\"");
		bspt_guard guard = bspt_guard_make(packed.size + 64);
		for (size_t size = 0; size < packed.size; size++) {
			bspscene_scene *scene = bspscene_load_memory(bspt_guard_place(&guard, packed.data, size), size, NULL, NULL);
			assert_null(scene);
		}
		bspt_guard_free(&guard);
		free(packed.data);
		free(text.data);
	}
	free(map.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packed_maps_are_maps),
		cmocka_unit_test(bombs_are_refused),
		cmocka_unit_test(damaged_streams_are_refused_in_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
