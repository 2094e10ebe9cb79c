/* golden_file.h - expected output of programs in files, which can be updated on request. */
#ifndef BSPT_GOLDEN_FILE_H
#define BSPT_GOLDEN_FILE_H

#include "support/bspt.h"

/* Returns the contents of the file at `path` if they differ from `data`, else NULL. The caller frees them. With
 * `update`, writes `data` to the file and returns NULL. */
bspt_bytes bspt_golden_that_differs(const char *path, const void *data, size_t size, bool update);

#endif
