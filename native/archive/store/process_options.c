/* process_options.c - see process_options.h. */
#include "archive/store/process_options.h"

#include <string.h>

#include "cli/report.h"

static const cli_word step_words[] = {
	{ "info", CLI_STEP_INFO }, { "pictures", CLI_STEP_PICTURES }, { "lightmaps", CLI_STEP_LIGHTMAPS },
	{ "glb", CLI_STEP_GLB }, { "entities", CLI_STEP_ENTITIES },
	{ "files", CLI_STEP_FILES }, { "companions", CLI_STEP_COMPANIONS },
	{ "originals", CLI_STEP_ORIGINALS }, { NULL, 0 },
};
static const cli_word picture_words[] = {
	{ "start", CLI_PICTURE_START }, { "tile", CLI_PICTURE_TILE }, { "sheet", CLI_PICTURE_SHEET },
	{ "overview", CLI_PICTURE_OVERVIEW }, { "roofs", CLI_PICTURE_ROOFS }, { "plan", CLI_PICTURE_PLAN },
	{ "turn", CLI_PICTURE_TURN }, { NULL, 0 },
};
static const cli_word texture_words[] = {
	{ "embedded", 0 }, { "shared", 1 }, { NULL, 0 },
};

/* Parses "NAME" or "NAME=WxH". */
static bool set_picture(const cli_option_row *row, const char *value, size_t length, void *options)
{
	cli_process_options *own = options;
	const char *end = value + length, *equals = memchr(value, '=', length);
	uint32_t kind;
	if (!cli_read_word(row->name, row->words, value, equals ? (size_t)(equals - value) : length, &kind)) return false;
	cli_picture_size *size = &own->pictures[kind];
	uint32_t most = cli_picture_rows[kind].most_side;
	*size = cli_picture_rows[kind].size;
	if (!equals) return true;
	const char *at = equals + 1;
	if (cli_read_count(at, most, &at, &size->width) && *at == 'x' && cli_read_count(at + 1, most, &at, &size->height) &&
	    at == end) return true;
	cli_usage("--%s: \"%.*s\" is not a size such as %.*s=640x480 with sides up to %u", row->name, (int)length, value,
	          (int)(equals - value), value, most);
	return false;
}

static bool set_pictures(const cli_option_row *row, const char *value, void *options)
{
	cli_process_options *own = options;
	own->has_pictures = true;
	return cli_read_list(row, value, options, set_picture);
}

static bool set_shard(const cli_option_row *row, const char *value, void *options)
{
	cli_process_options *own = options;
	const char *at;
	if (cli_read_count(value, 1000000, &at, &own->shard) && *at == '/' &&
	    cli_read_count(at + 1, 1000000, &at, &own->shard_count) && !*at && own->shard <= own->shard_count) return true;
	cli_usage("--%s: \"%s\" is not I/N with I from 1 to N", row->name, value);
	return false;
}

const cli_option_row cli_process_rows[] = {
	{ "catalog", "FILE",
	  "the lines of \"bspscene catalog\" (default: standard input)",
	  .apply = cli_set_text, .member = offsetof(cli_process_options, catalog) },
	{ "steps", "STEP,...",
	  "what to make (default: all but files and originals)\n"
	  "info: info.json, as \"bspscene info --json\" prints it\n"
	  "pictures: see --pictures\n"
	  "lightmaps: the pages of bake\n"
	  "glb: the map as map.glb\n"
	  "entities: entities.json\n"
	  "companions: readme files, scripts, light and WADs that came with the map\n"
	  "files: all files that the map needs, for the viewer of \"bspscene gallery\"\n"
	  "originals: the archive that the map came in",
	  .apply = cli_set_words, .member = offsetof(cli_process_options, steps), .words = step_words },
	{ "pictures", "NAME[=WxH],...",
	  "which pictures to make, and their sizes in pixels (default: all but turn)\n"
	  "start: the first view of a player (640x480)\n"
	  "tile: the same, small (320x240)\n"
	  "sheet: views from up to 12 player starts; the size is that of each view (320x240)\n"
	  "overview: from above, without roofs (800x600)\n"
	  "roofs: from above, with roofs (800x600)\n"
	  "plan: straight from above, with a scale bar (800x800)\n"
	  "turn: an animation on a turntable (480x360)",
	  .apply = set_pictures, .words = picture_words },
	{ "textures", "WHERE",
	  "where the textures of GLBs are stored\n"
	  "embedded: in each GLB (default)\n"
	  "shared: once for all maps, in STORE/textures",
	  .apply = cli_set_word, .member = offsetof(cli_process_options, shared_textures), .words = texture_words },
	{ "keep-originals", NULL,
	  "keep the archives that maps came in, in STORE/originals, as links where possible",
	  .apply = cli_set_switch, .member = offsetof(cli_process_options, keep_originals) },
	{ "shard", "I/N",
	  "do the I-th of N parts of the catalog, for N machines",
	  .apply = set_shard },
	{ "retry", NULL,
	  "do quarantined maps again",
	  .apply = cli_set_switch, .member = offsetof(cli_process_options, retry) },
	{ "prune", NULL,
	  "only move the results of maps that are not in the catalog to STORE/removed",
	  .apply = cli_set_switch, .member = offsetof(cli_process_options, prune) },
	{ "dry-run", NULL,
	  "report how many maps are to do, or what --prune would move; write nothing",
	  .apply = cli_set_switch, .member = offsetof(cli_process_options, dry_run) },
	{ "timeout", "SECONDS",
	  "time limit for each map (default 600)",
	  .apply = cli_set_count, .member = offsetof(cli_args, timeout), .most = 1e6f, .group = CLI_GROUP_LIMITS,
	  .in_args = true },
	CLI_MIB_ROW("output-limit", output_limit, "total size of the files of a map (default 4096)"),
	{ .name = NULL },
};
