/* lighting.h - the light of a scene: lightmap pages, light styles, lamps, and light in the open air. */
#ifndef BSPSCENE_LIGHTING_H
#define BSPSCENE_LIGHTING_H

#include <bspscene/common.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bspscene_lightmap_encoding {
	BSPSCENE_LIGHTMAP_ENCODING_DISPLAY,         /* as the engine prepares them: sRGB-like bytes to multiply with the texture */
	BSPSCENE_LIGHTMAP_ENCODING_RAW,             /* the file's bytes */
	BSPSCENE_LIGHTMAP_ENCODING_HDR,             /* linear half floats, unclamped; light v of 8-bit maps becomes v^2.2 */
	BSPSCENE_LIGHTMAP_ENCODING_NONE,            /* build no pages and no lightmap uvs */
	BSPSCENE_LIGHTMAP_ENCODING_FORCE_32BIT = 0x7fffffff
} bspscene_lightmap_encoding;

typedef enum bspscene_lightmap_page_format {
	BSPSCENE_LIGHTMAP_PAGE_RGB8,
	BSPSCENE_LIGHTMAP_PAGE_RGB16F,              /* IEEE half floats, linear light, unclamped */
	BSPSCENE_LIGHTMAP_PAGE_RAW32,               /* RAW encoding of HDR light, 4 bytes: RGB and exponent, or E5BGR9 */
	BSPSCENE_LIGHTMAP_PAGE_FORCE_32BIT = 0x7fffffff
} bspscene_lightmap_page_format;

/* width * height luxels, tightly packed, top row first. data is NULL where a set has nothing on a page (all black). */
typedef struct bspscene_lightmap_page {
	uint32_t width, height;
	bspscene_lightmap_page_format format;
	const void *data;
} bspscene_lightmap_page;

typedef enum bspscene_lightmap_set_kind {
	BSPSCENE_LIGHTMAP_SET_LIGHT,              /* what is multiplied with the texture */
	BSPSCENE_LIGHTMAP_SET_DIRECTION,          /* deluxe: direction to the light, (byte / 127.5 - 1), in `direction_space` */
	BSPSCENE_LIGHTMAP_SET_BUMP_0, BSPSCENE_LIGHTMAP_SET_BUMP_1, BSPSCENE_LIGHTMAP_SET_BUMP_2, /* Source: along its basis vectors */
	BSPSCENE_LIGHTMAP_SET_FORCE_32BIT = 0x7fffffff
} bspscene_lightmap_set_kind;

/* All pages for one light style. Every set has `scene->page_count` pages of the same sizes, so one uv serves all.
 * Set 0, when there is one, is LIGHT of style 0. */
typedef struct bspscene_lightmap_set {
	bspscene_lightmap_set_kind kind;
	uint32_t style;                    /* into nothing: the game's style number, see light_styles */
	float intensity;                   /* picture = texture x page x intensity, in display space; linear hosts:
	                                    * intensity^2.2. HDR pages are linear light, 1 shows the texture as it is: their
	                                    * intensity is 1 */
	bool tangent_space;                /* DIRECTION only: else world space */
	const bspscene_lightmap_page *pages;
} bspscene_lightmap_set;

/* Where the luxels of a face are in the map. */
typedef struct bspscene_luxel_location {
	uint64_t offset;                   /* of the first, bytes from where that light begins; UINT64_MAX: on pages */
	int32_t pages[4], x[4], y[4];      /* on pages, for each of the face's styles; page -1: none */
	bool solid[4];                     /* one luxel is all there is */
} bspscene_luxel_location;

/* Light of the map that is on no page: luxels one after the other, in the file's order. "vertices", of each draw
 * vertex (Quake III and its relatives), "vertices1" to "vertices3" for further styles; "grid_ambient" and
 * "grid_directed", of the records of the light grid: one for each point (x fastest, then y), but Raven's and QFusion's
 * points share them, and these have further styles ("grid_ambient1", ...); "grid_palette", of the colours of Medal of
 * Honor's grid; "probes", with load's light_probes, of the light probes. */
typedef struct bspscene_light_list {
	const char *name;
	uint32_t count;                    /* luxels; at most as many as the page has, those behind them are 0 */
	bspscene_lightmap_page luxels;                /* encoded as the pages are */
} bspscene_light_list;

/* A point of the light grid (Quake III, Raven, BSPX LIGHTGRID_OCTREE) or of the cubes in leafs (Source), for one light
 * style. Its light is six luxels of the list "probes", one after the other: what falls on a surface that looks to +x -x
 * +y -y +z -z. New light of all sides becomes what the format can hold: one colour and another from one direction in
 * Quake III, one colour in the octree, all six in Source. Points inside of walls, and those whose record is no light of
 * a style, are none; a grid's point that its compiler moved out of a wall is where it is open. */
typedef struct bspscene_light_probe {
	float origin[3];                   /* game units */
	uint32_t style;
} bspscene_light_probe;

/* The light in the map that the pages show, for who writes it back (relight.h). */
typedef struct bspscene_map_light {
	const char *name;                  /* static: "grey", "rgb", "lit", "lit_e5bgr9", "rgblighting", "e5bgr9", "ldr",
	                                    * "hdr", "pages" in the map or "pictures" beside it; or that of
	                                    * the light set */
	char light_hash[17], layout_hash[17]; /* CRC-64, hex digits, of the luxels and of where all faces have theirs */
	bool clamps_hue;                   /* light beyond white keeps its hue, else each channel ends by itself */
	uint32_t gutter;                   /* luxels around each rectangle */
	const bspscene_luxel_location *luxel_locations; /* parallel to the scene's faces */
	uint64_t luxel_count;              /* in rectangles of the map's faces */
	uint64_t hidden_count;             /* of these, in faces that the scene does not have */
	const bspscene_light_list *lists; uint32_t list_count;
	const bspscene_light_probe *probes; uint32_t probe_count; /* with load's light_probes */
	bool probes_without_lamps;         /* the game adds the light of lamps to that of probes itself (Source) */
} bspscene_map_light;

/* A style in use by faces or lights. The game animates `pattern` ('a' dark, 'm' normal, 'z' double) at 10 Hz. */
typedef struct bspscene_light_style {
	uint32_t style;
	const char *name;                  /* "normal", "flicker (first variety)", ...; "" for unnamed ones */
	const char *pattern;               /* "m" for a steady light; switchable styles: their value when on */
	bool switchable;                   /* turned on and off by an entity */
	uint32_t entity;                   /* that entity, or NO_INDEX */
	float start;                       /* brightness when the map starts: 1, or 0 where the entity says that it starts
	                                    * off. Patterns stand still at 1, as the engines' flat light styles do */
} bspscene_light_style;

typedef enum bspscene_light_kind {
	BSPSCENE_LIGHT_POINT, BSPSCENE_LIGHT_SPOT, BSPSCENE_LIGHT_SUN,
	BSPSCENE_LIGHT_SURFACE,            /* a patch of a glowing texture (Source), of which maps have thousands: data for
	                                    * who wants it, no lamp in glTF, Assimp or Blender, where its node says all */
	BSPSCENE_LIGHT_FORCE_32BIT = 0x7fffffff
} bspscene_light_kind;

typedef enum bspscene_falloff {
	BSPSCENE_FALLOFF_INVERSE_SQUARE, BSPSCENE_FALLOFF_LINEAR, BSPSCENE_FALLOFF_INVERSE, BSPSCENE_FALLOFF_NONE,
	BSPSCENE_FALLOFF_FORCE_32BIT = 0x7fffffff
} bspscene_falloff;

/* As the map's compiler saw it. The node's transform gives the place; its +X axis the direction of spots and suns.
 *
 * `light_at_100` is the same for all games, and what a host needs: the linear light on a surface that faces the lamp
 * 100 game units away (a sun: anywhere), before the colour; 1 shows a texture as it is. It is pi * light_at_100 lux for
 * hosts that show white where a white surface gets pi lux, and a lamp that fades with the square of the distance has pi
 * * light_at_100 * (100 * metres_per_unit)^2 candela. Lamps that fade otherwise are that bright where the games' own
 * fading says: Quake's, which end at `radius`, half way to there. Negative ones take light away. */
typedef struct bspscene_light {
	bspscene_light_kind kind;
	uint32_t node, entity;             /* entity is NO_INDEX for lights that only the compiled map knows, and for the
	                                    * suns of sky shaders (q3map_sun), whose place says nothing */
	uint32_t style;
	float color[3];                    /* 0..1, largest channel 1 unless black; display values, as the game shows it */
	float illuminance_at_100_units;
	float intensity;                   /* the game's unit ("light" key); Source: 255 times light_at_100 */
	bspscene_falloff falloff;
	float radius;                      /* distance where it ends, or 0: not bounded */
	float inner_angle_degrees, outer_angle_degrees; /* spots: half angles */
	bool is_dynamic;                  /* not in the lightmaps: the game adds its light while it runs (light_dynamic) */
} bspscene_light;

/* Light for moving things, on a regular grid: sample (x,y,z) is at origin + (x,y,z) * step, x fastest. Quake's and
 * Quake II's (BSPX LIGHTGRID_OCTREE) know no directions: all their light is ambient. */
typedef struct bspscene_light_grid {
	uint32_t counts[3];                /* 0 when the map has none */
	float origin[3], step[3];
	uint32_t style_count;                /* styles per sample: 1 or 4 */
	const uint8_t *styles;             /* set_count per sample; 255 unused; NULL when set_count is 1 */
	const uint8_t *ambient, *directed; /* RGB, set_count per sample, encoded like mesh->colors; all 0: inside a wall */
	const uint8_t *directions;         /* zenith and azimuth, 256 = full turn, pointing to the light */
} bspscene_light_grid;

/* Light inside a leaf from six sides (Source): +x -x +y -y +z -z, linear, 1 is full. */
typedef struct bspscene_ambient {
	uint32_t leaf;
	float origin[3];
	float cube[6][3];
} bspscene_ambient;

/* What lights a model at a point, in display space, 1 shows a texture as it is: from six sides, +x -x +y -y +z -z, and
 * besides from one direction, a unit vector to the light. See bspscene_sample_light. */
typedef struct bspscene_light_sample {
	float sides[6][3];
	float directed[3], direction[3];
} bspscene_light_sample;

/* A lamp or the sun as it shines on a model. At a place at distance d from it, or at 1 where that is less, comes its
 * color times ((c - cone[1]) / (cone[0] - cone[1])) ^ exponent, which is held within 0..1, over fade[0] + fade[1] * d +
 * fade[2] * d * d; c is the cosine between `direction` and the way there. See bspscene_lamp_attenuation. */
typedef struct bspscene_model_lamp {
	float color[3];                    /* linear, 1 shows a texture as it is */
	float origin[3];                   /* game units */
	float direction[3];                /* which way it shines, a unit vector; all 0 where it does not matter */
	bool sun;                          /* it comes against `direction` everywhere, and is not less anywhere */
	float fade[3];
	float radius;                      /* nothing comes to what is as far; 0: it reaches everything */
	float cone[2], exponent;           /* cosines inside and outside of the cone; below -1: it shines everywhere */
} bspscene_model_lamp;

/* What lights a model that throws single lamps back, linear. */
typedef struct bspscene_model_light {
	float cube[6][3];                  /* from six sides, +x -x +y -y +z -z, without the lamps below */
	const bspscene_model_lamp *const *lamps; uint32_t lamp_count;
} bspscene_model_light;

#ifdef __cplusplus
}
#endif
#endif
