/* build_texture.c - see build_texture.h. */
#include "support/make/build_texture.h"

#include <string.h>
#include <zlib.h>
#ifdef BSPI_HAVE_ZSTD
#include <zstd.h>
#endif

#include "support/buffer.h"

static void put(bspt_buffer *out, const void *data, size_t size)
{
	if (!bspt_buffer_write(out, data, size)) bspt_die("allocate", "a texture");
}

static void put_number(bspt_buffer *out, uint32_t value, unsigned size)
{
	uint8_t bytes[4];
	for (unsigned i = 0; i < size; i++) bytes[i] = (uint8_t)(value >> 8 * i);
	put(out, bytes, size);
}

static void put_many(bspt_buffer *out, uint8_t value, size_t count)
{
	while (count--) put(out, &value, 1);
}

/* Writes the header without the resource dictionary. */
static void put_header(bspt_buffer *out, const bspt_vtf *v, uint32_t header_size)
{
	put(out, "VTF", 4);
	put_number(out, 7, 4);
	put_number(out, v->minor, 4);
	put_number(out, header_size, 4);
	put_number(out, v->width, 2);
	put_number(out, v->height, 2);
	put_number(out, v->flags, 4);
	put_number(out, v->frames ? v->frames : 1, 2);
	put_number(out, v->first_frame, 2);
	put_many(out, 0, 24);              /* reflectivity with padding, and the scale of bumps */
	put_number(out, v->format, 4);
	put_number(out, v->levels ? v->levels : 1, 1);
	put_number(out, v->thumbnail ? 13 : UINT32_MAX, 4);
	put_number(out, v->thumbnail ? 4 : 0, 1);
	put_number(out, v->thumbnail ? 4 : 0, 1);
	if (v->minor >= 2) put_number(out, v->depth, 2);
}

static void put_part(bspt_buffer *out, const char tag[3], uint32_t offset)
{
	put(out, tag, 3);
	put_number(out, 0, 1);
	put_number(out, offset, 4);
}

static void put_parts(bspt_buffer *out, const bspt_vtf *v, uint32_t image, uint32_t sizes)
{
	put_many(out, 0, 68 - out->size);
	put_number(out, v->packed ? 3 : 2, 4);
	put_many(out, 0, 80 - out->size);
	put_part(out, "\1\0\0", image);
	if (v->packed) put_part(out, "AXC", sizes);
	put_part(out, "\x30\0\0", image);
}

static void put_packed(bspt_buffer *out, const bspt_vtf *v)
{
	static uint8_t packed[1 << 16];
	uLongf size = sizeof packed;
#ifdef BSPI_HAVE_ZSTD
	if (v->method == BSPT_ZSTD) {
		put(out, packed, ZSTD_compress(packed, sizeof packed, v->picture, v->size, 6));
		return;
	}
#endif
	if (compress(packed, &size, v->picture, (uLong)v->size) != Z_OK) bspt_die("compress", "a texture");
	put(out, packed, size);
}

static void put_picture(bspt_buffer *out, const bspt_vtf *v)
{
	put_many(out, 0xee, v->pictures_before);
	if (v->packed) put_packed(out, v);
	else put(out, v->picture, v->size);
	put_many(out, 0xee, v->pictures_behind);
}

/* Writes the table of compressed sizes in bytes: first those of the pictures before `picture`, then that of `picture`
 * itself, which is `picture_size`. */
static void put_sizes(bspt_buffer *out, const bspt_vtf *v, size_t picture_size)
{
	put_number(out, 8 + 4 * v->packed_before, 4);
	put_number(out, 6, 2);
	put_number(out, v->method, 2);
	for (uint32_t i = 0; i < v->packed_before; i++) put_number(out, v->pictures_before / v->packed_before, 4);
	put_number(out, (uint32_t)picture_size, 4);
}

bspt_bytes bspt_encode_vtf(const bspt_vtf *v)
{
	bspt_buffer out = BSPT_BUFFER, picture = BSPT_BUFFER;
	uint32_t header_size = v->minor < 2 ? 64 : v->minor == 2 ? 80 : 80 + 8 * (v->packed ? 3 : 2);
	uint32_t sizes = v->packed ? 12 + 4 * v->packed_before : 0;
	put_picture(&picture, v);
	put_header(&out, v, header_size);
	if (v->minor >= 3) put_parts(&out, v, header_size + sizes, header_size);
	else put_many(&out, 0, header_size - out.size);
	if (v->packed) put_sizes(&out, v, picture.size - v->pictures_before - v->pictures_behind);
	if (v->thumbnail && v->minor < 3) put_many(&out, 0xdd, 8);
	put(&out, picture.data, picture.size);
	bspt_buffer_free(&picture);
	return (bspt_bytes){ out.data, out.size };
}
