/* command_info.c - bspscene info: prints facts about a map as text or JSON. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/describe.h"
#include "cli/json.h"
#include "cli/map_numbers.h"
#include "cli/report.h"
#include "cli/command_source.h"

static void print_row(const char *name, const char *format, ...) CLI_PRINTF(2, 3);

static void print_row(const char *name, const char *format, ...)
{
	char start[16];
	va_list arguments;
	snprintf(start, sizeof start, "  %-11s", name);
	va_start(arguments, format);
	cli_put_line(stdout, start, format, arguments);
	va_end(arguments);
}

static void print_faces(const bspscene_counts *counts)
{
	const struct { const char *one, *many; uint32_t value; } kinds[] = {
		{ "polygon", "polygons", counts->polygons }, { "patch", "patches", counts->patches },
		{ "mesh", "meshes", counts->meshes }, { "displacement", "displacements", counts->displacements },
		{ "billboard", "billboards", counts->billboards },
	};
	printf("  %-11s%u in %u model%s", "faces", counts->faces, counts->models, counts->models == 1 ? "" : "s");
	const char *between = ": ";
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (kinds[i].value == 0) continue;
		printf("%s%u %s", between, kinds[i].value, kinds[i].value == 1 ? kinds[i].one : kinds[i].many);
		between = ", ";
	}
	putchar('\n');
}

/* Prints the files next to the map: those that were used, then those that were not, and why. */
static void print_companions(const bspscene_scene *scene)
{
	char *used = NULL;
	for (uint32_t i = 0; i < scene->companion_file_count; i++) {
		if (!scene->companion_files[i]->unused) cli_append(&used, scene->companion_files[i]->path);
	}
	if (used) print_row("files used", "%s", used);
	free(used);
	for (uint32_t i = 0; i < scene->companion_file_count; i++) {
		const bspscene_companion_file *file = scene->companion_files[i];
		if (file->unused) print_row("not used", "%s: %s", file->path, file->unused);
	}
}

static cli_exit print_text(const bspscene_scene *scene, const char *file)
{
	const bspscene_counts *counts = scene->counts;
	cli_lightmap_facts lightmaps = cli_measure_lightmaps(scene);
	double size[3];
	for (int i = 0; i < 3; i++) {
		size[i] = (double)scene->bounds.max[i] - (double)scene->bounds.min[i];
		if (size[i] < 0) size[i] = 0;
	}
	double meters = (double)scene->meters_per_unit;

	cli_print("%s", file);
	print_row("format", "%s", scene->variant_title);
	if (counts->triangles) {
		print_row("size", "%.0f x %.0f x %.0f units, %.1f x %.1f x %.1f m", size[0], size[1], size[2],
		          size[0] * meters, size[1] * meters, size[2] * meters);
	} else {
		print_row("size", "no face is shown%s", counts->faces ? "; --include shows hidden ones" : "");
	}
	print_faces(counts);
	print_row("triangles", "%u with %u vertices", counts->triangles, counts->vertices);
	print_row("materials", "%u; textures: %u found, %u missing", scene->material_count,
	          counts->textures_found, counts->textures_missing);
	print_row("entities", "%u: %u with brushes, %u lights, %u cameras", scene->entity_count,
	          counts->brush_entities, scene->light_count, scene->camera_count);
	if (counts->static_props || scene->overlay_count) {
		print_row("props", "%u, %u overlays", counts->static_props, scene->overlay_count);
	}
	if (scene->prop_count) {
		cli_prop_facts props = cli_count_props(scene);
		print_row("models", "%u, shown %u time%s; %u more without a mesh", props.meshes, props.shown,
		          props.shown == 1 ? "" : "s", scene->prop_count - props.shown);
	}
	if (!strcmp(scene->family, "model") && scene->prop_count && scene->props[0]->skin_count > 1) {
		print_row("skins", "%u: --skin 0 to %u", scene->props[0]->skin_count, scene->props[0]->skin_count - 1);
	}
	uint32_t surface_lights = cli_count_surface_lights(scene);
	if (surface_lights) {
		print_row("lights", "%u, of which %u for patches of glowing textures", scene->light_count, surface_lights);
	}
	if (scene->detail_prop_count) print_row("details", "%u", scene->detail_prop_count);
	if (scene->ambient_count || scene->cubemap_count) {
		print_row("ambient", "%u light samples, %u cubemaps", scene->ambient_count, scene->cubemap_count);
	}
	if (scene->sky_camera_scale > 0) print_row("3D skybox", "enlarged %g times", (double)scene->sky_camera_scale);
	if (lightmaps.pages) {
		print_row("lightmaps", "%u page%s of %u x %u, %.0f %% used by %u faces, %u style%s%s", lightmaps.pages,
		          lightmaps.pages == 1 ? "" : "s", lightmaps.width, lightmaps.height, lightmaps.coverage * 100,
		          counts->lightmap_faces, lightmaps.styles, lightmaps.styles == 1 ? "" : "s",
		          lightmaps.hdr ? ", HDR" : "");
	} else {
		print_row("lightmaps", "none");
	}
	if (scene->is_full_bright) print_row("light", "none: engines show the map full bright");
	else if (lightmaps.is_dark) print_row("light", "dark on purpose: the map has lightmaps, and all of them are black");
	if (scene->vis->cluster_count) print_row("vis", "%u clusters", scene->vis->cluster_count);
	else print_row("vis", "none");
	print_companions(scene);
	return cli_finish_stdout();
}

static cli_exit run(const cli_args *args)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.textures = BSPSCENE_TEXTURES_NAMES;
	options.identify = args->json;
	cli_source source;
	cli_exit status;
	bspscene_scene *scene = cli_load(&source, args, &options, 1, &status);
	if (scene && args->json) {
		status = cli_json_print(cli_describe_map(scene, bspscene_source_file_system(source.place), source.label));
	} else if (scene) {
		status = print_text(scene, source.label);
	}
	bspscene_scene_free(scene);
	cli_source_close(&source);
	return status;
}

const cli_command cli_command_info = {
	.name = "info",
	.operands = "SOURCE",
	.section = "Look at maps",
	.summary = "print what a map is and what is in it",
	.details =
		"Prints a map's format, size and counts. --json prints one object, which also has hashes, each file that the "
		"map needs and where it was found, and each warning (docs/info.schema.json).\n\n"
		"It names the files next to the map that belong to it, and says why some are not used.\n\n"
		"Faces are all faces of the file. Size, triangles, vertices and materials are those that a conversion shows; "
		"--include adds hidden surfaces.",
	.examples =
		"  bspscene info maps/atrium.bsp\n"
		"  bspscene info pak1-maps.pk3 --map oa_dm1 --json\n",
	.options =
		"map game palette json light-set seed skin body frame sequence include engine entities lump-patches "
		"models memory-limit quiet "
		"version help",
	.first = "map game json include",
	.operand_count = 1,
	.run = run,
};
