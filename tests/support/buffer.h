/* buffer.h - a bspscene_write_fn that stores what is written, and can fail from a byte on, like a full disk. */
#ifndef BSPT_BUFFER_H
#define BSPT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bspt_buffer {
	uint8_t *data;
	size_t size, capacity;
	size_t refuse_after;               /* writes beyond this number of bytes fail; SIZE_MAX for none */
	size_t calls_after_refusal;        /* must stay 0, because writers stop at the first failure */
	bool refused;
} bspt_buffer;

#define BSPT_BUFFER ((bspt_buffer){ .refuse_after = SIZE_MAX })

bool bspt_buffer_write(void *user, const void *data, size_t size);
void bspt_buffer_free(bspt_buffer *buffer);

#endif
