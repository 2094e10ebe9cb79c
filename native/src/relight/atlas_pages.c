/* atlas_pages.c - pictures of an atlas to pages: PNG and EXR, also some whole number of times too large. */
#include "relight/atlas_pages.h"

#include <math.h>
#include <string.h>

#include "images/images.h"
#include "io/io.h"

#define HERE BSPI_LUMP("atlas")
#define GAMMA 2.2
#define LARGEST_FACTOR 16u

/* A picture's pixels, `channels` of them in each. */
typedef struct picture {
	uint32_t width, height;
	size_t channels;
	const uint8_t *bytes;              /* or */
	const uint16_t *halves;
} picture;

static size_t luxel_size(bspscene_page_format format)
{
	return format == BSPSCENE_PAGE_RGB8 ? 3 : format == BSPSCENE_PAGE_RAW32 ? 4 : 3 * sizeof(uint16_t);
}

/* ---- The mean of a square of pixels ----------------------------------------------------------------------- */

static bool all_equal(const uint8_t *first, size_t size, size_t stride, size_t pixel_stride, uint32_t factor)
{
	for (uint32_t y = 0; y < factor; y++) {
		for (uint32_t x = 0; x < factor; x++) {
			if (memcmp(first, first + y * stride + x * pixel_stride, size)) return false;
		}
	}
	return true;
}

/* Light has its mean where it adds up, directions where they are. */
static uint8_t mean_byte(const uint8_t *first, size_t stride, size_t pixel_stride, uint32_t factor, bool light)
{
	double sum = 0, count = (double)factor * factor;
	for (uint32_t y = 0; y < factor; y++) {
		for (uint32_t x = 0; x < factor; x++) {
			double value = first[y * stride + x * pixel_stride];
			sum += light ? pow(value / 255, GAMMA) : value;
		}
	}
	return (uint8_t)((light ? 255 * pow(sum / count, 1 / GAMMA) : sum / count) + 0.5);
}

static uint16_t mean_half(const uint16_t *first, size_t stride, uint32_t factor)
{
	double sum = 0;
	for (uint32_t y = 0; y < factor; y++) {
		for (uint32_t x = 0; x < factor; x++) sum += (double)bspi_half_to_float(first[y * stride + (size_t)x * 3]);
	}
	return bspi_half_from_float((float)(sum / ((double)factor * factor)));
}

static void put_bytes(const picture *p, const bspi_page_wanted *wanted, uint32_t factor, uint8_t *out)
{
	size_t size = luxel_size(wanted->format), stride = (size_t)p->width * p->channels;
	for (uint32_t y = 0; y < wanted->height; y++) {
		for (uint32_t x = 0; x < wanted->width; x++, out += size) {
			const uint8_t *first = p->bytes + y * (size_t)factor * stride + x * (size_t)factor * p->channels;
			bool same = factor == 1 || all_equal(first, size, stride, p->channels, factor);
			if (same) memcpy(out, first, size);
			for (size_t i = 0; i < size && !same; i++) {
				out[i] = mean_byte(first + i, stride, p->channels, factor, !wanted->directions);
			}
		}
	}
}

static void put_halves(const picture *p, const bspi_page_wanted *wanted, uint32_t factor, uint16_t *out)
{
	size_t stride = (size_t)p->width * 3;
	for (uint32_t y = 0; y < wanted->height; y++) {
		for (uint32_t x = 0; x < wanted->width; x++, out += 3) {
			const uint16_t *first = p->halves + y * (size_t)factor * stride + x * (size_t)factor * 3;
			bool same = factor == 1 || all_equal((const uint8_t *)first, 3 * sizeof *first, stride * sizeof *first,
			                                     3 * sizeof *first, factor);
			if (same) memcpy(out, first, 3 * sizeof *first);
			for (size_t i = 0; i < 3 && !same; i++) out[i] = mean_half(first + i, stride, factor);
		}
	}
}

/* ---- Files ------------------------------------------------------------------------------------------------ */

static bool keep(bspi_ctx *ctx, const picture *p, const bspi_page_wanted *wanted, const char *name, bspscene_page *out)
{
	uint32_t factor = p->width / wanted->width;
	bool fits = factor >= 1 && factor <= LARGEST_FACTOR && p->width == factor * wanted->width &&
	            p->height == factor * wanted->height;
	BSPI_CHECK(ctx, fits, BSPSCENE_ERROR_BAD_DATA, HERE,
	           "%s: %u x %u pixels instead of %u x %u, or up to %u times that", name, p->width, p->height,
	           wanted->width, wanted->height, LARGEST_FACTOR);
	BSPI_CHECK(ctx, factor == 1 || wanted->format != BSPSCENE_PAGE_RAW32, BSPSCENE_ERROR_BAD_DATA, HERE,
	           "%s: floats in raw pages have no mean: its size must be %u x %u", name, wanted->width, wanted->height);
	void *data = bspi_push_unset(ctx, &ctx->result, (size_t)wanted->width * wanted->height, luxel_size(wanted->format));
	BSPI_TRY(data);
	if (p->halves) put_halves(p, wanted, factor, data);
	else put_bytes(p, wanted, factor, data);
	*out = (bspscene_page){ wanted->width, wanted->height, wanted->format, data };
	return true;
}

static bool fail(bspi_ctx *ctx, const char *name, const bspscene_error *error)
{
	if (ctx->budget.refused || ctx->budget.exhausted) return bspi_fail_memory(ctx);
	return bspi_fail(ctx, error->status, HERE, "%s: %s", name, error->message);
}

static bool read_halves(bspi_ctx *ctx, bspi_bytes file, const bspi_page_wanted *wanted, const char *name,
                        bspscene_page *out)
{
	picture p = { .channels = 3 };
	uint16_t *halves = NULL;
	bspscene_error error = { .message = "" };
	if (!bspi_read_exr(&ctx->budget, file, &p.width, &p.height, &halves, &error)) return fail(ctx, name, &error);
	p.halves = halves;
	bool kept = keep(ctx, &p, wanted, name, out);
	bspi_give_exr(&ctx->budget, p.width, p.height, halves);
	return kept;
}

static bool read_bytes(bspi_ctx *ctx, bspi_bytes file, const bspi_page_wanted *wanted, const char *name,
                       bspscene_page *out)
{
	bspscene_pixels pixels = { 0 };
	bspscene_error error = { .message = "" };
	bspi_image_info info = bspi_image_probe(file);
	BSPI_CHECK(ctx, info.format == BSPSCENE_IMAGE_PNG, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, HERE,
	           "%s: is no PNG, as pages of this encoding are", name);
	BSPI_CHECK(ctx, info.has_alpha || wanted->format != BSPSCENE_PAGE_RAW32, BSPSCENE_ERROR_BAD_DATA, HERE,
	           "%s: was saved by a program that does not keep alpha, which holds exponents: bake display or hdr", name);
	if (!bspi_bytes_decode_within(&ctx->budget, info.format, file, &pixels, &error)) return fail(ctx, name, &error);
	const picture p = { pixels.width, pixels.height, 4, pixels.data, NULL };
	bool kept = keep(ctx, &p, wanted, name, out);
	bspi_pixels_give(&ctx->budget, &pixels);
	return kept;
}

bool bspi_read_atlas_page(bspi_ctx *ctx, const char *name, const bspi_page_wanted *wanted, bspscene_page *out)
{
	bspi_arena files;
	bspi_sibling file;
	bspi_arena_init(&files, &ctx->budget);
	bool found = bspi_open_sibling(ctx, &files, name, BSPSCENE_FILE_LIGHTMAP, &file);
	bool floats = wanted->format == BSPSCENE_PAGE_RGB16F, done = false;
	if (found) done = (floats ? read_halves : read_bytes)(ctx, file.bytes, wanted, name, out);
	else if (!ctx->error.status) bspi_fail(ctx, BSPSCENE_ERROR_NOT_FOUND, HERE, "%s: is missing", name);
	bspi_arena_reset(&files);
	return done;
}
