/* command_convert.c - bspscene convert: a map to a file of another format, told by the output's ending. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "commands.h"
#include "names.h"
#include "output.h"
#include "report.h"
#include "source.h"

#ifdef CLI_HAVE_ASSIMP
	#include <bspscene/assimp_export.h>
#endif

#define DEFAULT_LIGHT_ERROR 14.0f

/* The library's writers whose name is a file ending; "atlas" is the bake command, "text" is for tests. */
static const char *const endings[] = { "glb", "gltf", "fbx", "usda", "usdz", "obj" };

/* A way to write: the library's own writers come first. */
typedef struct writing {
	const char *writer;                /* NULL: none */
	cli_write_fn *write;
} writing;

static writing find_writing(const char *path)
{
	const char *ending = cli_ending(path);
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		if (!strcasecmp(ending, endings[i])) return (writing){ endings[i], bspscene_write };
	}
#ifdef CLI_HAVE_ASSIMP
	const char *further;
	for (uint32_t i = 0; (further = bspscene_assimp_export_ending(i)); i++) {
		if (!strcasecmp(ending, further)) return (writing){ further, bspscene_assimp_export };
	}
#endif
	return (writing){ NULL, NULL };
}

static cli_exit refuse(const char *path)
{
#ifdef CLI_HAVE_ASSIMP
	const char *reason = bspscene_assimp_export_refusal(cli_ending(path));
	if (reason) return cli_usage("%s: not written: %s", path, reason);
	return cli_usage("%s: the ending names no format that is written: .glb, .gltf, .fbx, .usda, .usdz, .obj, .dae, "
	                 ".ply, .stl, .x, .assbin or .assxml", path);
#else
	return cli_usage("%s: the ending names no format that is written: .glb, .gltf, .fbx, .usda, .usdz or .obj", path);
#endif
}

/* Where the light of this output is: the library knows it for its own writers, but loads depend on it too. */
static bspscene_write_lighting lighting_of(const writing *way, const cli_args *args)
{
	bool is_gltf = !strcmp(way->writer, "glb") || !strcmp(way->writer, "gltf");
	if (args->lighting != BSPSCENE_WRITE_DEFAULT) return args->lighting;
	if (!strcmp(way->writer, "usdz")) return BSPSCENE_WRITE_BAKED;
	return is_gltf ? BSPSCENE_WRITE_VERTEX : BSPSCENE_WRITE_LIGHTMAP;
}

/* Of the whole time, as measured on ten maps (tests/bench/bench_progress.c). */
static double load_share(const writing *way, bspscene_write_lighting lighting)
{
	if (!strcmp(way->writer, "obj")) return 0.45;
	return lighting == BSPSCENE_WRITE_VERTEX ? 0.07 : 0.4;
}

static void warn_of_error(const bspscene_bake_report *report, const cli_args *args, float asked)
{
	if (args->quiet || !(report->light_error > asked)) return;
	fprintf(stderr, "bspscene: %s: vertex light within %.0f steps of the game's instead of %.0f, for no more than the "
	        "%u triangles there are now; --max-triangles allows more\n", args->output, (double)report->light_error,
	        (double)asked, report->triangles);
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
		options.lighting = lighting_of(way, args);
		options.light_error = args->light_error > 0 ? args->light_error : DEFAULT_LIGHT_ERROR;
		options.triangle_limit = args->triangle_limit;
		options.report = &report;
		options.no_lights = args->no_lights;
		options.light_limit = args->light_limit;
		options.merge = args->merge;
		options.no_entities = args->no_entities;
		options.embed = args->embed;
		options.centimetres = args->fbx_unit == 100;
		options.compress = args->compress;
		options.file_name = name;
		float light_styles[CLI_LIGHT_STYLES];
		options.light_styles = cli_light_styles(args, scene, light_styles);
		status = cli_write(scene, way->write, way->writer, &options, args, &output);
		if (status == CLI_DONE) warn_of_error(&report, args, options.light_error);
	}
	cli_output_close(&output);
	return status;
}

static cli_exit run(const cli_args *args)
{
	const writing way = find_writing(args->output);
	if (!way.write) return refuse(args->output);
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	bspscene_write_lighting lighting = lighting_of(&way, args);
	options.lightmap_encoding = lighting == BSPSCENE_WRITE_NO_LIGHT ? BSPSCENE_LIGHTMAP_NONE
	                                                                      : args->lightmap_encoding;
	/* Materials with their light in vertices or pictures are unlit: no host would look at normals. */
	options.no_normal_maps = args->no_normal_maps || lighting == BSPSCENE_WRITE_VERTEX ||
	                         lighting == BSPSCENE_WRITE_BAKED;
	cli_source source;
	cli_exit status;
	bspscene_scene *scene = cli_load(&source, args, &options, load_share(&way, lighting), &status);
	if (scene) status = write_scene(scene, &way, &source, args);
	bspscene_scene_free(scene);
	cli_source_close(&source);
	return status;
}

const cli_command cli_command_convert = {
	.name = "convert",
	.operands = "SOURCE OUT",
	.summary = "a map to OUT.glb, .gltf, .fbx, .usda, .usdz or .obj",
	.details =
		"Writes a map with its textures, light, cameras and entities; the ending of OUT chooses the format.\n"
		"glTF has the light in its vertices, as any viewer shows it; --lighting lightmap is for engines. FBX and\n"
		"USD have lightmaps on a second set of coordinates, for engines and editors; a .usdz has one picture of all\n"
		"surfaces in their light, as any viewer shows it.\n"
		"A map in GAME/maps/ finds the textures and shaders of GAME by itself, and a pk3 beside other archives\n"
		"those of its neighbours; give other places with --game. OUT is replaced when the work is complete, never\n"
		"before; .gltf, .fbx, .usda and .obj put their further files beside it."
#ifdef CLI_HAVE_ASSIMP
		"\n\nBy way of Assimp also .dae, .ply, .stl, .x, .assbin and .assxml, which keep less:\n"
		"assimp_importer/README.md says what."
#endif
		,
	.examples =
		"  bspscene convert maps/atrium.bsp atrium.glb\n"
		"  bspscene convert pak1-maps.pk3 oa_dm1.glb --map oa_dm1\n"
		"  bspscene convert ~/downloads/arena.bsp arena.gltf --game ~/games/openarena/baseoa\n"
		"  bspscene convert maps/atrium.bsp atrium.fbx --lights all\n"
		"  bspscene convert maps/atrium.bsp engine.glb --lighting lightmap --lights all --include sky,clip\n",
	.options = CLI_OPTIONS_MAP | CLI_OPTION_LUMP_PATCHES | CLI_OPTION_GAME | CLI_OPTION_MODELS |
	           CLI_OPTION_MISSING | CLI_OPTION_ENGINE |
		CLI_OPTION_PALETTE | CLI_OPTION_LIGHTING | CLI_OPTION_LIGHT_ERROR | CLI_OPTION_MAX_TRIANGLES |
		CLI_OPTION_LIGHTMAP_ENCODING | CLI_OPTION_EMBED | CLI_OPTION_FBX_UNIT |
		CLI_OPTION_MERGE | CLI_OPTION_NO_ENTITIES | CLI_OPTION_COMPRESS |
		CLI_OPTION_LIGHT_STYLE | CLI_OPTION_LIGHTS | CLI_OPTION_NO_NORMAL_MAPS |
		CLI_OPTION_INCLUDE | CLI_OPTION_PATCH_ERROR | CLI_OPTION_SCALE | CLI_OPTION_STRICT,
	.operand_count = 2,
	.run = run,
};
