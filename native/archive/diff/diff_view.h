/* diff_view.h - cameras that show the differences of two maps. */
#ifndef CLI_DIFF_VIEW_H
#define CLI_DIFF_VIEW_H

#include <bspscene/bspscene.h>

#ifdef CLI_HAVE_RENDER
#include <bspscene/render.h>

enum { CLI_MOST_DIFF_VIEWS = 128 };

/* Sets `out` to views that may show the differences, and returns their number. First come views of the largest
 * differences, from several sides. Then come the views that cli_list_tile_views lists for map b, except those from
 * above. The order depends only on the maps. */
uint32_t cli_list_diff_views(const bspscene_scene *a, const bspscene_scene *b,
                             bspscene_view out[CLI_MOST_DIFF_VIEWS]);
#endif

#endif
