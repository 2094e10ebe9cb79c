/* source.c - what the user named, a map, an archive or a game directory, to one loaded map. See source.h. */
#include "source.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "inputs.h"
#include "progress.h"
#include "report.h"

enum { MAPS_NAMED = 8 };

static bool ends_with(const char *text, const char *end)
{
	size_t a = strlen(text), b = strlen(end);
	return a >= b && !strcasecmp(text + a - b, end);
}

static bool starts_with(const char *text, const char *start)
{
	return !strncasecmp(text, start, strlen(start));
}

static bool is_directory(const char *path)
{
	struct stat info;
	return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* The directory of a file, as an absolute path without links; NULL when it cannot be found. */
static char *directory_of(const char *path)
{
	size_t length = (size_t)(last_part(path) - path);
	char *directory = length ? cli_format("%.*s", (int)length, path) : cli_format(".");
	char *real = realpath(directory, NULL);
	free(directory);
	return real;
}

/* <game> of <game>/maps/x.bsp and <game>/maps/sub/x.bsp; NULL when no directory above is named maps. */
static char *game_of(const char *map_file)
{
	char *path = directory_of(map_file);
	while (path && *path) {
		char *part = strrchr(path, '/');
		bool found = part && !strcasecmp(part + 1, "maps");
		if (part) *part = 0;
		else *path = 0;
		if (found) {
			if (*path) return path;
			free(path);
			return cli_format("/");
		}
	}
	free(path);
	return NULL;
}

/* Does a directory hold archives besides this one? Then it is a game's, and they belong together. */
static bool has_other_archives(const char *directory, const char *archive)
{
	static const char *const endings[] = { ".pk3", ".pk4", ".pak", ".vpk" };
	DIR *listing = opendir(directory);
	if (!listing) return false;
	bool found = false;
	for (const struct dirent *entry; !found && (entry = readdir(listing));) {
		for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
			found |= ends_with(entry->d_name, endings[i]) && strcmp(entry->d_name, archive) != 0;
		}
	}
	closedir(listing);
	return found;
}

/* ---- Finding maps ----------------------------------------------------------------------------------------- */

char *cli_map_name(const char *map_path)
{
	size_t length = strlen(map_path);
	if (starts_with(map_path, "maps/") && ends_with(map_path, ".bsp")) {
		return cli_format("%.*s", (int)(length - 9), map_path + 5);
	}
	return cli_format("%s", map_path);
}

static void add_map(void *user, const char *path)
{
	cli_source *source = user;
	uint32_t count = source->map_count;
	if ((count & (count + 1)) == 0) {
		char **longer = realloc(source->maps, ((size_t)count + 1) * 2 * sizeof *longer);
		if (!longer) cli_end_without_memory();
		source->maps = longer;
	}
	source->maps[source->map_count++] = cli_format("%s", path);
}

static int compare_paths(const void *a, const void *b)
{
	return strcasecmp(*(char *const *)a, *(char *const *)b);
}

static void find_maps(cli_source *source)
{
	bspscene_files_list(source->place, "", ".bsp", add_map, source);
	if (source->map_count == 0) return;
	qsort(source->maps, source->map_count, sizeof *source->maps, compare_paths);
	uint32_t kept = 1;
	for (uint32_t i = 1; i < source->map_count; i++) {
		if (compare_paths(&source->maps[i], &source->maps[kept - 1])) source->maps[kept++] = source->maps[i];
		else free(source->maps[i]);
	}
	source->map_count = kept;
}

/* Does --map NAME mean this path? "oa_dm1", "oa_dm1.bsp", "maps/oa_dm1" and "maps/oa_dm1.bsp" all do. */
static bool is_called(const char *path, const char *name)
{
	char *wanted = ends_with(name, ".bsp") ? cli_format("%s", name) : cli_format("%s.bsp", name);
	for (char *c = wanted; *c; c++) {
		if (*c == '\\') *c = '/';
	}
	bool same = !strcasecmp(path, wanted) || (starts_with(path, "maps/") && !strcasecmp(path + 5, wanted));
	free(wanted);
	return same;
}

/* ---- Opening ---------------------------------------------------------------------------------------------- */

static bspscene_files *create_files(void)
{
	bspscene_files *files = bspscene_files_create();
	if (!files) cli_end_without_memory();
	return files;
}

/* A directory is a game's, with the archives in it. args NULL: without warnings. */
static bool mount(bspscene_files *files, const char *path, const cli_args *args, bspscene_error *error)
{
	*error = (bspscene_error){ 0 };
	bool ok = is_directory(path) ? bspscene_files_mount_game(files, path, error)
	                             : bspscene_files_mount(files, path, error);
	if (ok && error->status && args) cli_warn(args, "left out: %s", error->message);
	return ok;
}

/* Is it to be loaded as a map? What cannot be read is, so that loading it says why, and so is a pipe, which can be read
 * only once. */
static bool is_map(const char *path)
{
	struct stat info;
	if (stat(path, &info) || !(S_ISREG(info.st_mode) || S_ISDIR(info.st_mode))) return true;
	if (S_ISDIR(info.st_mode)) return false;
	unsigned char head[4096];
	FILE *file = fopen(path, "rb");
	if (!file) return true;
	size_t size = fread(head, 1, sizeof head, file);
	bool failed = ferror(file) != 0;
	fclose(file);
	return failed || bspscene_probe(head, size, NULL);
}

cli_exit cli_source_open(cli_source *source, const cli_args *args)
{
	*source = (cli_source){ .kind = CLI_SOURCE_MAP, .path = args->source };
	if (is_map(args->source)) return CLI_DONE;
	source->place = create_files();
	bspscene_error error;
	if (mount(source->place, args->source, args, &error)) {
		source->kind = is_directory(args->source) ? CLI_SOURCE_DIRECTORY : CLI_SOURCE_ARCHIVE;
		find_maps(source);
		return CLI_DONE;
	}
	if (error.status != BSPSCENE_ERROR_UNKNOWN_FORMAT) return cli_fail("%s", error.message);
	/* Neither map nor archive: loading it as a map says what it is instead. */
	bspscene_files_free(source->place);
	source->place = NULL;
	return CLI_DONE;
}

/* Names some of the maps, for messages. */
static char *name_maps(const cli_source *source)
{
	char *list = NULL;
	for (uint32_t i = 0; i < source->map_count && i < MAPS_NAMED; i++) {
		char *name = cli_map_name(source->maps[i]);
		cli_append(&list, name);
		free(name);
	}
	if (source->map_count > MAPS_NAMED) cli_append(&list, "...");
	return list;
}

/* The map called `name`, first by the name that list prints; map_count when there is none. */
static uint32_t find_map(const cli_source *source, const char *name)
{
	for (uint32_t i = 0; i < source->map_count; i++) {
		char *listed = cli_map_name(source->maps[i]);
		bool found = !strcasecmp(listed, name);
		free(listed);
		if (found) return i;
	}
	uint32_t number = 0;
	while (number < source->map_count && !is_called(source->maps[number], name)) number++;
	return number;
}

static cli_exit choose_in_place(cli_source *source, const char *name)
{
	if (source->map_count == 0) return cli_fail("%s: no maps (*.bsp) in it", source->path);
	uint32_t chosen = 0;
	char *names = name_maps(source);
	cli_exit status = CLI_DONE;
	if (name) {
		chosen = find_map(source, name);
		if (chosen == source->map_count) {
			status = cli_fail("%s: no map \"%s\" in it; there is %s", source->path, name, names);
		}
	} else if (source->map_count > 1) {
		status = cli_usage("%s: holds %u maps, choose one with --map: %s", source->path, source->map_count, names);
	}
	free(names);
	if (status != CLI_DONE) return status;
	source->map_path = cli_format("%s", source->maps[chosen]);
	source->label = cli_format("%s: %s", source->path, source->map_path);
	return CLI_DONE;
}

/* The game directory that belongs to the source without being named; NULL when there is none. */
static char *find_own_game(const cli_source *source)
{
	if (source->kind == CLI_SOURCE_MAP) return game_of(source->path);
	if (source->kind == CLI_SOURCE_DIRECTORY) return NULL;
	char *directory = directory_of(source->path);
	if (directory && has_other_archives(directory, last_part(source->path))) return directory;
	free(directory);
	return NULL;
}

/* The game directories of --game first, then what belongs to the source, which wins over them. */
static cli_exit mount_all(cli_source *source, const cli_args *args)
{
	char *own = find_own_game(source);
	if (source->place && !own && args->game_count == 0) {
		source->files = source->place;
		return CLI_DONE;
	}
	source->files = create_files();
	bspscene_error error;
	bool ok = true;
	for (uint32_t i = 0; i < args->game_count && ok; i++) ok = mount(source->files, args->games[i], args, &error);
	if (ok && own && !mount(source->files, own, args, &error)) cli_warn(args, "left out: %s", error.message);
	if (ok && source->place) ok = mount(source->files, source->path, NULL, &error);
	free(own);
	return ok ? CLI_DONE : cli_fail("%s", error.message);
}

cli_exit cli_source_choose(cli_source *source, const cli_args *args)
{
	if (source->kind == CLI_SOURCE_MAP) {
		if (args->map && !is_called(last_part(source->path), args->map)) {
			return cli_usage("%s: a map itself; --map chooses one in an archive or game directory", source->path);
		}
		source->label = cli_format("%s", source->path);
	} else {
		cli_exit status = choose_in_place(source, args->map);
		if (status != CLI_DONE) return status;
	}
	return mount_all(source, args);
}

void cli_source_close(cli_source *source)
{
	if (source->files != source->place) bspscene_files_free(source->files);
	bspscene_files_free(source->place);
	for (uint32_t i = 0; i < source->map_count; i++) free(source->maps[i]);
	free(source->maps);
	free(source->map_path);
	free(source->label);
	*source = (cli_source){ 0 };
}

/* ---- Loading ---------------------------------------------------------------------------------------------- */

static bspscene_scene *load(const cli_source *source, const bspscene_load_options *options, bspscene_error *error)
{
	if (!source->map_path) return bspscene_load_file(source->path, options, error);
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (bspscene_files_open(source->place, &stream, source->map_path, BSPSCENE_FILE_MAP)) {
		return bspscene_load_stream(&stream, options, error);
	}
	snprintf(error->message, sizeof error->message, "%s: cannot be read from the archive", source->map_path);
	return NULL;
}

bspscene_scene *cli_load(cli_source *source, const cli_args *args, bspscene_load_options *options, cli_exit *status)
{
	*status = cli_source_open(source, args);
	if (*status == CLI_DONE) *status = cli_source_choose(source, args);
	if (*status == CLI_DONE && args->output && cli_is_input(source, args->output)) {
		*status = cli_usage("%s: is read from; what is written needs another name", args->output);
	}
	if (*status != CLI_DONE) return NULL;

	cli_progress progress;
	cli_progress_begin(&progress, args);
	options->name = source->map_path;
	options->open_file = bspscene_files_open;
	options->list_files = bspscene_files_list;
	options->file_user = source->files;
	options->progress = cli_progress_step;
	options->progress_user = &progress;
	options->include |= args->include;
	if (args->patch_error > 0) options->patch_error = args->patch_error;
	options->metres_per_unit = args->metres_per_unit;
	options->strict = args->strict;
	options->missing = args->missing;
	options->lump_patches = args->lump_patches;
	options->engine = args->engine;
	options->memory_limit = (uint64_t)args->memory_limit << 20;
	bspscene_error error;
	bspscene_scene *scene = load(source, options, &error);
	cli_progress_end(&progress);
	if (scene) {
		cli_warn_of_scene(args, scene, source->files);
	} else if (source->map_path) {
		char *prefix = cli_format("%s: ", source->path);
		*status = cli_fail_error(prefix, &error);
		free(prefix);
	} else {
		*status = cli_fail_error("", &error);
	}
	return scene;
}
