/* ready_picture.c - see web_picture.h: finds images whose PNG or JPEG bytes can be written as they are. */
#include "writers/web_picture.h"

#include <string.h>

/* False if a PNG chunk changes how the picture looks. glTF readers ignore color profiles but other readers do not, so
 * they would show a picture with a profile differently. Chunks that only say "sRGB" are allowed. */
static bool is_plain_chunk(const char *type, const uint8_t *data, uint32_t size)
{
	static const uint32_t srgb_primaries[8] = { 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000 };
	if (!memcmp(type, "iCCP", 4) || !memcmp(type, "acTL", 4)) return false;
	if (!memcmp(type, "gAMA", 4)) return size == 4 && bspi_load_u32_be(data) == 45455;
	if (!memcmp(type, "pHYs", 4)) return size == 9 && bspi_load_u32_be(data) == bspi_load_u32_be(data + 4);
	if (!memcmp(type, "sRGB", 4)) return size == 1;
	if (!memcmp(type, "cHRM", 4)) {
		bool same = size == 32;
		for (int i = 0; same && i < 8; i++) same = bspi_load_u32_be(data + 4 * i) == srgb_primaries[i];
		return same;
	}
	return true;
}

bool bspi_png_passes(bspi_bytes bytes)
{
	static const uint8_t signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n' };
	bool has_header = false, has_pixels = false;
	if (bytes.size < sizeof signature || memcmp(bytes.data, signature, sizeof signature)) return false;
	for (size_t at = sizeof signature; bytes.size - at >= 12; ) {
		uint32_t size = bspi_load_u32_be(bytes.data + at);
		const char *type = (const char *)bytes.data + at + 4;
		const uint8_t *data = bytes.data + at + 8;
		if (size > bytes.size - at - 12) return false;
		if (!memcmp(type, "IEND", 4)) return has_header && has_pixels;
		if (!memcmp(type, "IHDR", 4)) {
			if (has_header || size != 13 || !bspi_load_u32_be(data) || !bspi_load_u32_be(data + 4)) return false;
			has_header = true;
		}
		has_pixels = has_pixels || !memcmp(type, "IDAT", 4);
		if (!has_header || !is_plain_chunk(type, data, size)) return false;
		at += 12 + (size_t)size;
	}
	return false;
}

/* True if all browsers can decode a JPEG frame: baseline, extended or progressive, with Huffman coding, 8 bits, and
 * gray or YCbCr. */
static bool is_plain_frame(uint8_t marker, const uint8_t *data, size_t size)
{
	if (marker < 0xC0 || marker > 0xC2 || size < 6) return false;
	bool empty = !(data[1] | data[2]) || !(data[3] | data[4]);
	return data[0] == 8 && !empty && (data[5] == 1 || data[5] == 3);
}

static bool is_frame(uint8_t marker)
{
	return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

static bool has_end_of_image(bspi_bytes bytes, size_t from)
{
	for (size_t at = bytes.size; at >= from + 2; at--) {
		if (bytes.data[at - 2] == 0xFF && bytes.data[at - 1] == 0xD9) return true;
	}
	return false;
}

bool bspi_jpeg_passes(bspi_bytes bytes)
{
	bool has_frame = false;
	if (bytes.size < 4 || bytes.data[0] != 0xFF || bytes.data[1] != 0xD8) return false;
	for (size_t at = 2; bytes.size - at >= 4; ) {
		if (bytes.data[at] != 0xFF) return false;
		uint8_t marker = bytes.data[at + 1];
		if (marker == 0xFF) {
			at++;
			continue;
		}
		size_t size = (size_t)bytes.data[at + 2] << 8 | bytes.data[at + 3];
		if (size < 2 || size > bytes.size - at - 2) return false;
		if (marker == 0xDA) return has_frame && has_end_of_image(bytes, at + 2 + size);
		if (is_frame(marker)) {
			if (has_frame || !is_plain_frame(marker, bytes.data + at + 4, size - 2)) return false;
			has_frame = true;
		}
		at += 2 + size;
	}
	return false;
}

/* True if a PNG has alpha: color type 4 or 6 (byte 25), or a tRNS chunk. */
static bool has_alpha_channel(bspi_bytes png)
{
	if (png.data[25] & 4) return true;
	for (size_t at = 8; png.size - at >= 12; at += 12 + (size_t)bspi_load_u32_be(png.data + at)) {
		if (!memcmp(png.data + at + 4, "tRNS", 4)) return true;
		if (!memcmp(png.data + at + 4, "IDAT", 4)) return false;
	}
	return false;
}

bool bspi_picture_pass(const bspscene_image *image, bspi_picture_use use, bspi_picture *out)
{
	if (use != BSPI_PICTURE_PLAIN && use != BSPI_PICTURE_OPAQUE) return false;
	if (!image->data) return false;
	bspi_bytes bytes = bspi_bytes_of(image->data, image->size);
	bool png = image->format == BSPSCENE_IMAGE_PNG && bspi_png_passes(bytes);
	bool jpeg = image->format == BSPSCENE_IMAGE_JPEG && bspi_jpeg_passes(bytes);
	if (png && use == BSPI_PICTURE_OPAQUE && has_alpha_channel(bytes)) return false;
	if (!png && !jpeg) return false;
	*out = (bspi_picture){ .data = image->data, .size = image->size, .mime = png ? "image/png" : "image/jpeg",
	                       .extension = png ? ".png" : ".jpg", .transparent = png && image->has_alpha };
	return true;
}

bool bspi_picture_passes(const bspscene_image *image, bspi_picture_use use)
{
	bspi_picture picture;
	return bspi_picture_pass(image, use, &picture);
}
