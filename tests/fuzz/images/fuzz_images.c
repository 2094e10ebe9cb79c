/* fuzz_images.c - the input is a picture. Its first bytes tell the format. It is decoded at full size and at reduced
 * sizes. */
#include <stdlib.h>

#include "images/images.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Only one in 16 pictures with more pixels than this is decoded. In the same time, small pictures find more faults. */
#define LARGE ((uint64_t)1 << 20)

/* Decodes the picture at a reduced size. It must not be larger than the full size, or decoding must fail with an
 * error. */
static void decode_wanted(const bspi_image_info *info, bspi_bytes bytes, bspi_wanted wanted)
{
	bspscene_pixels pixels;
	bspscene_error error = { 0 };
	bool ok = bspi_image_decode_wanted(&bspi_system_heap, info->format, bytes, wanted, &pixels, &error);
	bool small = pixels.width <= info->width && pixels.height <= info->height;
	if (ok && (!pixels.data || !pixels.width || !pixels.height || !small)) abort();
	if (!ok && (pixels.data || !error.status || !error.message[0])) abort();
	bspscene_pixels_free(&pixels);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bspi_bytes bytes = bspi_bytes_of(data, size);
	bspi_image_info info = bspi_image_probe(bytes);
	bspscene_pixels pixels;
	bspscene_error error = { 0 };
	uint8_t palette[768];
	bspi_pcx_palette(bytes, palette);
	if ((uint64_t)info.width * info.height > LARGE && data[size - 1] % 16) return 0;
	bspi_image_info checked;
	bool passes = bspi_image_check(bytes, &checked, NULL);
	bool ok = bspi_image_decode(&bspi_system_heap, info.format, bytes, &pixels, &error);
	if (ok && (!pixels.data || pixels.width < 1 || pixels.height < 1 || pixels.width > BSPI_LARGEST_IMAGE ||
	           pixels.height > BSPI_LARGEST_IMAGE)) {
		abort();
	}
	if (ok && !passes) abort();
	/* The decoded size must equal the size that the header states, because uvs are divided by that. */
	if (ok && (pixels.width != info.width || pixels.height != info.height)) abort();
	if (ok && bspi_pixels_have_alpha(&pixels) && !info.has_alpha) abort();
	if (!ok && (pixels.data || !error.status || !error.message[0])) abort();
	bspscene_pixels_free(&pixels);
	if (info.format == BSPSCENE_IMAGE_VTF) {
		const uint32_t most = 64;
		uint32_t claimed, there = bspi_vtf_count_frames(bytes, most, &claimed);
		if (there > most || there > claimed || (passes && !there)) abort();
		uint32_t side = 1u << data[size - 1] % 10, face = bspi_vtf_is_cube(bytes) ? data[size - 1] % 6 : 0;
		decode_wanted(&info, bytes, (bspi_wanted){ side, there ? there - 1 : 1, face });
	}
	return 0;
}
