/* command_list.c - bspscene list: prints the maps of an archive or game directory, or the installed games, one per
 * line. */
#include "cli/commands/commands.h"
#include "cli/report.h"

static cli_exit print_maps(const bspscene_source *place, const cli_args *args)
{
	uint32_t count = bspscene_source_map_count(place);
	if (bspscene_source_kind_of(place) == BSPSCENE_SOURCE_MAP && count == 1) {
		return cli_usage("%s: is a map itself; list takes an archive or a game directory", args->source);
	}
	for (uint32_t i = 0; i < count; i++) cli_print("%s", bspscene_source_map_name(place, i));
	if (count == 0) cli_warn(args, "%s: has no maps (*.bsp) in it", args->source);
	return cli_finish_stdout();
}

/* Implements bspscene_found_game_fn. */
static void print_game(void *user, const char *path)
{
	uint32_t *count = user;
	cli_print("%s", path);
	++*count;
}

static cli_exit list_games(const cli_args *args)
{
	uint32_t count = 0;
	if (!bspscene_find_games(print_game, &count)) cli_end_without_memory();
	if (count == 0) cli_warn(args, "no installed games were found; name a game directory: bspscene list DIR");
	return cli_finish_stdout();
}

static cli_exit run(const cli_args *args)
{
	if (!args->operand_count) return list_games(args);
	bspscene_source_options options;
	bspscene_error error;
	bspscene_source_options_init(&options);
	options.isolated = true;
	bspscene_source *place = bspscene_source_open(args->source, &options, &error);
	if (!place) return cli_fail("%s", error.message);
	const char *problem;
	for (uint32_t i = 0; (problem = bspscene_source_problem(place, i)); i++) cli_warn(args, "left out: %s", problem);
	cli_exit status = print_maps(place, args);
	bspscene_source_free(place);
	return status;
}

const cli_command cli_command_list = {
	.name = "list",
	.operands = "[SOURCE]",
	.section = "Look at maps",
	.summary = "list the maps of an archive or a game, or installed games",
	.details =
		"Prints the names of the maps in an archive (zip, pk3, pk4, iwd, pkz, dpk, kpf, pak, vpk, gma; 7z, rar and tar "
		"in builds with libarchive) or in a game directory with its archives. The list is sorted and has one name in a "
		"line; other commands take these names as --map NAME. The folder that a game is installed in works as well. "
		"Maps packed by gzip, bzip2, xz or Zstandard are in the list. An archive without maps lists its models.\n\n"
		"Maps that UFO: Alien Invasion assembles from tiles are in the list (farm.ump/medium), also those of one .ump "
		"file.\n\n"
		"Without SOURCE it prints the directories of the games on this machine, as --game takes them: those in "
		"Steam's libraries, in GOG's folders and in the usual places of the system.",
	.examples =
		"  bspscene list pak6-misc.pk3\n"
		"  bspscene list ~/games/openarena/baseoa\n"
		"  bspscene list\n",
	.options =
		"quiet version help",
	.operand_count = 0,
	.most_operands = 1,
	.run = run,
};
