/* image.h - Images of a scene and their decoding. Writes images, pictures and lightmap pages as PNG, JPEG, EXR, HDR,
 * TGA or BMP. */
#ifndef BSPSCENE_IMAGE_H
#define BSPSCENE_IMAGE_H

#include <string.h>

#include <bspscene/lighting.h>
#include <bspscene/load.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Images ----------------------------------------------------------------------------------------------- */

/** Encoding of an image's data. */
typedef enum bspscene_image_format {
	BSPSCENE_IMAGE_MISSING,            /**< Not found or broken. Decodes to its fallback. */
	BSPSCENE_IMAGE_PNG,
	BSPSCENE_IMAGE_JPEG,
	BSPSCENE_IMAGE_TGA,
	BSPSCENE_IMAGE_PCX,
	BSPSCENE_IMAGE_VTF,                /**< The first slice, and the frame and cube_face of the image. */
	BSPSCENE_IMAGE_RGBA,               /**< Decoded: width * height * 4 bytes, top row first (miptex, WAL). */
	BSPSCENE_IMAGE_DDS,
	BSPSCENE_IMAGE_BMP,
	BSPSCENE_IMAGE_KTX,                /**< KTX 1. The first face is shown. */
	BSPSCENE_IMAGE_IWI,                /**< Call of Duty. The first face is shown. */
	BSPSCENE_IMAGE_WEBP,               /**< Unvanquished. Builds without libwebp do not decode it. */
	BSPSCENE_IMAGE_FORCE_32BIT = 0x7fffffff
} bspscene_image_format;

#define BSPSCENE_CUBE_SIDES 6

/** An image as it was found. PNG and JPEG data can be written to other files unchanged. */
typedef struct bspscene_image {
	const char *name;                  /**< The game's name: "textures/sample/brick". */
	const char *path;                  /**< Game path of the file: "textures/sample/brick.tga". "" if missing. */
	const char *archive;               /**< Archive or directory of the file. "" inside the map or if missing. */
	bspscene_image_format format;      /**< By content. With TEXTURES_NAMES by file extension. */
	uint32_t width, height;            /**< Pixels of the largest mip level. 0: unknown before decoding. */
	uint32_t frame;                    /**< VTF: frame of the file. Images of one file share `data`. Frames but the
	                                    * first are images only if a material shows them. */
	const void *data;                  /**< Encoded bytes. NULL if missing, or with TEXTURES_NAMES. */
	size_t size;                       /**< Bytes of `data`. */
	bool has_alpha;                    /**< True if a pixel may have an alpha below 255. */
	bool is_generated;                 /**< True if the library made the image, such as a plain sky. Format RGBA. */
	bool is_checkerboard;              /**< True if the fallback is a checkerboard instead of fallback_color. */
	uint8_t fallback_color[3];         /**< sRGB color shown if the image is missing or broken: the mean color that
	                                    * the map states (Source), else a gray. */
	uint32_t cube_face;                /**< VTF: face of a cube map, 0 to 5 for +X -X +Y -Y +Z -Z. 0 for other
	                                    * images. */
} bspscene_image;

/* ---- Decoding --------------------------------------------------------------------------------------------- */

/** Decoded pixels: RGBA, 8 bits, top row first. Free with bspscene_pixels_free. Frozen. */
typedef struct bspscene_pixels {
	uint32_t width, height; /**< Pixels. */
	uint8_t *data; /**< 4 * width * height bytes. */
	const bspscene_allocator *allocator; /**< Where `data` came from. NULL: malloc. */
} bspscene_pixels;

/** Options of decoding. Zero is the default of every field. Start with bspscene_decode_options_init. */
typedef struct bspscene_decode_options {
	size_t struct_size;                /**< See bspscene_decode_options_init. */
	uint32_t max_side;                 /**< Of images with mip levels (VTF), decode the largest level that is no
	                                    * wider and no higher, or else the smallest. 0: the largest level. */
	const bspscene_allocator *allocator; /**< Must be valid until the pixels are freed. NULL: malloc and free. */
} bspscene_decode_options;

static inline void bspscene_decode_options_init(bspscene_decode_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/** Decodes an image. An image that is MISSING decodes to its fallback. Images have at most 8192 x 8192 pixels.
 *
 * Returns false with `error` set on failure; `out` is then empty. `error` may be NULL. */
BSPSCENE_API bool bspscene_image_decode(const bspscene_image *image, bspscene_pixels *out, bspscene_error *error);

/** As bspscene_image_decode, with options (may be NULL). */
BSPSCENE_API bool bspscene_image_decode_with(const bspscene_image *image, const bspscene_decode_options *options,
                                             bspscene_pixels *out, bspscene_error *error);

/** Returns the peak memory in bytes, pixels included, of bspscene_image_decode_with with this max_side. Returns 0 if
 * decoding would fail. NOTE: a file of few kilobytes may need a gigabyte. */
BSPSCENE_API uint64_t bspscene_image_decode_size(const bspscene_image *image, uint32_t max_side);

/** Frees pixels. Does nothing if they are zeroed or were freed before. */
BSPSCENE_API void bspscene_pixels_free(bspscene_pixels *pixels);

/* ---- Writing ---------------------------------------------------------------------------------------------- */

/** Effort of lossless compression, for PNG and the arrays of FBX. Pixels and numbers do not depend on it. */
typedef enum bspscene_compression {
	BSPSCENE_COMPRESSION_DEFAULT,      /**< As small as is possible in the time that making the data takes. */
	BSPSCENE_COMPRESSION_FAST,
	BSPSCENE_COMPRESSION_SMALL,        /**< About a tenth smaller and ten times slower. */
	BSPSCENE_COMPRESSION_FORCE_32BIT = 0x7fffffff
} bspscene_compression;

/** Receives bytes in order. Returns false to stop with BSPSCENE_ERROR_IO. */
typedef bool bspscene_write_fn(void *user, const void *data, size_t size);

/** Writes an image of a scene to a file, decoded, as PNG. The file appears whole or not at all. `path` is UTF-8.
 *
 * Returns false with `error` set on failure. `error` may be NULL. */
BSPSCENE_API bool bspscene_write_image_file(const bspscene_image *image, const char *path, bspscene_error *error);

/** Format of a picture file. */
typedef enum bspscene_picture_format {
	BSPSCENE_PICTURE_DEFAULT,          /**< PNG for 8 bits. EXR for half floats, or HDR if the build lacks OpenEXR. */
	BSPSCENE_PICTURE_PNG,              /**< By libpng. */
	BSPSCENE_PICTURE_TGA,              /**< Truevision TGA, run-length coded, for old tools. */
	BSPSCENE_PICTURE_BMP,              /**< Windows bitmap, uncompressed, for old tools. */
	BSPSCENE_PICTURE_EXR,              /**< OpenEXR, half floats, PIZ. */
	BSPSCENE_PICTURE_HDR,              /**< Radiance RGBE: 8 bits per channel with a common exponent, cut off. A
	                                    * channel is too low by at most 1/128 of the pixel's brightest one. Readers
	                                    * that add half a step, such as Radiance and Blender, are within 1/256.
	                                    * Negative values become 0. */
	BSPSCENE_PICTURE_FORCE_32BIT = 0x7fffffff
} bspscene_picture_format;

/** A text in a PNG file (iTXt). Frozen. */
typedef struct bspscene_picture_text {
	const char *keyword;               /**< "Title", "Description", ...: 1..79 printable characters of ASCII. */
	const char *text;                  /**< UTF-8. */
} bspscene_picture_text;

/** Options of bspscene_write_picture. Zero is the default of every field. Start with bspscene_picture_options_init. */
typedef struct bspscene_picture_options {
	size_t struct_size;                /**< See bspscene_picture_options_init. */
	bspscene_picture_format format;    /**< DEFAULT: PNG. */
	bspscene_compression compression;  /**< PNG: effort. */
	uint32_t channel_bits;             /**< PNG: 8, or 16 for uint16_t of the machine's byte order. 0: 8. */
	bool allow_palette;                /**< PNG: store 8-bit pixels as gray or with a palette if that loses nothing.
	                                    * Viewers show the same; editors may ask for RGB first. */
	const bspscene_picture_text *texts; /**< PNG: texts, written before the pixels. NULL: none. */
	uint32_t text_count;               /**< Number of `texts`. */
	const bspscene_allocator *allocator; /**< NULL: malloc and free. OpenEXR has its own memory. */
	bspscene_progress_fn *progress;    /**< Called after each row of a PNG, and otherwise after each portion of the
	                                    * file. It may cancel. NULL: none. */
	void *progress_user;               /**< Passed to `progress`. */
} bspscene_picture_options;

static inline void bspscene_picture_options_init(bspscene_picture_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/** Writes a picture to a callback. `pixels` has tightly packed rows, top row first. Bytes of the file are passed on as
 * rows are compressed.
 *
 * - PNG: `channels` is 1 (gray), 3 (RGB) or 4 (RGBA), of 8 or 16 bits.
 * - TGA and BMP: 3 or 4 channels of 8 bits.
 * - EXR and HDR: 3 channels of half floats (uint16_t), linear.
 *
 * Equal versions of libpng and zlib write equal bytes on every system; other versions write other bytes for the same
 * pixels. `options` and `error` may be NULL. Returns false with `error` set on failure: BSPSCENE_ERROR_IO if `write`
 * failed, BSPSCENE_ERROR_CANCELED if `progress` canceled, BSPSCENE_ERROR_UNSUPPORTED_FORMAT if the format does not have
 * such pixels or such a size, or if the build lacks OpenEXR. */
BSPSCENE_API bool bspscene_write_picture(uint32_t width, uint32_t height, uint32_t channels, const void *pixels,
                                         const bspscene_picture_options *options, bspscene_write_fn *write, void *user,
                                         bspscene_error *error);

/** Writes RGB (channels 3) or RGBA (4) rows to a PNG file: 8 bits, top row first, tightly packed. The file appears
 * whole or not at all. `path` is UTF-8. For pictures of bspscene_render and pixels of bspscene_image_decode.
 *
 * Returns false with `error` (may be NULL) set on failure, as do the functions below that take `error`. */
BSPSCENE_API bool bspscene_write_png_file(uint32_t width, uint32_t height, uint32_t channels, const void *pixels,
                                          const char *path, bspscene_error *error);

/** As bspscene_write_png_file, to a callback. */
BSPSCENE_API bool bspscene_write_png(uint32_t width, uint32_t height, uint32_t channels, const void *pixels,
                                     bspscene_write_fn *write, void *user, bspscene_error *error);

/** Writes RGB rows as JPEG to a callback, with a quality of 1..100. Equal versions of TurboJPEG write equal bytes. */
BSPSCENE_API bool bspscene_write_jpeg(uint32_t width, uint32_t height, const uint8_t *rgb, uint32_t quality,
                                      bspscene_write_fn *write, void *user, bspscene_error *error);

/** Writes a lightmap page to a callback: PNG for 8-bit pages (RGBA for RAW32), EXR (half, PIZ) for HDR pages, or
 * Radiance HDR if the build lacks OpenEXR. A page without light is black. The encoding of the load decides what the
 * numbers mean. */
BSPSCENE_API bool bspscene_write_lightmap_page(const bspscene_lightmap_page *page, bspscene_write_fn *write, void *user,
                                               bspscene_error *error);

/** As bspscene_write_lightmap_page, to a file that appears whole or not at all. The caller chooses the extension. */
BSPSCENE_API bool bspscene_write_lightmap_page_file(const bspscene_lightmap_page *page, const char *path,
                                                    bspscene_error *error);

/** Returns the extension of what bspscene_write_lightmap_page writes: "png", "exr" or "hdr". Static. */
BSPSCENE_API const char *bspscene_lightmap_page_extension(const bspscene_lightmap_page *page);

#ifdef __cplusplus
}
#endif
#endif
