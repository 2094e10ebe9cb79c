/* swap_source.h - converts a PC's map of Source to its console form: all numbers byte-swapped, offsets in the game lump
 * relative to its start. It does not use the library's tables. */
#ifndef BSPT_SWAP_SOURCE_H
#define BSPT_SWAP_SOURCE_H

#include "support/bspt.h"

/* Converts a map of VBSP 20 or 21 to big-endian. With `version_first`, the directory has Left 4 Dead 2's form. The
 * library unpacks compressed lumps. Ends the program if the map contains something unknown. Free `data` with free. */
bspt_bytes bspt_swap_source(const uint8_t *data, size_t size, bool version_first);

#endif
