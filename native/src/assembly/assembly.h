/* assembly.h - maps that a game puts together of tiles when it loads them, by a text of rules: the .ump files of UFO:
 * Alien Invasion (docs/formats/ufoai.md). Their path is that of the text with the assembly's name behind it:
 * "maps/farm.ump/medium". */
#ifndef BSPI_ASSEMBLY_H
#define BSPI_ASSEMBLY_H

#include "map/map.h"

#define BSPI_ASSEMBLY_ENDING ".ump"
/* Texts beyond this are no rules of a map: the largest known has 25 KB. */
#define BSPI_LARGEST_UMP ((size_t)1 << 20)

/* Is it such a text, or the beginning of one? ump_scan.c */
bool bspi_is_assembly_text(bspi_bytes head);
/* The name of the next assembly in a text from *at on, which moves behind it. False: there is none. ump_scan.c */
bool bspi_next_assembly(bspi_bytes text, size_t *at, bspi_bytes *name);

/* For who writes into maps: an error that says what it is, when it is such a text. ump_scan.c */
bool bspi_refuse_assembly(bspi_ctx *ctx, bspi_bytes file);

/* Chooses tiles as the text and the load's seed say, reads them through open_file, and makes one checked map of them
 * all. The load's `name` says which assembly; else it is the first. read_assembly.c */
bool bspi_read_assembly(bspi_ctx *ctx, bspi_bytes text, bspi_map *map);

#endif
