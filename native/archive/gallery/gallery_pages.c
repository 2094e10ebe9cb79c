/* gallery_pages.c - writes the page, and its data in pieces. Each piece is a script, for example with 2000 rows of the
 * index. See gallery_pages.h. */
#include "archive/gallery/gallery_pages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/byte_buffer.h"
#include "archive/pictures/picture_kinds.h"
#include "archive/gallery/gallery_files.h"
#include "archive/gallery/gallery_likeness.h"
#include "archive/gallery/gallery_record.h"
#include "archive/gallery/gallery_words.h"
#include "cli/json.h"
#include "cli/names.h"
#include "cli/host/platform.h"
#include "cli/report.h"
#include "cli/text_set.h"

enum {
	ROWS = 2000,                       /* rows in a piece of the index, which makes it about 400 KB */
	MOST_RECORDS = 64,                 /* a piece has at most this many records on average */
	HASH_DIGITS = 16
};

/* Pictures that can represent a map in the list, best first. A row of the index has the number of the first picture
 * that the map has: its position in this array, counted from 1. */
static const cli_picture_kind tile_kinds[] = {
	CLI_PICTURE_TILE, CLI_PICTURE_START, CLI_PICTURE_OVERVIEW, CLI_PICTURE_ROOFS, CLI_PICTURE_PLAN, CLI_PICTURE_SHEET,
};

/* Data of a map that is kept until all maps are known. */
typedef struct row {
	char *name, *line;                 /* the map's name, by which rows are sorted; text of the row as JSON, without
	                                    * the group and the closing bracket, which are appended later */
	char id[CLI_ID_LENGTH + 1], geometry[CLI_ID_LENGTH + 1];
	uint32_t number;                   /* index of the map in the order in which maps were added */
	uint32_t group;                    /* index of the first row with the same geometry */
} row;

struct cli_pages {
	cli_output *output;
	cli_output_file *page;             /* index.html, which is renamed last */
	size_t digits;                     /* number of digits at the beginning of an id that name its piece of records */
	cli_bytes records;                 /* contents of the piece of records that is being filled */
	char prefix[CLI_ID_LENGTH + 1];
	row *rows;
	size_t count;
	char **names;                      /* names of all pieces */
	size_t name_count, name_room;
	size_t first_index_name;           /* index of the first piece of the index; pieces before it are records */
	size_t first_near_name;            /* index of the first piece of neighbors */
	size_t first_words_name;           /* index of the first piece of words */
	cli_likeness *likeness;
	cli_words *words;
};

/* ---- Text ------------------------------------------------------------------------------------------------- */

static void append(cli_bytes *to, const char *string)
{
	cli_bytes_add(to, string, strlen(string));
}

/* Appends a string in quotes. It must not need escapes. */
static void append_quoted(cli_bytes *to, const char *string)
{
	append(to, "\"");
	append(to, string);
	append(to, "\"");
}

/* ---- Files ------------------------------------------------------------------------------------------------ */

/* Writes data/STEM-HASH.ENDING and notes its name. */
static bool write_piece(cli_pages *pages, const char *stem, const char *ending, const void *data, size_t size)
{
	char *name = cli_format("%s-%016" PRIx64 ".%s", stem, cli_hash(data, size), ending);
	char *path = cli_format("data/%s", name);
	bool ok = cli_output_begin(pages->output, path) && cli_output_write(pages->output, data, size) &&
	          cli_output_end(pages->output);
	if (pages->name_count == pages->name_room) {
		pages->name_room = pages->name_room ? 2 * pages->name_room : 64;
		pages->names = cli_resize(pages->names, pages->name_room, sizeof *pages->names);
	}
	pages->names[pages->name_count++] = name;
	free(path);
	return ok;
}

static char *last_name(const cli_pages *pages)
{
	return pages->names[pages->name_count - 1];
}

/* ---- Records ---------------------------------------------------------------------------------------------- */

cli_pages *cli_pages_begin(cli_output *output, size_t count)
{
	if (!cli_output_begin(output, "index.html")) return NULL;
	cli_pages *pages = cli_allocate(1, sizeof *pages);
	pages->output = output;
	pages->page = cli_output_suspend(output);
	pages->rows = cli_allocate(count, sizeof *pages->rows);
	pages->likeness = cli_likeness_begin(count);
	pages->words = cli_words_begin();
	for (size_t all = MOST_RECORDS; all < count; all *= 16) pages->digits++;
	return pages;
}

static bool end_records(cli_pages *pages)
{
	if (!pages->records.size) return true;
	char *stem = cli_format("maps-%s", pages->prefix);
	append(&pages->records, "]);\n");
	bool ok = write_piece(pages, stem, "js", pages->records.at, pages->records.size);
	pages->records.size = 0;
	free(stem);
	return ok;
}

static bool has_file(const json_t *record, const char *name)
{
	const json_t *files = json_object_get(record, "files");
	for (size_t i = 0; i < json_array_size(files); i++) {
		if (!strcmp(json_string_value(json_array_get(files, i)), name)) return true;
	}
	return false;
}

static json_int_t count_missing(const json_t *record)
{
	const json_t *needs = json_object_get(record, "needs");
	json_int_t missing = 0;
	for (size_t i = 0; i < json_array_size(needs); i++) {
		missing += json_is_false(json_object_get(json_array_get(needs, i), "found"));
	}
	return missing;
}

/* Returns the picture for the map's tile: its position in tile_kinds, counted from 1, or the URL of a level shot.
 * Returns 0 if there is none. */
static json_t *find_tile(const json_t *record)
{
	for (size_t i = 0; i < sizeof tile_kinds / sizeof *tile_kinds; i++) {
		if (has_file(record, cli_picture_rows[tile_kinds[i]].file)) return json_integer((json_int_t)i + 1);
	}
	const json_t *kept = json_object_get(record, "kept");
	for (size_t i = 0; i < json_array_size(kept); i++) {
		const char *shown = cli_record_text(json_array_get(kept, i), "shown");
		if (*shown) return json_string(shown);
	}
	return json_integer(0);
}

static char *make_row(const json_t *record)
{
	const json_t *counts = json_object_get(record, "counts");
	const char *path = cli_record_text(record, "path"), *slash = cli_last_separator(path);
	bool done = !strcmp(cli_record_text(record, "status"), "done");
	json_t *array = json_array();
	static const char *const texts[] = { "id", "name", "title", "author", "format" };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		json_array_append(array, json_object_get(record, texts[i]));
	}
	json_array_append_new(array, cli_json_text(slash ? slash + 1 : path));
	json_array_append(array, json_object_get(record, "size"));
	json_array_append_new(array, json_integer(cli_record_number(counts, "triangles")));
	json_array_append_new(array, json_integer(cli_record_number(counts, "entities")));
	json_array_append_new(array, json_integer(count_missing(record)));
	json_array_append(array, json_object_get(record, "modified"));
	json_array_append_new(array, find_tile(record));
	json_array_append_new(array, json_integer(!done));
	json_array_append_new(array, json_integer(has_file(record, "files.json")));
	char *line = cli_json_line(array);
	line[strlen(line) - strlen("]\n")] = 0;
	char *fitting = cli_format("%s", line);
	free(line);
	return fitting;
}

bool cli_pages_add(cli_pages *pages, const json_t *record, const char *line)
{
	const char *id = cli_record_text(record, "id"), *geometry = cli_record_text(record, "geometry");
	row *added = &pages->rows[pages->count];
	added->number = (uint32_t)pages->count++;
	cli_likeness_add(pages->likeness, record);
	cli_words_add(pages->words, record);
	memcpy(added->id, id, CLI_ID_LENGTH);
	if (cli_is_id(geometry)) memcpy(added->geometry, geometry, CLI_ID_LENGTH);
	added->name = cli_format("%s", cli_record_text(record, "name"));
	added->line = make_row(record);
	if (strncmp(pages->prefix, id, pages->digits) != 0 && !end_records(pages)) return false;
	memcpy(pages->prefix, id, pages->digits);
	append(&pages->records, pages->records.size ? ",\n" : "gallery.records([\n");
	cli_bytes_add(&pages->records, line, strlen(line) - 1);
	return true;
}

/* ---- Index ------------------------------------------------------------------------------------------------ */

static int compare_names(const void *a, const void *b)
{
	const row *one = a, *other = b;
	int order = strcasecmp(one->name, other->name);
	return order ? order : strcmp(one->id, other->id);
}

static int compare_geometry(const void *a, const void *b)
{
	const row *one = *(row *const *)a, *other = *(row *const *)b;
	int order = strcmp(one->geometry, other->geometry);
	return order ? order : (one > other) - (one < other); /* both point into an array that is sorted by name, so the
	                                                       * order of addresses is the order of names */
}

/* Groups maps with equal geometry. The group's number is that of its first row by name. */
static void group_rows(cli_pages *pages)
{
	row **order = cli_allocate(pages->count, sizeof(row *));
	for (size_t i = 0; i < pages->count; i++) order[i] = &pages->rows[i];
	if (pages->count) qsort(order, pages->count, sizeof(row *), compare_geometry);
	for (size_t i = 0; i < pages->count; i++) {
		bool same = i && *order[i]->geometry && !strcmp(order[i]->geometry, order[i - 1]->geometry);
		order[i]->group = same ? order[i - 1]->group : (uint32_t)(order[i] - pages->rows);
	}
	free(order);
}

/* Appends the text for row `from` to the piece `to`. The caller appends the end of the line. */
typedef void append_row_fn(cli_pages *pages, const row *from, cli_bytes *to, void *user);

/* Writes all rows as pieces "STEM-0000" and so on. A piece is a call, "gallery.CALL(first row, [...])". */
static bool write_rows(cli_pages *pages, const char *stem, const char *call, append_row_fn *append_row, void *user)
{
	cli_bytes piece = { 0 };
	bool ok = true;
	for (size_t from = 0; from < pages->count && ok; from += ROWS) {
		size_t end = from + ROWS < pages->count ? from + ROWS : pages->count;
		char *begin = cli_format("gallery.%s(%zu, [\n", call, from), *name = cli_format("%s-%04zu", stem, from / ROWS);
		piece.size = 0;
		append(&piece, begin);
		for (size_t i = from; i < end; i++) {
			append_row(pages, &pages->rows[i], &piece, user);
			append(&piece, i + 1 < end ? ",\n" : "\n]);\n");
		}
		ok = write_piece(pages, name, "js", piece.at, piece.size);
		free(name);
		free(begin);
	}
	free(piece.at);
	return ok;
}

/* Implements append_row_fn: appends what tiles show and what the search needs. */
static void append_index(cli_pages *pages, const row *from, cli_bytes *to, void *user)
{
	(void)pages;
	(void)user;
	char *group = cli_format(",%" PRIu32 "]", from->group);
	append(to, from->line);
	append(to, group);
	free(group);
}

/* Implements append_row_fn: appends the rows of the map's neighbors, each with its similarity in percent. `places` has
 * the row of each map. */
static void append_near(cli_pages *pages, const row *from, cli_bytes *to, void *places)
{
	const uint32_t *place = places;
	const cli_neighbor *near = cli_likeness_of(pages->likeness, from->number);
	append(to, "[");
	for (size_t i = 0; i < CLI_NEIGHBORS && near[i].percent; i++) {
		char *pair = cli_format("%s%" PRIu32 ",%" PRIu32, i ? "," : "", place[near[i].map], near[i].percent);
		append(to, pair);
		free(pair);
	}
	append(to, "]");
}

static bool write_index(cli_pages *pages)
{
	if (pages->count) qsort(pages->rows, pages->count, sizeof *pages->rows, compare_names);
	group_rows(pages);
	uint32_t *places = cli_allocate(pages->count, sizeof *places), *groups = cli_allocate(pages->count, sizeof *groups);
	for (uint32_t i = 0; i < pages->count; i++) {
		places[pages->rows[i].number] = i;
		groups[pages->rows[i].number] = pages->rows[i].group;
	}
	cli_likeness_find(pages->likeness, groups);
	free(groups);
	pages->first_index_name = pages->name_count;
	bool ok = write_rows(pages, "index", "rows", append_index, NULL);
	pages->first_near_name = pages->name_count;
	ok = ok && write_rows(pages, "near", "near", append_near, places);
	free(places);
	return ok;
}

/* Writes the file of the words that begin with `head` (a cli_words_piece_fn). */
static bool write_words(const char head[3], const cli_bytes *lines, void *user)
{
	cli_pages *pages = user;
	cli_bytes piece = { 0 };
	char *stem = cli_format("words-%s", head);
	append(&piece, "gallery.words([\n");
	cli_bytes_add(&piece, lines->at, lines->size);
	append(&piece, "\n]);\n");
	bool ok = write_piece(pages, stem, "js", piece.at, piece.size);
	free(piece.at);
	free(stem);
	return ok;
}

static void append_names(cli_bytes *to, const cli_pages *pages, size_t from, size_t end)
{
	append(to, "[");
	for (size_t i = from; i < end; i++) {
		append(to, i > from ? ",\n" : "\n");
		append_quoted(to, pages->names[i]);
	}
	append(to, "]");
}

/* ---- Page ------------------------------------------------------------------------------------------------- */

static bool write_summary(cli_pages *pages, const char *store, bool has_viewer)
{
	cli_bytes summary = { 0 };
	char *begin = cli_format("gallery.begin({count: %zu, digits: %zu, piece: %d, version: \"%s\", store: ",
	                         pages->count, pages->digits, ROWS, bspscene_version());
	append(&summary, begin);
	append_quoted(&summary, store);
	append(&summary, has_viewer ? ", viewer: true" : ", viewer: false");
	append(&summary, ", index: ");
	append_names(&summary, pages, pages->first_index_name, pages->first_near_name);
	append(&summary, ", near: ");
	append_names(&summary, pages, pages->first_near_name, pages->first_words_name);
	append(&summary, ", words: ");
	append_names(&summary, pages, pages->first_words_name, pages->name_count);
	append(&summary, ", records: ");
	append_names(&summary, pages, 0, pages->first_index_name);
	append(&summary, "});\n");
	bool ok = write_piece(pages, "summary", "js", summary.at, summary.size);
	free(summary.at);
	free(begin);
	return ok;
}

/* Writes the page from its template. Replaces "@STYLE@", "@SCRIPT@" and "@SUMMARY@" in the template by the three names
 * of files, in this order. */
static bool write_page(cli_pages *pages, char *const names[3])
{
	static const char *const marks[3] = { "@STYLE@", "@SCRIPT@", "@SUMMARY@" };
	cli_bytes html = { 0 }, page = { 0 };
	cli_bytes_add(&html, cli_gallery_html, cli_gallery_html_size);
	const char *at = html.at;
	for (int i = 0; i < 3; i++) {
		const char *mark = strstr(at, marks[i]);
		cli_bytes_add(&page, at, (size_t)(mark - at));
		append(&page, names[i]);
		at = mark + strlen(marks[i]);
	}
	append(&page, at);
	cli_output_resume(pages->output, pages->page);
	bool ok = cli_output_write(pages->output, page.at, page.size) && cli_output_end(pages->output);
	free(page.at);
	free(html.at);
	return ok;
}

bool cli_pages_end(cli_pages *pages, const char *store, bool has_viewer)
{
	char *names[3] = { NULL };
	bool ok = end_records(pages) && write_index(pages);
	pages->first_words_name = pages->name_count;
	ok = ok && cli_words_write(pages->words, write_words, pages) && write_summary(pages, store, has_viewer);
	if (ok) names[2] = last_name(pages);
	ok = ok && write_piece(pages, "page", "css", cli_gallery_css, cli_gallery_css_size);
	if (ok) names[0] = last_name(pages);
	ok = ok && write_piece(pages, "page", "js", cli_gallery_js, cli_gallery_js_size);
	if (ok) names[1] = last_name(pages);
	return ok && write_page(pages, names);
}

/* ---- Old pieces ------------------------------------------------------------------------------------------- */

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* True if the file is named like a piece of a gallery, but is no piece of this gallery. So an earlier gallery wrote
 * it. */
static bool is_old(const char *name, void *user)
{
	static const char *const stems[] = { "index-", "maps-", "near-", "page-", "summary-", "words-" };
	const cli_pages *pages = user;
	const char *dash = strrchr(name, '-'), *ending = dash ? strchr(dash, '.') : NULL;
	bool ours = false;
	for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) ours |= !strncmp(name, stems[i], strlen(stems[i]));
	if (!ours || !ending || (strcmp(ending, ".js") != 0 && strcmp(ending, ".css") != 0)) return false;
	if (ending - dash != HASH_DIGITS + 1 || strspn(dash + 1, "0123456789abcdef") != HASH_DIGITS) return false;
	return !bsearch(&name, pages->names, pages->name_count, sizeof *pages->names, compare_strings);
}

void cli_pages_sweep(const cli_pages *pages, const char *directory)
{
	cli_pages sorted = *pages;
	char *folder = cli_format("%s/data", directory);
	qsort(sorted.names, sorted.name_count, sizeof *sorted.names, compare_strings);
	cli_remove_own_files(folder, is_old, &sorted);
	free(folder);
}

void cli_pages_free(cli_pages *pages)
{
	if (!pages) return;
	for (size_t i = 0; i < pages->count; i++) {
		free(pages->rows[i].name);
		free(pages->rows[i].line);
	}
	for (size_t i = 0; i < pages->name_count; i++) free(pages->names[i]);
	cli_likeness_free(pages->likeness);
	cli_words_free(pages->words);
	free(pages->names);
	free(pages->rows);
	free(pages->records.at);
	free(pages);
}
