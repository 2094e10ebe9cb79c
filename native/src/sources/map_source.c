/* map_source.c - see bspscene/source.h. Opens a source: finds out what the path is, and mounts all files that belong to
 * it. */
#include "sources/open_source.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bspscene/binding.h>

#include "assembly/assembly.h"
#include "base/caller_struct.h"
#include "base/text.h"
#include "file_system/game.h"
#include "io/io.h"
#include "io/system.h"
#include "io/unpack.h"
#include "map/family.h"
#include "models/alone/model_map.h"

/* Limit in bytes for paths, names and problems. A game with a million maps needs about 100 MB. */
#define MEMORY_LIMIT ((uint64_t)1 << 30)
enum {
	HEAD_SIZE = 4096,                  /* enough bytes to recognize a map's family */
	PACKED_HEAD_SIZE = 1 << 20         /* enough for the first block of bzip2, which has at most 900 KB */
};

/* ---- Recognizing the file ---------------------------------------------------------------------------------- */

/* Sets the error for a file that is neither a map of a known family nor an archive. Returns false. */
static bool fail_foreign(const bspscene_source *place, bspi_bytes head, bspscene_error *error)
{
	bspi_ctx ctx = { .file = place->path };
	bspi_fail_foreign(&ctx, head);
	if (error) *error = ctx.error;
	return false;
}

/* Finds out if the file is a map, a model, assemblies or an archive. It may be compressed. If it is an archive,
 * *archive is opened. */
static bool tell_kind(bspscene_source *place, bspi_mount **archive, bspscene_error *error)
{
	uint8_t unpacked[HEAD_SIZE];
	bspi_bytes head;
	bspscene_error why;
	BSPI_TRY(bspi_read_place_head(place, HEAD_SIZE, &head, error));
	if (bspi_tell_map_kind(head, &place->map_kind)) return true;
	place->is_model = bspi_model_format_of(head) != NULL;
	place->is_assembly = bspi_is_assembly_text(head);
	if (place->is_model || place->is_assembly) return true;
	bspi_packing packing = bspi_packing_of(head);
	if (packing != BSPI_PACKING_NONE && bspi_packing_known(packing)) {
		BSPI_TRY(bspi_read_place_head(place, PACKED_HEAD_SIZE, &head, error));
		head = bspi_bytes_of(unpacked, bspi_unpack_head(head, unpacked, sizeof unpacked));
		if (bspi_tell_map_kind(head, &place->map_kind)) return true; /* if it is not a map, it may be a compressed
		                                                              * tar archive */
	}
	const bspi_heap *heap = bspi_file_system_heap(place->files);
	*archive = place->in_memory ? bspi_mount_open_memory(heap, place->path, place->data, NULL, &why)
	                            : bspi_mount_open(heap, place->path, &why);
	if (*archive) {
		place->kind = BSPSCENE_SOURCE_ARCHIVE;
		return true;
	}
	if (why.status == BSPSCENE_ERROR_UNKNOWN_FORMAT) return fail_foreign(place, head, error);
	if (error) *error = why;
	return false;
}

/* ---- Files of the source ----------------------------------------------------------------------------------- */

static bool add_problem(bspscene_source *place, const char *message, bspscene_error *error)
{
	const char **problems = bspi_arena_alloc(&place->arena, place->problem_count + (size_t)1, sizeof *problems);
	const char *copy = bspi_source_copy(place, message, strlen(message));
	if (!problems || !copy) return bspi_source_fail_memory(place, error);
	if (place->problem_count) memcpy(problems, place->problems, place->problem_count * sizeof *problems);
	problems[place->problem_count++] = copy;
	place->problems = problems;
	return true;
}

/* Mounts a directory as a game. `but` is an archive in it that is not mounted here, because it is mounted later; or
 * NULL. */
static bool mount_alone(bspscene_source *place, const char *path, const char *but, bspscene_error *error)
{
	bspscene_error why = { 0 };
	bool ok = bspi_is_directory(path) ? bspi_file_system_mount_game_but(place->files, path, but, &why)
	                                  : bspscene_file_system_mount(place->files, path, &why);
	if (ok && why.status) return add_problem(place, why.message, error);
	if (!ok && error) *error = why;
	return ok;
}

static bool is_same_file(const char *a, const char *b)
{
	char *real_a = bspi_system_real_path(a), *real_b = bspi_system_real_path(b);
	bool same = real_a && real_b && !strcmp(real_a, real_b);
	free(real_a);
	free(real_b);
	return same;
}

static bool is_mounted(const bspscene_source *place, const char *path)
{
	const char *mounted;
	for (uint32_t i = 0; (mounted = bspscene_file_system_search_path(place->files, i)); i++) {
		if (is_same_file(mounted, path)) return true;
	}
	return false;
}

static bool tell_rivals(bspscene_source *place, const char *directory, const bspi_base_games *bases,
                        bspscene_error *error)
{
	bspscene_error problem;
	if (!bases->rivals[0]) return true;
	bspi_error_set(&problem, BSPSCENE_ERROR_NOT_FOUND,
	               "%s: it may be a mod of %s or of %s, which both lie next to it: name its game with --game DIR",
	               directory, bases->rivals[0], bases->rivals[1]);
	return add_problem(place, problem.message, error);
}

/* Mounts the base games of a directory. Their priority is lower than that of all files of the directory. Base games
 * that cannot be read become problems. */
static bool mount_bases(bspscene_source *place, const char *directory, bspscene_error *error)
{
	bspi_base_games bases;
	char *real = bspi_is_directory(directory) ? bspi_system_real_path(directory) : NULL;
	if (!real) return true;
	bspi_map_kind kind = place->map_kind.family ? place->map_kind : bspi_map_kind_of_game(&place->arena, real);
	bool ok = bspi_find_base_games(&place->arena, real, kind, &bases) ||
	          bspi_source_fail_memory(place, error);
	ok = ok && tell_rivals(place, real, &bases, error);
	uint32_t first = bspi_file_system_mount_count(place->files);
	for (uint32_t i = 0; ok && i < bases.count; i++) {
		bspscene_error why = { 0 };
		if (is_mounted(place, bases.paths[i])) continue;
		ok = mount_alone(place, bases.paths[i], NULL, &why) || add_problem(place, why.message, error);
	}
	bspi_file_system_mark_bases(place->files, first);
	free(real);
	return ok;
}

static bool mount(bspscene_source *place, const char *path, const char *but, bspscene_error *error)
{
	return mount_bases(place, path, error) && mount_alone(place, path, but, error);
}

/* Finds the game of a map that the host gave as bytes in memory. It follows from the path that the host gave with
 * them. */
static bool find_named_game(bspscene_source *place, bspscene_error *error)
{
	size_t size = strlen(place->path);
	while (size && place->path[size - 1] != '/' && place->path[size - 1] != '\\') size--;
	char *directory = bspi_source_copy(place, place->path, size);
	if (!directory) return bspi_source_fail_memory(place, error);
	if (bspi_cut_game(directory)) place->game = directory;
	return true;
}

/* Finds the game to which the source belongs. If `alone` is true, an archive does not belong to a game. */
static bool find_game(bspscene_source *place, bool alone, bspscene_error *error)
{
	if (place->in_memory) return find_named_game(place, error);
	if (place->kind == BSPSCENE_SOURCE_GAME || (alone && place->kind == BSPSCENE_SOURCE_ARCHIVE)) return true;
	char *real = bspi_real_directory(place->path);
	bool is_map = place->kind == BSPSCENE_SOURCE_MAP && !place->is_model && !place->is_assembly;
	if (real && is_map && !alone) place->game_above = bspi_find_game_above(&place->arena, real, place->map_kind);
	bool found = real && (place->is_model || (place->kind == BSPSCENE_SOURCE_MAP ? bspi_cut_game(real)
	                                          : bspi_is_game(real, bspi_last_part(place->path))));
	if (found && place->is_model) bspi_cut_model_game(real);
	if (found) place->game = bspi_source_copy(place, real, strlen(real));
	free(real);
	if (found && !place->game) return bspi_source_fail_memory(place, error);
	if (!place->game) place->game = place->game_above;
	if (place->game && place->game_above && !strcmp(place->game, place->game_above)) place->game_above = NULL;
	return true;
}

/* Returns the path "game/archive", if the archive was found in the directory of a game. */
static const char *archive_in_game(bspscene_source *place)
{
	const char *name = bspi_last_part(place->path);
	size_t size = strlen(place->game) + strlen(name) + 2;
	char *path = bspi_arena_alloc(&place->arena, size, 1);
	if (path) snprintf(path, size, "%s/%s", place->game, name);
	return path;
}

/* Mounts the game to which the source belongs. If it cannot be read, that becomes a problem of the source, not an
 * error. */
static bool mount_around(bspscene_source *place, bspscene_error *error)
{
	bspscene_error why = { 0 };
	const char *but = NULL;
	if (!place->game || place->in_memory) return true;
	if (place->kind == BSPSCENE_SOURCE_ARCHIVE) {
		but = archive_in_game(place);
		if (!but) return bspi_source_fail_memory(place, error);
	}
	bool ok = !place->game_above || mount(place, place->game_above, NULL, &why) ||
	          add_problem(place, why.message, error);
	return ok && (mount(place, place->game, but, &why) || add_problem(place, why.message, error));
}

/* True if game number `index` of the options will be mounted later anyway, with a higher priority: as the source
 * itself, as the source's game, or as a later game of the options. The caller then does not mount it now. */
static bool comes_again(const bspscene_source *place, const bspscene_source_options *options, uint32_t index)
{
	const char *path = options->games[index];
	bool around = place->game && !place->in_memory && !options->isolated;
	if (around && is_same_file(path, place->game)) return true;
	if (!place->in_memory && place->kind != BSPSCENE_SOURCE_MAP && is_same_file(path, place->path)) return true;
	for (uint32_t i = index + 1; i < options->game_count; i++) {
		if (is_same_file(path, options->games[i])) return true;
	}
	return false;
}

/* If a game is installed in the directory `path`, mounts the game's own directory. `path` itself is mounted already.
 * This is for the games of the options; look_below does the same for the source itself. */
static bool mount_installed(bspscene_source *place, const char *path, bspscene_error *error)
{
	bspscene_error why = { 0 };
	bool below = bspi_is_directory(path) && !bspi_is_game(path, "");
	const char *game = below ? bspi_installed_game(&place->arena, path) : NULL;
	if (!game || is_mounted(place, game)) return true;
	return mount(place, game, NULL, &why) || add_problem(place, why.message, error);
}

static bool mount_games(bspscene_source *place, const bspscene_source_options *options, bspscene_error *error)
{
	for (uint32_t i = 0; i < options->game_count; i++) {
		bspscene_error why = { 0 };
		if (comes_again(place, options, i)) continue;
		if (mount(place, options->games[i], NULL, &why)) {
			BSPI_TRY(mount_installed(place, options->games[i], error));
			continue;
		}
		if (options->skip_bad_games) {
			BSPI_TRY(add_problem(place, why.message, error));
		} else {
			if (error) *error = why;
			return false;
		}
	}
	return true;
}

/* Sets the dates of entity files, which Xash3D compares. */
static void date_entities(bspscene_source *place)
{
	bool is_game = place->kind == BSPSCENE_SOURCE_GAME;
	bspi_map_kind kind = is_game ? bspi_map_kind_of_game(&place->arena, place->path) : place->map_kind;
	if (place->in_memory || !kind.family || strcmp(kind.family, "goldsrc") != 0) return;
	bspi_file_system_date_entities(place->files, place->kind == BSPSCENE_SOURCE_MAP ? place->path : NULL);
}

/* Mounts the files next to a map. If the map is in a game's maps/, that is only needed for WADs, because the game has
 * all other files. */
static bool mount_files_beside(bspscene_source *place, bspscene_error *error)
{
	bspi_mount *found[2];
	const char *slash = strrchr(place->path, '/'), *family = place->map_kind.family;
	bool in_maps = place->game && slash && slash - place->path >= 4 && bspi_text_starts(slash - 4, "maps/");
	bool wads = family && !strcmp(family, "goldsrc");
	if (in_maps && !wads) return true;
	BSPI_TRY(bspi_mount_files_beside(place->path, !in_maps, wads, found, error));
	bool ok = !found[1] || bspi_file_system_add(place->files, found[1], error);
	if (!ok) bspi_mount_close(found[0]);
	return ok && (!found[0] || bspi_file_system_add(place->files, found[0], error));
}

/* Adds problems for skipped files of the source itself. Skipped files of other mounted games are not reported. */
static bool tell_skipped_names(bspscene_source *place, uint32_t first, bspscene_error *error)
{
	for (uint32_t i = first; i < bspi_file_system_mount_count(place->files); i++) {
		bspscene_error problem;
		const char *origin;
		uint32_t count = bspi_file_system_skipped_in(place->files, i, &origin);
		if (!count) continue;
		bspi_error_set(&problem, BSPSCENE_ERROR_IO, "%s: %u file%s", origin, count, count == 1 ?
		               " whose name has control characters, is too long or leads out of it" :
		               "s whose names have control characters, are too long or lead out of it");
		BSPI_TRY(add_problem(place, problem.message, error));
	}
	return true;
}

/* Mounts everything, in increasing priority: the games of the options, the game to which the source belongs, and the
 * source itself. */
static bool mount_all(bspscene_source *place, const bspscene_source_options *options, bspi_mount *archive,
                      uint32_t *first, bspscene_error *error)
{
	bool is_game = place->kind == BSPSCENE_SOURCE_GAME;
	bool ok = find_game(place, options->isolated, error) && mount_games(place, options, error) &&
	          (options->isolated || (is_game ? mount_bases(place, place->path, error) : mount_around(place, error)));
	*first = bspi_file_system_mount_count(place->files);
	date_entities(place);
	if (archive) {
		ok = ok && bspi_mount_name_companions(archive, error);
		if (ok) return bspi_file_system_add(place->files, archive, error) && tell_skipped_names(place, *first, error);
		bspi_mount_close(archive);
		return false;
	}
	if (ok && place->kind == BSPSCENE_SOURCE_MAP && !place->is_model && !place->in_memory && !options->isolated) {
		ok = mount_files_beside(place, error);
	}
	if (!ok || place->kind != BSPSCENE_SOURCE_GAME) return ok;
	place->game = place->path;
	return mount_alone(place, place->path, NULL, error) && tell_skipped_names(place, *first, error);
}

/* Handles a directory without maps. If a game is installed in it, the game's own directory becomes the source. */
static bool look_below(bspscene_source *place, bspscene_error *error)
{
	if (place->kind != BSPSCENE_SOURCE_GAME || place->map_count) return true;
	const char *game = bspi_installed_game(&place->arena, place->path);
	if (!game) return true;
	place->game = game;
	BSPI_TRY(mount_bases(place, game, error));
	uint32_t first = bspi_file_system_mount_count(place->files);
	return mount_alone(place, game, NULL, error) && bspi_find_source_maps(place, first, error);
}

/* ---- Opening ----------------------------------------------------------------------------------------------- */

static bool open_place(bspscene_source *place, const char *path, const bspscene_source_options *options,
                       bspscene_error *error)
{
	bspi_mount *archive = NULL;
	uint32_t first;
	char *copy = bspi_source_copy(place, path, strlen(path));
	if (copy) bspi_system_fold(copy);
	place->path = copy;
	place->files = bspscene_file_system_create(options->allocator);
	if (!place->path || !place->files) return bspi_source_fail_memory(place, error);
	place->in_memory = options->data != NULL;
	place->data = bspi_bytes_of(options->data, options->data ? options->size : 0);
	if (!place->in_memory && bspi_is_directory(path)) place->kind = BSPSCENE_SOURCE_GAME;
	else BSPI_TRY(tell_kind(place, &archive, error));
	return mount_all(place, options, archive, &first, error) && bspi_find_source_maps(place, first, error) &&
	       look_below(place, error) && bspi_add_place_model(place, options->model, error);
}

bool bspi_read_source_options(const bspscene_source_options *given, bspscene_source_options *out,
                              bspscene_error *error)
{
	bspscene_source_options_init(out);
	const size_t first_size = BSPI_END_OF(bspscene_source_options, allocator);
	return !given || bspscene_struct_read(out, sizeof *out, first_size, given, "source_options", error);
}

bspscene_source *bspscene_source_open(const char *path, const bspscene_source_options *options, bspscene_error *error)
{
	assert(path);
	bspscene_source_options known;
	if (error) *error = (bspscene_error){ .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET };
	if (!bspi_read_source_options(options, &known, error)) return NULL;
	assert(!known.game_count || known.games);
	const bspi_heap heap = { .allocator = known.allocator ? *known.allocator : bspi_system_heap.allocator };
	bspscene_source *place = bspi_heap_take_zeroed(&heap, sizeof *place);
	if (!place) {
		bspi_source_fail_memory(NULL, error);
		return NULL;
	}
	place->budget.limit = MEMORY_LIMIT;
	place->budget.heap = heap;
	bspi_arena_init(&place->arena, &place->budget);
	if (open_place(place, path, &known, error)) return place;
	bspscene_source_free(place);
	return NULL;
}

void bspscene_source_free(bspscene_source *place)
{
	if (!place) return;
	bspscene_file_system_free(place->files);
	bspi_arena_reset(&place->arena);
	const bspi_heap heap = place->budget.heap;
	bspi_heap_give(&heap, place);
}

/* ---- Queries ----------------------------------------------------------------------------------------------- */

bspscene_source_kind bspscene_source_kind_of(const bspscene_source *place)
{
	assert(place);
	return place->kind;
}

const char *bspscene_source_game(const bspscene_source *place)
{
	assert(place);
	return place->game;
}

bspscene_file_system *bspscene_source_file_system(const bspscene_source *place)
{
	assert(place);
	return place->files;
}

const char *bspscene_source_problem(const bspscene_source *place, uint32_t index)
{
	assert(place);
	return index < place->problem_count ? place->problems[index] : NULL;
}

uint32_t bspscene_source_map_count(const bspscene_source *place)
{
	assert(place);
	return place->map_count;
}

const char *bspscene_source_map_name(const bspscene_source *place, uint32_t map)
{
	assert(place && map < place->map_count);
	return place->maps[map].name;
}

const char *bspscene_source_map_path(const bspscene_source *place, uint32_t map)
{
	assert(place && map < place->map_count);
	return place->maps[map].path;
}
