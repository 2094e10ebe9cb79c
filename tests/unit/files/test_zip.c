/* test_zip.c - zip archives as packers write them today: Zip64, large directories, data before the archive, all
 * compression methods; and the cost of reading them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "file_system/mounts.h"
#include "support/make/build_archive.h"
#include "support/store.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char verse[] = "textures/sample/brick { surfaceparm nolightmap { map textures/sample/brick.tga } }";

static bspscene_file_system *mount(bspt_bytes zip)
{
	bspscene_error error;
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	if (!bspscene_file_system_mount_memory(files, "test.pk3", zip.data, zip.size, &error))
		fail_msg("%s", error.message);
	return files;
}

static void expect_text(bspscene_file_system *files, const char *path, const char *want)
{
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	char got[200] = "";
	if (!bspscene_file_system_open(files, &stream, path, BSPSCENE_FILE_OTHER)) fail_msg("%s: not found", path);
	assert_int_equal(stream.size, strlen(want));
	assert_int_equal(stream.read(stream.user, got, sizeof got - 1), strlen(want));
	assert_string_equal(got, want);
	stream.close(stream.user);
}

/* Zip64 is for archives with more than 65,535 files or 4 GiB, and some packers always write it. Once, it was
 * refused. */
static void zip64_is_read(void **state)
{
	(void)state;
	static const bspt_member members[] = {
		{ .name = "stored.txt", .text = verse }, { .name = "deflated.txt", .text = verse, .method = 8 },
		{ .name = "lzma.txt", .text = "short", .method = 14 },
	};
	bspt_bytes zip = bspt_zip64(members, COUNT(members));
	bspscene_file_system *files = mount(zip);
	for (size_t i = 0; i < COUNT(members); i++) expect_text(files, members[i].name, members[i].text);
	bspscene_file_system_free(files);
	free(zip.data);
}

/* In archives of Valve's packer for consoles, directory records state the size of extra fields that only the local
 * headers have. Zeros fill the last sector of the directory. Once, such archives were refused. */
static void directories_of_consoles_are_read(void **state)
{
	(void)state;
	enum { EXTRA_SIZE_AT = 30, DIRECTORY_SIZE_AT = 12, END_SIZE = 22, ZEROS = 40 };
	static const bspt_member members[] = { { .name = "a.txt", .text = verse }, { .name = "b.txt", .text = "short" } };
	bspt_bytes zip = bspt_zip(members, COUNT(members));
	bspt_bytes padded = { test_calloc(1, zip.size + ZEROS), zip.size + ZEROS };
	size_t end = zip.size - END_SIZE;
	for (size_t i = 0; i < end; i++) {
		if (!memcmp(zip.data + i, "PK\1\2", 4)) zip.data[i + EXTRA_SIZE_AT] = 200;
	}
	memcpy(padded.data, zip.data, end);
	memcpy(padded.data + end + ZEROS, zip.data + end, END_SIZE);
	uint8_t *size = padded.data + end + ZEROS + DIRECTORY_SIZE_AT;
	bspt_store_u32(size, bspi_load_u32(size) + ZEROS);
	bspscene_file_system *files = mount(padded);
	for (size_t i = 0; i < COUNT(members); i++) expect_text(files, members[i].name, members[i].text);
	bspscene_file_system_free(files);
	test_free(padded.data);
	free(zip.data);
}

/* A self-extracting archive begins with a program. Its offsets may count from the archive or from the file's start. */
static void archives_behind_another_file_are_read(void **state)
{
	(void)state;
	static const char stub[] = "PK, but a program: unpack me";
	const bspt_member member = { .name = "a.txt", .text = verse, .method = 8 };
	for (int zip64 = 0; zip64 < 2; zip64++) {
		bspt_bytes zip = zip64 ? bspt_zip64(&member, 1) : bspt_zip(&member, 1);
		bspt_bytes moved = { malloc(sizeof stub + zip.size), sizeof stub + zip.size };
		memcpy(moved.data, stub, sizeof stub);
		memcpy(moved.data + sizeof stub, zip.data, zip.size);
		bspscene_file_system *files = mount(moved);
		expect_text(files, "a.txt", verse);
		bspscene_file_system_free(files);
		free(zip.data);
		free(moved.data);
	}
}

#ifdef BSPI_HAVE_BZIP2
static void bzip2_entries_are_read(void **state)
{
	(void)state;
	bspt_bytes zip = bspt_zip(&(bspt_member){ .name = "a.txt", .text = verse, .method = 12 }, 1);
	bspscene_file_system *files = mount(zip);
	expect_text(files, "a.txt", verse);
	bspscene_file_system_free(files);
	free(zip.data);
}
#endif

/* Returns record `number` of the directory. */
static uint8_t *record_of(bspt_bytes zip, uint32_t number)
{
	for (size_t i = 0; i + 4 <= zip.size; i++) {
		if (!memcmp(zip.data + i, "PK\1\2", 4) && !number--) return zip.data + i;
	}
	bspt_die("find", "a record");
	return NULL;
}

/* If thousands of names share the same few bytes, these are unpacked thousands of times (Fifield 2019, "A better zip
 * bomb"). Records with the same name count, too, although only the last one is used. */
static void entries_that_share_bytes_are_refused(void **state)
{
	(void)state;
	enum { LOCAL_OFFSET_AT = 42 };
	static const struct { const char *second; bool same_size, refused; } cases[] = {
		{ "b.txt", false, true },
		{ "b.txt", true, true },
		{ "a.txt", false, true },
		{ "a.txt", true, false }, /* the directory lists one file twice */
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *text = cases[i].same_size ? "shor!" : verse;
		const bspt_member members[] = { { .name = "a.txt", .text = "short" },
			                            { .name = cases[i].second, .text = text },
			                            { .name = "c.txt", .text = verse } };
		bspt_bytes zip = bspt_zip(members, COUNT(members));
		memcpy(record_of(zip, 1) + LOCAL_OFFSET_AT, record_of(zip, 0) + LOCAL_OFFSET_AT, 4);
		bspscene_file_system *files = mount(zip);
		const char *why = bspscene_file_system_unreadable(files, cases[i].second);
		bool is_refused = why && strstr(why, "shares its bytes");
		if (cases[i].refused != is_refused) fail_msg("case %zu: %s", i, why ? why : "read");
		expect_text(files, "c.txt", verse);
		if (strcmp(cases[i].second, "a.txt")) expect_text(files, "a.txt", "short");
		bspscene_file_system_free(files);
		free(zip.data);
	}
}

/* Returns whether the library says that the second file shares bytes with the first, if its local header begins at
 * `offset`. */
static bool shares_at(const bspt_member members[2], uint32_t offset)
{
	enum { LOCAL_OFFSET_AT = 42 };
	bspt_bytes zip = bspt_zip(members, 2);
	bspt_store_u32(record_of(zip, 1) + LOCAL_OFFSET_AT, offset);
	bspscene_file_system *files = mount(zip);
	const char *why = bspscene_file_system_unreadable(files, members[1].name);
	bool shares = why && strstr(why, "shares its bytes");
	bspscene_file_system_free(files);
	free(zip.data);
	return shares;
}

/* Each file needs bytes that no other file uses: at least its local header of 30 bytes and its packed bytes. */
static void files_share_bytes_up_to_their_last_one(void **state)
{
	(void)state;
	enum { HEADER = 30 };
	const uint32_t size = (uint32_t)strlen(verse);
	const bspt_member members[] = { { .name = "a.txt", .text = verse }, { .name = "b.txt", .text = "short" } };
	const struct { uint32_t offset; bool shares; } cases[] = {
		{ 1, true }, { HEADER, true }, { size, true }, { size + 1, true }, { HEADER + size - 1, true },
		{ HEADER + size, false }, { HEADER + size + 1, false },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bool shares = shares_at(members, cases[i].offset);
		if (shares != cases[i].shares) fail_msg("at %u: %d", cases[i].offset, shares);
	}
}

/* Names have 200 letters, so the directory of 20,000 files has 5 MB. */
enum { MANY = 20000, NAME_SIZE = 201 };

static bspt_bytes large_zip(void)
{
	bspt_member *members = calloc(MANY, sizeof *members);
	char *names = malloc((size_t)MANY * NAME_SIZE);
	if (!members || !names) bspt_die("allocate", "names");
	for (size_t i = 0; i < MANY; i++) {
		char *name = names + i * NAME_SIZE;
		memset(name, 'a', NAME_SIZE - 1);
		snprintf(name, NAME_SIZE, "textures/%05zu", i);
		name[strlen(name)] = 'a';
		name[NAME_SIZE - 1] = 0;
		members[i] = (bspt_member){ .name = name, .text = "x" };
	}
	bspt_bytes zip = bspt_zip(members, MANY);
	free(members);
	free(names);
	return zip;
}

static void count_name(void *user, const char *path)
{
	(void)path;
	++*(uint32_t *)user;
}

/* Once, directories of more than 2 MiB were refused. */
static void large_directories_are_read(void **state)
{
	(void)state;
	uint32_t count = 0;
	bspt_bytes zip = large_zip();
	bspscene_file_system *files = mount(zip);
	bspscene_file_system_list(files, "textures/", "", count_name, &count);
	assert_int_equal(count, MANY);
	bspscene_file_system_free(files);
	free(zip.data);
}

/* The names of an archive inside a map are charged to the load's memory budget, and all memory is freed. */
static void names_are_within_the_budget(void **state)
{
	(void)state;
	static const struct { uint64_t limit; bool fits; } cases[] = {
		{ (uint64_t)64 << 20, true }, { (uint64_t)2 << 20, false }, { 0, false },
	};
	bspt_bytes zip = large_zip();
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspi_budget budget = { .limit = cases[i].limit };
		bspscene_error error;
		bspscene_file_system *files = bspi_file_system_create_within(&budget);
		bool ok = bspscene_file_system_mount_memory(files, "inner", zip.data, zip.size, &error);
		assert_int_equal(ok, cases[i].fits);
		if (ok) assert_true(budget.used > (uint64_t)MANY * (sizeof(bspi_entry) + 2 * NAME_SIZE + 2 * sizeof(void *)));
		else assert_true(budget.refused && error.status != BSPSCENE_OK);
		assert_true(budget.peak <= cases[i].limit);
		bspscene_file_system_free(files);
		assert_int_equal(budget.used, 0);
	}
	free(zip.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zip64_is_read),
		cmocka_unit_test(directories_of_consoles_are_read),
		cmocka_unit_test(archives_behind_another_file_are_read),
#ifdef BSPI_HAVE_BZIP2
		cmocka_unit_test(bzip2_entries_are_read),
#endif
		cmocka_unit_test(entries_that_share_bytes_are_refused),
		cmocka_unit_test(files_share_bytes_up_to_their_last_one),
		cmocka_unit_test(large_directories_are_read),
		cmocka_unit_test(names_are_within_the_budget),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
