/* page_write.c - implements the public functions that write pictures and lightmap pages. */
#include "images/write/write.h"

#include <assert.h>

#include <bspscene/binding.h>

#include "base/caller_struct.h"
#include "base/page_luxels.h"

#define EXR_PIXEL_SIZE 12u             /* memory per pixel to write an EXR, in bytes: the file and OpenEXR's rows */

static void clear(bspscene_error *error)
{
	if (error) *error = (bspscene_error){ .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET };
}

/* ---- Pictures --------------------------------------------------------------------------------------------- */

bool bspscene_write_png(uint32_t width, uint32_t height, uint32_t channels, const void *pixels,
                        bspscene_write_fn *write, void *user, bspscene_error *error)
{
	assert(width && height && (channels == 3 || channels == 4) && pixels && write);
	clear(error);
	return bspi_write_png(&bspi_system_heap, &(bspi_png_kind){ .light = false }, width, height, channels, pixels, write,
	                      user, error);
}

bool bspscene_write_jpeg(uint32_t width, uint32_t height, const uint8_t *rgb, uint32_t quality,
                         bspscene_write_fn *write, void *user, bspscene_error *error)
{
	assert(width && height && rgb && quality >= 1 && quality <= 100 && write);
	bspi_error_set(error, BSPSCENE_OK, "%s", "");
	return bspi_write_jpeg(&bspi_system_heap, width, height, rgb, (int)quality, write, user, error);
}

/* True if the format can store pixels with this number of channels and bits. `format` must not be DEFAULT. */
static bool has_pixels(bspscene_picture_format format, uint32_t channels, uint32_t bits)
{
	switch (format) {
	case BSPSCENE_PICTURE_PNG: return (channels == 1 || channels == 3 || channels == 4) && (bits == 8 || bits == 16);
	case BSPSCENE_PICTURE_TGA:
	case BSPSCENE_PICTURE_BMP: return (channels == 3 || channels == 4) && bits == 8;
	case BSPSCENE_PICTURE_EXR:
	case BSPSCENE_PICTURE_HDR: return channels == 3;
	default: return false;
	}
}

bool bspscene_write_picture(uint32_t width, uint32_t height, uint32_t channels, const void *pixels,
                            const bspscene_picture_options *options, bspscene_write_fn *write, void *user,
                            bspscene_error *error)
{
	assert(width && height && pixels && write);
	bspscene_picture_options o;
	bspscene_picture_options_init(&o);
	clear(error);
	const size_t least = BSPI_END_OF(bspscene_picture_options, progress_user);
	if (options && !bspscene_struct_read(&o, sizeof o, least, options, "picture_options", error)) return false;
	bspi_heap heap = bspi_system_heap;
	if (o.allocator) heap = (bspi_heap){ .allocator = *o.allocator };
	if (!o.format) o.format = BSPSCENE_PICTURE_PNG;
	if (!has_pixels(o.format, channels, o.channel_bits ? o.channel_bits : 8)) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		                      "picture format %d cannot hold %u channels of this size", (int)o.format,
		                      (unsigned)channels);
	}
	if (o.format == BSPSCENE_PICTURE_EXR) return bspi_write_exr(&heap, width, height, pixels, write, user, error);
	if (o.format != BSPSCENE_PICTURE_PNG) {
		const bspi_stb_picture picture = { o.format, width, height, channels, pixels, o.progress, o.progress_user };
		return bspi_write_by_stb(&heap, &picture, write, user, error);
	}
	const bspi_png_kind kind = {
		.compression = o.compression, .may_shrink = o.allow_palette, .channel_bits = o.channel_bits,
		.texts = o.texts, .text_count = o.texts ? o.text_count : 0,
		.progress = o.progress, .progress_user = o.progress_user,
	};
	return bspi_write_png(&heap, &kind, width, height, channels, pixels, write, user, error);
}

/* ---- Pages ------------------------------------------------------------------------------------------------ */

bool bspi_check_page_kind(const bspi_page_kind *kind, bspscene_error *error)
{
	if (kind->bytes > BSPSCENE_PICTURE_BMP) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "pages of 8 bits are PNG, TGA or BMP");
	}
	if (kind->floats && kind->floats != BSPSCENE_PICTURE_EXR && kind->floats != BSPSCENE_PICTURE_HDR) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "HDR pages are EXR or HDR");
	}
	return true;
}

bspscene_picture_format bspi_page_format(const bspscene_lightmap_page *page, const bspi_page_kind *kind)
{
	if (page->format != BSPSCENE_LIGHTMAP_PAGE_RGB16F) return kind->bytes ? kind->bytes : BSPSCENE_PICTURE_PNG;
	if (kind->floats) return kind->floats;
	return bspi_can_write_exr() ? BSPSCENE_PICTURE_EXR : BSPSCENE_PICTURE_HDR;
}

const char *bspi_picture_extension(bspscene_picture_format format)
{
	switch (format) {
	case BSPSCENE_PICTURE_TGA: return "tga";
	case BSPSCENE_PICTURE_BMP: return "bmp";
	case BSPSCENE_PICTURE_EXR: return "exr";
	case BSPSCENE_PICTURE_HDR: return "hdr";
	default: return "png";
	}
}

static bspi_stb_picture stb_picture(const bspscene_lightmap_page *page, const bspi_page_kind *kind)
{
	return (bspi_stb_picture){
		.format = bspi_page_format(page, kind), .width = page->width, .height = page->height,
		.channels = page->format == BSPSCENE_LIGHTMAP_PAGE_RAW32 ? 4 : 3, .pixels = page->data,
		.progress = kind->progress, .progress_user = kind->progress_user,
	};
}

uint64_t bspi_page_work_size(const bspscene_lightmap_page *page, const bspi_page_kind *kind)
{
	const bspi_stb_picture picture = stb_picture(page, kind);
	const bspscene_picture_format format = picture.format;
	const uint64_t whole = bspi_page_is_sparse(page) ? bspi_page_bytes(page) : 0;
	if (format == BSPSCENE_PICTURE_PNG) return whole + bspi_png_work_size(page->width, picture.channels);
	if (format == BSPSCENE_PICTURE_EXR) return whole + (uint64_t)page->width * page->height * EXR_PIXEL_SIZE;
	return whole + bspi_stb_work_size(&picture);
}

/* Expands a sparse page to all of its pixels, and writes it. */
static bool write_sparse_page(const bspi_heap *heap, const bspscene_lightmap_page *page, const bspi_page_kind *kind,
                              bspscene_write_fn *write, void *user, bspscene_error *error)
{
	void *luxels = bspi_heap_take(heap, bspi_page_bytes(page));
	if (!luxels) return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory");
	bspscene_lightmap_page_read(page, 0, 0, page->width, page->height, luxels);
	const bspscene_lightmap_page whole = {
		.width = page->width, .height = page->height, .format = page->format, .data = luxels,
	};
	bool written = bspi_write_page(heap, &whole, kind, write, user, error);
	bspi_heap_give(heap, luxels);
	return written;
}

bool bspi_write_page(const bspi_heap *heap, const bspscene_lightmap_page *page, const bspi_page_kind *kind,
                     bspscene_write_fn *write, void *user, bspscene_error *error)
{
	assert(page && page->width && page->height && write);
	clear(error);
	if (bspi_page_is_sparse(page)) return write_sparse_page(heap, page, kind, write, user, error);
	const bspi_stb_picture picture = stb_picture(page, kind);
	const bspscene_picture_format format = picture.format;
	if (format == BSPSCENE_PICTURE_EXR) {
		return bspi_write_exr(heap, page->width, page->height, page->data, write, user, error);
	}
	if (format != BSPSCENE_PICTURE_PNG) return bspi_write_by_stb(heap, &picture, write, user, error);
	const bspi_png_kind png = {
		.compression = kind->compression, .light = true,
		.progress = kind->progress, .progress_user = kind->progress_user,
	};
	return bspi_write_png(heap, &png, page->width, page->height, picture.channels, page->data, write, user, error);
}

bool bspscene_write_lightmap_page(const bspscene_lightmap_page *page, bspscene_write_fn *write, void *user,
                                  bspscene_error *error)
{
	return bspi_write_page(&bspi_system_heap, page, &(bspi_page_kind){ .bytes = BSPSCENE_PICTURE_DEFAULT }, write, user,
	                       error);
}

const char *bspscene_lightmap_page_extension(const bspscene_lightmap_page *page)
{
	assert(page);
	return bspi_picture_extension(bspi_page_format(page, &(bspi_page_kind){ .bytes = BSPSCENE_PICTURE_DEFAULT }));
}
