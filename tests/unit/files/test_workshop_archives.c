/* Promise: archives of Garry's Mod's workshop (plain, and packed by LZMA) and Respawn's VPK 2.3 give the bytes of their
 * files, or say why not; inconsistent archives give an error, a missing file or a failed read. Zips with other endings
 * are mounted with a game's folder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lzma.h>

#include <cmocka.h>

#include "support/make/build_archive.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct small_archive {
	uint8_t data[1024];
	size_t size;
} small_archive;

static void put(small_archive *to, const void *bytes, size_t size)
{
	assert_true(to->size + size <= sizeof to->data);
	memcpy(to->data + to->size, bytes, size);
	to->size += size;
}

static void put_text(small_archive *to, const char *text) { put(to, text, strlen(text) + 1); }

static void put_number(small_archive *to, uint64_t number, int size)
{
	for (int i = 0; i < size; i++) put(to, &(uint8_t){ (uint8_t)(number >> 8 * i) }, 1);
}

/* ---- Garry's Mod ------------------------------------------------------------------------------------------- */

static const struct {
	const char *name, *text;
} gma_files[] = { { "maps/a.txt", "the first" }, { "materials/B.txt", "" }, { "lua/c.txt", "the last one" } };

static void put_gma_entry(small_archive *to, uint32_t number, const char *name, uint64_t size)
{
	put_number(to, number, 4);
	put_text(to, name);
	put_number(to, size, 8);
	put_number(to, 0, 4);
}

static small_archive make_gma(uint8_t version)
{
	small_archive gma = { .size = 0 };
	put(&gma, "GMAD", 4);
	put_number(&gma, version, 1);
	put_number(&gma, 1, 8);
	put_number(&gma, 2, 8);
	if (version > 1) put_text(&gma, "required"), put_text(&gma, "");
	put_text(&gma, "name");
	put_text(&gma, "{ \"description\": \"\" }");
	put_text(&gma, "author");
	put_number(&gma, 1, 4);
	for (uint32_t i = 0; i < COUNT(gma_files); i++) {
		put_gma_entry(&gma, i + 1, gma_files[i].name, strlen(gma_files[i].text));
	}
	put_number(&gma, 0, 4);
	for (size_t i = 0; i < COUNT(gma_files); i++) put(&gma, gma_files[i].text, strlen(gma_files[i].text));
	put_number(&gma, 0, 4);            /* the checksum, which no reader checks */
	return gma;
}

/* Packs as liblzma writes .lzma files (without a size) or as 7-Zip's library does (with the size). */
static bspt_bytes pack_alone(const void *data, size_t size, bool sized)
{
	lzma_options_lzma options;
	lzma_stream stream = LZMA_STREAM_INIT;
	bspt_bytes out = { malloc(size + 1024), 0 };
	assert_non_null(out.data);
	assert_false(lzma_lzma_preset(&options, 6));
	assert_int_equal(lzma_alone_encoder(&stream, &options), LZMA_OK);
	stream.next_in = data;
	stream.avail_in = size;
	stream.next_out = out.data;
	stream.avail_out = size + 1024;
	assert_int_equal(lzma_code(&stream, LZMA_FINISH), LZMA_STREAM_END);
	out.size = size + 1024 - stream.avail_out;
	lzma_end(&stream);
	for (size_t i = 0; sized && i < 8; i++) out.data[5 + i] = (uint8_t)((uint64_t)size >> 8 * i);
	return out;
}

static bool read_text(bspscene_file_system *files, const char *path, char *out, size_t room)
{
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	memset(out, 0, room);
	if (!bspscene_file_system_open(files, &stream, path, BSPSCENE_FILE_OTHER)) return false;
	size_t size = stream.size < room ? (size_t)stream.size : room - 1, got = size;
	if (stream.data) memcpy(out, stream.data, size);
	else got = stream.read(stream.user, out, size);
	if (stream.close) stream.close(stream.user);
	return got == size;
}

static void expect_text(bspscene_file_system *files, const char *path, const char *text)
{
	char read[64];
	if (!read_text(files, path, read, sizeof read)) fail_msg("%s: not read", path);
	assert_string_equal(read, text);
}

static bspscene_file_system *mount(const char *name, const void *data, size_t size)
{
	bspscene_error error;
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	if (!bspscene_file_system_mount_memory(files, name, data, size, &error)) fail_msg("%s", error.message);
	return files;
}

static void expect_gma(bspscene_file_system *files)
{
	for (size_t i = 0; i < COUNT(gma_files); i++) expect_text(files, gma_files[i].name, gma_files[i].text);
	bspscene_file_system_free(files);
}

static void workshop_archives_are_read(void **state)
{
	(void)state;
	for (uint8_t version = 1; version <= 3; version++) {
		small_archive gma = make_gma(version);
		expect_gma(mount("room.gma", gma.data, gma.size));
		for (int sized = 0; sized < 2; sized++) {
			bspt_bytes packed = pack_alone(gma.data, gma.size, sized);
			expect_gma(mount("room.gma", packed.data, packed.size));
			expect_gma(mount("123_legacy.bin", packed.data, packed.size));
			free(packed.data);
		}
	}
}

static void expect_refused(const char *name, const void *data, size_t size, const char *words)
{
	bspscene_error error;
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	if (bspscene_file_system_mount_memory(files, name, data, size, &error)) fail_msg("mounted: %s", words);
	if (!strstr(error.message, words)) fail_msg("\"%s\" instead of \"%s\"", error.message, words);
	bspscene_file_system_free(files);
}

static void broken_workshop_archives_are_refused_in_words(void **state)
{
	(void)state;
	const char *broken = "the GMA's list of files is broken or cut off";
	small_archive gma = make_gma(3), other = make_gma(3);
	other.data[4] = 4;
	expect_refused("a.gma", other.data, other.size, broken);
	other = make_gma(3);
	other.size = 60;
	expect_refused("a.gma", other.data, other.size, broken);
	/* In the first archive, one entry states a size larger than the archive. In the second, two entries state sizes
	 * whose sum is too large. */
	for (int i = 0; i < 2; i++) {
		small_archive lies = { .size = 0 };
		put(&lies, "GMAD\1", 5);
		for (int k = 0; k < 23; k++) put_number(&lies, 0, 1);
		put_gma_entry(&lies, 1, "a", i ? 40 : UINT64_MAX);
		put_gma_entry(&lies, 2, "b", i ? UINT64_MAX - 39 : 0);
		put_number(&lies, 0, 4);
		expect_refused("a.gma", lies.data, lies.size, broken);
	}
	/* Files that are complete in a truncated archive are read. */
	bspscene_file_system *files = mount("a.gma", gma.data, gma.size - 6);
	char text[64];
	expect_text(files, "maps/a.txt", "the first");
	assert_false(read_text(files, "lua/c.txt", text, sizeof text));
	assert_non_null(bspscene_file_system_unreadable(files, "lua/c.txt"));
	bspscene_file_system_free(files);

	bspt_bytes packed = pack_alone(gma.data, gma.size, true);
	expect_refused("a.gma", packed.data, packed.size - 8, "its LZMA stream is damaged or cut off");
	expect_refused("a.zip", packed.data, packed.size, "is neither a directory nor an archive");
	free(packed.data);
}

static void what_unpacks_to_too_much_is_refused(void **state)
{
	(void)state;
	const size_t size = (size_t)66 << 20;
	uint8_t *zeros = calloc(1, size);
	assert_non_null(zeros);
	memcpy(zeros, "GMAD\3", 5);
	bspt_bytes packed = pack_alone(zeros, size, false);
	expect_refused("bomb.gma", packed.data, packed.size, "unpack to more than 64 MiB");
	free(packed.data);
	/* A false size in the header is detected before anything is unpacked. */
	packed = pack_alone(zeros, 65536, true);
	packed.data[5 + 4] = 1;
	expect_refused("liar.gma", packed.data, packed.size, "unpack to more than 64 MiB");
	packed.data[5 + 4] = 0;
	packed.data[5 + 2] = 2;
	expect_refused("liar.gma", packed.data, packed.size, "its LZMA stream is damaged or cut off");
	free(packed.data);
	free(zeros);
}

/* ---- Respawn ----------------------------------------------------------------------------------------------- */

enum { END = 0xffff };

static void put_part(small_archive *to, uint16_t volume, uint64_t offset, uint64_t packed, uint64_t unpacked)
{
	put_number(to, volume, 2);
	put_number(to, 0x101, 4);
	put_number(to, 0, 2);
	put_number(to, offset, 8);
	put_number(to, packed, 8);
	put_number(to, unpacked, 8);
}

static void begin_entry(small_archive *to, const char *stem, uint16_t preload)
{
	put_text(to, stem);
	put_number(to, 0, 4);
	put_number(to, preload, 2);
}

static small_archive make_respawn_vpk(void)
{
	small_archive tree = { .size = 0 }, vpk = { .size = 0 };
	put_text(&tree, "txt");
	put_text(&tree, "maps");
	begin_entry(&tree, "stored", 0);
	put_part(&tree, 0, 3, 5, 5);
	put_number(&tree, END, 2);
	begin_entry(&tree, "in_two", 2);
	put_part(&tree, 0, 8, 3, 3);
	put_part(&tree, 0, 11, 2, 2);
	put_number(&tree, END, 2);
	put(&tree, "<>", 2);
	begin_entry(&tree, "apart", 0);
	put_part(&tree, 0, 3, 2, 2);
	put_part(&tree, 0, 8, 2, 2);
	put_number(&tree, END, 2);
	begin_entry(&tree, "packed", 0);
	put_part(&tree, 0, 3, 4, 400);
	put_number(&tree, END, 2);
	put(&tree, "\0\0\0", 3);
	put(&vpk, "\x34\x12\xaa\x55\2\0\3\0", 8);
	put_number(&vpk, tree.size, 4);
	put_number(&vpk, 0, 4);
	put(&vpk, tree.data, tree.size);
	return vpk;
}

/* The file name of the directory contains a language, the names of the data files do not. */
static void stored_files_of_respawn_are_read(void **state)
{
	(void)state;
	small_archive vpk = make_respawn_vpk();
	char directory[256], path[300], text[64];
	bspt_make_directory(directory, sizeof directory);
	snprintf(path, sizeof path, "%s/client_mp_x.bsp.pak000_000.vpk", directory);
	bspt_write_file(path, "...helloworld", 13);
	snprintf(path, sizeof path, "%s/englishclient_mp_x.bsp.pak000_dir.vpk", directory);
	bspt_write_file(path, vpk.data, vpk.size);
	bspscene_error error;
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	if (!bspscene_file_system_mount(files, path, &error)) fail_msg("%s", error.message);
	expect_text(files, "maps/stored.txt", "hello");
	expect_text(files, "maps/in_two.txt", "<>world");
	static const struct { const char *path, *why; } others[] = {
		{ "maps/apart.txt", "several parts" }, { "maps/packed.txt", "LZHAM" },
	};
	for (size_t i = 0; i < COUNT(others); i++) {
		const char *why = bspscene_file_system_unreadable(files, others[i].path);
		assert_true(why && strstr(why, others[i].why));
		assert_false(read_text(files, others[i].path, text, sizeof text));
	}
	bspscene_file_system_free(files);
	bspt_remove_directory(directory);
}

/* ---- Damage ------------------------------------------------------------------------------------------------ */

static void read_it(void *user, const char *path)
{
	char text[64];
	read_text(user, path, text, sizeof text);
}

static void try_archive(bspt_guard *guard, const char *name, const uint8_t *data, size_t size)
{
	bspscene_error error;
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	if (bspscene_file_system_mount_memory(files, name, bspt_guard_place(guard, data, size), size, &error)) {
		bspscene_file_system_list(files, "", "", read_it, files);
	} else {
		assert_true(error.status != BSPSCENE_OK && error.message[0]);
	}
	bspscene_file_system_free(files);
}

static void archives_cut_or_changed_anywhere_do_no_harm(void **state)
{
	(void)state;
	small_archive plain = make_gma(3), respawn = make_respawn_vpk();
	bspt_bytes packed = pack_alone(plain.data, plain.size, true);
	const struct { const char *name; uint8_t *data; size_t size; } archives[] = {
		{ "a.gma", plain.data, plain.size }, { "a_dir.vpk", respawn.data, respawn.size },
		{ "packed.gma", packed.data, packed.size },
	};
	static const uint8_t changes[] = { 0x01, 0x80, 0xff };
	bspt_guard guard = bspt_guard_make(8192);
	for (size_t i = 0; i < COUNT(archives); i++) {
		uint8_t *data = archives[i].data;
		for (size_t size = 0; size <= archives[i].size; size++) try_archive(&guard, archives[i].name, data, size);
		for (size_t at = 0; at < archives[i].size; at++) {
			for (size_t change = 0; change < COUNT(changes); change++) {
				data[at] ^= changes[change];
				try_archive(&guard, archives[i].name, data, archives[i].size);
				data[at] ^= changes[change];
			}
		}
	}
	bspt_guard_free(&guard);
	free(packed.data);
}

/* ---- A game's folder --------------------------------------------------------------------------------------- */

static void archives_of_every_ending_are_part_of_a_game(void **state)
{
	(void)state;
	static const char *const endings[] = { "pak", "pk3", "pk4", "iwd", "pkz", "dpk", "kpf", "gma", "PKZ" };
	char directory[256], path[300];
	small_archive gma = make_gma(3);
	for (size_t i = 0; i < COUNT(endings); i++) {
		bool is_gma = !strcmp(endings[i], "gma");
		bspt_bytes zip = bspt_zip(&(bspt_member){ .name = "maps/a.txt", .text = "the first", .method = 8 }, 1);
		bspt_make_directory(directory, sizeof directory);
		snprintf(path, sizeof path, "%s/pak0.%s", directory, endings[i]);
		bspt_write_file(path, is_gma ? gma.data : zip.data, is_gma ? gma.size : zip.size);
		bspscene_error error;
		bspscene_file_system *files = bspscene_file_system_create(NULL);
		if (!bspscene_file_system_mount_game(files, directory, &error)) fail_msg("%s", error.message);
		expect_text(files, "maps/a.txt", "the first");
		bspscene_file_system_free(files);
		bspt_remove_directory(directory);
		free(zip.data);
	}
}

/* Archives in addons/ of Garry's Mod are mounted; other files there are not. */
static void the_workshop_of_a_game_is_searched(void **state)
{
	(void)state;
	char directory[256], path[300], text[64];
	small_archive gma = make_gma(3);
	bspt_bytes zip = bspt_zip(&(bspt_member){ .name = "maps/zip.txt", .text = "x" }, 1);
	bspt_make_directory(directory, sizeof directory);
	snprintf(path, sizeof path, "%s/addons", directory);
	bspt_make_folder(path);
	snprintf(path, sizeof path, "%s/addons/room.gma", directory);
	bspt_write_file(path, gma.data, gma.size);
	snprintf(path, sizeof path, "%s/addons/other.pk3", directory);
	bspt_write_file(path, zip.data, zip.size);
	free(zip.data);
	bspscene_error error;
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	if (!bspscene_file_system_mount_game(files, directory, &error)) fail_msg("%s", error.message);
	expect_text(files, "maps/a.txt", "the first");
	assert_false(read_text(files, "maps/zip.txt", text, sizeof text));
	bspscene_file_system_free(files);
	bspt_remove_directory(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workshop_archives_are_read),
		cmocka_unit_test(broken_workshop_archives_are_refused_in_words),
		cmocka_unit_test(what_unpacks_to_too_much_is_refused),
		cmocka_unit_test(stored_files_of_respawn_are_read),
		cmocka_unit_test(archives_cut_or_changed_anywhere_do_no_harm),
		cmocka_unit_test(archives_of_every_ending_are_part_of_a_game),
		cmocka_unit_test(the_workshop_of_a_game_is_searched),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
