/* golden_file.c - see golden_file.h. */
#include "support/golden_file.h"

#include <stdlib.h>
#include <string.h>

bspt_bytes bspt_golden_that_differs(const char *path, const void *data, size_t size, bool update)
{
	const bspt_bytes none = { NULL, 0 };
	if (update) {
		bspt_write_file(path, data, size);
		return none;
	}
	bspt_bytes golden = bspt_read_file(path);
	if (golden.size != size || memcmp(golden.data, data, size)) return golden;
	free(golden.data);
	return none;
}
