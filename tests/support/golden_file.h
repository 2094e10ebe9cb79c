/* golden_file.h - files that programs' output is compared with, and made anew from when that is meant. */
#ifndef BSPT_GOLDEN_FILE_H
#define BSPT_GOLDEN_FILE_H

#include "support/bspt.h"

/* What the file holds, for the caller to free, when that is not `data`; else NULL. `update` writes the file instead. */
bspt_bytes bspt_golden_that_differs(const char *path, const void *data, size_t size, bool update);

#endif
