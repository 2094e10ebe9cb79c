/* web_picture.c - see web_picture.h. */
#include "writers/web_picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <bspscene/material.h>

#include "base/text.h"
#include "images/images.h"
#include "images/write/write.h"
#include "images/display.h"

/* ---- Into memory ------------------------------------------------------------------------------------------ */

/* WEBP_WORK_SIZE: bytes that libwebp allocates per pixel while it works. Qualities are from 0 to 100. */
#define WEBP_WORK_SIZE 32u
#define WEBP_QUALITY 75.0f
#define JPEG_QUALITY 80
#define LOSSLESS 101.0f

/* The writer of a picture, and where its failures go. If a task makes the picture, they go to *error. */
typedef struct maker {
	bspi_writer *writer;
	bspscene_error *error;
} maker;

static bool lacks_memory(const maker *m)
{
	char why[BSPI_REFUSAL_SIZE];
	bspscene_status status = bspi_describe_refusal(&m->writer->budget, why);
	return bspi_error_set(m->error, status, "%s", why);
}

/* The state of a picture while a library encodes it. */
typedef struct encoding {
	const maker *maker;
	bspi_buffer buffer;
	uint64_t work;                     /* number of bytes that the library allocates; they are charged to the budget */
	bspi_cancel_check check;
	bspscene_error error;
} encoding;

static bool begin_encoding(encoding *e, const maker *m, uint32_t width, uint32_t height, uint64_t work)
{
	*e = (encoding){
		.maker = m, .buffer = { .writer = m->writer, .error = m->error }, .work = work,
		.check = { &m->writer->canceler, (double)width * height, 0 }, .error = { .status = BSPSCENE_OK },
	};
	return bspi_budget_take(&m->writer->budget, work) || lacks_memory(m);
}

static bool end_encoding(encoding *e, bool written, const char *mime, const char *extension, bool transparent,
                         bspi_picture *out)
{
	const maker *m = e->maker;
	bspi_budget_give(&m->writer->budget, e->work);
	if (!written) {
		bspi_buffer_free(&e->buffer);
		return m->error->status ? false : bspi_error_set(m->error, e->error.status, "%s", e->error.message);
	}
	e->buffer.error = NULL;
	*out = (bspi_picture){ e->buffer.data, e->buffer.size, mime, extension, transparent, e->buffer };
	return true;
}

static bool encode_webp(const maker *m, uint32_t width, uint32_t height, uint32_t channels, const void *pixels,
                        float quality, bspi_picture *out)
{
	encoding e;
	BSPI_TRY(begin_encoding(&e, m, width, height, (uint64_t)width * height * WEBP_WORK_SIZE));
	const bspi_webp_kind kind = { .quality = quality, .progress = bspi_check_cancel, .progress_user = &e.check };
	bool written = bspi_write_webp(&kind, width, height, channels, pixels, bspi_buffer_add, &e.buffer, &e.error);
	return end_encoding(&e, written, "image/webp", ".webp", channels == 4, out);
}

static bool encode_png(const maker *m, uint32_t width, uint32_t height, uint32_t channels, const void *pixels,
                       bool light, bspi_picture *out)
{
	encoding e;
	BSPI_TRY(begin_encoding(&e, m, width, height, bspi_png_work_size(width, channels)));
	const bspi_png_kind kind = {
		.compression = m->writer->options.compression, .light = light, .may_shrink = true,
		.progress = bspi_check_cancel, .progress_user = &e.check,
	};
	bool written = bspi_write_png(&m->writer->budget.heap, &kind, width, height, channels, pixels, bspi_buffer_add,
	                              &e.buffer, &e.error);
	return end_encoding(&e, written, "image/png", ".png", channels == 4, out);
}

static bool encode_jpeg(const maker *m, uint32_t width, uint32_t height, const void *pixels, bspi_picture *out)
{
	encoding e;
	BSPI_TRY(begin_encoding(&e, m, width, height, bspi_jpeg_work_size(width, height)));
	bool written = bspi_write_jpeg(&m->writer->budget.heap, width, height, pixels, JPEG_QUALITY, bspi_buffer_add,
	                               &e.buffer, &e.error);
	return end_encoding(&e, written, "image/jpeg", ".jpg", false, out);
}

typedef struct pixel_rows {
	uint32_t width, height, channels;
	const void *data;
} pixel_rows;

static bool encode_lossy(const maker *m, const pixel_rows *pixels, bool webp, bspi_picture *out)
{
	return webp ? encode_webp(m, pixels->width, pixels->height, pixels->channels, pixels->data, WEBP_QUALITY, out)
	            : encode_jpeg(m, pixels->width, pixels->height, pixels->data, out);
}

static bool encode_exact(const maker *m, const pixel_rows *pixels, bool webp, bspi_picture *out)
{
	return webp ? encode_webp(m, pixels->width, pixels->height, pixels->channels, pixels->data, LOSSLESS, out)
	            : encode_png(m, pixels->width, pixels->height, pixels->channels, pixels->data, false, out);
}

/* Encodes a color picture with loss. If it is small, also encodes it without loss and keeps the smaller result, because
 * flat and tiny pictures are smaller without loss. JPEG has no alpha, so a picture with alpha becomes PNG in its
 * place. */
static bool encode_smallest(const maker *m, const pixel_rows *pixels, bool webp, bspi_picture *out)
{
	bspi_picture exact = { .data = NULL };
	if (!webp && pixels->channels == 4) return encode_exact(m, pixels, webp, out);
	BSPI_TRY(encode_lossy(m, pixels, webp, out));
	if ((uint64_t)pixels->width * pixels->height > BSPI_LARGEST_TRIED_TWICE) return true;
	if (!encode_exact(m, pixels, webp, &exact)) {
		bspi_picture_free(out);
		return false;
	}
	bool better = exact.size <= out->size;
	bspi_picture_free(better ? out : &exact);
	if (better) *out = exact;
	return true;
}

/* What a picture contains. Colors may lose detail. Normals and light may not, because hosts compute with them. */
typedef enum picture_kind { KIND_COLOR, KIND_NORMALS, KIND_LIGHT } picture_kind;

static bool encode(const maker *m, uint32_t width, uint32_t height, uint32_t channels, const void *pixels,
                   picture_kind kind, bspi_picture *out)
{
	const pixel_rows rows = { width, height, channels, pixels };
	bool jpeg = bspi_compresses_by(m->writer, BSPSCENE_COMPRESS_JPEG);
	bool webp = m->writer->options.compress && !jpeg && bspi_can_write_webp(width, height);
	if (kind == KIND_COLOR && (webp || jpeg)) return encode_smallest(m, &rows, webp, out);
	if (webp) return encode_exact(m, &rows, webp, out);
	return encode_png(m, width, height, channels, pixels, kind == KIND_LIGHT, out);
}

/* ---- Images ----------------------------------------------------------------------------------------------- */

/* The game adds this pixel to the background, or multiplies the background by it. Changes the color and alpha of the
 * pixel so that plain blending gives a similar result. The result is exact over black if the game adds, and over white
 * if the game multiplies. */
static void make_blendable(uint8_t *pixel, bspi_picture_use use)
{
	unsigned low = 255, high = 0;
	bool adds = use == BSPI_PICTURE_ADD || use == BSPI_PICTURE_ADD_BY_ALPHA;
	for (int i = 0; i < 3; i++) {
		if (use == BSPI_PICTURE_ADD_BY_ALPHA) pixel[i] = (uint8_t)((pixel[i] * pixel[3] + 127) / 255);
		if (pixel[i] < low) low = pixel[i];
		if (pixel[i] > high) high = pixel[i];
	}
	unsigned alpha = adds ? high : 255 - low;
	for (int i = 0; i < 3; i++) {
		unsigned part = adds ? pixel[i] : pixel[i] - low;
		pixel[i] = (uint8_t)(alpha ? part * 255 / alpha : 0);
	}
	pixel[3] = (uint8_t)alpha;
}

static bspi_picture_use modulating_use(const bspscene_material *material)
{
	if (material->whitened_by_alpha) {
		return material->modulated_twice ? BSPI_PICTURE_FADED_MODULATE_TWICE : BSPI_PICTURE_FADED_MODULATE;
	}
	return material->modulated_twice ? BSPI_PICTURE_MODULATE_TWICE : BSPI_PICTURE_MODULATE;
}

/* Some materials double a texel, or mix it with white by its alpha, before they multiply what is below by it. This
 * function changes the texel in the same way, so that plain multiplication gives the result of the game. */
static void make_plain_factor(uint8_t *pixel, bspi_picture_use use)
{
	bool twice = use == BSPI_PICTURE_MODULATE_TWICE || use == BSPI_PICTURE_FADED_MODULATE_TWICE;
	bool faded = use == BSPI_PICTURE_FADED_MODULATE || use == BSPI_PICTURE_FADED_MODULATE_TWICE;
	for (int i = 0; i < 3; i++) {
		int factor = twice ? 2 * pixel[i] : pixel[i];
		if (faded) factor = 255 + (factor - 255) * pixel[3] / 255;
		pixel[i] = (uint8_t)(factor < 255 ? factor : 255);
	}
}

bspi_picture_use bspi_base_picture_use(const bspscene_material *material)
{
	switch (material->alpha_mode) {
	case BSPSCENE_ALPHA_MODE_ADD: return material->added_by_alpha ? BSPI_PICTURE_ADD_BY_ALPHA : BSPI_PICTURE_ADD;
	case BSPSCENE_ALPHA_MODE_MODULATE: return modulating_use(material);
	case BSPSCENE_ALPHA_MODE_OPAQUE: return BSPI_PICTURE_OPAQUE;
	default: return BSPI_PICTURE_PLAIN;
	}
}

bspi_picture_use bspi_normal_picture_use(const bspscene_material *material)
{
	return material->normal_green_down ? BSPI_PICTURE_TURNED_NORMALS : BSPI_PICTURE_OPAQUE;
}

bspi_picture_use bspi_picture_use_of(const bspscene_image *image, bspi_picture_use use)
{
	bool plain = image->format == BSPSCENE_IMAGE_MISSING || (use == BSPI_PICTURE_OPAQUE && !image->has_alpha);
	return plain ? BSPI_PICTURE_PLAIN : use;
}

static void adapt(uint8_t *pixel, bspi_picture_use use)
{
	bool modulates = use >= BSPI_PICTURE_MODULATE && use <= BSPI_PICTURE_FADED_MODULATE_TWICE;
	if (modulates) make_plain_factor(pixel, use);
	if (use == BSPI_PICTURE_ADD || use == BSPI_PICTURE_ADD_BY_ALPHA || modulates) {
		make_blendable(pixel, use);
		return;
	}
	if (use == BSPI_PICTURE_TURNED_NORMALS) pixel[1] = (uint8_t)(255 - pixel[1]);
	pixel[3] = 255;
}

static void brighten(uint8_t *pixels, size_t count, const float gains[3])
{
	uint8_t table[256];
	for (int c = 0; c < 3; c++) {
		for (int i = 0; i < 256; i++) table[i] = (uint8_t)(fminf((float)i * gains[c], 255) + 0.5f);
		for (size_t i = 0; i < count; i++) pixels[4 * i + (size_t)c] = table[pixels[4 * i + (size_t)c]];
	}
}

/* If all pixels are opaque, removes the alpha channel in place. Returns the number of channels, 3 or 4. */
static uint32_t drop_opaque_alpha(bspscene_pixels *pixels)
{
	size_t count = (size_t)pixels->width * pixels->height;
	for (size_t i = 0; i < count; i++) {
		if (pixels->data[4 * i + 3] != 255) return 4;
	}
	for (size_t i = 0; i < count; i++) memmove(pixels->data + 3 * i, pixels->data + 4 * i, 3);
	return 3;
}

/* Makes a picture for an image that cannot be decoded: its fallback color, or flat normals for a normal map. */
static bool stand_in(bspi_writer *writer, const bspscene_image *image, bspi_picture_use use, bspscene_pixels *out,
                     bspscene_error *error)
{
	bspscene_image missing = *image;
	missing.format = BSPSCENE_IMAGE_MISSING;
	BSPI_TRY(bspi_image_decode_within(&writer->budget, &missing, out, error));
	static const uint8_t level[4] = { 128, 127, 255, 255 };
	size_t count = (size_t)out->width * out->height;
	if (use != BSPI_PICTURE_TURNED_NORMALS) return true;
	for (size_t i = 0; i < count; i++) memcpy(out->data + 4 * i, level, sizeof level);
	return true;
}

bool bspi_picture_make(bspi_writer *writer, const bspscene_image *image, bspi_picture_use use, const float gains[3],
                       bspi_picture *out, bspscene_error *error)
{
	const maker m = { writer, error };
	bool compress = writer->options.compress, passes = !gains && bspi_picture_pass(image, use, out);
	if (passes && !compress) return true;
	const bspi_picture as_it_is = passes ? *out : (bspi_picture){ .data = NULL };
	bspscene_pixels pixels = { 0 };
	*error = (bspscene_error){ .status = BSPSCENE_OK };
	bool decoded = bspi_image_decode_within(&writer->budget, image, &pixels, error);
	if (!decoded && !bspi_budget_refused(&writer->budget) && error->status != BSPSCENE_ERROR_OUT_OF_MEMORY) {
		*error = (bspscene_error){ .status = BSPSCENE_OK };
		decoded = stand_in(writer, image, use, &pixels, error);
	}
	BSPI_TRY(decoded);

	size_t count = (size_t)pixels.width * pixels.height;
	if (gains) brighten(pixels.data, count, gains);
	for (size_t i = 0; use != BSPI_PICTURE_PLAIN && i < count; i++) adapt(pixels.data + 4 * i, use);
	uint32_t channels = drop_opaque_alpha(&pixels);
	picture_kind kind = use == BSPI_PICTURE_TURNED_NORMALS ? KIND_NORMALS : KIND_COLOR;
	bool encoded = encode(&m, pixels.width, pixels.height, channels, pixels.data, kind, out);
	bspi_pixels_give(&writer->budget, &pixels);
	if (encoded && passes && as_it_is.size <= out->size) {
		bspi_picture_free(out);
		*out = as_it_is;
	}
	return encoded;
}

bool bspi_picture_of_image(bspi_writer *writer, const bspscene_image *image, bspi_picture_use use,
                           const float gains[3], bspi_picture *out)
{
	bspscene_error error = { .status = BSPSCENE_OK };
	return bspi_picture_make(writer, image, use, gains, out, &error) ||
	       bspi_writer_fail(writer, error.status, "%s", error.message);
}

/* ---- Pages ------------------------------------------------------------------------------------------------ */

/* White in the picture of a page stands for at most this much linear light. If it stood for more, dark light would
 * show steps, because the picture has 8 bits. */
#define LARGEST_PEAK 8.0f

static float find_peak(const uint16_t *halfs, size_t count)
{
	float peak = 1;
	for (size_t i = 0; i < count; i++) peak = fmaxf(peak, bspi_half_to_float(halfs[i]));
	return fminf(peak, LARGEST_PEAK);
}

static void display_bytes(uint8_t *out, const uint16_t *halfs, size_t count, float peak)
{
	for (size_t i = 0; i < count; i++) {
		float value = fminf(fmaxf(bspi_half_to_float(halfs[i]) / peak, 0), 1);
		out[i] = (uint8_t)(bspi_display_from_linear(value) * 255 + 0.5f);
	}
}

float bspi_peak_of_page(const bspscene_lightmap_page *page)
{
	bool floats = page->data && page->format == BSPSCENE_LIGHTMAP_PAGE_RGB16F;
	return floats ? find_peak(page->data, (size_t)page->width * page->height * 3) : 1;
}

bool bspi_picture_make_page(bspi_writer *writer, const bspscene_lightmap_page *page, float peak, bspi_picture *out,
                            bspscene_error *error)
{
	const maker m = { writer, error };
	bspi_budget *budget = &writer->budget;
	size_t count = (size_t)page->width * page->height * 3;
	if (page->format == BSPSCENE_LIGHTMAP_PAGE_RAW32 && page->data) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		                      "raw HDR light cannot be written as a picture: load the lightmaps as display or hdr");
	}
	if (page->format == BSPSCENE_LIGHTMAP_PAGE_RGB8 && page->data) {
		return encode(&m, page->width, page->height, 3, page->data, KIND_LIGHT, out);
	}

	if (!bspi_budget_take(budget, count)) return lacks_memory(&m);
	uint8_t *bytes = bspi_heap_take_zeroed(&budget->heap, count);
	if (!bytes) {
		bspi_budget_give(budget, count);
		return lacks_memory(&m);
	}
	if (page->data) display_bytes(bytes, page->data, count, peak);
	bool encoded = encode(&m, page->width, page->height, 3, bytes, KIND_LIGHT, out);
	bspi_heap_give(&budget->heap, bytes);
	bspi_budget_give(budget, count);
	return encoded;
}

bool bspi_picture_of_page(bspi_writer *writer, const bspscene_lightmap_page *page, bspi_picture *out, float *peak)
{
	bspscene_error error = { .status = BSPSCENE_OK };
	*peak = bspi_peak_of_page(page);
	return bspi_picture_make_page(writer, page, *peak, out, &error) ||
	       bspi_writer_fail(writer, error.status, "%s", error.message);
}

void bspi_picture_free(bspi_picture *picture)
{
	bspi_buffer_free(&picture->owned);
	*picture = (bspi_picture){ .data = NULL };
}

/* ---- File names ------------------------------------------------------------------------------------------- */

#define LONGEST_WORDS 96

const char *bspi_picture_file_name(bspi_writer *writer, bspi_names *names, const char *words, uint32_t number,
                                   const char *extension)
{
	char safe[LONGEST_WORDS + 16], folded[LONGEST_WORDS + 16];
	size_t length = 0;
	for (; length < LONGEST_WORDS && words[length]; length++) {
		char c = words[length], lower = bspi_lower(c);
		bool plain = (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '-';
		safe[length] = plain ? c : '_';
		folded[length] = bspi_lower(safe[length]);
	}
	safe[length] = folded[length] = 0;
	for (; !bspi_names_take(names, folded); number++) {
		snprintf(safe + length, sizeof safe - length, "_%" PRIu32, number);
		memcpy(folded + length, safe + length, strlen(safe + length) + 1);
	}

	size_t size = strlen(writer->stem) + strlen(safe) + strlen(extension) + 2;
	char *name = bspi_writer_push(writer, char, size);
	if (name) snprintf(name, size, "%s_%s%s", writer->stem, safe, extension);
	return name;
}
