/* textured_glb.c - converts a map with its textures to glTF: textured_glb baseq3/maps/atrium.bsp atrium.glb */
#include <bspscene/bspscene.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	bspscene_error error = { .message = "usage: textured_glb MAP.bsp OUT.glb" };
	bspscene_scene *scene = argc == 3 ? bspscene_open(argv[1], NULL, &error) : NULL;
	bool done = scene && bspscene_write_file(scene, argv[2], NULL, &error);
	if (!done) fprintf(stderr, "%s\n", error.message);
	bspscene_scene_free(scene);
	return done ? 0 : 1;
}
