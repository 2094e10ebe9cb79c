/* light.h - what the light stages share: where the map's luxels are, how they are encoded, and where they go.
 *
 *     light_source.c    chooses the map's light and runs the files below in order
 *     light_questions.c functions that several of these files need
 *     light_pages.c     finds stored pages, and pages of directions, in the lump or in pictures
 *     light_slots.c     finds the luxels of a face's style slots 1 to 3, relative to those of slot 0
 *     extents.c         computes sizes of blocks if the file does not have them
 *     page_images.c     makes images of whole pages for shader stages that need them
 *     luxels.c          finds the rectangle of a surface's luxels, and its uvs on the page
 *     tiles.c           merges rectangles that share luxels into tiles
 *     atlas.c           packs tiles on pages
 *     luxel_sources.c   finds a rectangle's luxels of each style and kind
 *     light_encoding.c  converts stored luxels to luxels of a page
 *     light_lists.c     light that is on no page: of vertices and of the light grid
 *     sparse_pages.c    stores pages that are mostly black as blocks
 *     stored_light.c    hashes the light of a map, so that edited light can be checked against it
 *     lightmap.c        makes lightmap sets with the files above */
#ifndef BSPI_LIGHT_H
#define BSPI_LIGHT_H

#include "io/io.h"
#include "materials/shader_light.h"
#include "stages/stages.h"

/* ---- Encoding --------------------------------------------------------------------------------------------- */

#define BSPI_LIGHT_GAMMA 2.2           /* display light to the power of this is linear light */

typedef struct bspi_light_encoder bspi_light_encoder;

/* Converts rows of stored luxels to rows of a page. Its tables are made only once. */
struct bspi_light_encoder {
	uint32_t in_size, out_size;        /* bytes of a stored luxel, and of a luxel on the page */
	uint32_t part_size;                /* how many bytes of a stored luxel are copied; fewer than in_size if it has
	                                    * both light and a direction */
	bspscene_lightmap_page_format format;
	void (*row)(const bspi_light_encoder *encoder, const uint8_t *in, uint32_t count, void *out);
	bool clamp_hue;
	uint32_t multipliers[256];         /* for each value of the largest channel, the factor of all channels in
	                                    * 16.16 fixed point */
	uint32_t shift;                    /* if overbright is a power of two above 1, its exponent; otherwise 0 */
	uint64_t clamped_bits;             /* bits that the shift would lose, for eight bytes at once; if a luxel has
	                                    * such a bit, it must be clamped */
	uint8_t bytes[256];
	uint16_t halves[256];
	float mantissas[512], exponents[256]; /* tables for light that is stored as floats: light = mantissa *
	                                       * exponent */
	float power;                       /* exponent applied to bspi_light_share: 2.2 for HDR pages, else 1 */
};

/* Prepares an encoder of stored light for pages. `light` must not be BSPI_LIGHT_NONE, and `page` not ENCODING_NONE. */
void bspi_init_encoder(bspi_light_encoder *encoder, const bspi_rules *rules, bspi_light_encoding light,
                       float overbright, bspscene_lightmap_encoding page);
/* Prepares an encoder that copies directions, because these are not converted. If a luxel has light and a direction,
 * the direction comes after the light. */
void bspi_init_copier(bspi_light_encoder *encoder, bspi_light_encoding light);
/* Returns the share of a luxel's light that falls on the surface, 0 to 1. `direction` is the stored direction of the
 * light, in the surface's space. */
double bspi_light_share(const uint8_t direction[3]);
/* In a luxel of BSPI_LIGHT_RGB8_FROM: byte offset of the direction; size of the luxel in bytes. */
enum { BSPI_DIRECTION_AT = 3, BSPI_DIRECTED_SIZE = 6 };
/* Returns bspscene_lightmap_set.intensity for pages in the encoding `page`. */
float bspi_page_intensity(const bspi_rules *rules, bspi_light_encoding light, float overbright,
                          bspscene_lightmap_encoding page);

/* ---- Where luxels are ------------------------------------------------------------------------------------- */

/* A stored page. Its luxels are RGB, 3 bytes each, with the top row first. */
typedef struct bspi_map_page {
	const uint8_t *rgb;                /* NULL: the page's file is missing */
	uint32_t width, height;
	float overbright;
} bspi_map_page;

/* Position of the luxels of one of a face's style slots 1 to 3, relative to the luxels of slot 0. All slots use the
 * uvs of slot 0. */
typedef struct bspi_slot {
	int32_t x, y;                      /* added to the position of a luxel of slot 0; if `solid`, the position of
	                                    * the slot's only luxel */
	bool solid;
} bspi_slot;

/* Location of a face's light. The map's file or shaders state it, or extents.c computes it. */
typedef struct bspi_face_light {
	int32_t pages[BSPI_MAX_STYLES];    /* in maps with pages: for each slot, the number of its page */
	uint8_t styles[BSPI_MAX_STYLES];
	int32_t x, y, width, height;       /* in luxels; in maps with blocks: least luxel coordinates and size of the
	                                    * face's block; in maps with pages: its rectangle on the page */
} bspi_face_light;

typedef struct bspi_page_size {
	uint32_t width, height;
} bspi_page_size;

/* The pages of the atlas, in order. */
typedef struct bspi_atlas {
	bspi_page_size *pages;             /* in the scratch arena */
	uint32_t page_count, capacity;
} bspi_atlas;

typedef struct bspi_light {
	bspi_light_encoding encoding;      /* encoding of `blocks`; pages are always RGB8 */
	bspi_map_page *pages;              /* pages of the map, by page number */
	uint32_t page_count;
	bspi_map_page *pictures;           /* pages that shaders name; their page numbers begin at
	                                    * BSPI_FIRST_PICTURE_PAGE */
	uint32_t picture_count;
	bool external;                     /* the pages are files; a warning was counted for each missing one */
	bool deluxe, tangent_space;        /* deluxe: page n + 1 has the directions of the light on page n;
	                                    * tangent_space: they are in tangent space */
	bspi_face_light *faces;            /* one for each face of the map */
	float (*uvs)[BSPI_MAX_STYLES][2]; /* for each draw vertex, one uv per slot, on the page of that slot; NULL:
	                                   * each vertex has only the uv of the file, for slot 0 */
	bspi_slot (*slots)[BSPI_MAX_STYLES - 1]; /* for each face, its slots 1 to 3; NULL: no face uses them */

	bspi_bytes blocks;
	const bspi_light_store *store;     /* the store to which `blocks` belongs; NULL: none */
	uint32_t luxel_size;               /* bytes of a luxel in `blocks` */
	const bool *lit;                   /* for each face, true if it has luxels in `blocks`; NULL: not computed */

	bspi_light_encoder vertices;       /* encoder for the light of vertices and of the light grid */
	bspi_atlas atlas;
} bspi_light;

#define BSPI_NO_STYLE 255

static inline bspi_face_light *bspi_light_of(const bspi_build *build, const bspi_face *face)
{
	return &build->light->faces[face - build->map->faces];
}
/* Returns the uv that a draw vertex has on the page of slot 0. */
static inline const float *bspi_lead_uv(const bspi_build *build, size_t vertex)
{
	const bspi_light *light = build->light;
	return light && light->uvs ? light->uvs[vertex][0] : build->map->draw_vertices[vertex].lightmap;
}
/* True if draw vertices have several uvs or colors, one for each light style (slot). */
static inline bool bspi_has_slots(const bspi_build *build)
{
	return build->map->draw_vertex_styles_count || (build->light && build->light->uvs);
}
/* Returns the light style of slot 0. Some files do not set it; then it is 0. */
static inline uint8_t bspi_lead_style(const bspi_face_light *face)
{
	return face->styles[0] == BSPI_NO_STYLE ? 0 : face->styles[0];
}
/* Returns the light style of a slot, or BSPI_NO_STYLE. For maps with blocks. */
static inline uint8_t bspi_block_style(const bspi_face *face, uint32_t slot)
{
	if (slot < BSPI_MAX_STYLES) return face->styles[slot];
	return slot < 2 * BSPI_MAX_STYLES ? face->more_styles[slot - BSPI_MAX_STYLES]
	                                  : face->far_styles[slot - 2 * BSPI_MAX_STYLES];
}
static inline uint32_t bspi_style_slots(const bspi_face *face)
{
	return face->style_slots ? face->style_slots : BSPI_MAX_STYLES;
}
/* Returns the size of a stored luxel in bytes. light_questions.c */
uint32_t bspi_luxel_size(bspi_light_encoding encoding);
/* Returns the stored page with this number. NULL if there is none, or if its picture is missing. light_questions.c */
const bspi_map_page *bspi_find_page(const bspi_light *light, int32_t number);
/* True if the face uses the slot, and the slot's style is not that of an earlier slot. Slot 0 is used by all faces with
 * luxels. For maps with pages. light_questions.c */
bool bspi_slot_used(const bspi_build *build, const bspi_face *face, uint32_t slot);

/* Fill in pages, slots and sizes of build->light. light_pages.c, light_slots.c, extents.c */
bool bspi_find_map_pages(bspi_build *build);
/* Opens the picture of a page. Tries the extensions in the order of the engines. Returns false if there is no picture,
 * or on an error. light_pages.c */
bool bspi_open_picture(const bspi_build *build, bspi_arena *arena, uint32_t number, bspi_sibling *out);
bool bspi_relate_slots(bspi_build *build);
bool bspi_measure_blocks(bspi_build *build);

/* bspi_block_styles returns for how many light styles a face has blocks of luxels. bspi_block_count returns the
 * number of all its blocks: each style has light_sets of them, but at least one. */
static inline uint32_t bspi_block_styles(const bspi_face *face)
{
	uint32_t styles = 0, most = bspi_style_slots(face);
	while (styles < most && bspi_block_style(face, styles) != BSPI_NO_STYLE) styles++;
	return styles;
}
static inline uint32_t bspi_block_count(const bspi_face *face)
{
	return bspi_block_styles(face) * (face->light_sets > 1 ? (uint32_t)face->light_sets : 1);
}
/* Returns the byte offset of a face's first block. extents.c */
int64_t bspi_block_offset(const bspi_map *map, const bspi_light *light, const bspi_face *face);

typedef struct bspi_luxel_box {
	int32_t x, y;
	uint32_t width, height;
} bspi_luxel_box;

/* How positions are projected to luxels: texel = position . xyz + w, luxel = texel / texels_per_luxel. */
typedef struct bspi_luxel_grid {
	float (*vectors)[4];
	float texels_per_luxel;
} bspi_luxel_grid;

/* True if the face may have a lightmap page. Flares store a page number that means nothing. Foliage is lit by vertex
 * colors. light_questions.c */
bool bspi_may_have_page(const bspi_face *face);
/* Finds the rectangle of luxels, on the page of slot 0, that bilinear filtering reads when the face is drawn. `out`
 * may be NULL. Returns false if the face has no such rectangle. luxels.c */
bool bspi_find_footprint(const bspi_build *build, const bspi_face *face, bspi_luxel_box *out);
/* Finds the rectangle of a face's luxels on its page or in its block. Returns false if it has none. luxels.c */
bool bspi_find_luxels(const bspi_build *build, const bspi_face *face, bspi_luxel_box *out);
/* Finds the projection of a face's positions to luxels. Returns false if it has none. light_questions.c */
bool bspi_find_grid(const bspi_map *map, const bspi_face *face, bspi_luxel_grid *out);

#define BSPI_LIGHT_HASH_SIZE 17        /* 16 hex digits and a NUL */

/* bspi_hash_luxels computes the CRC-64 of all luxels, including those that hold directions. bspi_hash_layout computes
 * the CRC-64 of the places of all faces' luxels, and returns how many luxels all faces have together. bspi_light_name
 * returns bspscene_map_light.name. stored_light.c */
void bspi_hash_luxels(const bspi_build *build, char out[BSPI_LIGHT_HASH_SIZE]);
uint64_t bspi_hash_layout(const bspi_build *build, char out[BSPI_LIGHT_HASH_SIZE]);
const char *bspi_light_name(const bspi_light *light);

/* A list of light that is on no page. Its luxels are encoded like those of RGB8 pages. light_lists.c */
typedef struct bspi_light_list {
	const char *name;                  /* a static string, as in bspscene_light_list */
	bspi_stored_colors colors;         /* never empty */
} bspi_light_list;

#define BSPI_MOST_LIGHT_LISTS (BSPI_MOST_COLOR_SETS + 8) /* the 8 are ambient and directed light of four sets */
#define BSPI_COLORS_AT_ONCE 256u

/* Finds the light lists of the map. Returns their number. light_lists.c */
uint32_t bspi_find_light_lists(const bspi_map *map, bspi_light_list out[BSPI_MOST_LIGHT_LISTS]);
/* Reads luxels of a list, from `first` on: up to BSPI_COLORS_AT_ONCE. Returns how many. light_lists.c */
uint32_t bspi_gather_colors(const bspi_stored_colors *colors, uint32_t first, uint8_t out[BSPI_COLORS_AT_ONCE][3]);
void bspi_init_list_encoder(const bspi_build *build, bspi_light_encoder *out);
bool bspi_encode_light_lists(bspi_build *build, bspscene_map_light *stored);
/* If the caller asked for light_probes, encodes the light of the probes as a list. Sets *found to true if the map has
 * probes. stages/probes/probe_light.c */
bool bspi_encode_probes(bspi_build *build, bspscene_map_light *stored, bspscene_light_list *list, bool *found);

/* ---- Luxels of a face ------------------------------------------------------------------------------------- */

/* Encoders for all kinds of luxels that pages can show. */
typedef struct bspi_light_encoders {
	bspi_light_encoder light, pictures, directions;
} bspi_light_encoders;

/* Where the luxels of a rectangle are, for one lightmap set. */
typedef struct bspi_luxel_source {
	bspscene_lightmap_set_kind kind;
	uint8_t style;
	bool solid;                        /* there is only one luxel, for the whole rectangle */
	uint8_t slot;                      /* index of the style in the face's styles */
	const bspi_light_encoder *encoder;
	float overbright;
	const uint8_t *luxels;
	size_t stride;                     /* number of bytes from one row to the next */
} bspi_luxel_source;

#define BSPI_MOST_LUXEL_SOURCES (BSPI_MAX_BLOCK_STYLES * (BSPSCENE_LIGHTMAP_SET_BUMP_2 + 1))

/* Prepares encoders for pages in the encoding that the load options ask for. luxel_sources.c */
void bspi_init_encoders(const bspi_build *build, bspi_light_encoders *out);
/* Lists where the luxels of a face's rectangle are. There is one source for each lightmap set. Returns the number of
 * sources. luxel_sources.c */
uint32_t bspi_list_luxels(const bspi_build *build, const bspi_light_encoders *encoders, const bspi_face *face,
                          const bspi_luxel_box *box, bspi_luxel_source out[BSPI_MOST_LUXEL_SOURCES]);

/* ---- Tiles ------------------------------------------------------------------------------------------------ */

/* A rectangle of luxels. It is copied to the atlas once, although several surfaces may use parts of it. */
typedef struct bspi_tile {
	const bspi_face *face;             /* one of the faces that use it; all of them have the same pages, styles and
	                                    * slots */
	bspi_luxel_box box;                /* in the same coordinates as luxel_x and luxel_y of bspi_surface */
	bool rare;                         /* it has light in lightmap sets in which most tiles are black */
	uint64_t sets;                     /* one bit for each lightmap set in which it has light, see bit_of in
	                                    * lightmap.c */
	uint32_t page, x, y;               /* position on the page, without the gutter; set by bspi_pack_tiles */
} bspi_tile;

typedef struct bspi_tiles {
	bspi_tile *tiles;
	uint32_t count;
	uint32_t *of_surface;              /* for each surface of the plan, the index of its tile; BSPSCENE_NO_INDEX:
	                                    * it has no luxels */
} bspi_tiles;

/* Makes the tiles for all surfaces. tiles.c */
bool bspi_make_tiles(bspi_build *build, bspi_tiles *out);
/* Places tiles on new pages of the atlas, and leaves a gutter around each tile, as wide as the load options ask. It
 * uses few pages and leaves little room unused. The same tiles always give the same pages. atlas.c */
bool bspi_pack_tiles(bspi_ctx *ctx, bspi_tile **tiles, uint32_t count, bspi_atlas *atlas);

#endif
