/* render_options.h - the options that only `render` has. */
#ifndef CLI_RENDER_OPTIONS_H
#define CLI_RENDER_OPTIONS_H

#include "cli/options/option_rows.h"

typedef enum cli_render_mode {
	CLI_MODE_FULL,                     /* draws textures multiplied by light */
	CLI_MODE_LIGHTMAP,
	CLI_MODE_TEXTURE
} cli_render_mode;

#define CLI_EXPOSURE_AUTO (-1.0f)

typedef struct cli_render_options {
	float fov_degrees;                 /* horizontal field of view; 0: the camera's own */
	bool has_camera, overview, plan, turn, panorama, roofs, world_only, pvs;
	float camera[6];                   /* x y z pitch yaw roll, game units and degrees */
	const char *entity;                /* "CLASSNAME" or "CLASSNAME:N", or NULL */
	const char *every;                 /* classname whose entities make a sheet of views, or NULL */
	uint32_t frames;                   /* number of frames of --turn; 0: the default */
	cli_render_mode mode;
	float intensity;                   /* brightness factor for lightmaps; 0: the factor that the map's game uses */
	float exposure;                    /* brightness factor for the picture, or CLI_EXPOSURE_AUTO; 0: automatic for
	                                    * views from above without --intensity, else 1 */
	float time;                        /* seconds since the map started */
	uint32_t samples;                  /* samples for each pixel; 0: the renderer's default */
	uint32_t level;                    /* number of the level that a plan shows; 0: all levels */
} cli_render_options;

extern const cli_option_row cli_render_rows[];

#endif
