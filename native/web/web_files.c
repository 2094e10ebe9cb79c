/* web_files.c - functions that JavaScript calls to write a scene's files and to describe a map. Code that only these
 * functions need is in a second module, which is loaded when one of them is first called (scripts/lib/split_web.py). */
#include <emscripten.h>

#include <bspscene/bspscene.h>

#include "cli/describe.h"
#include "cli/json.h"
#include "web/web.h"

/* engine.mjs puts `began` and the other functions into the module for the time of a call. */
EM_JS(bool, web_began, (const char *name), { return Module['began'](UTF8ToString(name)); });
EM_JS(bool, web_wrote, (const void *data, size_t size), { return Module['wrote'](data, size); });

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

EMSCRIPTEN_KEEPALIVE bspscene_scene *web_bake_light(const bspscene_scene *scene, bspscene_bake_options *options,
                                                    bspscene_error *error)
{
	options->progress = web_tell;
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
	options->progress = web_tell;
	return bspscene_write(scene, writer, options, &output, error);
}

/* Returns what `bspscene info --json` prints, in memory to be freed by free(), or NULL if memory is short. `scene` must
 * have been loaded with the option `identify`. */
EMSCRIPTEN_KEEPALIVE char *web_describe(const bspscene_scene *scene, const bspscene_source *source, const char *file)
{
	return cli_json_line(cli_describe_map(scene, bspscene_source_file_system(source), file));
}
