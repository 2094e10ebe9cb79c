/* lighting.h - Light of a scene: lightmap pages, light styles, lamps, the light grid, and light on models. */
#ifndef BSPSCENE_LIGHTING_H
#define BSPSCENE_LIGHTING_H

#include <bspscene/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Lightmaps -------------------------------------------------------------------------------------------- */

/** How lightmap pages store light. */
typedef enum bspscene_lightmap_encoding {
	BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, /**< As the engine prepares it: display values, multiplied with the texture. */
	BSPSCENE_LIGHTMAP_ENCODING_RAW,    /**< The bytes of the file. */
	BSPSCENE_LIGHTMAP_ENCODING_HDR,    /**< Linear half floats, unclamped. A value v of an 8-bit map becomes v^2.2. */
	BSPSCENE_LIGHTMAP_ENCODING_NONE,   /**< No pages and no lightmap coordinates. */
	BSPSCENE_LIGHTMAP_ENCODING_FORCE_32BIT = 0x7fffffff
} bspscene_lightmap_encoding;

/** Layout of a luxel. */
typedef enum bspscene_lightmap_page_format {
	BSPSCENE_LIGHTMAP_PAGE_RGB8,       /**< 3 bytes. */
	BSPSCENE_LIGHTMAP_PAGE_RGB16F,     /**< IEEE half floats, 6 bytes: linear light, unclamped. */
	BSPSCENE_LIGHTMAP_PAGE_RAW32,      /**< RAW encoding of HDR light, 4 bytes: RGB with exponent, or E5BGR9. */
	BSPSCENE_LIGHTMAP_PAGE_FORCE_32BIT = 0x7fffffff
} bspscene_lightmap_page_format;

#define BSPSCENE_LIGHTMAP_BLOCK 16u    /**< Luxels per side of a block of a sparse page. */

/** The luxels of a sparse page: square blocks, of which black ones take no memory. Frozen.
 *
 * Blocks at the right and bottom edges may extend beyond the page; what lies outside is black. */
typedef struct bspscene_lightmap_blocks {
	uint32_t columns, rows;            /**< Blocks that cover the page. */
	uint32_t block_count;              /**< Blocks with light. */
	uint32_t luxel_size;               /**< Bytes of a stored luxel: those of the page's format, or 1 for gray light of
	                                    * an RGB8 page. That byte is the value of R, G and B. */
	const uint32_t *indices;           /**< columns * rows numbers of blocks, top row first. NO_INDEX: black. */
	const uint8_t *luxels;             /**< block_count blocks of BSPSCENE_LIGHTMAP_BLOCK rows, top row first. */
} bspscene_lightmap_blocks;

/** width * height luxels, tightly packed, top row first. Frozen.
 *
 * NOTE A page that is sparse (load option sparse_lightmaps) has `blocks` and no `data`. bspscene_lightmap_page_read
 * gives a part of any page, or the whole page, as rows. */
typedef struct bspscene_lightmap_page {
	uint32_t width, height;            /**< Luxels. */
	bspscene_lightmap_page_format format; /**< Layout of a luxel. */
	const void *data;                  /**< NULL: the page is sparse, or, without `blocks`, all luxels are black. */
	const bspscene_lightmap_blocks *blocks; /**< NULL: the page is not sparse. */
} bspscene_lightmap_page;

/** Copies a rectangle of a page to `out` as tightly packed rows of luxels in the page's format, top row first.
 *
 * - The rectangle must lie on the page. `out` has room for width * height luxels.
 * - Black parts and pages without light are written as zeros. The scene does not change. */
BSPSCENE_API void bspscene_lightmap_page_read(const bspscene_lightmap_page *page, uint32_t x, uint32_t y,
                                              uint32_t width, uint32_t height, void *out);

/** What the pages of a lightmap set hold. */
typedef enum bspscene_lightmap_set_kind {
	BSPSCENE_LIGHTMAP_SET_LIGHT,       /**< Light, to be multiplied with the texture. */
	BSPSCENE_LIGHTMAP_SET_DIRECTION,   /**< Direction to the light, byte / 127.5 - 1 (deluxe maps). */
	BSPSCENE_LIGHTMAP_SET_BUMP_0,      /**< Source: light along the first of three basis vectors. */
	BSPSCENE_LIGHTMAP_SET_BUMP_1,
	BSPSCENE_LIGHTMAP_SET_BUMP_2,
	BSPSCENE_LIGHTMAP_SET_FORCE_32BIT = 0x7fffffff
} bspscene_lightmap_set_kind;

/** All pages of one kind for one light style. Frozen.
 *
 * - Every set has scene->lightmap_page_count pages, and page n has the same size in every set.
 * - Set 0, if there is one, is LIGHT of style 0. */
typedef struct bspscene_lightmap_set {
	bspscene_lightmap_set_kind kind;   /**< What the pages hold. */
	uint32_t style;                    /**< The game's style number. It is not an index. See scene->light_styles. */
	float intensity;                   /**< picture = texture * page * intensity, in display values. Hosts that
	                                    * multiply linear light use intensity^2.2. Always 1 for HDR pages, whose
	                                    * value 1 shows the texture as it is. */
	bool tangent_space;                /**< DIRECTION only: tangent space. Else world space. */
	const bspscene_lightmap_page *pages; /**< scene->lightmap_page_count pages. */
} bspscene_lightmap_set;

/** Where the luxels of a face lie in the map's file or on its own pages. Frozen. */
typedef struct bspscene_luxel_location {
	uint64_t offset;                   /**< Byte offset of the first luxel in its lump. UINT64_MAX: on pages. */
	int32_t pages[4], x[4], y[4];      /**< Page and luxel on the map's own pages for each style of the face. Page -1:
	                                    * none. */
	bool solid[4];                     /**< True if one luxel stands for the whole face. */
} bspscene_luxel_location;

/** Light of the map that lies on no page, in the order of the file. Frozen.
 *
 * | name                                        | one luxel for each                                          |
 * |---------------------------------------------|-------------------------------------------------------------|
 * | "vertices", "vertices1" to "vertices3"      | draw vertex (Quake III and relatives), further styles       |
 * | "grid_ambient", "grid_directed"             | record of the light grid, x fastest, then y                 |
 * | "grid_ambient1", "grid_directed1", ...      | the same for further styles (Raven, QFusion)                |
 * | "grid_palette"                              | color of the light grid's palette (Medal of Honor)          |
 * | "probes"                                    | side of each light probe, with the load option light_probes |
 *
 * In Raven's and QFusion's maps, several points of the grid may share a record. */
typedef struct bspscene_light_list {
	const char *name;                  /**< See above. */
	uint32_t count;                    /**< Luxels of the list. The page may have more; these are 0. */
	bspscene_lightmap_page luxels;     /**< Encoded as the pages of the scene. */
} bspscene_light_list;

/** A point of the light grid (Quake III, Raven, BSPX LIGHTGRID_OCTREE) or an ambient cube in a leaf (Source), for one
 * light style. Frozen.
 *
 * Six consecutive luxels of the list "probes" hold the light on surfaces that face +x -x +y -y +z -z. Edited light is
 * reduced to what the format stores: two colors and a direction in Quake III, one color in the octree, six colors in
 * Source. Points inside walls and records without light of the style have no probe. If the compiler moved a point out
 * of a wall, the probe is at the new place. */
typedef struct bspscene_light_probe {
	float origin[3];                   /**< Game units. */
	uint32_t style;                    /**< The game's style number. */
} bspscene_light_probe;

/** The map's own light, from which the pages were made, for writing light back (relight.h). */
typedef struct bspscene_map_light {
	const char *name;                  /**< "gray", "rgb", "lit", "lit_e5bgr9", "rgblighting", "e5bgr9", "ldr",
	                                    * "hdr", "pages" in the map or "pictures" next to it, or the name of a
	                                    * lighting variant. Static. */
	char light_hash[17];               /**< CRC-64 of all luxels, as hex digits. */
	char layout_hash[17];              /**< CRC-64 of the locations of all luxels, as hex digits. */
	bool clamps_hue;                   /**< True if light above white keeps its hue. Else each channel is clamped. */
	uint32_t gutter;                   /**< Replicated luxels around each rectangle. */
	const bspscene_luxel_location *luxel_locations; /**< One for each of the scene's faces. */
	uint64_t luxel_count;              /**< Luxels of all faces of the map. */
	uint64_t hidden_count;             /**< Luxels of faces that the scene does not have. */
	const bspscene_light_list *lists;  /**< Light that lies on no page. */
	uint32_t list_count;               /**< Entries of `lists`. */
	const bspscene_light_probe *probes; /**< With the load option light_probes. */
	uint32_t probe_count;              /**< Entries of `probes`. */
	bool probes_without_lamps;         /**< True if the game adds the light of lamps to the probes (Source). */
} bspscene_map_light;

/** A light style that faces or lamps use. The engine steps through `pattern` at 10 Hz. */
typedef struct bspscene_light_style {
	uint32_t style;                    /**< The game's style number. */
	const char *name;                  /**< "normal", "flicker (first variety)", or "". */
	const char *pattern;               /**< 'a' is dark, 'm' normal, 'z' about double; in Raven's games 'z' is normal.
	                                    * One letter is steady. For switchable styles: the pattern while on. */
	bool switchable;                   /**< True if an entity turns the style on and off. */
	uint32_t entity;                   /**< Index of that entity, or NO_INDEX. */
	float start;                       /**< Brightness when the map starts: 0 if the entity starts off, else 1. A style
	                                    * with a pattern counts as a steady 'm': 1, or 0.48 where 'z' is normal. */
} bspscene_light_style;

/* ---- Lamps ------------------------------------------------------------------------------------------------ */

/** Shape of a lamp. */
typedef enum bspscene_light_kind {
	BSPSCENE_LIGHT_POINT,
	BSPSCENE_LIGHT_SPOT,
	BSPSCENE_LIGHT_SUN,
	BSPSCENE_LIGHT_SURFACE,            /**< A patch of a glowing texture (Source). Maps have thousands, so glTF, Assimp
	                                    * and Blender get no lamp for it; its node has all facts. */
	BSPSCENE_LIGHT_FORCE_32BIT = 0x7fffffff
} bspscene_light_kind;

/** How a lamp fades with distance. */
typedef enum bspscene_falloff {
	BSPSCENE_FALLOFF_INVERSE_SQUARE,
	BSPSCENE_FALLOFF_LINEAR,
	BSPSCENE_FALLOFF_INVERSE,
	BSPSCENE_FALLOFF_NONE,
	BSPSCENE_FALLOFF_FORCE_32BIT = 0x7fffffff
} bspscene_falloff;

/** A lamp as the map's compiler saw it. Its node has the position, and the node's +X axis is the direction of spots and
 * suns.
 *
 * illuminance_at_100_units means the same in all games: the linear light on a surface that faces the lamp at a distance
 * of 100 game units (of a sun: at any distance), before the color. 1 shows a texture as it is. For hosts in which
 * pi lux show a white surface as white:
 *
 * - illuminance in lux = pi * illuminance_at_100_units;
 * - intensity in candela = pi * illuminance_at_100_units * (100 * meters_per_unit)^2, for inverse square falloff.
 *
 * For another falloff, the value makes the inverse square curve meet the game's own curve at one distance. For Quake's
 * lamps, which end at `radius`, this is half of that distance. Negative values remove light. */
typedef struct bspscene_light {
	bspscene_light_kind kind;          /**< Shape. */
	uint32_t node;                     /**< Index of its node. */
	uint32_t entity;                   /**< Index of its entity. NO_INDEX: a lamp that only the compiled map knows, or
	                                    * the sun of a sky shader, whose position has no meaning. */
	uint32_t style;                    /**< The game's style number. */
	float color[3];                    /**< Display values 0..1. The largest channel is 1 unless the lamp is black. */
	float illuminance_at_100_units;    /**< See above. */
	float intensity;                   /**< The game's unit ("light" key). Source: 255 * illuminance_at_100_units. */
	bspscene_falloff falloff;          /**< How the light fades with distance. */
	float radius;                      /**< Distance in game units at which the light ends. 0: it does not end. */
	float inner_angle_degrees, outer_angle_degrees; /**< Half angles of a spot. */
	bool is_dynamic;                   /**< True if the light is not in the lightmaps: the game adds it
	                                    * (light_dynamic). */
} bspscene_light;

/* ---- Light on models -------------------------------------------------------------------------------------- */

/** Light for moving things on a regular grid. Sample (x, y, z) lies at origin + (x, y, z) * step; x is fastest.
 * The grids of Quake and Quake II (BSPX LIGHTGRID_OCTREE) have no directions: all light is ambient. */
typedef struct bspscene_light_grid {
	uint32_t counts[3];                /**< Samples along each axis. 0: the map has no grid. */
	float origin[3], step[3];          /**< Game units. */
	uint32_t style_count;              /**< Styles of each sample: 1 or 4. */
	const uint8_t *styles;             /**< style_count numbers for each sample, 255 if unused. NULL: style_count is
	                                    * 1. */
	const uint8_t *ambient, *directed; /**< RGB, style_count for each sample, encoded as mesh->colors. All 0: in a
	                                    * wall. */
	const uint8_t *directions;         /**< Two bytes for each sample: zenith and azimuth of the direction to the light.
	                                    * 256 is a full turn. */
} bspscene_light_grid;

/** The ambient cube of a leaf (Source). Frozen. */
typedef struct bspscene_ambient {
	uint32_t leaf;                     /**< Index of the leaf in scene->tree. */
	float origin[3];                   /**< Game units. */
	float cube[6][3];                  /**< Light from +x -x +y -y +z -z, linear. 1 shows a texture as it is. */
} bspscene_ambient;

/** The light on a model at one point, in display values. 1 shows a texture as it is. See bspscene_sample_light.
 * Frozen. */
typedef struct bspscene_light_sample {
	float sides[6][3];                 /**< Light from +x -x +y -y +z -z. */
	float directed[3];                 /**< Additional light from one direction. */
	float direction[3];                /**< Unit vector to that light. */
} bspscene_light_sample;

/** A lamp or sun that shines on a model. At distance d (at least 1) the light is color * spot / attenuation:
 *
 *     spot        = clamp((c - cone[1]) / (cone[0] - cone[1]), 0, 1) ^ exponent
 *     attenuation = fade[0] + fade[1] * d + fade[2] * d * d
 *
 * where c is the cosine between `direction` and the direction from the lamp to the point. bspscene_lamp_attenuation
 * computes it. */
typedef struct bspscene_model_lamp {
	float color[3];                    /**< Linear. 1 shows a texture as it is. */
	float origin[3];                   /**< Game units. */
	float direction[3];                /**< Unit vector in which the lamp shines. All 0: it shines everywhere. */
	bool sun;                          /**< True: parallel light along `direction` that does not fade. */
	float fade[3];                     /**< Constant, linear and quadratic attenuation. */
	float radius;                      /**< Distance at which the light ends. 0: it does not end. */
	float cone[2];                     /**< Cosines of the inner and outer half angle. Below -1: no cone. */
	float exponent;                    /**< See above. */
} bspscene_model_lamp;

/** The light on a model whose material has `phong`, in linear light. */
typedef struct bspscene_model_light {
	float cube[6][3];                  /**< Light from +x -x +y -y +z -z, without the lamps. */
	const bspscene_model_lamp *const *lamps; /**< Lamps that shine on the model. */
	uint32_t lamp_count;               /**< Entries of `lamps`. */
} bspscene_model_light;

#ifdef __cplusplus
}
#endif
#endif
