/* diff_view.h - cameras that show the differences of two maps. */
#ifndef CLI_DIFF_VIEW_H
#define CLI_DIFF_VIEW_H

#include <bspscene/bspscene.h>

#ifdef CLI_HAVE_RENDER
#include <bspscene/render.h>

enum { CLI_MOST_DIFF_VIEWS = 128 };

/* Returns views around the largest differences, from several sides, then the views that are candidates for the second
 * map's tile, except overviews. The order depends only on the maps. Returns their number. */
uint32_t cli_list_diff_views(const bspscene_scene *a, const bspscene_scene *b,
                             bspscene_view out[CLI_MOST_DIFF_VIEWS]);
#endif

#endif
