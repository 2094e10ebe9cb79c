/* test_archives.c - zip, pak and VPK give the bytes of a file in every way of storing it. An archive with false records
 * gives an error, a missing file or a failed read, nothing worse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/build_archive.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char verse[] = "textures/sample/brick { surfaceparm nolightmap { map textures/sample/brick.tga } } "
                            "textures/sample/floor { surfaceparm nolightmap { map textures/sample/floor.tga } }";

/* Reads a whole file in parts of `part` bytes. Returns NULL if it does not exist, and "failed" if reading fails. */
static char *read_all(bspscene_file_system *files, const char *path, size_t part)
{
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (!bspscene_file_system_open(files, &stream, path, BSPSCENE_FILE_OTHER)) return NULL;
	assert_non_null(stream.origin);
	char *text = calloc(1, 4096);
	size_t at = 0, got = 0;
	if (stream.data) {
		at = (size_t)stream.size;
		memcpy(text, stream.data, at);
	} else {
		while (at < 4000 && (got = stream.read(stream.user, text + at, part)) != SIZE_MAX && got) at += got;
	}
	if (got == SIZE_MAX) strcpy(text, "failed");
	else assert_int_equal(at, stream.size);
	if (stream.close) stream.close(stream.user);
	return text;
}

static void expect_text(bspscene_file_system *files, const char *path, const char *want)
{
	static const size_t parts[] = { 1, 7, 2048 };
	for (size_t i = 0; i < COUNT(parts); i++) {
		char *got = read_all(files, path, parts[i]);
		if (!want && got) fail_msg("%s: should not be there", path);
		if (want && !got) fail_msg("%s: not found", path);
		if (want && strcmp(got, want)) fail_msg("%s: \"%s\" instead of \"%s\"", path, got, want);
		free(got);
	}
}

static bspscene_file_system *mount(bspt_bytes archive)
{
	bspscene_error error;
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	if (!bspscene_file_system_mount_memory(files, "test", archive.data, archive.size, &error))
		fail_msg("%s", error.message);
	assert_int_equal(error.status, BSPSCENE_OK);
	return files;
}

/* ---- Valid archives --------------------------------------------------------------------------------------- */

static void every_way_of_storing_gives_the_bytes(void **state)
{
	(void)state;
	static const bspt_member members[] = {
		{ .name = "stored.txt", .text = verse, .method = 0 },
		{ .name = "deflated.txt", .text = verse, .method = 8 },
		{ .name = "lzma.txt", .text = verse, .method = 14 },
		{ .name = "lzma_with_end_mark.txt", .text = verse, .method = 14, .flags = 2 },
		{ .name = "empty.txt", .text = "", .method = 0 },
		/* Released pakfiles have wrong checksums, which engines ignore. */
		{ .name = "bad_checksum.txt", .text = verse, .method = 8, .bad_checksum = true },
		{ .name = "bad_stored_checksum.txt", .text = verse, .method = 0, .bad_checksum = true },
	};
	bspt_bytes zip = bspt_zip(members, COUNT(members));
	bspscene_file_system *files = mount(zip);
	for (size_t i = 0; i < COUNT(members); i++) expect_text(files, members[i].name, members[i].text);
	bspscene_file_system_free(files);
	free(zip.data);
}

static void paks_of_quake_and_sin_are_read(void **state)
{
	(void)state;
	static const bspt_member members[] = {
		{ .name = "maps/start.bsp", .text = verse }, { .name = "gfx\\palette.lmp", .text = "p" },
	};
	static const size_t name_sizes[] = { 56, 120 };
	for (size_t i = 0; i < COUNT(name_sizes); i++) {
		bspt_bytes pak = bspt_pak(members, COUNT(members), name_sizes[i]);
		bspscene_file_system *files = mount(pak);
		expect_text(files, "maps/start.bsp", verse);
		expect_text(files, "gfx/palette.lmp", "p");
		bspscene_file_system_free(files);
		free(pak.data);
	}
}

/* Names that fill their field have no terminating zero. These two differ in their last byte. */
static void names_of_paks_may_fill_their_field(void **state)
{
	(void)state;
	static const size_t name_sizes[] = { 56, 120 };
	for (size_t i = 0; i < COUNT(name_sizes); i++) {
		char names[2][121] = { { 0 } };
		for (int k = 0; k < 2; k++) {
			memset(names[k], 'n', name_sizes[i] - 1);
			names[k][name_sizes[i] - 1] = (char)('a' + k);
		}
		const bspt_member members[] = { { .name = names[0], .text = "first" }, { .name = names[1], .text = "second" } };
		bspt_bytes pak = bspt_pak(members, COUNT(members), name_sizes[i]);
		bspscene_file_system *files = mount(pak);
		expect_text(files, names[0], "first");
		expect_text(files, names[1], "second");
		bspscene_file_system_free(files);
		free(pak.data);
	}
}

static void vpks_are_read_with_preload_and_volumes(void **state)
{
	(void)state;
	static const bspt_member members[] = {
		{ .name = "materials/stone/wall.vmt", .text = verse },
		{ .name = "preloaded.txt", .text = verse, .preload = 20 },
		{ .name = "all_preloaded.txt", .text = "short", .preload = 5 },
		{ .name = "no_ending", .text = "x" },
		{ .name = "far/away.txt", .text = verse, .archive = 8, .offset = 3 },
		{ .name = "far/preloaded.txt", .text = verse, .archive = 8, .offset = 3 + 4, .preload = 4 },
		{ .name = "far/missing.txt", .text = verse, .archive = 9 },
	};
	char directory[256], path[300];
	bspt_make_directory(directory, sizeof directory);
	for (uint32_t version = 1; version <= 2; version++) {
		bspt_bytes vpk = bspt_vpk(members, COUNT(members), version);
		char *volume = malloc(sizeof verse + 2);
		memcpy(volume, "...", 3);
		memcpy(volume + 3, verse, sizeof verse - 1);
		snprintf(path, sizeof path, "%s/pak01_007.vpk", directory);
		bspt_write_file(path, volume, sizeof verse + 2);
		free(volume);
		snprintf(path, sizeof path, "%s/pak01_dir.vpk", directory);
		bspt_write_file(path, vpk.data, vpk.size);

		bspscene_error error;
		bspscene_file_system *files = bspscene_file_system_create(NULL);
		if (!bspscene_file_system_mount(files, path, &error)) fail_msg("%s", error.message);
		for (size_t i = 0; i < 6; i++) expect_text(files, members[i].name, members[i].text);
		expect_text(files, "far/missing.txt", NULL);
		bspscene_file_system_free(files);

		files = mount(vpk);            /* a VPK in memory has no further volumes, so opening fails */
		for (size_t i = 0; i < 4; i++) expect_text(files, members[i].name, members[i].text);
		expect_text(files, "far/away.txt", NULL);
		bspscene_file_system_free(files);
		free(vpk.data);
	}
	bspt_remove_directory(directory);
}

/* An archive may be stored in another archive, as a pk3 in a pak. The inner archive is then mounted from memory. */
static void archives_in_archives_are_mounted_from_memory(void **state)
{
	(void)state;
	bspt_bytes inner = bspt_zip(&(bspt_member){ .name = "a.txt", .text = verse, .method = 8 }, 1);
	bspt_bytes outer = bspt_pak(&(bspt_member){ .name = "inner.pk3", .packed = inner }, 1, 56);
	bspscene_file_system *files = mount(outer);
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	assert_true(bspscene_file_system_open(files, &stream, "inner.pk3", BSPSCENE_FILE_OTHER));
	assert_non_null(stream.data);      /* a stored file is not copied: the stream borrows the archive's bytes */
	assert_true(bspscene_file_system_mount_memory(files, "inner.pk3", stream.data, (size_t)stream.size, NULL));
	if (stream.close) stream.close(stream.user);
	expect_text(files, "a.txt", verse);
	bspscene_file_system_free(files);
	free(outer.data);
	free(inner.data);
}

/* ---- Invalid archives ------------------------------------------------------------------------------------- */

static void damaged_entries_fail_when_they_are_read(void **state)
{
	(void)state;
	bspt_bytes lzma = bspt_lzma(verse, sizeof verse - 1, false), deflated = bspt_deflate(verse, sizeof verse - 1);
	bspt_bytes half_lzma = { lzma.data, lzma.size / 2 }, half_deflated = { deflated.data, deflated.size / 2 };
	bspt_bytes no_lzma = { lzma.data, 6 }, odd_lzma = bspt_lzma(verse, sizeof verse - 1, false);
	odd_lzma.data[2] = 4;
	const bspt_member members[] = {
		{ .name = "stored_claims_more", .text = "four", .claims = true, .claimed_size = 5 },
		{ .name = "deflated_claims_more", .packed = deflated, .method = 8, .claims = true,
		  .claimed_size = sizeof verse + 1 },
		{ .name = "deflated_cut", .packed = half_deflated, .method = 8, .claims = true,
		  .claimed_size = sizeof verse - 1 },
		{ .name = "lzma_claims_more", .packed = lzma, .method = 14, .claims = true,
		  .claimed_size = sizeof verse + 100 },
		{ .name = "lzma_cut", .packed = half_lzma, .method = 14, .claims = true, .claimed_size = sizeof verse - 1 },
		{ .name = "lzma_without_stream", .packed = no_lzma, .method = 14, .claims = true, .claimed_size = 10 },
		{ .name = "lzma_odd_properties", .packed = odd_lzma, .method = 14, .claims = true,
		  .claimed_size = sizeof verse - 1 },
		{ .name = "unknown_method", .text = verse, .method = 97 },
		{ .name = "encrypted", .text = verse, .flags = 1 },
		{ .name = "not_deflate", .packed = lzma, .method = 8, .claims = true, .claimed_size = 60 },
	};
	bspt_bytes zip = bspt_zip(members, COUNT(members));
	bspscene_file_system *files = mount(zip);
	for (size_t i = 0; i < COUNT(members); i++) {
		const char *name = members[i].name, *why = bspscene_file_system_unreadable(files, name);
		expect_text(files, name, "failed");
		/* The directory lists entries that cannot be read, and says why. */
		if (!strcmp(name, "encrypted")) assert_string_equal(why, "is encrypted");
		else if (!strcmp(name, "unknown_method"))
			assert_string_equal(why, "is packed by a method that is not supported");
		else assert_null(why);
	}
	assert_null(bspscene_file_system_unreadable(files, "nowhere"));
	bspscene_file_system_free(files);
	free(zip.data);

	static const bspt_member outside[] = {
		{ .name = "behind", .text = verse, .offset = 0xfffffff0 },
		{ .name = "too_long", .text = verse, .claims = true, .claimed_size = 4000 },
	};
	bspt_bytes pak = bspt_pak(outside, COUNT(outside), 56);
	files = mount(pak);
	expect_text(files, "behind", "failed");
	expect_text(files, "too_long", "failed");
	bspscene_file_system_free(files);
	free(pak.data);
	free(lzma.data);
	free(odd_lzma.data);
	free(deflated.data);
}

/* The first read of an entry fails if the entry claims a size that its packed bytes cannot unpack to. It also fails if
 * the claimed size is larger than that of any game file. */
static void bombs_fail_at_the_first_byte(void **state)
{
	(void)state;
	bspt_bytes lzma = bspt_lzma(verse, sizeof verse - 1, false), deflated = bspt_deflate(verse, sizeof verse - 1);
	const struct { uint16_t method; bspt_bytes packed; uint32_t claimed_size; bool fails; } cases[] = {
		{ 8, deflated, 50000, false }, { 8, deflated, 1u << 20, true },
		{ 14, lzma, 512u << 20, false }, { 14, lzma, (512u << 20) + 1, true },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_bytes zip = bspt_zip(&(bspt_member){ .name = "a",
		                                          .method = cases[i].method,
		                                          .packed = cases[i].packed,
		                                          .claims = true,
		                                          .claimed_size = cases[i].claimed_size },
		                          1);
		bspscene_file_system *files = mount(zip);
		bspscene_stream stream;
		bspscene_stream_init(&stream);
		char first[4];
		assert_true(bspscene_file_system_open(files, &stream, "a", BSPSCENE_FILE_OTHER));
		assert_int_equal(stream.size, cases[i].claimed_size);
		assert_true(stream.read(stream.user, first, sizeof first) == (cases[i].fails ? SIZE_MAX : sizeof first));
		stream.close(stream.user);
		bspscene_file_system_free(files);
		free(zip.data);
	}
	free(lzma.data);
	free(deflated.data);
}

/* An entry that unpacks to more bytes than it states is hostile or damaged. The read then gives only the stated number
 * of bytes, or fails. */
static void entries_never_give_more_than_they_claim(void **state)
{
	(void)state;
	static const struct { uint16_t method; const char *want; } cases[] = {
		{ 0, "textures" }, { 8, "textures" }, { 14, "failed" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_member member = {
			.name = "a", .text = verse, .method = cases[i].method, .claims = true, .claimed_size = 8,
		};
		bspt_bytes zip = bspt_zip(&member, 1);
		bspscene_file_system *files = mount(zip);
		expect_text(files, "a", cases[i].want);
		bspscene_file_system_free(files);
		free(zip.data);
	}
}

static void names_that_leave_the_archive_are_left_out(void **state)
{
	(void)state;
	static const char *const unsafe[] = { "../a", "x/../../a", "..\\a", "c:/a", "c:a", "con", "x/aux/a", "x\n/a" };
	bspt_member members[COUNT(unsafe) + 2] = { 0 };
	for (size_t i = 0; i < COUNT(unsafe); i++) members[i] = (bspt_member){ .name = unsafe[i], .text = "unsafe" };
	members[COUNT(unsafe)] = (bspt_member){ .name = "/rooted/a", .text = "rooted" };
	members[COUNT(unsafe) + 1] = (bspt_member){ .name = "folder/", .text = "" };
	bspt_bytes zip = bspt_zip(members, COUNT(members)), pak = bspt_pak(members, COUNT(members) - 1, 56);
	bspt_bytes archives[] = { zip, pak };
	for (size_t i = 0; i < COUNT(archives); i++) {
		bspscene_file_system *files = mount(archives[i]);
		for (size_t j = 0; j < COUNT(unsafe); j++) expect_text(files, unsafe[j], NULL);
		expect_text(files, "a", NULL);
		expect_text(files, "folder", NULL);
		expect_text(files, "rooted/a", "rooted");  /* a leading slash means the archive's root */
		expect_text(files, "/rooted/a", "rooted");
		bspscene_file_system_free(files);
		free(archives[i].data);
	}
}

static bspt_bytes text_bytes(const char *text, size_t size)
{
	bspt_bytes bytes = { malloc(size + 1), size };
	memcpy(bytes.data, text, size);
	return bytes;
}

#define BYTES(literal) text_bytes(literal, sizeof literal - 1)

static void what_is_no_archive_is_refused_in_words(void **state)
{
	(void)state;
	bspt_bytes pak = bspt_pak(&(bspt_member){ .name = "a", .text = verse }, 1, 56);
	bspt_bytes vpk = bspt_vpk(&(bspt_member){ .name = "a.txt", .text = verse }, 1, 1);
	bspt_bytes odd_pak = text_bytes((const char *)pak.data, pak.size),
	           late_pak = text_bytes((const char *)pak.data, pak.size);
	bspt_bytes open_vpk = text_bytes((const char *)vpk.data, vpk.size),
	           marked_vpk = text_bytes((const char *)vpk.data, vpk.size);
	odd_pak.data[8] = 63;
	late_pak.data[7] = 0x7f;
	open_vpk.data[8] = 20;             /* ends the directory's tree inside an entry */
	marked_vpk.data[12 + 8 + 16] ^= 1; /* damages the mark at the end of an entry */
	struct { bspt_bytes bytes; bspscene_status status; const char *words; } cases[] = {
		{ BYTES(""), BSPSCENE_ERROR_UNKNOWN_FORMAT, "test: is empty" },
		{ BYTES("version https://git-lfs"), BSPSCENE_ERROR_UNKNOWN_FORMAT, "it begins with \"version \"" },
		{ BYTES("I\1B\377"), BSPSCENE_ERROR_UNKNOWN_FORMAT, "it begins with \"I?B?\"" },
		{ BYTES("PK"), BSPSCENE_ERROR_BAD_HEADER, "test: the zip archive cannot be read: it has no directory" },
		{ BYTES("PK\3\4 and then nothing of the kind"), BSPSCENE_ERROR_BAD_HEADER, "it is cut off or damaged" },
		{ BYTES("PK\5\6\0\0\0\0\1\0\1\0\1\0\40\0\0\0\0\0\0\0"), BSPSCENE_ERROR_BAD_HEADER,
		  "test: the zip archive cannot be read: it has no directory" },
		{ BYTES("PK\1\2 a record cut off PK\5\6\0\0\0\0\1\0\1\0\26\0\0\0\0\0\0\0\0\0"),
		  BSPSCENE_ERROR_BAD_HEADER,
		  "test: the zip archive's directory is broken at entry 0" },
		{ BYTES("PK\6\7\0\0\0\0\377\377\377\377\377\377\377\377\1\0\0\0"
		        "PK\5\6\0\0\0\0\377\377\377\377\377\377\377\377\377\377\377\377\0\0"), BSPSCENE_ERROR_BAD_HEADER,
		  "test: the zip archive cannot be read: it has no directory" },
		{ BYTES("PACK\1"), BSPSCENE_ERROR_BAD_HEADER, "test: the pak is cut off in its header" },
		{ late_pak, BSPSCENE_ERROR_BAD_HEADER,
		  "the pak's directory reaches past the end of the file (64 bytes at 21307" },
		{ odd_pak, BSPSCENE_ERROR_BAD_HEADER, "the pak's directory of 63 bytes is not made of 64-byte entries" },
		{ BYTES("\x34\x12\xaa\x55\1"), BSPSCENE_ERROR_BAD_HEADER, "test: the VPK is cut off in its header" },
		{ BYTES("\x34\x12\xaa\x55\2\0\4\0\0\0\0\0"), BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "VPK version 2.4 is not read" },
		{ BYTES("\x34\x12\xaa\x55\1\0\0\0\377\377\377\377"), BSPSCENE_ERROR_BAD_HEADER,
		  "the VPK's tree of names reaches past the end of the file" },
		{ open_vpk, BSPSCENE_ERROR_BAD_HEADER, "the VPK's tree of names is broken" },
		{ marked_vpk, BSPSCENE_ERROR_BAD_HEADER, "the VPK's tree of names is broken" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspscene_error error;
		bspscene_file_system *files = bspscene_file_system_create(NULL);
		if (bspscene_file_system_mount_memory(files, "test", cases[i].bytes.data, cases[i].bytes.size, &error)) {
			fail_msg("mounted what should be refused: %s", cases[i].words);
		}
		if (error.status != cases[i].status || !strstr(error.message, cases[i].words)) {
			fail_msg("%s: \"%s\" instead of \"%s\"", bspscene_status_name(error.status), error.message, cases[i].words);
		}
		assert_null(bspscene_file_system_search_path(files, 0));
		assert_false(bspscene_file_system_mount_memory(files, "test", cases[i].bytes.data, cases[i].bytes.size, NULL));
		bspscene_file_system_free(files);
		free(cases[i].bytes.data);
	}
	free(pak.data);
	free(vpk.data);
}

static void read_it(void *user, const char *path)
{
	free(read_all(user, path, 100));
}

/* Mounts an archive that may be damaged, and reads all files that it lists. */
static void try_archive(bspt_guard *guard, const uint8_t *data, size_t size)
{
	bspscene_error error;
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	if (bspscene_file_system_mount_memory(files, "test", bspt_guard_place(guard, data, size), size, &error)) {
		bspscene_file_system_list(files, "", "", read_it, files);
	} else {
		assert_true(error.status != BSPSCENE_OK && error.message[0]);
	}
	bspscene_file_system_free(files);
}

static void archives_cut_or_changed_anywhere_do_no_harm(void **state)
{
	(void)state;
	static const bspt_member members[] = {
		{ .name = "a/b.txt", .text = verse, .method = 8, .preload = 3 },
		{ .name = "c.txt", .text = verse, .method = 14 }, { .name = "d.txt", .text = verse },
	};
	bspt_bytes archives[] = {
		bspt_zip(members, 3),         bspt_zip64(members, 3),      bspt_pak(members + 2, 1, 56),
		bspt_pak(members + 2, 1, 120), bspt_vpk(members + 2, 1, 1), bspt_vpk(members, 1, 2),
	};
	static const uint8_t changes[] = { 0x01, 0x80, 0xff };
	bspt_guard guard = bspt_guard_make(8192);
	for (size_t i = 0; i < COUNT(archives); i++) {
		bspt_bytes archive = archives[i];
		for (size_t size = 0; size <= archive.size; size++) try_archive(&guard, archive.data, size);
		for (size_t at = 0; at < archive.size; at++) {
			for (size_t change = 0; change < COUNT(changes); change++) {
				archive.data[at] ^= changes[change];
				try_archive(&guard, archive.data, archive.size);
				archive.data[at] ^= changes[change];
			}
		}
		free(archive.data);
	}
	bspt_guard_free(&guard);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_way_of_storing_gives_the_bytes),
		cmocka_unit_test(paks_of_quake_and_sin_are_read),
		cmocka_unit_test(names_of_paks_may_fill_their_field),
		cmocka_unit_test(vpks_are_read_with_preload_and_volumes),
		cmocka_unit_test(archives_in_archives_are_mounted_from_memory),
		cmocka_unit_test(damaged_entries_fail_when_they_are_read),
		cmocka_unit_test(bombs_fail_at_the_first_byte),
		cmocka_unit_test(entries_never_give_more_than_they_claim),
		cmocka_unit_test(names_that_leave_the_archive_are_left_out),
		cmocka_unit_test(what_is_no_archive_is_refused_in_words),
		cmocka_unit_test(archives_cut_or_changed_anywhere_do_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
