/* take_options.c - completes and checks a caller's options. See take_options.h. */
#include "take_options.h"

#include <inttypes.h>
#include <stdio.h>

#include <bspscene/binding.h>

/* Size of the options when their current layout was first published. Callers that were compiled then have a struct of
 * this size. */
#define FIRST_SIZE sizeof(bspscene_render_options)
#define LARGEST_SIDE 16384
#define MOST_LEVELS 32

bool bspr_fail(bspscene_error *error, bspscene_status status, const char *message)
{
	if (error) {
		*error = (bspscene_error){ .status = status, .record = BSPSCENE_NO_INDEX, .offset = UINT64_MAX };
		snprintf(error->message, sizeof error->message, "%s", message);
	}
	return false;
}

bool bspr_fail_memory(const bspr_memory *memory, bspscene_error *error)
{
	char why[96];
	if (!atomic_load(&memory->refused)) {
		return bspr_fail(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory for the picture");
	}
	snprintf(why, sizeof why, "the picture needs more than the memory limit of %" PRIu64 " MiB", memory->limit >> 20);
	return bspr_fail(error, BSPSCENE_ERROR_MEMORY_LIMIT, why);
}

bool bspr_take_options(const bspscene_render_options *given, bspscene_render_options *out, bspscene_error *error)
{
	bspscene_render_options_init(out);
	if (given && !bspscene_struct_read(out, sizeof *out, FIRST_SIZE, given, "render_options", error)) return false;
	if (!out->width) out->width = 640;
	if (!out->height) out->height = 480;
	if (!out->samples) out->samples = 4;
	if (out->width > LARGEST_SIDE || out->height > LARGEST_SIDE) {
		return bspr_fail(error, BSPSCENE_ERROR_BAD_OPTIONS,
		                 "the width and height of a picture must be 1 to 16384 pixels");
	}
	return out->level <= MOST_LEVELS ||
	       bspr_fail(error, BSPSCENE_ERROR_BAD_OPTIONS, "the number of levels must be 1 to 32");
}
