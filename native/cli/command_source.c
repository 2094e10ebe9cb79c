/* command_source.c - opens and loads the map that the command line names. See command_source.h. */
#include "cli/command_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/inputs.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/host/platform.h"

static cli_exit open_source(cli_source *source, const cli_args *args)
{
	bspscene_source_options options;
	bspscene_error error;
	bspscene_source_options_init(&options);
	options.games = args->games;
	options.game_count = args->game_count;
	options.model = args->map;
	source->place = bspscene_source_open(args->source, &options, &error);
	if (!source->place) return cli_fail("%s", error.message);
	const char *problem;
	for (uint32_t i = 0; (problem = bspscene_source_problem(source->place, i)); i++) {
		cli_warn(args, "left out: %s", problem);
	}
	return CLI_DONE;
}

static cli_exit choose_map(cli_source *source, const cli_args *args)
{
	bspscene_error error;
	const bspscene_source *place = source->place;
	source->map = bspscene_source_find_map(place, args->map, &error);
	if (source->map == BSPSCENE_NO_INDEX) {
		if (error.status == BSPSCENE_ERROR_BAD_OPTIONS) return cli_usage("%s (--map NAME)", error.message);
		return cli_fail("%s", error.message);
	}
	bool single = bspscene_source_kind_of(place) == BSPSCENE_SOURCE_MAP;
	source->label = single ? cli_format("%s", args->source)
	                       : cli_format("%s: %s", args->source, bspscene_source_map_path(place, source->map));
	return CLI_DONE;
}

void cli_source_close(cli_source *source)
{
	bspscene_source_free(source->place);
	free(source->label);
	*source = (cli_source){ 0 };
}

enum { PALETTE_SIZE = 768 };

/* Reads a palette from the last 768 bytes of a file. A .lmp is only the palette; a .pcx has it after the pixels. */
static bool read_palette(const char *path, uint8_t out[PALETTE_SIZE])
{
	FILE *file = cli_open_to_read(path);
	bool complete = file && !fseek(file, -PALETTE_SIZE, SEEK_END) && fread(out, PALETTE_SIZE, 1, file) == 1;
	if (!file) cli_fail("%s: %s", path, strerror(errno));
	else if (!complete)
		cli_fail("%s: is not a palette: it has less than %d bytes, or cannot be read", path, PALETTE_SIZE);
	if (file) fclose(file);
	return complete;
}

cli_exit cli_source_open(cli_source *source, const cli_args *args, const char *output)
{
	*source = (cli_source){ .path = args->source };
	cli_exit status = open_source(source, args);
	if (status == CLI_DONE) status = choose_map(source, args);
	if (status == CLI_DONE && output && cli_is_input(source, output)) {
		return cli_usage("%s: is the input; give the output another name", output);
	}
	return status;
}

void cli_copy_options(const cli_source *source, const cli_args *args, bspscene_load_options *options)
{
	bspscene_load_options_init(options);
	bspscene_source_prepare_load(source->place, source->map, options);
	options->memory_limit = (uint64_t)args->memory_limit << 20;
}

bspscene_scene *cli_load(cli_source *source, const cli_args *args, bspscene_load_options *options, double load_share,
                         cli_exit *status)
{
	*status = cli_source_open(source, args, args->output);
	return *status == CLI_DONE ? cli_load_opened(source, args, options, load_share, status) : NULL;
}

bspscene_scene *cli_load_opened(cli_source *source, const cli_args *args, bspscene_load_options *options,
                                double load_share, cli_exit *status)
{
	source->load_share = load_share;
	*status = CLI_DONE;
	uint8_t palette[PALETTE_SIZE];
	if (args->palette) {
		*status = CLI_FAILED;
		if (!read_palette(args->palette, palette)) return NULL;
		*status = CLI_DONE;
		options->palette = palette;
	}
	cli_progress progress;
	cli_progress_begin(&progress, args, 0, load_share);
	options->progress = cli_progress_step;
	options->progress_user = &progress;
	options->include_mask |= args->include;
	if (args->patch_error > 0) options->patch_error = args->patch_error;
	options->meters_per_unit = args->meters_per_unit;
	options->strict = args->strict;
	options->models = args->models;
	options->missing = args->missing;
	options->lump_patches = args->lump_patches;
	options->entity_source = args->entity_source;
	options->engine = args->engine;
	options->lighting_variant = args->light_set;
	options->seed = args->seed;
	options->model_pose.skin = args->skin;
	options->model_pose.body = args->body;
	options->model_pose.frame = args->frame;
	options->model_pose.sequence = args->sequence;
	options->memory_limit = (uint64_t)args->memory_limit << 20;
	options->threads = args->threads;
	options->sparse_lightmaps = true;
	bspscene_error error;
	bspscene_scene *scene = bspscene_source_load(source->place, source->map, options, &error);
	cli_progress_end(&progress);
	options->progress = NULL;
	options->progress_user = NULL;
	options->palette = NULL;
	if (scene) cli_warn_of_scene(args, scene, bspscene_source_file_system(source->place));
	else *status = cli_fail_error("", &error);
	return scene;
}
