/* jpeg_picture.c - encodes generated pictures as JPEG. See web_picture.h.
 *
 * It is used for skies, which may be as large as the rest of a document and take longer as PNG than everything else. */
#include "images/write/write.h"
#include "writers/web_picture.h"

#define QUALITY 90

bool bspi_picture_of_pixels(bspi_writer *writer, uint32_t width, uint32_t height, const uint8_t *rgb, bspi_picture *out)
{
	bspi_buffer jpeg = { .writer = writer };
	bspscene_error error = { .status = BSPSCENE_OK };
	uint64_t work = bspi_jpeg_work_size(width, height);
	BSPI_TRY(bspi_writer_take(writer, work));
	const bspi_heap *heap = &writer->budget.heap;
	bool written = bspi_write_jpeg(heap, width, height, rgb, QUALITY, bspi_buffer_add, &jpeg, &error);
	bspi_writer_give(writer, work);
	if (!written) {
		bspi_buffer_free(&jpeg);
		return bspi_writer_fail(writer, error.status, "%s", error.message);
	}
	*out = (bspi_picture){ jpeg.data, jpeg.size, "image/jpeg", ".jpg", false, jpeg };
	return true;
}
