/* picture_file.h - a picture of a map, or an animation, as a file whose text says what it shows. */
#ifndef CLI_PICTURE_FILE_H
#define CLI_PICTURE_FILE_H

#include "cli/output.h"

#ifdef CLI_HAVE_RENDER
	#include <bspscene/render.h>

typedef struct cli_picture {
	const char *name;                  /* of the file in the output */
	const char *description;           /* what is seen, for people; not NULL */
	const bspscene_view *views;        /* cameras; a sheet has several, in rows from the top */
	uint32_t view_count;
	bool animated;      /* the views' pictures lie one below another and become a WebP */
	float exposure;     /* what bspscene_auto_expose returned; 1: as it was drawn */
	uint32_t width, height;
	const uint8_t *rgb;                /* width * height pixels, top row first */
} cli_picture;

/* Writes the picture, by its name a PNG, TGA or BMP, or the animation. PNG and animation have the facts in them: Title,
 * Description, Map, Format, Identifier
 * (SHA-256 of the map's file, of scenes that were loaded with `identify`), Camera (of what has views), Exposure and
 * Software. False: `error` or the output's failure is set. */
bool cli_save_picture(const bspscene_scene *scene, const cli_picture *picture, cli_output *output,
                      bspscene_error *error);
#endif

#endif
