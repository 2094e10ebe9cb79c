/* map_task.c - see map_task.h. */
#include "archive/process/map_task.h"

#include <stdlib.h>

#include "archive/process/child.h"
#include "cli/report.h"

static json_t *describe_products(const cli_products *products)
{
	json_t *object = json_object();
	json_object_set_new(object, "version", json_string(bspscene_version()));
	cli_products_describe(products, object);
	return object;
}

json_t *cli_describe_map_work(const void *user)
{
	const cli_map_work *work = user;
	json_t *task = json_object();
	json_object_set(task, "entry", (json_t *)work->entry);
	json_object_set(task, "places", (json_t *)work->places);
	json_object_set_new(task, "folder", json_string(work->folder));
	json_object_set_new(task, "store", json_string(work->store));
	json_object_set_new(task, "kept_folder", json_string(work->kept_folder));
	json_object_set_new(task, "wanted", describe_products(&work->wanted));
	json_object_set_new(task, "there", describe_products(&work->there));
	json_object_set_new(task, "kept_warnings", json_integer(work->kept_warnings));
	if (work->original) json_object_set(task, "original", work->original);
	return task;
}

static const char *text_of(const json_t *task, const char *member)
{
	return json_string_value(json_object_get(task, member));
}

/* Returns the work that a task describes. Its `place` is NULL: the file or archive is not opened yet. Its strings and
 * JSON values belong to the task. */
static cli_map_work work_of(const json_t *task, const cli_args *args)
{
	return (cli_map_work) {
		.args = args,
		.entry = json_object_get(task, "entry"),
		.places = json_object_get(task, "places"),
		.folder = text_of(task, "folder"),
		.store = text_of(task, "store"),
		.kept_folder = text_of(task, "kept_folder"),
		.wanted = cli_products_of(json_object_get(task, "wanted")),
		.there = cli_products_of(json_object_get(task, "there")),
		.kept_warnings = (uint32_t)json_integer_value(json_object_get(task, "kept_warnings")),
		.original = json_object_get(task, "original"),
	};
}

/* Opens the place again and processes the map. The place may have been removed since the parent opened it. */
static int process(void *user, int out)
{
	cli_map_work *work = user;
	cli_map_place place = { 0 };
	bspscene_error error;
	if (!cli_open_place_of(work->entry, work->args, &place, &error)) {
		cli_fail_error("", &error);
		return cli_is_fault_of_place(work->entry, work->args, &error) ? CLI_MAP_UNREADABLE : CLI_MAP_REFUSED;
	}
	work->place = place.place;
	return cli_process_map(work, out);
}

_Noreturn void cli_process_map_of(const json_t *task, const cli_args *args)
{
	cli_map_work work = work_of(task, args);
	cli_child_be(process, &work);
}
