/* open_maps.c - converts maps to glTF with bspscene_open: open_maps PATH MAP OUT.glb [PATH MAP OUT.glb]... */
#include <bspscene/bspscene.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	for (int i = 1; i + 2 < argc; i += 3) {
		bspscene_error error;
		bspscene_open_options open;
		bspscene_write_options write;
		bspscene_open_options_init(&open);
		bspscene_write_options_init(&write);
		open.map = argv[i + 1];
		write.lighting = BSPSCENE_WRITE_LIGHTING_LIGHTMAP;
		bspscene_scene *scene = bspscene_open(argv[i], &open, &error);
		bool done = scene && bspscene_write_file(scene, argv[i + 2], &write, &error);
		if (!done) return fprintf(stderr, "%s\n", error.message), 1;
		bspscene_scene_free(scene);
	}
	return 0;
}
