/* gltf_facts.c - extras: what the game and the file know and glTF has no words for.
 *
 * A node's extras are its entity's key/values, as hosts show them best: one member per key in file order, an array
 * where a key is repeated. Everything else is ours and stays in one member, "bspscene". */
#include "writers/gltf.h"
#include "writers/words.h"

static void set_word(bspi_gltf *gltf, json_t *object, const char *key, const char *word)
{
	if (*word) bspi_gltf_set(gltf, object, key, json_string(word));
}

static void set_integer(bspi_gltf *gltf, json_t *object, const char *key, uint32_t value)
{
	bspi_gltf_set(gltf, object, key, json_integer((json_int_t)value));
}

json_t *bspi_gltf_asset_facts(bspi_gltf *gltf)
{
	const bspscene_scene *scene = gltf->scene;
	json_t *facts = json_object();
	bspi_gltf_set(gltf, facts, "map", json_string(scene->name));
	bspi_gltf_set(gltf, facts, "family", json_string(scene->family));
	bspi_gltf_set(gltf, facts, "variant", json_string(scene->variant));
	bspi_gltf_set(gltf, facts, "version", json_integer((json_int_t)scene->version));
	bspi_gltf_set(gltf, facts, "metresPerUnit", bspi_json_float(scene->metres_per_unit));
	return facts;
}

/* ---- Scene ------------------------------------------------------------------------------------------------ */

static json_t *fog_facts(bspi_gltf *gltf, const bspscene_fog *fog)
{
	static const bspscene_fog_parms none;
	const bspscene_material *material = &gltf->scene->materials[fog->material];
	const bspscene_fog_parms *parms = material->fog ? material->fog : &none;
	json_t *facts = json_object();
	bspi_gltf_set(gltf, facts, "material", json_string(material->name));
	bspi_gltf_set(gltf, facts, "color", bspi_json_floats(parms->color, 3));
	bspi_gltf_set(gltf, facts, "depth", bspi_json_float(parms->depth));
	return facts;
}

/* Lengths are in game units, as in all facts. */
static json_t *map_fog_facts(bspi_gltf *gltf)
{
	const bspscene_map_fog *fog = &gltf->scene->map_fog;
	json_t *facts = json_object();
	bspi_gltf_set(gltf, facts, "color", bspi_json_floats(fog->color, 3));
	bspi_gltf_set(gltf, facts, "density", bspi_json_float(fog->density));
	bspi_gltf_set(gltf, facts, "power", bspi_json_float(fog->power));
	bspi_gltf_set(gltf, facts, "opacity", bspi_json_float(fog->opacity));
	bspi_gltf_set(gltf, facts, "start", bspi_json_float(fog->start));
	bspi_gltf_set(gltf, facts, "end", bspi_json_float(fog->end));
	bspi_gltf_set(gltf, facts, "sky", bspi_json_float(fog->sky));
	return facts;
}

/* NULL when there is nothing to say. */
json_t *bspi_gltf_scene_facts(bspi_gltf *gltf)
{
	const bspscene_scene *scene = gltf->scene;
	json_t *fogs = json_array(), *styles = json_array(), *facts = json_object();
	for (uint32_t i = 0; i < scene->fog_count; i++) {
		if (scene->fogs[i].material != BSPSCENE_NO_INDEX) {
			bspi_gltf_append(gltf, fogs, fog_facts(gltf, &scene->fogs[i]));
		}
	}
	for (uint32_t i = 0; i < scene->light_style_count; i++) {
		const bspscene_light_style *style = &scene->light_styles[i];
		json_t *object = json_object();
		set_integer(gltf, object, "style", style->style);
		set_word(gltf, object, "name", style->name);
		set_word(gltf, object, "pattern", style->pattern);
		bspi_gltf_append(gltf, styles, object);
	}
	if (scene->sky_material != BSPSCENE_NO_INDEX) {
		set_word(gltf, facts, "sky", scene->materials[scene->sky_material].name);
	}
	if (scene->map_fog.density > 0) bspi_gltf_set(gltf, facts, "mapFog", map_fog_facts(gltf));
	if (json_array_size(fogs)) bspi_gltf_set(gltf, facts, "fogs", fogs);
	else json_decref(fogs);
	if (json_array_size(styles)) bspi_gltf_set(gltf, facts, "lightStyles", styles);
	else json_decref(styles);
	if (json_object_size(facts)) return facts;
	json_decref(facts);
	return NULL;
}

/* ---- Nodes ------------------------------------------------------------------------------------------------ */

static void set_pair(bspi_gltf *gltf, json_t *facts, const bspscene_pair *pair)
{
	json_t *before = json_object_get(facts, pair->key), *value = json_string(pair->value);
	if (!before) {
		bspi_gltf_set(gltf, facts, pair->key, value);
	} else if (json_is_array(before)) {
		bspi_gltf_append(gltf, before, value);
	} else {
		json_t *both = json_array();
		bspi_gltf_append(gltf, both, json_incref(before));
		bspi_gltf_append(gltf, both, value);
		bspi_gltf_set(gltf, facts, pair->key, both);
	}
}

json_t *bspi_gltf_light_facts(bspi_gltf *gltf, const bspscene_light *light)
{
	json_t *facts = json_object();
	bspi_gltf_set(gltf, facts, "kind", json_string(bspi_light_word(light->kind)));
	bspi_gltf_set(gltf, facts, "color", bspi_json_floats(light->color, 3));
	bspi_gltf_set(gltf, facts, "intensity", bspi_json_float(light->intensity));
	bspi_gltf_set(gltf, facts, "lightAt100", bspi_json_float(light->light_at_100));
	bspi_gltf_set(gltf, facts, "falloff", json_string(bspi_falloff_word(light->falloff)));
	if (light->radius > 0) bspi_gltf_set(gltf, facts, "radius", bspi_json_float(light->radius));
	if (light->style) set_integer(gltf, facts, "style", light->style);
	if (light->runtime) bspi_gltf_set(gltf, facts, "runtime", json_true());
	return facts;
}

static void set_levels(bspi_gltf *gltf, json_t *facts, const char *key, const uint32_t levels[2])
{
	if (!levels[0] && !levels[1]) return;
	json_t *pair = json_array();
	for (int i = 0; i < 2; i++) bspi_gltf_append(gltf, pair, json_integer((json_int_t)levels[i]));
	bspi_gltf_set(gltf, facts, key, pair);
}

/* Places and distances are in game units, as in the keys of entities. What is as usual is not said. */
static json_t *prop_facts(bspi_gltf *gltf, const bspscene_prop *prop)
{
	static const float white[4] = { 1, 1, 1, 1 };
	const uint32_t luxels[2] = { prop->lightmap_width, prop->lightmap_height };
	json_t *facts = json_object();
	set_word(gltf, facts, "model", prop->model);
	if (prop->name) set_word(gltf, facts, "name", prop->name);
	if (prop->skin) set_integer(gltf, facts, "skin", prop->skin);
	bspi_gltf_set(gltf, facts, "static", json_boolean(prop->is_static));
	if (memcmp(prop->color, white, sizeof white)) bspi_gltf_set(gltf, facts, "color", bspi_json_floats(prop->color, 4));
	if (prop->solid) set_integer(gltf, facts, "solid", prop->solid);
	if (prop->flags) set_integer(gltf, facts, "flags", prop->flags);
	if (prop->flags_ex) set_integer(gltf, facts, "flagsEx", prop->flags_ex);
	if (prop->fade_far > 0) bspi_gltf_set(gltf, facts, "fade", bspi_json_floats(&prop->fade_near, 2));
	if (prop->fade_scale != 1) bspi_gltf_set(gltf, facts, "fadeScale", bspi_json_float(prop->fade_scale));
	if (prop->flags & BSPSCENE_PROP_LIGHTING_ORIGIN) {
		bspi_gltf_set(gltf, facts, "lightingOrigin", bspi_json_floats(prop->lighting_origin, 3));
	}
	set_levels(gltf, facts, "lightmapSize", luxels);
	set_levels(gltf, facts, "dxLevels", prop->dx_levels);
	set_levels(gltf, facts, "cpuLevels", prop->cpu_levels);
	set_levels(gltf, facts, "gpuLevels", prop->gpu_levels);
	return facts;
}

static void set_entity(bspi_gltf *gltf, json_t *facts, json_t *own, const bspscene_entity *entity)
{
	const bspscene_scene *scene = gltf->scene;
	for (uint32_t i = 0; i < entity->pair_count; i++) set_pair(gltf, facts, &scene->pairs[entity->first_pair + i]);
	if (entity->model != BSPSCENE_NO_INDEX) set_integer(gltf, own, "model", entity->model);
	if (entity->target_entity != BSPSCENE_NO_INDEX) {
		set_word(gltf, own, "target", scene->nodes[scene->entities[entity->target_entity].node].name);
	}
}

json_t *bspi_gltf_node_facts(bspi_gltf *gltf, uint32_t index)
{
	const bspscene_scene *scene = gltf->scene;
	const bspscene_node *node = &scene->nodes[index];
	json_t *facts = json_object(), *own = json_object();
	bspi_gltf_set(gltf, own, "kind", json_string(bspi_node_word(node->kind)));
	if (node->hidden) bspi_gltf_set(gltf, own, "hidden", json_true());
	if (node->color_alpha < 1) bspi_gltf_set(gltf, own, "alpha", bspi_json_float(node->color_alpha));
	if (node->entity != BSPSCENE_NO_INDEX) set_entity(gltf, facts, own, &scene->entities[node->entity]);
	if (node->light != BSPSCENE_NO_INDEX) {
		bspi_gltf_set(gltf, own, "light", bspi_gltf_light_facts(gltf, &scene->lights[node->light]));
	}
	if (node->camera != BSPSCENE_NO_INDEX) {
		bspi_gltf_set(gltf, own, "camera", json_string(bspi_camera_word(scene->cameras[node->camera].kind)));
	}
	if (node->prop != BSPSCENE_NO_INDEX) bspi_gltf_set(gltf, own, "prop", prop_facts(gltf, &scene->props[node->prop]));
	if (node->kind == BSPSCENE_NODE_FLARE) {
		bspi_gltf_set(gltf, own, "color", bspi_json_floats(node->color, 3));
		if (node->material != BSPSCENE_NO_INDEX) set_word(gltf, own, "material", scene->materials[node->material].name);
	}
	bspi_gltf_set(gltf, facts, "bspscene", own);
	return facts;
}

/* ---- Materials and sections ------------------------------------------------------------------------------- */

static void set_image_facts(bspi_gltf *gltf, json_t *facts, const char *key, uint32_t index)
{
	if (index == BSPSCENE_NO_INDEX) return;
	const bspscene_image *image = &gltf->scene->images[index];
	bspi_gltf_set(gltf, facts, key, json_string(*image->path ? image->path : image->name));
	if (image->format == BSPSCENE_IMAGE_MISSING) bspi_gltf_set(gltf, facts, "missing", json_true());
}

static void set_animation(bspi_gltf *gltf, json_t *facts, const bspscene_material *material)
{
	const bspscene_scene *scene = gltf->scene;
	for (uint32_t i = 0; i < material->stage_count; i++) {
		const bspscene_stage *stage = &scene->stages[material->first_stage + i];
		if (stage->source != BSPSCENE_STAGE_IMAGE || stage->frame_count < 2) continue;
		json_t *frames = json_array(), *animation = json_object();
		for (uint32_t f = 0; f < stage->frame_count; f++) {
			uint32_t image = scene->frames[stage->first_frame + f];
			if (image != BSPSCENE_NO_INDEX) bspi_gltf_append(gltf, frames, json_string(scene->images[image].name));
		}
		bspi_gltf_set(gltf, animation, "framesPerSecond", bspi_json_float(stage->frames_per_second));
		bspi_gltf_set(gltf, animation, "frames", frames);
		bspi_gltf_set(gltf, facts, "animation", animation);
		return;
	}
}

json_t *bspi_gltf_material_facts(bspi_gltf *gltf, const bspi_gltf_look *look)
{
	const bspscene_material *material = &gltf->scene->materials[look->material];
	json_t *facts = json_object();
	bspi_gltf_set(gltf, facts, "name", json_string(material->name));
	bspi_gltf_set(gltf, facts, "kind", json_string(bspi_material_word(material->kind)));
	set_integer(gltf, facts, "surfaceFlags", material->surface_flags);
	set_integer(gltf, facts, "contentFlags", material->content_flags);
	if (gltf->writer->options.lighting == BSPSCENE_WRITE_LIGHTMAP) {
		bspi_gltf_set(gltf, facts, "lighting", json_string(bspi_lighting_word(look->lighting)));
	}
	float gain = bspi_gltf_gain(gltf, material);
	if (gain != 1) bspi_gltf_set(gltf, facts, "textureGain", bspi_json_float(gain));
	if (look->page != BSPSCENE_NO_INDEX) set_integer(gltf, facts, "lightmapPage", look->page);
	set_image_facts(gltf, facts, "image", material->base_image);
	set_image_facts(gltf, facts, "secondImage", material->second_image);
	set_image_facts(gltf, facts, "emissiveImage", material->emissive_image);
	set_image_facts(gltf, facts, "normalImage", material->normal_image);
	if (material->alpha_mode == BSPSCENE_ALPHA_ADD) bspi_gltf_set(gltf, facts, "blend", json_string("add"));
	if (material->alpha_mode == BSPSCENE_ALPHA_MODULATE) bspi_gltf_set(gltf, facts, "blend", json_string("modulate"));
	if (material->scroll[0] != 0 || material->scroll[1] != 0) {
		bspi_gltf_set(gltf, facts, "scroll", bspi_json_floats(material->scroll, 2));
	}
	if (material->surface_light > 0) {
		bspi_gltf_set(gltf, facts, "surfaceLight", bspi_json_float(material->surface_light));
	}
	set_animation(gltf, facts, material);
	if (*material->source_file) {
		set_word(gltf, facts, "sourceFile", material->source_file);
		set_integer(gltf, facts, "sourceLine", material->source_line);
	}
	return facts;
}

/* NULL for a plain visible section. */
json_t *bspi_gltf_section_facts(bspi_gltf *gltf, const bspscene_section *section)
{
	if (section->kind == BSPSCENE_VISIBLE && section->fog == BSPSCENE_NO_INDEX) return NULL;
	json_t *facts = json_object();
	if (section->kind != BSPSCENE_VISIBLE) {
		bspi_gltf_set(gltf, facts, "include", json_string(bspi_include_word(section->kind)));
	}
	if (section->fog != BSPSCENE_NO_INDEX) set_integer(gltf, facts, "fog", section->fog);
	return facts;
}
