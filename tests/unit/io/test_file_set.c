/* test_file_set.c - a set of files is replaced as a whole. If any system call fails, or the program is killed before or
 * after one, all old files or all new ones exist, never a mix. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/system.h"
#include "support/bspt.h"
#include "system/file_set.h"

enum { FILE_COUNT = 4, PATH_SIZE = 512 };

/* The faults that are injected into system calls. After the program was "killed", further calls have no effect. */
static struct {
	/* `calls` counts the calls. The other members say at which call a fault occurs, from 1; 0 means never. */
	int calls, fails_at, killed_before, killed_after;
	bool has_links, has_locks, is_killed;
} world;

static void begin_world(bool has_links)
{
	memset(&world, 0, sizeof world);
	world.has_links = has_links;
	world.has_locks = true;
}

/* Counts a system call. Returns false if it must fail: a fault is injected into it, or the simulated program was killed
 * at this call or an earlier one. */
static bool call(void)
{
	world.is_killed = world.is_killed || (world.calls && world.calls == world.killed_after);
	world.calls++;
	world.is_killed = world.is_killed || world.calls == world.killed_before;
	if (!world.is_killed && world.calls != world.fails_at) return true;
	errno = EIO;
	return false;
}

static bool try_link(const char *path, const char *second)
{
	if (!call()) return false;
	errno = EPERM;
	return world.has_links && bspi_set_native.link(path, second);
}

static bool try_rename(const char *path, const char *to)
{
	return call() && bspi_set_native.rename(path, to);
}

static bool try_remove(const char *path)
{
	return call() && bspi_set_native.remove(path);
}

/* Creates a file. If the program is "killed" right after this call, the file stays empty. */
static FILE *try_create(const char *path)
{
	FILE *file = call() ? bspi_set_native.create(path) : NULL;
	if (!file || world.calls != world.killed_after) return file;
	fclose(file);
	errno = EIO;
	return NULL;
}

static bspi_set_locking try_lock(const char *folder, intptr_t *lock)
{
	return world.has_locks ? bspi_set_native.lock(folder, lock) : BSPI_SET_NO_LOCKS;
}

static void do_not_wait(unsigned milliseconds)
{
	(void)milliseconds;
}

static bspi_set_system make_system(void)
{
	bspi_set_system system = bspi_set_native;
	system.link = try_link;
	system.rename = try_rename;
	system.remove = try_remove;
	system.create = try_create;
	system.lock = try_lock;
	system.wait = do_not_wait;
	return system;
}

/* A set of four files. Bit i of `old` is set if file i existed before the set is written. */
typedef struct scene_set {
	char root[PATH_SIZE], folder[PATH_SIZE + 1];
	char temporary[FILE_COUNT][PATH_SIZE + 32], target[FILE_COUNT][PATH_SIZE + 32];
	unsigned old;
	bspi_set_file files[FILE_COUNT];
	bspi_file_set set;
} scene_set;

static const char *const names[FILE_COUNT] = { "a_brick.png", "a.bin", "a_floor.png", "a.gltf" };

static void begin_set(scene_set *s, unsigned old)
{
	memset(s, 0, sizeof *s);
	bspt_make_directory(s->root, sizeof s->root);
	snprintf(s->folder, sizeof s->folder, "%s/", s->root);
	s->old = old;
	for (size_t i = 0; i < FILE_COUNT; i++) {
		char text[PATH_SIZE];
		snprintf(s->target[i], sizeof s->target[i], "%s%s", s->folder, names[i]);
		snprintf(s->temporary[i], sizeof s->temporary[i], "%s.%zu.part", s->folder, i);
		snprintf(text, sizeof text, "new %s", names[i]);
		bspt_write_file(s->temporary[i], text, strlen(text));
		snprintf(text, sizeof text, "old file %s", names[i]);
		if (old >> i & 1) bspt_write_file(s->target[i], text, strlen(text));
		s->files[i] = (bspi_set_file) { .temporary = s->temporary[i], .target = s->target[i] };
	}
	s->set = (bspi_file_set) { .folder = s->folder, .files = s->files, .count = FILE_COUNT };
}

static bool is_text(const char *path, const char *before, const char *name)
{
	char text[PATH_SIZE], found[PATH_SIZE];
	snprintf(text, sizeof text, "%s %s", before, name);
	FILE *file = fopen(path, "rb");
	if (!file) return false;
	size_t size = fread(found, 1, sizeof found, file);
	fclose(file);
	return size == strlen(text) && !memcmp(found, text, size);
}

static bool is_absent(const char *path)
{
	return bspi_set_native.look(path, NULL) == BSPI_SET_ABSENT;
}

static bool is_old(const scene_set *s)
{
	for (size_t i = 0; i < FILE_COUNT; i++) {
		bool ok = s->old >> i & 1 ? is_text(s->target[i], "old file", names[i]) : is_absent(s->target[i]);
		if (!ok) return false;
	}
	return true;
}

static bool is_new(const scene_set *s)
{
	for (size_t i = 0; i < FILE_COUNT; i++) {
		if (!is_text(s->target[i], "new", names[i])) return false;
	}
	return true;
}

/* Returns true for names that may be in the folder after a call (a bspi_entry_fn): the files of the set, and temporary
 * files. Temporary files belong to the caller. After a program is killed, they stay until they are swept. */
static bool is_expected(void *user, const char *name, bspi_path_kind kind)
{
	(void)kind;
	size_t length = strlen(name);
	for (size_t i = 0; i < FILE_COUNT; i++) {
		if (!strcmp(name, names[i])) return true;
	}
	if (length >= 5 && !strcmp(name + length - 5, ".part")) return true;
	*(char *)user = 1;
	print_error("left over: %s\n", name);
	return false;
}

static bool nothing_is_left_over(const scene_set *s)
{
	char left = 0;
	return bspi_system_list(s->root, is_expected, &left) && !left;
}

static bool publish(scene_set *s)
{
	assert_true(bspi_file_set_begin(&s->set));
	return bspi_file_set_finish(&s->set);
}

/* ---- Tests -------------------------------------------------------------------------------------------------- */

static const unsigned old_sets[] = { 0, 0xf, 0xa, 0x8, 0x1, 0x7 };

/* Each system call fails once. Old and new files must never be mixed, and no other file may be left. */
static void any_call_may_fail(void **state)
{
	(void)state;
	const bspi_set_system system = make_system();
	for (size_t i = 0; i < 2 * sizeof old_sets / sizeof *old_sets; i++) {
		int calls = 1, failed = 0;
		for (int at = 1; at <= calls; at++) {
			scene_set s;
			begin_set(&s, old_sets[i / 2]);
			begin_world(i % 2 == 0);
			world.fails_at = at;
			s.set.system = &system;
			bool ok = publish(&s);
			int error = errno;
			calls = world.calls > calls ? world.calls : calls;
			if (ok ? !is_new(&s) : !is_old(&s)) fail_msg("old files %x, call %d: a mix", s.old, at);
			if (!ok) {
				failed++;
				assert_non_null(s.set.failed);
				assert_int_equal(error, EIO);
				assert_true(nothing_is_left_over(&s));
			}
			bspt_remove_directory(s.root);
		}
		assert_true(calls > FILE_COUNT && failed >= FILE_COUNT);
	}
}

/* Kills the program at one call, then repairs, and kills it again at one call of the repair. */
static void killed_anywhere(scene_set *s, int before, int after, int repair_before, int repair_after)
{
	static bspi_set_system system;
	/* If removing a file fails, its name may stay. */
	bool has_links = world.has_links, may_leave_names = world.fails_at;
	system = make_system();
	s->set.system = &system;
	world.killed_before = before;
	world.killed_after = after;
	publish(s);
	begin_world(has_links);
	world.killed_before = repair_before;
	world.killed_after = repair_after;
	bspi_file_set_repair(s->folder, &system);
	begin_world(has_links);
	bspi_file_set_repair(s->folder, NULL);
	if (!is_old(s) && !is_new(s)) {
		fail_msg("old files %x, links %d, killed before %d, after %d, then before %d, after %d: a mix", s->old,
		         has_links, before, after, repair_before, repair_after);
	}
	if (may_leave_names || nothing_is_left_over(s)) return;
	fail_msg("old files %x, killed before %d, after %d", s->old, before, after);
}

static void killed_programs_are_undone(void **state)
{
	(void)state;
	enum { MOST_CALLS = 16, MOST_REPAIRS = 9 };
	for (size_t i = 0; i < 2 * sizeof old_sets / sizeof *old_sets; i++) {
		for (int at = 0; at < 2 * MOST_CALLS * MOST_REPAIRS; at++) {
			scene_set s;
			int place = at / 2 / MOST_REPAIRS + 1, repair = at / 2 % MOST_REPAIRS;
			begin_set(&s, old_sets[i / 2]);
			begin_world(i % 2 == 0);
			bool after = at % 2;
			killed_anywhere(&s, after ? 0 : place, after ? place : 0, after ? repair : 0, after ? 0 : repair);
			bspt_remove_directory(s.root);
		}
	}
}

/* One call fails, so the program restores the old files. It is killed while it does so. */
static void killed_undoings_are_undone(void **state)
{
	enum { CALLS = 9 };
	(void)state;
	for (size_t i = 0; i < sizeof old_sets / sizeof *old_sets; i++) {
		for (int at = 0; at < 2 * CALLS * CALLS; at++) {
			scene_set s;
			begin_set(&s, old_sets[i]);
			begin_world(at % 2 == 0);
			/* Call 1 writes the record. If that fails, there is no promise to test. */
			world.fails_at = at / 2 % CALLS + 2;
			killed_anywhere(&s, world.fails_at + at / 2 / CALLS + 1, 0, 0, 0);
			bspt_remove_directory(s.root);
		}
	}
}

/* If a user has replaced a file of the set after the program was killed, the repair keeps the user's file. */
static void files_of_others_stay(void **state)
{
	(void)state;
	for (int at = 2; at < 14; at++) {
		scene_set s;
		const bspi_set_system system = make_system();
		begin_set(&s, 0xf);
		begin_world(true);
		world.killed_after = at;
		s.set.system = &system;
		publish(&s);
		bspi_set_native.remove(s.target[1]);
		bspt_write_file(s.target[1], "mine", 4);
		begin_world(true);
		bspi_file_set_repair(s.folder, NULL);
		bspt_bytes found = bspt_read_file(s.target[1]);
		assert_int_equal(found.size, 4);
		free(found.data);
		assert_true(nothing_is_left_over(&s));
		bspt_remove_directory(s.root);
	}
}

/* A record may have come out of an archive, or may have been copied with its folder. Such a record is ignored. */
static void foreign_records_are_not_obeyed(void **state)
{
	(void)state;
	scene_set s;
	char path[PATH_SIZE + 32];
	const bspi_set_system system = make_system();
	begin_set(&s, 0xf);
	begin_world(true);
	/* Killed after it has written the record, made all links, and put two of the new files in place. */
	world.killed_after = 1 + FILE_COUNT + 2;
	s.set.system = &system;
	publish(&s);
	begin_world(true);
	assert_false(is_old(&s) || is_new(&s));
	snprintf(path, sizeof path, "%s.bspscene-set", s.folder);
	bspt_bytes record = bspt_read_file(path);
	bspt_write_file("bspt_record", record.data, record.size);
	assert_true(bspi_set_native.rename("bspt_record", path));
	bspi_file_set_repair(s.folder, NULL);
	assert_false(is_old(&s));
	assert_true(is_absent(path));
	free(record.data);
	bspt_remove_directory(s.root);
}

static void folders_are_not_replaced(void **state)
{
	(void)state;
	for (size_t i = 0; i < FILE_COUNT; i++) {
		scene_set s;
		begin_set(&s, 0xfu & ~(1u << i));
		bspt_make_folder(s.target[i]);
		assert_false(publish(&s));
		assert_int_equal(errno, EISDIR);
		assert_string_equal(s.set.failed, s.target[i]);
		for (size_t k = 0; k < FILE_COUNT; k++) {
			if (k != i) assert_true(is_text(s.target[k], "old file", names[k]));
		}
		assert_true(nothing_is_left_over(&s));
		bspt_remove_directory(s.root);
	}
}

/* Tests two cases: another program holds the folder's lock; the file system has no locks, so no record is written. */
static void locks_are_honored(void **state)
{
	(void)state;
	scene_set s;
	intptr_t lock;
	bspi_set_system system = make_system();
	begin_set(&s, 0xf);
	begin_world(true);
	s.set.system = &system;
	assert_int_equal(bspi_set_native.lock(s.root, &lock), BSPI_SET_LOCKED);
	assert_false(bspi_file_set_begin(&s.set));
	assert_true(s.set.busy && is_old(&s));
	bspi_set_native.unlock(lock);
	world.has_locks = false;
	world.killed_after = FILE_COUNT + 1;
	publish(&s);
	assert_true(is_absent(s.target[0]) || !is_old(&s));
	bspt_remove_directory(s.root);
	begin_set(&s, 0xf);
	begin_world(true);
	world.has_locks = false;
	s.set.system = &system;
	assert_true(publish(&s));
	assert_true(is_new(&s) && nothing_is_left_over(&s));
	bspt_remove_directory(s.root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_call_may_fail),
		cmocka_unit_test(killed_programs_are_undone),
		cmocka_unit_test(killed_undoings_are_undone),
		cmocka_unit_test(files_of_others_stay),
		cmocka_unit_test(foreign_records_are_not_obeyed),
		cmocka_unit_test(folders_are_not_replaced),
		cmocka_unit_test(locks_are_honored),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
