/* fuzz_tth.c - the input is a texture in two parts: the size of the first in two bytes, that one (.tth), the other
 * (.ttz). What they make is decoded. */
#include <stdlib.h>

#include "images/images.h"
#include "materials/tth.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LARGE ((uint64_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bspi_ctx ctx = { .budget.limit = 64u << 20 };
	bspi_bytes bytes = bspi_bytes_of(data, size), head, rest, whole;
	const char *why = NULL;
	if (size < 2) return 0;
	size_t head_size = bspi_load_u16(data);
	if (head_size > size - 2) head_size = size - 2;
	if (!bspi_slice(bytes, 2, head_size, &head)) abort();
	if (!bspi_slice(bytes, 2 + head_size, size - 2 - head_size, &rest)) abort();
	bspi_begin_memory(&ctx);
	bool joined = bspi_join_tth(&ctx, head, rest, &whole, &why);
	if (!joined && !why && !ctx.error.status) abort();
	bspi_image_info info;
	if (joined && bspi_image_check(whole, &info, NULL) && (uint64_t)info.width * info.height <= LARGE) {
		bspscene_pixels pixels;
		bspi_image_decode(&bspi_system_heap, info.format, whole, &pixels, NULL);
		bspscene_pixels_free(&pixels);
	}
	bspi_end_memory(&ctx);
	if (ctx.budget.used) abort();
	return 0;
}
