/* exr_write.c - writes half-float pages as EXR by OpenEXR's C library, as scanlines with PIZ compression. The library
 * writes its table of offsets last. So the file is built in memory, and then written at once. */
#include "images/write/write.h"

#ifdef BSPI_HAVE_EXR

#include <string.h>

#include <openexr.h>

enum { CHANNELS = 3, PIXEL_SIZE = 6 };

typedef struct exr_file {
	const bspi_heap *heap;
	uint8_t *data;
	size_t size, capacity;
} exr_file;

static bool reserve(exr_file *file, uint64_t size)
{
	if (size <= file->capacity) return true;
	uint64_t capacity = file->capacity + file->capacity / 2;
	if (capacity < size) capacity = size;
	if (capacity > SIZE_MAX / 2) return false;
	uint8_t *data = bspi_heap_grow(file->heap, file->data, file->size, (size_t)capacity);
	if (!data) return false;
	file->data = data;
	file->capacity = (size_t)capacity;
	return true;
}

static int64_t on_write(exr_const_context_t context, void *user, const void *buffer, uint64_t size, uint64_t offset,
                        exr_stream_error_func_ptr_t report)
{
	exr_file *file = user;
	if (!reserve(file, offset + size)) {
		report(context, EXR_ERR_OUT_OF_MEMORY, "out of memory");
		return -1;
	}
	if (offset > file->size) memset(file->data + file->size, 0, (size_t)offset - file->size);
	memcpy(file->data + offset, buffer, (size_t)size);
	if (offset + size > file->size) file->size = (size_t)(offset + size);
	return (int64_t)size;
}

/* Ignores error messages, which the library prints to stderr by default. Its result codes are sufficient. */
static void on_error(exr_const_context_t context, exr_result_t code, const char *message)
{
	(void)context;
	(void)code;
	(void)message;
}

static exr_result_t write_header(exr_context_t context, uint32_t width, uint32_t height)
{
	static const char *const names[CHANNELS] = { "R", "G", "B" };
	int part;
	exr_result_t result = exr_add_part(context, "lightmap", EXR_STORAGE_SCANLINE, &part);
	if (!result) {
		result = exr_initialize_required_attr_simple(context, part, (int32_t)width, (int32_t)height,
		                                             EXR_COMPRESSION_PIZ);
	}
	for (int i = 0; i < CHANNELS && !result; i++) {
		result = exr_add_channel(context, part, names[i], EXR_PIXEL_HALF, EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
	}
	return result ? result : exr_write_header(context);
}

/* Returns the byte offset of a channel in a pixel. Pixels of the page are R, G, B. In the file, channels are sorted by
 * name. */
static size_t offset_in_pixel(const char *channel)
{
	return channel[0] == 'R' ? 0 : channel[0] == 'G' ? sizeof(uint16_t) : 2 * sizeof(uint16_t);
}

static exr_result_t write_chunk(exr_context_t context, exr_encode_pipeline_t *pipeline, bool first, int32_t y,
                                const uint8_t *rows, size_t stride)
{
	exr_chunk_info_t chunk;
	exr_result_t result = exr_write_scanline_chunk_info(context, 0, y, &chunk);
	if (result) return result;
	result = first ? exr_encoding_initialize(context, 0, &chunk, pipeline)
	               : exr_encoding_update(context, 0, &chunk, pipeline);
	if (result) return result;
	for (int i = 0; i < pipeline->channel_count; i++) {
		exr_coding_channel_info_t *channel = &pipeline->channels[i];
		channel->user_bytes_per_element = sizeof(uint16_t);
		channel->user_data_type = EXR_PIXEL_HALF;
		channel->user_pixel_stride = PIXEL_SIZE;
		channel->user_line_stride = (int32_t)stride;
		channel->encode_from_ptr = rows + (size_t)y * stride + offset_in_pixel(channel->channel_name);
	}
	if (first) result = exr_encoding_choose_default_routines(context, 0, pipeline);
	return result ? result : exr_encoding_run(context, 0, pipeline);
}

static exr_result_t write_pixels(exr_context_t context, uint32_t height, const uint8_t *rows, size_t stride)
{
	exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
	int32_t lines;
	exr_result_t result = exr_get_scanlines_per_chunk(context, 0, &lines);
	for (int32_t y = 0; y < (int32_t)height && !result; y += lines) {
		result = write_chunk(context, &pipeline, y == 0, y, rows, stride);
	}
	exr_encoding_destroy(context, &pipeline);
	return result;
}

static exr_result_t encode(exr_file *file, uint32_t width, uint32_t height, const uint8_t *rows, size_t stride)
{
	exr_context_initializer_t options = EXR_DEFAULT_CONTEXT_INITIALIZER;
	options.error_handler_fn = on_error;
	options.user_data = file;
	options.write_fn = on_write;
	exr_context_t context = NULL;
	exr_result_t result = exr_start_write(&context, "page.exr", EXR_WRITE_FILE_DIRECTLY, &options);
	if (!result) result = write_header(context, width, height);
	if (!result) result = write_pixels(context, height, rows, stride);
	exr_result_t finished = context ? exr_finish(&context) : EXR_ERR_SUCCESS;
	return result ? result : finished;
}

bool bspi_write_exr(const bspi_heap *heap, uint32_t width, uint32_t height, const uint16_t *pixels,
                    bspscene_write_fn *write, void *user, bspscene_error *error)
{
	exr_file file = { .heap = heap };
	uint16_t *black = pixels ? NULL : bspi_heap_take_zeroed(heap, (size_t)width * PIXEL_SIZE);
	exr_result_t result = EXR_ERR_OUT_OF_MEMORY;
	if (pixels || black) {
		result = encode(&file, width, height, (const uint8_t *)(pixels ? pixels : black),
		                pixels ? (size_t)width * PIXEL_SIZE : 0);
	}
	bspi_heap_give(heap, black);
	bool written = false;
	if (result) {
		bspi_error_set(error, result == EXR_ERR_OUT_OF_MEMORY ? BSPSCENE_ERROR_OUT_OF_MEMORY : BSPSCENE_ERROR_IO,
		               "EXR: %s", exr_get_default_error_message(result));
	} else {
		written = write(user, file.data, file.size);
		if (!written) bspi_error_set(error, BSPSCENE_ERROR_IO, "EXR: writing failed");
	}
	bspi_heap_give(heap, file.data);
	return written;
}

bool bspi_can_write_exr(void)
{
	return true;
}

#else

bool bspi_write_exr(const bspi_heap *heap, uint32_t width, uint32_t height, const uint16_t *pixels,
                    bspscene_write_fn *write, void *user, bspscene_error *error)
{
	(void)heap;
	(void)width;
	(void)height;
	(void)pixels;
	(void)write;
	(void)user;
	return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
	                      "EXR pictures cannot be written: this build lacks OpenEXR");
}

bool bspi_can_write_exr(void)
{
	return false;
}

#endif
