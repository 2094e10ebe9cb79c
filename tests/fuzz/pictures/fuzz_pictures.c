/* fuzz_pictures.c - draws a map with its sibling files. The input begins like an input of fuzz_siblings.c. If the name
 * of one of its files ends in ".bsp", that file is the map. The last 16 bytes of the input choose the view and the
 * mode. The picture must be the same for any number of threads, and distances must be numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <bspscene/render_binding.h>

#include "support/check/check_scene.h"
#include "support/rooms/room_game.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TAIL = 16, WIDTH = 8, HEIGHT = 6, STYLES = 256 };

#define MEMORY ((uint64_t)64 << 20)

static bspscene_scene *load(const uint8_t *data, size_t size)
{
	bspscene_load_options options;
	bspscene_error error;
	bspt_input_files files;
	uint8_t choices = data[BSPT_ROOM_NAME];
	bspt_split_input(bspi_bytes_of(data + BSPT_ROOM_NAME + 1, size - BSPT_ROOM_NAME - 1), &files);
	const bspt_input_file *own = bspt_input_file_of(&files, ".bsp");
	const bspt_bytes *room = bspt_room_of_name(data);
	bspi_bytes map = own ? own->bytes : bspi_bytes_of(room->data, room->size);
	bspscene_load_options_init(&options);
	bspt_use_input_files(&options, &files);
	options.name = "fuzz";
	options.lump_patches = options.reflections = true;
	options.include_mask = choices & 1 ? BSPSCENE_SURFACE_ALL : BSPSCENE_SURFACE_SKY;
	options.engine = choices & 8 ? BSPSCENE_ENGINE_DARKPLACES : BSPSCENE_ENGINE_AUTO;
	options.lightmap_encoding = (bspscene_lightmap_encoding)(choices >> 4 & 3);
	options.memory_limit = MEMORY;
	return bspscene_load_memory(map.data, map.size, &options, &error);
}

static void choose(const uint8_t *tail, const float *styles, bspscene_render_options *out)
{
	bspscene_render_options_init(out);
	out->width = WIDTH;
	out->height = HEIGHT;
	out->samples = tail[0] & 1 ? 4 : 1;
	out->threads = 1;
	out->mode = (bspscene_render_mode)(tail[1] % 3);
	out->world_only = tail[0] & 2;
	out->transparent_sky = tail[0] & 4;
	out->use_pvs = tail[0] & 8;
	out->omit_map_fog = tail[0] & 16;
	out->show_back_faces = tail[0] & 32;
	out->light_styles = tail[0] & 64 ? styles : NULL;
	out->level = tail[2] % 9;
	out->intensity = (float)(tail[3] % 8) / 2;
	out->time = ldexpf((float)tail[4], tail[5] % 24 - 8);
	out->memory_limit = tail[6] ? (uint64_t)tail[6] << 16 : MEMORY;
}

static bspscene_view look(const bspscene_scene *scene, const uint8_t *tail)
{
	float scale;
	bspscene_view views[3];
	if (tail[7] & 1) return bspscene_view_plan(scene, WIDTH, HEIGHT, &scale);
	bspscene_view_turn(scene, WIDTH, HEIGHT, 3, views);
	bspscene_view view = tail[7] & 2 ? views[tail[7] % 3] : bspscene_view_overview(scene, WIDTH, HEIGHT);
	if (tail[7] & 4 && scene->camera_count) view = bspscene_view_of_camera(scene, tail[8] % scene->camera_count);
	if (!(tail[7] & 8)) return view;
	for (int i = 0; i < 3; i++) view.origin[i] = 4 * (float)(int8_t)tail[9 + i];
	view.pitch = 2 * (float)(int8_t)tail[12];
	view.yaw = 2 * (float)(int8_t)tail[13];
	view.fov_degrees = 1 + (float)(tail[14] % 170);
	return view;
}

static void draw(const bspscene_scene *scene, const bspscene_view *view, bspscene_render_options options,
                 bspt_report *report)
{
	uint8_t rgb[2][WIDTH * HEIGHT * 3];
	float distances[WIDTH * HEIGHT];
	bspscene_error error = { 0 };
	bspscene_renderer *renderer = bspscene_renderer_create(scene, &options, &error);
	if (!renderer || !bspscene_render(renderer, view, &options, rgb[0], &error)) {
		bspt_check_error(&error, report);
		bspscene_renderer_free(renderer);
		return;
	}
	options.threads = 2;
	bool again = bspscene_render(renderer, view, &options, rgb[1], &error);
	BSPT_EXPECT(report, again && !memcmp(rgb[0], rgb[1], sizeof rgb[0]), "two threads draw another picture");
	bool done = bspscene_render_distances(renderer, view, &options, distances, &error);
	for (size_t i = 0; done && i < WIDTH * HEIGHT; i++) {
		BSPT_EXPECT(report, distances[i] >= 0, "distance %zu is %g", i, (double)distances[i]);
	}
	bspscene_renderer_free(renderer);
	float factor = bspscene_auto_expose(rgb[0], WIDTH, HEIGHT, options.background, 0);
	BSPT_EXPECT(report, factor >= 1 && factor <= 8, "brightened by %g", (double)factor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size <= BSPT_ROOM_NAME + 1 + TAIL) return 0;
	const uint8_t *tail = data + size - TAIL;
	bspscene_scene *scene = load(data, size - TAIL);
	if (!scene) return 0;
	float styles[STYLES];
	for (int i = 0; i < STYLES; i++) styles[i] = (float)((tail[15] + 1) * i % 97) / 32 - 1;
	bspscene_render_options options;
	bspt_report report = { .failures = 0 };
	choose(tail, styles, &options);
	bspscene_view view = look(scene, tail);
	draw(scene, &view, options, &report);
	bspscene_scene_free(scene);
	bspt_assert_clean(&report);
	return 0;
}
