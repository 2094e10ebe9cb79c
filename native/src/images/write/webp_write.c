/* webp_write.c - encodes WebP by libwebp. */
#include "images/write/write.h"

#ifdef BSPI_HAVE_WEBP

	#include <webp/encode.h>

typedef struct sink {
	bspscene_write_fn *write;
	void *user;
} sink;

static int put(const uint8_t *data, size_t size, const WebPPicture *picture)
{
	const sink *to = picture->custom_ptr;
	return to->write(to->user, data, size);
}

static bool encode(const WebPConfig *config, WebPPicture *picture, uint32_t channels, const uint8_t *pixels)
{
	int stride = picture->width * (int)channels;
	bool imported =
		channels == 4 ? WebPPictureImportRGBA(picture, pixels, stride) : WebPPictureImportRGB(picture, pixels, stride);
	return imported && WebPEncode(config, picture);
}

bool bspi_can_write_webp(uint32_t width, uint32_t height)
{
	return width <= WEBP_MAX_DIMENSION && height <= WEBP_MAX_DIMENSION;
}

bool bspi_write_webp(uint32_t width, uint32_t height, uint32_t channels, const uint8_t *pixels, float quality,
                     bspscene_write_fn *write, void *user, bspscene_error *error)
{
	WebPConfig config;
	WebPPicture picture;
	sink to = { write, user };
	bool lossless = quality > 100;
	if (!WebPConfigInit(&config) || !WebPPictureInit(&picture)) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		                      "the installed libwebp does not match the one of the build");
	}
	config.quality = lossless ? 75 : quality; /* for lossless pictures it means effort */
	config.lossless = lossless;
	config.exact = lossless;           /* keep colors of transparent pixels, which filters read */
	config.method = 4;
	picture.use_argb = lossless;
	picture.width = (int)width;
	picture.height = (int)height;
	picture.writer = put;
	picture.custom_ptr = &to;
	bool encoded = encode(&config, &picture, channels, pixels);
	bool lacked_memory = picture.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY ||
	                     picture.error_code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY;
	WebPPictureFree(&picture);
	if (encoded) return true;
	return lacked_memory ? bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory")
	                     : bspi_error_set(error, BSPSCENE_ERROR_IO, "WebP could not be written");
}

#else

bool bspi_can_write_webp(uint32_t width, uint32_t height)
{
	(void)width;
	(void)height;
	return false;
}

bool bspi_write_webp(uint32_t width, uint32_t height, uint32_t channels, const uint8_t *pixels, float quality,
                     bspscene_write_fn *write, void *user, bspscene_error *error)
{
	(void)width;
	(void)height;
	(void)channels;
	(void)pixels;
	(void)quality;
	(void)write;
	(void)user;
	return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "WebP: this build lacks libwebp");
}

#endif
