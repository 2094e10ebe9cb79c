/* picture_file.h - writes a picture or an animation of a map with metadata. */
#ifndef CLI_PICTURE_FILE_H
#define CLI_PICTURE_FILE_H

#include "cli/output.h"

#ifdef CLI_HAVE_RENDER
	#include <bspscene/render.h>

typedef struct cli_picture {
	const char *name;                  /* name of the file in the output */
	const char *description;           /* description for people; not NULL */
	const bspscene_view *views;        /* the cameras; a sheet has several, in rows from the top */
	uint32_t view_count;
	bool animated;      /* true: the file is an animated WebP, and `rgb` has one frame below the other */
	float exposure;     /* brightness factor from bspscene_auto_expose; 1: unchanged */
	uint32_t width, height;
	const uint8_t *rgb;                /* width * height pixels, top row first */
} cli_picture;

/* Writes the picture as PNG, TGA or BMP, by its name, or the animation. PNG and animation have metadata: Title,
 * Description, Map, Format, Identifier (SHA-256 of the map's file, if the scene was loaded with `identify`), Camera (if
 * there are views), Exposure and Software. Returns false on failure; `error` or the output has the reason. */
bool cli_save_picture(const bspscene_scene *scene, const cli_picture *picture, cli_output *output,
                      bspscene_error *error);
#endif

#endif
