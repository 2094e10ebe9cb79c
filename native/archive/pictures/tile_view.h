/* tile_view.h - of all that a map has to look at, the view that says most of it in a small picture. */
#ifndef CLI_TILE_VIEW_H
#define CLI_TILE_VIEW_H

#include <bspscene/bspscene.h>

#ifdef CLI_HAVE_RENDER
#include <bspscene/render.h>

/* Measures of a picture's content, each 0 to 1. */
typedef struct cli_picture_look {
	float entropy;                     /* spread of its brightness: how much there is to see */
	float black;                       /* share of pixels that are nearly black */
	float alike;                       /* share of the most frequent color */
	float detail;                      /* difference of neighboring pixels */
	float brightness;                  /* mean */
	float nearness;                    /* share of what is so near that it fills the view; 0 where nobody measured it */
} cli_picture_look;

/* Measures RGB pixels; pixels of the background color (NULL: none) do not count. */
cli_picture_look cli_measure_picture(const uint8_t *rgb, uint32_t width, uint32_t height, const uint8_t *background);
/* The share of a view that is too near to the eye, of distances in game units. */
float cli_measure_nearness(const float *distances, size_t count);
/* Nobody would look at it: it is black, or a wall. docs/archive.md has the rule. */
bool cli_is_useless(const cli_picture_look *look);
/* How well it invites; higher is better. */
float cli_rate_picture(const cli_picture_look *look);

/* A view chosen by the author counts more than one that was searched. */
#define CLI_SHOT_BONUS 0.2f

enum { CLI_MOST_TILE_VIEWS = 40 };

typedef struct cli_tile_view {
	bspscene_view view;
	const char *text;                  /* what is seen, for the picture's description */
	float bonus;                       /* for what authors chose */
	bool above;
} cli_tile_view;

/* Lists intermissions and named cameras, player starts with a look around from each, and views from above, in the map's
 * order. Returns their number. */
uint32_t cli_list_tile_views(const bspscene_scene *scene, uint32_t width, uint32_t height,
                             cli_tile_view out[CLI_MOST_TILE_VIEWS]);
#endif

#endif
