/* command_extract.c - bspscene extract: the images a map uses, as they are in the game's archives. */
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "output.h"
#include "report.h"
#include "source.h"

/* Images that live inside the map have no file form: they become PNG. */
static bool write_pixels(const bspscene_image *image, cli_output *output, bspscene_error *error)
{
	char *name = cli_format("%s.png", image->name);
	bool ok = cli_output_begin(output, name);
	free(name);
	return ok && bspscene_write_png(image->width, image->height, 4, image->data, cli_output_write, output, error) &&
	       cli_output_end(output);
}

static bool write_image(const bspscene_image *image, cli_output *output, bspscene_error *error)
{
	if (image->format == BSPSCENE_IMAGE_RGBA) return write_pixels(image, output, error);
	return cli_output_begin(output, image->path) && cli_output_write(output, image->data, image->size) &&
	       cli_output_end(output);
}

static cli_exit write_images(const bspscene_scene *scene, const cli_args *args)
{
	cli_output output;
	bspscene_error error = { .message = "out of memory" };
	bool ok = cli_output_open(&output, args->output, true);
	if (!ok) {
		cli_output_close(&output);
		return CLI_FAILED;
	}
	uint32_t written = 0;
	for (uint32_t i = 0; i < scene->image_count && ok; i++) {
		const bspscene_image *image = &scene->images[i];
		if (!image->data || image->format == BSPSCENE_IMAGE_MISSING) continue;
		ok = write_image(image, &output, &error);
		written += ok;
	}
	cli_exit status = !ok ? cli_output_report(&output, &error) : cli_output_commit(&output) ? CLI_DONE : CLI_FAILED;
	cli_output_close(&output);
	if (status == CLI_DONE) printf("%u image%s\n", written, written == 1 ? "" : "s");
	return status == CLI_DONE ? cli_finish_stdout() : status;
}

static cli_exit run(const cli_args *args)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.lightmap_encoding = BSPSCENE_LIGHTMAP_NONE;
	cli_source source;
	cli_exit status;
	bspscene_scene *scene = cli_load(&source, args, &options, &status);
	if (scene) status = write_images(scene, args);
	bspscene_scene_free(scene);
	cli_source_close(&source);
	return status;
}

const cli_command cli_command_extract = {
	.name = "extract",
	.operands = "SOURCE OUTDIR",
	.summary = "the textures a map uses, as files",
	.details =
		"Copies every image the map uses from the game's archives to OUTDIR under its game path, byte for byte;\n"
		"images stored inside the map are written as PNG.",
	.examples =
		"  bspscene extract maps/atrium.bsp atrium-textures\n"
		"  bspscene extract pak1-maps.pk3 oa_dm1-textures --map oa_dm1\n",
	.options = CLI_OPTION_MAP | CLI_OPTION_GAME,
	.operand_count = 2,
	.run = run,
};
