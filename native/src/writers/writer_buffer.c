/* writer_buffer.c - see writer_buffer.h. */
#include "writers/writer_buffer.h"

#include <string.h>

static bool lacks_memory(bspi_buffer *buffer)
{
	char why[BSPI_REFUSAL_SIZE];
	if (!buffer->error) return bspi_writer_fail_memory(buffer->writer);
	bspscene_status status = bspi_describe_refusal(&buffer->writer->budget, why);
	return bspi_error_set(buffer->error, status, "%s", why);
}

static bool grow(bspi_buffer *buffer, size_t size)
{
	size_t capacity = buffer->capacity ? buffer->capacity : 4096;
	while (capacity - buffer->size < size && capacity <= SIZE_MAX / 4) capacity *= 2;
	size_t more = capacity - buffer->capacity;
	bspi_budget *budget = &buffer->writer->budget;
	if (!bspi_budget_take(budget, more)) return lacks_memory(buffer);
	const bspi_heap *heap = &budget->heap;
	bool fits = capacity - buffer->size >= size;
	uint8_t *larger = fits ? bspi_heap_grow(heap, buffer->data, buffer->size, capacity) : NULL;
	if (!larger) {
		bspi_budget_give(budget, more);
		return lacks_memory(buffer);
	}
	buffer->data = larger;
	buffer->capacity = capacity;
	return true;
}

bool bspi_buffer_reserve(bspi_buffer *buffer, size_t size)
{
	return size <= buffer->capacity - buffer->size || grow(buffer, size);
}

bool bspi_buffer_add(void *user, const void *data, size_t size)
{
	bspi_buffer *buffer = user;
	BSPI_TRY(bspi_buffer_reserve(buffer, size));
	if (size) memcpy(buffer->data + buffer->size, data, size);
	buffer->size += size;
	return true;
}

void bspi_buffer_free(bspi_buffer *buffer)
{
	if (!buffer->writer) return;
	bspi_writer_give(buffer->writer, buffer->capacity);
	bspi_heap_give(&buffer->writer->budget.heap, buffer->data);
	*buffer = (bspi_buffer){ .writer = buffer->writer };
}
