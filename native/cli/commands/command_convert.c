/* command_convert.c - bspscene convert: writes a map in the format that the output's ending names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/commands/commands.h"
#include "cli/commands/page/viewer_page.h"
#include "cli/options/option_rows.h"
#include "cli/names.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/command_source.h"

#ifdef CLI_HAVE_ASSIMP
	#include <bspscene/assimp_export.h>
#endif
#ifdef CLI_LAZY_ASSIMP
	#include "cli/host/lazy.h"
#endif

typedef struct own_options {
	bspscene_write_lighting lighting;
	float light_error;                 /* largest allowed error of vertex light, in steps of 1/255; 0: the default */
	uint32_t triangle_limit;           /* largest number of triangles for vertex light; 0: the default */
	bspscene_write_lights lights;
	uint32_t max_lights;               /* largest number of lights for BSPSCENE_WRITE_LIGHTS_BRIGHTEST */
	bspscene_write_merge merge;
	bspscene_write_sky sky;
	bspscene_compress compress;
	bool no_entities, embed;
	uint32_t baked_size;               /* longest side of a baked picture in pixels; 0: the default */
	uint32_t fbx_unit;                 /* units per meter; 0: the default */
	bool no_normal_maps;
	bool animate;
	const char *viewer;                /* path of the viewer's page; NULL: the page of this installation */
} own_options;

static const own_options *own_of(const cli_args *args) { return args->own; }

#define DEFAULT_LIGHT_ERROR 14.0f
#define LARGEST_LIGHT_ERROR 255.0f

/* A format to write. The library's own writers come first in the table. */
typedef struct writing {
	const bspscene_writer *known;      /* the library's writer; NULL: Assimp writes the format */
	const char *writer;                /* name of the writer, the library's or Assimp's; NULL: no writer has this
	                                    * format */
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
	                         : cli_usage("%s: unknown format; use one of the endings %s", path, endings);
#else
	cli_exit status = cli_usage("%s: unknown format; use one of the endings %s", path, endings);
#endif
	free(endings);
	return status;
}

/* Returns how the output stores light: as --lighting requests, or else as the format does by default. The map is loaded
 * differently for each of these ways. */
static bspscene_write_lighting lighting_of(const writing *way, const cli_args *args)
{
	if (own_of(args)->lighting != BSPSCENE_WRITE_LIGHTING_DEFAULT) return own_of(args)->lighting;
	return way->known ? way->known->lighting : BSPSCENE_WRITE_LIGHTING_LIGHTMAP;
}

/* To store light in vertices, the library subdivides triangles. The command warns if the result has at least
 * HEAVY_TRIANGLES triangles, and more than MANY_TRIANGLES times as many as before. */
#define MANY_TRIANGLES 12u
#define HEAVY_TRIANGLES 50000u

static void warn_of_light(const bspscene_bake_report *report, const cli_args *args, float asked)
{
	if (args->quiet) return;
	bool heavy = report->triangles >= HEAVY_TRIANGLES;
	if (heavy && report->triangles / MANY_TRIANGLES > report->triangles_before) {
		fprintf(stderr,
		        "bspscene: %s: vertex light needs %u triangles instead of %u; --lighting lightmap adds none, for "
		        "programs that know lightmaps\n",
		        args->output, report->triangles, report->triangles_before);
	}
	if (report->model_light_error > asked) {
		fprintf(stderr,
		        "bspscene: %s: light on models differs from the game's by up to %.0f of 255 instead of %.0f, so that "
		        "models have no more than twice their triangles\n",
		        args->output, (double)report->model_light_error, (double)asked);
	}
	if (!(report->light_error > asked)) return;
	if (report->light_error > LARGEST_LIGHT_ERROR) {
		fprintf(stderr,
		        "bspscene: %s: parts of the map have the game's light at their corners only, because more would take "
		        "too many triangles (--max-triangles allows more) or too long; --lighting lightmap keeps all light\n",
		        args->output);
		return;
	}
	fprintf(stderr, "bspscene: %s: vertex light differs from the game's by up to %.0f of 255 instead of %.0f, because "
	        "a smaller difference would take more than %u triangles; --max-triangles allows more\n", args->output,
	        (double)report->light_error, (double)asked, report->triangles);
}

/* Warns if --animate was given but nothing in the map is animated. */
static void warn_of_rest(const bspscene_scene *scene, const cli_args *args)
{
	bool is_model = !strcmp(scene->family, "model");
	if (!own_of(args)->animate || args->quiet) return;
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		if (scene->meshes[i]->rig) return;
	}
	fprintf(stderr, "bspscene: %s: --animate: %s\n", args->source,
	        is_model ? "the model has no animation that can be read: it is written without movement"
	                 : "works for a model as SOURCE only: the map is written without movement");
}

/* Warns if a USD package has instances, because three.js does not show them. The writer makes instances if copies of
 * the repeated meshes would have too many triangles. */
static void warn_of_instances(const bspscene_scene *scene, const cli_args *args)
{
	uint64_t repeated = 0;
	uint32_t places = 0, *uses = cli_allocate(scene->mesh_count, sizeof *uses);
	for (uint32_t i = 0; i < scene->node_count; i++) {
		uint32_t mesh = scene->nodes[i]->mesh;
		if (mesh != BSPSCENE_NO_INDEX) uses[mesh]++;
	}
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		if (uses[i] < 2) continue;
		places += uses[i];
		repeated += (uint64_t)(uses[i] - 1) * (scene->meshes[i]->index_count / 3);
	}
	free(uses);
	if (repeated <= BSPSCENE_USDZ_MOST_REPEATED) return;
	cli_warn(args, "%s: three.js may not show %u objects that share meshes (instances in USD); Blender does",
	         args->output, places);
}

/* True if the output is an HTML page with the viewer and the map in it. No writer makes such a page. */
static bool is_page(const char *path)
{
	const char *ending = cli_ending(path);
	return !strcasecmp(ending, "html") || !strcasecmp(ending, "htm");
}

/* Warns of each option that has no effect on the output's format. */
static void warn_of_options(const writing *way, const cli_args *args)
{
	const own_options *own = own_of(args);
	const char *format = cli_ending(args->output);
	bool gltf = way->known && !strncmp(way->writer, "gl", 2), fbx = way->known && !strcmp(way->writer, "fbx");
	bool html = is_page(args->output);
	if (own->lighting == BSPSCENE_WRITE_LIGHTING_LIGHTMAP && !strcmp(format, "obj")) {
		cli_warn(args, "%s: OBJ has one set of texture coordinates, so --lighting lightmap writes the lightmaps "
		         "without the textures; --lighting baked writes both in one picture", args->output);
	}
	const struct { bool given, works; const char *option, *formats; } rows[] = {
		{ own->compress, way->known && way->known->compresses, "--compress", ".glb and .gltf" },
		{ own->merge, gltf, "--merge", ".glb and .gltf" },
		{ own->embed, fbx, "--embed", ".fbx" },
		{ own->fbx_unit, fbx, "--fbx-unit", ".fbx" },
		{ own->viewer, html, "--viewer", ".html" },
		{ own->lighting, !html, "--lighting", "other formats" },
		{ own->sky, !html, "--sky", "other formats" },
		{ args->palette, !html, "--palette", "other formats" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!rows[i].given || rows[i].works) continue;
		cli_warn(args, "%s: %s has no effect on .%s; it is for %s", args->output, rows[i].option, format,
		         rows[i].formats);
	}
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
	if (is_page(args->output)) {
		warn_of_options(&way, args);
		return cli_write_viewer_page(args, own_of(args)->viewer);
	}
	if (!way.write) return refuse(args->output);
	if (own_of(args)->animate && (!way.known || !way.known->animates)) {
		return cli_usage("--animate: %s: only .glb, .gltf and .fbx can hold animations", args->output);
	}
	warn_of_options(&way, args);
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	bspscene_write_lighting lighting = lighting_of(&way, args);
	options.lightmap_encoding = lighting == BSPSCENE_WRITE_LIGHTING_NONE ? BSPSCENE_LIGHTMAP_ENCODING_NONE
	                                                                      : args->lightmap_encoding;
	/* Materials whose light is in vertices or pictures are unlit, so that no viewer uses their normals. */
	options.skip_normal_maps = own_of(args)->no_normal_maps || lighting == BSPSCENE_WRITE_LIGHTING_VERTEX ||
	                         lighting == BSPSCENE_WRITE_LIGHTING_BAKED;
	options.rigs = own_of(args)->animate;
	if (way.known && own_of(args)->sky == BSPSCENE_WRITE_SKY_SURFACES) options.include_mask |= BSPSCENE_SURFACE_SKY;
	cli_source source;
	cli_exit status;
	double share = (double)bspscene_load_share(way.writer, lighting);
	bspscene_scene *scene = cli_load(&source, args, &options, share, &status);
	if (scene) warn_of_rest(scene, args);
	if (scene && !strcmp(cli_ending(args->output), "usdz")) warn_of_instances(scene, args);
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
	{ "surfaces", BSPSCENE_WRITE_SKY_SURFACES }, { "none", BSPSCENE_WRITE_SKY_NONE }, { NULL, 0 },
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
	cli_usage("--%s: \"%s\" is not none, all or a number from 1", row->name, value);
	return false;
}

static const cli_option_row own_rows[] = {
	{ "lighting", "KIND",
	  "how the file holds the light\n"
	  "vertex: in vertex colors, which every viewer shows; adds vertices where the light needs them (default for .glb "
	  "and .gltf)\n"
	  "lightmap: in lightmap images with second texture coordinates, for engines that know MOZ_lightmap; viewers show "
	  "the map unlit (default for .usda). In OBJ, which has one set of coordinates, lightmaps replace the textures\n"
	  "baked: in one picture of all surfaces, texture times light (default for .fbx, .obj and .usdz); in glTF it has "
	  "fewer triangles than vertex, but is softer\n"
	  "none: not at all",
	  .apply = cli_set_word, .member = offsetof(own_options, lighting), .words = lighting_words,
	  .group = CLI_GROUP_LIGHT },
	{ "baked-size", "PIXELS",
	  "longest side of each picture of --lighting baked, 256 to 16384 (default 4096);\n"
	  "up to 8 pictures are written if one would blur the textures",
	  .apply = cli_set_count, .member = offsetof(own_options, baked_size), .most = 16384, .group = CLI_GROUP_LIGHT },
	{ "light-error", "STEPS",
	  "largest error of vertex light in steps of 1/255, 1 to 255 (default 14);\n"
	  "models also share one mesh if their light differs by no more than this",
	  .apply = cli_set_number, .member = offsetof(own_options, light_error), .least = 1, .most = 255,
	  .group = CLI_GROUP_LIGHT },
	{ "max-triangles", "N",
	  "largest number of triangles for vertex light (default: 16 times the map's, at least 1000000)",
	  .apply = cli_set_count, .member = offsetof(own_options, triangle_limit), .most = 1e8f, .group = CLI_GROUP_LIGHT },
	{ "lights", "none|all|N",
	  "write lamps: none, all or the N brightest\n"
	  "(default none, because the file has their light already; 8 with --lighting none). Their values are in extras or "
	  "user properties in any case",
	  .apply = set_lights, .group = CLI_GROUP_LIGHT },
	{ "sky", "KIND",
	  "how the file holds the sky\n"
	  "cube: as a box around the map, in glTF (default there with --lighting baked)\n"
	  "surfaces: on the map's own sky faces, which hide what lies behind them; from outside there is no box\n"
	  "panorama: as a picture OUT.sky.jpg, in USD with a DomeLight (default for .usda, .fbx and .obj)\n"
	  "none: not at all (default otherwise)",
	  .apply = cli_set_word, .member = offsetof(own_options, sky), .words = sky_words, .group = CLI_GROUP_LIGHT },
	{ "merge", "KIND",
	  "how to join surfaces to meshes in glTF\n"
	  "model: one mesh for the world and one for each brush model (default)\n"
	  "material: one mesh for everything; it draws fastest, but doors cannot move\n"
	  "none: one mesh for each area or cluster of the world, for engines that cull",
	  .apply = cli_set_word, .member = offsetof(own_options, merge), .words = merge_words, .group = CLI_GROUP_OUTPUT },
	{ "compress", NULL,
	  "make glTF smaller with pictures as WebP;\n"
	  "web viewers and Blender 4 read it; a file of mostly pictures shrinks to a third",
	  .apply = cli_set_switch, .member = offsetof(own_options, compress), .group = CLI_GROUP_OUTPUT },
	{ "compress-with", "KIND",
	  "how to make glTF smaller\n"
	  "webp: as --compress\n"
	  "jpeg: opaque pictures as JPEG; every program reads it, also Blender 3 and Assimp\n"
	  "meshopt: WebP, and vertices with EXT_meshopt_compression: any file shrinks to a half or a quarter; Blender "
	  "cannot read it, three.js needs its MeshoptDecoder, other viewers load a decoder from the network",
	  .apply = set_compress, .words = compress_words, .group = CLI_GROUP_OUTPUT },
	{ "no-entities", NULL,
	  "leave out the keys of entities, and the nodes of entities without a mesh",
	  .apply = cli_set_switch, .member = offsetof(own_options, no_entities), .group = CLI_GROUP_OUTPUT },
	{ "embed", NULL,
	  "put the pictures into the FBX file instead of next to it",
	  .apply = cli_set_switch, .member = offsetof(own_options, embed), .group = CLI_GROUP_OUTPUT },
	{ "fbx-unit", "m|cm",
	  "unit of lengths in FBX: m (default), or cm for Unreal's old importer",
	  .apply = cli_set_word, .member = offsetof(own_options, fbx_unit), .words = unit_words,
	  .group = CLI_GROUP_OUTPUT },
	{ "animate", NULL,
	  "write the bones with a skin, or the frames as morph targets, and an animation for each sequence (glTF and FBX)",
	  .apply = cli_set_switch, .member = offsetof(own_options, animate), .group = CLI_GROUP_MODEL },
	{ "no-normal-maps", NULL,
	  "leave out normal maps; they are large, and only new light needs them",
	  .apply = cli_set_switch, .member = offsetof(own_options, no_normal_maps), .group = CLI_GROUP_MATERIALS },
	{ "viewer", "FILE",
	  "the viewer's page in one file, from which .html is made\n"
	  "(default: share/bspscene/viewer.html of the installation; scripts/package-web makes it)",
	  .apply = cli_set_text, .member = offsetof(own_options, viewer), .group = CLI_GROUP_OUTPUT },
	{ .name = NULL },
};

const cli_command cli_command_convert = {
	.name = "convert",
	.operands = "SOURCE OUT",
	.section = "Convert",
	.summary = "write a map as OUT" CLI_ENDINGS,
	.details =
		"Writes a map with its textures, light, cameras and entities. The ending of OUT chooses the format.\n\n"
		"By default the light is in the file so that any viewer shows it: glTF has it in vertex colors, FBX, OBJ and "
		".usdz have one picture of all surfaces in their light. For game engines and editors, --lighting lightmap "
		"keeps textures and lightmaps apart, on two sets of texture coordinates; .usda always does. In Blender, set "
		"View Transform to Standard, since Filmic and AgX gray the colors.\n\n"
		"A map in GAME/maps/ finds the textures and shaders of GAME by itself, and a pk3 finds those of the archives "
		"next to it. For any other map name the game with --game DIR. SOURCE may be a model as well; for a model in "
		"an archive, give its path as --map.\n\n"
		".html is one page that shows the map: the viewer with the map's files in it. A browser opens it from a disk, "
		"without a server or a network.\n\n"
		"OUT is replaced when all work is done, never before. .gltf, .fbx, .usda and .obj write further files next "
		"to it."
#ifdef CLI_HAVE_ASSIMP
		"\n\n"
		".dae, .ply, .stl, .x, .assbin and .assxml are written by Assimp and keep less; assimp_importer/README.md "
		"has the details."
#endif
		,
	.examples =
		"  bspscene convert maps/atrium.bsp atrium.glb\n"
		"  bspscene convert pak1-maps.pk3 oa_dm1.glb --map oa_dm1\n"
		"  bspscene convert ~/arena.bsp arena.gltf --game ~/games/openarena/baseoa\n"
		"  bspscene convert maps/atrium.bsp atrium.fbx --lights all\n"
		"  bspscene convert maps/atrium.bsp atrium.html\n"
		"  bspscene convert maps/atrium.bsp engine.glb --lighting lightmap --sky none\n"
		"  bspscene convert models/crate.md3 crate.glb --skin 1\n"
		"  bspscene convert models/scientist.mdl scientist.glb --animate\n",
	.options =
		"map game palette lighting baked-size light-error max-triangles lights sky merge compress compress-with fast "
		"small no-entities embed viewer "
		"fbx-unit lightmap-encoding light-set seed skin body frame sequence animate include patch-error scale strict "
		"engine entities lump-patches no-normal-maps models missing lightstyle memory-limit output-limit quiet "
		"threads version help",
	.first = "map game lighting lights sky models scale include compress missing",
	.own = own_rows, .own_size = sizeof(own_options),
	.operand_count = 2,
	.run = run,
};
