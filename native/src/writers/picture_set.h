/* picture_set.h - the pictures of a written document, each prepared once, when a material asks for it, so that
 * there is none that nobody shows. Missing images that are checkered share one checkerboard. */
#ifndef BSPI_PICTURE_SET_H
#define BSPI_PICTURE_SET_H

#include "writers/web_picture.h"

typedef struct bspi_set_picture {
	bspi_picture picture;
	uint32_t image, page;              /* what it is still to be made of: one of them; NO_INDEX both: it is made */
	bspi_picture_use use;
	const char *file_name;             /* without directory */
	float peak;                        /* of a page: see bspi_picture_of_page; else 1 */
} bspi_set_picture;

typedef struct bspi_picture_set {
	bspi_writer *writer;
	bool later;                        /* only their names are known until bspi_picture_set_make */
	bspi_set_picture *items; uint32_t count;
	uint32_t *numbers;                 /* of items, per image and use, then per page, then the checkerboard */
	bspi_names names;
	/* Made in advance, until somebody asks for them, by their place in `numbers`. */
	bspi_set_picture *foreseen; uint32_t foreseen_count;
	uint32_t *foreseen_numbers;
} bspi_picture_set;

bool bspi_picture_set_begin(bspi_picture_set *set, bspi_writer *writer);
/* *out is the picture's number; NO_INDEX for an image without bytes. */
bool bspi_picture_set_image(bspi_picture_set *set, uint32_t image, bspi_picture_use use, uint32_t *out);
bool bspi_picture_set_page(bspi_picture_set *set, uint32_t page, uint32_t *out);
/* These will be asked for, probably. */
void bspi_picture_set_foresee_image(bspi_picture_set *set, uint32_t image, bspi_picture_use use);
void bspi_picture_set_foresee_page(bspi_picture_set *set, uint32_t page);
/* All that are foreseen, in the threads that the caller allows. */
bool bspi_picture_set_make_foreseen(bspi_picture_set *set);
/* All that were left for later, in the threads that the caller allows. */
bool bspi_picture_set_make(bspi_picture_set *set);
/* A picture that the caller made and keeps. */
bool bspi_picture_set_add(bspi_picture_set *set, const char *words, const bspi_picture *picture, uint32_t *out);
/* Each into a file of its own. */
bool bspi_picture_set_put(const bspi_picture_set *set);
void bspi_picture_set_free(bspi_picture_set *set);

#endif
