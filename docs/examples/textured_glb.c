/* textured_glb.c - a map to glTF with its textures: textured_glb baseq3/maps/atrium.bsp atrium.glb */
#include <bspscene/bspscene.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	if (argc != 3) return fprintf(stderr, "usage: %s MAP.bsp OUT.glb\n", argv[0]), 2;
	bspscene_error error;
	bspscene_scene *scene = bspscene_open(argv[1], NULL, &error);
	bool done = scene && bspscene_write_file(scene, argv[2], NULL, &error);
	if (!done) fprintf(stderr, "%s\n", error.message);
	bspscene_scene_free(scene);
	return done ? 0 : 1;
}
