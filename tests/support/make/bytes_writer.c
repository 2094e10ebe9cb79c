/* bytes_writer.c - see bytes_writer.h. */
#include "support/make/bytes_writer.h"

#include <stdarg.h>
#include <string.h>

#include "support/bspt.h"

void bspt_put(bspt_writer *writer, const void *data, size_t size)
{
	if (size > sizeof writer->data - writer->size) bspt_die("write", "more than BSPT_MOST_WRITTEN bytes");
	memcpy(writer->data + writer->size, data, size);
	writer->size += size;
}

void bspt_put_u8(bspt_writer *writer, uint32_t value) { bspt_put(writer, &(uint8_t){ (uint8_t)value }, 1); }

void bspt_put_u16(bspt_writer *writer, uint32_t value)
{
	for (int i = 0; i < 2; i++) bspt_put_u8(writer, value >> 8 * i);
}

void bspt_put_u32(bspt_writer *writer, uint32_t value)
{
	for (int i = 0; i < 4; i++) bspt_put_u8(writer, value >> 8 * i);
}

void bspt_put_u32_at(bspt_writer *writer, size_t at, uint32_t value)
{
	for (size_t i = 0; i < 4; i++) writer->data[at + i] = (uint8_t)(value >> 8 * i);
}

void bspt_pad_to(bspt_writer *writer, size_t size)
{
	while (writer->size < size) bspt_put_u8(writer, 0);
}

void bspt_put_floats(bspt_writer *writer, int count, ...)
{
	va_list list;
	va_start(list, count);
	for (int i = 0; i < count; i++) {
		float value = (float)va_arg(list, double);
		uint32_t bits;
		memcpy(&bits, &value, sizeof bits);
		bspt_put_u32(writer, bits);
	}
	va_end(list);
}

void bspt_put_name(bspt_writer *writer, const char *text, size_t size)
{
	size_t length = strlen(text) < size ? strlen(text) : size;
	bspt_put(writer, text, length);
	while (length++ < size) bspt_put_u8(writer, 0);
}
