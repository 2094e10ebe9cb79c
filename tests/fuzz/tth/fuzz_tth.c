/* fuzz_tth.c - the input is a texture of a console. It may be in two parts; then the input is the size of the first
 * part in two bytes, the first part (.tth), and the second part (.ttz). The resulting VTF is decoded. */
#include <stdlib.h>

#include "images/images.h"
#include "materials/vtf/console_vtf.h"
#include "materials/vtf/tth.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LARGE ((uint64_t)1 << 20)

/* Converts the input to a VTF. If that fails, returns false, and a message or a warning has the reason. */
static bool make(bspi_ctx *ctx, bspi_bytes bytes, bspi_bytes *whole)
{
	bspi_bytes head, rest;
	const char *why = NULL;
	if (bspi_is_console_vtf(bytes)) return bspi_turn_console_vtf(ctx, bytes, whole, &why);
	size_t head_size = bspi_load_u16(bytes.data);
	if (head_size > bytes.size - 2) head_size = bytes.size - 2;
	if (!bspi_slice(bytes, 2, head_size, &head)) abort();
	if (!bspi_slice(bytes, 2 + head_size, bytes.size - 2 - head_size, &rest)) abort();
	bool joined = bspi_join_tth(ctx, head, rest, whole, &why);
	if (!joined && !why && !ctx->error.status) abort();
	return joined;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bspi_ctx ctx = { .budget.limit = 64u << 20 };
	bspi_image_info info;
	bspi_bytes whole;
	if (size < 2) return 0;
	bspi_begin_memory(&ctx);
	bool made = make(&ctx, bspi_bytes_of(data, size), &whole);
	if (made && bspi_image_check(whole, &info, NULL) && (uint64_t)info.width * info.height <= LARGE) {
		bspscene_pixels pixels;
		bspi_image_decode(&bspi_system_heap, info.format, whole, &pixels, NULL);
		bspscene_pixels_free(&pixels);
	}
	bspi_end_memory(&ctx);
	if (ctx.budget.used) abort();
	return 0;
}
