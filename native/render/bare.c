/* bare.c - finds maps with neither light nor textures, which are drawn in one color and shaded by their normals. */
#include <string.h>

#include "shade/shade.h"

static bool is_picture(const bspscene_scene *scene, uint32_t image)
{
	return image < scene->image_count && scene->images[image]->format != BSPSCENE_IMAGE_MISSING;
}

static bool is_textured(const bspscene_scene *scene, const bspscene_material *m)
{
	if (is_picture(scene, m->base_image) || is_picture(scene, m->second_image)) return true;
	for (uint32_t i = 0; i < m->pass_count; i++) {
		const bspscene_material_pass *stage = scene->material_passes[m->first_pass + i];
		for (uint32_t k = 0; k < stage->frame_image_count; k++) {
			if (is_picture(scene, scene->frame_images[stage->first_frame_image + k])) return true;
		}
	}
	return false;
}

/* True if the vertex colors of a section are light. White colors are not, because compilers store white where there is
 * no light. In a fullbright map, they are not either: the loader computed them to shade fallback colors. */
static bool is_lit_by_colors(const bspscene_scene *scene, const bspr_instance *instance,
                             const bspscene_section *section)
{
	const uint8_t *colors = instance->colors ? instance->colors : instance->mesh->colors;
	if (scene->is_full_bright || section->lighting != BSPSCENE_LIGHTING_VERTEX || !colors) return false;
	for (uint32_t v = section->first_vertex; v < section->first_vertex + section->vertex_count; v++) {
		if (memcmp(colors + 4 * (size_t)v, "\377\377\377", 3) != 0) return true;
	}
	return false;
}

static bool shows_something(const bspscene_scene *scene, const bspr_instance *instance,
                            const bspscene_section *section)
{
	const bspscene_material *m = scene->materials[section->material];
	if (section->surface_kind != BSPSCENE_SURFACE_VISIBLE || m->kind == BSPSCENE_MATERIAL_SKY) return false;
	bool in_pages = section->lighting == BSPSCENE_LIGHTING_LIGHTMAP && section->lightmap_page != BSPSCENE_NO_INDEX;
	return in_pages || section->lighting == BSPSCENE_LIGHTING_BLACK || instance->light ||
	       is_lit_by_colors(scene, instance, section) || is_textured(scene, m);
}

bool bspr_is_bare(const bspscene_renderer *r)
{
	for (uint32_t i = 0; i < r->instance_count; i++) {
		const bspr_instance *instance = &r->instances[i];
		for (uint32_t k = 0; k < instance->mesh->section_count; k++) {
			if (shows_something(r->scene, instance, instance->mesh->sections[k])) return false;
		}
	}
	return r->instance_count > 0;
}

bool bspscene_renderer_is_bare(const bspscene_renderer *r)
{
	return r->bare;
}
