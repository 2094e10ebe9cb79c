/* images.h - encoded pictures to RGBA and back. Knows bytes only: no map, no files.
 * Decoders trust nothing: sizes are bounded before memory is taken, and a picture is told by its content. */
#ifndef BSPI_IMAGES_H
#define BSPI_IMAGES_H

#include <bspscene/image.h>

#include "base/ctx.h"

#define BSPI_LARGEST_IMAGE 8192u       /* pixels per side */

typedef struct bspi_image_info {
	bspscene_image_format format;      /* MISSING: none that we know */
	uint32_t width, height;
	bool has_alpha;                    /* the format stores alpha; pixels may still all be opaque */
	bool damaged;                      /* set by bspi_image_check: the end is missing, the rest is shown (JPEG) */
} bspi_image_info;

/* Which of the pictures of a file. */
typedef struct bspi_wanted {
	uint32_t side;                     /* the largest size that is no wider and no higher, or the smallest */
	uint32_t frame;                    /* 0: the first */
	uint32_t face;                     /* of a cube map; 0: the first */
} bspi_wanted;

/* What the bytes are, from their header alone. TGA has no magic, so it is tried last and must be consistent. */
bspi_image_info bspi_image_probe(bspi_bytes bytes);

/* Probes, and checks all that can be told without unpacking pixels: that the size can be decoded and the data are
 * there. A picture that fails will not decode; one that passes can still turn out to be broken inside. */
bool bspi_image_check(bspi_bytes bytes, bspi_image_info *info, bspscene_error *error);

/* Decodes into RGBA of the heap (bspi_pixels_free). `error` may be NULL; its message names what is wrong in words. */
bool bspi_image_decode(const bspi_heap *heap, bspscene_image_format format, bspi_bytes bytes, bspscene_pixels *out,
                       bspscene_error *error);
/* The same of one of several pictures (VTF). A frame that is not in the file is BSPSCENE_ERROR_BAD_DATA. */
bool bspi_image_decode_wanted(const bspi_heap *heap, bspscene_image_format format, bspi_bytes bytes,
                              bspi_wanted wanted, bspscene_pixels *out, bspscene_error *error);
/* The same of any image of a scene, stand-ins too. */
bool bspi_scene_image_decode(const bspi_heap *heap, const bspscene_image *image, uint32_t side, bspscene_pixels *out,
                             bspscene_error *error);
void bspi_pixels_free(const bspi_heap *heap, bspscene_pixels *pixels); /* also of zeroed ones */

/* Decoding within a budget, which holds the pixels until bspi_pixels_give. What it refuses is
 * BSPSCENE_ERROR_MEMORY_LIMIT, or LIMIT. images/decode_within.c */
bool bspi_bytes_decode_within(bspi_budget *budget, bspscene_image_format format, bspi_bytes bytes,
                              bspscene_pixels *out, bspscene_error *error);
bool bspi_image_decode_within(bspi_budget *budget, const bspscene_image *image, bspscene_pixels *out,
                              bspscene_error *error);
void bspi_pixels_give(bspi_budget *budget, bspscene_pixels *pixels); /* also of zeroed ones */

/* Is any pixel not opaque? */
bool bspi_pixels_have_alpha(const bspscene_pixels *pixels);

/* How many frames of a VTF are whole in the file, `most` at most; *claimed is what its header says. At least 1 of what
 * bspi_image_check lets through, 0 of other files. vtf.c */
bool bspi_vtf_is_cube(bspi_bytes file); /* six faces of a VTF, all of them whole. vtf.c */
uint32_t bspi_vtf_count_frames(bspi_bytes file, uint32_t most, uint32_t *claimed);

/* The 256 RGB triples at the end of an 8-bit PCX (Quake II's pics/colormap.pcx). False: no PCX, or too short. */
bool bspi_pcx_palette(bspi_bytes bytes, uint8_t palette[768]);

/* One face of a KTX cube map (+X -X +Y -Y +Z -Z) as a KTX file of its own, in `room` of the file's size. False: it has
 * no such face. ktx.c */
bool bspi_ktx_face(bspi_bytes file, uint32_t face, uint8_t *room, bspi_bytes *out);

/* What stands in for an image: its color, or 64 x 64 squares of magenta and black. */
bool bspi_image_fallback(const bspi_heap *heap, const bspscene_image *image, bspscene_pixels *out,
                         bspscene_error *error);

/* EXR to half-float RGB, rows from the top, in memory of the budget until bspi_give_exr (NULL is fine). exr_read.c */
#define BSPI_LARGEST_EXR 16384         /* pixels per side */
bool bspi_read_exr(bspi_budget *budget, bspi_bytes file, uint32_t *width, uint32_t *height, uint16_t **out,
                   bspscene_error *error);
void bspi_give_exr(bspi_budget *budget, uint32_t width, uint32_t height, uint16_t *pixels);

/* Half floats, for HDR pages and EXR. */
uint16_t bspi_half_from_float(float value);
float bspi_half_to_float(uint16_t half);

#endif
