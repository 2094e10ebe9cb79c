/* png_text.c - see png_text.h. Chunks as in the PNG specification 1.2, 3.2 and 11.3.4.5: a length, a name, data, a
 * CRC of the name and the data. */
#include "archive/pictures/png_text.h"

#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

/* The signature and IHDR, which comes first in every PNG. */
#define HEADER_SIZE 33u

static void put_u32(uint8_t out[4], uint32_t value)
{
	for (int i = 0; i < 4; i++) out[i] = (uint8_t)(value >> (24 - 8 * i));
}

static uint32_t crc_of(const uint8_t *data, size_t size)
{
	uint32_t crc = 0xffffffffu;
	for (size_t i = 0; i < size; i++) {
		crc ^= data[i];
		for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320u ^ crc >> 1 : crc >> 1;
	}
	return ~crc;
}

/* Keyword, five zeroes (its end, not compressed, no method, no language, no translation), text. */
static bool write_chunk(const cli_png_text *png, const cli_picture_fact *fact)
{
	size_t keyword = strlen(fact->keyword), text = strlen(fact->text), size = keyword + 5 + text;
	uint8_t *chunk = cli_allocate(size + 12, 1);
	put_u32(chunk, (uint32_t)size);
	memcpy(chunk + 4, "iTXt", 4);
	memcpy(chunk + 8, fact->keyword, keyword);
	memcpy(chunk + 8 + keyword + 5, fact->text, text);
	put_u32(chunk + 8 + size, crc_of(chunk + 4, 4 + size));
	bool ok = png->write(png->user, chunk, size + 12);
	free(chunk);
	return ok;
}

bool cli_png_text_write(void *user, const void *data, size_t size)
{
	cli_png_text *png = user;
	const uint8_t *bytes = data;
	size_t head = png->done < HEADER_SIZE ? HEADER_SIZE - (size_t)png->done : 0;
	if (head > size) head = size;
	bool at_end_of_header = png->done < HEADER_SIZE && png->done + head == HEADER_SIZE;
	png->done += size;
	if (head && !png->write(png->user, bytes, head)) return false;
	for (uint32_t i = 0; at_end_of_header && i < png->fact_count; i++) {
		if (!write_chunk(png, &png->facts[i])) return false;
	}
	return head == size || png->write(png->user, bytes + head, size - head);
}
