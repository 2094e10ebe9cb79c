/* input_files.h - splits a fuzzer's input into several files. Each file consists of ten bytes with the end of its name,
 * four bytes with its size, and its contents. If the size is too large, the rest of the input is the contents. */
#ifndef BSPT_INPUT_FILES_H
#define BSPT_INPUT_FILES_H

#include <bspscene/load.h>

#include "base/bytes.h"

enum { BSPT_INPUT_FILES = 8, BSPT_INPUT_ENDING = 10 };

typedef struct bspt_input_file {
	char ending[BSPT_INPUT_ENDING + 1];
	bspi_bytes bytes;                  /* contents, which are a part of the fuzzer's input */
} bspt_input_file;

typedef struct bspt_input_files {
	bspt_input_file files[BSPT_INPUT_FILES];
	uint32_t count;
} bspt_input_files;

void bspt_split_input(bspi_bytes input, bspt_input_files *out);
/* Returns the first file whose ending matches the path, without regard to case, or NULL. An empty ending matches every
 * path. */
const bspt_input_file *bspt_input_file_of(const bspt_input_files *files, const char *path);
/* Opens files by name: models/a.ENDING, or xmodelREST where REST is the file's ending. */
bool bspt_open_model_file(void *files, bspscene_stream *stream, const char *path, bspscene_file_kind kind);

#endif
