/* catalog_entry.c - a map, or an archive with maps and archives in it, to lines of JSON. See catalog_entry.h.
 *
 * Archives in archives are a stack of open ones, never recursion; what they unpack to is bounded. */
#include "archive/catalog/catalog_entry.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/describe.h"
#include "cli/json.h"
#include "archive/catalog/members.h"
#include "archive/store/roots.h"
#include "cli/names.h"
#include "cli/host/platform.h"
#include "cli/report.h"

typedef struct catalog {
	const char *path;                  /* of the outermost file */
	const cli_args *args;
	cli_catalog_line_fn *put;
	void *user;
	cli_members members;
} catalog;

/* ---- Names ------------------------------------------------------------------------------------------------ */

static bool ends_with(const char *name, const char *ending)
{
	size_t length = strlen(name), end = strlen(ending);
	return length > end && !strcasecmp(name + length - end, ending);
}

static bool is_map(const char *name)
{
	static const char *const endings[] = { ".bsp", ".bsp.gz", ".bsp.bz2", ".bsp.xz", ".bsp.zst" };
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		if (ends_with(name, endings[i])) return true;
	}
	return false;
}

/* x_000.vpk has no directory of its own. */
static bool is_archive(const char *name)
{
	static const char *const endings[] = { ".zip", ".pk3", ".pk4", ".pkz", ".pak", ".sin", ".vpk" };
	size_t length = strlen(name);
	if (ends_with(name, ".vpk") && length > 8 && name[length - 8] == '_' &&
	    strspn(name + length - 7, "0123456789") == 3)
		return false;
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		if (ends_with(name, endings[i])) return true;
	}
	return false;
}

/* Archives that are read in builds with libarchive, or by nothing here, and may hold maps: "RAR", or NULL. */
static const char *other_kind(const char *name)
{
	static const struct {
		const char *ending, *kind;
	} kinds[] = {
		{ ".rar", "RAR" },     { ".7z", "7z" },     { ".tar", "tar" },  { ".tar.gz", "tar" }, { ".tgz", "tar" },
		{ ".tar.bz2", "tar" }, { ".tbz", "tar" },   { ".tbz2", "tar" }, { ".tar.xz", "tar" }, { ".txz", "tar" },
		{ ".tar.zst", "tar" }, { ".tzst", "tar" },  { ".lzh", "LHA" },  { ".lha", "LHA" },    { ".arj", "ARJ" },
		{ ".ace", "ACE" },     { ".zipx", "zipx" },
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (ends_with(name, kinds[i].ending)) return kinds[i].kind;
	}
	return NULL;
}

bool cli_catalog_takes(const char *name)
{
	return is_map(name) || is_archive(name) || other_kind(name);
}

/* "maps/atrium.bsp.gz" is called "atrium". */
static char *map_name(const char *path)
{
	const char *slash = cli_last_separator(path);
	const char *name = slash ? slash + 1 : path;
	size_t length = strlen(name);
	for (size_t i = 0; i + 4 <= length; i++) {
		if (!strncasecmp(name + i, ".bsp", 4) && (!name[i + 4] || name[i + 4] == '.')) length = i;
	}
	return cli_format("%.*s", (int)length, name);
}

/* ---- Companions ------------------------------------------------------------------------------------------- */

/* What people put beside a map, in its folder and in those beside it. */
static const struct {
	const char *folder;                /* beside the map's; NULL: its own */
	const char *ending;
} companions[] = {
	{ NULL, ".txt" },         { NULL, ".lit" },         { NULL, ".ent" },          { NULL, ".lux" },
	{ NULL, ".vis" },         { NULL, ".loc" },         { NULL, ".nav" },          { NULL, ".aas" },
	{ NULL, ".rad" },         { NULL, ".res" },         { NULL, ".jpg" },          { NULL, ".srf" },
	{ "levelshots", ".jpg" }, { "levelshots", ".tga" }, { "levelshots", ".png" },  { "scripts", ".arena" },
	{ "scripts", ".shader" }, { "scripts", ".defi" },   { "screenshots", ".jpg" }, { "overviews", ".txt" },
};

static bool exists(const catalog *c, const char *path)
{
	if (c->members.depth) return cli_members_has(&c->members, path);
	return cli_kind_of(path, false) == CLI_PATH_FILE;
}

static json_t *describe_companions(const catalog *c, const char *path, const char *name)
{
	json_t *array = json_array();
	const char *slash = strrchr(path, '/');
	size_t own = slash ? (size_t)(slash - path) + 1 : 0, above = own ? own - 1 : 0;
	while (above && path[above - 1] != '/') above--;
	for (size_t i = 0; i < sizeof companions / sizeof *companions; i++) {
		const char *folder = companions[i].folder;
		char *beside = cli_format("%.*s%s%s%s%s", (int)(folder ? above : own), path, folder ? folder : "",
		                          folder ? "/" : "", name, companions[i].ending);
		if (exists(c, beside)) json_array_append_new(array, cli_json_text(beside));
		free(beside);
	}
	return array;
}

/* ---- Lines ------------------------------------------------------------------------------------------------ */

static json_t *describe_place(const char *path, const char *const *members, uint32_t member_count, const cli_args *args)
{
	json_t *object = json_object(), *array = json_array();
	for (uint32_t i = 0; i < member_count; i++) json_array_append_new(array, cli_json_text(members[i]));
	cli_set_published_path(object, path, args);
	json_object_set_new(object, "members", array);
	return object;
}

char *cli_catalog_error(const char *path, const char *const *members, uint32_t member_count, const char *message,
                        const cli_args *args)
{
	json_t *object = describe_place(path, members, member_count, args);
	char *published = cli_publish_text(message, args);
	json_object_set_new(object, "error", cli_json_text(published));
	free(published);
	return cli_json_line(object);
}

static bool put_error(const catalog *c, const char *member, const char *message)
{
	const char *names[CLI_MEMBERS_DEPTH + 1];
	uint32_t count = cli_members_names(&c->members, member, names);
	return c->put(c->user, cli_catalog_error(c->path, names, count, message, c->args));
}

static bool put_map(const catalog *c, const char *member, const bspscene_scene *scene, uint64_t stored)
{
	const char *names[CLI_MEMBERS_DEPTH + 1], *path = member ? member : c->path;
	uint32_t count = cli_members_names(&c->members, member, names);
	json_t *object = json_object(), *place = describe_place(c->path, names, count, c->args);
	char *name = map_name(path), day[sizeof "2026-01-31"];
	const char *title = scene->entity_count ? bspscene_entity_value(scene, 0, "message") : NULL;
	json_object_set_new(object, "id", json_string(scene->identity->bytes));
	json_object_set_new(object, "name", cli_json_text(name));
	char *plain = cli_title(title ? title : "");
	json_object_set_new(object, "title", cli_json_text(plain));
	free(plain);
	json_object_set_new(object, "family", cli_json_text(scene->family));
	json_object_set_new(object, "variant", cli_json_text(scene->variant));
	json_object_set_new(object, "version", json_integer(scene->version));
	json_object_update(object, place);
	json_object_set_new(object, "size", json_integer((json_int_t)scene->identity->size));
	json_object_set_new(object, "stored_size", json_integer((json_int_t)stored));
	json_object_set_new(object, "geometry", json_string(scene->identity->geometry));
	json_object_set_new(object, "entities", json_string(scene->identity->entities));
	if (cli_day_of(c->path, day)) json_object_set_new(object, "modified", json_string(day));
	json_t *beside = describe_companions(c, path, name);
	cli_publish_json(beside, c->args);
	json_object_set_new(object, "companions", beside);
	json_decref(place);
	free(name);
	return c->put(c->user, cli_json_line(object));
}

/* ---- Reading ---------------------------------------------------------------------------------------------- */

/* `stream` is NULL for the outermost file; else it is closed. */
static bool catalog_map(const catalog *c, const char *member, const bspscene_stream *stream)
{
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	options.name = member ? member : c->path;
	options.parts = BSPSCENE_PARTS_ENTITIES;
	options.identify = true;
	options.memory_limit = (uint64_t)c->args->memory_limit << 20;
	bspscene_scene *scene =
		stream ? bspscene_load_stream(stream, &options, &error) : bspscene_load_file(c->path, &options, &error);
	if (!scene) return put_error(c, member, error.message);
	bool go_on = put_map(c, member, scene, scene->source_size);
	bspscene_scene_free(scene);
	return go_on;
}

/* What is no archive that this build reads is one of a kind that it knows by name, or damaged. */
static bool put_unread(const catalog *c, const char *member, const bspscene_error *error)
{
	const char *kind = other_kind(member ? member : c->path);
	if (!kind || error->status != BSPSCENE_ERROR_UNKNOWN_FORMAT) return put_error(c, member, error->message);
	char *message = cli_format("left out: archives of this kind (%s) are not read; unpack it or pack it as zip", kind);
	bool go_on = put_error(c, member, message);
	free(message);
	return go_on;
}

static bool catalog_member(catalog *c, const char *member)
{
	bspscene_stream stream;
	bspscene_error error;
	if (is_map(member)) {
		if (cli_members_open(&c->members, member, &stream)) return catalog_map(c, member, &stream);
		return put_error(c, member, "cannot be opened");
	}
	if (!is_archive(member) && !other_kind(member)) return true;
	return cli_members_enter(&c->members, member, &error) || put_unread(c, member, &error);
}

bool cli_catalog_file(const char *path, const cli_args *args, cli_catalog_line_fn *put, void *user)
{
	catalog c = { .path = path, .args = args, .put = put, .user = user };
	bspscene_error error;
	if (is_map(path)) return catalog_map(&c, NULL, NULL);
	if (!cli_members_begin(&c.members, path, &error)) return put_unread(&c, NULL, &error);
	bool go_on = true;
	const char *member;
	while (go_on && (member = cli_members_next(&c.members))) go_on = catalog_member(&c, member);
	cli_members_end(&c.members);
	return go_on;
}
