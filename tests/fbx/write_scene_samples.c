/* write_scene_samples.c - writes support/make/sample_scene.c and the atrium as FBX or USD with all kinds of options,
 * and as glTF for comparison: write_scene_samples DIRECTORY fbx|usda */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/captured.h"
#include "support/make/shared_scene.h"
#include "writers/fbx/fbx.h"

static const char *directory, *writer;
static bspt_captured captured;

static void save(void)
{
	bspt_captured_save(&captured, directory);
	bspt_captured_free(&captured);
}

static void write_as(const bspscene_scene *scene, const char *name, const char *ending,
                     const bspscene_write_options *given)
{
	char file_name[64];
	bspscene_error error;
	bspscene_write_options options = *given;
	snprintf(file_name, sizeof file_name, "%s.%s", name, ending);
	options.file_name = file_name;
	options.lights = strcmp(ending, "usdz") ? BSPSCENE_WRITE_LIGHTS_ALL : BSPSCENE_WRITE_LIGHTS_DEFAULT;
	bspscene_output output = bspt_capture(&captured);
	if (!bspscene_write(scene, ending, &options, &output, &error)) bspt_die(name, error.message);
	save();
}

static void write_one(const bspscene_scene *scene, const char *name, const bspscene_write_options *options)
{
	write_as(scene, name, writer, options);
}

/* Checks that writing the scene again gives the same file. It must not depend on the clock, on addresses or on files
 * that were written before. */
static void check_same_again(const bspscene_scene *scene, const bspscene_write_options *options)
{
	static bspt_captured again;
	bspscene_output first_output = bspt_capture(&captured), second_output = bspt_capture(&again);
	bool written = bspscene_write(scene, writer, options, &first_output, NULL) &&
	               bspscene_write(scene, writer, options, &second_output, NULL);
	bool same = written && captured.file_count == again.file_count;
	for (uint32_t i = 0; same && i < again.file_count; i++) {
		const bspt_bytes *a = &captured.files[i].bytes, *b = &again.files[i].bytes;
		same = a->size == b->size && !memcmp(a->data, b->data, a->size);
	}
	if (!same) bspt_die("sample", "differs when it is written again");
	bspt_captured_free(&captured);
	bspt_captured_free(&again);
}

/* Writes the variant of FBX that files larger than 4 GiB need. */
static void write_wide(const bspscene_scene *scene)
{
	bool too_large;
	bspscene_output output = bspt_capture(&captured);
	static bspi_writer wide;
	wide = (bspi_writer) {
		.scene = scene,
		.output = &output,
		.main_name = "wide.fbx",
		.stem = "wide",
		.output_limit = UINT64_MAX,
		.output_left = UINT64_MAX,
		.options = { .lighting = BSPSCENE_WRITE_LIGHTING_LIGHTMAP,
		             .lights = BSPSCENE_WRITE_LIGHTS_ALL,
		             .embed_textures = true },
	};
	bspi_budget_begin(&wide.budget, UINT64_MAX, NULL);
	bspi_arena_init(&wide.arena, &wide.budget);
	if (!bspi_fbx_write_version(&wide, 7500, &too_large)) bspt_die("wide.fbx", wide.failure.message);
	bspi_arena_reset(&wide.arena);
	save();
}

/* Writes names and keys that have a meaning for readers, or that readers cannot handle. */
static void write_hostile(const bspscene_write_options *options)
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
	write_one(&sample->scene, "hostile", options);
	bspt_sample_free(sample);
}

/* Writes a two-sided sheet. Each square is there twice, the second time with reversed winding. */
static void write_doubled(const bspscene_write_options *options)
{
	static const uint32_t indices[15] = { 0, 1, 2, 0, 2, 3, 2, 1, 0, 3, 2, 0, 4, 5, 6 };
	bspt_sample *sample = bspt_sample_make();
	for (uint32_t v = 4; v < 7; v++) memcpy(&sample->positions[3 * v], &sample->positions[0], 3 * sizeof(float));
	sample->sections[0].index_count = 15;
	sample->sections[0].vertex_count = 7;
	sample->meshes[0].indices = indices;
	sample->meshes[0].index_count = 15;
	sample->meshes[0].section_count = 1;
	write_one(&sample->scene, "doubled", options);
	bspt_sample_free(sample);
}

/* Writes a sun that shines down and back. About the second of FBX's axes it is rotated by 90 degrees (gimbal lock).
 * Also writes a spot that shines up and forward. */
static void write_turned(const bspscene_write_options *options)
{
	static const float down[12] = { -0.6f, -0.8f, 0, 0, 0, 0, 1, 0, -0.8f, 0.6f, 0, 0 };
	static const float up[12] = { 0.6f, 0, -0.8f, 0, 0, 1, 0, 0, 0.8f, 0, 0.6f, 0 };
	bspt_sample *sample = bspt_sample_make();
	memcpy(sample->nodes[BSPT_SAMPLE_NODE_SUN].transform, down, sizeof down);
	memcpy(sample->nodes[BSPT_SAMPLE_NODE_LAMP].transform, up, sizeof up);
	sample->lights[0].kind = BSPSCENE_LIGHT_SPOT;
	write_one(&sample->scene, "turned", options);
	bspt_sample_free(sample);
}

/* Writes two nodes with one mesh. */
static void write_instances(const bspscene_write_options *options)
{
	bspt_sample *sample = bspt_sample_make();
	sample->nodes[BSPT_SAMPLE_NODE_PROP].mesh = 1;
	write_one(&sample->scene, "instances", options);
	bspt_sample_free(sample);
}

/* Writes two nodes with one mesh that a bone moves. */
static void write_moving(const bspscene_write_options *options)
{
	static const bspscene_bone bone = {
		.name = "bone", .parent = BSPSCENE_NO_INDEX, .rest = BSPI_TRS_NONE,
		.inverse_rest = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 },
	};
	static const bspscene_bone *const bones[1] = { &bone };
	static const bspscene_sequence sequence = { .name = "rise", .frames_per_second = 10, .frame_count = 2 };
	static const bspscene_sequence *const sequences[1] = { &sequence };
	static const bspscene_bone_pose poses[2] = { BSPI_TRS_NONE, { { 0, 0, 10 }, { 0, 0, 0, 1 }, { 1, 1, 1 } } };
	static const bspscene_rig rig = { bones, 1, sequences, 1, 2, poses, BSPSCENE_NO_INDEX };
	bspt_sample *sample = bspt_sample_make();
	bspscene_mesh *mesh = &sample->meshes[1];
	uint8_t *joints = calloc(mesh->vertex_count, 4);
	float *weights = calloc(mesh->vertex_count, 4 * sizeof *weights);
	if (!joints || !weights) bspt_die("moving", "out of memory");
	for (size_t i = 0; i < mesh->vertex_count; i++) weights[4 * i] = 1;
	mesh->rig = &rig;
	mesh->joints = joints;
	mesh->weights = weights;
	sample->nodes[BSPT_SAMPLE_NODE_PROP].mesh = 1;
	write_one(&sample->scene, "moving", options);
	bspt_sample_free(sample);
	free(joints);
	free(weights);
}

/* Writes materials that share a picture. shared_light.py has the expected light. */
static void write_shared(const bspscene_write_options *vertex)
{
	bspt_sample *sample = bspt_sample_make();
	bspt_sample_of_one_picture(sample, 0);
	write_one(&sample->scene, "shared", vertex);
	write_as(&sample->scene, "shared", "obj", vertex);
	bspt_sample_free(sample);
}

static bspscene_scene *load_atrium(bspscene_lightmap_encoding encoding, uint32_t include, bspscene_file_system *files)
{
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	bspt_use_files(&options, files);
	options.lightmap_encoding = encoding;
	options.include_mask = include;
	bspscene_scene *scene = bspscene_load_file(bspt_fixture_path("atrium/quake3/maps/atrium.bsp"), &options, &error);
	if (!scene) bspt_die("atrium", error.message);
	return scene;
}

static void write_atrium(const bspscene_write_options *lightmap, const bspscene_write_options *vertex)
{
	bspscene_file_system *files = bspt_mount_fixtures("atrium/quake3", NULL);
	bspscene_scene *plain = load_atrium(BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, 0, files);
	bspscene_scene *all = load_atrium(BSPSCENE_LIGHTMAP_ENCODING_HDR, BSPSCENE_SURFACE_ALL, files);
	write_one(plain, "atrium", lightmap);
	write_as(plain, "atrium", "glb", lightmap);
	write_one(plain, "atrium_vertex", vertex);
	write_one(all, "atrium_hdr_all", lightmap);
	bspscene_scene_free(plain);
	bspscene_scene_free(all);
	bspscene_file_system_free(files);
}

static void write_sample(const bspscene_write_options *lightmap)
{
	bspscene_write_options vertex = *lightmap, none = *lightmap, bare = *lightmap;
	bspscene_write_options inside = *lightmap, large = *lightmap, baked = *lightmap;
	vertex.lighting = BSPSCENE_WRITE_LIGHTING_VERTEX;
	none.lighting = BSPSCENE_WRITE_LIGHTING_NONE;
	baked.lighting = BSPSCENE_WRITE_LIGHTING_BAKED;
	inside.embed_textures = true;
	large.centimeters = true;
	bare.omit_entities = true;
	bspt_sample *sample = bspt_sample_make();
	write_one(&sample->scene, "sample", lightmap);
	write_as(&sample->scene, "sample", "glb", lightmap);
	check_same_again(&sample->scene, lightmap);
	write_one(&sample->scene, "sample_vertex", &vertex);
	write_one(&sample->scene, "sample_none", &none);
	write_one(&sample->scene, "bare", &bare);
	write_one(&sample->scene, "sample_baked", &baked);
	if (!strcmp(writer, "fbx")) {
		write_one(&sample->scene, "inside", &inside);
		write_one(&sample->scene, "large", &large);
		write_wide(&sample->scene);
	} else {
		write_as(&sample->scene, "packed", "usdz", &baked);
		write_as(&sample->scene, "packed_none", "usdz", &none);
		write_as(&sample->scene, "packed_lightmap", "usdz", lightmap);
	}
	bspt_sample_free(sample);
}

int main(int argc, char **argv)
{
	bspscene_scene empty = {
		.name = "", .family = "quake3", .variant = "quake3", .meters_per_unit = 0.0254f,
		.sky_material = BSPSCENE_NO_INDEX,
	};
	bspscene_write_options lightmap, vertex;
	bspt_empty_parts(&empty);
	if (argc != 3) {
		fprintf(stderr, "usage: write_scene_samples DIRECTORY fbx|usda\n");
		return 2;
	}
	directory = argv[1];
	writer = argv[2];
	bspscene_write_options_init(&lightmap);
	lightmap.lighting = BSPSCENE_WRITE_LIGHTING_LIGHTMAP;
	vertex = lightmap;
	vertex.lighting = BSPSCENE_WRITE_LIGHTING_VERTEX;
	write_sample(&lightmap);
	write_one(&empty, "empty", &lightmap);
	write_hostile(&lightmap);
	write_doubled(&lightmap);
	write_instances(&lightmap);
	write_moving(&lightmap);
	write_turned(&lightmap);
	write_shared(&vertex);
	write_atrium(&lightmap, &vertex);
	return 0;
}
