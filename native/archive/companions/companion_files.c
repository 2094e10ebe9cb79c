/* companion_files.c - see companion_files.h. */
#include "archive/companions/companion_files.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "archive/catalog/companion_names.h"
#include "archive/catalog/members.h"
#include "archive/catalog/place_file.h"
#include "archive/companions/level_shot.h"
#include "archive/companions/map_facts.h"
#include "archive/companions/plain_text.h"
#include "archive/shared/shared_files.h"
#include "cli/json.h"
#include "cli/names.h"
#include "cli/read_stream.h"
#include "cli/report.h"
#include "cli/text_set.h"

#define LARGEST_SCRIPT ((uint64_t)16 << 20)
/* Largest number of bytes of one text in companions.json. The limit for scripts is lower, so that there is room for
 * readmes. */
enum { MOST_OF_TEXT = 32768, MOST_OF_SCRIPT = 8192 };

typedef struct writing {
	const cli_args *args;
	cli_output *output;
	cli_place_reader reader;
	cli_text_set written;              /* names of files that are already in the output */
	json_t *list;
	size_t text_left;                  /* number of bytes of CLI_MOST_TEXT that are left for further texts */
	cli_map_facts facts;
} writing;

/* Returns the name of a file for the page: its path in the innermost archive or, if it is in no archive, its file name.
 * So folders on the disk are not shown. */
static json_t *name_of(const json_t *place)
{
	const json_t *members = json_object_get(place, "members");
	const char *last = json_string_value(json_array_get(members, json_array_size(members) - 1));
	const char *path = json_string_value(json_object_get(place, "path"));
	return cli_json_text(last ? last : cli_file_name(path ? path : ""));
}

static void add_text(writing *w, json_t *line, cli_companion_kind kind, const void *data, size_t size)
{
	bool cut;
	size_t most = kind == CLI_COMPANION_TEXT ? MOST_OF_TEXT : MOST_OF_SCRIPT;
	char *text = cli_plain_text(data, size, most < w->text_left ? most : w->text_left, &cut);
	size_t length = strlen(text);
	w->text_left -= length < w->text_left ? length : w->text_left;
	json_object_set_new(line, "text", cli_json_text(text));
	if (cut) json_object_set_new(line, "cut", json_true());
	free(text);
}

/* Writes the file under its shared name, and sets the line's `member` to that name. Returns false on failure; the
 * output then has the error. */
static bool put(writing *w, json_t *line, const char *member, const void *data, size_t size)
{
	bool is_new;
	char *name = cli_shared_name(data, size), *path = cli_format("files/%s", name);
	cli_text_set_add(&w->written, name, &is_new);
	bool ok = !is_new || (cli_output_begin(w->output, path) && cli_output_write(w->output, data, size) &&
	                      cli_output_end(w->output));
	json_object_set_new(line, member, json_string(name));
	free(path);
	free(name);
	return ok;
}

/* Sets the line's `shown` to a picture that browsers can show: the file itself or, if it is a TGA, a PNG that this
 * function writes. */
static bool put_shown(writing *w, json_t *line, const char *name, const void *data, size_t size)
{
	cli_bytes png = { 0 };
	bool is_tga = !strcasecmp(cli_ending(name), "tga"), ok = true;
	if (!is_tga) json_object_set(line, "shown", json_object_get(line, "file"));
	else if (cli_show_level_shot(data, size, &png)) ok = put(w, line, "shown", png.at, png.size);
	free(png.at);
	return ok;
}

static bool put_place(writing *w, const json_t *place)
{
	bspscene_error error;
	size_t size = 0;
	void *data = cli_read_place_file(&w->reader, place, w->args, &size, &error);
	json_t *line = json_object(), *name = name_of(place);
	cli_companion_kind kind = cli_companion_kind_of(json_string_value(name));
	json_object_set_new(line, "name", name);
	json_object_set_new(line, "kind", json_string(cli_companion_word(kind)));
	json_array_append_new(w->list, line);
	if (!data) {
		json_object_set_new(line, "error", json_string("cannot be read"));
		return true;
	}
	bool ok = put(w, line, "file", data, size);
	json_object_set_new(line, "size", json_integer((json_int_t)size));
	if (ok && kind == CLI_COMPANION_PICTURE) ok = put_shown(w, line, json_string_value(name), data, size);
	if (kind == CLI_COMPANION_TEXT || kind == CLI_COMPANION_SCRIPT) add_text(w, line, kind, data, size);
	free(data);
	return ok;
}

/* Reads facts from the game's own list of maps. The list is not stored, because it belongs to the game. */
static void read_game(writing *w, bspscene_file_system *game)
{
	bspscene_stream stream;
	size_t size = 0;
	bool cut;
	bspscene_stream_init(&stream);
	if (!game || !bspscene_file_system_open(game, &stream, "ufos/maps.ufo", BSPSCENE_FILE_OTHER)) return;
	void *data = cli_read_stream(&stream, LARGEST_SCRIPT, &size);
	char *text = data ? cli_plain_text(data, size, size, &cut) : NULL;
	if (text) cli_script_facts(&w->facts, text);
	free(text);
	free(data);
}

typedef enum belief { OF_SCRIPTS, OF_OWN_READ_MES, OF_OTHER_READ_MES, BELIEFS } belief;

/* Reads facts about the map from the text of file `name`. Does nothing if the file is not of the kind `which`. */
static void learn(writing *w, const char *name, const char *text, belief which)
{
	const char *file = cli_file_name(name), *ending = cli_ending(name);
	bool is_mapinfo = !strcasecmp(ending, "mapinfo");
	bool is_script = is_mapinfo || !strcasecmp(ending, "arena") || !strcasecmp(file, "arenas.txt");
	bool is_read_me = cli_companion_kind_of(name) == CLI_COMPANION_TEXT && !is_script;
	belief own = cli_is_called_by(name, w->facts.map) ? OF_OWN_READ_MES : OF_OTHER_READ_MES;
	if (which == OF_SCRIPTS && is_mapinfo) cli_mapinfo_facts(&w->facts, text);
	else if (which == OF_SCRIPTS && is_script) cli_script_facts(&w->facts, text);
	else if (which == own && is_read_me) cli_read_me_facts(&w->facts, text);
}

/* Learns facts from all texts, the most reliable first: scripts, then readmes named after this map, then other readmes.
 * The order of the files does not matter. */
static void learn_all(writing *w, bspscene_file_system *game)
{
	for (int which = 0; which < BELIEFS; which++) {
		for (size_t i = 0; i < json_array_size(w->list); i++) {
			const json_t *line = json_array_get(w->list, i);
			const char *name = json_string_value(json_object_get(line, "name"));
			const char *text = json_string_value(json_object_get(line, "text"));
			if (text) learn(w, name, text, (belief)which);
		}
		if (which == OF_SCRIPTS) read_game(w, game);
		w->facts.are_modes_told = json_array_size(w->facts.modes) > 0;
	}
}

static bool write_list(writing *w)
{
	json_t *document = json_object();
	json_object_set_new(document, "title", cli_json_text(w->facts.title));
	json_object_set_new(document, "author", cli_json_text(w->facts.author));
	json_object_set_new(document, "date", cli_json_text(w->facts.date));
	json_object_set_new(document, "modes", w->facts.modes ? w->facts.modes : json_array());
	json_object_set(document, "files", w->list);
	return cli_json_write(document, w->output, "companions.json");
}

bool cli_write_companions(const json_t *entry, bspscene_file_system *game, const cli_args *args, cli_output *output)
{
	const char *name = json_string_value(json_object_get(entry, "name"));
	const json_t *companions = json_object_get(entry, "companions"), *around = json_object_get(entry, "around");
	writing w = { .args = args, .output = output, .list = json_array(), .text_left = CLI_MOST_TEXT,
	              .facts.map = name ? name : "" };
	bool ok = true;
	for (size_t i = 0; ok && i < json_array_size(companions); i++) {
		json_t *place = cli_companion_place(entry, i);
		ok = put_place(&w, place);
		json_decref(place);
	}
	for (size_t i = 0; ok && i < json_array_size(around); i++) ok = put_place(&w, json_array_get(around, i));
	learn_all(&w, game);
	ok = ok && write_list(&w);
	cli_place_reader_close(&w.reader);
	cli_text_set_free(&w.written);
	json_decref(w.list);
	return ok;
}
