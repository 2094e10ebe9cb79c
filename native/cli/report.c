/* report.c - prints errors and warnings on standard error. See report.h. */
#include "cli/report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_SHOWN = 6, PLACES_SHOWN = 6 };

void cli_end_without_memory(void)
{
	fputs("bspscene: out of memory\n", stderr);
	exit((int)CLI_FAILED);
}

void *cli_allocate(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);
	if (!p) cli_end_without_memory();
	return p;
}

void *cli_resize(void *array, size_t count, size_t size)
{
	void *p = size && count > SIZE_MAX / size ? NULL : realloc(array, count && size ? count * size : 1);
	if (!p) cli_end_without_memory();
	return p;
}

static char *format_new(const char *format, va_list arguments)
{
	va_list again;
	va_copy(again, arguments);
	int length = vsnprintf(NULL, 0, format, arguments);
	char *text = cli_allocate((size_t)(length < 0 ? 0 : length) + 1, 1);
	if (length > 0) vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

char *cli_format(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *text = format_new(format, arguments);
	va_end(arguments);
	return text;
}

void cli_append(char **list, const char *item)
{
	char *longer = *list ? cli_format("%s, %s", *list, item) : cli_format("%s", item);
	free(*list);
	*list = longer;
}

void cli_put_line(FILE *out, const char *start, const char *format, va_list arguments)
{
	char *text = format_new(format, arguments);
	bspscene_sanitize_text(text);
	fprintf(out, "%s%s\n", start, text);
	free(text);
}

void cli_print(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	cli_put_line(stdout, "", format, arguments);
	va_end(arguments);
}

cli_exit cli_fail(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	cli_put_line(stderr, "bspscene: ", format, arguments);
	va_end(arguments);
	return CLI_FAILED;
}

cli_exit cli_fail_error(const char *prefix, const bspscene_error *error)
{
	const char *option = error->status == BSPSCENE_ERROR_MEMORY_LIMIT ? "--memory-limit"
	                     : error->status == BSPSCENE_ERROR_OUTPUT_LIMIT ? "--output-limit" : NULL;
	if (!option) return cli_fail("%s%s", prefix, error->message);
	return cli_fail("%s%s (%s MIB raises it)", prefix, error->message, option);
}

cli_exit cli_usage(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	cli_put_line(stderr, "bspscene: ", format, arguments);
	va_end(arguments);
	return CLI_USAGE;
}

void cli_warn(const cli_args *args, const char *format, ...)
{
	if (args->quiet) return;
	va_list arguments;
	va_start(arguments, format);
	cli_put_line(stderr, "warning: ", format, arguments);
	va_end(arguments);
}

/* Appends the name of a missing texture to the list *names. For a missing .vtf file in materials/, names its material
 * (.vmt) too, because that is also missing, and the .vtf alone would not help. */
static void append_texture(char **names, const char *name)
{
	size_t stem = strlen(name) > 4 ? strlen(name) - 4 : 0;
	bool is_material = !strncmp(name, "materials/", 10) && !strcmp(name + stem, ".vtf");
	char *shown = is_material ? cli_format("%.*s (.vmt, .vtf)", (int)stem, name) : cli_format("%s", name);
	cli_append(names, shown);
	free(shown);
}

static char *list_missing(const bspscene_scene *scene, uint32_t *count)
{
	char *names = NULL;
	*count = 0;
	for (uint32_t i = 0; i < scene->image_count; i++) {
		const bspscene_image *image = scene->images[i];
		if (image->format != BSPSCENE_IMAGE_MISSING) continue;
		if (++*count <= NAMES_SHOWN) append_texture(&names, image->name);
	}
	if (*count > NAMES_SHOWN) cli_append(&names, "...");
	return names;
}

static char *list_places(const bspscene_file_system *files)
{
	char *places = NULL;
	uint32_t index = 0;
	for (const char *place; files && (place = bspscene_file_system_search_path(files, index)); index++) {
		if (index < PLACES_SHOWN) cli_append(&places, place);
	}
	if (index > PLACES_SHOWN) {
		char *more = cli_format("and %u more", index - PLACES_SHOWN);
		cli_append(&places, more);
		free(more);
	}
	return places;
}

static void warn_missing_textures(const cli_args *args, const bspscene_scene *scene, const bspscene_file_system *files)
{
	uint32_t count;
	char *names = list_missing(scene, &count);
	if (count) {
		char *places = list_places(files);
		cli_warn(args, "%u texture%s not found and shown as a %s: %s", count, count == 1 ? "" : "s",
		         args->missing == BSPSCENE_MISSING_CHECKER ? "checkerboard" : "plain color", names);
		if (places) {
			cli_warn(args, "searched in %s: put the missing files below one of them, or name the game with --game DIR",
			         places);
		} else {
			cli_warn(args,
			         "no game directory was searched: put the map into GAME/maps/, or name the game with --game DIR");
		}
		free(places);
	}
	free(names);
}

/* True for warnings about models, skies, palettes and WADs, which do not matter for lightmaps. */
static bool is_of_looks(const bspscene_warning *warning)
{
	static const char *const lumps[] = { "models", "sky", "palette", "wad" };
	if (warning->code == BSPSCENE_WARNING_MODEL_BAD) return true;
	for (size_t i = 0; warning->code == BSPSCENE_WARNING_FILE_MISSING && i < sizeof lumps / sizeof *lumps; i++) {
		if (warning->lump && !strcmp(warning->lump, lumps[i])) return true;
	}
	return false;
}

static void note(const char *format, ...) CLI_PRINTF(1, 2);

static void note(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	cli_put_line(stderr, "note: ", format, arguments);
	va_end(arguments);
}

/* Prints that the entities come from a file next to the map, because the user may not expect that. */
static void tell_entity_file(const cli_args *args, const bspscene_scene *scene)
{
	if (args->quiet || !scene->entity_file) return;
	note("entities come from %s next to the map; --entities map uses those of the map", scene->entity_file);
}

void cli_warn_of_scene(const cli_args *args, const bspscene_scene *scene, const bspscene_file_system *files)
{
	tell_entity_file(args, scene);
	for (uint32_t i = 0; i < scene->warning_count; i++) {
		const bspscene_warning *warning = scene->warnings[i];
		if (warning->code == BSPSCENE_WARNING_TEXTURE_MISSING || (args->only_light && is_of_looks(warning))) continue;
		if (warning->count > 1) cli_warn(args, "%s (first of %u)", warning->message, warning->count);
		else cli_warn(args, "%s", warning->message);
	}
	if (!args->only_light) warn_missing_textures(args, scene, files);
}

cli_exit cli_finish_stdout(void)
{
	if (!ferror(stdout)) errno = 0; /* without an error, errno is from an earlier call */
	if (fflush(stdout) == 0 && !ferror(stdout)) return CLI_DONE;
	return cli_fail("standard output: cannot write: %s", strerror(errno ? errno : EIO));
}
