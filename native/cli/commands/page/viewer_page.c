/* viewer_page.c - see viewer_page.h. */
#include "cli/commands/page/viewer_page.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/pictures/pictures.h"
#include "archive/process/map_files.h"
#include "cli/host/platform.h"
#include "cli/inputs.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/report.h"

/* Texts that the viewer's page must contain. WORKER is an attribute of the element that has the code of the web worker.
 * SCRIPT begins a script; the map's files are inserted before it. */
#define WORKER "id=\"inside-worker\""
#define SCRIPT "<script type=\"module\">"
#define LOAD_SHARE 0.8

/* ---- The viewer -------------------------------------------------------------------------------------------- */

/* Returns the path of this installation's viewer page, or NULL after an error, which is printed. */
static char *find_viewer(const char *output)
{
	static const char *const places[] = { "/../share/bspscene/viewer.html", "/viewer.html" };
	char *folder = cli_program_folder(), *found = NULL;
	for (size_t i = 0; folder && !found && i < sizeof places / sizeof *places; i++) {
		char *path = cli_format("%s%s", folder, places[i]);
		if (cli_kind_of(path, true) == CLI_PATH_FILE) found = path;
		else free(path);
	}
	if (!found) {
		cli_fail("%s: not written: this installation has no viewer (%s%s); name the viewer's page, which "
		         "scripts/package-web makes, with --viewer FILE", output, folder ? folder : "", places[0]);
	}
	free(folder);
	return found;
}

/* Returns the viewer's page as a string, and sets *script to where the map's files are inserted. NULL after an error,
 * which is printed. */
static char *read_viewer(const char *path, const char **script)
{
	size_t size;
	char *page = cli_read_file(path, &size);
	if (!page) return NULL;
	page = cli_resize(page, size + 1, 1);
	page[size] = '\0';
	*script = strstr(page, SCRIPT);
	if (strlen(page) == size && *script && strstr(page, WORKER)) return page;
	cli_fail("%s: is not the viewer as a single file (viewer.html)", path);
	free(page);
	return NULL;
}

/* ---- The map ----------------------------------------------------------------------------------------------- */

typedef struct page_writer {
	cli_output *output;
	json_t *paths;
} page_writer;

static bool write_text(cli_output *output, const char *text)
{
	return cli_output_write(output, text, strlen(text));
}

static bool write_base64(cli_output *output, const uint8_t *data, size_t size)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char block[16384];
	for (size_t at = 0; at < size;) {
		size_t used = 0;
		for (; used < sizeof block && at < size; used += 4, at += 3) {
			size_t left = size - at;
			uint32_t second = left > 1 ? data[at + 1] : 0, third = left > 2 ? data[at + 2] : 0;
			uint32_t bits = (uint32_t)data[at] << 16 | second << 8 | third;
			block[used] = digits[bits >> 18];
			block[used + 1] = digits[bits >> 12 & 63];
			block[used + 2] = left > 1 ? digits[bits >> 6 & 63] : '=';
			block[used + 3] = left > 2 ? digits[bits & 63] : '=';
			if (left < 3) at = size - 3;
		}
		if (!cli_output_write(output, block, used)) return false;
	}
	return true;
}

/* Implements cli_map_file_fn. */
static bool write_file(void *user, const char *path, const void *data, size_t size)
{
	page_writer *to = user;
	char *begin = cli_format("<script type=\"text/plain\" id=\"inside-file-%zu\">", json_array_size(to->paths));
	json_array_append_new(to->paths, cli_json_text(path));
	bool ok = write_text(to->output, begin) && write_base64(to->output, data, size) &&
	          write_text(to->output, "</script>\n");
	free(begin);
	return ok;
}

/* Writes the list of files, the map first. "<" is escaped, so that no name can end the script element. */
static bool write_list(const page_writer *to)
{
	json_t *object = json_object();
	json_object_set(object, "files", to->paths);
	char *text = json_dumps(object, JSON_ENSURE_ASCII);
	json_decref(object);
	bool ok = text && write_text(to->output, "<script type=\"application/json\" id=\"inside-map\">");
	for (const char *at = text; ok && *at; at++) {
		ok = *at == '<' ? write_text(to->output, "\\u003c") : cli_output_write(to->output, at, 1);
	}
	free(text);
	return ok && write_text(to->output, "</script>\n");
}

static cli_exit write_page(const cli_source *source, const cli_map_files *noted, const char *page, const char *script,
                           const cli_args *args)
{
	cli_output output;
	const char *name;
	bspscene_error error = { .status = BSPSCENE_ERROR_OUT_OF_MEMORY, .message = "out of memory" };
	bspscene_stream map;
	bspscene_stream_init(&map);
	cli_exit status = CLI_FAILED;
	if (cli_output_open_file(&output, source, args->output, &name)) {
		output.limit = (uint64_t)args->output_limit << 20;
		page_writer to = { &output, json_array() };
		const char *path = bspscene_source_map_path(source->place, source->map);
		bool ok = bspscene_source_open_map(source->place, source->map, &map, &error) &&
		          cli_output_begin(&output, name) && cli_output_write(&output, page, (size_t)(script - page)) &&
		          cli_map_files_each(noted, path, &map, write_file, &to, &error) && write_list(&to) &&
		          write_text(&output, script) && cli_output_end(&output);
		if (!ok) cli_output_report(&output, &error);
		else if (cli_output_commit(&output)) status = CLI_DONE;
		json_decref(to.paths);
	}
	cli_output_close(&output);
	return status;
}

/* ---- The command ------------------------------------------------------------------------------------------- */

/* Loads the map as the viewer does, to find the files that it needs. */
static cli_exit convert(const cli_args *args, const char *page, const char *script)
{
	cli_source source;
	cli_exit status = cli_source_open(&source, args, args->output);
	if (status == CLI_DONE) {
		bspscene_load_options options;
		cli_picture_load_options(&options);
		cli_map_files *noted = cli_map_files_begin(bspscene_source_file_system(source.place), &options);
		bspscene_scene *scene = cli_load_opened(&source, args, &options, LOAD_SHARE, &status);
		if (scene && !strcmp(scene->family, "model")) {
			status = cli_usage("%s: is a model, but .html can show only maps; write .glb instead", source.label);
		} else if (scene) status = write_page(&source, noted, page, script, args);
		bspscene_scene_free(scene);
		cli_map_files_free(noted);
	}
	cli_source_close(&source);
	return status;
}

cli_exit cli_write_viewer_page(const cli_args *args, const char *viewer)
{
	/* Loads the map in one thread, because cli_map_files_begin requires it. Ignores --palette, because the viewer uses
	 * only the game's palette. */
	cli_args own = *args;
	own.threads = 1;
	own.palette = NULL;
	char *found = viewer ? cli_format("%s", viewer) : find_viewer(args->output);
	if (!found) return CLI_FAILED;
	const char *script;
	char *page = read_viewer(found, &script);
	cli_exit status = page ? convert(&own, page, script) : CLI_FAILED;
	free(page);
	free(found);
	return status;
}
