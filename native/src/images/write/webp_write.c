/* webp_write.c - encodes WebP by libwebp. */
#include "images/write/write.h"

#ifdef BSPI_HAVE_WEBP

	#include <webp/encode.h>

typedef struct sink {
	const bspi_webp_kind *kind;
	bspscene_write_fn *write;
	void *user;
} sink;

static int put(const uint8_t *data, size_t size, const WebPPicture *picture)
{
	const sink *to = picture->custom_ptr;
	return to->write(to->user, data, size);
}

/* Reports progress (a WebPProgressHook). If it returns 0, libwebp stops encoding. */
static int report_progress(int percent, const WebPPicture *picture)
{
	const bspi_webp_kind *kind = ((const sink *)picture->user_data)->kind;
	return !kind->progress ||
	       kind->progress(kind->progress_user, "write", percent / 100.0) == BSPSCENE_PROGRESS_CONTINUE;
}

static bool fail(WebPEncodingError code, bspscene_error *error)
{
	switch (code) {
	case VP8_ENC_ERROR_OUT_OF_MEMORY:
	case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
		return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory");
	case VP8_ENC_ERROR_USER_ABORT: return bspi_error_set(error, BSPSCENE_ERROR_CANCELED, "canceled");
	default: return bspi_error_set(error, BSPSCENE_ERROR_IO, "WebP: writing failed");
	}
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

bool bspi_write_webp(const bspi_webp_kind *kind, uint32_t width, uint32_t height, uint32_t channels,
                     const uint8_t *pixels, bspscene_write_fn *write, void *user, bspscene_error *error)
{
	WebPConfig config;
	WebPPicture picture;
	sink to = { kind, write, user };
	bool lossless = kind->quality > 100;
	if (!WebPConfigInit(&config) || !WebPPictureInit(&picture)) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		                      "WebP pictures cannot be written: the installed libwebp does not fit this build");
	}
	config.quality = lossless ? 75 : kind->quality; /* for lossless pictures, this number is the effort */
	config.lossless = lossless;
	config.exact = lossless;           /* keep the colors of transparent pixels, because texture filters read them */
	config.method = 4;
	picture.use_argb = lossless;
	picture.width = (int)width;
	picture.height = (int)height;
	picture.writer = put;
	picture.custom_ptr = picture.user_data = &to;
	picture.progress_hook = report_progress;
	bool encoded = encode(&config, &picture, channels, pixels);
	WebPPictureFree(&picture);
	return encoded || fail(picture.error_code, error);
}

#else

bool bspi_can_write_webp(uint32_t width, uint32_t height)
{
	(void)width;
	(void)height;
	return false;
}

bool bspi_write_webp(const bspi_webp_kind *kind, uint32_t width, uint32_t height, uint32_t channels,
                     const uint8_t *pixels, bspscene_write_fn *write, void *user, bspscene_error *error)
{
	(void)kind;
	(void)width;
	(void)height;
	(void)channels;
	(void)pixels;
	(void)write;
	(void)user;
	return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
	                      "WebP pictures cannot be written: this build lacks libwebp");
}

#endif
