/* command_bake.c - bspscene bake: writes the lightmaps as pictures, and atlas.json. */
#include "cli/commands/commands.h"
#include "cli/options/option_rows.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/command_source.h"

typedef struct own_options {
	bool every_style, light_probes;
	bspscene_picture_format hdr_format;
} own_options;

static const own_options *own_of(const cli_args *args) { return args->own; }

static cli_exit write_atlas(const bspscene_scene *scene, const cli_source *source, const cli_args *args)
{
	cli_output output;
	cli_exit status = CLI_FAILED;
	if (cli_output_open(&output, source, args->output)) {
		bspscene_write_options options;
		bspscene_write_options_init(&options);
		options.file_name = "atlas.json";
		options.compression = args->compression;
		options.picture_format = args->picture_format;
		options.hdr_format = own_of(args)->hdr_format;
		float light_styles[CLI_LIGHT_STYLES];
		options.light_styles = cli_light_styles(args, scene, light_styles);
		/* Raw pages have the stored bytes of each style, which cannot be added to one picture. */
		options.separate_styles =
			own_of(args)->every_style || args->lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_RAW;
		status = cli_write(scene, bspscene_write, "atlas", &options, args, &output);
	}
	cli_output_close(&output);
	return status;
}

static cli_exit run(const cli_args *args)
{
	bool adds_up = cli_gives_light_style(args);
	if (adds_up && args->lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_RAW) {
		return cli_usage(
			"bake: --lightstyle adds pages up, but raw bytes cannot be added; use --lightmap-encoding display or hdr");
	}
	if (adds_up && own_of(args)->every_style) {
		return cli_usage("bake: give either --lightstyle or --every-style, not both");
	}
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.lightmap_encoding = args->lightmap_encoding;
	options.textures = BSPSCENE_TEXTURES_NAMES;
	options.light_range = args->light;
	options.keep_map_light = true;
	options.light_probes = own_of(args)->light_probes;
	if (own_of(args)->light_probes && args->lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_RAW) {
		return cli_usage("bake: --light-probes does not work with raw light; use --lightmap-encoding hdr or display");
	}
	cli_source source;
	cli_exit status;
	double share = (double)bspscene_load_share("atlas", BSPSCENE_WRITE_LIGHTING_DEFAULT);
	cli_args own = *args;
	own.only_light = true;
	bspscene_scene *scene = cli_load(&source, &own, &options, share, &status);
	if (scene && !scene->counts->lightmap_faces)
		cli_warn(args, "%s: no face has a lightmap, so there are no pages", source.label);
	if (scene) status = write_atlas(scene, &source, args);
	bspscene_scene_free(scene);
	cli_source_close(&source);
	return status;
}

static const cli_word hdr_format_words[] = {
	{ "exr", BSPSCENE_PICTURE_EXR }, { "hdr", BSPSCENE_PICTURE_HDR }, { NULL, 0 },
};

static const cli_option_row own_rows[] = {
	{ "every-style", NULL,
	  "write pages for each light style instead of their sum",
	  .apply = cli_set_switch, .member = offsetof(own_options, every_style), .group = CLI_GROUP_LIGHT },
	{ "light-probes", NULL,
	  "write also the light that moving objects get: colors of six directions at each probe of the map",
	  .apply = cli_set_switch, .member = offsetof(own_options, light_probes), .group = CLI_GROUP_LIGHT },
	{ "hdr-format", "KIND",
	  "the format of pages of --lightmap-encoding hdr\n"
	  "exr: half floats, which relight reads (default; hdr in builds without OpenEXR)\n"
	  "hdr: Radiance HDR, rounded to 8 bits and an exponent",
	  .apply = cli_set_word, .member = offsetof(own_options, hdr_format), .words = hdr_format_words,
	  .group = CLI_GROUP_LIGHT },
	{ "light", "KIND",
	  "which light to write if the map has light for HDR displays as well\n"
	  "ldr: the light for ordinary displays\n"
	  "hdr: the light for HDR displays\n"
	  "auto: hdr with --lightmap-encoding hdr, else ldr (default)",
	  .apply = cli_set_word, .member = offsetof(cli_args, light), .words = cli_light_words,
	  .group = CLI_GROUP_LIGHT, .in_args = true },
	{ .name = NULL },
};

const cli_command cli_command_bake = {
	.name = "bake",
	.operands = "SOURCE OUTDIR",
	.section = "Convert",
	.summary = "write the lightmaps as PNG, EXR or HDR pages and atlas.json",
	.details =
		"Packs the lightmaps into as few pages as possible. atlas.json has the page and the rectangle of each face, "
		"for each light style (docs/atlas.schema.json). The pages are those of convert, so the second texture "
		"coordinates of a converted map fit them.\n\n"
		"The pages show the map as it starts: the sum of all light styles that are on then. --lightstyle changes "
		"their brightness. --every-style writes pages for each style, as --lightmap-encoding raw always does; "
		"relight writes such pages back into the map.",
	.examples =
		"  bspscene bake maps/atrium.bsp atrium-atlas\n"
		"  bspscene bake maps/atrium.bsp atrium-hdr --lightmap-encoding hdr\n"
		"  bspscene bake maps/atrium.bsp hdr --lightmap-encoding hdr --hdr-format hdr\n"
		"  bspscene bake maps/atrium.bsp night --lightstyle 0=0.2 --lightstyle 32=1\n",
	.options =
		"map game palette lightmap-encoding hdr-format picture-format light light-set seed include engine entities "
		"lump-patches lightstyle every-style light-probes fast small memory-limit output-limit quiet threads version "
		"help",
	.first = "map game lightmap-encoding every-style lightstyle light-probes",
	.own = own_rows, .own_size = sizeof(own_options),
	.operand_count = 2,
	.run = run,
};
