/* command_convert.c - bspscene convert: a map to a file of another format, told by the output's ending. */
#include <strings.h>

#include "commands.h"
#include "output.h"
#include "report.h"
#include "source.h"

#ifdef CLI_HAVE_ASSIMP
	#include <bspscene/assimp_export.h>
#endif

/* The library's writers whose name is a file ending; "atlas" is the bake command, "text" is for tests. */
static const char *const endings[] = { "glb", "gltf", "obj" };

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
	return cli_usage("%s: the ending names no format that is written: .glb, .gltf, .obj, .fbx, .dae, .ply, .stl, .x, "
	                 ".assbin or .assxml", path);
#else
	return cli_usage("%s: the ending names no format that is written: .glb, .gltf or .obj", path);
#endif
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
		options.lighting = args->lighting;
		options.file_name = name;
		float light_styles[CLI_LIGHT_STYLES];
		options.light_styles = cli_light_styles(args, scene, light_styles);
		status = cli_write(scene, way->write, way->writer, &options, args, &output);
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
	options.lightmap_encoding = args->lighting == BSPSCENE_WRITE_NO_LIGHT ? BSPSCENE_LIGHTMAP_NONE
	                                                                      : args->lightmap_encoding;
	/* Materials with their light in the vertices are unlit: no host would look at normals. */
	options.no_normal_maps = args->no_normal_maps || args->lighting == BSPSCENE_WRITE_VERTEX;
	cli_source source;
	cli_exit status;
	bspscene_scene *scene = cli_load(&source, args, &options, &status);
	if (scene) status = write_scene(scene, &way, &source, args);
	bspscene_scene_free(scene);
	cli_source_close(&source);
	return status;
}

const cli_command cli_command_convert = {
	.name = "convert",
	.operands = "SOURCE OUT",
	.summary = "a map to OUT.glb, OUT.gltf or OUT.obj",
	.details =
		"Writes a map with its textures, lightmaps, lights, cameras and entities; the ending of OUT chooses the\n"
		"format. A map in GAME/maps/ finds the textures and shaders of GAME by itself, and a pk3 beside other\n"
		"archives those of its neighbours; give other places with --game. OUT is replaced when the work is\n"
		"complete, never before; .gltf and .obj put their further files beside it."
#ifdef CLI_HAVE_ASSIMP
		"\n\nBy way of Assimp also .fbx, .dae, .ply, .stl, .x, .assbin and .assxml, which keep less:\n"
		"assimp_importer/README.md says what."
#endif
		,
	.examples =
		"  bspscene convert maps/atrium.bsp atrium.glb\n"
		"  bspscene convert pak1-maps.pk3 oa_dm1.glb --map oa_dm1\n"
		"  bspscene convert ~/downloads/arena.bsp arena.gltf --game ~/games/openarena/baseoa\n"
		"  bspscene convert maps/atrium.bsp atrium.glb --lighting vertex --include sky,clip --patch-error 1\n",
	.options = CLI_OPTIONS_MAP | CLI_OPTION_LUMP_PATCHES | CLI_OPTION_GAME | CLI_OPTION_MISSING | CLI_OPTION_ENGINE |
		CLI_OPTION_PALETTE | CLI_OPTION_LIGHTING |
		CLI_OPTION_LIGHTMAP_ENCODING | CLI_OPTION_LIGHT_STYLE | CLI_OPTION_NO_NORMAL_MAPS |
		CLI_OPTION_INCLUDE | CLI_OPTION_PATCH_ERROR | CLI_OPTION_SCALE | CLI_OPTION_STRICT,
	.operand_count = 2,
	.run = run,
};
