/* map_entities.h - finds the file that games read instead of the entities in a map, such as NAME.ent, for a catalog. */
#ifndef CLI_MAP_ENTITIES_H
#define CLI_MAP_ENTITIES_H

#include <bspscene/bspscene.h>

#include "archive/catalog/members.h"
#include "archive/catalog/place_reader.h"
#include "cli/host/walk.h"

typedef struct cli_entity_files {
	cli_members *members;              /* the open archives; at depth 0 the map is a file on the disk */
	const char *map;                   /* path of the map in the innermost archive or on the disk */
	cli_paths opened;                  /* paths of the files next to the map that a load has read */
	char hash[65];                     /* SHA-256 of the file from which engines take entities; "": none */
	cli_place_reader reader;           /* reads files on the disk */
} cli_entity_files;

/* Sets `options` so that a load finds entity files next to the map. The load finds no other files, so files that
 * replace other lumps are not applied. */
void cli_find_entity_files(cli_entity_files *files, bspscene_load_options *options);
/* Sets `hash` to the SHA-256 of the file that the scene's entities came from. Does nothing if engines ignore that file,
 * as Xash3D does if the map is newer. */
void cli_note_entity_file(cli_entity_files *files, const bspscene_scene *scene);
void cli_entity_files_free(cli_entity_files *files);

#endif
