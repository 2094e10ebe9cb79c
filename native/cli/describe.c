/* describe.c - builds the JSON object for a scene that `info --json` prints and archives keep. See describe.h. */
#include "cli/describe.h"

#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/map_numbers.h"
#include "cli/needs.h"
#include "cli/report.h"

static json_t *describe_counts(const bspscene_scene *scene, const cli_lightmap_facts *lightmaps)
{
	const bspscene_counts *counts = scene->counts;
	cli_prop_facts props = cli_count_props(scene);
	const struct {
		const char *name;
		uint32_t value;
	} rows[] = {
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
		{ "surface_lights", cli_count_surface_lights(scene) },
		{ "cameras", scene->camera_count },
		{ "static_props", counts->static_props },
		{ "props", scene->prop_count },
		{ "props_shown", props.shown },
		{ "prop_meshes", props.meshes },
		{ "overlays", scene->overlay_count },
		{ "lightmap_faces", counts->lightmap_faces },
		{ "lightmap_styles", lightmaps->styles },
		{ "details", scene->detail_prop_count },
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

/* Returns the occurrences of a warning as an array. Leaves out unknown values. */
static json_t *describe_occurrences(const bspscene_warning *warning)
{
	json_t *array = json_array();
	for (uint32_t i = 0; i < warning->occurrence_count; i++) {
		const bspscene_occurrence *one = warning->occurrences[i];
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
		const bspscene_warning *warning = scene->warnings[i];
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

json_t *cli_describe_identity(const bspscene_identity *identity)
{
	json_t *object = json_object();
	json_object_set_new(object, "bytes", json_string(identity->bytes));
	json_object_set_new(object, "geometry", json_string(identity->geometry));
	json_object_set_new(object, "entities", json_string(identity->entities));
	return object;
}

static json_t *describe_companions(const bspscene_scene *scene)
{
	json_t *array = json_array();
	for (uint32_t i = 0; i < scene->companion_file_count; i++) {
		const bspscene_companion_file *file = scene->companion_files[i];
		json_t *object = json_object();
		json_object_set_new(object, "path", cli_json_text(file->path));
		json_object_set_new(object, "archive", cli_json_text(file->archive));
		json_object_set_new(object, "used", json_boolean(!file->unused));
		if (file->unused) json_object_set_new(object, "reason", cli_json_text(file->unused));
		json_array_append_new(array, object);
	}
	return array;
}

json_t *cli_describe_map(const bspscene_scene *scene, bspscene_file_system *files, const char *file)
{
	cli_lightmap_facts facts = cli_measure_lightmaps(scene);
	json_t *bounds = json_object(), *lightmaps = json_object(), *vis = json_object(), *object = json_object();
	json_object_set_new(bounds, "min", cli_json_floats(scene->bounds.min, 3));
	json_object_set_new(bounds, "max", cli_json_floats(scene->bounds.max, 3));
	json_object_set_new(lightmaps, "pages", json_integer(facts.pages));
	json_object_set_new(lightmaps, "width", json_integer(facts.width));
	json_object_set_new(lightmaps, "height", json_integer(facts.height));
	json_object_set_new(lightmaps, "coverage", json_real(facts.coverage));
	json_object_set_new(lightmaps, "hdr", json_boolean(facts.hdr));
	json_object_set_new(vis, "clusters", json_integer(scene->vis->cluster_count));

	json_object_set_new(object, "file", cli_json_text(file));
	json_object_set_new(object, "family", cli_json_text(scene->family));
	json_object_set_new(object, "variant", cli_json_text(scene->variant));
	json_object_set_new(object, "version", json_integer(scene->version));
	json_object_set_new(object, "meters_per_unit", cli_json_float(scene->meters_per_unit));
	if (scene->identity) {
		json_object_set_new(object, "size", json_integer((json_int_t)scene->identity->size));
		json_object_set_new(object, "hashes", cli_describe_identity(scene->identity));
	}
	json_object_set_new(object, "counts", describe_counts(scene, &facts));
	json_object_set_new(object, "bounds", bounds);
	json_object_set_new(object, "lightmaps", lightmaps);
	json_object_set_new(object, "vis", vis);
	if (scene->entity_file) json_object_set_new(object, "entity_file", cli_json_text(scene->entity_file));
	json_object_set_new(object, "companions", describe_companions(scene));
	json_object_set_new(object, "needs", cli_describe_needs(scene, files));
	json_object_set_new(object, "warnings", describe_warnings(scene));
	return object;
}

static json_t *describe_entity(const bspscene_scene *scene, const bspscene_entity *entity)
{
	json_t *pairs = json_array();
	for (uint32_t i = 0; i < entity->pair_count; i++) {
		const bspscene_pair *pair = &scene->pairs[entity->first_pair + i];
		json_t *both = json_array();
		json_array_append_new(both, cli_json_text(pair->key));
		json_array_append_new(both, cli_json_text(pair->value));
		json_array_append_new(pairs, both);
	}
	json_t *object = json_object();
	json_object_set_new(object, "classname", cli_json_text(entity->classname));
	json_object_set_new(object, "node", cli_json_text(scene->nodes[entity->node]->name));
	json_object_set_new(object, "origin", cli_json_floats(entity->origin, 3));
	json_object_set_new(object, "model", cli_json_index(entity->model));
	json_object_set_new(object, "target_entity", cli_json_index(entity->target_entity));
	json_object_set_new(object, "pairs", pairs);
	return object;
}

json_t *cli_describe_entities(const bspscene_scene *scene)
{
	json_t *entities = json_array();
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		json_array_append_new(entities, describe_entity(scene, scene->entities[i]));
	}
	return entities;
}

char *cli_title(const char *message)
{
	char *title = cli_format("%s", message), *to = title;
	for (const char *at = title; *at; at++) {
		bool escaped = at[0] == '\\' && (at[1] == 'n' || at[1] == 'r');
		char letter = escaped || *at == '\n' || *at == '\r' ? ' ' : *at;
		at += escaped;
		if (letter == ' ' && (to == title || to[-1] == ' ')) continue;
		*to++ = letter;
	}
	while (to > title && to[-1] == ' ') to--;
	*to = 0;
	return title;
}

const char *cli_format_title(const char *family, const char *variant)
{
	for (const bspscene_family *const *all = bspscene_families(); *all; all++) {
		const char *name;
		if (strcmp((*all)->name, family) != 0) continue;
		for (uint32_t i = 0; (name = bspscene_variant_name(*all, i)); i++) {
			const char *title = bspscene_variant_title(*all, i);
			if (!strcmp(name, variant) && title) return title;
		}
		return !strcmp(family, variant) ? (*all)->title : variant;
	}
	return variant;
}
