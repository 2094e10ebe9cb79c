/* test_libarchive.c - 7z, RAR and tar are read as archives of maps. Archives that are truncated or too large for their
 * packed size, and names that lead outside, give one message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/system.h"
#include "support/make/build_archive.h"

#ifdef BSPI_HAVE_LIBARCHIVE

	#include <archive.h>
	#include <archive_entry.h>
	#include <zlib.h>

enum { ROOM = 1 << 20, RAR_FILE = 32 };

static const char verse[] = "textures/sample/brick { surfaceparm nolightmap { map textures/sample/brick.tga } }";

typedef int filter_fn(struct archive *archive);

static const struct kind {
	const char *name;
	filter_fn *format, *filter;
} kinds[] = {
	{ "7z", archive_write_set_format_7zip, archive_write_add_filter_none },
	{ "tar", archive_write_set_format_gnutar, archive_write_add_filter_none },
	{ "pax", archive_write_set_format_pax, archive_write_add_filter_none },
	{ "tar.gz", archive_write_set_format_gnutar, archive_write_add_filter_gzip },
	{ "tar.bz2", archive_write_set_format_gnutar, archive_write_add_filter_bzip2 },
	{ "tar.xz", archive_write_set_format_gnutar, archive_write_add_filter_xz },
	{ "tar.zst", archive_write_set_format_gnutar, archive_write_add_filter_zstd },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- Archives --------------------------------------------------------------------------------------------- */

static struct archive *begin(const struct kind *kind, bspt_bytes *out)
{
	struct archive *archive = archive_write_new();
	*out = (bspt_bytes){ malloc(ROOM), 0 };
	assert_non_null(out->data);
	assert_int_equal(kind->format(archive), ARCHIVE_OK);
	assert_int_equal(kind->filter(archive), ARCHIVE_OK);
	assert_int_equal(archive_write_open_memory(archive, out->data, ROOM, &out->size), ARCHIVE_OK);
	return archive;
}

/* Adds a file of `size` bytes that repeat `data`, or a link to another file. */
static void add(struct archive *archive, const char *name, const char *link, const void *data, size_t data_size,
                size_t size)
{
	struct archive_entry *entry = archive_entry_new();
	archive_entry_set_pathname(entry, name);
	archive_entry_set_filetype(entry, link ? AE_IFLNK : AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	if (link) archive_entry_set_symlink(entry, link);
	else archive_entry_set_size(entry, (la_int64_t)size);
	assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
	for (size_t done = 0; !link && done < size; done += data_size) {
		size_t part = size - done < data_size ? size - done : data_size;
		assert_int_equal(archive_write_data(archive, data, part), (la_ssize_t)part);
	}
	archive_entry_free(entry);
}

static void end(struct archive *archive)
{
	assert_int_equal(archive_write_close(archive), ARCHIVE_OK);
	archive_write_free(archive);
}

static bspt_bytes make(const struct kind *kind)
{
	bspt_bytes out;
	struct archive *archive = begin(kind, &out);
	add(archive, "maps/one.bsp", NULL, verse, sizeof verse - 1, sizeof verse - 1);
	add(archive, "../../escapes.bsp", NULL, verse, 5, 5);
	add(archive, "/rooted.bsp", NULL, verse, 6, 6);
	add(archive, "maps/link.bsp", "/etc/passwd", NULL, 0, 0);
	add(archive, "Maps/Two.bsp", NULL, "short", 5, 5);
	add(archive, "maps/empty.bsp", NULL, "", 1, 0);
	end(archive);
	return out;
}

static void put(uint8_t *out, uint64_t value, int bytes)
{
	for (int i = 0; i < bytes; i++) out[i] = (uint8_t)(value >> 8 * i);
}

/* Stores the checksum of a RAR header in its first bytes. */
static void seal(uint8_t *header, size_t size)
{
	put(header, crc32(0, header + 2, (uInt)(size - 2)) & 0xffff, 2);
}

/* Makes a RAR 2.9 archive with one stored file. */
static bspt_bytes make_rar(const char *name, const char *text)
{
	static const uint8_t start[] = { 'R', 'a', 'r', '!', 0x1a, 7, 0 }, last[] = { 0xc4, 0x3d, 0x7b, 0, 0x40, 7, 0 };
	enum { MAIN = 13 };
	size_t name_size = strlen(name), size = strlen(text), header_size = RAR_FILE + name_size;
	bspt_bytes out = { calloc(1, sizeof start + MAIN + header_size + size + sizeof last), 0 };
	assert_non_null(out.data);
	uint8_t *at = out.data;
	memcpy(at, start, sizeof start);
	at += sizeof start;
	at[2] = 0x73;
	put(at + 5, MAIN, 2);
	seal(at, MAIN);
	at += MAIN;
	at[2] = 0x74;
	put(at + 3, 0x8000, 2);
	put(at + 5, header_size, 2);
	put(at + 7, size, 4);
	put(at + 11, size, 4);
	at[15] = 3;
	put(at + 16, crc32(0, (const Bytef *)text, (uInt)size), 4);
	at[24] = 20;
	at[25] = 0x30;
	put(at + 26, name_size, 2);
	put(at + 28, 0100644, 4);
	memcpy(at + RAR_FILE, name, name_size);
	seal(at, header_size);
	memcpy(at + header_size, text, size);
	memcpy(at + header_size + size, last, sizeof last);
	out.size = (size_t)(at - out.data) + header_size + size + sizeof last;
	return out;
}

/* ---- Reading ---------------------------------------------------------------------------------------------- */

static void append_name(void *user, const char *path)
{
	char *names = user;
	size_t at = strlen(names);
	snprintf(names + at, 400 - at, "%s;", path);
}

static void expect_text(bspscene_file_system *files, const char *path, const char *want)
{
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (!bspscene_file_system_open(files, &stream, path, BSPSCENE_FILE_OTHER)) fail_msg("%s: not found", path);
	assert_int_equal(stream.size, strlen(want));
	assert_non_null(stream.data);
	assert_memory_equal(stream.data, want, strlen(want));
	assert_null(stream.close);
}

static void expect_content(bspt_bytes file, const char *names, const char *path, const char *text)
{
	bspscene_error error;
	char found[400] = "";
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	if (!bspscene_file_system_mount_memory(files, "test", file.data, file.size, &error)) fail_msg("%s", error.message);
	bspscene_file_system_list(files, "", "", append_name, found);
	assert_string_equal(found, names);
	expect_text(files, path, text);
	bspscene_file_system_free(files);
}

static void expect_refused(bspt_bytes file, bspscene_status status, const char *words)
{
	bspscene_error error;
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	assert_false(bspscene_file_system_mount_memory(files, "test", file.data, file.size, &error));
	if (error.status != status || !strstr(error.message, words)) {
		fail_msg("%s \"%s\" instead of \"%s\"", bspscene_status_name(error.status), error.message, words);
	}
	bspscene_file_system_free(files);
}

/* ---- Tests ------------------------------------------------------------------------------------------------ */

static void all_kinds_are_read(void **state)
{
	(void)state;
	for (int i = 0; i < KINDS; i++) {
		bspt_bytes file = make(&kinds[i]);
		print_message("%s\n", kinds[i].name);
		expect_content(file, "maps/empty.bsp;Maps/Two.bsp;rooted.bsp;maps/one.bsp;", "maps/two.bsp", "short");
		expect_content(file, "maps/empty.bsp;Maps/Two.bsp;rooted.bsp;maps/one.bsp;", "maps/one.bsp", verse);
		free(file.data);
	}
	bspt_bytes rar = make_rar("maps\\one.bsp", verse);
	expect_content(rar, "maps/one.bsp;", "maps/one.bsp", verse);
	free(rar.data);
}

/* Names are decoded whatever the host's locale is; archives store them as UTF-16, UTF-8 or plain bytes. */
static void names_are_any_letters(void **state)
{
	(void)state;
	for (int i = 0; i < KINDS; i++) {
		bspt_bytes file;
		bspi_utf8_locale locale = bspi_system_begin_utf8();
		struct archive *archive = begin(&kinds[i], &file);
		add(archive, "maps/gr\xc3\xbc\xc3\x9f.bsp", NULL, "short", 5, 5);
		add(archive, "maps/\xd0\xb4\xd0\xbe\xd0\xbc.bsp", NULL, "other", 5, 5);
		end(archive);
		bspi_system_end_utf8(locale);
		print_message("%s\n", kinds[i].name);
		expect_content(file, "maps/\xd0\xb4\xd0\xbe\xd0\xbc.bsp;maps/gr\xc3\xbc\xc3\x9f.bsp;",
		               "maps/\xd0\xb4\xd0\xbe\xd0\xbc.bsp", "other");
		free(file.data);
	}
}

/* An archive that is cut anywhere is read or refused, and nothing after its end is read. */
static void cut_archives_are_refused(void **state)
{
	(void)state;
	for (int i = 0; i <= KINDS; i++) {
		bspt_bytes file = i < KINDS ? make(&kinds[i]) : make_rar("maps/one.bsp", verse);
		bspt_guard guard = bspt_guard_make(file.size + 64);
		size_t step = file.size > 4096 ? 61 : 1, refused = 0;
		for (size_t size = 0; size < file.size; size += step) {
			bspscene_error error = { .status = BSPSCENE_OK };
			bspscene_file_system *files = bspscene_file_system_create(NULL);
			const uint8_t *data = bspt_guard_place(&guard, file.data, size);
			bool read = bspscene_file_system_mount_memory(files, "test", data, size, &error);
			assert_true(read == (error.status == BSPSCENE_OK));
			assert_true(read || error.message[0]);
			refused += !read;
			bspscene_file_system_free(files);
		}
		assert_true(refused > 0);
		bspt_guard_free(&guard);
		free(file.data);
	}
}

/* The archive has 80 MB of zeros, which take some KB when packed. It is refused if the zeros are in a wanted file. It
 * is also refused if they are in a file that is skipped by its name. */
static void bombs_are_refused(void **state)
{
	(void)state;
	static const char *const names[] = { "maps/one.bsp", "../one.bsp" };
	static const uint8_t zeroes[1 << 16];
	for (int i = 0; i < KINDS; i++) {
		if (kinds[i].filter == archive_write_add_filter_none && strcmp(kinds[i].name, "7z")) continue;
		for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
			bspt_bytes file;
			struct archive *archive = begin(&kinds[i], &file);
			add(archive, names[k], NULL, zeroes, sizeof zeroes, (size_t)80 << 20);
			end(archive);
			expect_refused(file, BSPSCENE_ERROR_LIMIT, "MiB: unpack it to a folder, or pack it as zip");
			free(file.data);
		}
	}
}

/* A tar of 10 KB claims to contain a file of 8 GB, for which no memory is allocated. */
static void claimed_sizes_are_not_believed(void **state)
{
	(void)state;
	enum { SIZE_AT = 124, CHECKSUM_AT = 148, HEADER = 512 };
	bspt_bytes file = make(&kinds[1]);
	unsigned sum = 0;
	memcpy(file.data + SIZE_AT, "77777777777", 11);
	memset(file.data + CHECKSUM_AT, ' ', 8);
	for (int i = 0; i < HEADER; i++) sum += file.data[i];
	snprintf((char *)file.data + CHECKSUM_AT, 8, "%06o", sum);
	expect_refused(file, BSPSCENE_ERROR_LIMIT, "unpack to more than");
	free(file.data);
}

static void other_packed_files_are_no_archives(void **state)
{
	(void)state;
	bspt_bytes file = bspt_gzip("no archive at all", 17);
	expect_refused(file, BSPSCENE_ERROR_UNKNOWN_FORMAT, "the packed file in it is not a tar archive");
	free(file.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_kinds_are_read),
		cmocka_unit_test(names_are_any_letters),
		cmocka_unit_test(cut_archives_are_refused),
		cmocka_unit_test(bombs_are_refused),
		cmocka_unit_test(claimed_sizes_are_not_believed),
		cmocka_unit_test(other_packed_files_are_no_archives),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
	printf("this build reads no such archives (libarchive)\n");
	return 77;
}

#endif
