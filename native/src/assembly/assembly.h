/* assembly.h - maps that a game assembles from tiles when it loads them, by a text of rules: .ump files of UFO: Alien
 * Invasion (docs/formats/ufoai.md). Their path is that of the text plus the assembly's name: "maps/farm.ump/medium". */
#ifndef BSPI_ASSEMBLY_H
#define BSPI_ASSEMBLY_H

#include "map/map.h"

#define BSPI_ASSEMBLY_ENDING ".ump"
/* Larger texts are no rules of a map: the largest known has 25 KB. */
#define BSPI_LARGEST_UMP ((size_t)1 << 20)

/* True for such a text or its beginning. ump_scan.c */
bool bspi_is_assembly_text(bspi_bytes head);
/* Finds the next assembly in a text from *at on, and moves *at after its name. False if there is none. ump_scan.c */
bool bspi_next_assembly(bspi_bytes text, size_t *at, bspi_bytes *name);

/* Fails with an explanation if the file is such a text, which cannot be written into. ump_scan.c */
bool bspi_refuse_assembly(bspi_ctx *ctx, bspi_bytes file);

/* Chooses tiles by the text and the load's seed, reads them by open_file, and joins them to one checked map. The load's
 * `name` selects the assembly; default: the first. read_assembly.c */
bool bspi_read_assembly(bspi_ctx *ctx, bspi_bytes text, bspi_map *map);

#endif
