/* byte_buffer.h - a growing array of bytes. */
#ifndef CLI_BYTE_BUFFER_H
#define CLI_BYTE_BUFFER_H

#include <stddef.h>

/* A growing array of bytes. It is empty if all members are zero. A zero follows its last byte, so that the bytes can be
 * used as a string. */
typedef struct cli_bytes {
	char *at;        /* the bytes, which the caller frees */
	size_t size, room;
} cli_bytes;

void cli_bytes_add(cli_bytes *to, const void *data, size_t size);

#endif
