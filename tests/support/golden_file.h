/* golden_file.h - expected output of programs in files, which can be updated on request. */
#ifndef BSPT_GOLDEN_FILE_H
#define BSPT_GOLDEN_FILE_H

#include "support/bspt.h"

/* Returns the file's contents, which the caller frees, if they differ from `data`; else NULL. `update` writes the file
 * instead. */
bspt_bytes bspt_golden_that_differs(const char *path, const void *data, size_t size, bool update);

#endif
