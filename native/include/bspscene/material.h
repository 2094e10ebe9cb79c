/* material.h - the materials of a scene and their images. */
#ifndef BSPSCENE_MATERIAL_H
#define BSPSCENE_MATERIAL_H

#include <bspscene/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bspscene_image_format {
	BSPSCENE_IMAGE_MISSING,            /* not found or broken: decodes to its stand-in */
	BSPSCENE_IMAGE_PNG,
	BSPSCENE_IMAGE_JPEG,
	BSPSCENE_IMAGE_TGA,
	BSPSCENE_IMAGE_PCX,
	BSPSCENE_IMAGE_VTF,                /* of several faces or slices the first is shown */
	BSPSCENE_IMAGE_RGBA,               /* decoded already (miptex, WAL): width * height * 4 bytes, top row first */
	BSPSCENE_IMAGE_DDS,
	BSPSCENE_IMAGE_BMP,
	BSPSCENE_IMAGE_KTX,                /* KTX 1; of several faces the first is shown */
	BSPSCENE_IMAGE_IWI,                /* Call of Duty's; of several faces the first is shown */
	BSPSCENE_IMAGE_FORCE_32BIT = 0x7fffffff
} bspscene_image_format;

/* Pixels as they were found, not decoded: PNG and JPEG can pass through to a writer untouched. */
typedef struct bspscene_image {
	const char *name;                  /* the game's name: "textures/sample/brick" */
	const char *path;                  /* of the file that was found: "textures/sample/brick.tga"; "" when missing */
	const char *archive;               /* or directory it came from; "" when inside the map or missing */
	bspscene_image_format format;      /* by content; with BSPSCENE_TEXTURES_NAMES by the name's ending */
	uint32_t width, height;            /* of the top level; 0 when not known without decoding */
	uint32_t frame;                    /* VTF: which of the file's frames this is; 0 is the first, and there are images
	                                    * of others only where a material shows them. Images of one file share `data` */
	const void *data; size_t size;     /* the encoded bytes; NULL with BSPSCENE_TEXTURES_NAMES or when missing */
	bool has_alpha;                    /* some pixel may be below 255; known for all formats once loaded */
	bool is_generated;                         /* the library's own, for want of the game's: a plain sky (format RGBA) */
	bool is_checkerboard;                    /* the stand-in is a checkerboard, not `stand_in` */
	uint8_t fallback_color[3];               /* what is shown instead when it is MISSING or cannot be decoded: the mean colour
	                                    * of the picture where the map knows it (Source), else a quiet grey; sRGB */
	uint32_t cube_face;                     /* VTF: which of a cube map's six faces this is, +X -X +Y -Y +Z -Z as graphics
	                                    * cards have them; 0 is the first, and what every other picture is */
} bspscene_image;

typedef enum bspscene_alpha_mode {
	BSPSCENE_ALPHA_MODE_OPAQUE,
	BSPSCENE_ALPHA_MODE_MASK,               /* cut out below `alpha_cutoff` */
	BSPSCENE_ALPHA_MODE_BLEND,              /* source alpha over destination */
	BSPSCENE_ALPHA_MODE_ADD,                /* added to what is behind */
	BSPSCENE_ALPHA_MODE_MODULATE,           /* multiplied with what is behind */
	BSPSCENE_ALPHA_MODE_FORCE_32BIT = 0x7fffffff
} bspscene_alpha_mode;

typedef enum bspscene_material_kind {
	BSPSCENE_MATERIAL_NORMAL,
	BSPSCENE_MATERIAL_SKY,
	BSPSCENE_MATERIAL_LIQUID,
	BSPSCENE_MATERIAL_TOOL,            /* never seen by a player */
	BSPSCENE_MATERIAL_FOG,
	BSPSCENE_MATERIAL_FLARE,
	BSPSCENE_MATERIAL_PORTAL,          /* mirrors and camera portals */
	BSPSCENE_MATERIAL_KIND_FORCE_32BIT = 0x7fffffff
} bspscene_material_kind;

/* Factors of `source * src + destination * dst`, as in the game's blendFunc. ONE, ZERO is opaque. */
typedef enum bspscene_blend {
	BSPSCENE_BLEND_ZERO, BSPSCENE_BLEND_ONE,
	BSPSCENE_BLEND_SRC_COLOR, BSPSCENE_BLEND_ONE_MINUS_SRC_COLOR,
	BSPSCENE_BLEND_DST_COLOR, BSPSCENE_BLEND_ONE_MINUS_DST_COLOR,
	BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA,
	BSPSCENE_BLEND_DST_ALPHA, BSPSCENE_BLEND_ONE_MINUS_DST_ALPHA,
	BSPSCENE_BLEND_SRC_ALPHA_SATURATE,
	BSPSCENE_BLEND_FORCE_32BIT = 0x7fffffff
} bspscene_blend;

typedef enum bspscene_pass_input {
	BSPSCENE_PASS_INPUT_IMAGE,              /* images[frame] */
	BSPSCENE_PASS_INPUT_LIGHTMAP,           /* the section's lightmap page (white when it has none). With another tc_gen than
	                                    * LIGHTMAP, or with tc_mods, its page_image, clamped and at its largest size
	                                    * (white without one); TC_LIGHTMAP then is mesh->page_uvs */
	BSPSCENE_PASS_INPUT_WHITE,
	BSPSCENE_PASS_INPUT_VIDEO,              /* a film: its name is in `video`; shown as its replacement image */
	BSPSCENE_PASS_INPUT_LIGHT,              /* whatever lights the section: its page, its vertex colours (the alpha is 1),
	                                    * white when FULLBRIGHT, black when BLACK. Materials without a script have
	                                    * one */
	BSPSCENE_PASS_INPUT_FORCE_32BIT = 0x7fffffff
} bspscene_pass_input;

typedef enum bspscene_color_gen {
	BSPSCENE_COLOR_GEN_IDENTITY,           /* 1 */
	BSPSCENE_COLOR_GEN_CONST,              /* stage.color */
	BSPSCENE_COLOR_GEN_VERTEX,             /* vertex colour */
	BSPSCENE_COLOR_GEN_ONE_MINUS_VERTEX,
	BSPSCENE_COLOR_GEN_WAVE,               /* grey: color_wave at the time */
	BSPSCENE_COLOR_GEN_ENTITY,             /* the node's color */
	BSPSCENE_COLOR_GEN_ONE_MINUS_ENTITY,
	BSPSCENE_COLOR_GEN_DIFFUSE,            /* the light grid's light on the normal */
	BSPSCENE_COLOR_GEN_IDENTITY_LIGHTING,  /* 1 too: overbright bits are in the light already. Engines tell the two apart */
	BSPSCENE_COLOR_GEN_LIGHT,              /* whatever lights the section, as a LIGHT stage shows it; the product is cut to
	                                    * 1 before it is blended (DarkPlaces) */
	BSPSCENE_COLOR_GEN_FORCE_32BIT = 0x7fffffff
} bspscene_color_gen;

typedef enum bspscene_alpha_gen {
	BSPSCENE_ALPHA_GEN_IDENTITY, BSPSCENE_ALPHA_GEN_CONST, BSPSCENE_ALPHA_GEN_VERTEX,
	BSPSCENE_ALPHA_GEN_ONE_MINUS_VERTEX, BSPSCENE_ALPHA_GEN_WAVE, BSPSCENE_ALPHA_GEN_ENTITY,
	BSPSCENE_ALPHA_GEN_ONE_MINUS_ENTITY, BSPSCENE_ALPHA_GEN_SPECULAR, BSPSCENE_ALPHA_GEN_PORTAL,
	BSPSCENE_ALPHA_GEN_TERRAIN,        /* 2 * vertex alpha * the image's alpha - 0.5, within 0..1 (DarkPlaces) */
	BSPSCENE_ALPHA_GEN_GLOW,           /* the entity's, times 19000 / distance^2, within 0.05..1 (GoldSrc, Source) */
	BSPSCENE_ALPHA_GEN_HEIGHT,         /* (z - `alpha`) / `alpha_range` within 0..1, of the place in the world (UFO) */
	BSPSCENE_ALPHA_GEN_FORCE_32BIT = 0x7fffffff
} bspscene_alpha_gen;

typedef enum bspscene_tc_gen {
	BSPSCENE_TC_GEN_TEXTURE, BSPSCENE_TC_GEN_LIGHTMAP, BSPSCENE_TC_GEN_ENVIRONMENT, BSPSCENE_TC_GEN_VECTOR,
	/* The stage's frames are the BSPSCENE_CUBE_SIDES sides of a box, in a sky's order, looked up as a sky is: */
	BSPSCENE_TC_GEN_REFLECTION,            /* along the way that the line of sight takes from the surface */
	BSPSCENE_TC_GEN_SURROUND,              /* along the line of sight */
	BSPSCENE_TC_GEN_FORCE_32BIT = 0x7fffffff
} bspscene_tc_gen;

typedef enum bspscene_wave_func {
	BSPSCENE_WAVE_NONE, BSPSCENE_WAVE_SIN, BSPSCENE_WAVE_SQUARE, BSPSCENE_WAVE_TRIANGLE,
	BSPSCENE_WAVE_SAWTOOTH, BSPSCENE_WAVE_INVERSE_SAWTOOTH, BSPSCENE_WAVE_NOISE,
	BSPSCENE_WAVE_FORCE_32BIT = 0x7fffffff
} bspscene_wave_func;

/* value(t) = base + amplitude * func(phase + t * frequency), t in seconds. */
typedef struct bspscene_wave {
	bspscene_wave_func func;
	float base, amplitude, phase, frequency;
} bspscene_wave;

typedef enum bspscene_tc_mod_kind {
	BSPSCENE_TC_MOD_SCALE,             /* values: s t */
	BSPSCENE_TC_MOD_SCROLL,            /* s t, textures per second */
	BSPSCENE_TC_MOD_ROTATE,            /* degrees per second about 0.5 0.5 */
	BSPSCENE_TC_MOD_STRETCH,           /* wave */
	BSPSCENE_TC_MOD_TURBULENCE,        /* wave: amplitude, phase, frequency */
	BSPSCENE_TC_MOD_TRANSFORM,         /* values: m00 m01 m10 m11 t0 t1 */
	BSPSCENE_TC_MOD_ENTITY_TRANSLATE,
	BSPSCENE_TC_MOD_OFFSET,            /* values: s t */
	BSPSCENE_TC_MOD_WARP,              /* liquids of Quake, GoldSrc and Quake II: values a f r; with the s and t before,
	                                    * s += a * sin(f * t + r * time), t += a * sin(f * s + r * time), in radians.
	                                    * At each point; at corners only where the material has DEFORM_LIQUID */
	BSPSCENE_TC_MOD_FORCE_32BIT = 0x7fffffff
} bspscene_tc_mod_kind;

typedef struct bspscene_tc_mod {
	bspscene_tc_mod_kind kind;
	float values[6];
	bspscene_wave wave;
} bspscene_tc_mod;

#define BSPSCENE_MATERIAL_PASS_MAX_TC_MODS 4
#define BSPSCENE_CUBE_SIDES 6

/* One pass over the surface, drawn in order. Families without stages describe themselves with one or two. */
typedef struct bspscene_material_pass {
	bspscene_pass_input input;
	uint32_t first_frame_image, frame_image_count; /* into scene->frames: image numbers; frame_count is 1 or more for IMAGE,
	                                    * CUBE_SIDES for boxes (tc_gen) */
	float frames_per_second;           /* 0 unless animated */
	const char *video;                 /* "" unless VIDEO */
	uint32_t light_style;              /* LIGHTMAP, LIGHT: the page set to read is this style's; 0 normally */
	bool clamp;                        /* clampMap: no repeat */
	bool is_detail;                       /* small structure that the game may leave out */
	bspscene_tc_gen tc_gen; float tc_vectors[2][4];
	bspscene_tc_mod tc_mods[BSPSCENE_MATERIAL_PASS_MAX_TC_MODS]; uint32_t tc_mod_count;
	bspscene_color_gen color_gen; float color[3]; bspscene_wave color_wave;
	bspscene_alpha_gen alpha_gen; float alpha; bspscene_wave alpha_wave; float alpha_range;
	bspscene_blend src_blend, dst_blend;
	bspscene_alpha_mode alpha_test;    /* OPAQUE: none; MASK: keep when alpha >= (or, alpha_test_less, <) cutoff */
	float alpha_cutoff;
	bool alpha_test_less;
	bool depth_write, depth_equal;
} bspscene_material_pass;

typedef enum bspscene_cull {
	BSPSCENE_CULL_BACK,                /* normal: only front faces are drawn */
	BSPSCENE_CULL_FRONT,
	BSPSCENE_CULL_NONE,
	BSPSCENE_CULL_FORCE_32BIT = 0x7fffffff
} bspscene_cull;

typedef struct bspscene_sky {
	const char *name;                  /* "env/sample"; "" when it has none */
	uint32_t box[6];                   /* images right back left front up down (+X... as the game names them), or
	                                    * NO_INDEX. One that is half as high as wide covers the upper half; its last
	                                    * row goes on below */
	uint32_t layers[2];                /* Quake: the solid back layer and the cut-out front layer, or NO_INDEX */
	float cloud_height;                /* Quake III cloud dome, its stages are the material's; 0: no clouds */
	bool has_sun;
	float sun_color[3], sun_intensity, sun_direction[3]; /* direction points to the sun */
} bspscene_sky;

/* What fills a fog's brush (Quake III's fogparms). */
typedef struct bspscene_fog_parms {
	float color[3];                    /* 0..1 */
	float depth;                       /* game units at which the fog is opaque, more than 0 */
} bspscene_fog_parms;

/* Where the second image covers the first: the weight w of the mesh becomes the smooth step (3 t^2 - 2 t^3) of w from
 * g - r to g + r, the green and red of this image as stored, held within 0..1; when `masked` that of 0.5 instead of w,
 * and not held. */
typedef struct bspscene_blend_mask {
	uint32_t image;                    /* never NO_INDEX */
	float uv_scale[2], uv_offset[2];   /* of the mesh's own uv */
	bool masked;
} bspscene_blend_mask;

/* What a detail texture of colour d, alpha a does to the texture below it, of colour c, alpha b, with factor f. Both
 * are linear light, but d is linear as it is stored unless it is added. x..y: from x to y by f. The numbers are
 * Source's. */
typedef enum bspscene_detail_texture_mode {
	BSPSCENE_DETAIL_TEXTURE_DOUBLED = 0,        /* c *= 1..2d: grey 128 changes nothing */
	BSPSCENE_DETAIL_TEXTURE_ADD = 1,            /* c += f * d */
	BSPSCENE_DETAIL_TEXTURE_OVER = 2,           /* c goes to d by f * a */
	BSPSCENE_DETAIL_TEXTURE_FADE = 3,           /* c and b go to d and a by f */
	BSPSCENE_DETAIL_TEXTURE_UNDER = 4,          /* c goes to d by f * (1 - b), b is a */
	BSPSCENE_DETAIL_TEXTURE_GLOW = 5,           /* f * d is added to what light makes of c */
	BSPSCENE_DETAIL_TEXTURE_GLOW_BAND = 6,      /* the same with d's brightest part alone, within 0..1: (d + f - 1) / f
	                                          * where f is 0.5 or more, else 4 f (d - 0.5) */
	BSPSCENE_DETAIL_TEXTURE_PATTERNS = 7,       /* c *= 1..2p; p is the red of d where b is 0, a where b is 1 */
	BSPSCENE_DETAIL_TEXTURE_MULTIPLY = 8,       /* c and b *= 1..d, 1..a */
	BSPSCENE_DETAIL_TEXTURE_MASK = 9,           /* b *= 1..a */
	BSPSCENE_DETAIL_TEXTURE_SELF_SHADOWED = 11, /* c *= 2/3 of the sum of d's channels: light along three directions */
	BSPSCENE_DETAIL_TEXTURE_FORCE_32BIT = 0x7fffffff
} bspscene_detail_texture_mode;

/* Small structure upon the base image. */
typedef struct bspscene_detail_texture {
	uint32_t image;                    /* never NO_INDEX */
	bspscene_detail_texture_mode mode;
	float uv_scale[2];                 /* of the base image's uv' */
	float color[3];                    /* d is multiplied with it */
	float factor;
	bool display;                      /* d is a display value as the base image is, whatever the mode */
	bool keeps_alpha;                  /* b stays as it is, whatever the mode */
	bool own_uv;                       /* its coordinates are the mesh's own uv * uv_scale, turned by
	                                    * uv_rotation_radians, + uv_offset + scroll * time, and have nothing of the base
	                                    * image's */
	float uv_offset[2], uv_rotation_radians, scroll[2]; /* with own_uv; as the material's */
} bspscene_detail_texture;

/* What keeps parts of a surface from reflecting. */
typedef enum bspscene_reflection_mask {
	BSPSCENE_REFLECTION_MASK_NONE,
	BSPSCENE_REFLECTION_MASK_IMAGE,          /* times the colour of mask_image, as stored */
	BSPSCENE_REFLECTION_MASK_BASE_ALPHA,     /* times 1 - the base image's alpha with the detail, then no opacity */
	BSPSCENE_REFLECTION_MASK_NORMAL_ALPHA,   /* times the alpha of normal_image */
	BSPSCENE_REFLECTION_MASK_FORCE_32BIT = 0x7fffffff
} bspscene_reflection_mask;

/* What is around, seen in the surface: added to its light. In linear light, with the colour r of the cube map where the
 * line of sight goes on from a mirror, r is multiplied with the mask and the colour, goes to r * r by `contrast` and to
 * its luminance (0.299, 0.587, 0.114) by 1 - `saturation`, and is multiplied with f = share + (1 - share) * (1 - c)^5,
 * or a liquid goes to it by f instead; c is the cosine between the normal and the line of sight. */
typedef struct bspscene_reflection {
	uint32_t first_frame_image;              /* into scene->frames: BSPSCENE_CUBE_SIDES images, +X -X +Y -Y +Z -Z of the
	                                    * world, each as graphics cards have them. NO_INDEX: those of the nearest of
	                                    * scene->cubemaps that has any; liquids without one, the sky */
	bspscene_reflection_mask mask;
	uint32_t mask_image;               /* or NO_INDEX */
	uint32_t normal_image;             /* bends what is reflected; green is down the picture; or NO_INDEX */
	bool with_base;                    /* the mask and the normals lie where the base image does; else at the mesh's own
	                                    * uv, the mask scaled, turned and moved from there: */
	float uv_scale[2], uv_offset[2], uv_rotation_radians;
	float color[3];                    /* linear */
	float contrast, saturation, share; /* 0, 1 and 1 of a plain mirror */
	bool alone;                        /* there is no base image, and the surface itself is black */
	bool inverted;                     /* the mask is 1 less what it is else */
} bspscene_reflection;

/* How a model throws single lamps back (Source's $phong and $rimlight), where its prop has `light`. In linear light:
 * v is the direction to the eye, n the normal, bent by the normal image; for each lamp l is the direction to it, s its
 * colour there, and with r, which is v mirrored by n, its gloss is s * (r.l)^exponent * n.l, all of them 0 or more.
 * F = (1 - n.v)^2 is between the fresnel of 0, 1/2 and 1.
 *
 *     light = cube(n) + sum of s * ((n.l + 1) / 2)^2, in the place of any other light
 *     gloss = sum of glosses * mask * F * boost
 *     rim   = sum of the same with rim_exponent * rim_mask * (1 - n.v)^4
 *     added = (max(gloss, rim) + cube(v) * rim_boost * rim_mask * (1 - n.v)^4 * n.z) * color
 *
 * n.z is within 0..1; without a rim it is gloss * color. All images lie where the base image does. */
typedef struct bspscene_phong {
	uint32_t normal_image;             /* green is down the picture; its alpha is the mask; or NO_INDEX, mask 1 */
	uint32_t exponent_image;           /* or NO_INDEX: it is white */
	bool masked_by_base;               /* the mask is the base image's alpha, and nothing bends the normal */
	float exponent[2];                 /* the first and, times exponent_image's red, the second */
	float color[3];
	bool base_color;                   /* the base image's as far as exponent_image's green says, instead */
	float boost;
	float fresnel[3];
	float reflection_share;            /* how far `reflection` is multiplied with F */
	bool rim;
	float rim_exponent, rim_boost;
	bool rim_masked;                   /* the mask of the rim is exponent_image's alpha; else 1 */
	uint32_t light_ramp;               /* twice this picture at ((n.l + 1) / 2, 0) is what ((n.l + 1) / 2)^2 is else, or
	                                    * NO_INDEX */
	uint32_t gloss_ramp;               /* (r.l)^exponent is multiplied with this picture there and at F, and a gloss is
	                                    * not with F; or NO_INDEX */
} bspscene_phong;

/* How much of a surface shines by itself, in its own colour c: light becomes light * (1 - m) + color * m, all in linear
 * light. emissive_image is the same for hosts that can only add: c * m, where the surface keeps all of its light. */
typedef struct bspscene_emission_mask {
	uint32_t mask_image;               /* its colour is m; NO_INDEX: m is the base image's alpha, with the detail */
	float color[3];
} bspscene_emission_mask;

/* How a surface changes its shape from moment to moment, in the space of its mesh. Positions in files and hosts are
 * those that the map stores; pictures deform them for their view and time. */
typedef enum bspscene_deform_kind {
	BSPSCENE_DEFORM_WAVE,              /* along the normal by `wave`; its phase grows by (x + y + z) * spread */
	BSPSCENE_DEFORM_BULGE,             /* along the normal by height * sin(u * width + time * speed), in radians */
	BSPSCENE_DEFORM_MOVE,              /* all of it by vector * wave */
	BSPSCENE_DEFORM_NORMAL,            /* the normals alone tremble, by the wave's amplitude and frequency */
	BSPSCENE_DEFORM_AUTOSPRITE,        /* each four vertices are a square that faces the viewer, textured anew */
	BSPSCENE_DEFORM_AUTOSPRITE2,       /* the same, but turned about its long axis only */
	/* Sprites of Quake and GoldSrc, of whose crossed quads only the first is shown: what is left of and above the
	 * mesh's origin for who looks along +X is so for the viewer. */
	BSPSCENE_DEFORM_SPRITE,            /* parallel to the picture */
	BSPSCENE_DEFORM_SPRITE_UPRIGHT,    /* parallel to the picture's sides, its top up */
	BSPSCENE_DEFORM_SPRITE_FACING,     /* towards the eye, its top up */
	BSPSCENE_DEFORM_GLOW,              /* as large in the picture from everywhere: all times the distance / 200 */
	BSPSCENE_DEFORM_LIQUID,            /* cut where x, y and z are multiples of `width`, unless that is within 8 of an
	                                    * end; pieces are fans, of their middle when `centred`. Then corners rise by h
	                                    * times 14.4 + 8 * sin(160 time + y + x) + 6.4 * sin(171 time + 5 x - y), angles
	                                    * in 1/256 of a turn; h is `height`, downwards where the eye is not above */
	BSPSCENE_DEFORM_FORCE_32BIT = 0x7fffffff
} bspscene_deform_kind;

typedef struct bspscene_deform {
	bspscene_deform_kind kind;
	bspscene_wave wave;
	float spread;                      /* WAVE: turns per game unit */
	float vector[3];                   /* MOVE: game units */
	float width, height, speed;        /* BULGE; LIQUID: the first two */
	bool centered;                      /* LIQUID */
} bspscene_deform;

/* Images that take turns as the base image, from time 0 on (frames of Source's textures; of other games' materials the
 * stages say it). */
typedef struct bspscene_animation {
	uint32_t first_frame_image, frame_image_count; /* into scene->frames: image numbers, 2 or more; the first is base_image */
	uint32_t first_emissive_image;               /* as many there, which take turns as the emissive image; NO_INDEX: that stays */
	float frames_per_second;           /* more than 0 */
	bool once;                         /* the last one stays, instead of the first one coming again */
} bspscene_animation;

#define BSPSCENE_MATERIAL_MAX_LAYERS 4

/* One of up to four textures that lie on each other on a displacement (Source's Lightmapped_4WayBlend). Colours are
 * linear light, Y is a colour's luminance, step(x, range) rises from 0 to 1 as 3 t^2 - 2 t^3 in the range. From the
 * bottom up, beginning with the colour of layer 0 and bright = step(Y(color), luminance) of it, each layer of colour c
 * and weight w, which is the mesh's blend_weights, does:
 *
 *     own = step(Y(c), luminance)
 *     amount = step(w * (1 + (1 - bright) * (1 - luminance_share) + own * luminance_share), blend)
 *     color += ((doubled ? 2 * color * c : c) - color) * amount
 *     bright += (own - bright) * amount */
typedef struct bspscene_layer {
	uint32_t image;                    /* never NO_INDEX */
	float uv_scale[2];                 /* besides the material's */
	float luminance[2];                /* the range of luminance that counts */
	float luminance_share;             /* of the layer's own luminance, against the darkness of what is below it */
	float blend[2];                    /* the range of weights in which the layer appears; not of layer 0 */
	bool doubled;                      /* multiplied with what is below, and by 2, instead of covering it */
} bspscene_layer;

/* The neutral material: what each has, and pointers to parts that few have. */
typedef struct bspscene_material {
	const char *name;                  /* as the map says: "textures/sample/brick" */
	bspscene_material_kind kind;
	bspscene_surface_kind surface_kind;          /* VISIBLE, or the kind its surfaces are hidden as */
	uint32_t surface_flags, content_flags; /* the game's own bits */
	uint32_t width, height;            /* size that the uvs were divided by; 0: they are stored, not computed */

	/* The best reading as one texture, for glTF, Assimp and simple viewers. */
	uint32_t base_image;               /* NO_INDEX: none (sky, tools, white) */
	uint32_t second_image;             /* blended over the first by mesh->blend_alphas, by the vertex alpha where that
	                                    * is NULL; or NO_INDEX */
	uint32_t emissive_image;           /* shown unlit on top (fullbright texels, glow stages), or NO_INDEX */
	uint32_t normal_image;             /* tangent-space normal map, or NO_INDEX */
	bool normal_green_down;            /* the normal map's green points down the picture (Source, as Direct3D has it),
	                                    * not up as glTF and OpenGL want it: what is written is turned over */
	bool clamp;                        /* textures do not repeat */
	bool unlit;                        /* drawn without any light */
	bool vertex_lit;                   /* vertex colours multiply even where a lightmap exists */
	float uv_scale[2], uv_offset[2];   /* uv' = uv * scale, turned by uv_rotation_radians, + offset, at time 0 */
	float uv_rotation_radians;         /* (1, 0) goes to (cos, sin), clockwise in the picture */
	float scroll[2];                   /* textures per second */
	float color[4];                    /* multiplied with the image; alpha is the material's opacity */
	float emissive[3];
	bspscene_alpha_mode alpha_mode;
	float alpha_cutoff;                /* for MASK */
	bspscene_cull cull;
	float surface_light;               /* emission that the compiler used; 0: none */
	float decal_scale;                 /* as a decal: game units that a texel of it is wide; 1 normally */

	/* The full reading. Materials without stages (Source's) are what is said above and below and nothing more. */
	uint32_t first_pass, pass_count; /* into scene->stages */
	float sort;                        /* draw order: 3 opaque, larger later; the game's own numbers */
	bool polygon_offset, no_mipmaps, no_picmip, portal;

	/* Parts: NULL for the many materials that have none. */
	const bspscene_sky *sky;           /* what a sky shows; NULL also when nothing is known of it */
	const bspscene_fog_parms *fog;
	const bspscene_deform *const *deforms; uint32_t deform_count; /* one after the other */
	const bspscene_blend_mask *blend_mask; /* of second_image */
	const bspscene_detail_texture *detail_texture;
	const bspscene_animation *animation;
	const bspscene_layer *const *layers; uint32_t layer_count; /* by mesh->blend_weights, from the bottom up: 0, or 2 to
	                                    * BSPSCENE_MATERIAL_MAX_LAYERS. base_image and second_image are the first two,
	                                    * and mesh->blend_alphas the second one's weight: all there is when the mesh has
	                                    * no blend_weights */

	const char *script_file;           /* where the text is from, or the file that the map names (Nightfire); else "" */
	uint32_t script_line;
	const char *script_text;           /* the shader or VMT as written, UTF-8; "" when there is none */
	bool added_by_alpha;               /* ADD: what is added is multiplied with its alpha before (SRC_ALPHA, ONE) */
	bool modulated_twice;              /* MODULATE: the product is doubled, so grey 128 changes nothing */
	bool whitened_by_alpha;            /* MODULATE: the less alpha, the nearer to what changes nothing */
	float seamless_scale;              /* more than 0: base and second image are laid from three sides, at zy, xz and xy
	                                    * of the position in game units times this, by the squares of the normal */
	const bspscene_reflection *reflection; /* with load's `reflections`; else NULL */
	const bspscene_emission_mask *emission_mask;
	const bspscene_phong *phong;       /* with load's `reflections`; else NULL */
	bool half_lambert;                 /* on models, what comes of a lamp is not its cosine c to the surface but
	                                    * (c / 2 + 1 / 2)²: it falls softly around them */
} bspscene_material;

#ifdef __cplusplus
}
#endif
#endif
