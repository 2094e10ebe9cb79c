/* usdz.c - writes USD's package: a zip of stored files, the text first. The bytes of each file begin at a multiple of
 * 64, so that readers can map them into memory (openusd.org, "USDZ file format specification"). Dates are constant, so
 * that equal scenes give equal packages. */
#include "writers/usd/usd.h"

#include <inttypes.h>
#include <string.h>

#include <zlib.h>

#define ALIGNMENT 64u
#define LOCAL_SIZE 30u
#define EXTRA_HEAD 4u
#define PADDING_ID 0x1986u
#define VERSION 10u                    /* version of the zip format that stored files need */
#define UTF8_NAMES 0x800u
#define FIRST_DAY 0x21u                /* 1980-01-01 */
#define LOCAL_SIGNATURE 0x04034b50u
#define CENTRAL_SIGNATURE 0x02014b50u
#define END_SIGNATURE 0x06054b50u

typedef struct member {
	const char *name;
	const void *data; size_t size;
	uint32_t crc, offset;
} member;

typedef struct fields {
	uint8_t bytes[64];
	size_t size;
} fields;

static void add(fields *f, uint32_t value, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++) f->bytes[f->size++] = (uint8_t)(value >> 8 * i);
}

/* Adds the fields that the local and the central header of a member have in common. */
static void add_common(fields *f, const member *m, uint32_t extra)
{
	add(f, VERSION, 2);
	add(f, UTF8_NAMES, 2);
	add(f, 0, 2);                      /* compression method 0: stored */
	add(f, 0, 2);
	add(f, FIRST_DAY, 2);
	add(f, m->crc, 4);
	add(f, (uint32_t)m->size, 4);
	add(f, (uint32_t)m->size, 4);
	add(f, (uint32_t)strlen(m->name), 2);
	add(f, extra, 2);
}

static uint32_t crc_of(const void *data, size_t size)
{
	const uint8_t *at = data;
	uLong crc = crc32(0, NULL, 0);
	for (; size; ) {
		uInt part = size > 1u << 30 ? 1u << 30 : (uInt)size;
		crc = crc32(crc, at, part);
		at += part;
		size -= part;
	}
	return (uint32_t)crc;
}

static bool put_member(bspi_writer *writer, member *m)
{
	static const uint8_t zeros[ALIGNMENT + EXTRA_HEAD];
	uint64_t begin = writer->file_size, head = begin + LOCAL_SIZE + strlen(m->name);
	uint32_t padding = (uint32_t)(ALIGNMENT - head % ALIGNMENT) % ALIGNMENT;
	if (padding && padding < EXTRA_HEAD) padding += ALIGNMENT;
	if (head + padding + m->size > UINT32_MAX / 2) {
		return bspi_writer_fail(writer, BSPSCENE_ERROR_LIMIT,
		                        "would be more than 2048 MiB, the limit of a .usdz package: write .usda instead");
	}
	fields f = { .size = 0 };
	m->crc = crc_of(m->data, m->size);
	m->offset = (uint32_t)begin;
	add(&f, LOCAL_SIGNATURE, 4);
	add_common(&f, m, padding);
	BSPI_TRY(bspi_put(writer, f.bytes, f.size) && bspi_put_text(writer, m->name));
	if (padding) {
		f.size = 0;
		add(&f, PADDING_ID, 2);
		add(&f, padding - EXTRA_HEAD, 2);
		BSPI_TRY(bspi_put(writer, f.bytes, f.size) && bspi_put(writer, zeros, padding - EXTRA_HEAD));
	}
	return bspi_put(writer, m->data, m->size);
}

static bool put_directory(bspi_writer *writer, const member *members, uint32_t count)
{
	uint64_t begin = writer->file_size;
	for (uint32_t i = 0; i < count; i++) {
		fields f = { .size = 0 };
		add(&f, CENTRAL_SIGNATURE, 4);
		add(&f, VERSION, 2);
		add_common(&f, &members[i], 0);
		add(&f, 0, 4);                 /* length of the comment, and number of the first disk; attributes follow */
		add(&f, 0, 2);
		add(&f, 0, 4);
		add(&f, members[i].offset, 4);
		BSPI_TRY(bspi_put(writer, f.bytes, f.size) && bspi_put_text(writer, members[i].name));
	}
	fields end = { .size = 0 };
	add(&end, END_SIGNATURE, 4);
	add(&end, 0, 4);
	add(&end, count, 2);
	add(&end, count, 2);
	add(&end, (uint32_t)(writer->file_size - begin), 4);
	add(&end, (uint32_t)begin, 4);
	add(&end, 0, 2);
	return bspi_put(writer, end.bytes, end.size);
}

bool bspi_usd_put_package(bspi_usd *usd)
{
	bspi_writer *writer = usd->writer;
	uint32_t count = usd->pictures.count + 1;
	member *members = bspi_writer_push(writer, member, count);
	const char *name = bspi_sibling_name(writer, ".usda");
	BSPI_TRY(members && name);
	if (count > UINT16_MAX) {
		return bspi_writer_fail(writer, BSPSCENE_ERROR_LIMIT, "%" PRIu32 " pictures are too many for a package",
		                        count - 1);
	}
	members[0] = (member){ .name = name, .data = usd->text.bytes.data, .size = usd->text.bytes.size };
	for (uint32_t i = 0; i < usd->pictures.count; i++) {
		const bspi_set_picture *item = &usd->pictures.items[i];
		members[i + 1] = (member){ .name = item->file_name, .data = item->picture.data, .size = item->picture.size };
	}
	BSPI_TRY(bspi_begin(writer, writer->main_name));
	for (uint32_t i = 0; i < count; i++) BSPI_TRY(put_member(writer, &members[i]));
	return put_directory(writer, members, count) && bspi_end(writer);
}
