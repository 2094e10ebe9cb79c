/* material.h - Materials of a scene.
 *
 * A material can be read in three ways, from simple to complete:
 * - the best reading as one texture: base_image, color, alpha_mode and their neighbors (glTF, Assimp, simple viewers);
 * - the parts that few materials have: phong, reflection, detail_texture, layers, sky, fog;
 * - the passes of a Quake III shader, drawn in order (scene->material_passes). */
#ifndef BSPSCENE_MATERIAL_H
#define BSPSCENE_MATERIAL_H

#include <bspscene/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Passes ----------------------------------------------------------------------------------------------- */

/** How a surface combines with what lies behind it. */
typedef enum bspscene_alpha_mode {
	BSPSCENE_ALPHA_MODE_OPAQUE,
	BSPSCENE_ALPHA_MODE_MASK,          /**< Texels below alpha_cutoff are not drawn. */
	BSPSCENE_ALPHA_MODE_BLEND,         /**< Source over destination, by alpha. */
	BSPSCENE_ALPHA_MODE_ADD,           /**< Added to the background. */
	BSPSCENE_ALPHA_MODE_MODULATE,      /**< Multiplied with the background. */
	BSPSCENE_ALPHA_MODE_FORCE_32BIT = 0x7fffffff
} bspscene_alpha_mode;

/** What a material is used for. */
typedef enum bspscene_material_kind {
	BSPSCENE_MATERIAL_NORMAL,
	BSPSCENE_MATERIAL_SKY,
	BSPSCENE_MATERIAL_LIQUID,
	BSPSCENE_MATERIAL_TOOL,            /**< Editor material that players never see. */
	BSPSCENE_MATERIAL_FOG,
	BSPSCENE_MATERIAL_FLARE,
	BSPSCENE_MATERIAL_PORTAL,          /**< Mirrors and camera portals. */
	BSPSCENE_MATERIAL_KIND_FORCE_32BIT = 0x7fffffff
} bspscene_material_kind;

/** Factors of source * src_blend + destination * dst_blend, as in Quake III's blendFunc. ONE, ZERO is opaque. */
typedef enum bspscene_blend {
	BSPSCENE_BLEND_ZERO, BSPSCENE_BLEND_ONE,
	BSPSCENE_BLEND_SRC_COLOR, BSPSCENE_BLEND_ONE_MINUS_SRC_COLOR,
	BSPSCENE_BLEND_DST_COLOR, BSPSCENE_BLEND_ONE_MINUS_DST_COLOR,
	BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA,
	BSPSCENE_BLEND_DST_ALPHA, BSPSCENE_BLEND_ONE_MINUS_DST_ALPHA,
	BSPSCENE_BLEND_SRC_ALPHA_SATURATE,
	BSPSCENE_BLEND_FORCE_32BIT = 0x7fffffff
} bspscene_blend;

/** What a pass samples. */
typedef enum bspscene_pass_input {
	BSPSCENE_PASS_INPUT_IMAGE,         /**< The image of the current frame. */
	BSPSCENE_PASS_INPUT_LIGHTMAP,      /**< The section's lightmap page, white if it has none. With a tc_gen other
	                                    * than LIGHTMAP, or with tc_mods: the section's map_page_image, clamped, at
	                                    * its largest mip level, white without one. TC_GEN_LIGHTMAP then means
	                                    * mesh->map_page_uvs. */
	BSPSCENE_PASS_INPUT_WHITE,
	BSPSCENE_PASS_INPUT_VIDEO,         /**< A video, named by `video`. Its replacement image is shown. */
	BSPSCENE_PASS_INPUT_LIGHT,         /**< Whatever lights the section: its page, its vertex colors with an alpha of 1,
	                                    * white if FULLBRIGHT, black if BLACK. Materials without a script have it. */
	BSPSCENE_PASS_INPUT_FORCE_32BIT = 0x7fffffff
} bspscene_pass_input;

/** Quake III's rgbGen: the color that a pass multiplies with. */
typedef enum bspscene_color_gen {
	BSPSCENE_COLOR_GEN_IDENTITY,       /**< 1. */
	BSPSCENE_COLOR_GEN_CONST,          /**< bspscene_material_pass.color. */
	BSPSCENE_COLOR_GEN_VERTEX,         /**< The vertex color. */
	BSPSCENE_COLOR_GEN_ONE_MINUS_VERTEX,
	BSPSCENE_COLOR_GEN_WAVE,           /**< Gray: color_wave at the current time. */
	BSPSCENE_COLOR_GEN_ENTITY,         /**< The color of the node. */
	BSPSCENE_COLOR_GEN_ONE_MINUS_ENTITY,
	BSPSCENE_COLOR_GEN_DIFFUSE,        /**< Light of the light grid on the normal. */
	BSPSCENE_COLOR_GEN_IDENTITY_LIGHTING, /**< 1: the overbright bits are in the light already. Engines differ here. */
	BSPSCENE_COLOR_GEN_LIGHT,          /**< As PASS_INPUT_LIGHT. The product is clamped to 1 before blending
	                                    * (DarkPlaces). */
	BSPSCENE_COLOR_GEN_FORCE_32BIT = 0x7fffffff
} bspscene_color_gen;

/** Quake III's alphaGen: the alpha that a pass multiplies with. */
typedef enum bspscene_alpha_gen {
	BSPSCENE_ALPHA_GEN_IDENTITY, BSPSCENE_ALPHA_GEN_CONST, BSPSCENE_ALPHA_GEN_VERTEX,
	BSPSCENE_ALPHA_GEN_ONE_MINUS_VERTEX, BSPSCENE_ALPHA_GEN_WAVE, BSPSCENE_ALPHA_GEN_ENTITY,
	BSPSCENE_ALPHA_GEN_ONE_MINUS_ENTITY, BSPSCENE_ALPHA_GEN_SPECULAR, BSPSCENE_ALPHA_GEN_PORTAL,
	BSPSCENE_ALPHA_GEN_TERRAIN,        /**< clamp(2 * vertex alpha * image alpha - 0.5, 0, 1) (DarkPlaces). */
	BSPSCENE_ALPHA_GEN_GLOW,           /**< Entity alpha * clamp(19000 / distance^2, 0.05, 1) (GoldSrc, Source). */
	BSPSCENE_ALPHA_GEN_HEIGHT,         /**< clamp((z - alpha) / alpha_range, 0, 1), z in world space (UFO). */
	BSPSCENE_ALPHA_GEN_DIRT,           /**< alpha times a weight by the vertex's position, 0.40625 in the mean (UFO). */
	BSPSCENE_ALPHA_GEN_FORCE_32BIT = 0x7fffffff
} bspscene_alpha_gen;

/** Quake III's tcGen: where texture coordinates come from. */
typedef enum bspscene_tc_gen {
	BSPSCENE_TC_GEN_TEXTURE, BSPSCENE_TC_GEN_LIGHTMAP, BSPSCENE_TC_GEN_ENVIRONMENT, BSPSCENE_TC_GEN_VECTOR,
	BSPSCENE_TC_GEN_REFLECTION,        /**< The frames are the BSPSCENE_CUBE_SIDES sides of a box in the order of a sky,
	                                    * sampled along the reflected line of sight. */
	BSPSCENE_TC_GEN_SURROUND,          /**< The same box, sampled along the line of sight. */
	BSPSCENE_TC_GEN_SIGHT,             /**< x and y of the unit vector from the eye to the vertex (UFO). */
	BSPSCENE_TC_GEN_FORCE_32BIT = 0x7fffffff
} bspscene_tc_gen;

/** Shape of a wave. */
typedef enum bspscene_wave_func {
	BSPSCENE_WAVE_NONE, BSPSCENE_WAVE_SIN, BSPSCENE_WAVE_SQUARE, BSPSCENE_WAVE_TRIANGLE,
	BSPSCENE_WAVE_SAWTOOTH, BSPSCENE_WAVE_INVERSE_SAWTOOTH, BSPSCENE_WAVE_NOISE,
	BSPSCENE_WAVE_FORCE_32BIT = 0x7fffffff
} bspscene_wave_func;

/** value(t) = base + amplitude * func(phase + t * frequency), with t in seconds. Frozen. */
typedef struct bspscene_wave {
	bspscene_wave_func func;           /**< Shape. */
	float base, amplitude, phase, frequency; /**< See above. */
} bspscene_wave;

/** Quake III's tcMod: how texture coordinates change. */
typedef enum bspscene_tc_mod_kind {
	BSPSCENE_TC_MOD_SCALE,             /**< values: s t. */
	BSPSCENE_TC_MOD_SCROLL,            /**< values: s t, textures per second. */
	BSPSCENE_TC_MOD_ROTATE,            /**< values: degrees per second, about 0.5 0.5. */
	BSPSCENE_TC_MOD_STRETCH,           /**< wave. */
	BSPSCENE_TC_MOD_TURBULENCE,        /**< wave: amplitude, phase, frequency. */
	BSPSCENE_TC_MOD_TRANSFORM,         /**< values: m00 m01 m10 m11 t0 t1. */
	BSPSCENE_TC_MOD_ENTITY_TRANSLATE,
	BSPSCENE_TC_MOD_OFFSET,            /**< values: s t. */
	BSPSCENE_TC_MOD_WARP,              /**< Liquids of Quake, GoldSrc and Quake II, values a f r. With the old s and
	                                    * t: s += a * sin(f * t + r * time), t += a * sin(f * s + r * time), in
	                                    * radians. Applied at each pixel, or at corners if the material has
	                                    * DEFORM_LIQUID. */
	BSPSCENE_TC_MOD_FORCE_32BIT = 0x7fffffff
} bspscene_tc_mod_kind;

/** One change of texture coordinates. Frozen. */
typedef struct bspscene_tc_mod {
	bspscene_tc_mod_kind kind;         /**< What the change does. */
	float values[6];                   /**< See bspscene_tc_mod_kind. */
	bspscene_wave wave;                /**< STRETCH, TURBULENCE. */
} bspscene_tc_mod;

#define BSPSCENE_MATERIAL_PASS_MAX_TC_MODS 4

/** One pass over a surface, called a stage in Quake III's shaders. Passes are drawn in order. Materials of games
 * without shaders have one or two passes, Source's have none. */
typedef struct bspscene_material_pass {
	bspscene_pass_input input;         /**< What the pass samples. */
	uint32_t first_frame_image;        /**< First entry of scene->frame_images. */
	uint32_t frame_image_count;        /**< Number of frames: 1 or more for IMAGE, BSPSCENE_CUBE_SIDES for boxes
	                                    * (tc_gen). */
	float frames_per_second;           /**< 0: not animated. */
	const char *video;                 /**< Name of the video, or "". */
	uint32_t light_style;              /**< LIGHTMAP, LIGHT: style of the lightmap set to sample. Usually 0. */
	bool clamp;                        /**< True if the texture does not repeat (clampMap). */
	bool is_detail;                    /**< True if the game may leave the pass out (detail). */
	bspscene_tc_gen tc_gen;            /**< Where texture coordinates come from. */
	float tc_vectors[2][4];            /**< TC_GEN_VECTOR: s and t as functions of xyz1. */
	bspscene_tc_mod tc_mods[BSPSCENE_MATERIAL_PASS_MAX_TC_MODS]; /**< Changes of texture coordinates, in order. */
	uint32_t tc_mod_count;             /**< Entries of `tc_mods` in use. */
	bspscene_color_gen color_gen;      /**< Where the color comes from. */
	float color[3];                    /**< COLOR_GEN_CONST. */
	bspscene_wave color_wave;          /**< COLOR_GEN_WAVE. */
	bspscene_alpha_gen alpha_gen;      /**< Where the alpha comes from. */
	float alpha;                       /**< ALPHA_GEN_CONST, ALPHA_GEN_HEIGHT and ALPHA_GEN_DIRT. */
	bspscene_wave alpha_wave;          /**< ALPHA_GEN_WAVE. */
	float alpha_range;                 /**< ALPHA_GEN_PORTAL and ALPHA_GEN_HEIGHT, in game units. */
	bspscene_blend src_blend, dst_blend; /**< Factors of the pass and of what is below it. */
	bspscene_alpha_mode alpha_test;    /**< OPAQUE: no test. MASK: keep texels with alpha >= alpha_cutoff. */
	float alpha_cutoff;                /**< See alpha_test. */
	bool alpha_test_less;              /**< True if the test keeps texels with alpha < alpha_cutoff instead. */
	bool depth_write, depth_equal;     /**< Keywords depthWrite and depthFunc equal. */
} bspscene_material_pass;

/** Which side of a surface is not drawn. */
typedef enum bspscene_cull {
	BSPSCENE_CULL_BACK,                /**< Usual: only front faces are drawn. */
	BSPSCENE_CULL_FRONT,
	BSPSCENE_CULL_NONE,
	BSPSCENE_CULL_FORCE_32BIT = 0x7fffffff
} bspscene_cull;

/* ---- Parts of materials ----------------------------------------------------------------------------------- */

/** What a sky shows. */
typedef struct bspscene_sky {
	const char *name;                  /**< "env/sample", or "". */
	uint32_t box[6];                   /**< Images for right back left front up down, or NO_INDEX. A side that is
	                                    * half as high as wide covers the upper half; its last row continues below. */
	uint32_t layers[2];                /**< Quake: the opaque back layer and the masked front layer, or NO_INDEX. */
	float cloud_height;                /**< Quake III: height of the cloud dome, whose passes are the material's. 0:
	                                    * none. */
	bool has_sun;                      /**< True if the sky has a sun. */
	float sun_color[3], sun_intensity; /**< Color 0..1 and the shader's intensity. */
	float sun_direction[3];            /**< Unit vector to the sun. */
} bspscene_sky;

/** Fog that fills a brush (Quake III's fogparms). */
typedef struct bspscene_fog_parms {
	float color[3];                    /**< 0..1. */
	float depth;                       /**< Game units after which the fog is opaque. More than 0. */
	bool is_linear;                    /**< True: the fog's share grows with the distance (Enemy Territory). False: with
	                                    * its square root. */
} bspscene_fog_parms;

/** Modulates the weight w of second_image (Source). With smooth(x, a, b) = 3 t^2 - 2 t^3 for t = clamp((x - a) / (b
 * - a)), and g, r the green and red of the mask as stored, the weight is:
 *
 *     masked ? smooth(0.5, g - r, g + r) : smooth(w, max(g - r, 0), min(g + r, 1)) */
typedef struct bspscene_blend_mask {
	uint32_t image;                    /**< Never NO_INDEX. */
	float uv_scale[2], uv_offset[2];   /**< Applied to the mesh's own coordinates. */
	bool masked;                       /**< See above. */
} bspscene_blend_mask;

/** How a detail texture (color d, alpha a) changes the texture below it (color c, alpha b), with factor f.
 *
 * All colors are linear light. The stored values of d count as linear; in mode ADD they are display values, which are
 * converted. mix(x, y) goes from x to y by f. The values are those of Source's $detailblendmode. */
typedef enum bspscene_detail_texture_mode {
	BSPSCENE_DETAIL_TEXTURE_DOUBLED = 0,       /**< c *= mix(1, 2 d). Gray 128 changes nothing. */
	BSPSCENE_DETAIL_TEXTURE_ADD = 1,           /**< c += f * d. */
	BSPSCENE_DETAIL_TEXTURE_OVER = 2,          /**< c moves to d by f * a. */
	BSPSCENE_DETAIL_TEXTURE_FADE = 3,          /**< c and b move to d and a by f. */
	BSPSCENE_DETAIL_TEXTURE_UNDER = 4,         /**< c moves to d by f * (1 - b). b becomes a. */
	BSPSCENE_DETAIL_TEXTURE_GLOW = 5,          /**< f * d is added after lighting. */
	BSPSCENE_DETAIL_TEXTURE_GLOW_BAND = 6, /**< The same with the bright part of d: clamp((d + f - 1) / f) if f >=
	                                    * 0.5, else clamp(4 f (d - 0.5)). */
	BSPSCENE_DETAIL_TEXTURE_PATTERNS = 7,      /**< c *= mix(1, 2 p), where p goes from the red of d to a by b. */
	BSPSCENE_DETAIL_TEXTURE_MULTIPLY = 8,      /**< c *= mix(1, d), b *= mix(1, a). */
	BSPSCENE_DETAIL_TEXTURE_MASK = 9,          /**< b *= mix(1, a). */
	BSPSCENE_DETAIL_TEXTURE_SELF_SHADOWED = 11,/**< c *= 2/3 of the sum of d's channels: light from three directions. */
	BSPSCENE_DETAIL_TEXTURE_FORCE_32BIT = 0x7fffffff
} bspscene_detail_texture_mode;

/** Fine structure over the base image (Source's $detail). */
typedef struct bspscene_detail_texture {
	uint32_t image;                    /**< Never NO_INDEX. */
	bspscene_detail_texture_mode mode; /**< How the texture changes what lies below it. */
	float uv_scale[2];                 /**< Applied to the base image's transformed coordinates. */
	float color[3];                    /**< Multiplied with d. */
	float factor;                      /**< f. */
	bool display;                      /**< True if d is a display value, as the base image is, in every mode. */
	bool keeps_alpha;                  /**< True if b stays as it is in every mode. */
	bool own_uv;                       /**< True if the coordinates do not depend on the base image: the mesh's own
	                                    * uv * uv_scale, turned by uv_rotation_radians, + uv_offset + scroll * time. */
	float uv_offset[2], uv_rotation_radians, scroll[2]; /**< With own_uv. */
} bspscene_detail_texture;

/** What masks a reflection. */
typedef enum bspscene_reflection_mask {
	BSPSCENE_REFLECTION_MASK_NONE,
	BSPSCENE_REFLECTION_MASK_IMAGE,          /**< Color of mask_image, as stored. */
	BSPSCENE_REFLECTION_MASK_BASE_ALPHA,     /**< 1 - alpha of the base image with detail, which then is no opacity.
	                                          * Mixed with the alpha of second_image as the two images are. */
	BSPSCENE_REFLECTION_MASK_NORMAL_ALPHA,   /**< Alpha of normal_image. */
	BSPSCENE_REFLECTION_MASK_FORCE_32BIT = 0x7fffffff
} bspscene_reflection_mask;

/** A cube map reflected in the surface (Source's $envmap), added to its light in linear light:
 *
 *     r = cube(reflected line of sight) * mask * color
 *     r = mix(r, r * r, contrast)
 *     r = mix(luminance(r), r, saturation)            luminance weights 0.299, 0.587, 0.114
 *     r = r * f,  f = share + (1 - share) * (1 - c)^5, c the cosine between normal and line of sight
 *
 * On liquids r is not added: the color becomes mix(color, r, f). */
typedef struct bspscene_reflection {
	uint32_t first_frame_image;        /**< First of BSPSCENE_CUBE_SIDES entries of scene->frame_images, +X -X +Y -Y
	                                    * +Z -Z. NO_INDEX: those of the nearest of scene->cubemaps; for liquids
	                                    * without one, the sky. */
	bspscene_reflection_mask mask;     /**< What masks the reflection. */
	uint32_t mask_image;               /**< REFLECTION_MASK_IMAGE: never NO_INDEX. */
	uint32_t normal_image;             /**< Bends the reflection. Green points down the image. Or NO_INDEX. */
	bool with_base;                    /**< True if mask and normals use the base image's coordinates. Else they use the
	                                    * mesh's own, and the mask is transformed by the next three fields. */
	float uv_scale[2], uv_offset[2], uv_rotation_radians; /**< Applied to the coordinates of the mask. */
	float color[3];                    /**< Linear. */
	float contrast, saturation, share; /**< 0, 1 and 1 for a plain mirror. */
	bool alone;                        /**< True if there is no base image and the surface itself is black. */
	bool inverted;                     /**< True if the mask is 1 minus the value above. */
} bspscene_reflection;

/** Phong shading of a model (Source's $phong and $rimlight), for props with model_light. In linear light, with v the
 * direction to the eye, n the bent normal, r = v mirrored by n, and for each lamp l its direction and s its light:
 *
 *     light    = cube(n) + sum of s * ((n.l + 1) / 2)^2, in place of other light
 *     specular = sum of s * (r.l)^exponent * n.l
 *     gloss    = specular * mask * F * boost
 *     rim      = specular with rim_exponent * rim_mask * (1 - n.v)^4
 *     added    = (max(gloss, rim) + cube(v) * rim_boost * rim_mask * (1 - n.v)^4 * n.z) * color
 *
 * Dot products and n.z are clamped to 0. F interpolates `fresnel` at 0, 1/2 and 1 by (1 - n.v)^2. Without a rim,
 * added = gloss * color. All images use the base image's coordinates. */
typedef struct bspscene_phong {
	uint32_t normal_image;             /**< Green points down the image; alpha is the mask. NO_INDEX: mask 1. */
	uint32_t exponent_image;           /**< NO_INDEX: white. */
	bool masked_by_base;               /**< True if the mask is the base image's alpha, and normal_image is not used. */
	float exponent[2];                 /**< exponent = [0] + [1] * red of exponent_image. */
	float color[3];                    /**< Linear. See above. */
	bool base_color;                   /**< True if the color moves to the base image's by exponent_image's green. */
	float boost;                       /**< See above. */
	float fresnel[3];                  /**< See above. */
	float reflection_share;            /**< `reflection` is multiplied with 1 + (F - 1) * reflection_share. */
	bool rim;                          /**< True if the model has rim light. */
	float rim_exponent, rim_boost;     /**< See above. */
	bool rim_masked;                   /**< True if exponent_image's alpha masks the rim. */
	uint32_t light_ramp;               /**< Image that replaces ((n.l + 1) / 2)^2 by twice its color at ((n.l + 1) /
	                                    * 2, 0), or NO_INDEX. */
	uint32_t gloss_ramp;               /**< Image that replaces the factor F: its color at ((r.l)^exponent, F), or
	                                    * NO_INDEX. */
} bspscene_phong;

/** Self-illumination (Source's $selfillum). In linear light, light = mix(light, color, m), then times the base image.
 * emissive_image is the same for hosts that can only add light. */
typedef struct bspscene_emission_mask {
	uint32_t mask_image;               /**< Its color is m. NO_INDEX: m is the base image's alpha with detail. */
	float color[3];                    /**< Linear. See above. */
} bspscene_emission_mask;

/** Light by a normal map (Source's $bumpmap on lightmapped surfaces): the pages BUMP_0 to BUMP_2 hold the light along
 * the vectors of a basis in tangent space,
 *
 *     b0 = (sqrt(2/3), 0, sqrt(1/3)), b1 = (-sqrt(1/6), sqrt(1/2), sqrt(1/3)), b2 = (-sqrt(1/6), -sqrt(1/2), sqrt(1/3))
 *
 * In linear light, with the texel n = 2 * color - 1 of the map, not normalized:
 *
 *     light = sum of bump_k * w_k / sum of w_k,  w_k = max(n . b_k, 0)^2
 *
 * Before that the three are scaled so that their mean is the light of the LIGHT page, in each channel. Where all are
 * black, the LIGHT page stands for each. Images use the base image's coordinates. */
typedef struct bspscene_bump_light {
	uint32_t image;                    /**< Green points down the image. Never NO_INDEX. */
	uint32_t second_image;             /**< Map of second_image, mixed as the two textures are. Or NO_INDEX. */
	bool self_shadowing;               /**< True if the texel's color itself is the three weights: light = sum of bump_k
	                                    * * color_k, and n = sum of b_k * color_k, normalized. */
} bspscene_bump_light;

/** How a surface changes its shape over time. Scenes and files hold the positions that the map stores; only pictures
 * deform them. */
typedef enum bspscene_deform_kind {
	BSPSCENE_DEFORM_WAVE,              /**< Along the normal by `wave`. The phase grows by (x + y + z) * spread. */
	BSPSCENE_DEFORM_BULGE,             /**< Along the normal by height * sin(u * width + time * speed), in radians. */
	BSPSCENE_DEFORM_MOVE,              /**< By vector * wave. */
	BSPSCENE_DEFORM_NORMAL,            /**< Normals only, by the wave's amplitude and frequency. */
	BSPSCENE_DEFORM_AUTOSPRITE,        /**< Every four vertices form a square that faces the viewer, with new uvs. */
	BSPSCENE_DEFORM_AUTOSPRITE2,       /**< The same, turned about its long axis only. */
	/* Sprites of Quake and GoldSrc. Of the crossed quads only the first is shown. Left and up, as seen along +X from
	 * the mesh's origin, become left and up of the viewer. */
	BSPSCENE_DEFORM_SPRITE,            /**< Parallel to the picture. */
	BSPSCENE_DEFORM_SPRITE_UPRIGHT,    /**< Upright, parallel to the picture's sides. */
	BSPSCENE_DEFORM_SPRITE_FACING,     /**< Upright, facing the eye. */
	BSPSCENE_DEFORM_GLOW,              /**< Constant size in the picture: scaled by distance / 200. */
	BSPSCENE_DEFORM_LIQUID,            /**< Cut where x, y and z are multiples of `width`, but not within 8 of an
	                                    * end; pieces are fans, around their middle if `centered`. Corners then rise
	                                    * by height * (14.4 + 8 sin(160 time + y + x) + 6.4 sin(171 time + 5 x - y)),
	                                    * angles in 1/256 of a turn; downward where the eye is below. */
	BSPSCENE_DEFORM_FORCE_32BIT = 0x7fffffff
} bspscene_deform_kind;

/** One deformation. */
typedef struct bspscene_deform {
	bspscene_deform_kind kind;         /**< What the deformation does. */
	bspscene_wave wave;                /**< WAVE, MOVE, NORMAL. */
	float spread;                      /**< WAVE: turns per game unit. */
	float vector[3];                   /**< MOVE: game units. */
	float width, height, speed;        /**< BULGE; LIQUID uses width and height. */
	bool centered;                     /**< LIQUID. */
} bspscene_deform;

/** Frames of a texture that take turns as base_image (Source). Other games use the frames of passes. */
typedef struct bspscene_animation {
	uint32_t first_frame_image;        /**< First entry of scene->frame_images. The first frame is base_image. */
	uint32_t frame_image_count;        /**< 2 or more. */
	uint32_t first_emissive_image;     /**< First of as many entries that take turns as emissive_image. NO_INDEX: it
	                                    * does not change. */
	float frames_per_second;           /**< More than 0. */
	bool once;                         /**< True if the last frame stays. Else the first one follows. */
} bspscene_animation;

#define BSPSCENE_MATERIAL_MAX_LAYERS 4

/** One of up to four textures blended on a displacement (Source's Lightmapped_4WayBlend).
 *
 * Colors are linear light. Y(c) is luminance, smooth(x, range) the smoothstep 3 t^2 - 2 t^3 over a range. Start with
 * layer 0: color = its color, bright = smooth(Y(color), luminance). Each further layer with color c and weight w
 * (mesh->blend_weights) does:
 *
 *     own = smooth(Y(c), luminance)
 *     amount = smooth(w * (1 + (1 - bright) * (1 - luminance_share) + own * luminance_share), blend)
 *     color += ((doubled ? 2 * color * c : c) - color) * amount
 *     bright += (own - bright) * amount */
typedef struct bspscene_layer {
	uint32_t image;                    /**< Never NO_INDEX. */
	float uv_scale[2];                 /**< In addition to the material's. */
	float luminance[2];                /**< Range of luminance that counts. */
	float luminance_share;             /**< 1: only the layer's own luminance counts. 0: only the darkness of the layers
	                                    * below it. */
	float blend[2];                    /**< Range of weights in which the layer appears. Unused in layer 0. */
	bool doubled;                      /**< True if the layer is multiplied by 2 and with what lies below. */
} bspscene_layer;

/* ---- The material ----------------------------------------------------------------------------------------- */

/** A material: fields that each one has, and pointers to parts that few have. */
typedef struct bspscene_material {
	const char *name;                  /**< The map's name: "textures/sample/brick". */
	bspscene_material_kind kind;       /**< What the material is used for. */
	bspscene_surface_kind surface_kind; /**< VISIBLE, or the kind that hides its surfaces. */
	uint32_t surface_flags, content_flags; /**< The game's own bits. */
	uint32_t width, height;            /**< Texels by which uvs were divided. 0: the map stores uvs. */

	/* The best reading as one texture, for glTF, Assimp and simple viewers. */
	uint32_t base_image;               /**< NO_INDEX: none (sky, tools, white). */
	uint32_t second_image;             /**< Blended over base_image by mesh->blend_alphas, or by the vertex alpha if
	                                    * that is NULL. Or NO_INDEX. */
	uint32_t emissive_image;           /**< Added without light (fullbright texels, glow passes), or NO_INDEX. */
	uint32_t normal_image;             /**< Tangent-space normal map, or NO_INDEX. */
	bool normal_green_down;            /**< True if green points down the image (Direct3D, Source). glTF and OpenGL
	                                    * want it up, so writers flip it. */
	bool clamp;                        /**< True if textures do not repeat. */
	bool unlit;                        /**< True if the material is drawn without light. */
	bool vertex_lit;                   /**< True if vertex colors multiply even where a lightmap exists. */
	float uv_scale[2], uv_offset[2];   /**< uv' = uv * scale, rotated, + offset, at time 0. */
	float uv_rotation_radians;         /**< (1, 0) becomes (cos, sin): clockwise in the image. */
	float scroll[2];                   /**< Textures per second. */
	float color[4];                    /**< Multiplied with the image. Alpha is the opacity. */
	float emissive[3];                 /**< Multiplied with emissive_image, in display values. */
	bspscene_alpha_mode alpha_mode;    /**< How the material is blended. */
	float alpha_cutoff;                /**< For MASK. */
	bool added_by_alpha;               /**< ADD: the color is multiplied by its alpha first (SRC_ALPHA, ONE). */
	bool modulated_twice;              /**< MODULATE: the product is doubled, so gray 128 changes nothing. */
	bool whitened_by_alpha;            /**< MODULATE: the color moves to white as alpha falls, so it changes less. */
	bspscene_cull cull;                /**< Which side is not drawn. */
	bool half_lambert;                 /**< On models, a lamp adds ((c + 1) / 2)^2 for the cosine c. Else max(c, 0). */
	float surface_light;               /**< Emission that the compiler used. 0: none. */
	float decal_scale;                 /**< Decals: game units for each texel. Usually 1. */
	float seamless_scale;              /**< More than 0: triplanar mapping. Coordinates are zy, xz and xy of the
	                                    * position times this, weighted by the squared normal. */

	/* The complete reading. Source's materials have no passes. */
	uint32_t first_pass, pass_count;   /**< Range of scene->material_passes. */
	float sort;                        /**< Draw order in the game's numbers: opaque surfaces have 3, larger numbers are
	                                    * drawn later. */
	bool polygon_offset, no_mipmaps, no_picmip, portal; /**< Keywords of the shader. */

	/* Parts. NULL if the material has none. */
	const bspscene_sky *sky;           /**< What the sky shows. */
	const bspscene_fog_parms *fog;     /**< Fog that fills brushes of this material. */
	const bspscene_deform *const *deforms; /**< Applied in order. */
	uint32_t deform_count;             /**< Entries of `deforms`. */
	const bspscene_blend_mask *blend_mask; /**< For second_image. */
	const bspscene_detail_texture *detail_texture; /**< Fine structure over the base image. */
	const bspscene_animation *animation; /**< Frames of the base image. */
	const bspscene_layer *const *layers; /**< From the bottom up, weighted by mesh->blend_weights. The first two are
	                                    * base_image and second_image; a mesh without blend_weights has only these. */
	uint32_t layer_count;              /**< 0, or 2 to BSPSCENE_MATERIAL_MAX_LAYERS. */
	const bspscene_reflection *reflection; /**< With the load option `reflections`. */
	const bspscene_emission_mask *emission_mask; /**< Self-illumination. */
	const bspscene_phong *phong;       /**< With the load option `reflections`. */
	const bspscene_bump_light *bump_light; /**< With the load option `reflections`. It bends the reflection as well. */

	/* Where the material is defined. */
	const char *script_file;           /**< Game path of the shader or VMT, or the file that the map names (Nightfire).
	                                    * "" if there is none. */
	uint32_t script_line;              /**< Line of script_file at which the definition starts. */
	const char *script_text;           /**< The definition as written, in UTF-8, or "". */
} bspscene_material;

#ifdef __cplusplus
}
#endif
#endif
