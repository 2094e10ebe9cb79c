/* web.c - what JavaScript calls beside the library's own functions: those that call back, and those that make files. */
#include <emscripten.h>

#include <bspscene/bspscene.h>

#include "cli/describe.h"
#include "cli/json.h"

/* JavaScript's share of a call: engine.mjs puts these into the module while one is under way. */
EM_JS(bool, web_told, (const char *stage, double fraction), { return Module['told'](UTF8ToString(stage), fraction); });
EM_JS(bool, web_began, (const char *name), { return Module['began'](UTF8ToString(name)); });
EM_JS(bool, web_wrote, (const void *data, size_t size), { return Module['wrote'](data, size); });

static bspscene_progress_result tell(void *user, const char *stage, double fraction)
{
	(void)user;
	return web_told(stage, fraction) ? BSPSCENE_CONTINUE : BSPSCENE_CANCEL;
}

static bool begin(void *user, const char *name)
{
	(void)user;
	return web_began(name);
}

static bool write(void *user, const void *data, size_t size)
{
	(void)user;
	return web_wrote(data, size);
}

static bool end(void *user)
{
	(void)user;
	return true;
}

/* Structs of options come as JavaScript laid them out (layout.mjs). */

EMSCRIPTEN_KEEPALIVE bspscene_scene *web_load(const bspscene_place *place, uint32_t map, bspscene_load_options *options,
                                              bspscene_error *error)
{
	options->progress = tell;
	return bspscene_place_load(place, map, options, error);
}

EMSCRIPTEN_KEEPALIVE bspscene_scene *web_bake_light(const bspscene_scene *scene, bspscene_bake_options *options,
                                                    bspscene_error *error)
{
	options->progress = tell;
	return bspscene_bake_light(scene, options, error);
}

EMSCRIPTEN_KEEPALIVE bool web_write(const bspscene_scene *scene, const char *writer, bspscene_write_options *options,
                                    bspscene_error *error)
{
	bspscene_output output;
	bspscene_output_init(&output);
	output.begin = begin;
	output.write = write;
	output.end = end;
	options->progress = tell;
	return bspscene_write(scene, writer, options, &output, error);
}

/* What `bspscene info --json` prints, in memory that free() takes back; NULL without memory. `scene` was loaded with
 * `identify`. */
EMSCRIPTEN_KEEPALIVE char *web_describe(const bspscene_scene *scene, const bspscene_place *place, const char *file)
{
	return cli_json_line(cli_describe_map(scene, bspscene_place_files(place), file));
}
