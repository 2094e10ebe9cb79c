/* buffer.c - see buffer.h. */
#include "support/buffer.h"

#include <stdlib.h>
#include <string.h>

#include "support/bspt.h"

bool bspt_buffer_write(void *user, const void *data, size_t size)
{
	bspt_buffer *buffer = user;
	buffer->calls_after_refusal += buffer->refused;
	if (buffer->refused || size > buffer->refuse_after - buffer->size) {
		buffer->refused = true;
		return false;
	}
	if (buffer->size + size > buffer->capacity) {
		buffer->capacity = 2 * (buffer->size + size);
		buffer->data = realloc(buffer->data, buffer->capacity);
		if (!buffer->data) bspt_die("grow", "a buffer");
	}
	memcpy(buffer->data + buffer->size, data, size);
	buffer->size += size;
	return true;
}

void bspt_buffer_free(bspt_buffer *buffer)
{
	free(buffer->data);
	*buffer = BSPT_BUFFER;
}
