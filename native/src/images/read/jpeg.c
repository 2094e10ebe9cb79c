/* jpeg.c - decodes JPEG to RGBA by TurboJPEG. A truncated or damaged file still gives a picture, as in the engines. Its
 * missing part is gray. */
#include <string.h>
#include <turbojpeg.h>

#include "images/codecs.h"

/* Limit for the number of pixels per byte. A block of 64 pixels takes at least a bit, so a complete file has at most
 * 512 pixels per byte. A file may be truncated to a sixteenth. */
#define MOST_PIXELS_PER_BYTE 8192u
/* Limit for the number of pixels, multiplied by the number of scans. A progressive picture is processed once per scan.
 * Normal files have about ten scans. */
#define MOST_SCANNED_PIXELS ((uint64_t)BSPI_LARGEST_IMAGE * BSPI_LARGEST_IMAGE * 16)

/* Working memory: structs and tables; at most four components with 48 rows of samples each; upsampling buffers. */
#define WORKING_SIZE ((uint64_t)128 << 10)
#define WORKING_PER_COLUMN 256u

typedef struct jpeg_header {
	int width, height, subsampling, colorspace;
} jpeg_header;

/* Reads the header. For unusual chroma subsampling, TurboJPEG reports a failure although the header is valid and it can
 * decode the file. So its result is ignored. */
static bool read_header(tjhandle handle, bspi_bytes bytes, jpeg_header *h)
{
	*h = (jpeg_header){ .colorspace = -1 };
	tjDecompressHeader3(handle, bytes.data, (unsigned long)bytes.size, &h->width, &h->height, &h->subsampling,
	                    &h->colorspace);
	return h->width > 0 && h->height > 0 && h->colorspace >= 0;
}

static bool probe(bspi_bytes bytes, bspi_image_info *info)
{
	jpeg_header h;
	if (bytes.size < 4 || memcmp(bytes.data, "\xff\xd8\xff", 3)) return false;
	tjhandle handle = tjInitDecompress();
	if (handle && read_header(handle, bytes, &h)) {
		info->width = (uint32_t)h.width;
		info->height = (uint32_t)h.height;
	}
	if (handle) tjDestroy(handle);
	return true;
}

/* Counts the scans, including those of thumbnails. Inside of coded data, 0xff is always followed by 0 or a restart
 * marker. */
static uint32_t count_scans(bspi_bytes bytes)
{
	uint32_t count = 0;
	const uint8_t *p = bytes.data, *end = bytes.data + bytes.size - 1;
	while (p < end && (p = memchr(p, 0xff, (size_t)(end - p)))) {
		count += p[1] == 0xda;
		p++;
	}
	return count;
}

/* Converts from CMYK. Adobe's programs store its values inverted. */
static void cmyk_to_rgba(bspscene_pixels *pixels)
{
	size_t count = (size_t)pixels->width * pixels->height;
	for (size_t i = 0; i < count; i++) {
		uint8_t *p = pixels->data + 4 * i;
		for (int c = 0; c < 3; c++) p[c] = (uint8_t)((p[c] * p[3] + 127) / 255);
		p[3] = 255;
	}
}

static bool has_end(bspi_bytes bytes)
{
	for (size_t i = bytes.size - 1; i > 0; i--) {
		if (bytes.data[i] == 0xd9 && bytes.data[i - 1] == 0xff) return true;
	}
	return false;
}

static bool check_header(const jpeg_header *h, bspi_bytes bytes, bspscene_error *error)
{
	uint32_t width = (uint32_t)h->width, height = (uint32_t)h->height, scans = count_scans(bytes);
	uint64_t pixels = (uint64_t)width * height;
	BSPI_TRY(bspi_check_size(width, height, bytes, pixels / MOST_PIXELS_PER_BYTE, error));
	if (scans * pixels <= MOST_SCANNED_PIXELS) return true;
	return bspi_error_set(error, BSPSCENE_ERROR_LIMIT, "%u scans of %u x %u pixels take too long to decode", scans,
	                      width, height);
}

static bool fail_to_start(bspscene_error *error)
{
	return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory");
}

static bool check(bspi_bytes bytes, bspi_image_info *info, bspscene_error *error)
{
	jpeg_header h;
	tjhandle handle = tjInitDecompress();
	if (!handle) return fail_to_start(error);
	bool ok = read_header(handle, bytes, &h);
	if (!ok) bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "%s", tjGetErrorStr2(handle));
	tjDestroy(handle);
	info->damaged = !has_end(bytes);
	return ok && check_header(&h, bytes, error);
}

static bool decode_with(const bspi_heap *heap, tjhandle handle, bspi_bytes bytes, bspscene_pixels *out,
                        bspscene_error *error)
{
	jpeg_header h;
	BSPI_TRY(read_header(handle, bytes, &h));
	BSPI_TRY(bspi_pixels_create(heap, (uint32_t)h.width, (uint32_t)h.height, out, error));
	bool cmyk = h.colorspace == TJCS_CMYK || h.colorspace == TJCS_YCCK;
	int result = tjDecompress2(handle, bytes.data, (unsigned long)bytes.size, out->data, h.width, 0, h.height,
	                           cmyk ? TJPF_CMYK : TJPF_RGBA, TJFLAG_LIMITSCANS);
	/* If an error follows a warning, TurboJPEG still reports a warning. The first pixel then shows whether anything was
	 * decoded. */
	if (result != 0 && (tjGetErrorCode(handle) != TJERR_WARNING || (!cmyk && !out->data[3]))) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "%s", tjGetErrorStr2(handle));
	}
	if (cmyk) cmyk_to_rgba(out);
	return true;
}

static bool decode(const bspi_heap *heap, bspi_bytes bytes, bspi_wanted wanted, bspscene_pixels *out,
                   bspscene_error *error)
{
	(void)wanted;
	tjhandle handle = tjInitDecompress();
	if (!handle) return fail_to_start(error);
	bool ok = decode_with(heap, handle, bytes, out, error);
	tjDestroy(handle);
	return ok;
}

/* Returns the working memory. TurboJPEG needs a few rows of blocks. For progressive pictures it needs all coefficients:
 * 2 bytes each, for up to four components, in multiples of 32 pixels. */
static uint64_t working_size(bspi_bytes bytes, uint32_t side, bspi_image_info *info)
{
	uint64_t width = (info->width + UINT64_C(31)) / 32 * 32, height = (info->height + UINT64_C(31)) / 32 * 32;
	(void)side;
	return WORKING_SIZE + WORKING_PER_COLUMN * width + (count_scans(bytes) > 1 ? width * height * 8 : 0);
}

const bspi_codec bspi_jpeg_codec = { BSPSCENE_IMAGE_JPEG, "JPEG", probe, check, decode, working_size };
