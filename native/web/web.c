/* web.c - what JavaScript calls beside the library's own functions to show a map. */
#include "web/web.h"

#include <emscripten.h>

#include "overview/shown_part.h"

/* engine.mjs puts it into the module while a call is under way. */
EM_JS(bool, web_told, (const char *stage, double fraction), { return Module['told'](UTF8ToString(stage), fraction); });

bspscene_progress_result web_tell(void *user, const char *stage, double fraction)
{
	(void)user;
	return web_told(stage, fraction) ? BSPSCENE_PROGRESS_CONTINUE : BSPSCENE_PROGRESS_CANCEL;
}

/* Structs of options come as JavaScript laid them out (layout.mjs). */

EMSCRIPTEN_KEEPALIVE bspscene_scene *web_load(const bspscene_source *source, uint32_t map,
                                              bspscene_load_options *options, bspscene_error *error)
{
	options->progress = web_tell;
	return bspscene_source_load(source, map, options, error);
}

/* From where `bspscene render --overview` looks in a picture of that shape, and the box of what it shows. */
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
