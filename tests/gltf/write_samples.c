/* write_samples.c - writes support/sample_scene.c as glTF in every way there is, for the validator: write_samples DIRECTORY */
#include <stdio.h>
#include <string.h>

#include "support/captured.h"
#include "support/sample_scene.h"

static void write_one(const bspscene_scene *scene, const char *directory, const char *writer, const char *name,
                      bspscene_write_lighting lighting)
{
	static bspt_captured captured;
	char file_name[64];
	bspscene_error error;
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	snprintf(file_name, sizeof file_name, "%s.%s", name, writer);
	options.file_name = file_name;
	options.lighting = lighting;
	bspscene_output output = bspt_capture(&captured);
	if (!bspscene_write(scene, writer, &options, &output, &error)) bspt_die(file_name, error.message);
	bspt_captured_save(&captured, directory);
	bspt_captured_free(&captured);
}

/* Everything a scene can lack. */
static void write_without(const char *directory)
{
	bspscene_scene scene = { .name = "", .family = "quake3", .variant = "quake3", .metres_per_unit = 0.0254f,
	                         .sky_material = BSPSCENE_NO_INDEX };
	write_one(&scene, directory, "glb", "empty", BSPSCENE_WRITE_LIGHTMAP);
	bspt_sample *sample = bspt_sample_make();
	sample->scene.page_set_count = sample->scene.page_count = 0;
	for (uint32_t i = 0; i < BSPT_SAMPLE_SECTIONS; i++) {
		sample->sections[i].lighting = BSPSCENE_LIGHTING_FULLBRIGHT;
		sample->sections[i].lightmap_page = BSPSCENE_NO_INDEX;
	}
	for (uint32_t i = 0; i < BSPT_SAMPLE_MESHES; i++) {
		sample->meshes[i].colors = NULL;
		sample->meshes[i].lightmap_uvs = NULL;
	}
	for (uint32_t i = 0; i < BSPT_SAMPLE_MATERIALS; i++) sample->materials[i].base_image = BSPSCENE_NO_INDEX;
	write_one(&sample->scene, directory, "glb", "bare", BSPSCENE_WRITE_LIGHTMAP);
	bspt_sample_free(sample);
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "sample lightmap", "sample vertex", "sample none" };
	if (argc != 2) {
		fprintf(stderr, "usage: write_samples DIRECTORY\n");
		return 2;
	}
	bspt_sample *sample = bspt_sample_make();
	for (int lighting = 0; lighting < 3; lighting++) {
		write_one(&sample->scene, argv[1], "glb", names[lighting], (bspscene_write_lighting)lighting);
		write_one(&sample->scene, argv[1], "gltf", names[lighting], (bspscene_write_lighting)lighting);
	}
	bspt_sample_free(sample);
	write_without(argv[1]);
	return 0;
}
