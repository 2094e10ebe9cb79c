/* images.h - decodes pictures to RGBA and encodes them. This code only handles bytes; it knows no maps and no files.
 * Decoders trust nothing: they check sizes before they allocate memory, and find out the format from the content. */
#ifndef BSPI_IMAGES_H
#define BSPI_IMAGES_H

#include <bspscene/image.h>

#include "base/ctx.h"

#define BSPI_LARGEST_IMAGE 8192u       /* pixels per side */

typedef struct bspi_image_info {
	bspscene_image_format format;      /* MISSING: the format is unknown */
	uint32_t width, height;
	bool has_alpha;                    /* the format stores alpha; all pixels may still be opaque */
	bool damaged; /* set by bspi_image_check: the end is missing, but the rest can be decoded (JPEG) */
} bspi_image_info;

/* Selects one of several pictures in a file. */
typedef struct bspi_wanted {
	uint32_t side;                     /* selects the largest picture whose width and height do not exceed this; if
	                                    * there is none, the smallest picture */
	uint32_t frame;                    /* frame of an animation; 0: the first */
	uint32_t face;                     /* face of a cube map; 0: the first */
} bspi_wanted;

/* Recognizes a picture by its header. TGA has no magic, so it is tried last, and all fields of its header must be
 * consistent. */
bspi_image_info bspi_image_probe(bspi_bytes bytes);

/* Recognizes a picture and checks everything except the pixels: that the size is allowed and the data are complete. A
 * picture that fails the check cannot be decoded. The pixels of one that passes may still be damaged. */
bool bspi_image_check(bspi_bytes bytes, bspi_image_info *info, bspscene_error *error);

/* Decodes to RGBA pixels from `heap`; free them by bspi_pixels_free. `error` may be NULL. Its message says what is
 * wrong. */
bool bspi_image_decode(const bspi_heap *heap, bspscene_image_format format, bspi_bytes bytes, bspscene_pixels *out,
                       bspscene_error *error);
/* Decodes one of several pictures in a file (VTF). If the frame does not exist, the error is
 * BSPSCENE_ERROR_BAD_DATA. */
bool bspi_image_decode_wanted(const bspi_heap *heap, bspscene_image_format format, bspi_bytes bytes,
                              bspi_wanted wanted, bspscene_pixels *out, bspscene_error *error);
/* Decodes any image of a scene. For an image without bytes, makes its fallback. */
bool bspi_scene_image_decode(const bspi_heap *heap, const bspscene_image *image, uint32_t side, bspscene_pixels *out,
                             bspscene_error *error);
void bspi_pixels_free(const bspi_heap *heap, bspscene_pixels *pixels); /* may be zeroed */

/* Decode within a budget. The pixels are charged until they are freed by bspi_pixels_give. If the budget refuses, the
 * error is BSPSCENE_ERROR_MEMORY_LIMIT or BSPSCENE_ERROR_LIMIT. images/decode_within.c */
bool bspi_bytes_decode_within(bspi_budget *budget, bspscene_image_format format, bspi_bytes bytes,
                              bspscene_pixels *out, bspscene_error *error);
bool bspi_image_decode_within(bspi_budget *budget, const bspscene_image *image, bspscene_pixels *out,
                              bspscene_error *error);
void bspi_pixels_give(bspi_budget *budget, bspscene_pixels *pixels); /* may be zeroed */

/* True if any pixel is not fully opaque. */
bool bspi_pixels_have_alpha(const bspscene_pixels *pixels);

/* True if the file is a VTF that has all six faces of a cube. vtf.c */
bool bspi_vtf_is_cube(bspi_bytes file);
/* Returns how many frames of a VTF are complete, but at most `most`. *claimed receives the number that the header
 * states. The result is at least 1 after a successful bspi_image_check, and 0 for files of other formats. vtf.c */
uint32_t bspi_vtf_count_frames(bspi_bytes file, uint32_t most, uint32_t *claimed);

/* Reads the palette of 256 RGB colors at the end of an 8-bit PCX (Quake II's pics/colormap.pcx). False if the file is
 * not a PCX or is too short. */
bool bspi_pcx_palette(bspi_bytes bytes, uint8_t palette[768]);

/* Copies one face of a KTX cube map to `room`, as a KTX file of its own. Faces are in the order +X -X +Y -Y +Z -Z.
 * `room` has the size of the whole file. False if there is no such face. ktx.c */
bool bspi_ktx_face(bspi_bytes file, uint32_t face, uint8_t *room, bspi_bytes *out);

/* Makes the fallback of an image: its fallback color, or a checkerboard of 64 x 64 pixels in magenta and black. */
bool bspi_image_fallback(const bspi_heap *heap, const bspscene_image *image, bspscene_pixels *out,
                         bspscene_error *error);

/* bspi_read_exr reads an EXR as half-float RGB, with the top row first. The pixels are charged to the budget until
 * bspi_give_exr frees them, which accepts NULL. exr_read.c */
#define BSPI_LARGEST_EXR 16384         /* pixels per side */
bool bspi_read_exr(bspi_budget *budget, bspi_bytes file, uint32_t *width, uint32_t *height, uint16_t **out,
                   bspscene_error *error);
void bspi_give_exr(bspi_budget *budget, uint32_t width, uint32_t height, uint16_t *pixels);

/* Half floats, for HDR pages and EXR. */
uint16_t bspi_half_from_float(float value);
float bspi_half_to_float(uint16_t half);

#endif
