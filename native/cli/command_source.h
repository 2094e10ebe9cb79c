/* command_source.h - finds the map that SOURCE, --map and --game name, with the files around it. */
#ifndef CLI_COMMAND_SOURCE_H
#define CLI_COMMAND_SOURCE_H

#include "cli/options/args.h"

typedef struct cli_source {
	const char *path;                  /* path of SOURCE as the user typed it */
	bspscene_source *place;
	uint32_t map;                      /* index of the map in `place` */
	char *label;                       /* name of the map in messages: "maps/x.bsp" or "pak.pk3: maps/x.bsp" */
	double load_share;                 /* share of the command's time that loading takes, 0 to 1; the progress bar
	                                    * has this value when the map is loaded */
} cli_source;

/* Opens SOURCE and chooses the map that --map names, or the only one. `output` (NULL: none) must not be a file that is
 * read. Prints errors. Call cli_source_close even after a failure. */
cli_exit cli_source_open(cli_source *source, const cli_args *args, const char *output);
/* Opens SOURCE, chooses the map that --map names, or the only one, and loads it. Nearly every command begins with this.
 * The caller sets in `options` what differs from the defaults; this function sets the files and the options that
 * commands share. `load_share` is the load's share of the command's time, for the progress bar. Prints warnings.
 * Returns NULL after an error, which is printed and sets *status. Call cli_source_close even after a failure. */
bspscene_scene *cli_load(cli_source *source, const cli_args *args, bspscene_load_options *options,
                         double load_share, cli_exit *status);
/* Does what cli_load does, for a source that is open already. */
bspscene_scene *cli_load_opened(cli_source *source, const cli_args *args, bspscene_load_options *options,
                                double load_share, cli_exit *status);
/* Sets `options` for a command that writes a changed copy of the map. */
void cli_copy_options(const cli_source *source, const cli_args *args, bspscene_load_options *options);
void cli_source_close(cli_source *source);

#endif
