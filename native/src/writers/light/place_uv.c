/* place_uv.c - see place_uv.h. */
#include "writers/light/place_uv.h"

#include <math.h>
#include <string.h>

#include <bspscene/material.h>

void bspi_place_uv(const bspscene_material *material, const float uv[2], float out[2])
{
	float cosine = (float)cos(material->uv_rotation_radians), sine = (float)sin(material->uv_rotation_radians);
	float u = uv[0] * material->uv_scale[0], v = uv[1] * material->uv_scale[1];
	out[0] = cosine * u - sine * v + material->uv_offset[0];
	out[1] = sine * u + cosine * v + material->uv_offset[1];
	if (!isfinite(out[0]) || !isfinite(out[1])) out[0] = out[1] = 0;
}

/* True if the base image is drawn only by passes that show it as a mirror of the surroundings. */
static bool is_mirror(const bspscene_scene *scene, const bspscene_material *material)
{
	bool found = false;
	for (uint32_t i = 0; i < material->pass_count; i++) {
		const bspscene_material_pass *pass = scene->material_passes[material->first_pass + i];
		if (pass->input != BSPSCENE_PASS_INPUT_IMAGE || !pass->frame_image_count) continue;
		if (scene->frame_images[pass->first_frame_image] != material->base_image) continue;
		if (pass->tc_gen != BSPSCENE_TC_GEN_ENVIRONMENT) return false;
		found = true;
	}
	return found;
}

void bspi_base_uv(const bspscene_scene *scene, const bspscene_mesh *mesh, const bspscene_material *material,
                  uint32_t vertex, float out[2])
{
	/* The map's own meshes keep their coordinates, because all vertices of a flat wall would mirror the same point. */
	if (mesh->model != BSPSCENE_NO_INDEX || !is_mirror(scene, material)) {
		memcpy(out, mesh->uvs + 2 * (size_t)vertex, 2 * sizeof *out);
		return;
	}
	const float *normal = mesh->normals + 3 * (size_t)vertex;
	out[0] = 0.5f + 0.5f * normal[1];
	out[1] = 0.5f - 0.5f * normal[2];
}

void bspi_placed_base_uv(const bspscene_scene *scene, const bspscene_mesh *mesh, const bspscene_material *material,
                         uint32_t vertex, float out[2])
{
	float uv[2];
	bspi_base_uv(scene, mesh, material, vertex, uv);
	bspi_place_uv(material, uv, out);
}
