/* swap_source.h - converts a PC's map of Source to its console form: all numbers byte-swapped, offsets in the game lump
 * relative to its start. It has its own knowledge of the records, not the library's tables. */
#ifndef BSPT_SWAP_SOURCE_H
#define BSPT_SWAP_SOURCE_H

#include "support/bspt.h"

/* Of VBSP 20 and 21 only; `version_first` as Left 4 Dead 2 has its directory. Compressed lumps are unpacked, by the
 * library. Ends the program when the map has what it does not know. Free `data` with free. */
bspt_bytes bspt_swap_source(const uint8_t *data, size_t size, bool version_first);

#endif
