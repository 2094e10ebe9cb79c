/* images.h - decodes pictures to RGBA and encodes them. It only handles bytes, no maps and no files. Decoders trust
 * nothing: sizes are checked before memory is allocated, and the content determines the format. */
#ifndef BSPI_IMAGES_H
#define BSPI_IMAGES_H

#include <bspscene/image.h>

#include "base/ctx.h"

#define BSPI_LARGEST_IMAGE 8192u       /* pixels per side */

typedef struct bspi_image_info {
	bspscene_image_format format;      /* MISSING: unknown format */
	uint32_t width, height;
	bool has_alpha;                    /* the format stores alpha; all pixels may still be opaque */
	bool damaged; /* set by bspi_image_check: the end is missing, but the rest can be decoded (JPEG) */
} bspi_image_info;

/* Selects a picture in a file with several. */
typedef struct bspi_wanted {
	uint32_t side;                     /* choose the largest picture whose width and height do not exceed this, or the
	                                    * smallest one */
	uint32_t frame;                    /* frame of an animation; 0: the first */
	uint32_t face;                     /* face of a cube map; 0: the first */
} bspi_wanted;

/* Recognizes bytes by their header. TGA has no magic, so it is tried last and must be consistent. */
bspi_image_info bspi_image_probe(bspi_bytes bytes);

/* Recognizes a picture and checks everything except the pixels: the size is allowed, the data are complete. A picture
 * that fails cannot be decoded. One that passes may still be damaged. */
bool bspi_image_check(bspi_bytes bytes, bspi_image_info *info, bspscene_error *error);

/* Decodes to RGBA of the heap (free it by bspi_pixels_free). `error` may be NULL; its message says what is wrong. */
bool bspi_image_decode(const bspi_heap *heap, bspscene_image_format format, bspi_bytes bytes, bspscene_pixels *out,
                       bspscene_error *error);
/* Decodes one of several pictures of a file (VTF). A missing frame is BSPSCENE_ERROR_BAD_DATA. */
bool bspi_image_decode_wanted(const bspi_heap *heap, bspscene_image_format format, bspi_bytes bytes,
                              bspi_wanted wanted, bspscene_pixels *out, bspscene_error *error);
/* Decodes any image of a scene; one without bytes becomes its fallback. */
bool bspi_scene_image_decode(const bspi_heap *heap, const bspscene_image *image, uint32_t side, bspscene_pixels *out,
                             bspscene_error *error);
void bspi_pixels_free(const bspi_heap *heap, bspscene_pixels *pixels); /* may be zeroed */

/* Decodes within a budget, which is charged until bspi_pixels_give. A refusal is BSPSCENE_ERROR_MEMORY_LIMIT or LIMIT.
 * images/decode_within.c */
bool bspi_bytes_decode_within(bspi_budget *budget, bspscene_image_format format, bspi_bytes bytes,
                              bspscene_pixels *out, bspscene_error *error);
bool bspi_image_decode_within(bspi_budget *budget, const bspscene_image *image, bspscene_pixels *out,
                              bspscene_error *error);
void bspi_pixels_give(bspi_budget *budget, bspscene_pixels *pixels); /* may be zeroed */

/* True if any pixel is not opaque. */
bool bspi_pixels_have_alpha(const bspscene_pixels *pixels);

/* bspi_vtf_count_frames returns how many frames of a VTF are complete, at most `most`, and sets *claimed to the number
 * in the header. The result is at least 1 after a successful bspi_image_check, and 0 for other files. vtf.c */
bool bspi_vtf_is_cube(bspi_bytes file); /* true if all six faces exist. vtf.c */
uint32_t bspi_vtf_count_frames(bspi_bytes file, uint32_t most, uint32_t *claimed);

/* Reads the 256 RGB triples at the end of an 8-bit PCX (Quake II's pics/colormap.pcx). False if it is no PCX or too
 * short. */
bool bspi_pcx_palette(bspi_bytes bytes, uint8_t palette[768]);

/* Copies a face of a KTX cube map (+X -X +Y -Y +Z -Z) as a KTX file of its own to `room`, which has the file's size.
 * False if there is no such face. ktx.c */
bool bspi_ktx_face(bspi_bytes file, uint32_t face, uint8_t *room, bspi_bytes *out);

/* Makes the fallback of an image: its color, or 64 x 64 squares of magenta and black. */
bool bspi_image_fallback(const bspi_heap *heap, const bspscene_image *image, bspscene_pixels *out,
                         bspscene_error *error);

/* Reads EXR as half-float RGB, top row first, charged to the budget until bspi_give_exr (NULL is allowed).
 * exr_read.c */
#define BSPI_LARGEST_EXR 16384         /* pixels per side */
bool bspi_read_exr(bspi_budget *budget, bspi_bytes file, uint32_t *width, uint32_t *height, uint16_t **out,
                   bspscene_error *error);
void bspi_give_exr(bspi_budget *budget, uint32_t width, uint32_t height, uint16_t *pixels);

/* Half floats, for HDR pages and EXR. */
uint16_t bspi_half_from_float(float value);
float bspi_half_to_float(uint16_t half);

#endif
