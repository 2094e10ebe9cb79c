/* face_at.c - prints the face nearest to a point, its luxel and the light there: face_at baseq3/maps/atrium.bsp 0 0
 * 64 */
#include <bspscene/bspscene.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	bspscene_error error = { .message = "usage: face_at MAP.bsp X Y Z" };
	bspscene_surface_point at = { .struct_size = sizeof at };
	float point[3] = { 0 };
	for (int i = 0; argc == 5 && i < 3; i++) point[i] = strtof(argv[2 + i], NULL);
	bspscene_scene *scene = argc == 5 ? bspscene_open(argv[1], NULL, &error) : NULL;
	if (!scene) fprintf(stderr, "%s\n", error.message);
	else if (!bspscene_face_at(scene, point, 1024, &at)) puts("no face is near");
	else printf("face %u, page %u, luxel %u %u, light %.3f %.3f %.3f\n", scene->faces[at.face].record, at.lightmap_page,
	            at.luxel_x, at.luxel_y, at.light[0], at.light[1], at.light[2]);
	bspscene_scene_free(scene);
	return scene ? 0 : 1;
}
