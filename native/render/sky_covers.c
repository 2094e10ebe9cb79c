/* sky_covers.c - finds which parts of the sky an eye sees in fog volumes. */
#include "moment.h"

static void cover_section(const bspr_instance *instance, const bspscene_section *section, const float eye[3],
                          bspi_sky_cover *cover)
{
	for (uint32_t t = section->first_index; t < section->first_index + section->index_count; t += 3) {
		float points[3][3];
		for (uint32_t i = 0; i < 3; i++) {
			const float *position = instance->positions + (size_t)instance->mesh->indices[t + i] * 3;
			for (int k = 0; k < 3; k++) points[i][k] = position[k] - eye[k];
		}
		bspi_cover_triangle(points, cover);
	}
}

void bspr_cover_sky(const bspscene_scene *scene, const bspr_instance *instances, uint32_t instance_count,
                    const float eye[3], bspi_sky_cover *covers)
{
	for (uint32_t f = 0; f < scene->fog_count; f++) bspi_cover_nothing(&covers[f]);
	for (uint32_t i = 0; i < instance_count; i++) {
		const bspscene_mesh *mesh = instances[i].mesh;
		for (uint32_t k = 0; k < mesh->section_count; k++) {
			const bspscene_section *section = mesh->sections[k];
			bool sky = scene->materials[section->material]->kind == BSPSCENE_MATERIAL_SKY;
			if (!sky || section->fog == BSPSCENE_NO_INDEX) continue;
			cover_section(&instances[i], section, eye, &covers[section->fog]);
		}
	}
	for (uint32_t f = 0; f < scene->fog_count; f++) bspi_cover_squares(&covers[f]);
}
