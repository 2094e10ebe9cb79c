/* swap_source.h - a PC's map of Source as its console would have it: every number the other way round, places in the
 * game lump counted from its start. It knows the records by itself, not by the library's tables. */
#ifndef BSPT_SWAP_SOURCE_H
#define BSPT_SWAP_SOURCE_H

#include "support/bspt.h"

/* Of VBSP 20 and 21 only; `version_first` as Left 4 Dead 2 has its directory. Compressed lumps are unpacked, by the
 * library. Ends the program when the map has what it does not know. Free `data` with free. */
bspt_bytes bspt_swap_source(const uint8_t *data, size_t size, bool version_first);

#endif
