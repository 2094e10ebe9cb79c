/* drawn.c - see drawn.h. */
#include "writers/light/drawn.h"

#include <bspscene/material.h>

uint32_t bspi_page_of(const bspscene_scene *scene, const bspscene_section *section)
{
	bool has_page = section->lighting == BSPSCENE_LIGHTING_LIGHTMAP && scene->lightmap_set_count;
	return has_page ? section->lightmap_page : BSPSCENE_NO_INDEX;
}

bspi_look bspi_look_of(const bspi_writer *writer, const bspscene_section *section)
{
	bspi_look look = { section->material, section->lighting, BSPSCENE_NO_INDEX };
	switch (writer->options.lighting) {
	case BSPSCENE_WRITE_LIGHTING_NONE:
	case BSPSCENE_WRITE_LIGHTING_BAKED:
		look.lighting = BSPSCENE_LIGHTING_FULLBRIGHT;
		break;
	case BSPSCENE_WRITE_LIGHTING_VERTEX:
		look.lighting = BSPSCENE_LIGHTING_VERTEX;
		break;
	default: look.page = bspi_page_of(writer->scene, section);
	}
	return look;
}

bool bspi_is_emissive(const bspscene_material *material)
{
	return material->emissive_image != BSPSCENE_NO_INDEX || material->emissive[0] > 0 || material->emissive[1] > 0 ||
	       material->emissive[2] > 0;
}

bool bspi_is_blended(const bspscene_material *material)
{
	return material->alpha_mode > BSPSCENE_ALPHA_MODE_MASK ||
	       (material->alpha_mode == BSPSCENE_ALPHA_MODE_OPAQUE && material->color[3] < 1);
}

/* See drawn.h. Emissive materials are not written as unlit, because unlit materials have no emission. */
bool bspi_look_is_unlit(const bspi_writer *writer, const bspi_look *look)
{
	const bspscene_material *material = writer->scene->materials[look->material];
	switch (writer->options.lighting) {
	case BSPSCENE_WRITE_LIGHTING_NONE:
		return material->unlit || material->kind == BSPSCENE_MATERIAL_SKY;
	case BSPSCENE_WRITE_LIGHTING_VERTEX:
	case BSPSCENE_WRITE_LIGHTING_BAKED:
		return true;
	default:
		return look->page == BSPSCENE_NO_INDEX &&
		       !(look->lighting == BSPSCENE_LIGHTING_BLACK && bspi_is_emissive(material));
	}
}

bool bspi_mark_shown(bspi_writer *writer, bool **out)
{
	const bspscene_scene *scene = writer->scene;
	*out = bspi_writer_push(writer, bool, scene->mesh_count);
	BSPI_TRY(*out);
	for (uint32_t i = 0; i < scene->node_count; i++) {
		if (scene->nodes[i]->mesh != BSPSCENE_NO_INDEX) (*out)[scene->nodes[i]->mesh] = true;
	}
	return true;
}

bool bspi_is_triangle(const uint32_t *corners)
{
	return corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0];
}

uint32_t bspi_count_indices(const bspscene_mesh *mesh, const bspscene_section *section)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < section->index_count; i += 3) {
		if (bspi_is_triangle(mesh->indices + section->first_index + i)) count += 3;
	}
	return count;
}
