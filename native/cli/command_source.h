/* command_source.h - SOURCE, --map and --game become one map and the files around it. */
#ifndef CLI_COMMAND_SOURCE_H
#define CLI_COMMAND_SOURCE_H

#include "cli/options/args.h"

typedef struct cli_source {
	const char *path;                  /* as the user gave it */
	bspscene_source *place;
	uint32_t map;                      /* of the place */
	char *label;                       /* the map in messages: "maps/x.bsp" or "pak.pk3: maps/x.bsp" */
	double load_share;                 /* of the command's time; what follows goes on there with the bar */
} cli_source;

/* Opens SOURCE and chooses the map that --map names, or the only one. `output` (NULL: none) must be nothing that is
 * read. Errors are printed. cli_source_close follows in any case. */
cli_exit cli_source_open(cli_source *source, const cli_args *args, const char *output);
/* Opens SOURCE, chooses the map that --map names, or the only one, and loads it: what nearly every command starts with.
 * `options` holds what the command wants different from the defaults; the files and common options are filled in.
 * `load_share`: of the command's time, for the bar. NULL: the error is printed, *status is set. Warnings are printed.
 * cli_source_close follows in any case. */
bspscene_scene *cli_load(cli_source *source, const cli_args *args, bspscene_load_options *options,
                         double load_share, cli_exit *status);
/* The usual options for reading a map of which a changed copy is written, with its name for messages and its files. */
void cli_copy_options(const cli_source *source, const cli_args *args, bspscene_load_options *options);
void cli_source_close(cli_source *source);

#endif
