/* test_entity_files.c - the scene has the entities that engines read from files next to the map. These do not change
 * the map's hashes. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <bspscene/source.h>

#include "support/make/build_archive.h"
#include "support/make/build_map.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct disk {
	char root[200];
} disk;

static const char *at(const disk *d, const char *name)
{
	static char paths[8][700];
	static unsigned turn;
	char *path = paths[turn++ % COUNT(paths)];
	snprintf(path, sizeof paths[0], "%s/%s", d->root, name);
	return path;
}

static int make_disk(void **state)
{
	static const char *const folders[] = { "id1", "id1/maps", "mod", "mod/maps", "flat" };
	disk *d = calloc(1, sizeof *d);
	*state = d;
	if (!d) return -1;
	bspt_make_directory(d->root, sizeof d->root);
	for (size_t i = 0; i < COUNT(folders); i++) bspt_make_folder(at(d, folders[i]));
	return 0;
}

static int remove_disk(void **state)
{
	disk *d = *state;
	bspt_remove_directory(d->root);
	free(d);
	return 0;
}

static void write_map(const disk *d, const char *name, const bspi_family *family, const char *variant)
{
	bspt_bytes map = bspt_build_room(family, bspt_find_variant(family, variant));
	bspt_write_file(at(d, name), map.data, map.size);
	free(map.data);
}

/* Writes an entity text whose worldspawn names the file. */
static void write_entities(const disk *d, const char *name)
{
	char text[300];
	snprintf(text, sizeof text, "{ \"classname\" \"worldspawn\" \"message\" \"%s\" }", name);
	bspt_write_file(at(d, name), text, strlen(text));
}

static bspscene_scene *load(const char *path, bspscene_entity_source from)
{
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	options.entity_source = from;
	options.identify = true;
	bspscene_open_options open;
	bspscene_open_options_init(&open);
	open.load = &options;
	bspscene_scene *scene = bspscene_open(path, &open, &error);
	if (!scene) fail_msg("%s", error.message);
	return scene;
}

static void expect_message(const char *path, const char *want)
{
	bspscene_scene *scene = load(path, BSPSCENE_ENTITY_SOURCE_BESIDE);
	const char *message = bspscene_entity_value(scene, 0, "message");
	if (!want) assert_null(scene->entity_file);
	else assert_string_equal(message ? message : "", want);
	bspscene_scene_free(scene);
}

/* Returns what the scene says about a companion file: the reason why it is unused, "used", or "" if the scene does not
 * list the file. */
static const char *said_of(const bspscene_scene *scene, const char *path)
{
	for (uint32_t i = 0; i < scene->companion_file_count; i++) {
		const bspscene_companion_file *file = scene->companion_files[i];
		if (!strcmp(file->path, path)) return file->unused ? file->unused : "used";
	}
	return "";
}

static void every_family_reads_its_file(void **state)
{
	const disk *d = *state;
	static const struct { const bspi_family *family; const char *variant; bool reads; } cases[] = {
		{ &bspi_family_quake, "quake", true }, { &bspi_family_quake, "bsp2", true },
		{ &bspi_family_goldsrc, "goldsrc", true }, { &bspi_family_quake2, "quake2", true },
		{ &bspi_family_quake3, "quake3", true }, { &bspi_family_quake3, "raven", true },
		{ &bspi_family_quake3, "rtcw", true }, { &bspi_family_ufoai, "ufoai", false },
		{ &bspi_family_nightfire, "nightfire", false },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		write_map(d, "mod/maps/m.bsp", cases[i].family, cases[i].variant);
		write_entities(d, "mod/maps/m.ent"); /* newer than the map, because Xash3D ignores an older file */
		bspscene_scene *beside = load(at(d, "mod/maps/m.bsp"), BSPSCENE_ENTITY_SOURCE_BESIDE);
		bspscene_scene *own = load(at(d, "mod/maps/m.bsp"), BSPSCENE_ENTITY_SOURCE_MAP);
		assert_null(own->entity_file);
		assert_string_equal(beside->entity_file ? beside->entity_file : "", cases[i].reads ? "maps/m.ent" : "");
		if (cases[i].reads) {
			assert_int_equal(beside->entity_count, 1);
			assert_string_equal(said_of(beside, "maps/m.ent"), "used");
			assert_non_null(strstr(said_of(own, "maps/m.ent"), "--entities beside"));
		}
		assert_memory_equal(beside->identity, own->identity, sizeof *own->identity);
		bspscene_scene_free(own);
		bspscene_scene_free(beside);
	}
}

/* Returns the name of the file for the entities of a room. The checksum covers all bytes but the NUL at the end. */
static const char *name_by_checksum(const bspi_family *family, const char *variant, char out[64])
{
	bspt_parts parts;
	bspt_room_parts(family, bspt_find_variant(family, variant), &parts);
	const bspi_bytes lump = parts.raw[0];
	uint32_t crc = 0xffff;
	assert_true(lump.size && lump.data[lump.size - 1] == 0);
	for (size_t i = 0; i + 1 < lump.size; i++) {
		crc ^= (uint32_t)lump.data[i] << 8;
		for (int bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
	}
	snprintf(out, 64, "mod/maps/m@%04x.ent", crc);
	return out;
}

/* The entities of Quake II's rooms end with a NUL, too, which its engines leave out of the sum. */
static void checksums_of_quake2_leave_out_the_nul(void **state)
{
	const disk *d = *state;
	char own[64];
	write_map(d, "mod/maps/m.bsp", &bspi_family_quake2, "quake2");
	write_entities(d, name_by_checksum(&bspi_family_quake2, "quake2", own));
	expect_message(at(d, "mod/maps/m.bsp"), own);
}

/* A file whose name has the checksum of the map's entities comes first; another checksum means another map. */
static void checksums_choose(void **state)
{
	const disk *d = *state;
	char own[64];
	write_map(d, "mod/maps/m.bsp", &bspi_family_quake, "quake");
	name_by_checksum(&bspi_family_quake, "quake", own);
	write_entities(d, "mod/maps/m@0bad.ent");
	expect_message(at(d, "mod/maps/m.bsp"), NULL);
	write_entities(d, "mod/maps/m.ent");
	expect_message(at(d, "mod/maps/m.bsp"), "mod/maps/m.ent");
	write_entities(d, own);
	expect_message(at(d, "mod/maps/m.bsp"), own);
	bspscene_scene *scene = load(at(d, "mod/maps/m.bsp"), BSPSCENE_ENTITY_SOURCE_BESIDE);
	assert_non_null(strstr(said_of(scene, "maps/m@0bad.ent"), "another checksum"));
	assert_non_null(strstr(said_of(scene, "maps/m.ent"), "another entity file takes precedence"));
	bspscene_scene_free(scene);
}

/* QuakeSpasm ignores a file of a game directory with lower priority than the map's. */
static void base_games_have_no_entities_for_a_mod(void **state)
{
	const disk *d = *state;
	write_map(d, "mod/maps/start.bsp", &bspi_family_quake, "quake");
	write_map(d, "id1/maps/start.bsp", &bspi_family_quake, "quake");
	write_entities(d, "id1/maps/start.ent");
	expect_message(at(d, "mod/maps/start.bsp"), NULL);
	expect_message(at(d, "id1/maps/start.bsp"), "id1/maps/start.ent");
}

static void a_file_without_entities_is_not_taken(void **state)
{
	const disk *d = *state;
	write_map(d, "mod/maps/m.bsp", &bspi_family_quake2, "quake2");
	bspt_write_file(at(d, "mod/maps/m.ent"), "// none", 7);
	bspscene_scene *scene = load(at(d, "mod/maps/m.bsp"), BSPSCENE_ENTITY_SOURCE_BESIDE);
	assert_null(scene->entity_file);
	assert_string_equal(said_of(scene, "maps/m.ent"), "it has no entity");
	bspscene_scene_free(scene);
	bspt_write_file(at(d, "mod/maps/m.ent"), "", 0);
	expect_message(at(d, "mod/maps/m.bsp"), NULL);
}

/* Downloaded maps often lie outside of a "maps" folder. A link that leads out of the folder is not followed. */
static void files_lie_next_to_maps_anywhere(void **state)
{
	const disk *d = *state;
	write_map(d, "flat/M.bsp", &bspi_family_goldsrc, "goldsrc");
	write_entities(d, "flat/m.ENT");
	write_entities(d, "flat/other.ent");
	expect_message(at(d, "flat/M.bsp"), "flat/m.ENT");
	if (unlink(at(d, "flat/m.ENT"))) bspt_die("remove", "m.ENT");
	write_entities(d, "secret.ent");
	if (symlink("../secret.ent", at(d, "flat/m.ent"))) bspt_die("link", "m.ent");
	expect_message(at(d, "flat/M.bsp"), NULL);
}

static void set_date(const disk *d, const char *name, time_t seconds)
{
	const struct timespec times[2] = { { .tv_sec = seconds }, { .tv_sec = seconds } };
	if (utimensat(AT_FDCWD, at(d, name), times, 0)) bspt_die("set the date", name);
}

/* Xash3D compares dates and ignores an entity file that is older than the map. Other engines do not. */
static void xash3d_ignores_older_files(void **state)
{
	const disk *d = *state;
	static const struct { const char *map, *file, *source; } places[] = {
		{ "mod/maps/m.bsp", "mod/maps/m.ent", "mod/maps/m.bsp" }, { "flat/m.bsp", "flat/m.ent", "flat/m.bsp" },
		{ "mod/maps/m.bsp", "mod/maps/m.ent", "mod" },
	};
	for (size_t i = 0; i < COUNT(places); i++) {
		write_map(d, places[i].map, &bspi_family_goldsrc, "goldsrc");
		write_entities(d, places[i].file);
		set_date(d, places[i].map, 2000000000);
		set_date(d, places[i].file, 1999999999);
		expect_message(at(d, places[i].source), NULL);
		bspscene_scene *scene = load(at(d, places[i].source), BSPSCENE_ENTITY_SOURCE_BESIDE);
		assert_non_null(strstr(said_of(scene, "maps/m.ent"), "older than the map"));
		bspscene_scene_free(scene);
		set_date(d, places[i].file, 2000000000);
		expect_message(at(d, places[i].source), places[i].file);
		set_date(d, places[i].file, 1999999999);
		write_map(d, places[i].map, &bspi_family_quake, "quake");
		set_date(d, places[i].map, 2000000000);
		expect_message(at(d, places[i].source), places[i].file);
	}
}

static void archives_have_them_too(void **state)
{
	const disk *d = *state;
	static const char text[] = "{ \"classname\" \"worldspawn\" \"message\" \"zip\" }";
	bspt_bytes map = bspt_build_room(&bspi_family_quake, bspt_find_variant(&bspi_family_quake, "quake"));
	const bspt_member members[] = {
		{ .name = "Release/m.bsp", .packed = map }, { .name = "Release/M.ent", .text = text },
	};
	bspt_bytes archive = bspt_zip(members, COUNT(members));
	bspt_write_file(at(d, "flat/m.zip"), archive.data, archive.size);
	expect_message(at(d, "flat/m.zip"), "zip");
	free(archive.data);
	free(map.data);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_disk, remove_disk)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_family_reads_its_file),
		TEST(checksums_choose),
		TEST(checksums_of_quake2_leave_out_the_nul),
		TEST(base_games_have_no_entities_for_a_mod),
		TEST(a_file_without_entities_is_not_taken),
		TEST(files_lie_next_to_maps_anywhere),
		TEST(xash3d_ignores_older_files),
		TEST(archives_have_them_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
