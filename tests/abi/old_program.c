/* old_program.c - a program that is compiled with the current headers, and run with a library whose structs have grown.
 * Its output is right only if it finds the records at the distances that the library uses, not at the sizes that it was
 * compiled with. */
#include <bspscene/bspscene.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	bspscene_error error;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.include_mask = BSPSCENE_SURFACE_ALL;
	bspscene_scene *scene = argc == 2 ? bspscene_load_file(argv[1], &options, &error) : NULL;
	if (!scene) return 1;
	printf("%s, %u triangles, %u leafs\n", scene->variant, scene->counts->triangles, scene->tree->leaf_count);
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		const bspscene_mesh *mesh = scene->meshes[i];
		printf("mesh %s: %u of %u\n", mesh->name, mesh->section_count, mesh->index_count);
		for (uint32_t k = 0; k < mesh->section_count; k++) printf(" %u", mesh->sections[k]->material);
		puts("");
	}
	for (uint32_t i = 0; i < scene->material_count; i++) {
		printf("material %s %u\n", scene->materials[i]->name, scene->materials[i]->pass_count);
	}
	for (uint32_t i = 0; i < scene->light_count; i++) {
		printf("light %u %g\n", scene->lights[i]->node, (double)scene->lights[i]->illuminance_at_100_units);
	}
	for (uint32_t i = 0; i < scene->node_count; i++) printf("node %s\n", scene->nodes[i]->name);
	printf("%u faces, the last is %u\n", scene->face_count, scene->faces[scene->face_count - 1].record);
	bspscene_scene_free(scene);
	return 0;
}
