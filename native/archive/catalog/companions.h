/* companions.h - finds files that belong to a map: next to it, in the archives that contain it, and next to those. */
#ifndef CLI_COMPANIONS_H
#define CLI_COMPANIONS_H

#include <bspscene/bspscene.h>
#include <jansson.h>

#include "archive/catalog/map_folder.h"
#include "archive/catalog/members.h"
#include "cli/options/args.h"

/* Largest number of files of one kind that is listed for a place. */
enum { CLI_MOST_COMPANIONS = 64 };

typedef struct cli_surroundings {
	const char *path;                  /* the outermost file */
	cli_members *members;              /* depth 0: the map is the outermost file */
	const char *member;                /* the map, in the innermost archive */
	const char *name;                  /* what the map is called */
	const bspscene_scene *scene;       /* with its entities */
	const cli_map_folder *const *folders; /* two, by cli_find_folders of `path` */
	const cli_paths *entity_files;     /* files next to the map that its load has read */
	const cli_args *args;
} cli_surroundings;

/* Sets the line's `companions`, the paths of files where the map itself is, and, if there are any, its `around`: an
 * array of places { path, root, members } of files around its archives. */
void cli_set_companions(json_t *line, const cli_surroundings *from);

#endif
