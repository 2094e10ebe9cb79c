/* command_source.h - finds the map that SOURCE, --map and --game name, with the files around it. */
#ifndef CLI_COMMAND_SOURCE_H
#define CLI_COMMAND_SOURCE_H

#include "cli/options/args.h"

typedef struct cli_source {
	const char *path;                  /* as the user typed it */
	bspscene_source *place;
	uint32_t map;                      /* points into the source */
	char *label;                       /* the map in messages: "maps/x.bsp" or "pak.pk3: maps/x.bsp" */
	double load_share;                 /* share of the command's time; the bar goes on from there after the load */
} cli_source;

/* Opens SOURCE and chooses the map that --map names, or the only one. `output` (NULL: none) must not be a file that is
 * read. Prints errors. Call cli_source_close even after a failure. */
cli_exit cli_source_open(cli_source *source, const cli_args *args, const char *output);
/* Opens SOURCE, chooses the map that --map names, or the only one, and loads it. Nearly every command begins with this.
 * `options` holds what differs from the defaults; the files and the common options are filled in. `load_share` is the
 * load's share of the command's time, for the progress bar. Prints warnings. Returns NULL after an error, which is
 * printed and sets *status. Call cli_source_close even after a failure. */
bspscene_scene *cli_load(cli_source *source, const cli_args *args, bspscene_load_options *options,
                         double load_share, cli_exit *status);
/* The same for a source that is open already. */
bspscene_scene *cli_load_opened(cli_source *source, const cli_args *args, bspscene_load_options *options,
                                double load_share, cli_exit *status);
/* Returns the options for reading a map of which a changed copy is written, with its name for messages and its
 * files. */
void cli_copy_options(const cli_source *source, const cli_args *args, bspscene_load_options *options);
void cli_source_close(cli_source *source);

#endif
