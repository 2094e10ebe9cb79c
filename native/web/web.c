/* web.c - functions that JavaScript calls to show a map, in addition to the library's own. */
#include "web/web.h"

#include <emscripten.h>

#include "overview/shown_part.h"

/* Calls the function `told`, which engine.mjs puts into the module for the time of a call. */
EM_JS(bool, web_told, (const char *stage, double fraction), { return Module['told'](UTF8ToString(stage), fraction); });

bspscene_progress_result web_tell(void *user, const char *stage, double fraction)
{
	(void)user;
	return web_told(stage, fraction) ? BSPSCENE_PROGRESS_CONTINUE : BSPSCENE_PROGRESS_CANCEL;
}

/* JavaScript fills the structs of options before it calls the following functions (layout.mjs). */

EMSCRIPTEN_KEEPALIVE bspscene_scene *web_load(const bspscene_source *source, uint32_t map,
                                              bspscene_load_options *options, bspscene_error *error)
{
	options->progress = web_tell;
	return bspscene_source_load(source, map, options, error);
}

/* Returns the camera of `bspscene render --overview` for a picture of this width and height, and the bounding box that
 * it shows. */
typedef struct overview {
	bspscene_view view;
	bspscene_bounds shown;
} overview;

EMSCRIPTEN_KEEPALIVE void web_look_from_above(const bspscene_scene *scene, uint32_t width, uint32_t height,
                                              overview *out)
{
	out->view = bspscene_view_overview(scene, width, height);
	out->shown = bspr_shown_bounds(scene);
}
