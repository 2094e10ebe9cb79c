/* assembly.h - maps that a game assembles from tiles when it loads them. The rules are a text: a .ump file of UFO:
 * Alien Invasion (docs/formats/ufoai.md). The path of such a map is the path of the text plus the name of one of its
 * assemblies: "maps/farm.ump/medium". */
#ifndef BSPI_ASSEMBLY_H
#define BSPI_ASSEMBLY_H

#include "map/map.h"

#define BSPI_ASSEMBLY_ENDING ".ump"
/* Largest .ump file that is read, in bytes. The largest known file has 25 KB. */
#define BSPI_LARGEST_UMP ((size_t)1 << 20)

/* True if these bytes are the text of a .ump file, or the beginning of one. ump_scan.c */
bool bspi_is_assembly_text(bspi_bytes head);
/* Finds the next assembly in a text from *at on, and moves *at after its name. False if there is none. ump_scan.c */
bool bspi_next_assembly(bspi_bytes text, size_t *at, bspi_bytes *name);

/* Returns true if the file is not the text of a .ump file. Otherwise returns false and sets the error, which explains
 * that nothing can be written into an assembly. ump_scan.c */
bool bspi_refuse_assembly(bspi_ctx *ctx, bspi_bytes file);

/* Chooses tiles by the rules and the load's seed, reads them by open_file, and joins them to one checked map. The
 * load option `name` ends with the name of the assembly ("maps/farm.ump/medium"). If it names none, the first assembly
 * of the text is read. read_assembly.c */
bool bspi_read_assembly(bspi_ctx *ctx, bspi_bytes text, bspi_map *map);

#endif
