/* fallback_shading.c - shades surfaces whose textures are missing, in maps without light. Without shading,
 * neighboring surfaces would have the same color and could not be told apart. So they get vertex colors, as if a soft
 * light shone on them: the color depends on the direction that a surface faces. */
#include "stages/stages.h"

#include <math.h>
#include <string.h>

#include <bspscene/image.h>
#include <bspscene/material.h>

#include "base/soft_light.h"
#include "images/display.h"

static bool is_flat(const bspscene_scene *scene, const bspscene_section *section)
{
	const bspscene_material *material = scene->materials[section->material];
	bool shown = section->surface_kind == BSPSCENE_SURFACE_VISIBLE && !material->unlit;
	if (!shown || material->base_image >= scene->image_count) return false;
	const bspscene_image *image = scene->images[material->base_image];
	return image->format == BSPSCENE_IMAGE_MISSING && !image->is_checkerboard;
}

/* Returns the mesh's vertex colors, which may be changed. If it has none, white ones are added. NULL if memory is
 * out. */
static uint8_t *open_colors(bspi_build *build, bspscene_mesh *mesh)
{
	if (mesh->colors) return (uint8_t *)mesh->colors;
	uint8_t *colors = bspi_push_unset(build->ctx, &build->ctx->result, mesh->vertex_count, 4);
	if (colors) memset(colors, 255, 4 * (size_t)mesh->vertex_count);
	mesh->colors = colors;
	return colors;
}

static bool shade_section(bspi_build *build, bspscene_mesh *mesh, bspscene_section *section)
{
	const float gain = 255 / bspi_color_intensity(build->scene);
	uint8_t *colors = open_colors(build, mesh);
	BSPI_TRY(colors);
	for (uint32_t i = 0; i < section->vertex_count; i++) {
		size_t vertex = (size_t)section->first_vertex + i;
		float light = fminf(bspi_soft_light(mesh->normals + 3 * vertex) * gain, 255);
		memset(colors + 4 * vertex, (int)(fmaxf(light, 0) + 0.5f), 3);
	}
	section->lighting = BSPSCENE_LIGHTING_VERTEX;
	return true;
}

bool bspi_shade_fallbacks(bspi_build *build)
{
	const bspscene_scene *scene = build->scene;
	for (uint32_t i = 0; i < scene->mesh_count && scene->is_full_bright; i++) {
		bspscene_mesh *mesh = (bspscene_mesh *)scene->meshes[i];
		for (uint32_t s = 0; s < mesh->section_count; s++) {
			bspscene_section *section = (bspscene_section *)mesh->sections[s];
			if (is_flat(scene, section)) BSPI_TRY(shade_section(build, mesh, section));
		}
	}
	return true;
}
