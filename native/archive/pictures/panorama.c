/* panorama.c - see panorama.h. */
#include "archive/pictures/panorama.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/names.h"
#include "cli/picture_format.h"
#include "cli/report.h"
#include "cli/command_source.h"

#define JPEG_QUALITY 92
#define LARGEST_WIDTH (4 * BSPSCENE_SKY_MAX_SIZE)

static bool has_ending(const char *path, const char *ending) { return !strcasecmp(cli_ending(path), ending); }

bool cli_is_panorama_name(const char *path)
{
	return cli_picture_format(path) || has_ending(path, "jpg") || has_ending(path, "jpeg");
}

/* Returns a float from 0 to 1 as a half float. */
static uint16_t half_of(double value)
{
	int exponent;
	double mantissa = frexp(value, &exponent);
	if (!(value > 0)) return 0;
	if (exponent < -13) return (uint16_t)(ldexp(value, 24) + 0.5);
	return (uint16_t)((uint32_t)((exponent + 14) << 10) + (uint32_t)(ldexp(mantissa, 11) + 0.5) - 1024);
}

/* Writes an EXR or HDR. Converts the display values of the pixels to linear light, which these formats store. */
static bool write_linear(uint32_t width, uint32_t height, const uint8_t *rgb, const bspscene_picture_options *options,
                         cli_output *output, bspscene_error *error)
{
	uint16_t *halves = cli_allocate((size_t)width * height, 3 * sizeof *halves), table[256];
	for (int i = 0; i < 256; i++) {
		double value = i / 255.0;
		table[i] = half_of(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4));
	}
	for (size_t i = 0; i < (size_t)width * height * 3; i++) halves[i] = table[rgb[i]];
	bool written = bspscene_write_picture(width, height, 3, halves, options, cli_output_write, output, error);
	free(halves);
	return written;
}

static bool write(const char *path, uint32_t width, const uint8_t *rgb, cli_output *output, bspscene_error *error)
{
	const uint32_t height = width / 2;
	bspscene_picture_options options;
	bspscene_picture_options_init(&options);
	options.format = cli_picture_format(path);
	if (cli_is_plain_picture(options.format)) {
		return bspscene_write_picture(width, height, 3, rgb, &options, cli_output_write, output, error);
	}
	if (options.format) return write_linear(width, height, rgb, &options, output, error);
	return bspscene_write_jpeg(width, height, rgb, JPEG_QUALITY, cli_output_write, output, error);
}

static cli_exit save(const cli_source *source, const cli_args *args, uint32_t width, const uint8_t *rgb)
{
	bspscene_error error = { .status = BSPSCENE_OK };
	cli_output output;
	cli_exit status = CLI_FAILED;
	const char *name;
	if (cli_output_open_file(&output, source, args->output, &name)) {
		bool written = cli_output_begin(&output, name) && write(args->output, width, rgb, &output, &error) &&
		               cli_output_end(&output);
		if (!written) status = cli_output_report(&output, &error);
		else if (cli_output_commit(&output)) status = CLI_DONE;
	}
	cli_output_close(&output);
	return status;
}

/* Returns how many bytes of the memory limit are left for the sky, or 0. The panorama's pixels count against the
 * limit only if the user gave no width. Then the sky's pictures set the width, so a small file may lead to a large
 * panorama. */
static uint64_t memory_left(const bspscene_scene *scene, const cli_args *args, uint32_t width)
{
	uint64_t given = (uint64_t)args->memory_limit << 20, limit = given ? given : bspscene_default_limit(scene);
	bspscene_picture_format format = cli_picture_format(args->output);
	bool linear = format && !cli_is_plain_picture(format);
	uint64_t pixels = args->width ? 0 : (uint64_t)width * (width / 2) * (linear ? 9 : 3);
	return pixels < limit ? limit - pixels : 0;
}

static cli_exit draw(const bspscene_scene *scene, const cli_source *source, const cli_args *args, const float *eye,
                     float time)
{
	bspscene_error error = { .status = BSPSCENE_OK };
	bspscene_sky_options options;
	bspscene_sky_options_init(&options);
	options.time = time;
	options.eye = eye;
	uint32_t width = args->width ? args->width : 4 * bspscene_sky_size(scene);
	if (width < 2)
		return cli_fail("%s: cannot be rendered: the map names no sky, or its pictures were not found", args->source);
	options.memory_limit = memory_left(scene, args, width);
	if (!options.memory_limit) {
		return cli_fail("%s: cannot be rendered: %u x %u pixels need more than the memory limit (--size WxH makes the "
		                "picture smaller, --memory-limit MIB raises the limit)", args->source, width, width / 2);
	}
	uint8_t *rgb = cli_allocate((size_t)width * (width / 2), 3);
	cli_exit status = CLI_FAILED;
	if (bspscene_sky_panorama(scene, &options, width, rgb, &error)) {
		status = save(source, args, width, rgb);
	} else {
		char *prefix = cli_format("%s: cannot be rendered: ", args->source);
		cli_fail_error(prefix, &error);
		free(prefix);
	}
	free(rgb);
	return status;
}

static cli_exit check(const cli_args *args)
{
	if (!cli_is_panorama_name(args->output)) {
		return cli_usage("%s: unknown format; a panorama ends in .png, .jpg, .exr, .hdr, .tga or .bmp",
		                 args->output);
	}
	if (args->width && (args->width != 2 * args->height || args->width > LARGEST_WIDTH)) {
		return cli_usage("render: a panorama is twice as wide as high, and at most %u pixels wide", LARGEST_WIDTH);
	}
	return CLI_DONE;
}

cli_exit cli_panorama(const cli_args *args, const float *eye, float time)
{
	cli_exit status = check(args);
	if (status != CLI_DONE) return status;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	cli_source source;
	bspscene_scene *scene = cli_load(&source, args, &options, 1, &status);
	if (scene) status = draw(scene, &source, args, eye, time);
	bspscene_scene_free(scene);
	cli_source_close(&source);
	return status;
}
