/* decode.c - decodes pictures to RGBA: recognizes the format by content, bounds the memory, calls the codec. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include <bspscene/binding.h>

#include "base/caller_struct.h"
#include "images/codecs.h"

/* The codecs, in the order in which they are tried. TGA has no magic, so it is last. */
static const bspi_codec *const codecs[] = {
	&bspi_png_codec, &bspi_jpeg_codec, &bspi_vtf_codec, &bspi_dds_codec, &bspi_ktx_codec, &bspi_iwi_codec,
	&bspi_webp_codec,
	&bspi_bmp_codec, &bspi_pcx_codec, &bspi_tga_codec,
};

#define CODEC_COUNT (sizeof codecs / sizeof *codecs)

bspi_image_info bspi_image_probe(bspi_bytes bytes)
{
	for (size_t i = 0; i < CODEC_COUNT; i++) {
		bspi_image_info info = { .format = codecs[i]->format };
		if (codecs[i]->probe(bytes, &info)) return info;
	}
	return (bspi_image_info){ .format = BSPSCENE_IMAGE_MISSING };
}

bool bspi_check_size(uint32_t width, uint32_t height, bspi_bytes bytes, uint64_t least, bspscene_error *error)
{
	if (!width || !height || width > BSPI_LARGEST_IMAGE || height > BSPI_LARGEST_IMAGE) {
		return bspi_error_set(error, BSPSCENE_ERROR_LIMIT,
		                      "%" PRIu32 " x %" PRIu32 " pixels are not possible: each side has 1 to %u", width, height,
		                      BSPI_LARGEST_IMAGE);
	}
	if (bytes.size < least) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA,
		                      "%" PRIu32 " x %" PRIu32 " pixels do not fit into %zu bytes: the file is damaged", width,
		                      height, bytes.size);
	}
	return true;
}

bool bspi_pixels_create(const bspi_heap *heap, uint32_t width, uint32_t height, bspscene_pixels *out,
                        bspscene_error *error)
{
	assert(width <= BSPI_LARGEST_IMAGE && height <= BSPI_LARGEST_IMAGE);
	uint8_t *data = bspi_heap_take_zeroed(heap, (size_t)width * height * 4);
	if (!data) return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory");
	*out = (bspscene_pixels){ .width = width, .height = height, .data = data };
	return true;
}

const bspi_codec *bspi_find_codec(bspscene_image_format format)
{
	for (size_t i = 0; i < CODEC_COUNT; i++) {
		if (codecs[i]->format == format) return codecs[i];
	}
	return NULL;
}

static bool check_with(const bspi_codec *codec, bspi_bytes bytes, bspi_image_info *info, bspscene_error *error)
{
	bspscene_error why;
	if (codec->check(bytes, info, &why)) return true;
	return bspi_error_set(error, why.status, "%s: %s", codec->name, why.message);
}

bool bspi_image_check(bspi_bytes bytes, bspi_image_info *info, bspscene_error *error)
{
	*info = bspi_image_probe(bytes);
	const bspi_codec *codec = bspi_find_codec(info->format);
	if (!codec) return bspi_error_set(error, BSPSCENE_ERROR_UNKNOWN_FORMAT, "it is not a picture of a known format");
	return check_with(codec, bytes, info, error);
}

bool bspi_image_decode(const bspi_heap *heap, bspscene_image_format format, bspi_bytes bytes, bspscene_pixels *out,
                       bspscene_error *error)
{
	return bspi_image_decode_wanted(heap, format, bytes, (bspi_wanted){ BSPI_LARGEST_IMAGE, 0, 0 }, out, error);
}

bool bspi_image_decode_wanted(const bspi_heap *heap, bspscene_image_format format, bspi_bytes bytes,
                              bspi_wanted wanted, bspscene_pixels *out, bspscene_error *error)
{
	const bspi_codec *codec = bspi_find_codec(format);
	bspi_image_info info = { 0 };
	bspscene_error why;
	*out = (bspscene_pixels){ 0 };
	if (!codec) return bspi_error_set(error, BSPSCENE_ERROR_UNKNOWN_FORMAT, "it is not a picture of a known format");
	if (!codec->probe(bytes, &info)) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNKNOWN_FORMAT, "is not a %s picture", codec->name);
	}
	BSPI_TRY(check_with(codec, bytes, &info, error));
	if (codec->decode(heap, bytes, wanted, out, &why)) return true;
	bspi_pixels_free(heap, out);
	return bspi_error_set(error, why.status, "%s: %s", codec->name, why.message);
}

static bool checkerboard(const bspi_heap *heap, bspscene_pixels *out, bspscene_error *error)
{
	enum { SIDE = 64, SQUARE = 8 };
	static const uint8_t colors[2][4] = { { 255, 0, 255, 255 }, { 0, 0, 0, 255 } };
	BSPI_TRY(bspi_pixels_create(heap, SIDE, SIDE, out, error));
	for (uint32_t i = 0; i < SIDE * SIDE; i++) {
		uint32_t x = i % SIDE / SQUARE, y = i / SIDE / SQUARE;
		memcpy(out->data + 4 * i, colors[(x + y) % 2], 4);
	}
	return true;
}

bool bspi_image_fallback(const bspi_heap *heap, const bspscene_image *image, bspscene_pixels *out,
                         bspscene_error *error)
{
	enum { SIDE = 4 }; /* block compression needs multiples of 4 pixels */
	if (image->is_checkerboard) return checkerboard(heap, out, error);
	BSPI_TRY(bspi_pixels_create(heap, SIDE, SIDE, out, error));
	for (uint32_t i = 0; i < SIDE * SIDE; i++) {
		memcpy(out->data + 4 * i, image->fallback_color, 3);
		out->data[4 * i + 3] = 255;
	}
	return true;
}

bool bspi_pixels_have_alpha(const bspscene_pixels *pixels)
{
	size_t count = (size_t)pixels->width * pixels->height;
	for (size_t i = 0; i < count; i++) {
		if (pixels->data[4 * i + 3] != 255) return true;
	}
	return false;
}

static bool copy_rgba(const bspi_heap *heap, const bspscene_image *image, bspscene_pixels *out, bspscene_error *error)
{
	uint64_t size = (uint64_t)image->width * image->height * 4;
	BSPI_TRY(bspi_check_size(image->width, image->height, bspi_bytes_of(image->data, image->size), size, error));
	BSPI_TRY(bspi_pixels_create(heap, image->width, image->height, out, error));
	memcpy(out->data, image->data, (size_t)size);
	return true;
}

bool bspscene_image_decode(const bspscene_image *image, bspscene_pixels *out, bspscene_error *error)
{
	return bspi_scene_image_decode(&bspi_system_heap, image, BSPI_LARGEST_IMAGE, out, error);
}

bool bspscene_image_decode_with(const bspscene_image *image, const bspscene_decode_options *options,
                                bspscene_pixels *out, bspscene_error *error)
{
	bspscene_decode_options known = { 0 };
	const size_t least = BSPI_END_OF(bspscene_decode_options, allocator);
	*out = (bspscene_pixels){ 0 };
	if (options && !bspscene_struct_read(&known, sizeof known, least, options, "decode_options", error)) return false;
	const bspi_heap heap = { .allocator = known.allocator ? *known.allocator : bspi_system_heap.allocator };
	const uint32_t side = known.max_side ? known.max_side : BSPI_LARGEST_IMAGE;
	BSPI_TRY(bspi_scene_image_decode(&heap, image, side, out, error));
	out->allocator = known.allocator;
	return true;
}

bool bspi_scene_image_decode(const bspi_heap *heap, const bspscene_image *image, uint32_t side, bspscene_pixels *out,
                             bspscene_error *error)
{
	assert(image && out);
	bspscene_error why = { 0 };
	bool ok;
	*out = (bspscene_pixels){ 0 };
	if (image->format == BSPSCENE_IMAGE_MISSING) {
		ok = bspi_image_fallback(heap, image, out, &why);
	} else if (!image->data) {
		ok = bspi_error_set(&why, BSPSCENE_ERROR_NOT_FOUND,
		                    "its bytes were not loaded (because of the load option \"textures\" or a memory limit)");
	} else if (image->format == BSPSCENE_IMAGE_RGBA) {
		ok = copy_rgba(heap, image, out, &why);
	} else {
		bspi_bytes bytes = bspi_bytes_of(image->data, image->size);
		const bspi_wanted wanted = { side, image->frame, image->cube_face };
		ok = bspi_image_decode_wanted(heap, image->format, bytes, wanted, out, &why);
	}
	if (ok) {
		if (error) *error = (bspscene_error){ 0 };
		return true;
	}
	const char *name = image->path && *image->path ? image->path : image->name;
	return bspi_error_set(error, why.status, "%s: %s", name ? name : "image", why.message);
}

void bspi_pixels_free(const bspi_heap *heap, bspscene_pixels *pixels)
{
	bspi_heap_give(heap, pixels->data);
	*pixels = (bspscene_pixels){ 0 };
}

void bspscene_pixels_free(bspscene_pixels *pixels)
{
	if (!pixels) return;
	const bspi_heap heap = { .allocator = pixels->allocator ? *pixels->allocator : bspi_system_heap.allocator };
	bspi_pixels_free(&heap, pixels);
}
