/* atlas_pngs.c - the lightmaps of a map as pictures, page by page: atlas_pngs baseq3/maps/atrium.bsp */
#include <bspscene/bspscene.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	if (argc != 2) return fprintf(stderr, "usage: %s MAP.bsp\n", argv[0]), 2;
	bspscene_error error;
	bspscene_scene *scene = bspscene_open(argv[1], NULL, &error);
	if (!scene) return fprintf(stderr, "%s\n", error.message), 1;
	bool done = true;
	for (uint32_t i = 0; done && scene->lightmap_set_count && i < scene->lightmap_page_count; i++) {
		const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[i];
		char name[64];
		snprintf(name, sizeof name, "page%u.%s", i, bspscene_lightmap_page_extension(page));
		done = bspscene_write_lightmap_page_file(page, name, &error);
		if (done) printf("%s: %u x %u\n", name, page->width, page->height);
		else fprintf(stderr, "%s\n", error.message);
	}
	bspscene_scene_free(scene);
	return done ? 0 : 1;
}
