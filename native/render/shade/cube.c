/* cube.c - samples cube maps for material passes, along the line of sight or its reflection. Follows QFusion's
 * defaultQ3AShader. */
#include "shade/shade.h"
#include "vector.h"

#include <math.h>

/* Computes the direction in which a pass samples its cube map. It is the direction from the eye to the point with these
 * barycentric weights, or the direction in which the surface reflects it. */
static void line_of_sight(const bspr_shading *shading, const bspscene_material_pass *stage, const bspr_surface *s,
                          const float weights[3], float out[3])
{
	const float *turn = s->instance->transform;
	float normal[3] = { 0, 0, 0 };
	for (int i = 0; i < 3; i++) out[i] = -shading->view->origin[i];
	for (int k = 0; k < 3; k++) {
		float position[3];
		bspr_vertex_position(s->instance, s->corners[k], position);
		const float *corner_normal = s->instance->mesh->normals + s->corners[k] * 3;
		for (int i = 0; i < 3; i++) {
			out[i] += position[i] * weights[k];
			normal[i] += bspr_dot(turn + 4 * i, corner_normal) * weights[k];
		}
	}
	if (stage->tc_gen != BSPSCENE_TC_GEN_REFLECTION) return;
	float square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
	float along = out[0] * normal[0] + out[1] * normal[1] + out[2] * normal[2];
	for (int i = 0; i < 3; i++) out[i] -= 2 * along / fmaxf(square, 1e-12f) * normal[i];
}

void bspr_cube_value(const bspr_shading *shading, const bspscene_material_pass *stage, const bspr_surface *s,
                     float out[4])
{
	bspi_ray ray;
	float right[3], down[3];
	for (int k = 0; k < 3; k++) {
		right[k] = s->weights[k] + s->weights_dx[k];
		down[k] = s->weights[k] + s->weights_dy[k];
	}
	line_of_sight(shading, stage, s, s->weights, ray.direction);
	line_of_sight(shading, stage, s, right, ray.dx);
	line_of_sight(shading, stage, s, down, ray.dy);
	for (int i = 0; i < 3; i++) {
		ray.dx[i] -= ray.direction[i];
		ray.dy[i] -= ray.direction[i];
	}
	bspi_sample_box(shading->renderer->textures, shading->renderer->scene->frame_images + stage->first_frame_image,
	                &ray, out);
}
