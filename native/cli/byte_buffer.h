/* byte_buffer.h - bytes in memory that grow at their end. */
#ifndef CLI_BYTE_BUFFER_H
#define CLI_BYTE_BUFFER_H

#include <stddef.h>

/* Zeroed: none. A zero stands behind the last one as soon as something was added, so that they may be text. */
typedef struct cli_bytes {
	char *at;        /* to be freed */
	size_t size, room;
} cli_bytes;

void cli_bytes_add(cli_bytes *to, const void *data, size_t size);

#endif
