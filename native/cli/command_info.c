/* command_info.c - bspscene info: what a map is and what is in it, for people or as JSON. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "json.h"
#include "report.h"
#include "source.h"

typedef struct lightmap_facts {
	uint32_t pages, width, height;     /* of the largest page */
	uint32_t styles;
	double coverage;                   /* part of all luxels that some face shows */
	bool hdr;
} lightmap_facts;

/* Marks the luxels of all faces on one page and counts them: faces may share luxels. */
static uint64_t count_used_luxels(const bspscene_scene *scene, uint32_t number, const bspscene_page *page)
{
	uint8_t *used = cli_allocate((size_t)page->width * page->height, 1);
	uint64_t count = 0;
	for (uint32_t i = 0; i < scene->face_count; i++) {
		const bspscene_face *face = &scene->faces[i];
		if (face->page != number) continue;
		for (uint32_t y = face->y; y < face->y + face->height; y++) {
			uint8_t *row = used + (size_t)y * page->width;
			for (uint32_t x = face->x; x < face->x + face->width; x++) {
				count += !row[x];
				row[x] = 1;
			}
		}
	}
	free(used);
	return count;
}

static lightmap_facts measure_lightmaps(const bspscene_scene *scene)
{
	lightmap_facts facts = { .pages = scene->page_count, .hdr = scene->has_hdr_light };
	for (uint32_t i = 0; i < scene->page_set_count; i++) {
		facts.styles += scene->page_sets[i].kind == BSPSCENE_PAGES_LIGHT;
	}
	if (scene->page_set_count == 0) return facts;
	uint64_t used = 0, all = 0;
	for (uint32_t i = 0; i < scene->page_count; i++) {
		const bspscene_page *page = &scene->page_sets[0].pages[i];
		if (page->width > facts.width) facts.width = page->width;
		if (page->height > facts.height) facts.height = page->height;
		used += count_used_luxels(scene, i, page);
		all += (uint64_t)page->width * page->height;
	}
	facts.coverage = all ? (double)used / (double)all : 0;
	return facts;
}

/* ---- JSON ------------------------------------------------------------------------------------------------- */

static uint32_t count_surface_lights(const bspscene_scene *scene)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->light_count; i++) count += scene->lights[i].kind == BSPSCENE_LIGHT_SURFACE;
	return count;
}

/* What stands in the map: nodes with a model, those of them that show one, meshes that these share. */
typedef struct prop_facts {
	uint32_t shown, meshes;
} prop_facts;

static prop_facts count_props(const bspscene_scene *scene)
{
	prop_facts facts = { 0, 0 };
	bool *seen = calloc((size_t)scene->mesh_count + 1, sizeof *seen);
	if (!seen) cli_end_without_memory();
	for (uint32_t i = 0; i < scene->prop_count; i++) {
		uint32_t mesh = scene->nodes[scene->props[i].node].mesh;
		if (mesh == BSPSCENE_NO_INDEX) continue;
		facts.shown++;
		facts.meshes += !seen[mesh];
		seen[mesh] = true;
	}
	free(seen);
	return facts;
}

static json_t *describe_counts(const bspscene_scene *scene, const lightmap_facts *lightmaps)
{
	const bspscene_counts *counts = &scene->counts;
	prop_facts props = count_props(scene);
	const struct { const char *name; uint32_t value; } rows[] = {
		{ "models", counts->models },
		{ "faces", counts->faces },
		{ "polygons", counts->polygons },
		{ "patches", counts->patches },
		{ "meshes", counts->meshes },
		{ "displacements", counts->displacements },
		{ "billboards", counts->billboards },
		{ "vertices", counts->vertices },
		{ "triangles", counts->triangles },
		{ "materials", scene->material_count },
		{ "textures_found", counts->textures_found },
		{ "textures_missing", counts->textures_missing },
		{ "entities", scene->entity_count },
		{ "brush_entities", counts->brush_entities },
		{ "lights", scene->light_count },
		{ "surface_lights", count_surface_lights(scene) },
		{ "cameras", scene->camera_count },
		{ "static_props", counts->static_props },
		{ "props", scene->prop_count },
		{ "props_shown", props.shown },
		{ "prop_meshes", props.meshes },
		{ "overlays", scene->overlay_count },
		{ "lightmap_faces", counts->lightmap_faces },
		{ "lightmap_styles", lightmaps->styles },
		{ "details", scene->detail_count },
		{ "cubemaps", scene->cubemap_count },
		{ "ambients", scene->ambient_count },
	};
	json_t *object = json_object();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		json_object_set_new(object, rows[i].name, json_integer(rows[i].value));
	}
	return object;
}

static void set_known(json_t *object, const char *name, uint32_t value)
{
	if (value != BSPSCENE_NO_INDEX) json_object_set_new(object, name, json_integer(value));
}

/* Each time that was kept; what is not known of it is left out. */
static json_t *describe_occurrences(const bspscene_warning *warning)
{
	json_t *array = json_array();
	for (uint32_t i = 0; i < warning->occurrence_count; i++) {
		const bspscene_occurrence *one = &warning->occurrences[i];
		json_t *object = json_object();
		json_object_set_new(object, "message", cli_json_text(one->message));
		set_known(object, "record", one->record);
		set_known(object, "entity", one->entity);
		set_known(object, "face", one->face);
		if (one->offset <= INT64_MAX) json_object_set_new(object, "offset", json_integer((json_int_t)one->offset));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *describe_warnings(const bspscene_scene *scene)
{
	json_t *array = json_array();
	for (uint32_t i = 0; i < scene->warning_count; i++) {
		const bspscene_warning *warning = &scene->warnings[i];
		json_t *object = json_object();
		json_object_set_new(object, "code", cli_json_text(bspscene_warning_name(warning->code)));
		json_object_set_new(object, "count", json_integer(warning->count));
		json_object_set_new(object, "message", cli_json_text(warning->message));
		json_object_set_new(object, "lump", cli_json_text(warning->lump));
		json_object_set_new(object, "occurrences", describe_occurrences(warning));
		json_array_append_new(array, object);
	}
	return array;
}

static cli_exit print_json(const bspscene_scene *scene, const char *file)
{
	lightmap_facts facts = measure_lightmaps(scene);
	json_t *bounds = json_object(), *lightmaps = json_object(), *vis = json_object(), *object = json_object();
	json_object_set_new(bounds, "min", cli_json_floats(scene->bounds.min, 3));
	json_object_set_new(bounds, "max", cli_json_floats(scene->bounds.max, 3));
	json_object_set_new(lightmaps, "pages", json_integer(facts.pages));
	json_object_set_new(lightmaps, "width", json_integer(facts.width));
	json_object_set_new(lightmaps, "height", json_integer(facts.height));
	json_object_set_new(lightmaps, "coverage", json_real(facts.coverage));
	json_object_set_new(lightmaps, "hdr", json_boolean(facts.hdr));
	json_object_set_new(vis, "clusters", json_integer(scene->vis.cluster_count));

	json_object_set_new(object, "file", cli_json_text(file));
	json_object_set_new(object, "family", cli_json_text(scene->family));
	json_object_set_new(object, "variant", cli_json_text(scene->variant));
	json_object_set_new(object, "version", json_integer(scene->version));
	json_object_set_new(object, "metres_per_unit", cli_json_float(scene->metres_per_unit));
	json_object_set_new(object, "counts", describe_counts(scene, &facts));
	json_object_set_new(object, "bounds", bounds);
	json_object_set_new(object, "lightmaps", lightmaps);
	json_object_set_new(object, "vis", vis);
	json_object_set_new(object, "warnings", describe_warnings(scene));
	return cli_json_print(object);
}

/* ---- Text ------------------------------------------------------------------------------------------------- */

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

static cli_exit print_text(const bspscene_scene *scene, const char *file)
{
	const bspscene_counts *counts = &scene->counts;
	lightmap_facts lightmaps = measure_lightmaps(scene);
	double size[3];
	for (int i = 0; i < 3; i++) {
		size[i] = (double)scene->bounds.max[i] - (double)scene->bounds.min[i];
		if (size[i] < 0) size[i] = 0;
	}
	double metres = (double)scene->metres_per_unit;

	cli_print("%s", file);
	if (strcmp(scene->variant, scene->family)) {
		print_row("format", "%s, a variant of %s, version %d", scene->variant, scene->family, scene->version);
	} else {
		print_row("format", "%s, version %d", scene->family, scene->version);
	}
	if (counts->triangles) {
		print_row("size", "%.0f x %.0f x %.0f units, %.1f x %.1f x %.1f m", size[0], size[1], size[2],
		          size[0] * metres, size[1] * metres, size[2] * metres);
	} else {
		print_row("size", "no face is shown%s", counts->faces ? "; --include has hidden ones" : "");
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
		prop_facts props = count_props(scene);
		print_row("models", "%u in %u places; %u more have none", props.meshes, props.shown,
		          scene->prop_count - props.shown);
	}
	uint32_t surface_lights = count_surface_lights(scene);
	if (surface_lights) {
		print_row("lights", "%u, of which %u for patches of glowing textures", scene->light_count, surface_lights);
	}
	if (scene->detail_count) print_row("details", "%u", scene->detail_count);
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
	if (scene->vis.cluster_count) print_row("vis", "%u clusters", scene->vis.cluster_count);
	else print_row("vis", "none");
	return cli_finish_stdout();
}

static cli_exit run(const cli_args *args)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.textures = BSPSCENE_TEXTURES_NAMES;
	cli_source source;
	cli_exit status;
	bspscene_scene *scene = cli_load(&source, args, &options, 1, &status);
	if (scene) status = args->json ? print_json(scene, source.label) : print_text(scene, source.label);
	bspscene_scene_free(scene);
	cli_source_close(&source);
	return status;
}

const cli_command cli_command_info = {
	.name = "info",
	.operands = "SOURCE",
	.summary = "what a map is and what is in it",
	.details =
		"Prints a map's format, size and counts, for people or with --json as one object. Faces are all that the\n"
		"file has; size, triangles, vertices and materials are those of what conversion shows, and with --include\n"
		"of what is hidden otherwise too.",
	.examples =
		"  bspscene info maps/atrium.bsp\n"
		"  bspscene info pak1-maps.pk3 --map oa_dm1 --json\n",
	.options = CLI_OPTIONS_MAP | CLI_OPTION_LUMP_PATCHES | CLI_OPTION_GAME | CLI_OPTION_ENGINE |
		CLI_OPTION_MODELS | CLI_OPTION_PALETTE | CLI_OPTION_INCLUDE | CLI_OPTION_JSON,
	.operand_count = 1,
	.run = run,
};
