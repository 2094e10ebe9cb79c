/* light.h - what the light stages share: where the map's luxels are, how they are encoded, and where they went.
 *
 *     light_source.c    which of the map's light there is: the others below, in order
 *     light_pages.c     lump or pictures -> stored pages, directions
 *     light_slots.c     further light styles of a face -> where they lie, seen from the first
 *     extents.c         blocks without a stated size -> size and first luxel
 *     page_images.c     whole pages -> images, for stages that look elsewhere on them
 *     luxels.c          a surface -> the rectangle of luxels it needs, and page uvs
 *     tiles.c           rectangles that share luxels -> tiles
 *     atlas.c           tiles -> places on pages
 *     luxel_sources.c   a rectangle of a face -> where its luxels of each style and kind are
 *     light_encoding.c  stored luxels -> luxels of a page
 *     light_lists.c     light that is on no page: vertices, the grid; stages/probes sees it from six sides
 *     stored_light.c    what tells the light of a map from that of another, for who writes it back
 *     lightmap.c        all of it -> page sets */
#ifndef BSPI_LIGHT_H
#define BSPI_LIGHT_H

#include "io/io.h"
#include "materials/materials.h"
#include "stages/stages.h"

/* ---- Encoding --------------------------------------------------------------------------------------------- */

#define BSPI_LIGHT_GAMMA 2.2           /* linear light is display light to this power */

typedef struct bspi_light_encoder bspi_light_encoder;

/* Turns rows of stored luxels into rows of a page, by tables made once. */
struct bspi_light_encoder {
	uint32_t in_size, out_size;        /* bytes per luxel */
	uint32_t part_size;                /* of in_size, what this is made of: less where light and direction are one
	                                    * luxel */
	bspscene_lightmap_page_format format;
	void (*row)(const bspi_light_encoder *encoder, const uint8_t *in, uint32_t count, void *out);
	bool clamp_hue;
	uint32_t multipliers[256];         /* 16.16, by the largest channel */
	uint32_t shift;                    /* overbright is 1 << shift; 0: 1, or no power of two */
	uint64_t clamped_bits;             /* bits in eight bytes that this would push out */
	uint8_t bytes[256];
	uint16_t halves[256];
	float mantissas[512], exponents[256]; /* light = mantissa * exponent */
	float power;                       /* of what a luxel's direction leaves of it */
};

/* How light of one encoding and overbright goes into a page. `light` is not NONE and `page` not LIGHTMAP_NONE. */
void bspi_init_encoder(bspi_light_encoder *encoder, const bspi_rules *rules, bspi_light_encoding light,
                       float overbright, bspscene_lightmap_encoding page);
/* Directions are never changed. In luxels with both, they follow the light. */
void bspi_init_copier(bspi_light_encoder *encoder, bspi_light_encoding light);
/* How much of light that comes from a stored direction, in the space of the surface, falls on it: 0..1. */
double bspi_light_share(const uint8_t direction[3]);
enum { BSPI_DIRECTION_AT = 3, BSPI_DIRECTED_SIZE = 6 }; /* in a luxel of BSPI_LIGHT_RGB8_FROM; all of it */
/* Factor for texture times page. */
float bspi_page_intensity(const bspi_rules *rules, bspi_light_encoding light, float overbright,
                          bspscene_lightmap_encoding page);

/* ---- Where the light is ----------------------------------------------------------------------------------- */

/* RGB, 3 bytes per luxel, top row first. */
typedef struct bspi_map_page {
	const uint8_t *rgb;                /* NULL: missing */
	uint32_t width, height;
	float overbright;
} bspi_map_page;

/* Luxels of a face's style slots 1..3, seen from slot 0, whose uvs place them. */
typedef struct bspi_slot {
	int32_t x, y;                      /* slot 0's luxel + this; or, when `solid`, the one luxel that lights all */
	bool solid;
} bspi_slot;

/* Where a face's luxels are: what the file says, and what shaders and sizes add. */
typedef struct bspi_face_light {
	int32_t pages[BSPI_MAX_STYLES];    /* page families: of each slot */
	uint8_t styles[BSPI_MAX_STYLES];
	int32_t x, y, width, height;       /* a block's first luxel and size; a stated rectangle of a page */
} bspi_face_light;

typedef struct bspi_page_size {
	uint32_t width, height;
} bspi_page_size;

/* Pages of the atlas, in the order of their numbers. */
typedef struct bspi_atlas {
	bspi_page_size *pages;             /* in scratch */
	uint32_t page_count, capacity;
} bspi_atlas;

typedef struct bspi_light {
	bspi_light_encoding encoding;      /* of `blocks`; stored pages are RGB8 */
	bspi_map_page *pages;              /* by page number */
	uint32_t page_count;
	bspi_map_page *pictures;           /* page numbers from BSPI_FIRST_PICTURE_PAGE on */
	uint32_t picture_count;
	bool external;                     /* pages come from files: what is missing was counted */
	bool deluxe, tangent_space;        /* page n + 1 holds the directions of page n */
	bspi_face_light *faces;            /* parallel to the map's */
	float (*uvs)[BSPI_MAX_STYLES][2];  /* by draw vertex, on the pages of its slots; NULL: of slot 0, as in the map */
	bspi_slot (*slots)[BSPI_MAX_STYLES - 1]; /* by face; NULL: no face has more than one slot */

	bspi_bytes blocks;
	const bspi_light_store *store;     /* format of the blocks; NULL: none */
	uint32_t luxel_size;               /* bytes in `blocks` */
	const bool *lit;                   /* by face: has luxels in `blocks`; NULL: ask */

	bspi_light_encoder vertices;       /* for vertex and grid light */
	bspi_atlas atlas;
} bspi_light;

#define BSPI_NO_STYLE 255

static inline bspi_face_light *bspi_light_of(const bspi_build *build, const bspi_face *face)
{
	return &build->light->faces[face - build->map->faces];
}
/* The uv of a draw vertex on the page of slot 0. */
static inline const float *bspi_lead_uv(const bspi_build *build, size_t vertex)
{
	const bspi_light *light = build->light;
	return light && light->uvs ? light->uvs[vertex][0] : build->map->draw_vertices[vertex].lightmap;
}
/* Returns true if the light of draw vertices has style slots. Of pages and of vertices. */
static inline bool bspi_has_slots(const bspi_build *build)
{
	return build->map->draw_vertex_styles_count || (build->light && build->light->uvs);
}
/* The style of slot 0: some files leave it unset. */
static inline uint8_t bspi_lead_style(const bspi_face_light *face)
{
	return face->styles[0] == BSPI_NO_STYLE ? 0 : face->styles[0];
}
/* The style of a slot of blocks. */
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
/* Bytes of a stored luxel. light_source.c */
uint32_t bspi_luxel_size(bspi_light_encoding encoding);
/* NULL: no such page, or its picture is missing. */
const bspi_map_page *bspi_find_page(const bspi_light *light, int32_t number);
/* Returns true if the slot is one more style. Slot 0 is used whenever the face has luxels. Page families. */
bool bspi_slot_used(const bspi_build *build, const bspi_face *face, uint32_t slot);

/* light_pages.c, light_slots.c, extents.c */
bool bspi_find_map_pages(bspi_build *build);
/* The file that a page is in, with the ending that engines look for first. False: none, or an error. light_pages.c */
bool bspi_open_picture(const bspi_build *build, bspi_arena *arena, uint32_t number, bspi_sibling *out);
bool bspi_relate_slots(bspi_build *build);
bool bspi_measure_blocks(bspi_build *build);

/* Styles whose blocks a face has one after the other; blocks, which are styles times sets. */
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
/* The first byte of them. extents.c */
int64_t bspi_block_offset(const bspi_map *map, const bspi_light *light, const bspi_face *face);

typedef struct bspi_luxel_box {
	int32_t x, y;
	uint32_t width, height;
} bspi_luxel_box;

/* texel = position . xyz + w, luxel = texel / texels_per_luxel. */
typedef struct bspi_luxel_grid {
	float (*vectors)[4];
	float texels_per_luxel;
} bspi_luxel_grid;

/* Can the face have a lightmap page? Flares carry a number without meaning it, foliage is lit by vertex. luxels.c */
bool bspi_may_have_page(const bspi_face *face);
/* Luxels of slot 0's page that filtering can touch; `out` may be NULL. False: no such page. luxels.c */
bool bspi_find_footprint(const bspi_build *build, const bspi_face *face, bspi_luxel_box *out);
/* The rectangle of a face's luxels, wherever they are; false: it has none. luxels.c */
bool bspi_find_luxels(const bspi_build *build, const bspi_face *face, bspi_luxel_box *out);
/* The projection of a face's luxels. False: none. luxels.c */
bool bspi_find_grid(const bspi_map *map, const bspi_face *face, bspi_luxel_grid *out);

#define BSPI_LIGHT_HASH_SIZE 17        /* hex digits and the final 0 */

/* CRC-64 of all luxels, with directions, and of each face's position in them. The latter returns the number of luxels
 * of all faces. bspi_light_name names the light of the pages. stored_light.c */
void bspi_hash_luxels(const bspi_build *build, char out[BSPI_LIGHT_HASH_SIZE]);
uint64_t bspi_hash_layout(const bspi_build *build, char out[BSPI_LIGHT_HASH_SIZE]);
const char *bspi_light_name(const bspi_light *light);

/* Light that is on no page; luxels are encoded as RGB8 in pages are. light_lists.c */
typedef struct bspi_light_list {
	const char *name;                  /* static, as in bspscene_light_list */
	bspi_stored_colors colors;         /* never none */
} bspi_light_list;

#define BSPI_MOST_LIGHT_LISTS (BSPI_MOST_COLOR_SETS + 8) /* ambient and directed light of four sets */
#define BSPI_COLORS_AT_ONCE 256u

/* Returns the number of lists. */
uint32_t bspi_find_light_lists(const bspi_map *map, bspi_light_list out[BSPI_MOST_LIGHT_LISTS]);
/* Reads luxels of a list from `first` on, as many as are contiguous. Returns their number. */
uint32_t bspi_gather_colors(const bspi_stored_colors *colors, uint32_t first, uint8_t out[BSPI_COLORS_AT_ONCE][3]);
void bspi_init_list_encoder(const bspi_build *build, bspi_light_encoder *out);
bool bspi_encode_light_lists(bspi_build *build, bspscene_map_light *stored);
/* Probes and their list, which goes to *list, for a load that asks for them; *found says whether there are any.
 * stages/probes/probe_light.c */
bool bspi_encode_probes(bspi_build *build, bspscene_map_light *stored, bspscene_light_list *list, bool *found);

/* ---- What it is made of ----------------------------------------------------------------------------------- */

/* How the luxels of a map become those of pages. */
typedef struct bspi_light_encoders {
	bspi_light_encoder light, pictures, directions;
} bspi_light_encoders;

/* The luxels of a rectangle that go into one page set. */
typedef struct bspi_luxel_source {
	bspscene_lightmap_set_kind kind;
	uint8_t style;
	bool solid;                        /* one luxel stands for all */
	uint8_t slot;                      /* of the face's styles */
	const bspi_light_encoder *encoder;
	float overbright;
	const uint8_t *luxels;
	size_t stride;                     /* bytes to the next row */
} bspi_luxel_source;

#define BSPI_MOST_LUXEL_SOURCES (BSPI_MAX_BLOCK_STYLES * (BSPSCENE_LIGHTMAP_SET_BUMP_2 + 1))

/* The encoders of the map's light for pages of the options' encoding. luxel_sources.c */
void bspi_init_encoders(const bspi_build *build, bspi_light_encoders *out);
/* Reads the stored part of a rectangle of a face. Returns its number of luxels. luxel_sources.c */
uint32_t bspi_list_luxels(const bspi_build *build, const bspi_light_encoders *encoders, const bspi_face *face,
                          const bspi_luxel_box *box, bspi_luxel_source out[BSPI_MOST_LUXEL_SOURCES]);

/* ---- Where it goes ---------------------------------------------------------------------------------------- */

/* A rectangle of luxels that is copied once, for all surfaces that use a part of it. */
typedef struct bspi_tile {
	const bspi_face *face;             /* one of them: its page numbers, styles and slots are those of all */
	bspi_luxel_box box;                /* as the surfaces' luxel members */
	bool rare;                         /* has light in sets that most have nothing in */
	uint64_t sets;                     /* its light sets, see page_writer.bit_of */
	uint32_t page, x, y;               /* place of the luxels, gutter not counted; set by bspi_pack_tiles */
} bspi_tile;

typedef struct bspi_tiles {
	bspi_tile *tiles;
	uint32_t count;
	uint32_t *of_surface;              /* by surface of the plan; BSPSCENE_NO_INDEX: unlit */
} bspi_tiles;

/* tiles.c */
bool bspi_make_tiles(bspi_build *build, bspi_tiles *out);
/* Places tiles on new pages of the atlas, with ctx->options' gutter around each, on as few pages of as few luxels as it
 * can. Equal input gives equal output. atlas.c */
bool bspi_pack_tiles(bspi_ctx *ctx, bspi_tile **tiles, uint32_t count, bspi_atlas *atlas);

#endif
