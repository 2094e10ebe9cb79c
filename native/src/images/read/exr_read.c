/* exr_read.c - reads EXR as half-float RGB by OpenEXR's C library. The file must have a single part with scanlines,
 * like the pages that we or Blender write. Any compression is accepted. */
#include "images/images.h"

#include <string.h>

enum { PIXEL_SIZE = 6 };

#ifdef BSPI_HAVE_EXR

#include <openexr.h>

static int64_t on_read(exr_const_context_t context, void *user, void *buffer, uint64_t size, uint64_t offset,
                       exr_stream_error_func_ptr_t report)
{
	const bspi_bytes *file = user;
	bspi_bytes part;
	(void)context;
	(void)report;
	if (offset > file->size) return -1;
	if (size > file->size - offset) size = file->size - offset;
	if (!bspi_slice(*file, offset, size, &part)) return -1;
	if (part.size) memcpy(buffer, part.data, part.size);
	return (int64_t)part.size;
}

static int64_t on_size(exr_const_context_t context, void *user)
{
	(void)context;
	return (int64_t)((const bspi_bytes *)user)->size;
}

/* Ignores error messages, which the library prints to stderr by default. Its result codes are sufficient. */
static void on_error(exr_const_context_t context, exr_result_t code, const char *message)
{
	(void)context;
	(void)code;
	(void)message;
}

/* Returns the index of a channel with a name like "R", or like "Combined.R", which Blender writes. Returns -1 for
 * others. */
static int place_of(const char *name)
{
	static const char letters[] = "RGB";
	const char *dot = strrchr(name, '.'), *last = dot ? dot + 1 : name;
	const char *found = last[0] && !last[1] ? strchr(letters, last[0]) : NULL;
	return found ? (int)(found - letters) : -1;
}

/* Returns what is not supported in the file, or NULL. */
static const char *find_fault(exr_context_t context, uint32_t *width, uint32_t *height)
{
	int parts = 0, seen = 0;
	exr_storage_t storage;
	exr_attr_box2i_t window;
	const exr_attr_chlist_t *channels;
	if (exr_get_count(context, &parts) || parts != 1) return "it has several parts";
	bool lines = !exr_get_storage(context, 0, &storage) && storage == EXR_STORAGE_SCANLINE;
	if (!lines) return "it is not stored in scanlines";
	bool complete = !exr_get_data_window(context, 0, &window) && !exr_get_channels(context, 0, &channels);
	if (!complete) return "its header is broken";
	int64_t wide = (int64_t)window.max.x - window.min.x + 1, high = (int64_t)window.max.y - window.min.y + 1;
	if (wide < 1 || high < 1 || wide > BSPI_LARGEST_EXR || high > BSPI_LARGEST_EXR) return "its size is not valid";
	for (int i = 0; i < channels->num_channels; i++) {
		const exr_attr_chlist_entry_t *channel = &channels->entries[i];
		int place = place_of(channel->name.str);
		if (place < 0) continue;
		if (channel->pixel_type == EXR_PIXEL_UINT || channel->x_sampling != 1 || channel->y_sampling != 1) {
			return "its colors are not stored as a floating-point number for each pixel";
		}
		if (seen & 1 << place) return "it has several layers";
		seen |= 1 << place;
	}
	*width = (uint32_t)wide;
	*height = (uint32_t)high;
	return seen == 7 ? NULL : "it has no red, green and blue";
}

static exr_result_t read_chunk(exr_context_t context, exr_decode_pipeline_t *pipeline, bool first, int y, uint8_t *rows,
                               size_t stride)
{
	exr_chunk_info_t chunk;
	exr_result_t result = exr_read_scanline_chunk_info(context, 0, y, &chunk);
	if (result) return result;
	result = first ? exr_decoding_initialize(context, 0, &chunk, pipeline)
	               : exr_decoding_update(context, 0, &chunk, pipeline);
	if (result) return result;
	for (int i = 0; i < pipeline->channel_count; i++) {
		exr_coding_channel_info_t *channel = &pipeline->channels[i];
		int place = place_of(channel->channel_name);
		channel->decode_to_ptr = place < 0 ? NULL : rows + (size_t)place * sizeof(uint16_t);
		channel->user_pixel_stride = PIXEL_SIZE;
		channel->user_line_stride = (int32_t)stride;
		channel->user_bytes_per_element = sizeof(uint16_t);
		channel->user_data_type = EXR_PIXEL_HALF;
	}
	if (first) result = exr_decoding_choose_default_routines(context, 0, pipeline);
	return result ? result : exr_decoding_run(context, 0, pipeline);
}

static exr_result_t read_pixels(exr_context_t context, uint32_t width, uint32_t height, uint16_t *out)
{
	exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
	exr_attr_box2i_t window;
	size_t stride = (size_t)width * PIXEL_SIZE;
	int32_t lines;
	exr_result_t result = exr_get_scanlines_per_chunk(context, 0, &lines);
	if (!result) result = exr_get_data_window(context, 0, &window);
	for (uint32_t y = 0; y < height && !result; y += (uint32_t)lines) {
		result = read_chunk(context, &pipeline, y == 0, window.min.y + (int)y, (uint8_t *)out + y * stride, stride);
	}
	exr_decoding_destroy(context, &pipeline);
	return result;
}

static bool decode(exr_context_t context, bspi_budget *budget, uint32_t width, uint32_t height, uint16_t **out,
                   bspscene_error *error)
{
	size_t size = (size_t)width * height * PIXEL_SIZE;
	/* Charges the memory that the library allocates: a packed and an unpacked chunk. */
	uint16_t *pixels = bspi_budget_take(budget, size) ? bspi_heap_take_zeroed(&budget->heap, size) : NULL;
	if (!pixels)
		return bspi_error_set(error, BSPSCENE_ERROR_MEMORY_LIMIT, "EXR: its pixels need more than the memory limit");
	exr_result_t result = read_pixels(context, width, height, pixels);
	if (!result) {
		*out = pixels;
		return true;
	}
	bspi_heap_give(&budget->heap, pixels);
	bspi_budget_give(budget, size);
	bspscene_status status = result == EXR_ERR_OUT_OF_MEMORY ? BSPSCENE_ERROR_OUT_OF_MEMORY : BSPSCENE_ERROR_BAD_DATA;
	exr_compression_t packed;
	bool lossy = !exr_get_compression(context, 0, &packed) &&
	             (packed == EXR_COMPRESSION_DWAA || packed == EXR_COMPRESSION_DWAB);
	if (lossy && result == EXR_ERR_FEATURE_NOT_IMPLEMENTED) {
		return bspi_error_set(
			error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
			"EXR: its compression, DWAA or DWAB, is not supported by this OpenEXR: save it with ZIP compression");
	}
	return bspi_error_set(error, status, "EXR: %s", exr_get_default_error_message(result));
}

bool bspi_read_exr(bspi_budget *budget, bspi_bytes file, uint32_t *width, uint32_t *height, uint16_t **out,
                   bspscene_error *error)
{
	exr_context_initializer_t options = EXR_DEFAULT_CONTEXT_INITIALIZER;
	options.error_handler_fn = on_error;
	options.user_data = &file;
	options.read_fn = on_read;
	options.size_fn = on_size;
	options.max_image_width = options.max_image_height = BSPI_LARGEST_EXR;
	exr_context_t context = NULL;
	exr_result_t result = exr_start_read(&context, "page.exr", &options);
	if (result) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "EXR: %s", exr_get_default_error_message(result));
	}
	const char *fault = find_fault(context, width, height);
	bool read = fault ? bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "EXR: %s", fault)
	                  : decode(context, budget, *width, *height, out, error);
	exr_finish(&context);
	return read;
}

#else

bool bspi_read_exr(bspi_budget *budget, bspi_bytes file, uint32_t *width, uint32_t *height, uint16_t **out,
                   bspscene_error *error)
{
	(void)budget;
	(void)file;
	(void)width;
	(void)height;
	(void)out;
	return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
	                      "EXR pictures cannot be read: this build lacks OpenEXR");
}

#endif

void bspi_give_exr(bspi_budget *budget, uint32_t width, uint32_t height, uint16_t *pixels)
{
	if (!pixels) return;
	bspi_heap_give(&budget->heap, pixels);
	bspi_budget_give(budget, (uint64_t)width * height * PIXEL_SIZE);
}
