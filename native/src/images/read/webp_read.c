/* webp_read.c - decodes WebP to RGBA by libwebp, which allocates its own memory. Animations are not supported. */
#include "images/codecs.h"

enum { MAGIC_SIZE = 12 };

static bool is_webp(bspi_bytes bytes)
{
	return bytes.size >= MAGIC_SIZE && !memcmp(bytes.data, "RIFF", 4) && !memcmp(bytes.data + 8, "WEBP", 4);
}

#ifdef BSPI_HAVE_WEBP

	#include <webp/decode.h>

enum { LOSSLESS = 2 };
/* Memory for libwebp's structs and rows. */
	#define WORKING_SIZE ((uint64_t)1 << 20)
	#define WORKING_PER_COLUMN 128u
/* libwebp holds a lossless picture, or lossless alpha, completely in memory. In addition it has Huffman tables for each
 * square of at least 4 x 4 pixels: five tables of 256 entries, which take at least 20 bits in the file. */
	#define TABLES_SIZE 5120u
	#define PIXELS_PER_TABLES 16u
	#define BYTES_PER_TABLES 2u
	#define MOST_TABLES 65536u

static bool read_features(bspi_bytes bytes, WebPBitstreamFeatures *out)
{
	return WebPGetFeatures(bytes.data, bytes.size, out) == VP8_STATUS_OK && out->width > 0 && out->height > 0;
}

static bool probe(bspi_bytes bytes, bspi_image_info *info)
{
	WebPBitstreamFeatures features;
	if (!is_webp(bytes)) return false;
	if (!read_features(bytes, &features)) return true;
	info->width = (uint32_t)features.width;
	info->height = (uint32_t)features.height;
	info->has_alpha = features.has_alpha;
	return true;
}

static bool check(bspi_bytes bytes, bspi_image_info *info, bspscene_error *error)
{
	WebPBitstreamFeatures features;
	(void)info;
	if (!read_features(bytes, &features)) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "the header is cut off or broken");
	}
	if (features.has_animation) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		                      "animations are not supported");
	}
	uint64_t stored = (uint64_t)bspi_load_u32(bytes.data + 4) + 8;
	if (stored > bytes.size) return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "the file ends early");
	return bspi_check_size((uint32_t)features.width, (uint32_t)features.height, bytes, 0, error);
}

static bool decode(const bspi_heap *heap, bspi_bytes bytes, bspi_wanted wanted, bspscene_pixels *out,
                   bspscene_error *error)
{
	WebPBitstreamFeatures features;
	(void)wanted;
	BSPI_TRY(read_features(bytes, &features));
	BSPI_TRY(bspi_pixels_create(heap, (uint32_t)features.width, (uint32_t)features.height, out, error));
	size_t size = (size_t)out->width * out->height * 4;
	if (WebPDecodeRGBAInto(bytes.data, bytes.size, out->data, size, (int)out->width * 4)) return true;
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "the pixels are damaged or cut off");
}

static uint64_t working_size(bspi_bytes bytes, uint32_t side, bspi_image_info *info)
{
	uint64_t pixels = (uint64_t)info->width * info->height, size = WORKING_SIZE + WORKING_PER_COLUMN * info->width;
	uint64_t tables = pixels / PIXELS_PER_TABLES + 1, stored = bytes.size / BYTES_PER_TABLES;
	WebPBitstreamFeatures features;
	(void)side;
	if (!read_features(bytes, &features)) return size;
	bool lossless = features.format == LOSSLESS || features.has_alpha;
	if (tables > stored) tables = stored;
	if (tables > MOST_TABLES) tables = MOST_TABLES;
	return size + (lossless ? pixels * 5 + tables * TABLES_SIZE : 0);
}

const bspi_codec bspi_webp_codec = { BSPSCENE_IMAGE_WEBP, "WebP", probe, check, decode, working_size };

#else

static bool probe(bspi_bytes bytes, bspi_image_info *info)
{
	(void)info;
	return is_webp(bytes);
}

static bool check(bspi_bytes bytes, bspi_image_info *info, bspscene_error *error)
{
	(void)bytes;
	(void)info;
	return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
	                      "this build cannot read it, because it lacks libwebp");
}

static bool decode(const bspi_heap *heap, bspi_bytes bytes, bspi_wanted wanted, bspscene_pixels *out,
                   bspscene_error *error)
{
	(void)heap;
	(void)wanted;
	(void)out;
	return check(bytes, NULL, error);
}

const bspi_codec bspi_webp_codec = { BSPSCENE_IMAGE_WEBP, "WebP", probe, check, decode, NULL };

#endif
