/* companions.c - see companions.h.
 *
 * A readme may have any name. In an archive it belongs to all maps in and below its folder, unless its name begins with
 * the name of one map. On the disk, it belongs to the map or archive in its folder if there is only one. If there are
 * several, its name must begin with the name of a map or archive, and it belongs to that one. */
#include "archive/catalog/companions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "archive/catalog/companion_names.h"
#include "archive/store/roots.h"
#include "cli/host/platform.h"
#include "cli/json.h"
#include "cli/read_stream.h"
#include "cli/report.h"
#include "cli/text_set.h"

#define LARGEST_SCRIPT ((uint64_t)1 << 20)
/* A folder around a single map that has more texts than this is probably not about the map. So its texts are left
 * out. */
enum { MOST_AROUND_ONE = 8 };

/* Files NAME.ENDING that usually belong to map NAME. */
static const struct {
	const char *folder;                /* a folder next to the map's folder; NULL: the map's folder */
	const char *ending;
} rows[] = {
	{ NULL, ".txt" },         { NULL, ".lit" },         { NULL, ".ent" },          { NULL, ".lux" },
	{ NULL, ".vis" },         { NULL, ".loc" },         { NULL, ".nav" },          { NULL, ".aas" },
	{ NULL, ".rad" },         { NULL, ".res" },         { NULL, ".jpg" },          { NULL, ".srf" },
	{ NULL, ".mapinfo" },     { NULL, ".jpeg" },        { NULL, ".png" },          { NULL, ".tga" },
	{ "levelshots", ".jpg" }, { "levelshots", ".tga" }, { "levelshots", ".png" },  { "levelshots", ".jpeg" },
	{ "scripts", ".arena" },  { "scripts", ".shader" }, { "scripts", ".defi" },    { "screenshots", ".jpg" },
	{ "overviews", ".txt" },
};

/* A list of companions that is being filled. */
typedef struct listing {
	const cli_surroundings *from;
	json_t *array;
	bool is_own;                       /* true: a list of paths in the map's own folder or archive; false: a list of
	                                    * places in an outer archive, or on the disk next to the outermost one */
	uint32_t level;                    /* index of the archive that is searched (0: outermost); for a search on the disk
	                                    * (is_disk) also 0 */
	bool is_disk;
	cli_text_set known;                /* companions found already */
	uint32_t texts;
} listing;

static char lower(char letter)
{
	return letter >= 'A' && letter <= 'Z' ? (char)(letter + 'a' - 'A') : letter;
}

static void add(listing *to, const char *path)
{
	const cli_surroundings *from = to->from;
	bool is_new;
	char *key = cli_format("%s", path);
	/* Case does not matter for names in archives, so they are stored in lowercase. */
	for (char *at = key; *at && !to->is_disk; at++) *at = lower(*at);
	cli_text_set_add(&to->known, key, &is_new);
	free(key);
	if (!is_new) return;
	if (to->is_own) {
		char *published = to->is_disk ? cli_publish_text(path, from->args) : NULL;
		json_array_append_new(to->array, cli_json_text(published ? published : path));
		free(published);
		return;
	}
	json_t *place = json_object(), *members = json_array();
	for (uint32_t i = 1; !to->is_disk && i <= to->level; i++) {
		json_array_append_new(members, cli_json_text(from->members->levels[i].name));
	}
	if (!to->is_disk) json_array_append_new(members, cli_json_text(path));
	cli_set_published_path(place, to->is_disk ? path : from->path, from->args);
	json_object_set_new(place, "members", members);
	json_array_append_new(to->array, place);
}

/* ---- Files named after the map ----------------------------------------------------------------------------- */

static bool exists(const cli_surroundings *from, const char *path)
{
	if (from->members->depth) return cli_members_has(from->members, path);
	return cli_kind_of(path, false) == CLI_PATH_FILE;
}

static void add_named(listing *to)
{
	const cli_surroundings *from = to->from;
	const char *path = from->member ? from->member : from->path, *slash = strrchr(path, '/');
	size_t own = slash ? (size_t)(slash - path) + 1 : 0, above = own ? own - 1 : 0;
	while (above && path[above - 1] != '/') above--;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *folder = rows[i].folder;
		char *beside = cli_format("%.*s%s%s%s%s", (int)(folder ? above : own), path, folder ? folder : "",
		                          folder ? "/" : "", from->name, rows[i].ending);
		if (exists(from, beside)) add(to, beside);
		free(beside);
	}
}

/* ---- Lightmaps in files ------------------------------------------------------------------------------------ */

/* Implements cli_entry_fn; user is a cli_paths. */
static void note_light(const char *name, cli_path_kind kind, void *user)
{
	if (kind == CLI_PATH_FILE && !strncasecmp(name, "lm_", 3)) cli_paths_add(user, cli_format("%s", name));
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the lightmap files of a map on the disk. add_members finds those in archives. */
static void add_disk_light(listing *to)
{
	const char *path = to->from->path;
	cli_paths names = { 0 };
	char *folder = cli_format("%.*s%s", (int)(cli_file_name(path) - path), path, to->from->name);
	if (cli_kind_of(folder, false) == CLI_PATH_DIRECTORY) cli_each_entry(folder, note_light, &names);
	if (names.count) qsort(names.paths, names.count, sizeof *names.paths, compare_names);
	for (uint32_t i = 0; i < names.count; i++) {
		char *file = cli_format("%s/%s", folder, names.paths[i]);
		add(to, file);
		free(file);
	}
	cli_paths_free(&names);
	free(folder);
}

/* ---- WADs -------------------------------------------------------------------------------------------------- */

/* True if the map's key "wad" names this file, in any folder. */
static bool is_wad_of(const bspscene_scene *scene, const char *path)
{
	const char *name = cli_file_name(path), *list = NULL;
	if (scene->entity_count) list = bspscene_entity_value(scene, 0, "wad");
	if (!list && scene->entity_count) list = bspscene_entity_value(scene, 0, "_wad");
	while (list && *list) {
		size_t length = strcspn(list, ";"), begin = length;
		while (begin && list[begin - 1] != '/' && list[begin - 1] != '\\') begin--;
		if (length - begin == strlen(name) && !strncasecmp(list + begin, name, length - begin)) return true;
		list += length + (list[length] == ';');
	}
	return false;
}

/* ---- In archives ------------------------------------------------------------------------------------------- */

/* True if `name` is in the folder of `inner`, or in a folder above it. */
static bool is_around(const char *name, const char *inner)
{
	return !strncasecmp(name, inner, (size_t)(cli_file_name(name) - name));
}

static bool is_part_of_name(char letter)
{
	return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
	       letter == '_' || letter == '-';
}

/* True if a script contains `map "NAME"`. */
static bool has_map(const char *text, size_t size, const char *name)
{
	size_t length = strlen(name);
	for (size_t i = 0; i + length <= size; i++) {
		if (strncasecmp(text + i, name, length) != 0) continue;
		if (i + length < size && is_part_of_name(text[i + length])) continue;
		size_t at = i;
		while (at && (text[at - 1] == '"' || text[at - 1] == ' ' || text[at - 1] == '\t')) at--;
		if (at < i && at >= 3 && !strncasecmp(text + at - 3, "map", 3)) return true;
	}
	return false;
}

static bool is_script_of(const cli_surroundings *from, const char *path)
{
	bspscene_stream stream;
	size_t size = 0;
	bool is_open = cli_members_open(from->members, path, &stream);
	uint64_t most = is_open && stream.size < LARGEST_SCRIPT ? stream.size : LARGEST_SCRIPT;
	if (is_open && !cli_work_take(&from->members->work, CLI_WORK_UNPACKED, most)) {
		if (stream.close) stream.close(stream.user);
		is_open = false;
	}
	char *text = is_open ? cli_read_stream(&stream, LARGEST_SCRIPT, &size) : NULL;
	bool found = text && has_map(text, size, from->name);
	free(text);
	return found;
}

static bool is_arena(const char *path)
{
	const char *name = cli_file_name(path);
	const size_t folder = strlen("scripts/");
	bool in_scripts = (size_t)(name - path) >= folder && !strncasecmp(name - folder, "scripts/", folder);
	size_t stem = cli_stem_length(name);
	return in_scripts && (!strcasecmp(name + stem, ".arena") || !strcasecmp(name, "arenas.txt"));
}

/* True if the path is an external lightmap of the map, such as maps/NAME/lm_0000.tga. */
static bool is_light_below(const char *path, const char *map, const char *name)
{
	size_t folder = (size_t)(cli_file_name(map) - map), length = strlen(name);
	return !strncasecmp(path, map, folder) && !strncasecmp(path + folder, name, length) &&
	       !strncasecmp(path + folder + length, "/lm_", 4);
}

/* True if the member is a companion of the map. `inner` is a member of the same archive: the map itself, or the nested
 * archive that contains the map. */
static bool takes_member(listing *to, const cli_member_mark *mark, const char *inner)
{
	const cli_surroundings *from = to->from;
	bool is_called = mark->kind != CLI_COMPANION_OTHER && cli_is_called_by(mark->name, from->name);
	switch (mark->kind) {
	case CLI_COMPANION_WAD: return is_wad_of(from->scene, mark->name);
	case CLI_COMPANION_LIGHT: return to->is_own && is_light_below(mark->name, inner, from->name);
	case CLI_COMPANION_PICTURE: return !to->is_own && is_called && is_around(mark->name, inner);
	case CLI_COMPANION_SCRIPT: return to->is_own && is_arena(mark->name) && is_script_of(from, mark->name);
	case CLI_COMPANION_TEXT:
	case CLI_COMPANION_DOCUMENT:
		if (to->is_own && is_arena(mark->name)) return is_script_of(from, mark->name);
		return (is_called || !mark->is_of_a_map) && is_around(mark->name, inner) && to->texts++ < CLI_MOST_COMPANIONS;
	case CLI_COMPANION_OTHER: break;
	}
	return false;
}

static void add_members(listing *to, const char *inner)
{
	const cli_members_level *level = &to->from->members->levels[to->level];
	if (!cli_work_take(&to->from->members->work, CLI_WORK_COMPARED, level->mark_count)) return;
	for (uint32_t i = 0; i < level->mark_count; i++) {
		if (takes_member(to, &level->marks[i], inner)) add(to, level->marks[i].name);
	}
}

/* ---- On the disk ------------------------------------------------------------------------------------------- */

static bool takes_file(const listing *to, const cli_map_folder *folder, const char *name, bool is_only)
{
	const cli_surroundings *from = to->from;
	if (cli_companion_kind_of(name) == CLI_COMPANION_WAD) {
		return folder == from->folders[0] && is_wad_of(from->scene, name);
	}
	const char *outer = cli_file_name(from->path);
	char *stem = cli_format("%.*s", (int)cli_stem_length(outer), outer);
	bool is_text = cli_companion_kind_of(name) == CLI_COMPANION_TEXT;
	bool takes = (is_only && is_text) || cli_is_called_by(name, from->name) || cli_is_called_by(name, stem);
	free(stem);
	return takes;
}

static void add_files(listing *to)
{
	const cli_map_folder *const *folders = to->from->folders;
	for (int i = 0; i < 2 && folders[i]; i++) {
		/* A readme whose name does not begin with the map's name is taken only if its folder belongs to a single map.
		 * folders[0] contains the map or its archive, and must contain no other. folders[1] is the parent of a folder
		 * "maps", and must contain no map and no archive. */
		bool is_only = folders[i]->map_count == (i == 0) && folders[i]->names.count <= MOST_AROUND_ONE;
		for (uint32_t k = 0; k < folders[i]->names.count && to->texts < CLI_MOST_COMPANIONS; k++) {
			const char *name = folders[i]->names.paths[k];
			if (!takes_file(to, folders[i], name, is_only)) continue;
			char *path = cli_path_in(folders[i], name);
			add(to, path);
			to->texts++;
			free(path);
		}
	}
}

/* ---- The companions of a map ------------------------------------------------------------------------------- */

static json_t *list_own(const cli_surroundings *from)
{
	listing to = { .from = from, .array = json_array(), .is_own = true, .is_disk = !from->members->depth };
	add_named(&to);
	for (uint32_t i = 0; i < from->entity_files->count; i++) add(&to, from->entity_files->paths[i]);
	if (to.is_disk) {
		add_disk_light(&to);
		add_files(&to);
	} else {
		to.level = from->members->depth - 1;
		add_members(&to, from->member);
	}
	cli_text_set_free(&to.known);
	return to.array;
}

static json_t *list_around(const cli_surroundings *from)
{
	json_t *array = json_array();
	for (uint32_t i = from->members->depth; i-- > 1;) {
		listing to = { .from = from, .array = array, .level = i - 1 };
		add_members(&to, from->members->levels[i].name);
		cli_text_set_free(&to.known);
	}
	if (from->members->depth) {
		listing to = { .from = from, .array = array, .is_disk = true };
		add_files(&to);
		cli_text_set_free(&to.known);
	}
	return array;
}

void cli_set_companions(json_t *line, const cli_surroundings *from)
{
	json_object_set_new(line, "companions", list_own(from));
	json_t *around = list_around(from);
	if (json_array_size(around)) json_object_set(line, "around", around);
	json_decref(around);
}
