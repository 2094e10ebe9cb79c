/* command_extract.c - bspscene extract: copies the images that a map uses, unchanged, and the files inside the map. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/commands/commands.h"
#include "cli/models/extract_models.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/command_source.h"

/* Returns the name of an image's output file, in new memory. The library joins the two files of a texture of Vampire:
 * Bloodlines (.tth, .ttz), so one .vtf file is written. */
static char *output_name(const bspscene_image *image)
{
	size_t length = strlen(image->path);
	bool joined = image->format == BSPSCENE_IMAGE_VTF && length > 4 && !strcasecmp(image->path + length - 4, ".tth");
	return joined ? cli_format("%.*s.vtf", (int)(length - 4), image->path) : cli_format("%s", image->path);
}

/* Returns true if the image is listed already. Otherwise adds it to `known`. Several materials may share one file or
 * one picture in the map. Different pictures with the same name, such as the two layers of a Quake sky, are all
 * listed. */
static bool is_known(cli_text_set *known, const bspscene_image *image)
{
	bool inside = image->format == BSPSCENE_IMAGE_RGBA;
	char *key = inside ? cli_format("%016" PRIx64 " %s", cli_hash(image->data, image->size), image->name)
	                   : cli_format("%s", image->path);
	bool is_new;
	cli_text_set_add(known, key, &is_new);
	free(key);
	return !is_new;
}

static bool write_file(const bspscene_image *image, cli_output *output)
{
	char *name = output_name(image);
	bool ok = cli_output_begin(output, name) && cli_output_write(output, image->data, image->size) &&
	          cli_output_end(output);
	free(name);
	return ok;
}

/* ---- Images ------------------------------------------------------------------------------------------------ */

/* Writes images in the order of the scene, so that name clashes are resolved the same way each time. Images inside the
 * map have no file to copy: the library encodes them as PNG, TGA or BMP. */
typedef struct images {
	cli_output *output;
	const bspscene_image **listed; uint32_t count;
	uint32_t *pixels; uint32_t pixel_count; /* indexes in scene->images of the images inside the map; their number */
	uint32_t written;
} images;

static bool write_files(images *in)
{
	bool ok = true;
	while (ok && in->written < in->count && in->listed[in->written]->format != BSPSCENE_IMAGE_RGBA) {
		ok = write_file(in->listed[in->written], in->output);
		in->written += ok;
	}
	return ok;
}

static bool begin_pixels(void *user, const char *name)
{
	images *in = user;
	return write_files(in) && cli_output_begin(in->output, name);
}

static bool write_pixels(void *user, const void *data, size_t size)
{
	return cli_output_write(((images *)user)->output, data, size);
}

static bool end_pixels(void *user)
{
	images *in = user;
	bool ok = cli_output_end(in->output);
	in->written += ok;
	return ok;
}

/* ---- Files inside the map ---------------------------------------------------------------------------------- */

typedef struct inner {
	const cli_args *args;
	bspscene_file_system *files;
	cli_output *output;
	uint32_t written;
	bool failed;                       /* the output failed or exceeded its limit */
} inner;

/* Reads a file of the pakfile into new memory. If the file is stored without compression, it is in memory already, and
 * *out stays NULL. Returns false if the file is damaged. */
static bool read_whole(const bspscene_stream *stream, unsigned char **out)
{
	*out = NULL;
	if (stream->data) return true;
	if (stream->size > SIZE_MAX) return false;
	*out = malloc(stream->size ? (size_t)stream->size : 1);
	if (!*out) cli_end_without_memory();
	return stream->read(stream->user, *out, (size_t)stream->size) == stream->size;
}

static void write_inner(void *user, const char *path)
{
	inner *in = user;
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	unsigned char *bytes = NULL;
	if (in->failed || !bspscene_file_system_open(in->files, &stream, path, BSPSCENE_FILE_OTHER)) return;
	if (!cli_output_allows(in->output, stream.size)) {
		in->failed = true;
	} else if (read_whole(&stream, &bytes)) {
		const void *data = bytes ? bytes : stream.data;
		in->failed = !(cli_output_begin(in->output, path) && cli_output_write(in->output, data, (size_t)stream.size) &&
		               cli_output_end(in->output));
		in->written += !in->failed;
	} else {
		cli_warn(in->args, "%s inside the map is damaged: it is left out", path);
	}
	free(bytes);
	if (stream.close) stream.close(stream.user);
}

/* Writes the files of the pakfile. Names that lead out of the output directory are skipped by the library. */
static bool write_pakfile(const bspscene_scene *scene, const cli_args *args, cli_output *output, uint32_t *written)
{
	inner in = { .args = args, .output = output };
	bspscene_error error;
	*written = 0;
	if (!scene->pakfile) return true;
	in.files = bspscene_file_system_create(NULL);
	if (!in.files) cli_end_without_memory();
	/* The load has already warned of an unreadable pakfile. */
	if (bspscene_file_system_mount_memory(in.files, "pakfile", scene->pakfile, scene->pakfile_size, &error)) {
		bspscene_file_system_list(in.files, "", "", write_inner, &in);
	}
	bspscene_file_system_free(in.files);
	*written = in.written;
	return !in.failed;
}

/* ---- The command ------------------------------------------------------------------------------------------- */

/* True if the image is in the map's pakfile: it is written with the other files there. */
static bool is_inside(const bspscene_scene *scene, const bspscene_image *image)
{
	return scene->pakfile && *image->path && !*image->archive;
}

static void list_images(const bspscene_scene *scene, images *in)
{
	cli_text_set known = { 0 };
	in->listed = cli_allocate((size_t)scene->image_count + 1, sizeof *in->listed);
	in->pixels = cli_allocate((size_t)scene->image_count + 1, sizeof *in->pixels);
	for (uint32_t i = 0; i < scene->image_count; i++) {
		const bspscene_image *image = scene->images[i];
		bool own_file = image->data && !image->is_generated && !image->frame && !image->cube_face;
		if (!own_file || is_inside(scene, image) || is_known(&known, image)) continue;
		in->listed[in->count++] = image;
		if (image->format == BSPSCENE_IMAGE_RGBA) in->pixels[in->pixel_count++] = i;
	}
	cli_text_set_free(&known);
}

static bool write_images(const bspscene_scene *scene, const cli_args *args, cli_output *output, uint32_t *written,
                         bspscene_error *error)
{
	images in = { .output = output };
	bspscene_output functions;
	bspscene_write_options options;
	bspscene_output_init(&functions);
	functions.user = &in;
	functions.begin = begin_pixels;
	functions.write = write_pixels;
	functions.end = end_pixels;
	bspscene_write_options_init(&options);
	options.threads = args->threads;
	options.picture_format = args->picture_format;
	options.memory_limit = (uint64_t)args->memory_limit << 20;
	options.output_limit = UINT64_MAX; /* no limit for these files alone; the output's limit covers all files */
	list_images(scene, &in);
	bool ok = bspscene_write_images(scene, in.pixels, in.pixel_count, &options, &functions, error) && write_files(&in);
	*written = in.written;
	free(in.listed);
	free(in.pixels);
	return ok;
}

static void warn_of_names(const cli_args *args, const cli_output *output)
{
	if (output->renamed_count) {
		cli_warn(args, "%u file%s another name, because Windows does not allow the old one: %s", output->renamed_count,
		         output->renamed_count == 1 ? " has" : "s have", output->renamed);
	}
	if (output->numbered_count) {
		cli_warn(args, "%u file%s a number in the name, because their names differ in case alone or not at all: %s",
		         output->numbered_count, output->numbered_count == 1 ? " has" : "s have", output->numbered);
	}
}

static cli_exit write_all(const bspscene_scene *scene, const cli_source *source, const cli_args *args)
{
	cli_output output;
	bspscene_error error = { .message = "out of memory" };
	bool ok = cli_output_open(&output, source, args->output);
	if (!ok) {
		cli_output_close(&output);
		return CLI_FAILED;
	}
	output.limit = args->output_limit ? (uint64_t)args->output_limit << 20 : bspscene_default_limit(scene);
	output.keeps_apart = true;
	uint32_t image_count = 0, files = 0, models = 0;
	ok = write_images(scene, args, &output, &image_count, &error) &&
	     cli_extract_models(scene, bspscene_source_file_system(source->place), &output, &models) &&
	     write_pakfile(scene, args, &output, &files);
	cli_exit status = !ok ? cli_output_report(&output, &error) : cli_output_commit(&output) ? CLI_DONE : CLI_FAILED;
	if (status == CLI_DONE) warn_of_names(args, &output);
	cli_output_close(&output);
	if (status != CLI_DONE) return status;
	printf("%u image%s", image_count, image_count == 1 ? "" : "s");
	if (models) printf(", %u file%s of models", models, models == 1 ? "" : "s");
	if (files) printf(", %u file%s from inside the map", files, files == 1 ? "" : "s");
	printf("\n");
	return cli_finish_stdout();
}

static cli_exit run(const cli_args *args)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_NONE;
	options.keep_pakfile = true;
	cli_source source;
	cli_exit status;
	bspscene_scene *scene = cli_load(&source, args, &options, 1, &status);
	if (scene) status = write_all(scene, &source, args);
	bspscene_scene_free(scene);
	cli_source_close(&source);
	return status;
}

const cli_command cli_command_extract = {
	.name = "extract",
	.operands = "SOURCE OUTDIR",
	.section = "Convert",
	.summary = "copy the textures and models that a map uses to a folder",
	.details =
		"Copies every image and model that the map uses from the game's archives to OUTDIR, byte for byte, under its "
		"path in the game. Images inside the map and inside models are written as PNG, or as --picture-format says. "
		"All files of a Source map's own archive are copied as well.\n\n"
		"Names are changed where some system does not allow them. If two names differ only in case, one gets "
		"a number.",
	.examples =
		"  bspscene extract maps/atrium.bsp atrium-textures\n"
		"  bspscene extract pak1-maps.pk3 oa_dm1-textures --map oa_dm1\n",
	.options =
		"map game seed models picture-format memory-limit output-limit quiet threads version help",
	.operand_count = 2,
	.run = run,
};
