/* image_files.c - writes images as PNG, TGA or BMP files. Threads encode them at the same time, and they are written in
 * order. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <bspscene/binding.h>
#include <bspscene/writer.h>

#include "base/caller_struct.h"
#include "base/parallel/canceler.h"
#include "images/write/write.h"

/* The bytes that one call of the encoder's write function delivers. */
typedef struct piece {
	struct piece *next;
	size_t size;
	uint8_t data[];
} piece;

/* A file that is being encoded. It is in the arena of its task. */
typedef struct image_file {
	bspi_task *task;
	piece *first, **end;
	bool lacks_memory;
} image_file;

typedef struct image_files {
	const bspscene_scene *scene;
	const uint32_t *images; uint32_t count;
	const bspscene_write_options *options;
	const bspscene_output *output;
	bspi_budget budget;
	bspi_canceler canceler;            /* calls the caller's progress function */
	uint64_t output_limit, output_left;
	bspscene_error *error;             /* the caller's error; the calling thread sets it if it is canceled or cannot
	                                    * output a file */
} image_files;

static bool fail_memory(const bspi_budget *budget, const char *name, bspscene_error *error)
{
	char why[BSPI_REFUSAL_SIZE];
	return bspi_error_set(error, bspi_describe_refusal(budget, why), "%s: %s", name, why);
}

/* ---- In any thread ---------------------------------------------------------------------------------------- */

/* Adds a piece of output to the file (a bspscene_write_fn). */
static bool add_piece(void *user, const void *data, size_t size)
{
	image_file *file = user;
	piece *added = bspi_arena_alloc_unset(&file->task->arena, 1, sizeof *added + size);
	if (!added) {
		file->lacks_memory = true;
		return false;
	}
	added->next = NULL;
	added->size = size;
	if (size) memcpy(added->data, data, size);
	*file->end = added;
	file->end = &added->next;
	return true;
}

static const bspscene_image *image_of(const image_files *files, uint32_t index)
{
	return files->scene->images[files->images[index]];
}

/* Encodes an image. The memory of the encoder is charged to the budget. */
static bool write_image(image_files *files, const bspscene_image *image, bspi_budget *budget, image_file *file,
                        bspscene_error *error)
{
	const bspscene_picture_format format = files->options->picture_format;
	bspi_cancel_check check = { &files->canceler, (double)image->width * image->height, 0 };
	const bspi_png_kind kind = {
		.compression = files->options->compression, .progress = bspi_check_cancel, .progress_user = &check,
	};
	const bspi_stb_picture picture = {
		.format = format, .width = image->width, .height = image->height, .channels = 4, .pixels = image->data,
		.progress = bspi_check_cancel, .progress_user = &check,
	};
	bool is_png = format <= BSPSCENE_PICTURE_PNG;
	uint64_t held = is_png ? bspi_png_work_size(image->width, 4) : bspi_stb_work_size(&picture);
	if (!bspi_budget_take(budget, held)) return fail_memory(budget, image->name, error);
	bool written = is_png ? bspi_write_png(&budget->heap, &kind, image->width, image->height, 4, image->data, add_piece,
	                                       file, error)
	                      : bspi_write_by_stb(&budget->heap, &picture, add_piece, file, error);
	bspi_budget_give(budget, held);
	return written;
}

static bool encode(void *user, bspi_task *task)
{
	image_files *files = user;
	bspi_budget *budget = &files->budget;
	const bspscene_image *image = image_of(files, task->index);
	assert(image->format == BSPSCENE_IMAGE_RGBA && image->data);
	image_file *file = bspi_arena_alloc(&task->arena, 1, sizeof *file);
	if (!file) return fail_memory(budget, image->name, &task->error);
	task->result = file;
	file->task = task;
	file->end = &file->first;
	bspscene_error error = { .status = BSPSCENE_OK };
	if (write_image(files, image, budget, file, &error)) return true;
	if (file->lacks_memory || bspi_budget_refused(budget)) return fail_memory(budget, image->name, &task->error);
	return bspi_error_set(&task->error, error.status, "%s: %s", image->name, error.message);
}

/* ---- In the calling thread -------------------------------------------------------------------------------- */

static bool put_pieces(const image_files *files, const char *name, const image_file *file)
{
	const bspscene_output *output = files->output;
	bool put = output->begin(output->user, name);
	for (const piece *p = file->first; put && p; p = p->next) put = output->write(output->user, p->data, p->size);
	return put && output->end(output->user);
}

static bool fail_canceled(const image_files *files)
{
	return bspi_error_set(files->error, BSPSCENE_ERROR_CANCELED, "canceled");
}

static bool report_progress(image_files *files, uint32_t done)
{
	return bspi_canceler_tell(&files->canceler, "textures", (double)done / files->count) || fail_canceled(files);
}

static bool put(void *user, bspi_task *task)
{
	image_files *files = user;
	const image_file *file = task->result;
	const char *words = image_of(files, task->index)->name;
	size_t length = strlen(words);
	uint64_t size = 0;
	const size_t name_size = length + sizeof ".png";
	char *name = bspi_arena_alloc(&task->arena, name_size, 1);
	if (!name) return fail_memory(&files->budget, words, &task->error);
	snprintf(name, name_size, "%s.%s", words, bspi_picture_extension(files->options->picture_format));
	for (const piece *p = file->first; p; p = p->next) size += p->size;
	if (size > files->output_left) {
		return bspi_error_set(files->error, BSPSCENE_ERROR_OUTPUT_LIMIT,
		                      "%s: would be more than the output limit of %" PRIu64 " MiB", name,
		                      files->output_limit >> 20);
	}
	files->output_left -= size;
	if (!put_pieces(files, name, file)) {
		return bspi_error_set(files->error, BSPSCENE_ERROR_IO, "%s: could not be written", name);
	}
	return report_progress(files, task->index + 1);
}

/* ---- Entry ------------------------------------------------------------------------------------------------ */

static bool set_limits(image_files *files)
{
	const bspscene_write_options *options = files->options;
	const uint64_t usual = bspscene_default_limit(files->scene);
	bspi_budget_begin(&files->budget, options->memory_limit ? options->memory_limit : usual, options->allocator);
	files->output_limit = files->output_left = options->output_limit ? options->output_limit : usual;
	return bspi_budget_take(&files->budget, files->scene->memory_size);
}

bool bspi_read_write_options(const bspscene_write_options *given, bspscene_write_options *out, bspscene_error *error)
{
	bspscene_write_options_init(out);
	const size_t first_size = BSPI_END_OF(bspscene_write_options, report);
	return !given || bspscene_struct_read(out, sizeof *out, first_size, given, "write_options", error);
}

bool bspscene_write_images(const bspscene_scene *scene, const uint32_t *images, uint32_t count,
                           const bspscene_write_options *options, const bspscene_output *output, bspscene_error *error)
{
	bspscene_write_options known;
	bspscene_output files_of;
	bspscene_error unasked;
	if (!error) error = &unasked;
	bspi_error_set(error, BSPSCENE_OK, "%s", "");
	assert(scene && (images || !count) && output);
	if (!bspi_read_write_options(options, &known, error)) return false;
	if (!bspscene_struct_read(&files_of, sizeof files_of, BSPI_END_OF(bspscene_output, end), output, "output", error)) {
		return false;
	}
	if (known.picture_format > BSPSCENE_PICTURE_BMP) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "images are written as PNG, TGA or BMP");
	}
	image_files files = {
		.scene = scene, .images = images, .count = count, .options = &known, .output = &files_of, .error = error,
	};
	bspi_canceler_begin(&files.canceler, known.progress, known.progress_user, "textures");
	if (!set_limits(&files)) return fail_memory(&files.budget, scene->name, error);
	const bspi_team team = { known.threads, known.thread_pool };
	const bspi_job job = { .count = count, .work = encode, .finish = put, .user = &files };
	bspscene_error failure = { .status = BSPSCENE_OK };
	if (bspi_run_job(&team, &files.budget, &job, &failure)) return true;
	if (bspi_canceled(&files.canceler)) return fail_canceled(&files);
	if (failure.status) *error = failure;
	return false;
}
