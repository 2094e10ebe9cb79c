/* picture.c - a program that uses the renderer as users do: draws one picture of a map and prints its brightness. */
#include <bspscene/render.h>

#include <stdio.h>

#define WIDTH 64
#define HEIGHT 48

int main(int argc, char **argv)
{
	static uint8_t rgb[WIDTH * HEIGHT * 3];
	if (argc != 2) return 2;
	bspscene_error error = { 0 };
	bspscene_scene *scene = bspscene_load_file(argv[1], NULL, &error);
	bspscene_render_options options;
	bspscene_render_options_init(&options);
	options.width = WIDTH;
	options.height = HEIGHT;
	bspscene_renderer *renderer = scene ? bspscene_renderer_create(scene, &options, &error) : NULL;
	bspscene_view view = { { 0 }, 0, 0, 0, 90 };
	bool drawn = renderer && bspscene_view_of_entity(scene, "info_player_deathmatch", 0, &view) &&
	             bspscene_render(renderer, &view, &options, rgb, &error);
	unsigned long sum = 0;
	for (size_t i = 0; i < sizeof rgb; i++) sum += rgb[i];
	if (drawn) printf("a picture of %s, brightness %s\n", scene->name, sum ? "above 0" : "0");
	else printf("no picture: %s\n", error.message);
	bspscene_renderer_free(renderer);
	bspscene_scene_free(scene);
	return drawn ? 0 : 1;
}
