/* source.h - SOURCE, --map and --game become one map and the files around it. */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "args.h"

typedef enum cli_source_kind {
	CLI_SOURCE_MAP,                    /* a map file */
	CLI_SOURCE_ARCHIVE,
	CLI_SOURCE_DIRECTORY               /* a game directory */
} cli_source_kind;

typedef struct cli_source {
	cli_source_kind kind;
	const char *path;                  /* as the user gave it */
	bspscene_files *place;             /* the archive or directory alone, for finding maps; NULL for a map file */
	bspscene_files *files;             /* all that the map may use */
	char *map_path;                    /* game path of the chosen map in `place`; NULL for a map file */
	char *label;                       /* the map in messages: "maps/x.bsp" or "pak.pk3: maps/x.bsp" */
	char **maps;                       /* game paths of all maps of an archive or directory, sorted */
	uint32_t map_count;
} cli_source;

/* Opens SOURCE and finds its maps, without choosing one. Errors are printed. */
cli_exit cli_source_open(cli_source *source, const cli_args *args);
/* Chooses the map that --map names, or the only one, and mounts what it may use. Errors are printed. */
cli_exit cli_source_choose(cli_source *source, const cli_args *args);
void cli_source_close(cli_source *source);

/* The name by which --map finds a map, in new memory: "oa_dm1" for "maps/oa_dm1.bsp", else the whole path. */
char *cli_map_name(const char *map_path);

/* Opens, chooses and loads: what nearly every command starts with. `options` holds what the command wants different
 * from the defaults; the files, names and common options are filled in. NULL: the error is printed, *status is set.
 * Warnings are printed. */
bspscene_scene *cli_load(cli_source *source, const cli_args *args, bspscene_load_options *options, cli_exit *status);

#endif
