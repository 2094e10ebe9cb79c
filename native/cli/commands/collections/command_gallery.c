/* command_gallery.c - bspscene gallery: writes the results of a store as a manifest, a database and a page. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "archive/gallery/gallery_database.h"
#include "archive/gallery/gallery_pages.h"
#include "archive/gallery/gallery_queue.h"
#include "archive/gallery/gallery_record.h"
#include "archive/gallery/gallery_viewer.h"
#include "archive/store/store_ids.h"
#include "cli/json.h"
#include "cli/options/option_rows.h"
#include "cli/host/platform.h"
#include "cli/report.h"

typedef struct gallery_options {
	const char *viewer;                /* folder of the viewer to copy; NULL: the gallery has no viewer */
} gallery_options;

static const cli_option_row own_rows[] = {
	{ "viewer", "DIR",
	  "the unpacked folder of the web viewer;\n"
	  "it is copied next to the page and opens maps that were processed with --steps files",
	  .apply = cli_set_text, .member = offsetof(gallery_options, viewer) },
	{ .name = NULL },
};

/* Lists all maps, sorted. Returns false after an error, which is printed. */
static bool list_ids(cli_ids *found, const char *store)
{
	bool ok = cli_store_ids(found, store);
	if (ok && !found->count) cli_fail("%s: has no maps; \"bspscene process\" fills a store", store);
	return ok && found->count;
}

/* ---- Relative links from the page to the maps ------------------------------------------------------------- */

/* Returns the length of the folders that both paths begin with, including the last slash. */
static size_t common_length(const char *a, const char *b)
{
	size_t same = 0;
	for (size_t i = 0;; i++) {
		bool a_ends = !a[i] || cli_is_separator(a[i]), b_ends = !b[i] || cli_is_separator(b[i]);
		if (a_ends && b_ends) same = a[i] && b[i] ? i + 1 : i;
		if (!a[i] || !b[i] || (a[i] != b[i] && !(a_ends && b_ends))) return same;
	}
}

/* Encodes a path as a part of a URL, in new memory. */
static char *encode_path(const char *path)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
	char *url = cli_allocate(3 * strlen(path) + 1, 1), *end = url;
	for (; *path; path++) {
		unsigned char letter = (unsigned char)*path;
		if (cli_is_separator(*path)) *end++ = '/';
		else if (strchr(plain, letter)) *end++ = *path;
		else {
			*end++ = '%';
			*end++ = "0123456789ABCDEF"[letter >> 4];
			*end++ = "0123456789ABCDEF"[letter & 15];
		}
	}
	return url;
}

/* Returns, in new memory, the URL that leads from folder `from` to folder `to`. It has "../" for each folder that only
 * `from` has, and then the rest of `to`. NULL: the folders are on different drives. */
static char *relative_url(const char *from, const char *to)
{
	size_t same = common_length(from, to), root = cli_root_length(from);
	if (root > same) return NULL;
	char *url = cli_format("%s", "");
	const char *at = from + same;
	while (cli_is_separator(*at)) at++;
	while (*at) {
		char *longer = cli_format("../%s", url);
		free(url);
		url = longer;
		while (*at && !cli_is_separator(*at)) at++;
		while (cli_is_separator(*at)) at++;
	}
	const char *rest = to + (strlen(to) < same ? strlen(to) : same);
	while (cli_is_separator(*rest)) rest++;
	char *encoded = encode_path(rest), *whole = cli_format("%s%s%s", url, encoded, *encoded ? "/" : "");
	free(encoded);
	free(url);
	if (*whole) return whole;
	free(whole);
	return cli_format("./");
}

static char *find_way(const char *directory, const char *store)
{
	char *from = cli_real_path(directory), *to = cli_real_path(store), *url = NULL;
	if (from && to) url = relative_url(from, to);
	if (!url)
		cli_fail("%s: pages there cannot link to the maps in %s; choose a directory on the same drive", directory,
		         store);
	free(from);
	free(to);
	return url;
}

/* ---- The gallery ------------------------------------------------------------------------------------------ */

typedef struct gallery {
	const cli_args *args;
	cli_store store;
	cli_output output;
	cli_output_file *manifest;
	cli_pages *pages;
	cli_database *database;            /* NULL: this build lacks SQLite */
	size_t count;
} gallery;

static bool begin_database(gallery *g)
{
	if (!cli_has_database()) {
		cli_warn(g->args, "manifest.sqlite is not written: this build lacks SQLite");
		return true;
	}
	if (!cli_output_begin(&g->output, "manifest.sqlite")) return false;
	const char *path = cli_output_path(&g->output);
	if (!cli_output_end(&g->output)) return false;
	if (!path) return cli_fail("manifest.sqlite: exists, but is not a regular file") == CLI_DONE;
	g->database = cli_database_open(path);
	return g->database != NULL;
}

static bool begin(gallery *g, size_t count)
{
	g->pages = cli_pages_begin(&g->output, count);
	if (!g->pages || !cli_output_begin(&g->output, "manifest.jsonl")) return false;
	g->manifest = cli_output_suspend(&g->output);
	return begin_database(g);
}

static bool add(gallery *g, cli_queue *queue, const char *id)
{
	json_t *record = cli_gallery_record(&g->store, id, g->args);
	if (!record) return cli_queue_add(queue, NULL);
	char *line = cli_json_line(json_incref(record));
	cli_output_resume(&g->output, g->manifest);
	bool ok = cli_output_write(&g->output, line, strlen(line));
	cli_output_suspend(&g->output);
	ok = ok && cli_pages_add(g->pages, record, line) && cli_queue_add(queue, record);
	free(line);
	g->count++;
	return ok;
}

static bool add_all(gallery *g, const cli_ids *found)
{
	cli_queue *queue = cli_queue_begin(g->database);
	bool ok = true;
	for (size_t i = 0; i < found->count && ok; i++) ok = add(g, queue, found->at[i]);
	return cli_queue_end(queue) && ok;
}

static bool end(gallery *g, const char *way)
{
	cli_output_resume(&g->output, g->manifest);
	bool ok = cli_output_end(&g->output);
	ok = cli_database_close(g->database, ok) && ok;
	g->database = NULL;
	const char *viewer = ((const gallery_options *)g->args->own)->viewer;
	ok = ok && cli_pages_end(g->pages, way, viewer != NULL);
	return ok && (!viewer || cli_gallery_viewer(&g->output, viewer, way));
}

static bool make(gallery *g, const cli_ids *found, const char *directory)
{
	cli_source source = { .path = g->args->operands[0] };
	if (!cli_output_open(&g->output, &source, directory)) return false;
	char *way = find_way(directory, g->store.path);
	bool ok = way && begin(g, found->count) && add_all(g, found) && end(g, way);
	free(way);
	if (!ok && g->output.failure) cli_fail("%s", g->output.failure);
	ok = ok && cli_output_commit(&g->output);
	if (ok) cli_pages_sweep(g->pages, directory);
	return ok;
}

static cli_exit run(const cli_args *args)
{
	gallery g = { .args = args, .store.path = args->operands[0] };
	char *directory = args->operand_count > 1 ? cli_format("%s", args->operands[1])
	                                          : cli_format("%s/gallery", g.store.path);
	cli_ids found = { 0 };
	bool ok = list_ids(&found, g.store.path) && make(&g, &found, directory);
	cli_database_close(g.database, false);
	cli_output_close(&g.output);
	cli_pages_free(g.pages);
	if (ok && !args->quiet) cli_print("%zu maps in %s/index.html", g.count, directory);
	free(found.at);
	free(directory);
	return ok ? cli_finish_stdout() : CLI_FAILED;
}

const cli_command cli_command_gallery = {
	.name = "gallery",
	.operands = "STORE [OUTDIR]",
	.section = "Collections of maps",
	.summary = "make a web page and a database of all maps in a store",
	.details =
		"Collects the results of \"bspscene process\". index.html shows tiles with pictures, filters, search and a "
		"page for each map. manifest.jsonl has a line of JSON for each map. manifest.sqlite is an SQLite database "
		"with full text search. OUTDIR is STORE/gallery by default.\n\n"
		"The page needs no server and no network; it shows the pictures in STORE. With --viewer, a click opens the "
		"map itself in 3D; this needs a web server that serves both the page and STORE. The same store gives the "
		"same files. An older gallery in OUTDIR is replaced when the new one is complete.",
	.examples =
		"  bspscene gallery store\n"
		"  bspscene gallery store ~/public/maps --quiet\n"
		"  bspscene gallery store --viewer bspscene-viewer\n",
	.options =
		"root viewer quiet version help",
	.own = own_rows, .own_size = sizeof(gallery_options),
	.operand_count = 1,
	.most_operands = 2,
	.run = run,
};
