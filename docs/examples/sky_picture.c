/* sky_picture.c - draws a map's sky, looking up from 100 units above its origin: sky_picture baseq3/maps/atrium.bsp
 * atrium.png. The renderer is a library of its own, bspscene_render. */
#include <bspscene/render.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	static uint8_t rgb[640 * 480 * 3];
	bspscene_error error = { .message = "usage: sky_picture MAP.bsp OUT.png" };
	bspscene_scene *scene = argc == 3 ? bspscene_open(argv[1], NULL, &error) : NULL;
	bspscene_renderer *renderer = scene ? bspscene_renderer_create(scene, NULL, &error) : NULL;
	bspscene_view view = { .origin = { 0, 0, 100 }, .pitch = -89, .fov_degrees = 90 };
	bool done = renderer && bspscene_render(renderer, &view, NULL, rgb, &error) &&
	            bspscene_write_png_file(640, 480, 3, rgb, argv[2], &error);
	if (!done) fprintf(stderr, "%s\n", error.message);
	bspscene_renderer_free(renderer);
	bspscene_scene_free(scene);
	return done ? 0 : 1;
}
