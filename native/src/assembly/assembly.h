/* assembly.h - maps that a game assembles from tiles when it loads them. The rules are a text: a .ump file of UFO:
 * Alien Invasion (docs/formats/ufoai.md). The path of such a map is the path of the text plus the name of one of its
 * assemblies: "maps/farm.ump/medium". */
#ifndef BSPI_ASSEMBLY_H
#define BSPI_ASSEMBLY_H

#include "map/map.h"

#define BSPI_ASSEMBLY_ENDING ".ump"
/* Limit for the bytes of a text; larger files are no rules of assemblies. The largest known text has 25 KB. */
#define BSPI_LARGEST_UMP ((size_t)1 << 20)

/* True if these bytes are the rules of assemblies, or begin like them. ump_scan.c */
bool bspi_is_assembly_text(bspi_bytes head);
/* Finds the next assembly in a text from *at on, and moves *at after its name. False if there is none. ump_scan.c */
bool bspi_next_assembly(bspi_bytes text, size_t *at, bspi_bytes *name);

/* If the file contains rules of assemblies, fails with the explanation that nothing can be written into it.
 * ump_scan.c */
bool bspi_refuse_assembly(bspi_ctx *ctx, bspi_bytes file);

/* Chooses tiles by the rules and the load's seed, reads them by open_file, and joins them to one checked map. The
 * load's `name` tells which assembly; without one, the first is taken. read_assembly.c */
bool bspi_read_assembly(bspi_ctx *ctx, bspi_bytes text, bspi_map *map);

#endif
