/* atlas_pngs.c - writes the lightmap pages of a map as pictures, and prints where each face is on them: atlas_pngs
 * atrium.bsp */
#include <bspscene/bspscene.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	bspscene_error error = { .message = "usage: atlas_pngs MAP.bsp" };
	bspscene_scene *scene = argc == 2 ? bspscene_open(argv[1], NULL, &error) : NULL;
	bool done = scene != NULL;
	for (uint32_t i = 0; done && scene->lightmap_set_count && i < scene->lightmap_page_count; i++) {
		char name[64];
		snprintf(name, sizeof name, "page%u.png", i);
		done = bspscene_write_lightmap_page_file(&scene->lightmap_sets[0].pages[i], name, &error);
	}
	for (const bspscene_face *f = scene ? scene->faces : NULL; done && f < scene->faces + scene->face_count; f++) {
		if (f->lightmap_page != BSPSCENE_NO_INDEX)
			printf("face %u: page %u at %u %u, %u x %u\n", f->record, f->lightmap_page, f->lightmap_x, f->lightmap_y,
			       f->lightmap_width, f->lightmap_height);
	}
	if (!done) fprintf(stderr, "%s\n", error.message);
	bspscene_scene_free(scene);
	return done ? 0 : 1;
}
