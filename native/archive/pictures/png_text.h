/* png_text.h - inserts facts into a PNG while it is written: iTXt chunks after its header. */
#ifndef CLI_PNG_TEXT_H
#define CLI_PNG_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bspscene/bspscene.h>

#include "archive/pictures/picture_fact.h"

typedef struct cli_png_text {
	bspscene_write_fn *write;          /* gets the PNG with the facts in it */
	void *user;
	const cli_picture_fact *facts;
	uint32_t fact_count;
	uint64_t done;                     /* bytes of the PNG so far; begin with 0 */
} cli_png_text;

/* A bspscene_write_fn; user is a cli_png_text. */
bool cli_png_text_write(void *user, const void *data, size_t size);

#endif
