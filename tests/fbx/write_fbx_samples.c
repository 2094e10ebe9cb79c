/* write_fbx_samples.c - writes support/sample_scene.c and the atrium as FBX in every way there is, for the tests beside
 * it: write_fbx_samples DIRECTORY */
#include <stdio.h>
#include <string.h>

#include "support/captured.h"
#include "support/sample_scene.h"
#include "writers/fbx.h"

static void save(bspt_captured *captured, const char *directory)
{
	bspt_captured_save(captured, directory);
	bspt_captured_free(captured);
}

static bspt_captured captured;

static void write_one(const bspscene_scene *scene, const char *directory, const char *name,
                      const bspscene_write_options *given)
{
	char file_name[64];
	bspscene_error error;
	bspscene_write_options options = *given;
	const char *writer = strrchr(name, '.') + 1;
	snprintf(file_name, sizeof file_name, "%s", name);
	options.file_name = file_name;
	options.light_limit = BSPSCENE_NO_INDEX;
	bspscene_output output = bspt_capture(&captured);
	if (!bspscene_write(scene, writer, &options, &output, &error)) bspt_die(name, error.message);
	save(&captured, directory);
}

/* Neither clock nor addresses nor what was written before get into the file. */
static void check_same_again(const bspscene_scene *scene, const bspscene_write_options *options)
{
	static bspt_captured again;
	bspscene_output first_output = bspt_capture(&captured), second_output = bspt_capture(&again);
	bool written = bspscene_write(scene, "fbx", options, &first_output, NULL) &&
	               bspscene_write(scene, "fbx", options, &second_output, NULL);
	bool same = written && captured.file_count == again.file_count;
	for (uint32_t i = 0; same && i < again.file_count; i++) {
		const bspt_bytes *a = &captured.files[i].bytes, *b = &again.files[i].bytes;
		same = a->size == b->size && !memcmp(a->data, b->data, a->size);
	}
	if (!same) bspt_die("sample.fbx", "differs when it is written again");
	bspt_captured_free(&captured);
	bspt_captured_free(&again);
}

/* As files beyond 4 GiB are. */
static void write_wide(const bspscene_scene *scene, const char *directory)
{
	bool too_large;
	bspscene_output output = bspt_capture(&captured);
	static bspi_writer writer;
	writer = (bspi_writer){
		.scene = scene, .output = &output, .main_name = "wide.fbx", .stem = "wide", .output_limit = UINT64_MAX,
		.output_left = UINT64_MAX, .options = { .lighting = BSPSCENE_WRITE_LIGHTMAP, .embed = true },
	};
	bspi_budget_begin(&writer.budget, UINT64_MAX, NULL);
	bspi_arena_init(&writer.arena, &writer.budget);
	if (!bspi_fbx_write_version(&writer, 7500, &too_large)) bspt_die("wide.fbx", writer.failure.message);
	bspi_arena_reset(&writer.arena);
	save(&captured, directory);
}

/* Names and keys that mean something to readers, or that they cannot bear. */
static void write_hostile(const char *directory, const bspscene_write_options *options)
{
	static const char long_key[] = "a key of more letters than the custom properties of Blender can bear in a name";
	static const bspscene_pair pairs[12] = {
		{ "Visibility", "no" }, { "Color", "red" }, { "RotationOrder", "x" }, { "PreRotation", "1 2 3" },
		{ "Lcl Translation", "9 9 9" }, { "UDP3DSMAX", "a = b" }, { "", "empty" }, { long_key, "long" },
		{ "a|b", "c\x01" "d" }, { "Show", "0" }, { "InheritType", "2" }, { "Freeze", "1" },
	};
	bspt_sample *sample = bspt_sample_make();
	memcpy(sample->pairs, pairs, sizeof pairs);
	sample->nodes[BSPT_SAMPLE_NODE_LAMP].name = "lamp\x01::\n|2";
	sample->materials[0].name = "\x02:: material \xc3\xa4";
	sample->entities[0].pair_count = 12;
	write_one(&sample->scene, directory, "hostile.fbx", options);
	bspt_sample_free(sample);
}

/* A sheet seen from both sides: the second side of each square lies on the first. */
static void write_doubled(const char *directory, const bspscene_write_options *options)
{
	static const uint32_t indices[15] = { 0, 1, 2, 0, 2, 3, 2, 1, 0, 3, 2, 0, 4, 5, 6 };
	bspt_sample *sample = bspt_sample_make();
	for (uint32_t v = 4; v < 7; v++) memcpy(&sample->positions[3 * v], &sample->positions[0], 3 * sizeof(float));
	sample->sections[0].index_count = 15;
	sample->sections[0].vertex_count = 7;
	sample->meshes[0].indices = indices;
	sample->meshes[0].index_count = 15;
	sample->meshes[0].section_count = 1;
	write_one(&sample->scene, directory, "doubled.fbx", options);
	bspt_sample_free(sample);
}

/* Two nodes that show one mesh. */
static void write_instances(const char *directory, const bspscene_write_options *options)
{
	bspt_sample *sample = bspt_sample_make();
	sample->nodes[BSPT_SAMPLE_NODE_PROP].mesh = 1;
	write_one(&sample->scene, directory, "instances.fbx", options);
	bspt_sample_free(sample);
}

static void write_atrium(const char *directory, const char *name, bspscene_lightmap_encoding encoding, uint32_t include,
                         const bspscene_write_options *write_options)
{
	bspscene_files *files = bspt_mount_fixtures("atrium/quake3", NULL);
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	bspt_use_files(&options, files);
	options.lightmap_encoding = encoding;
	options.include = include;
	bspscene_scene *scene = bspscene_load_file(bspt_fixture_path("atrium/quake3/maps/atrium.bsp"), &options, &error);
	if (!scene) bspt_die(name, error.message);
	write_one(scene, directory, name, write_options);
	bspscene_scene_free(scene);
	bspscene_files_free(files);
}

int main(int argc, char **argv)
{
	static const bspscene_scene empty = {
		.name = "", .family = "quake3", .variant = "quake3", .metres_per_unit = 0.0254f,
		.sky_material = BSPSCENE_NO_INDEX,
	};
	bspscene_write_options lightmap, vertex, none, inside, large, bare;
	if (argc != 2) {
		fprintf(stderr, "usage: write_fbx_samples DIRECTORY\n");
		return 2;
	}
	const char *directory = argv[1];
	bspscene_write_options_init(&lightmap);
	lightmap.lighting = BSPSCENE_WRITE_LIGHTMAP;
	vertex = none = inside = large = bare = lightmap;
	vertex.lighting = BSPSCENE_WRITE_VERTEX;
	none.lighting = BSPSCENE_WRITE_NO_LIGHT;
	inside.embed = true;
	large.centimetres = true;
	bare.no_entities = true;
	bspt_sample *sample = bspt_sample_make();
	write_one(&sample->scene, directory, "sample.fbx", &lightmap);
	write_one(&sample->scene, directory, "sample.glb", &lightmap);
	check_same_again(&sample->scene, &lightmap);
	write_one(&sample->scene, directory, "sample_vertex.fbx", &vertex);
	write_one(&sample->scene, directory, "sample_none.fbx", &none);
	write_one(&sample->scene, directory, "inside.fbx", &inside);
	write_one(&sample->scene, directory, "large.fbx", &large);
	write_one(&sample->scene, directory, "bare.fbx", &bare);
	write_wide(&sample->scene, directory);
	bspt_sample_free(sample);
	write_one(&empty, directory, "empty.fbx", &lightmap);
	write_hostile(directory, &lightmap);
	write_doubled(directory, &lightmap);
	write_instances(directory, &lightmap);
	write_atrium(directory, "atrium.fbx", BSPSCENE_LIGHTMAP_DISPLAY, 0, &lightmap);
	write_atrium(directory, "atrium.glb", BSPSCENE_LIGHTMAP_DISPLAY, 0, &lightmap);
	write_atrium(directory, "atrium_hdr_all.fbx", BSPSCENE_LIGHTMAP_HDR, BSPSCENE_INCLUDE_ALL, &lightmap);
	write_atrium(directory, "atrium_vertex.fbx", BSPSCENE_LIGHTMAP_DISPLAY, 0, &vertex);
	write_atrium(directory, "atrium_vertex.glb", BSPSCENE_LIGHTMAP_DISPLAY, 0, &vertex);
	return 0;
}
