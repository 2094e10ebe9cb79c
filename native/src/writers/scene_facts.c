/* scene_facts.c - see scene_facts.h. */
#include "writers/scene_facts.h"

#include "writers/words.h"

static void set_word(bspi_writer *writer, json_t *object, const char *key, const char *word)
{
	if (*word) bspi_json_set(writer, object, key, json_string(word));
}

static void set_integer(bspi_writer *writer, json_t *object, const char *key, uint32_t value)
{
	bspi_json_set(writer, object, key, json_integer((json_int_t)value));
}

/* Adds facts about light in vertices: the number of triangles of the map, their number after the subdivision for
 * light, the allowed error, and the measured errors. Errors are in display steps (of 255). */
static void set_light(bspi_writer *writer, json_t *facts)
{
	const bspscene_bake_report *report = &writer->report;
	set_integer(writer, facts, "trianglesOfMap", report->triangles_before);
	set_integer(writer, facts, "trianglesWithLight", report->triangles);
	bspi_json_set(writer, facts, "lightErrorAllowed", bspi_json_float(report->light_error));
	bspi_json_set(writer, facts, "lightErrorUsual", bspi_json_float(report->usual_error));
	bspi_json_set(writer, facts, "lightErrorLargest", bspi_json_float(report->largest_error));
	bspi_json_set(writer, facts, "lightErrorOnEdges", bspi_json_float(report->edge_error));
}

/* Adds advice for users of Blender: change the view transform, because the default one shows unlit surfaces too
 * gray. */
static void set_advice(bspi_writer *writer, json_t *facts)
{
	bspscene_write_lighting lighting = writer->options.lighting;
	if (lighting != BSPSCENE_WRITE_LIGHTING_VERTEX && lighting != BSPSCENE_WRITE_LIGHTING_BAKED) return;
	bspi_json_set(writer, facts, "inBlender", json_string("View Transform: Standard"));
}

json_t *bspi_asset_facts(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	json_t *facts = json_object();
	bspi_json_set(writer, facts, "map", json_string(scene->name));
	bspi_json_set(writer, facts, "family", json_string(scene->family));
	bspi_json_set(writer, facts, "variant", json_string(scene->variant));
	bspi_json_set(writer, facts, "version", json_integer((json_int_t)scene->version));
	bspi_json_set(writer, facts, "metersPerUnit", bspi_json_float(scene->meters_per_unit));
	if (writer->report.triangles) set_light(writer, facts);
	if (writer->report.meshes_for_light) {
		set_integer(writer, facts, "meshesForLight", writer->report.meshes_for_light);
		bspi_json_set(writer, facts, "modelLightErrorAllowed", bspi_json_float(writer->report.model_light_error));
	}
	set_advice(writer, facts);
	return facts;
}

/* ---- Scene ------------------------------------------------------------------------------------------------ */

static json_t *fog_facts(bspi_writer *writer, const bspscene_fog *fog)
{
	static const bspscene_fog_parms none;
	const bspscene_material *material = writer->scene->materials[fog->material];
	const bspscene_fog_parms *parms = material->fog ? material->fog : &none;
	json_t *facts = json_object();
	bspi_json_set(writer, facts, "material", json_string(material->name));
	bspi_json_set(writer, facts, "color", bspi_json_floats(parms->color, 3));
	bspi_json_set(writer, facts, "depth", bspi_json_float(parms->depth));
	if (parms->is_linear) bspi_json_set(writer, facts, "linear", json_true());
	return facts;
}

/* Returns the facts of the map's fog. Lengths are in game units, as in all facts. */
static json_t *map_fog_facts(bspi_writer *writer)
{
	const bspscene_map_fog *fog = writer->scene->map_fog;
	json_t *facts = json_object();
	bspi_json_set(writer, facts, "color", bspi_json_floats(fog->color, 3));
	bspi_json_set(writer, facts, "density", bspi_json_float(fog->density));
	bspi_json_set(writer, facts, "power", bspi_json_float(fog->power));
	bspi_json_set(writer, facts, "opacity", bspi_json_float(fog->opacity));
	bspi_json_set(writer, facts, "start", bspi_json_float(fog->start));
	bspi_json_set(writer, facts, "end", bspi_json_float(fog->end));
	bspi_json_set(writer, facts, "sky", bspi_json_float(fog->sky));
	return facts;
}

json_t *bspi_scene_facts(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	json_t *fogs = json_array(), *styles = json_array(), *facts = json_object();
	for (uint32_t i = 0; i < scene->fog_count; i++) {
		if (scene->fogs[i]->material != BSPSCENE_NO_INDEX) {
			bspi_json_append(writer, fogs, fog_facts(writer, scene->fogs[i]));
		}
	}
	for (uint32_t i = 0; i < scene->light_style_count; i++) {
		const bspscene_light_style *style = scene->light_styles[i];
		json_t *object = json_object();
		set_integer(writer, object, "style", style->style);
		set_word(writer, object, "name", style->name);
		set_word(writer, object, "pattern", style->pattern);
		bspi_json_append(writer, styles, object);
	}
	if (scene->sky_material != BSPSCENE_NO_INDEX) {
		set_word(writer, facts, "sky", scene->materials[scene->sky_material]->name);
	}
	if (scene->map_fog->density > 0) bspi_json_set(writer, facts, "mapFog", map_fog_facts(writer));
	if (json_array_size(fogs)) bspi_json_set(writer, facts, "fogs", fogs);
	else json_decref(fogs);
	if (json_array_size(styles)) bspi_json_set(writer, facts, "lightStyles", styles);
	else json_decref(styles);
	if (json_object_size(facts)) return facts;
	json_decref(facts);
	return NULL;
}

/* ---- Nodes ------------------------------------------------------------------------------------------------ */

static void set_pair(bspi_writer *writer, json_t *facts, const bspscene_pair *pair)
{
	json_t *before = json_object_get(facts, pair->key), *value = json_string(pair->value);
	if (!before) {
		bspi_json_set(writer, facts, pair->key, value);
	} else if (json_is_array(before)) {
		bspi_json_append(writer, before, value);
	} else {
		json_t *both = json_array();
		bspi_json_append(writer, both, json_incref(before));
		bspi_json_append(writer, both, value);
		bspi_json_set(writer, facts, pair->key, both);
	}
}

json_t *bspi_light_facts(bspi_writer *writer, const bspscene_light *light)
{
	json_t *facts = json_object();
	bspi_json_set(writer, facts, "kind", json_string(bspi_light_word(light->kind)));
	bspi_json_set(writer, facts, "color", bspi_json_floats(light->color, 3));
	bspi_json_set(writer, facts, "intensity", bspi_json_float(light->intensity));
	bspi_json_set(writer, facts, "illuminanceAt100Units", bspi_json_float(light->illuminance_at_100_units));
	bspi_json_set(writer, facts, "falloff", json_string(bspi_falloff_word(light->falloff)));
	if (light->radius > 0) bspi_json_set(writer, facts, "radius", bspi_json_float(light->radius));
	if (light->style) set_integer(writer, facts, "style", light->style);
	if (light->is_dynamic) bspi_json_set(writer, facts, "runtime", json_true());
	return facts;
}

static void set_levels(bspi_writer *writer, json_t *facts, const char *key, const uint32_t levels[2])
{
	if (!levels[0] && !levels[1]) return;
	json_t *pair = json_array();
	for (int i = 0; i < 2; i++) bspi_json_append(writer, pair, json_integer((json_int_t)levels[i]));
	bspi_json_set(writer, facts, key, pair);
}

/* Returns the facts of a prop. Positions and distances are in game units, as in entity keys. Default values are left
 * out. */
static json_t *prop_facts(bspi_writer *writer, const bspscene_prop *prop)
{
	static const float white[4] = { 1, 1, 1, 1 };
	const uint32_t luxels[2] = { prop->lightmap_width, prop->lightmap_height };
	json_t *facts = json_object();
	set_word(writer, facts, "model", prop->model);
	if (prop->name) set_word(writer, facts, "name", prop->name);
	if (prop->skin) set_integer(writer, facts, "skin", prop->skin);
	bspi_json_set(writer, facts, "static", json_boolean(prop->is_static));
	if (memcmp(prop->color, white, sizeof white)) {
		bspi_json_set(writer, facts, "color", bspi_json_floats(prop->color, 4));
	}
	if (prop->solid) set_integer(writer, facts, "solid", prop->solid);
	if (prop->flags) set_integer(writer, facts, "flags", prop->flags);
	if (prop->flags_ex) set_integer(writer, facts, "flagsEx", prop->flags_ex);
	if (prop->fade_far > 0) bspi_json_set(writer, facts, "fade", bspi_json_floats(&prop->fade_near, 2));
	if (prop->fade_scale != 1) bspi_json_set(writer, facts, "fadeScale", bspi_json_float(prop->fade_scale));
	if (prop->flags & BSPSCENE_PROP_LIGHTING_ORIGIN) {
		bspi_json_set(writer, facts, "lightingOrigin", bspi_json_floats(prop->lighting_origin, 3));
	}
	set_levels(writer, facts, "lightmapSize", luxels);
	set_levels(writer, facts, "dxLevels", prop->dx_levels);
	set_levels(writer, facts, "cpuLevels", prop->cpu_levels);
	set_levels(writer, facts, "gpuLevels", prop->gpu_levels);
	return facts;
}

static void set_entity(bspi_writer *writer, json_t *facts, json_t *own, const bspscene_entity *entity)
{
	const bspscene_scene *scene = writer->scene;
	for (uint32_t i = 0; i < entity->pair_count; i++) set_pair(writer, facts, &scene->pairs[entity->first_pair + i]);
	if (entity->model != BSPSCENE_NO_INDEX) set_integer(writer, own, "model", entity->model);
	if (entity->target_entity != BSPSCENE_NO_INDEX) {
		set_word(writer, own, "target", scene->nodes[scene->entities[entity->target_entity]->node]->name);
	}
}

json_t *bspi_node_facts(bspi_writer *writer, uint32_t index)
{
	const bspscene_scene *scene = writer->scene;
	const bspscene_node *node = scene->nodes[index];
	json_t *facts = json_object(), *own = json_object();
	bspi_json_set(writer, own, "kind", json_string(bspi_node_word(node->kind)));
	if (node->hidden) bspi_json_set(writer, own, "hidden", json_true());
	if (node->levels) set_integer(writer, own, "levels", node->levels);
	if (node->color_alpha < 1) bspi_json_set(writer, own, "alpha", bspi_json_float(node->color_alpha));
	if (node->entity != BSPSCENE_NO_INDEX) set_entity(writer, facts, own, scene->entities[node->entity]);
	if (node->light != BSPSCENE_NO_INDEX) {
		bspi_json_set(writer, own, "light", bspi_light_facts(writer, scene->lights[node->light]));
	}
	if (node->camera != BSPSCENE_NO_INDEX) {
		bspi_json_set(writer, own, "camera", json_string(bspi_camera_word(scene->cameras[node->camera]->kind)));
	}
	if (node->prop != BSPSCENE_NO_INDEX) {
		bspi_json_set(writer, own, "prop", prop_facts(writer, scene->props[node->prop]));
	}
	if (node->kind == BSPSCENE_NODE_FLARE) {
		bspi_json_set(writer, own, "color", bspi_json_floats(node->color, 3));
		if (node->material != BSPSCENE_NO_INDEX) {
			set_word(writer, own, "material", scene->materials[node->material]->name);
		}
	}
	bspi_json_set(writer, facts, "bspscene", own);
	return facts;
}

/* ---- Materials and sections ------------------------------------------------------------------------------- */

static void set_image_facts(bspi_writer *writer, json_t *facts, const char *key, uint32_t index)
{
	if (index == BSPSCENE_NO_INDEX) return;
	const bspscene_image *image = writer->scene->images[index];
	bspi_json_set(writer, facts, key, json_string(*image->path ? image->path : image->name));
	if (image->format == BSPSCENE_IMAGE_MISSING) bspi_json_set(writer, facts, "missing", json_true());
}

static json_t *animation_facts(bspi_writer *writer, uint32_t first_frame, uint32_t count, float frames_per_second)
{
	const bspscene_scene *scene = writer->scene;
	json_t *frames = json_array(), *animation = json_object();
	for (uint32_t f = 0; f < count; f++) {
		uint32_t image = scene->frame_images[first_frame + f];
		if (image != BSPSCENE_NO_INDEX) bspi_json_append(writer, frames, json_string(scene->images[image]->name));
	}
	bspi_json_set(writer, animation, "framesPerSecond", bspi_json_float(frames_per_second));
	bspi_json_set(writer, animation, "frames", frames);
	return animation;
}

static void set_animation(bspi_writer *writer, json_t *facts, const bspscene_material *material)
{
	const bspscene_scene *scene = writer->scene;
	const bspscene_animation *own = material->animation;
	if (own) {
		json_t *animation =
			animation_facts(writer, own->first_frame_image, own->frame_image_count, own->frames_per_second);
		if (own->once) bspi_json_set(writer, animation, "once", json_true());
		bspi_json_set(writer, facts, "animation", animation);
		return;
	}
	for (uint32_t i = 0; i < material->pass_count; i++) {
		const bspscene_material_pass *stage = scene->material_passes[material->first_pass + i];
		bool box = stage->tc_gen == BSPSCENE_TC_GEN_REFLECTION || stage->tc_gen == BSPSCENE_TC_GEN_SURROUND;
		if (stage->input != BSPSCENE_PASS_INPUT_IMAGE || stage->frame_image_count < 2 || box) continue;
		bspi_json_set(writer, facts, "animation",
		              animation_facts(writer, stage->first_frame_image, stage->frame_image_count,
		                              stage->frames_per_second));
		return;
	}
}

json_t *bspi_material_facts(bspi_writer *writer, const bspi_look *look)
{
	const bspscene_material *material = writer->scene->materials[look->material];
	json_t *facts = json_object();
	if (material->kind != BSPSCENE_MATERIAL_NORMAL) {
		bspi_json_set(writer, facts, "kind", json_string(bspi_material_word(material->kind)));
	}
	if (material->surface_flags) set_integer(writer, facts, "surfaceFlags", material->surface_flags);
	if (material->content_flags) set_integer(writer, facts, "contentFlags", material->content_flags);
	if (writer->options.lighting == BSPSCENE_WRITE_LIGHTING_LIGHTMAP) {
		bspi_json_set(writer, facts, "lighting", json_string(bspi_lighting_word(look->lighting)));
	}
	if (look->page != BSPSCENE_NO_INDEX) set_integer(writer, facts, "lightmapPage", look->page);
	set_image_facts(writer, facts, "image", material->base_image);
	set_image_facts(writer, facts, "secondImage", material->second_image);
	set_image_facts(writer, facts, "emissiveImage", material->emissive_image);
	set_image_facts(writer, facts, "normalImage", material->normal_image);
	if (material->alpha_mode == BSPSCENE_ALPHA_MODE_ADD) bspi_json_set(writer, facts, "blend", json_string("add"));
	if (material->alpha_mode == BSPSCENE_ALPHA_MODE_MODULATE)
		bspi_json_set(writer, facts, "blend", json_string("modulate"));
	if (material->scroll[0] != 0 || material->scroll[1] != 0) {
		bspi_json_set(writer, facts, "scroll", bspi_json_floats(material->scroll, 2));
	}
	if (material->surface_light > 0) {
		bspi_json_set(writer, facts, "surfaceLight", bspi_json_float(material->surface_light));
	}
	set_animation(writer, facts, material);
	if (*material->script_file) {
		set_word(writer, facts, "sourceFile", material->script_file);
		set_integer(writer, facts, "sourceLine", material->script_line);
	}
	return facts;
}

json_t *bspi_section_facts(bspi_writer *writer, const bspscene_section *section)
{
	if (section->surface_kind == BSPSCENE_SURFACE_VISIBLE && section->fog == BSPSCENE_NO_INDEX) return NULL;
	json_t *facts = json_object();
	if (section->surface_kind != BSPSCENE_SURFACE_VISIBLE) {
		bspi_json_set(writer, facts, "include", json_string(bspi_include_word(section->surface_kind)));
	}
	if (section->fog != BSPSCENE_NO_INDEX) set_integer(writer, facts, "fog", section->fog);
	return facts;
}
