/* tile_view.h - chooses the view of a map that says most in a small picture. */
#ifndef CLI_TILE_VIEW_H
#define CLI_TILE_VIEW_H

#include <bspscene/bspscene.h>

#ifdef CLI_HAVE_RENDER
#include <bspscene/render.h>

/* Measures of a picture's content, each 0 to 1. */
typedef struct cli_picture_look {
	float entropy;                     /* entropy of the brightness; higher for pictures with more content */
	float black;                       /* share of pixels that are nearly black */
	float alike;                       /* share of pixels with the most frequent color */
	float detail;                      /* mean difference of neighboring pixels */
	float brightness;                  /* mean brightness */
	float nearness;                    /* share of the view that is filled by near surfaces; 0: not measured */
} cli_picture_look;

/* Measures RGB pixels; pixels of the background color (NULL: none) do not count. */
cli_picture_look cli_measure_picture(const uint8_t *rgb, uint32_t width, uint32_t height, const uint8_t *background);
/* Returns the share of the view that is too near, from distances in game units. */
float cli_measure_nearness(const float *distances, size_t count);
/* True if the picture is black or shows only a wall. docs/archive.md has the rule. */
bool cli_is_useless(const cli_picture_look *look);
/* Rates a picture; higher is better. */
float cli_rate_picture(const cli_picture_look *look);

/* Bonus for pictures and views that the map's author chose. */
#define CLI_SHOT_BONUS 0.2f

enum { CLI_MOST_TILE_VIEWS = 40 };

typedef struct cli_tile_view {
	bspscene_view view;
	const char *text;                  /* text for the picture's description */
	float bonus;                       /* added to the rating; higher for views that the map's author chose */
	bool above;
} cli_tile_view;

/* Lists views from intermissions and named cameras, views in several directions from player starts, and views from
 * above, each kind in the map's order. Returns their number. */
uint32_t cli_list_tile_views(const bspscene_scene *scene, uint32_t width, uint32_t height,
                             cli_tile_view out[CLI_MOST_TILE_VIEWS]);
#endif

#endif
