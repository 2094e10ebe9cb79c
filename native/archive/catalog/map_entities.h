/* map_entities.h - the entities that games take from a file next to a map, for a catalog. */
#ifndef CLI_MAP_ENTITIES_H
#define CLI_MAP_ENTITIES_H

#include <bspscene/bspscene.h>

#include "archive/catalog/members.h"
#include "archive/catalog/place_reader.h"
#include "cli/host/walk.h"

typedef struct cli_entity_files {
	cli_members *members;              /* without depth: the map is a file on the disk */
	const char *map;                   /* member of the innermost archive, or path */
	cli_paths opened;                  /* files that a load has read, each next to the map */
	char hash[65];                     /* SHA-256 of the one that engines take entities from; "": none */
	cli_place_reader reader;           /* of files on the disk */
} cli_entity_files;

/* Lets a load find entity files next to the map. Lump patches other than entities stay unused. */
void cli_find_entity_files(cli_entity_files *files, bspscene_load_options *options);
/* Notes the file that the scene's entities are from, unless engines ignore it: Xash3D does if the map is newer. */
void cli_note_entity_file(cli_entity_files *files, const bspscene_scene *scene);
void cli_entity_files_free(cli_entity_files *files);

#endif
