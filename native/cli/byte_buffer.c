/* byte_buffer.c - see byte_buffer.h. */
#include "cli/byte_buffer.h"

#include <string.h>

#include "cli/report.h"

enum { LEAST_ROOM = 1024 };

void cli_bytes_add(cli_bytes *to, const void *data, size_t size)
{
	if (size >= to->room - to->size) {
		to->room = 2 * (to->size + size + 1);
		if (to->room < LEAST_ROOM) to->room = LEAST_ROOM;
		to->at = cli_resize(to->at, to->room, 1);
	}
	if (size) memcpy(to->at + to->size, data, size);
	to->size += size;
	to->at[to->size] = 0;
}
