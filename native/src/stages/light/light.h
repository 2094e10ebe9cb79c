/* light.h - what the light stages share: where the map's luxels are, how they are encoded, and where they go.
 *
 *     light_source.c    chooses the map's light and runs those below in order
 *     light_questions.c answers what several of the others ask
 *     light_pages.c     finds stored pages in the lump or in pictures, and directions
 *     light_slots.c     finds where a face's other light styles are relative to the first
 *     extents.c         computes sizes of blocks that the file does not state
 *     page_images.c     makes images of whole pages for shader stages that need them
 *     luxels.c          finds the rectangle of luxels of a surface, and page uvs
 *     tiles.c           combines rectangles that share luxels to tiles
 *     atlas.c           packs tiles on pages
 *     luxel_sources.c   finds a rectangle's luxels of each style and kind
 *     light_encoding.c  converts stored luxels to luxels of a page
 *     light_lists.c     light on no page: of vertices and the grid; stages/probes sees it from six sides
 *     sparse_pages.c    keeps mostly black pages as blocks
 *     stored_light.c    hashes the light of a map, so that edited light can be checked against it
 *     lightmap.c        runs the above to make lightmap sets */
#ifndef BSPI_LIGHT_H
#define BSPI_LIGHT_H

#include "io/io.h"
#include "materials/shader_light.h"
#include "stages/stages.h"

/* ---- Encoding --------------------------------------------------------------------------------------------- */

#define BSPI_LIGHT_GAMMA 2.2           /* linear light is display light to this power */

typedef struct bspi_light_encoder bspi_light_encoder;

/* Converts rows of stored luxels to rows of a page, by tables made once. */
struct bspi_light_encoder {
	uint32_t in_size, out_size;        /* bytes per luxel */
	uint32_t part_size;                /* bytes of a stored luxel that are copied: fewer than in_size if a luxel has
	                                    * light and a direction */
	bspscene_lightmap_page_format format;
	void (*row)(const bspi_light_encoder *encoder, const uint8_t *in, uint32_t count, void *out);
	bool clamp_hue;
	uint32_t multipliers[256];         /* factors for each largest channel, in 16.16 fixed point */
	uint32_t shift;                    /* overbright is 1 << shift; 0: it is 1 or not a power of two */
	uint64_t clamped_bits;             /* in eight bytes: bits that the shift would lose, which means that clamping is
	                                    * needed */
	uint8_t bytes[256];
	uint16_t halves[256];
	float mantissas[512], exponents[256]; /* tables for floats: light = mantissa * exponent */
	float power;                       /* exponent for bspi_light_share */
};

/* Prepares encoding of stored light into a page. `light` must not be BSPI_LIGHT_NONE and `page` not ENCODING_NONE. */
void bspi_init_encoder(bspi_light_encoder *encoder, const bspi_rules *rules, bspi_light_encoding light,
                       float overbright, bspscene_lightmap_encoding page);
/* Prepares copying of directions, which are never converted. In luxels that store both, the direction follows the
 * light. */
void bspi_init_copier(bspi_light_encoder *encoder, bspi_light_encoding light);
/* Returns the share of light from a stored direction (in the surface's space) that falls on the surface, 0..1. */
double bspi_light_share(const uint8_t direction[3]);
/* byte offset of the direction in a luxel of BSPI_LIGHT_RGB8_FROM; size of that luxel */
enum { BSPI_DIRECTION_AT = 3, BSPI_DIRECTED_SIZE = 6 };
/* Returns bspscene_lightmap_set.intensity for pages in this encoding. */
float bspi_page_intensity(const bspi_rules *rules, bspi_light_encoding light, float overbright,
                          bspscene_lightmap_encoding page);

/* ---- Where luxels are ------------------------------------------------------------------------------------- */

/* A stored page: RGB, 3 bytes per luxel, top row first. */
typedef struct bspi_map_page {
	const uint8_t *rgb;                /* NULL: missing */
	uint32_t width, height;
	float overbright;
} bspi_map_page;

/* Where the luxels of style slots 1..3 of a face are, relative to slot 0. All slots use the uvs of slot 0. */
typedef struct bspi_slot {
	int32_t x, y;                      /* added to the position of slot 0's luxel; if `solid`, the position of the only
	                                    * luxel */
	bool solid;
} bspi_slot;

/* The light of a face, as the file, shaders or computed sizes state it. */
typedef struct bspi_face_light {
	int32_t pages[BSPI_MAX_STYLES];    /* families with pages: the page of each slot */
	uint8_t styles[BSPI_MAX_STYLES];
	int32_t x, y, width, height;       /* families with blocks: first luxel and size; with pages: a rectangle on the
	                                    * page */
} bspi_face_light;

typedef struct bspi_page_size {
	uint32_t width, height;
} bspi_page_size;

/* Pages of the atlas, by number. */
typedef struct bspi_atlas {
	bspi_page_size *pages;             /* in scratch */
	uint32_t page_count, capacity;
} bspi_atlas;

typedef struct bspi_light {
	bspi_light_encoding encoding;      /* of `blocks`; pages are stored as RGB8 */
	bspi_map_page *pages;              /* by page number */
	uint32_t page_count;
	bspi_map_page *pictures;           /* their page numbers begin at BSPI_FIRST_PICTURE_PAGE */
	uint32_t picture_count;
	bool external;                     /* pages come from files; a warning was counted for missing ones */
	bool deluxe, tangent_space;        /* page n + 1 holds the directions to the light of page n; these are in tangent
	                                    * space */
	bspi_face_light *faces;            /* one for each face of the map */
	float (*uvs)[BSPI_MAX_STYLES][2]; /* per draw vertex: the uv on the page of each slot; NULL: only slot 0 has one,
	                                   * the file's */
	bspi_slot (*slots)[BSPI_MAX_STYLES - 1]; /* per face; NULL: no face has more than one slot */

	bspi_bytes blocks;
	const bspi_light_store *store;     /* the store that `blocks` comes from; NULL: none */
	uint32_t luxel_size;               /* bytes in `blocks` */
	const bool *lit;                   /* per face: it has luxels in `blocks`; NULL: not computed */

	bspi_light_encoder vertices;       /* for light of vertices and of the grid */
	bspi_atlas atlas;
} bspi_light;

#define BSPI_NO_STYLE 255

static inline bspi_face_light *bspi_light_of(const bspi_build *build, const bspi_face *face)
{
	return &build->light->faces[face - build->map->faces];
}
/* Returns the uv of a draw vertex on the page of slot 0. */
static inline const float *bspi_lead_uv(const bspi_build *build, size_t vertex)
{
	const bspi_light *light = build->light;
	return light && light->uvs ? light->uvs[vertex][0] : build->map->draw_vertices[vertex].lightmap;
}
/* True if draw vertices have coordinates on pages, or colors, for several light styles (slots). */
static inline bool bspi_has_slots(const bspi_build *build)
{
	return build->map->draw_vertex_styles_count || (build->light && build->light->uvs);
}
/* Returns the style of slot 0, which some files leave unset. */
static inline uint8_t bspi_lead_style(const bspi_face_light *face)
{
	return face->styles[0] == BSPI_NO_STYLE ? 0 : face->styles[0];
}
/* Returns the style of a slot, for families with blocks. BSPI_NO_STYLE: none. */
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
/* Returns the bytes of a stored luxel. light_questions.c */
uint32_t bspi_luxel_size(bspi_light_encoding encoding);
/* Returns the stored page of this number, or NULL if there is none or its picture is missing. */
const bspi_map_page *bspi_find_page(const bspi_light *light, int32_t number);
/* True if the slot is used and has a style of its own. Slot 0 is used whenever the face has luxels. For families with
 * pages. */
bool bspi_slot_used(const bspi_build *build, const bspi_face *face, uint32_t slot);

/* Fill in pages, slots and sizes of build->light. light_pages.c, light_slots.c, extents.c */
bool bspi_find_map_pages(bspi_build *build);
/* Opens the picture of a page, with the first extension that engines try and that exists. False if there is none, or on
 * an error. light_pages.c */
bool bspi_open_picture(const bspi_build *build, bspi_arena *arena, uint32_t number, bspi_sibling *out);
bool bspi_relate_slots(bspi_build *build);
bool bspi_measure_blocks(bspi_build *build);

/* Return the number of styles that a face has blocks for, and the number of its blocks (styles times sets of a
 * style). */
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
/* Returns the offset of the face's first block. extents.c */
int64_t bspi_block_offset(const bspi_map *map, const bspi_light *light, const bspi_face *face);

typedef struct bspi_luxel_box {
	int32_t x, y;
	uint32_t width, height;
} bspi_luxel_box;

/* Projects positions: texel = position . xyz + w, luxel = texel / texels_per_luxel. */
typedef struct bspi_luxel_grid {
	float (*vectors)[4];
	float texels_per_luxel;
} bspi_luxel_grid;

/* True if the face can have a lightmap page. Flares store a meaningless page number, and foliage is lit by vertex
 * colors. light_questions.c */
bool bspi_may_have_page(const bspi_face *face);
/* Finds the luxels of slot 0's page that filtering can touch; `out` may be NULL. False if there is no such page.
 * luxels.c */
bool bspi_find_footprint(const bspi_build *build, const bspi_face *face, bspi_luxel_box *out);
/* Finds the rectangle of a face's luxels, on its page or in its block. False if it has none. luxels.c */
bool bspi_find_luxels(const bspi_build *build, const bspi_face *face, bspi_luxel_box *out);
/* Returns the projection of a face's luxels. False if it has none. light_questions.c */
bool bspi_find_grid(const bspi_map *map, const bspi_face *face, bspi_luxel_grid *out);

#define BSPI_LIGHT_HASH_SIZE 17        /* hex digits and the final 0 */

/* Hash all luxels (directions included), and the location of each face's luxels, by CRC-64; bspi_hash_layout returns
 * the number of luxels of all faces. bspi_light_name returns bspscene_map_light.name. stored_light.c */
void bspi_hash_luxels(const bspi_build *build, char out[BSPI_LIGHT_HASH_SIZE]);
uint64_t bspi_hash_layout(const bspi_build *build, char out[BSPI_LIGHT_HASH_SIZE]);
const char *bspi_light_name(const bspi_light *light);

/* A list of light that is on no page. Its luxels are encoded like those of pages with RGB8 light. light_lists.c */
typedef struct bspi_light_list {
	const char *name;                  /* static, as in bspscene_light_list */
	bspi_stored_colors colors;         /* never empty */
} bspi_light_list;

#define BSPI_MOST_LIGHT_LISTS (BSPI_MOST_COLOR_SETS + 8) /* ambient and directed light of four sets each */
#define BSPI_COLORS_AT_ONCE 256u

/* Returns the number of lists. */
uint32_t bspi_find_light_lists(const bspi_map *map, bspi_light_list out[BSPI_MOST_LIGHT_LISTS]);
/* Reads up to BSPI_COLORS_AT_ONCE luxels of a list from `first` on. Returns their number. */
uint32_t bspi_gather_colors(const bspi_stored_colors *colors, uint32_t first, uint8_t out[BSPI_COLORS_AT_ONCE][3]);
void bspi_init_list_encoder(const bspi_build *build, bspi_light_encoder *out);
bool bspi_encode_light_lists(bspi_build *build, bspscene_map_light *stored);
/* Encodes the probes as a list, if the caller asked for light_probes. Sets *found if there are any.
 * stages/probes/probe_light.c */
bool bspi_encode_probes(bspi_build *build, bspscene_map_light *stored, bspscene_light_list *list, bool *found);

/* ---- Luxels of a face ------------------------------------------------------------------------------------- */

/* The encoders for all kinds of luxels in a map. */
typedef struct bspi_light_encoders {
	bspi_light_encoder light, pictures, directions;
} bspi_light_encoders;

/* The luxels of a rectangle for one lightmap set. */
typedef struct bspi_luxel_source {
	bspscene_lightmap_set_kind kind;
	uint8_t style;
	bool solid;                        /* one luxel stands for all of them */
	uint8_t slot;                      /* index in the face's styles */
	const bspi_light_encoder *encoder;
	float overbright;
	const uint8_t *luxels;
	size_t stride;                     /* bytes to the next row */
} bspi_luxel_source;

#define BSPI_MOST_LUXEL_SOURCES (BSPI_MAX_BLOCK_STYLES * (BSPSCENE_LIGHTMAP_SET_BUMP_2 + 1))

/* The encoders of the map's light for pages of the options' encoding. luxel_sources.c */
void bspi_init_encoders(const bspi_build *build, bspi_light_encoders *out);
/* Lists where the luxels of a face's rectangle are, one source for each lightmap set. Returns the number of sources.
 * luxel_sources.c */
uint32_t bspi_list_luxels(const bspi_build *build, const bspi_light_encoders *encoders, const bspi_face *face,
                          const bspi_luxel_box *box, bspi_luxel_source out[BSPI_MOST_LUXEL_SOURCES]);

/* ---- Tiles ------------------------------------------------------------------------------------------------ */

/* A rectangle of luxels that is copied once for all surfaces that use part of it. */
typedef struct bspi_tile {
	const bspi_face *face;             /* one of its faces; all of them have the same pages, styles and slots */
	bspi_luxel_box box;                /* in the coordinates of bspi_surface's luxel_x and luxel_y */
	bool rare;                         /* it has light in sets that are black for most tiles */
	uint64_t sets;                     /* bits of the sets that it has light in, see bit_of in lightmap.c */
	uint32_t page, x, y;               /* position on the page without the gutter, set by bspi_pack_tiles */
} bspi_tile;

typedef struct bspi_tiles {
	bspi_tile *tiles;
	uint32_t count;
	uint32_t *of_surface;              /* per surface of the plan: its tile; BSPSCENE_NO_INDEX: unlit */
} bspi_tiles;

/* Makes the tiles of all surfaces. tiles.c */
bool bspi_make_tiles(bspi_build *build, bspi_tiles *out);
/* Places tiles on new pages of the atlas, with the options' gutter around each, so that there are few pages with little
 * waste. Equal input gives equal output. atlas.c */
bool bspi_pack_tiles(bspi_ctx *ctx, bspi_tile **tiles, uint32_t count, bspi_atlas *atlas);

#endif
