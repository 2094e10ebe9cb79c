/* diff_view.h - from where one sees what differs between two maps. */
#ifndef CLI_DIFF_VIEW_H
#define CLI_DIFF_VIEW_H

#include <bspscene/bspscene.h>

#ifdef CLI_HAVE_RENDER
#include <bspscene/render.h>

enum { CLI_MOST_DIFF_VIEWS = 128 };

/* Around what differs, where it is most, from several sides; then the views of the second map's tile that are no
 * overview. The order is the maps'. Returns how many. */
uint32_t cli_list_diff_views(const bspscene_scene *a, const bspscene_scene *b,
                             bspscene_view out[CLI_MOST_DIFF_VIEWS]);
#endif

#endif
