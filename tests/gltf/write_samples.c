/* write_samples.c - writes the scene of support/make/sample_scene.c and the map atrium as glTF with every kind of
 * option, for the validator and the viewer: write_samples DIRECTORY */
#include <stdio.h>
#include <string.h>

#include "support/captured.h"
#include "support/make/sample_scene.h"

static void write_with(const bspscene_scene *scene, const char *directory, const char *writer, const char *name,
                       bspscene_write_lighting lighting, bspscene_write_sky sky)
{
	static bspt_captured captured;
	char file_name[64];
	bspscene_error error;
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	snprintf(file_name, sizeof file_name, "%s.%s", name, writer);
	options.file_name = file_name;
	options.lighting = lighting;
	options.sky = sky;
	bspscene_output output = bspt_capture(&captured);
	if (!bspscene_write(scene, writer, &options, &output, &error)) bspt_die(file_name, error.message);
	bspt_captured_save(&captured, directory);
	bspt_captured_free(&captured);
}

static void write_one(const bspscene_scene *scene, const char *directory, const char *writer, const char *name,
                      bspscene_write_lighting lighting)
{
	write_with(scene, directory, writer, name, lighting, BSPSCENE_WRITE_SKY_DEFAULT);
}

/* Writes an empty scene, and the sample without lightmaps, vertex colors and textures. */
static void write_without(const char *directory)
{
	bspscene_scene scene = { .name = "", .family = "quake3", .variant = "quake3", .meters_per_unit = 0.0254f,
	                         .sky_material = BSPSCENE_NO_INDEX };
	bspt_empty_parts(&scene);
	write_one(&scene, directory, "glb", "empty", BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	bspt_sample *sample = bspt_sample_make();
	sample->scene.lightmap_set_count = sample->scene.lightmap_page_count = 0;
	for (uint32_t i = 0; i < BSPT_SAMPLE_SECTIONS; i++) {
		sample->sections[i].lighting = BSPSCENE_LIGHTING_FULLBRIGHT;
		sample->sections[i].lightmap_page = BSPSCENE_NO_INDEX;
	}
	for (uint32_t i = 0; i < BSPT_SAMPLE_MESHES; i++) {
		sample->meshes[i].colors = NULL;
		sample->meshes[i].lightmap_uvs = NULL;
	}
	for (uint32_t i = 0; i < BSPT_SAMPLE_MATERIALS; i++) sample->materials[i].base_image = BSPSCENE_NO_INDEX;
	write_one(&sample->scene, directory, "glb", "bare", BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	bspt_sample_free(sample);
}

/* Writes a gray wall (128 of 255) that fills the camera's view. Its light is the same everywhere, (100, 50, 0), and the
 * scene's intensity doubles it. So the picture is 128 * light * 2 / 255. The part BRICK has its light on a page, and
 * the part GRATE in vertex colors. */
static void write_wall(const char *directory)
{
	static const float looking_down[12] = { 0, 0, 1, 32, 0, 1, 0, 32, -1, 0, 0, 20 };
	static const uint8_t light[3] = { 100, 50, 0 };
	bspt_sample *sample = bspt_sample_make();
	memset(sample->pixels, 128, sizeof sample->pixels);
	sample->images[BSPT_SAMPLE_IMAGE_RGBA].has_alpha = false;
	for (uint32_t i = 3; i < sizeof sample->pixels; i += 4) sample->pixels[i] = 255;
	for (uint32_t i = 0; i < 16; i++) memcpy(&sample->luxels[0][3 * i], light, 3);
	for (uint32_t i = 0; i < 4; i++) memcpy(&sample->colors[4 * i], light, 3);
	sample->meshes[0].section_count = 1;
	memcpy(sample->nodes[BSPT_SAMPLE_NODE_CAMERA].transform, looking_down, sizeof looking_down);
	sample->materials[0].base_image = BSPT_SAMPLE_IMAGE_RGBA;
	write_one(&sample->scene, directory, "glb", "wall_lightmap", BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	write_one(&sample->scene, directory, "glb", "wall_baked", BSPSCENE_WRITE_LIGHTING_VERTEX);
	write_one(&sample->scene, directory, "glb", "wall_lit", BSPSCENE_WRITE_LIGHTING_BAKED);
	sample->sections[0].lighting = BSPSCENE_LIGHTING_VERTEX;
	sample->sections[0].lightmap_page = BSPSCENE_NO_INDEX;
	write_one(&sample->scene, directory, "glb", "wall_vertex", BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	bspt_sample_free(sample);
}

/* Returns the sky that the sample's name states. */
static bspscene_write_sky sky_of(const char *name)
{
	if (strstr(name, "_surfaces")) return BSPSCENE_WRITE_SKY_SURFACES;
	return strstr(name, "_sky") ? BSPSCENE_WRITE_SKY_CUBE : BSPSCENE_WRITE_SKY_NONE;
}

/* Writes a map with these options. `map` and `game` are paths relative to fixtures/. */
static void write_map(const char *directory, const char *name, const char *map, const char *game,
                      bspscene_lightmap_encoding encoding, uint32_t include, bspscene_write_lighting lighting)
{
	bspscene_file_system *files = bspt_mount_fixtures(game, NULL);
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	bspt_use_files(&options, files);
	options.lightmap_encoding = encoding;
	options.include_mask = include;
	bspscene_scene *scene = bspscene_load_file(bspt_fixture_path(map), &options, &error);
	if (!scene) bspt_die(map, error.message);
	write_with(scene, directory, "glb", name, lighting, sky_of(name));
	bspscene_scene_free(scene);
	bspscene_file_system_free(files);
}

static void write_atrium(const char *directory, const char *name, bspscene_lightmap_encoding encoding, uint32_t include,
                         bspscene_write_lighting lighting)
{
	write_map(directory, name, "atrium/quake3/maps/atrium.bsp", "atrium/quake3", encoding, include, lighting);
}

/* Writes the rooms of two formats in which there is no atrium. */
static void write_rooms(const char *directory)
{
	write_map(directory, "nightfire", "nightfire/maps/room.bsp", "nightfire", BSPSCENE_LIGHTMAP_ENCODING_DISPLAY,
	          BSPSCENE_SURFACE_ALL, BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	write_map(directory, "mohaa", "mohaa/maps/room.bsp", "mohaa", BSPSCENE_LIGHTMAP_ENCODING_DISPLAY,
	          BSPSCENE_SURFACE_ALL, BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "sample default", "sample lightmap", "sample vertex", "sample none",
	                                     "sample lit" };
	if (argc != 2) {
		fprintf(stderr, "usage: write_samples DIRECTORY\n");
		return 2;
	}
	bspt_sample *sample = bspt_sample_make();
	for (int lighting = 0; lighting < 5; lighting++) {
		write_one(&sample->scene, argv[1], "glb", names[lighting], (bspscene_write_lighting)lighting);
		write_one(&sample->scene, argv[1], "gltf", names[lighting], (bspscene_write_lighting)lighting);
	}
	bspt_sample_free(sample);
	write_without(argv[1]);
	write_wall(argv[1]);
	write_atrium(argv[1], "atrium", BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, 0, BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	write_atrium(argv[1], "atrium_hdr_all", BSPSCENE_LIGHTMAP_ENCODING_HDR, BSPSCENE_SURFACE_ALL,
	             BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	write_atrium(argv[1], "atrium_raw", BSPSCENE_LIGHTMAP_ENCODING_RAW, 0, BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	write_atrium(argv[1], "atrium_vertex", BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, 0, BSPSCENE_WRITE_LIGHTING_VERTEX);
	write_atrium(argv[1], "atrium_sky", BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, 0, BSPSCENE_WRITE_LIGHTING_VERTEX);
	write_atrium(argv[1], "atrium_surfaces", BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, BSPSCENE_SURFACE_SKY,
	             BSPSCENE_WRITE_LIGHTING_VERTEX);
	write_atrium(argv[1], "atrium_lit", BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, 0, BSPSCENE_WRITE_LIGHTING_BAKED);
	write_atrium(argv[1], "atrium_none", BSPSCENE_LIGHTMAP_ENCODING_NONE, 0, BSPSCENE_WRITE_LIGHTING_NONE);
	write_rooms(argv[1]);
	return 0;
}
