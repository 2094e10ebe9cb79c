/* archive_diff.c - see archive_diff.h. Maps are paired by equal path, then by equal bytes, then by equal file name. */
#include "archive/diff/archive_diff.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "archive/catalog/work_budget.h"
#include "archive/diff/map_diff.h"
#include "cli/host/platform.h"
#include "cli/json.h"
#include "cli/report.h"

typedef struct side {
	bspscene_source *place;
	uint32_t count;                    /* number of maps */
	uint32_t *other;                   /* for each map, the index of the paired map of the other side, or NO_INDEX */
	cli_work_budget work;              /* work budget of an archive; the work for a directory is not limited */
} side;

typedef struct comparison {
	const cli_args *args;
	side sides[CLI_SIDES];
	json_t *removed, *added, *renamed, *same, *changed, *unread;
} comparison;

/* ---- Places ----------------------------------------------------------------------------------------------- */

static bspscene_source *open_side(const cli_args *args, const char *path, bool alone, bspscene_error *error)
{
	bspscene_source_options options;
	bspscene_source_options_init(&options);
	options.games = alone ? NULL : args->games;
	options.game_count = alone ? 0 : args->game_count;
	options.isolated = alone;
	return bspscene_source_open(path, &options, error);
}

bool cli_are_archives(const cli_args *args, const cli_diff_side sides[CLI_SIDES])
{
	bool several = false;
	if (sides[0].map || sides[1].map) return false;
	for (int i = 0; i < CLI_SIDES; i++) {
		bspscene_error error;
		bspscene_source *place = open_side(args, sides[i].path, true, &error);
		if (!place) return false;
		bool is_map = bspscene_source_kind_of(place) == BSPSCENE_SOURCE_MAP;
		several = several || bspscene_source_map_count(place) != 1;
		bspscene_source_free(place);
		if (is_map) return false;
	}
	return several;
}

void cli_diff_load_options(const cli_args *args, bspscene_load_options *options)
{
	bspscene_load_options_init(options);
	options->textures = BSPSCENE_TEXTURES_NAMES;
	options->identify = true;
	options->entity_source = args->entity_source;
	options->threads = args->threads;
	options->memory_limit = (uint64_t)args->memory_limit << 20;
}

static const char *path_of(const comparison *c, int number, uint32_t map)
{
	return bspscene_source_map_path(c->sides[number].place, map);
}

/* ---- Loading ---------------------------------------------------------------------------------------------- */

static void add_unread(comparison *c, const char *map, const char *why)
{
	json_array_append_new(c->unread, json_pack("{s:o,s:o}", "map", cli_json_text(map), "error", cli_json_text(why)));
}

static bool is_stopped(const comparison *c)
{
	return c->sides[0].work.is_met || c->sides[1].work.is_met;
}

/* Adds an entry to `unread` which says that the work budget ended the comparison at this map. Called at most once,
 * because no map is loaded after that. */
static void add_stop(comparison *c, int number, uint32_t map)
{
	char *why = cli_work_describe(&c->sides[number].work);
	const char *path = path_of(c, number, map);
	char *text = cli_format("stopped at %s, and later maps are not compared: %s", path, why);
	add_unread(c, path, text);
	free(text);
	free(why);
}

/* Loads a map within the work budget of its archive. Charges the size that the archive states before the load, and
 * corrects it to the true size after the load. Loads nothing once a budget is exceeded. Returns NULL, with *error, on
 * failure. */
static bspscene_scene *load_within(comparison *c, int number, uint32_t map, bspscene_load_options *options,
                                   bspscene_error *error)
{
	side *of = &c->sides[number];
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (is_stopped(c)) return NULL;
	bool is_open = bspscene_source_open_map(of->place, map, &stream, error);
	uint64_t known = is_open && stream.size != UINT64_MAX ? stream.size : 0;
	if (is_open && stream.close) stream.close(stream.user);
	bspscene_scene *scene = NULL;
	if (cli_work_take(&of->work, CLI_WORK_UNPACKED, known)) {
		options->allocator = cli_work_allocator(&of->work, false);
		scene = bspscene_source_load(of->place, map, options, error);
		cli_work_take_load(&of->work, scene, known);
	}
	if (!of->work.is_met) return scene;
	add_stop(c, number, map);
	bspscene_scene_free(scene);
	return NULL;
}

/* ---- Pairing ---------------------------------------------------------------------------------------------- */

static void join(comparison *c, uint32_t a, uint32_t b)
{
	c->sides[0].other[a] = b;
	c->sides[1].other[b] = a;
}

/* Pairs maps with equal paths. Both lists are sorted by path, ignoring case. */
static void pair_by_path(comparison *c)
{
	uint32_t i = 0, k = 0;
	while (i < c->sides[0].count && k < c->sides[1].count) {
		int order = strcasecmp(path_of(c, 0, i), path_of(c, 1, k));
		if (order == 0) join(c, i, k);
		i += order <= 0;
		k += order >= 0;
	}
}

/* Returns a text about an unpaired map, in new memory, or NULL if there is none. Maps with equal texts become pairs. */
typedef char *know_fn(comparison *c, int number, uint32_t map);

typedef struct known_map {
	char *name;
	uint32_t map;
} known_map;

static int compare_known(const void *a, const void *b)
{
	const known_map *one = a, *other = b;
	int order = strcasecmp(one->name, other->name);
	return order ? order : (one->map > other->map) - (one->map < other->map);
}

static known_map *list_known(comparison *c, int number, know_fn *know, uint32_t *count)
{
	const side *of = &c->sides[number];
	known_map *list = cli_allocate(of->count, sizeof *list);
	*count = 0;
	for (uint32_t i = 0; i < of->count; i++) {
		char *name = of->other[i] == BSPSCENE_NO_INDEX ? know(c, number, i) : NULL;
		if (name) list[(*count)++] = (known_map){ name, i };
	}
	if (*count) qsort(list, *count, sizeof *list, compare_known);
	return list;
}

static void free_known(known_map *list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) free(list[i].name);
	free(list);
}

/* Pairs unpaired maps whose keys are equal. If several maps have the same key, pairs them in their order. */
static void pair_by(comparison *c, know_fn *know)
{
	uint32_t count_a, count_b, i = 0, k = 0;
	known_map *a = list_known(c, 0, know, &count_a), *b = list_known(c, 1, know, &count_b);
	while (i < count_a && k < count_b) {
		int order = strcasecmp(a[i].name, b[k].name);
		if (order == 0) join(c, a[i].map, b[k].map);
		i += order <= 0;
		k += order >= 0;
	}
	free_known(a, count_a);
	free_known(b, count_b);
}

static char *know_by_file_name(comparison *c, int number, uint32_t map)
{
	const char *path = path_of(c, number, map), *slash = strrchr(path, '/');
	return cli_format("%s", slash ? slash + 1 : path);
}

static char *know_by_bytes(comparison *c, int number, uint32_t map)
{
	bspscene_load_options options;
	bspscene_error error;
	cli_diff_load_options(c->args, &options);
	options.parts = BSPSCENE_PARTS_ENTITIES;
	bspscene_scene *scene = load_within(c, number, map, &options, &error);
	char *bytes = scene ? cli_format("%s", scene->identity->bytes) : NULL;
	bspscene_scene_free(scene);
	return bytes;
}

/* ---- Comparing -------------------------------------------------------------------------------------------- */

static bspscene_scene *load(comparison *c, int number, uint32_t map)
{
	bspscene_load_options options;
	bspscene_error error;
	cli_diff_load_options(c->args, &options);
	bspscene_scene *scene = load_within(c, number, map, &options, &error);
	if (!scene && !is_stopped(c)) add_unread(c, path_of(c, number, map), error.message);
	return scene;
}

static bool is_same(const json_t *diff)
{
	const char *key;
	json_t *value;
	json_object_foreach(json_object_get(diff, "same"), key, value) {
		if (!json_is_true(value)) return false;
	}
	return true;
}

/* Compares two maps, and adds them to `same`, `renamed` or `changed`. False after an error, which is printed. */
static bool compare_scenes(comparison *c, uint32_t a, uint32_t b, const bspscene_scene *one,
                           const bspscene_scene *other)
{
	bspscene_error error;
	bspscene_entity_changes *changes = bspscene_compare_entities(one, other, &error);
	if (!changes) {
		cli_fail_error("", &error);
		return false;
	}
	const char *path_a = path_of(c, 0, a), *path_b = path_of(c, 1, b);
	json_t *diff = cli_diff_maps(one, other, changes);
	json_t *names = json_pack("{s:o,s:o}", "a", cli_json_text(path_a), "b", cli_json_text(path_b));
	if (!is_same(diff)) {
		json_object_update(names, diff);
		json_array_append(c->changed, names);
	} else if (strcasecmp(path_a, path_b) != 0) {
		json_array_append(c->renamed, names);
	} else {
		json_array_append_new(c->same, cli_json_text(path_a));
	}
	json_decref(names);
	json_decref(diff);
	bspscene_entity_changes_free(changes);
	return true;
}

static bool compare_maps(comparison *c)
{
	bool ok = true;
	for (uint32_t i = 0; i < c->sides[0].count && ok && !is_stopped(c); i++) {
		uint32_t k = c->sides[0].other[i];
		if (k == BSPSCENE_NO_INDEX) {
			json_array_append_new(c->removed, cli_json_text(path_of(c, 0, i)));
			continue;
		}
		bspscene_scene *a = load(c, 0, i), *b = a ? load(c, 1, k) : NULL;
		if (a && b) ok = compare_scenes(c, i, k, a, b);
		bspscene_scene_free(a);
		bspscene_scene_free(b);
	}
	for (uint32_t i = 0; i < c->sides[1].count; i++) {
		if (c->sides[1].other[i] != BSPSCENE_NO_INDEX) continue;
		json_array_append_new(c->added, cli_json_text(path_of(c, 1, i)));
	}
	return ok;
}

/* ---- Output ----------------------------------------------------------------------------------------------- */

static void print_names(const char *sign, const json_t *names)
{
	for (size_t i = 0; i < json_array_size(names); i++) {
		cli_print("%s %s", sign, json_string_value(json_array_get(names, i)));
	}
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static void print_changed(const json_t *changed)
{
	for (size_t i = 0; i < json_array_size(changed); i++) {
		const json_t *diff = json_array_get(changed, i);
		char *what = cli_sum_up_map_diff(diff);
		const char *a = text_of(diff, "a"), *b = text_of(diff, "b");
		bool one_name = !strcasecmp(a, b);
		cli_print("* %s%s%s: %s", a, one_name ? "" : " -> ", one_name ? "" : b, what);
		free(what);
	}
}

static cli_exit print_text(const comparison *c)
{
	print_names("-", c->removed);
	print_names("+", c->added);
	for (size_t i = 0; i < json_array_size(c->renamed); i++) {
		const json_t *names = json_array_get(c->renamed, i);
		cli_print("= %s -> %s", text_of(names, "a"), text_of(names, "b"));
	}
	print_changed(c->changed);
	cli_print("maps      %zu removed, %zu added, %zu renamed, %zu changed, %zu the same", json_array_size(c->removed),
	          json_array_size(c->added), json_array_size(c->renamed), json_array_size(c->changed),
	          json_array_size(c->same));
	return cli_finish_stdout();
}

static cli_exit print_all(const comparison *c)
{
	cli_exit status;
	json_t *maps = json_pack("{s:O,s:O,s:O,s:O,s:O,s:O}", "removed", c->removed, "added", c->added, "renamed",
	                         c->renamed, "changed", c->changed, "same", c->same, "unread", c->unread);
	if (c->args->json) status = cli_json_print(json_pack("{s:O}", "maps", maps));
	else status = print_text(c);
	json_decref(maps);
	for (size_t i = 0; i < json_array_size(c->unread); i++) {
		status = cli_fail("%s", text_of(json_array_get(c->unread, i), "error"));
	}
	return status;
}

/* ---- The whole comparison
 * -------------------------------------------------------------------------------------------- */

static bool open_sides(comparison *c, const cli_diff_side sides[CLI_SIDES])
{
	for (int i = 0; i < CLI_SIDES; i++) {
		bspscene_error error;
		side *of = &c->sides[i];
		const char *problem;
		of->place = open_side(c->args, sides[i].path, false, &error);
		if (!of->place) {
			cli_fail("%s", error.message);
			return false;
		}
		for (uint32_t k = 0; (problem = bspscene_source_problem(of->place, k)); k++) {
			cli_warn(c->args, "left out: %s", problem);
		}
		cli_work_begin_archive(&of->work, sides[i].path);
		of->count = bspscene_source_map_count(of->place);
		of->other = cli_allocate(of->count, sizeof *of->other);
		for (uint32_t k = 0; k < of->count; k++) of->other[k] = BSPSCENE_NO_INDEX;
	}
	return true;
}

cli_exit cli_diff_archives(const cli_args *args, const cli_diff_side sides[CLI_SIDES])
{
	comparison c = {
		.args = args, .removed = json_array(), .added = json_array(), .renamed = json_array(), .same = json_array(),
		.changed = json_array(), .unread = json_array(),
	};
	cli_exit status = CLI_FAILED;
	if (open_sides(&c, sides)) {
		pair_by_path(&c);
		pair_by(&c, know_by_bytes);
		pair_by(&c, know_by_file_name);
		if (compare_maps(&c)) status = print_all(&c);
	}
	for (int i = 0; i < CLI_SIDES; i++) {
		bspscene_source_free(c.sides[i].place);
		free(c.sides[i].other);
	}
	json_t *const lists[] = { c.removed, c.added, c.renamed, c.same, c.changed, c.unread };
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) json_decref(lists[i]);
	return status;
}
