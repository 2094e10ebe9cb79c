/* fuzzed.c - see fuzzed.h. */
#include "support/hostile/fuzzed.h"

#include "support/check/check_scene.h"

bspscene_scene *bspt_load_fuzzed(bspi_bytes map, const bspscene_load_options *options, bspt_report *report)
{
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(map.data, map.size, options, &error);
	if (scene) bspt_check_scene(scene, options, report);
	else bspt_check_error(&error, report);
	return scene;
}

void bspt_write_fuzzed(const bspscene_scene *scene, const char *writer, const bspscene_write_options *options,
                       bspt_report *report)
{
	bspt_sink sink;
	bspscene_error error;
	bspscene_output output = bspt_sink_output(&sink);
	if (!bspscene_write(scene, writer, options, &output, &error)) bspt_check_error(&error, report);
}

const char *bspt_fuzzed_sequence(uint8_t number)
{
	static const char *const sequences[8] = { NULL, "0", "1", "idle", "walk", "300", "", "-1" };
	return sequences[number % 8];
}
