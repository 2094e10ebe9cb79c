/* input_files.c - see input_files.h. */
#include "support/hostile/input_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { HEAD = BSPT_INPUT_ENDING + 4 };

void bspt_split_input(bspi_bytes input, bspt_input_files *out)
{
	out->count = 0;
	while (out->count < BSPT_INPUT_FILES && input.size > HEAD) {
		bspt_input_file *file = &out->files[out->count++];
		uint32_t size = bspi_load_u32(input.data + BSPT_INPUT_ENDING);
		if (size > input.size - HEAD) size = (uint32_t)(input.size - HEAD);
		memcpy(file->ending, input.data, BSPT_INPUT_ENDING);
		file->ending[BSPT_INPUT_ENDING] = 0;
		if (!bspi_slice(input, HEAD, size, &file->bytes)) abort();
		input = bspi_bytes_of(input.data + HEAD + size, input.size - HEAD - size);
	}
}

const bspt_input_file *bspt_input_file_of(const bspt_input_files *files, const char *path)
{
	for (uint32_t i = 0; i < files->count; i++) {
		if (bspi_text_ends(path, files->files[i].ending)) return &files->files[i];
	}
	return NULL;
}

bool bspt_open_model_file(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const bspt_input_files *files = user;
	const char *ending = !strncmp(path, "models/a", 8) ? path + 8 : !strncmp(path, "xmodel", 6) ? path + 6 : NULL;
	(void)kind;
	for (uint32_t i = 0; ending && i < files->count; i++) {
		if (!bspi_text_equal(files->files[i].ending, ending)) continue;
		stream->data = files->files[i].bytes.data;
		stream->size = files->files[i].bytes.size;
		return true;
	}
	return false;
}
