/* command_list.c - bspscene list: the maps of an archive or game directory, one name in a line. */
#include <stdlib.h>

#include "commands.h"
#include "report.h"
#include "source.h"

static cli_exit print_maps(const cli_source *source, const cli_args *args)
{
	if (source->kind == CLI_SOURCE_MAP) {
		return cli_usage("%s: a map itself; list takes an archive or a game directory", args->source);
	}
	for (uint32_t i = 0; i < source->map_count; i++) {
		char *name = cli_map_name(source->maps[i]);
		cli_print("%s", name);
		free(name);
	}
	if (source->map_count == 0) cli_warn(args, "%s: no maps (*.bsp) in it", args->source);
	return cli_finish_stdout();
}

static cli_exit run(const cli_args *args)
{
	cli_source source;
	cli_exit status = cli_source_open(&source, args);
	if (status == CLI_DONE) status = print_maps(&source, args);
	cli_source_close(&source);
	return status;
}

const cli_command cli_command_list = {
	.name = "list",
	.operands = "SOURCE",
	.summary = "maps in an archive or game directory",
	.details =
		"Prints the names of the maps in an archive (pk3, pk4, zip, pak, vpk) or in a game directory with the\n"
		"archives in it, one in a line, sorted: what --map of the other commands takes.",
	.examples =
		"  bspscene list pak6-misc.pk3\n"
		"  bspscene list ~/games/openarena/baseoa\n",
	.operand_count = 1,
	.run = run,
};
