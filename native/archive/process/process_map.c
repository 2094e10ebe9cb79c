/* process_map.c - runs the steps for one map, in its child process. See process_map.h. */
#include "archive/process/process_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bspscene/binding.h>

#include "archive/process/child.h"
#include "archive/process/map_files.h"
#include "archive/catalog/map_light.h"
#include "archive/catalog/place_file.h"
#include "archive/companions/companion_files.h"
#include "cli/describe.h"
#include "cli/json.h"
#include "cli/host/link_tree.h"
#include "cli/host/processes.h"
#include "archive/catalog/members.h"
#include "cli/output.h"
#include "archive/pictures/pictures.h"
#include "cli/read_stream.h"
#include "cli/report.h"
#include "archive/pictures/shared_pictures.h"
#include "archive/store/roots.h"
#include "archive/shared/shared_files.h"

/* Default limit in MiB for all files of a map together. */
#define OUTPUT_LIMIT ((uint64_t)4096)

/* ---- Results ---------------------------------------------------------------------------------------------- */

static json_t *describe_limits(const cli_args *args)
{
	json_t *object = json_object();
	json_object_set_new(object, "memory", json_integer(args->memory_limit));
	json_object_set_new(object, "output", json_integer(args->output_limit));
	json_object_set_new(object, "timeout", json_integer(args->timeout));
	return object;
}

json_t *cli_begin_result(const json_t *entry, const json_t *places, const cli_args *args,
                         const cli_products *products, const char *status)
{
	json_t *result = json_object();
	json_object_set_new(result, "id", json_copy(json_object_get(entry, "id")));
	json_object_set_new(result, "name", json_copy(json_object_get(entry, "name")));
	json_object_set_new(result, "status", json_string(status));
	json_object_set_new(result, "version", json_string(bspscene_version()));
	cli_products_describe(products, result);
	json_object_set_new(result, "limits", describe_limits(args));
	json_object_set_new(result, "catalog", json_deep_copy(entry));
	json_object_set_new(result, "places", json_deep_copy(places));
	return result;
}

bool cli_result_suffices(const json_t *result, const cli_args *args)
{
	const char *status = json_string_value(json_object_get(result, "status"));
	cli_products there = cli_products_of(result), asked = cli_products_asked(args);
	if (!status || !cli_products_suffice(&there, &asked)) return false;
	if (!strcmp(status, "done")) return true;
	/* Results with an error contain the limits of their run. With other limits the map may succeed, so the result does
	 * not suffice. */
	json_t *limits = describe_limits(args);
	bool same = json_equal(limits, json_object_get(result, "limits"));
	json_decref(limits);
	return same && !cli_process_options_of(args)->retry;
}

/* ---- Loading ---------------------------------------------------------------------------------------------- */

/* Loads the entry's map from the open place. Because of how a file is packed, the place may not list it among its maps.
 * Then opens it like any other file of the place. */
static bspscene_scene *load_map(const cli_map_work *work, bspscene_load_options *options, bspscene_error *error)
{
	const json_t *members = json_object_get(work->entry, "members");
	const char *member = json_string_value(json_array_get(members, json_array_size(members) - 1));
	options->memory_limit = (uint64_t)work->args->memory_limit << 20;
	if (!options->threads) options->threads = work->args->threads;
	uint32_t map = bspscene_source_find_map(work->place, member, error);
	if (map != BSPSCENE_NO_INDEX) return bspscene_source_load(work->place, map, options, error);
	bspscene_file_system *files = bspscene_source_file_system(work->place);
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (!member || !bspscene_file_system_open(files, &stream, member, BSPSCENE_FILE_MAP)) return NULL;
	options->name = member;
	if (!options->open_file) {
		options->open_file = bspscene_file_system_open;
		options->list_files = bspscene_file_system_list;
		options->file_user = files;
	}
	return bspscene_load_stream(&stream, options, error);
}

/* Opens the map's file as it is stored, without loading the map. */
static bool open_map(const cli_map_work *work, bspscene_stream *stream)
{
	const json_t *members = json_object_get(work->entry, "members");
	const char *member = json_string_value(json_array_get(members, json_array_size(members) - 1));
	bspscene_error error;
	bspscene_stream_init(stream);
	uint32_t map = bspscene_source_find_map(work->place, member, &error);
	if (map != BSPSCENE_NO_INDEX) return bspscene_source_open_map(work->place, map, stream, &error);
	return member &&
	       bspscene_file_system_open(bspscene_source_file_system(work->place), stream, member, BSPSCENE_FILE_MAP);
}

/* True if the map's file still has the size that the catalog recorded. Another size means that the file was
 * replaced. */
static bool is_as_large(const cli_map_work *work)
{
	const json_t *size = json_object_get(work->entry, "stored_size");
	bspscene_stream stream;
	if (!json_is_integer(size)) return true;
	size_t read = 0;
	void *data = open_map(work, &stream) ? cli_read_stream(&stream, UINT32_MAX, &read) : NULL;
	free(data);
	return !data || (json_int_t)read == json_integer_value(size);
}

static cli_map_end end_of_load(const cli_map_work *work, bspscene_status status)
{
	switch (status) {
	case BSPSCENE_ERROR_IO:
	case BSPSCENE_ERROR_NOT_FOUND: return CLI_MAP_UNREADABLE;
	case BSPSCENE_ERROR_OUT_OF_MEMORY: return CLI_MAP_NO_MEMORY;
	default: return is_as_large(work) ? CLI_MAP_REFUSED : CLI_MAP_UNREADABLE;
	}
}

typedef struct light_reader {
	cli_place_reader reader;           /* keeps the last archive open, for the next light file */
	const cli_args *args;
} light_reader;

/* Implements cli_read_companion_fn. */
static void *read_light(void *user, const json_t *line, size_t index, size_t *size)
{
	light_reader *from = user;
	bspscene_error error;
	json_t *place = cli_companion_place(line, index);
	void *data = cli_read_place_file(&from->reader, place, from->args, size, &error);
	json_decref(place);
	return data;
}

/* True if the light files next to the map are still those that the catalog found. They are part of the map's id. */
static bool has_its_light(const cli_map_work *work)
{
	char light[65];
	const char *known = json_string_value(json_object_get(work->entry, "light"));
	light_reader from = { .args = work->args };
	bool has = !known || (cli_hash_light(work->entry, read_light, &from, light) && !strcmp(known, light));
	cli_place_reader_close(&from.reader);
	return has;
}

/* True if the entity file next to the map is still the one that the catalog found. It is part of the map's id. */
static bool has_its_entities(const cli_map_work *work, const bspscene_scene *scene)
{
	char hash[65] = "";
	const char *known = json_string_value(json_object_get(work->entry, "entities_beside"));
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (!known) return true;
	if (!scene->entity_file || !bspscene_file_system_open(bspscene_source_file_system(work->place), &stream,
	                                                      scene->entity_file, BSPSCENE_FILE_ENTITIES)) {
		return false;
	}
	size_t size = 0;
	void *data = cli_read_stream(&stream, CLI_LARGEST_COMPANION, &size);
	if (data) bspscene_hash_bytes(data, size, hash);
	bool has = data && !strcmp(hash, known);
	free(data);
	return has;
}

/* Returns the part that differs from the catalog, as the subject of a message. NULL if nothing differs. */
static const char *what_is_other(const cli_map_work *work, const bspscene_scene *scene)
{
	const char *id = cli_hash_of_map(work->entry);
	if (!id || strcmp(id, scene->identity->bytes) != 0 || !cli_is_id_of_its_files(work->entry)) return "the map";
	if (!has_its_light(work)) return "its light";
	return has_its_entities(work, scene) ? NULL : "its entities";
}

/* Loads the map and compares it with the catalog. Returns NULL after an error, which is printed, and sets *end. */
static bspscene_scene *load(const cli_map_work *work, bspscene_load_options *options, cli_map_end *end)
{
	bspscene_error error = { .status = BSPSCENE_OK };
	options->identify = true;
	bool beside = json_object_get(work->entry, "entities_beside") != NULL;
	options->entity_source = beside ? BSPSCENE_ENTITY_SOURCE_BESIDE : BSPSCENE_ENTITY_SOURCE_MAP;
	bspscene_scene *scene = load_map(work, options, &error);
	if (!scene) {
		cli_fail_error("", &error);
		*end = end_of_load(work, error.status);
		return NULL;
	}
	const char *other = what_is_other(work, scene);
	if (!other) return scene;
	cli_fail("%s: %s changed since the catalog was made; make a new catalog", work->label, other);
	bspscene_scene_free(scene);
	*end = CLI_MAP_UNREADABLE;
	return NULL;
}

/* ---- Steps ------------------------------------------------------------------------------------------------ */

static bool open_output(const cli_map_work *work, const cli_source *source, const char *folder, cli_output *output)
{
	char *path = cli_format("%s%s%s", work->folder, *folder ? "/" : "", folder);
	bool ok = cli_output_open(output, source, path);
	output->limit = (work->args->output_limit ? work->args->output_limit : OUTPUT_LIMIT) << 20;
	free(path);
	return ok;
}

/* Writes one JSON file. */
static bool write_json(const cli_map_work *work, const cli_source *source, const char *name, json_t *value)
{
	cli_output output;
	bspscene_error error = { .status = BSPSCENE_ERROR_OUT_OF_MEMORY, .message = "out of memory" };
	bool ok = open_output(work, source, "", &output);
	ok = cli_json_write(value, &output, name) && ok;
	if (!ok) cli_output_report(&output, &error);
	ok = ok && cli_output_commit(&output);
	cli_output_close(&output);
	return ok;
}

/* Writes the scene in a format. A GLB refers to the store's shared textures by a path that is relative to the map's
 * folder. */
static bool write_scene(const cli_map_work *work, const cli_source *source, const bspscene_scene *scene,
                        const char *folder, cli_write_fn *write, const char *writer, const char *name)
{
	cli_output output;
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	options.file_name = name;
	if (!strcmp(writer, "glb")) options.sky = BSPSCENE_WRITE_SKY_CUBE;
	bool ok = open_output(work, source, folder, &output) &&
	          cli_write(scene, write, writer, &options, work->args, &output) == CLI_DONE;
	cli_output_close(&output);
	return ok;
}

static bool write_glb(const cli_map_work *work, const cli_source *source, const bspscene_scene *scene)
{
	if (!work->wanted.shared_textures) return write_scene(work, source, scene, "", bspscene_write, "glb", "map.glb");
	return write_scene(work, source, scene, "", cli_write_shared, "glb", "map.glb") &&
	       cli_share_files(work->folder, work->store, "textures");
}

static char *label_of(const json_t *entry)
{
	const char *path = json_string_value(json_object_get(entry, "path"));
	const json_t *members = json_object_get(entry, "members");
	return cli_join_members(path ? path : "", members, json_array_size(members), ": ");
}

static bool make_plain_steps(const cli_map_work *work, const cli_source *source, uint32_t *warnings,
                             cli_map_end *end)
{
	bspscene_load_options options;
	uint32_t steps = work->wanted.steps;
	bspscene_load_options_init(&options);
	if (!(steps & CLI_STEP_GLB)) options.textures = BSPSCENE_TEXTURES_NAMES;
	bspscene_scene *scene = load(work, &options, end);
	if (!scene) return false;
	bool ok = true;
	for (uint32_t i = 0; i < scene->warning_count; i++) *warnings += scene->warnings[i]->count;
	if (steps & CLI_STEP_INFO) {
		json_t *info = cli_describe_map(scene, bspscene_source_file_system(work->place), source->label);
		cli_publish_json(info, work->args);
		ok = write_json(work, source, "info.json", info);
	}
	if (ok && steps & CLI_STEP_ENTITIES) ok = write_json(work, source, "entities.json", cli_describe_entities(scene));
	if (ok && steps & CLI_STEP_LIGHTMAPS) {
		ok = write_scene(work, source, scene, "lightmaps", bspscene_write, "atlas", "atlas.json");
	}
	if (ok && steps & CLI_STEP_GLB) ok = write_glb(work, source, scene);
	bspscene_scene_free(scene);
	return ok;
}

/* Links a file or folder of the earlier result into the new folder. Returns false if that is not possible; then it must
 * be made again. */
static bool keep(const cli_map_work *work, const char *name)
{
	char *from = cli_format("%s/%s", work->kept_folder, name), *to = cli_format("%s/%s", work->folder, name);
	bool ok = cli_link_tree(from, to);
	free(from);
	free(to);
	return ok;
}

static bool keep_plain_steps(const cli_map_work *work, uint32_t *warnings)
{
	static const char *const products[] = { "info.json", "entities.json", "lightmaps", "map.glb" };
	if (!cli_products_have_plain(&work->there, &work->wanted)) return false;
	for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
		if (!keep(work, products[i])) return false;
	}
	*warnings = work->kept_warnings;
	return true;
}

/* Keeps the wanted pictures that the earlier result has. Sets `left` to the sizes of the wanted pictures that must be
 * drawn. Returns false if there are none. */
static bool keep_pictures(const cli_map_work *work, cli_picture_size left[CLI_PICTURE_KINDS])
{
	bool any = false;
	for (int kind = 0; kind < CLI_PICTURE_KINDS; kind++) {
		left[kind] = work->wanted.pictures[kind];
		bool there = cli_products_have_picture(&work->there, &work->wanted, (cli_picture_kind)kind);
		if (left[kind].width && there && keep(work, cli_picture_rows[kind].file)) left[kind] = (cli_picture_size) { 0 };
		any |= left[kind].width > 0;
	}
	return any;
}

static bool make_pictures(const cli_map_work *work, const cli_source *source,
                          const cli_picture_size sizes[CLI_PICTURE_KINDS], cli_map_end *end)
{
	bspscene_load_options options;
	cli_output output;
	cli_picture_load_options(&options);
	bspscene_scene *scene = load(work, &options, end);
	if (!scene) return false;
	cli_level_shots shots = { .count = 0 };
	if (sizes[CLI_PICTURE_TILE].width) cli_read_level_shots(work->entry, work->args, &shots);
	bool ok = open_output(work, source, "", &output) && cli_write_pictures(scene, &shots, sizes, work->args, &output);
	cli_output_close(&output);
	cli_level_shots_free(&shots);
	bspscene_scene_free(scene);
	return ok;
}

/* Loads the map with the options for pictures, and stores the files that this load reads. A viewer needs them. */
static bool make_files(const cli_map_work *work, const cli_source *source, cli_map_end *end)
{
	if (work->there.steps & CLI_STEP_FILES && keep(work, "files.json")) return true;
	const json_t *members = json_object_get(work->entry, "members"), *path = json_object_get(work->entry, "path");
	const json_t *member = json_array_get(members, json_array_size(members) - 1);
	bspscene_error error = { .status = BSPSCENE_ERROR_IO, .message = "the map cannot be read again" };
	bspscene_load_options options;
	cli_output output;
	bspscene_stream map;
	cli_picture_load_options(&options);
	cli_map_files *noted = cli_map_files_begin(bspscene_source_file_system(work->place), &options);
	bspscene_scene *scene = load(work, &options, end);
	bool ok = scene != NULL;
	bspscene_scene_free(scene);
	if (ok) {
		ok = open_output(work, source, "", &output) && open_map(work, &map) &&
		     cli_map_files_write(noted, json_string_value(member ? member : path), &map, &output, &error);
		if (!ok) cli_output_report(&output, &error);
		ok = ok && cli_output_commit(&output) && cli_share_files(work->folder, work->store, "files");
		cli_output_close(&output);
	}
	cli_map_files_free(noted);
	return ok;
}

/* Stores the companions of the map. */
static bool keep_companions(const cli_map_work *work, const cli_source *source)
{
	cli_output output;
	bspscene_error error = { .status = BSPSCENE_ERROR_OUT_OF_MEMORY, .message = "out of memory" };
	if (work->there.steps & CLI_STEP_COMPANIONS && keep(work, "companions.json")) return true;
	bool ok = open_output(work, source, "", &output) &&
	          cli_write_companions(work->entry, bspscene_source_file_system(work->place), work->args, &output);
	if (!ok) cli_output_report(&output, &error);
	ok = ok && cli_output_commit(&output) && cli_share_files(work->folder, work->store, "files");
	cli_output_close(&output);
	return ok;
}

/* Returns facts that differ between runs, such as times. They are not part of the result. */
static json_t *describe_run(double started)
{
	char when[CLI_TIME_TEXT];
	double used;
	uint64_t peak;
	json_t *object = json_object();
	cli_write_time(when);
	json_object_set_new(object, "ended", json_string(when));
	json_object_set_new(object, "seconds", json_real(cli_clock() - started));
	if (cli_process_used(&used, &peak)) {
		json_object_set_new(object, "cpu_seconds", json_real(used));
		json_object_set_new(object, "peak_memory_kib", json_integer((json_int_t)(peak / 1024)));
	}
	return object;
}

/* Returns how the processing ended. If the store failed, sends the reason to the parent. For CLI_MAP_NO_MEMORY, the
 * parent decides whether it is the map's fault: it is if the child reached its own limit. */
static cli_map_end tell_failure(cli_map_end end, int out)
{
	int error = cli_output_system_error();
	if (end != CLI_MAP_REFUSED || !error) return end;
	if (error == ENOMEM) return CLI_MAP_NO_MEMORY;
	const char *why = strerror(error);
	cli_child_write(out, why, strlen(why));
	return CLI_MAP_UNWRITABLE;
}

/* Ends the process when an allocation fails. */
static void end_without_memory(void)
{
	cli_child_end_with(CLI_MAP_NO_MEMORY);
}

int cli_process_map(void *user, int out)
{
	cli_map_work *work = user;
	double started = cli_clock();
	uint32_t warnings = 0;
	cli_picture_size left[CLI_PICTURE_KINDS];
	cli_map_end end = CLI_MAP_REFUSED;
	const char *path = json_string_value(json_object_get(work->entry, "path"));
	atexit(end_without_memory);
	work->label = label_of(work->entry);
	/* The output goes into the store, where no files of games are. So it cannot overwrite such a file. */
	cli_source source = { .path = path ? path : "", .place = work->place, .label = work->label };
	bool ok = !(work->wanted.steps & CLI_PLAIN_STEPS) || keep_plain_steps(work, &warnings) ||
	          make_plain_steps(work, &source, &warnings, &end);
	if (ok && keep_pictures(work, left)) ok = make_pictures(work, &source, left, &end);
	if (ok && work->wanted.steps & CLI_STEP_FILES) ok = make_files(work, &source, &end);
	if (ok && work->wanted.steps & CLI_STEP_COMPANIONS) ok = keep_companions(work, &source);
	if (ok && work->original) ok = write_json(work, &source, "original.json", json_incref(work->original));
	if (ok) {
		json_t *result = cli_begin_result(work->entry, work->places, work->args, &work->wanted, "done");
		json_object_set_new(result, "warnings", json_integer(warnings));
		ok = write_json(work, &source, "run.json", describe_run(started)) &&
		     write_json(work, &source, "result.json", result);
	}
	free(work->label);
	return (int)(ok ? CLI_MAP_MADE : tell_failure(end, out));
}
