/* picture_file.c - see picture_file.h. */
#include "archive/pictures/picture_file.h"

#ifdef CLI_HAVE_RENDER

	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>

	#include "archive/pictures/animation.h"
	#include "cli/describe.h"
	#include "cli/json.h"
	#include "cli/picture_format.h"
	#include "cli/report.h"

enum { PIXEL = 3, MOST_FACTS = 8 };

/* Returns valid UTF-8, as PNG needs, from any text of a map. The caller frees it. */
static char *clean_text(const char *text)
{
	json_t *value = cli_json_text(text);
	char *copy = cli_format("%s", json_string_value(value));
	json_decref(value);
	return copy;
}

static char *title_of(const bspscene_scene *scene)
{
	const char *message = scene->entity_count ? bspscene_entity_value(scene, 0, "message") : NULL;
	char *title = cli_title(message ? message : ""), *text = clean_text(*title ? title : scene->name);
	free(title);
	return text;
}

enum { VIEW_TEXT = 7 * CLI_FLOAT_TEXT + 32 };

/* Writes the options of `render` that show the same view. Numbers have enough digits to be read back without change. */
static size_t print_view(const bspscene_view *view, char out[VIEW_TEXT])
{
	const float values[] = { view->origin[0], view->origin[1], view->origin[2], view->pitch, view->yaw, view->roll };
	char number[CLI_FLOAT_TEXT];
	size_t length = 0;
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		cli_print_float(values[i] + 0.0f, number); /* avoids negative zero */
		length += (size_t)snprintf(out + length, VIEW_TEXT - length, "%s%s", i ? "," : "--camera=", number);
	}
	cli_print_float(view->fov_degrees, number);
	return length + (size_t)snprintf(out + length, VIEW_TEXT - length, " --fov=%s", number);
}

/* Returns the cameras of a picture as text, one line for each view. */
static char *describe_views(const cli_picture *picture)
{
	char *lines = cli_allocate((size_t)picture->view_count + 1, VIEW_TEXT + 1), *end = lines;
	for (uint32_t i = 0; i < picture->view_count; i++) {
		if (i) *end++ = '\n';
		end += print_view(&picture->views[i], end);
	}
	return lines;
}

static bool write_pixels(const cli_picture *picture, const cli_picture_fact *facts, uint32_t count, cli_output *output,
                         bspscene_error *error)
{
	if (picture->animated) {
		const cli_animation animation = {
			.width = picture->width,
			.height = picture->height / picture->view_count,
			.frame_count = picture->view_count,
			.rgb = picture->rgb,
			.facts = facts,
			.fact_count = count,
		};
		return cli_write_animation(&animation, cli_output_write, output, error);
	}
	bspscene_picture_options options;
	bspscene_picture_options_init(&options);
	options.format = cli_picture_format(picture->name);
	options.texts = facts;
	options.text_count = count;
	return bspscene_write_picture(picture->width, picture->height, PIXEL, picture->rgb, &options, cli_output_write,
	                              output, error);
}

/* Leaves out facts about cameras for a picture that the map's author made. Returns the number of remaining facts. */
static uint32_t drop_cameras(const cli_picture *picture, cli_picture_fact facts[MOST_FACTS])
{
	uint32_t count = 0;
	for (int i = 0; i < MOST_FACTS; i++) {
		if (picture->view_count || strcmp(facts[i].keyword, "Camera") != 0) facts[count++] = facts[i];
	}
	return count;
}

bool cli_save_picture(const bspscene_scene *scene, const cli_picture *picture, cli_output *output,
                      bspscene_error *error)
{
	char *title = title_of(scene), *map = clean_text(scene->name);
	char *description = clean_text(picture->description), *cameras = describe_views(picture);
	char *format = cli_format("%s, version %d", scene->variant, (int)scene->version);
	char *software = cli_format("bspscene %s", bspscene_version()), exposure[CLI_FLOAT_TEXT];
	cli_print_float(picture->exposure, exposure);
	cli_picture_fact facts[MOST_FACTS] = {
		{ "Title", title },
		{ "Description", description },
		{ "Map", map },
		{ "Format", format },
		{ "Identifier", scene->identity ? scene->identity->bytes : "" },
		{ "Camera", cameras },
		{ "Exposure", exposure },
		{ "Software", software },
	};
	uint32_t count = drop_cameras(picture, facts);
	bool ok = cli_output_begin(output, picture->name) && write_pixels(picture, facts, count, output, error) &&
	          cli_output_end(output);
	free(title);
	free(map);
	free(description);
	free(cameras);
	free(format);
	free(software);
	return ok;
}

#endif
