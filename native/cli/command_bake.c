/* command_bake.c - bspscene bake: the lightmap atlas as picture files and atlas.json. */
#include "commands.h"
#include "output.h"
#include "report.h"
#include "source.h"

static cli_exit write_atlas(const bspscene_scene *scene, const cli_args *args)
{
	cli_output output;
	cli_exit status = CLI_FAILED;
	if (cli_output_open(&output, args->output, true)) {
		bspscene_write_options options;
		bspscene_write_options_init(&options);
		options.file_name = "atlas.json";
		float light_styles[CLI_LIGHT_STYLES];
		if (cli_light_styles(args, light_styles)) options.light_styles = light_styles;
		status = cli_write(scene, bspscene_write, "atlas", &options, args, &output);
	}
	cli_output_close(&output);
	return status;
}

static cli_exit run(const cli_args *args)
{
	float light_styles[CLI_LIGHT_STYLES];
	if (args->lightmap_encoding == BSPSCENE_LIGHTMAP_RAW && cli_light_styles(args, light_styles)) {
		return cli_usage("bake: --lightstyle adds pages up, which the bytes of --lightmap-encoding raw are not for");
	}
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.lightmap_encoding = args->lightmap_encoding;
	options.textures = BSPSCENE_TEXTURES_NAMES;
	cli_source source;
	cli_exit status;
	bspscene_scene *scene = cli_load(&source, args, &options, &status);
	if (scene) status = write_atlas(scene, args);
	bspscene_scene_free(scene);
	cli_source_close(&source);
	return status;
}

const cli_command cli_command_bake = {
	.name = "bake",
	.operands = "SOURCE OUTDIR",
	.summary = "the lightmap atlas as PNG or EXR pages and atlas.json",
	.details =
		"Writes the lightmaps, packed into as few pages as possible, and atlas.json, which says for each face\n"
		"of the map on which page and in which rectangle its luxels are, for each light style. The pages are\n"
		"those that convert uses, so the second texture coordinates of a converted map fit them.\n"
		"Each light style has pages of its own; with --lightstyle all styles are added up into one set.",
	.examples =
		"  bspscene bake maps/atrium.bsp atrium-atlas\n"
		"  bspscene bake maps/atrium.bsp atrium-hdr --lightmap-encoding hdr\n"
		"  bspscene bake maps/atrium.bsp atrium-night --lightstyle 0=0.2 --lightstyle 32=1\n",
	.options = CLI_OPTION_MAP | CLI_OPTION_LUMP_PATCHES | CLI_OPTION_GAME | CLI_OPTION_LIGHTMAP_ENCODING |
		CLI_OPTION_LIGHT_STYLE,
	.operand_count = 2,
	.run = run,
};
