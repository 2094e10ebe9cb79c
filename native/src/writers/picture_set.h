/* picture_set.h - the pictures of a written document. A picture is made when a material first requests it, so pictures
 * that no material uses are not written. All missing images that are shown as a checkerboard share one picture. */
#ifndef BSPI_PICTURE_SET_H
#define BSPI_PICTURE_SET_H

#include "writers/web_picture.h"

typedef struct bspi_set_picture {
	bspi_picture picture;
	uint32_t image, page;              /* the image or the page of the scene from which it is made; both NO_INDEX: the
	                                    * caller made it */
	bspi_picture_use use;
	const char *file_name;             /* name of the file, without a directory */
	float peak;                        /* for pages: the light that white stands for, see bspi_picture_of_page; for
	                                    * images 1 */
} bspi_set_picture;

typedef struct bspi_picture_set {
	bspi_writer *writer;
	bool later;                        /* true: requested pictures are made by bspi_picture_set_make, and only have
	                                    * names until then; false: they are made when they are requested */
	bspi_set_picture *items; uint32_t count;
	uint32_t *numbers;                 /* for each image and use, then each page, then the checkerboard: its index in
	                                    * `items` */
	bspi_names names;
	/* Pictures that were made in advance; foreseen_numbers has their indices, in the order of `numbers`. They become
	 * items when they are requested. */
	bspi_set_picture *foreseen; uint32_t foreseen_count;
	uint32_t *foreseen_numbers;
} bspi_picture_set;

bool bspi_picture_set_begin(bspi_picture_set *set, bspi_writer *writer);
/* These request a picture. *out is its index in `items`, or NO_INDEX if the image has no bytes. */
bool bspi_picture_set_image(bspi_picture_set *set, uint32_t image, bspi_picture_use use, uint32_t *out);
bool bspi_picture_set_page(bspi_picture_set *set, uint32_t page, uint32_t *out);
/* These announce pictures that will probably be requested. */
void bspi_picture_set_foresee_image(bspi_picture_set *set, uint32_t image, bspi_picture_use use);
void bspi_picture_set_foresee_page(bspi_picture_set *set, uint32_t page);
/* Makes all announced pictures, in several threads. */
bool bspi_picture_set_make_foreseen(bspi_picture_set *set);
/* Makes the pictures that were postponed (`later`), in several threads. */
bool bspi_picture_set_make(bspi_picture_set *set);
/* Adds a picture that the caller made and owns. */
bool bspi_picture_set_add(bspi_picture_set *set, const char *words, const bspi_picture *picture, uint32_t *out);
/* Writes each picture to a file of its own. */
bool bspi_picture_set_put(const bspi_picture_set *set);
void bspi_picture_set_free(bspi_picture_set *set);

#endif
