/* catalog_entry.c - writes one line of JSON for a map, or one for each map in an archive. See catalog_entry.h. Nested
 * archives are opened on a stack, without recursion. The size of the outermost file limits the work (work_budget.h). If
 * the limit is reached, a line reports at which file. */
#include "archive/catalog/catalog_entry.h"

#include <stdlib.h>

#include "cli/describe.h"
#include "cli/json.h"
#include "archive/catalog/companions.h"
#include "archive/catalog/map_entities.h"
#include "archive/catalog/map_light.h"
#include "archive/catalog/map_names.h"
#include "archive/catalog/members.h"
#include "archive/catalog/place_file.h"
#include "archive/store/roots.h"
#include "cli/host/platform.h"
#include "cli/read_stream.h"
#include "cli/report.h"

typedef struct catalog {
	const char *path;                  /* path of the outermost file */
	const cli_args *args;
	cli_catalog_line_fn *put;
	void *user;
	const cli_map_folder *const *folders;
	cli_members members;
	cli_place_reader reader;           /* reads light files that are not in the open archive, for their hashes */
} catalog;

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

/* Takes ownership of a line and passes it to `put`. Drops the line if it exceeds the budget; put_end then reports that
 * it is missing. */
static bool put_line(catalog *c, char *line)
{
	if (cli_work_take(&c->members.work, CLI_WORK_WRITTEN, strlen(line))) return c->put(c->user, line);
	free(line);
	return true;
}

static bool put_error(catalog *c, const char *member, const char *message)
{
	if (c->members.work.is_met) return true;
	const char *names[CLI_MEMBERS_DEPTH + 1];
	uint32_t count = cli_members_names(&c->members, member, names);
	return put_line(c, cli_catalog_error(c->path, names, count, message, c->args));
}

/* Writes a line that reports where the work budget was exceeded: at `member` or, if it is NULL, in the innermost
 * archive. */
static bool put_end(catalog *c, const char *member)
{
	if (!c->members.work.is_met) return true;
	const char *names[CLI_MEMBERS_DEPTH + 1];
	uint32_t count = cli_members_names(&c->members, member, names);
	char *why = cli_work_describe(&c->members.work);
	char *message = cli_format("stopped: this file and %llu more are left out; %s",
	                           (unsigned long long)cli_members_left(&c->members), why);
	char *line = cli_catalog_error(c->path, names, count, message, c->args);
	free(message);
	free(why);
	return c->put(c->user, line);
}

/* Writes a line that reports how many files of the innermost archive were skipped. */
static bool put_skipped(catalog *c)
{
	uint32_t count = cli_members_skipped(&c->members);
	if (!count) return true;
	char *message = cli_format("%u file%s left out: the name%s", count, count == 1 ? " is" : "s are",
	                           count == 1 ? " has control characters, is too long or leads out of the archive"
	                                      : "s have control characters, are too long or lead out of the archive");
	bool go_on = put_error(c, NULL, message);
	free(message);
	return go_on;
}

/* Implements cli_read_companion_fn: reads a light file next to the map, from the open archive or from the disk. */
static void *read_light(void *user, const json_t *line, size_t index, size_t *size)
{
	catalog *c = user;
	bspscene_stream stream;
	bspscene_error error;
	if (!c->members.depth) {
		json_t *place = cli_companion_place(line, index);
		void *data = cli_read_place_file(&c->reader, place, c->args, size, &error);
		json_decref(place);
		return data;
	}
	const char *path = json_string_value(json_array_get(json_object_get(line, "companions"), index));
	if (!path || !cli_members_open(&c->members, path, &stream)) return NULL;
	if (cli_work_take(&c->members.work, CLI_WORK_UNPACKED, stream.size)) {
		return cli_read_stream(&stream, CLI_LARGEST_COMPANION, size);
	}
	if (stream.close) stream.close(stream.user);
	return NULL;
}

static bool put_map(catalog *c, const cli_entity_files *files, const bspscene_scene *scene, uint64_t stored)
{
	const char *member = c->members.depth ? files->map : NULL;
	const char *names[CLI_MEMBERS_DEPTH + 1];
	uint32_t count = cli_members_names(&c->members, member, names);
	json_t *object = json_object(), *place = describe_place(c->path, names, count, c->args);
	char *name = cli_map_name(files->map), day[sizeof "2026-01-31"];
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
	cli_surroundings around = { .path = c->path,
		                        .members = &c->members,
		                        .member = member,
		                        .name = name,
		                        .scene = scene,
		                        .folders = c->folders,
		                        .entity_files = &files->opened,
		                        .args = c->args };
	cli_set_companions(object, &around);
	cli_identify_map(object, read_light, c, *files->hash ? files->hash : NULL);
	json_decref(place);
	free(name);
	return put_line(c, cli_json_line(object));
}

/* ---- Reading ---------------------------------------------------------------------------------------------- */

/* Loads the entities of a map and closes its `stream` (NULL: the map is the outermost file). */
static bspscene_scene *load_map(catalog *c, cli_entity_files *files, const bspscene_stream *stream,
                                bspscene_entity_source from, bspscene_error *error)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.name = files->map;
	options.parts = BSPSCENE_PARTS_ENTITIES;
	options.identify = true;
	options.memory_limit = (uint64_t)c->args->memory_limit << 20;
	cli_work_budget *work = &c->members.work;
	uint64_t known = stream && stream->size != UINT64_MAX ? stream->size : 0;
	if (!cli_work_take(work, CLI_WORK_UNPACKED, known)) {
		if (stream && stream->close) stream->close(stream->user);
		return NULL;
	}
	options.allocator = cli_work_allocator(work, true);
	options.entity_source = from;
	cli_find_entity_files(files, &options);
	bspscene_scene *scene =
		stream ? bspscene_load_stream(stream, &options, error) : bspscene_load_file(c->path, &options, error);
	cli_work_take_load(work, scene, known);
	return scene;
}

/* If engines would take the entities from another file, records that file. Then loads the map again with the entities
 * in the map itself, because the catalog's line describes those. Returns `scene` or, after freeing it, the new
 * scene. */
static bspscene_scene *note_entity_file(catalog *c, cli_entity_files *files, bspscene_scene *scene,
                                        bspscene_error *error)
{
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (!scene || !scene->entity_file) return scene;
	cli_note_entity_file(files, scene);
	bspscene_scene_free(scene);
	bool is_member = c->members.depth > 0;
	if (is_member && !cli_members_open(&c->members, files->map, &stream)) return NULL;
	return load_map(c, files, is_member ? &stream : NULL, BSPSCENE_ENTITY_SOURCE_MAP, error);
}

static bool catalog_map(catalog *c, const char *member, const bspscene_stream *stream)
{
	bspscene_error error = { .message = "cannot be opened" };
	cli_entity_files files = { .members = &c->members, .map = member ? member : c->path };
	bspscene_scene *scene = load_map(c, &files, stream, c->args->entity_source, &error);
	scene = note_entity_file(c, &files, scene, &error);
	bool go_on = scene ? put_map(c, &files, scene, scene->input_size) : put_error(c, member, error.message);
	bspscene_scene_free(scene);
	cli_entity_files_free(&files);
	return go_on;
}

/* Writes an error line for a file that cannot be opened as an archive: its kind is not supported, or it is damaged. */
static bool put_unread(catalog *c, const char *member, const bspscene_error *error)
{
	const char *kind = cli_other_archive_kind(member ? member : c->path);
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
	bool is_map = cli_is_map_name(member);
	if (!is_map && !cli_is_archive_name(member) && !cli_other_archive_kind(member)) return true;
	const char *unreadable = cli_members_unreadable(&c->members, member);
	if (unreadable) return put_error(c, member, unreadable);
	if (is_map) {
		if (cli_members_open(&c->members, member, &stream)) return catalog_map(c, member, &stream);
		return put_error(c, member, "cannot be opened");
	}
	return cli_members_enter(&c->members, member, &error) ? put_skipped(c) : put_unread(c, member, &error);
}

bool cli_catalog_file(const char *path, const cli_map_folder *const folders[2], const cli_args *args,
                      cli_catalog_line_fn *put, void *user, cli_work_budget *spent)
{
	catalog c = { .path = path, .args = args, .put = put, .user = user, .folders = folders };
	bspscene_error error;
	if (cli_is_map_name(path)) {
		cli_work_begin(&c.members.work, UINT64_MAX);
		bool is_put = catalog_map(&c, NULL, NULL);
		cli_place_reader_close(&c.reader);
		return is_put;
	}
	if (!cli_members_begin(&c.members, path, &error)) return put_unread(&c, NULL, &error);
	bool go_on = put_skipped(&c);
	const char *member = NULL;
	while (go_on && !c.members.work.is_met && (member = cli_members_next(&c.members))) {
		uint32_t depth = c.members.depth;
		go_on = catalog_member(&c, member);
		if (c.members.depth > depth) member = NULL; /* the limit was reached inside of this member */
	}
	go_on = go_on && put_end(&c, member);
	if (spent) *spent = c.members.work;
	cli_place_reader_close(&c.reader);
	cli_members_end(&c.members);
	return go_on;
}
