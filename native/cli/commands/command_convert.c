/* command_convert.c - bspscene convert: a map to a file of another format, told by the output's ending. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/options/option_rows.h"
#include "cli/names.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/command_source.h"

#ifdef CLI_HAVE_ASSIMP
	#include <strings.h>

	#include <bspscene/assimp_export.h>
#endif
#ifdef CLI_LAZY_ASSIMP
	#include "cli/host/lazy.h"
#endif

typedef struct own_options {
	bspscene_write_lighting lighting;
	float light_error;                 /* 0: the default */
	uint32_t triangle_limit;           /* 0: the default */
	bspscene_write_lights lights;
	uint32_t max_lights;               /* with WRITE_LIGHTS_BRIGHTEST */
	bspscene_write_merge merge;
	bspscene_write_sky sky;
	bspscene_compress compress;
	bool no_entities, embed;
	uint32_t baked_size;               /* 0: the default */
	uint32_t fbx_unit;                 /* how many are a meter; 0: the default */
	bool no_normal_maps;
	bool animate;
} own_options;

static const own_options *own_of(const cli_args *args) { return args->own; }

#define DEFAULT_LIGHT_ERROR 14.0f
#define LARGEST_LIGHT_ERROR 255.0f     /* that may be asked for */

/* A way to write: the library's own writers come first. */
typedef struct writing {
	const bspscene_writer *known;      /* NULL: by way of Assimp */
	const char *writer;                /* NULL: none */
	cli_write_fn *write;
} writing;

static writing find_writing(const char *path)
{
	const bspscene_writer *known = bspscene_find_writer(path);
	if (known) return (writing){ known, known->name, bspscene_write };
#ifdef CLI_HAVE_ASSIMP
	const char *further;
	for (uint32_t i = 0; (further = bspscene_assimp_export_ending(i)); i++) {
		if (!strcasecmp(cli_ending(path), further)) return (writing){ NULL, further, bspscene_assimp_export };
	}
#endif
	return (writing){ NULL, NULL, NULL };
}

static cli_exit refuse(const char *path)
{
#ifdef CLI_LAZY_ASSIMP
	const char *failure = cli_lazy_failure();
	if (failure) return cli_fail("%s: not written: %s", path, failure);
#endif
	char *endings = cli_written_endings(true);
#ifdef CLI_HAVE_ASSIMP
	const char *reason = bspscene_assimp_export_refusal(cli_ending(path));
	cli_exit status = reason ? cli_usage("%s: not written: %s", path, reason)
	                         : cli_usage("%s: the ending names no format that is written: %s", path, endings);
#else
	cli_exit status = cli_usage("%s: the ending names no format that is written: %s", path, endings);
#endif
	free(endings);
	return status;
}

/* Loads depend on where the light of this output is. */
static bspscene_write_lighting lighting_of(const writing *way, const cli_args *args)
{
	if (own_of(args)->lighting != BSPSCENE_WRITE_LIGHTING_DEFAULT) return own_of(args)->lighting;
	return way->known ? way->known->lighting : BSPSCENE_WRITE_LIGHTING_LIGHTMAP;
}

/* Times as many triangles as the map has, and as many in all, which are worth a word. */
#define MANY_TRIANGLES 12u
#define HEAVY_TRIANGLES 50000u

static void warn_of_light(const bspscene_bake_report *report, const cli_args *args, float asked)
{
	if (args->quiet) return;
	bool heavy = report->triangles >= HEAVY_TRIANGLES;
	if (heavy && report->triangles / MANY_TRIANGLES > report->triangles_before) {
		fprintf(stderr, "bspscene: %s: light makes %u triangles of %u; --lighting lightmap keeps these, for programs "
		        "that know lightmaps\n", args->output, report->triangles, report->triangles_before);
	}
	if (report->model_light_error > asked) {
		fprintf(stderr, "bspscene: %s: light on models within %.0f steps of the game's instead of %.0f, for no more "
		        "than twice the triangles\n", args->output, (double)report->model_light_error, (double)asked);
	}
	if (!(report->light_error > asked)) return;
	if (report->light_error > LARGEST_LIGHT_ERROR) {
		fprintf(stderr, "bspscene: %s: vertex light is the game's at corners alone where the map asks for more "
		        "triangles (--max-triangles allows more) or work than a file of its size may; --lighting lightmap "
		        "keeps all of it\n", args->output);
		return;
	}
	fprintf(stderr, "bspscene: %s: vertex light within %.0f steps of the game's instead of %.0f, for no more than the "
	        "%u triangles there are now; --max-triangles allows more\n", args->output, (double)report->light_error,
	        (double)asked, report->triangles);
}

/* What was asked to move, and stands still. */
static void warn_of_rest(const bspscene_scene *scene, const cli_args *args)
{
	bool is_model = !strcmp(scene->family, "model");
	if (!own_of(args)->animate || args->quiet) return;
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		if (scene->meshes[i]->rig) return;
	}
	fprintf(stderr, "bspscene: %s: --animate: %s\n", args->source,
	        is_model ? "no movement of this model is read: it is written as it stands"
	                 : "only a model alone is animated: the map is written as it starts");
}

static cli_exit write_scene(const bspscene_scene *scene, const writing *way, const cli_source *source,
                            const cli_args *args)
{
	cli_output output;
	cli_exit status = CLI_FAILED;
	const char *name;
	if (cli_output_open_file(&output, source, args->output, &name)) {
		bspscene_write_options options;
		bspscene_write_options_init(&options);
		bspscene_bake_report report;
		bspscene_bake_report_init(&report);
		options.lighting = own_of(args)->lighting;
		options.light_error = own_of(args)->light_error > 0 ? own_of(args)->light_error : DEFAULT_LIGHT_ERROR;
		options.triangle_limit = own_of(args)->triangle_limit;
		options.report = &report;
		options.lights = own_of(args)->lights;
		options.max_lights = own_of(args)->max_lights;
		options.merge = own_of(args)->merge;
		options.sky = own_of(args)->sky;
		options.omit_entities = own_of(args)->no_entities;
		options.embed_textures = own_of(args)->embed;
		options.centimeters = own_of(args)->fbx_unit == 100;
		options.compress = own_of(args)->compress;
		options.baked_size = own_of(args)->baked_size;
		options.compression = args->compression;
		options.file_name = name;
		float light_styles[CLI_LIGHT_STYLES];
		options.light_styles = cli_light_styles(args, scene, light_styles);
		status = cli_write(scene, way->write, way->writer, &options, args, &output);
		if (status == CLI_DONE) warn_of_light(&report, args, options.light_error);
	}
	cli_output_close(&output);
	return status;
}

static cli_exit run(const cli_args *args)
{
	const writing way = find_writing(args->output);
	if (!way.write) return refuse(args->output);
	if (own_of(args)->animate && (!way.known || !way.known->animates)) {
		return cli_usage("--animate: %s: only .glb, .gltf and .fbx are written with movement", args->output);
	}
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	bspscene_write_lighting lighting = lighting_of(&way, args);
	options.lightmap_encoding = lighting == BSPSCENE_WRITE_LIGHTING_NONE ? BSPSCENE_LIGHTMAP_ENCODING_NONE
	                                                                      : args->lightmap_encoding;
	/* Materials with their light in vertices or pictures are unlit: no host would look at normals. */
	options.skip_normal_maps = own_of(args)->no_normal_maps || lighting == BSPSCENE_WRITE_LIGHTING_VERTEX ||
	                         lighting == BSPSCENE_WRITE_LIGHTING_BAKED;
	options.rigs = own_of(args)->animate;
	cli_source source;
	cli_exit status;
	double share = (double)bspscene_load_share(way.writer, lighting);
	bspscene_scene *scene = cli_load(&source, args, &options, share, &status);
	if (scene) warn_of_rest(scene, args);
	if (scene) status = write_scene(scene, &way, &source, args);
	bspscene_scene_free(scene);
	cli_source_close(&source);
	return status;
}

static const cli_word lighting_words[] = {
	{ "lightmap", BSPSCENE_WRITE_LIGHTING_LIGHTMAP },
	{ "vertex", BSPSCENE_WRITE_LIGHTING_VERTEX },
	{ "baked", BSPSCENE_WRITE_LIGHTING_BAKED },
	{ "none", BSPSCENE_WRITE_LIGHTING_NONE },
	{ NULL, 0 },
};
static const cli_word sky_words[] = {
	{ "cube", BSPSCENE_WRITE_SKY_CUBE }, { "panorama", BSPSCENE_WRITE_SKY_PANORAMA },
	{ "none", BSPSCENE_WRITE_SKY_NONE }, { NULL, 0 },
};
static const cli_word merge_words[] = {
	{ "material", BSPSCENE_WRITE_MERGE_MATERIAL },
	{ "model", BSPSCENE_WRITE_MERGE_MODEL },
	{ "none", BSPSCENE_WRITE_MERGE_NONE },
	{ NULL, 0 },
};
static const cli_word unit_words[] = {
	{ "m", 1 }, { "cm", 100 }, { NULL, 0 },
};

static const cli_word compress_words[] = {
	{ "webp", BSPSCENE_COMPRESS_WEBP },
	{ "jpeg", BSPSCENE_COMPRESS_JPEG },
	{ "meshopt", BSPSCENE_COMPRESS_MESHOPT },
	{ NULL, 0 },
};

static bool set_compress(const cli_option_row *row, const char *value, void *options)
{
	own_options *own = options;
	uint32_t word;
	if (!cli_read_word(row->name, row->words, value, strlen(value), &word)) return false;
	own->compress = (bspscene_compress)word;
	return true;
}

static bool set_lights(const cli_option_row *row, const char *value, void *options)
{
	own_options *own = options;
	const char *end;
	own->lights = !strcmp(value, "none") || !strcmp(value, "0") ? BSPSCENE_WRITE_LIGHTS_NONE
	              : !strcmp(value, "all")                       ? BSPSCENE_WRITE_LIGHTS_ALL
	                                                            : BSPSCENE_WRITE_LIGHTS_BRIGHTEST;
	if (own->lights != BSPSCENE_WRITE_LIGHTS_BRIGHTEST) return true;
	if (cli_read_count(value, UINT32_MAX - 1, &end, &own->max_lights) && !*end) return true;
	cli_usage("--%s: \"%s\" is none of none, all or a number", row->name, value);
	return false;
}

static const cli_option_row own_rows[] = {
	{ "lighting", "KIND",
	  "vertex: light in vertex colors, with as many vertices as that takes:\n"
	  "what every viewer shows (default of .glb and .gltf)\n"
	  "lightmap: second texture coordinates and lightmap images, for engines\n"
	  "that know MOZ_lightmap; viewers show the map unlit\n"
	  "baked: one picture of all surfaces, texture times light (default of .fbx,\n"
	  ".obj and .usdz; in glTF with few triangles, but softer than vertex)\n"
	  "none: textures alone",
	  .apply = cli_set_word, .member = offsetof(own_options, lighting), .words = lighting_words },
	{ "baked-size", "PIXELS",
	  "longest side of a picture of --lighting baked, 256 to 16384 (default\n"
	  "4096); where one would blur the textures there are more, up to 8",
	  .apply = cli_set_count, .member = offsetof(own_options, baked_size), .most = 16384 },
	{ "light-error", "STEPS",
	  "largest difference between vertex light and the game's, and between the\n"
	  "light on a model and that of the mesh it shares, 1 to 255 of 255\n"
	  "(default 14)",
	  .apply = cli_set_number, .member = offsetof(own_options, light_error), .least = 1, .most = 255 },
	{ "max-triangles", "N",
	  "most triangles for vertex light (default 1000000, or 16 times the map's)",
	  .apply = cli_set_count, .member = offsetof(own_options, triangle_limit), .most = 1e8f },
	{ "lights", "none|all|N",
	  "lamps, the N brightest (default 8 with --lighting none, else none: the\n"
	  "light is in the file already);\n"
	  "their values are in extras or user properties in any case",
	  .apply = set_lights },
	{ "sky", "KIND",
	  "cube: a box of the sky around map and cameras, in glTF (default of\n"
	  "--lighting baked there)\n"
	  "panorama: a picture of all of it, OUT.sky.jpg, or USD's DomeLight\n"
	  "(default of .usda, .fbx and .obj)\n"
	  "none: no sky (default elsewhere)",
	  .apply = cli_set_word, .member = offsetof(own_options, sky), .words = sky_words },
	{ "merge", "KIND",
	  "what is one mesh in glTF. model: the world and each brush model\n"
	  "(default); material: all, which draws fastest, but doors stand still;\n"
	  "none: each area or cluster of the world, for engines that cull",
	  .apply = cli_set_word, .member = offsetof(own_options, merge), .words = merge_words },
	{ "compress", NULL,
	  "glTF with pictures as WebP, which web viewers and Blender 4 know: a\n"
	  "third of the size where pictures are most of it",
	  .apply = cli_set_switch, .member = offsetof(own_options, compress) },
	{ "compress-with", "KIND",
	  "what makes glTF smaller. webp: as --compress alone\n"
	  "jpeg: opaque pictures as JPEG, which Blender 3, Assimp and all others know\n"
	  "meshopt: WebP, and vertices by EXT_meshopt_compression: a quarter to a half\n"
	  "of any file; Blender cannot read it, three.js wants its MeshoptDecoder, and\n"
	  "other viewers fetch a decoder from the network",
	  .apply = set_compress, .words = compress_words },
	{ "no-entities", NULL,
	  "leave out keys of entities, and nodes that show nothing",
	  .apply = cli_set_switch, .member = offsetof(own_options, no_entities) },
	{ "embed", NULL,
	  "FBX: pictures inside the file instead of beside it",
	  .apply = cli_set_switch, .member = offsetof(own_options, embed) },
	{ "fbx-unit", "m|cm",
	  "FBX: lengths in meters (default) or centimeters, which Unreal's old\n"
	  "importer wants",
	  .apply = cli_set_word, .member = offsetof(own_options, fbx_unit), .words = unit_words },
	{ "animate", NULL,
	  "of a model alone, in glTF and FBX: its bones with a skin, or its frames as\n"
	  "morph targets, and an animation for each sequence",
	  .apply = cli_set_switch, .member = offsetof(own_options, animate) },
	{ "no-normal-maps", NULL,
	  "leave them out: only new light needs them, and they are large",
	  .apply = cli_set_switch, .member = offsetof(own_options, no_normal_maps) },
	{ .name = NULL },
};

const cli_command cli_command_convert = {
	.name = "convert",
	.operands = "SOURCE OUT",
	.summary = "a map to OUT" CLI_ENDINGS,
	.details =
		"Writes a map with its textures, light, cameras and entities; the ending of OUT chooses the format.\n"
		"glTF has the light in its vertices, as any viewer shows it; --lighting lightmap is for engines. FBX,\n"
		"OBJ and .usdz have one picture of all surfaces in their light, for who shows them; with --lighting lightmap,\n"
		"as .usda has it, textures and lightmaps are apart, on two sets of coordinates, for engines and editors.\n"
		"In Blender, set View Transform to Standard: Filmic and AgX gray everything.\n"
		"A map in GAME/maps/ finds the textures and shaders of GAME by itself, and a pk3 beside other archives\n"
		"those of its neighbors; give other places with --game. A model alone is read like a map; out of an\n"
		"archive it comes by its path as --map. OUT is replaced when the work is complete, never before; .gltf,\n"
		".fbx, .usda and .obj put their further files beside it."
#ifdef CLI_HAVE_ASSIMP
		"\n\nBy way of Assimp also .dae, .ply, .stl, .x, .assbin and .assxml, which keep less:\n"
		"assimp_importer/README.md says what."
#endif
		,
	.examples =
		"  bspscene convert maps/atrium.bsp atrium.glb\n"
		"  bspscene convert models/crate.md3 crate.glb --skin 1\n"
		"  bspscene convert models/scientist.mdl scientist.glb --animate\n"
		"  bspscene convert pak1-maps.pk3 oa_dm1.glb --map oa_dm1\n"
		"  bspscene convert ~/downloads/arena.bsp arena.gltf --game ~/games/openarena/baseoa\n"
		"  bspscene convert maps/atrium.bsp atrium.fbx --lights all\n"
		"  bspscene convert maps/atrium.bsp engine.glb --lighting lightmap --lights all --include sky,clip\n",
	.options =
		"map game palette lighting baked-size light-error max-triangles lights sky merge compress compress-with fast "
		"small no-entities embed "
		"fbx-unit lightmap-encoding light-set seed skin body frame sequence animate include patch-error scale strict "
		"engine entities lump-patches no-normal-maps models missing lightstyle memory-limit output-limit quiet "
		"threads version help",
	.own = own_rows, .own_size = sizeof(own_options),
	.operand_count = 2,
	.run = run,
};
