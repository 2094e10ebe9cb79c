/* atlas_pages.c - decodes the pictures of an atlas (PNG and EXR) to pages, several pictures at a time. The width and
 * height of a picture may be those of its page times a whole number n. Then each luxel of the page gets the
 * mean of a square of n by n pixels. */
#include "relight/atlas_pages.h"

#include <math.h>
#include <string.h>

#include "images/images.h"
#include "io/io.h"

#define HERE BSPI_LUMP("atlas")
#define GAMMA 2.2
#define LARGEST_FACTOR 16u
/* Files are opened in batches of up to FILES_HELD. A batch also ends once its files have BYTES_HELD bytes together. */
#define FILES_HELD 32u
#define BYTES_HELD ((size_t)16 << 20)

/* The pixels of a picture. Each pixel has `channels` values. */
typedef struct picture {
	uint32_t width, height;
	size_t channels;
	const uint8_t *bytes;              /* either `bytes` or `halves` is set */
	const uint16_t *halves;
} picture;

static size_t luxel_size(bspscene_lightmap_page_format format)
{
	return format == BSPSCENE_LIGHTMAP_PAGE_RGB8    ? 3
	       : format == BSPSCENE_LIGHTMAP_PAGE_RAW32 ? 4
	                                                : 3 * sizeof(uint16_t);
}

/* ---- Averaging squares of pixels -------------------------------------------------------------------------- */

static bool all_equal(const uint8_t *first, size_t size, size_t stride, size_t pixel_stride, uint32_t factor)
{
	for (uint32_t y = 0; y < factor; y++) {
		for (uint32_t x = 0; x < factor; x++) {
			if (memcmp(first, first + y * stride + x * pixel_stride, size)) return false;
		}
	}
	return true;
}

/* Returns the mean of one channel of factor x factor pixels. If `light` is true, the mean is computed in linear
 * light. If it is false, the pixels are directions, and the mean is that of the stored values. */
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

/* ---- One picture, in any thread --------------------------------------------------------------------------- */

/* The files that are decoded at the same time, and their pages in the result arena. Memory for the pages is allocated
 * before decoding starts. So the arena does not depend on the number of threads. */
typedef struct batch {
	bspi_ctx *ctx;                     /* the context of the calling thread */
	const bspi_page_read *reads;
	bspi_sibling files[FILES_HELD];
	void *data[FILES_HELD];
	uint32_t count;
	uint32_t before, total;            /* number of pages in earlier batches; number of all pages */
} batch;

static size_t page_size(const bspi_page_wanted *wanted)
{
	return (size_t)wanted->width * wanted->height * luxel_size(wanted->format);
}

static bool make_page(const picture *p, const bspi_page_read *read, void *out, bspi_task *task)
{
	const bspi_page_wanted *wanted = &read->wanted;
	uint32_t factor = p->width / wanted->width;
	bool fits = factor >= 1 && factor <= LARGEST_FACTOR && p->width == factor * wanted->width &&
	            p->height == factor * wanted->height;
	if (!fits) {
		return bspi_error_set(&task->error, BSPSCENE_ERROR_BAD_DATA,
		                      "%s: has %u x %u pixels, but has to have %u x %u or an exact multiple, up to %u times",
		                      read->name, p->width, p->height, wanted->width, wanted->height, LARGEST_FACTOR);
	}
	if (factor > 1 && wanted->format == BSPSCENE_LIGHTMAP_PAGE_RAW32) {
		return bspi_error_set(&task->error, BSPSCENE_ERROR_BAD_DATA,
		                      "%s: raw pages of floats cannot be scaled down: its size must be %u x %u", read->name,
		                      wanted->width, wanted->height);
	}
	if (p->halves) put_halves(p, wanted, factor, out);
	else put_bytes(p, wanted, factor, out);
	return true;
}

static bool fail(const bspi_page_read *read, bspi_task *task, const bspscene_error *error)
{
	bool memory = error->status == BSPSCENE_ERROR_OUT_OF_MEMORY || bspi_budget_refused(task->arena.budget);
	if (memory) return bspi_task_fail_memory(task);
	return bspi_error_set(&task->error, error->status, "%s: %s", read->name, error->message);
}

static bool read_halves(const bspi_page_read *read, bspi_bytes file, void *out, bspi_task *task)
{
	bspi_budget *budget = task->arena.budget;
	picture p = { .channels = 3 };
	uint16_t *halves = NULL;
	bspscene_error error = { .message = "" };
	if (file.size >= 2 && !memcmp(file.data, "#?", 2)) {
		return bspi_error_set(&task->error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		                      "%s: is a Radiance HDR file, which rounds light: bake again with --hdr-format exr",
		                      read->name);
	}
	if (!bspi_read_exr(budget, file, &p.width, &p.height, &halves, &error)) return fail(read, task, &error);
	p.halves = halves;
	bool made = make_page(&p, read, out, task);
	bspi_give_exr(budget, p.width, p.height, halves);
	return made;
}

static bool read_bytes(const bspi_page_read *read, bspi_bytes file, void *out, bspi_task *task)
{
	bspi_budget *budget = task->arena.budget;
	bspscene_pixels pixels = { 0 };
	bspscene_error error = { .message = "" };
	bspi_image_info info = bspi_image_probe(file);
	if (info.format != BSPSCENE_IMAGE_PNG && info.format != BSPSCENE_IMAGE_TGA && info.format != BSPSCENE_IMAGE_BMP) {
		return bspi_error_set(&task->error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		                      "%s: is not a PNG, TGA or BMP picture, as pages of this encoding have to be", read->name);
	}
	if (!info.has_alpha && read->wanted.format == BSPSCENE_LIGHTMAP_PAGE_RAW32) {
		return bspi_error_set(&task->error, BSPSCENE_ERROR_BAD_DATA,
		                      "%s: lacks the alpha channel that holds exponents: save it with alpha, or bake with "
		                      "--lightmap-encoding display or hdr", read->name);
	}
	if (!bspi_bytes_decode_within(budget, info.format, file, &pixels, &error)) return fail(read, task, &error);
	const picture p = { pixels.width, pixels.height, 4, pixels.data, NULL };
	bool made = make_page(&p, read, out, task);
	bspi_pixels_give(budget, &pixels);
	return made;
}

static bool read_one(void *user, bspi_task *task)
{
	const batch *b = user;
	const bspi_page_read *read = &b->reads[task->index];
	bool floats = read->wanted.format == BSPSCENE_LIGHTMAP_PAGE_RGB16F;
	return (floats ? read_halves : read_bytes)(read, b->files[task->index].bytes, b->data[task->index], task);
}

/* ---- All pictures ----------------------------------------------------------------------------------------- */

static bool report_page(void *user, uint32_t done)
{
	const batch *b = user;
	return bspi_progress(b->ctx, "read", b->before + done, b->total);
}

static bool decode_files(batch *b)
{
	bspi_ctx *ctx = b->ctx;
	const bspi_team team = bspi_load_team(ctx);
	const bspi_job job = { .count = b->count, .work = read_one, .report = report_page, .user = b };
	bspscene_error error;
	if (bspi_run_job(&team, &ctx->budget, &job, &error)) return true;
	if (!error.status) return false;
	if (error.status == BSPSCENE_ERROR_OUT_OF_MEMORY || ctx->budget.refused) return bspi_fail_memory(ctx);
	return bspi_fail(ctx, error.status, HERE, "%s", error.message);
}

/* Opens the files of a batch. If a file is missing, sets *missing to its name, and the batch ends before this file.
 * The caller first decodes the files of the batch. If that succeeds, it reports the missing file. */
static bool open_files(batch *b, bspi_arena *arena, uint32_t most, const char **missing)
{
	size_t size = 0;
	*missing = NULL;
	for (b->count = 0; b->count < most && b->count < FILES_HELD && size < BYTES_HELD; b->count++) {
		const bspi_page_read *read = &b->reads[b->count];
		bspi_sibling *file = &b->files[b->count];
		if (!bspi_open_sibling(b->ctx, arena, read->name, BSPSCENE_FILE_LIGHTMAP, file)) {
			BSPI_TRY(!b->ctx->error.status);
			*missing = read->name;
			return true;
		}
		read->out->data = b->data[b->count] =
			bspi_push_unset(b->ctx, &b->ctx->result, page_size(&read->wanted), 1);
		BSPI_TRY(b->data[b->count]);
		size += file->bytes.size;
	}
	return true;
}

static bool read_batch(batch *b, uint32_t most)
{
	bspi_ctx *ctx = b->ctx;
	const char *missing;
	bspi_arena files;
	bspi_arena_init(&files, &ctx->budget);
	bool well = open_files(b, &files, most, &missing) && decode_files(b);
	bspi_arena_reset(&files);
	if (well && missing) return bspi_fail(ctx, BSPSCENE_ERROR_NOT_FOUND, HERE, "%s: is missing", missing);
	return well;
}

bool bspi_read_atlas_pages(bspi_ctx *ctx, const bspi_page_read *reads, uint32_t count)
{
	batch b = { .ctx = ctx, .total = count };
	for (; b.before < count; b.before += b.count) {
		b.reads = reads + b.before;
		BSPI_TRY(read_batch(&b, count - b.before));
	}
	return true;
}
