/* companions.h - finds files that belong to a map: next to it, in the archives that contain it, and next to those. */
#ifndef CLI_COMPANIONS_H
#define CLI_COMPANIONS_H

#include <bspscene/bspscene.h>
#include <jansson.h>

#include "archive/catalog/map_folder.h"
#include "archive/catalog/members.h"
#include "cli/options/args.h"

/* Largest number of files of one kind in the list of one place. */
enum { CLI_MOST_COMPANIONS = 64 };

typedef struct cli_surroundings {
	const char *path;                  /* the outermost file */
	cli_members *members;              /* the open archives; at depth 0 the map is the outermost file itself */
	const char *member;                /* path of the map in the innermost archive */
	const char *name;                  /* name of the map */
	const bspscene_scene *scene;       /* the map, loaded with its entities */
	const cli_map_folder *const *folders; /* two folders, from cli_find_folders for `path` */
	const cli_paths *entity_files;     /* files next to the map that its load has read */
	const cli_args *args;
} cli_surroundings;

/* Sets `companions` and `around` of the line. `companions` has the paths of files in the map's own folder or archive.
 * `around` has places { path, root, members } of files in outer archives, and of files on the disk next to the
 * outermost archive. It is set only if there are any. */
void cli_set_companions(json_t *line, const cli_surroundings *from);

#endif
