/* bent_normal.c - computes the world normal given by a normal map. */
#include <math.h>
#include <string.h>

#include "shade/shine/shine.h"
#include "vector.h"

/* Computes the gradient of a texture coordinate on the triangle. */
static void find_gradient(const float edges[2][3], const float grows[2], float out[3])
{
	float aa = bspr_dot(edges[0], edges[0]), bb = bspr_dot(edges[1], edges[1]), ab = bspr_dot(edges[0], edges[1]);
	float over = aa * bb - ab * ab;
	float a = (grows[0] * bb - grows[1] * ab) / over, b = (grows[1] * aa - grows[0] * ab) / over;
	for (int i = 0; i < 3; i++) out[i] = over > 0 ? a * edges[0][i] + b * edges[1][i] : 0;
}

bool bspr_normalize(float v[3])
{
	float length = sqrtf(bspr_dot(v, v));
	for (int i = 0; i < 3 && length > 0; i++) v[i] /= length;
	return length > 0;
}

/* Computes tangent and bitangent like the engine: from the normal and the gradients of the texture coordinates. */
static bool find_axes(const bspr_surface *s, const float normal[3], float axes[2][3])
{
	float edges[2][3], grows[2][2], along[2][3], facing[3];
	const float *uvs = s->instance->mesh->uvs;
	for (int k = 0; k < 2; k++) {
		for (int i = 0; i < 3; i++) edges[k][i] = s->places[k + 1][i] - s->places[0][i];
		const float *to = uvs + 2 * (size_t)s->corners[k + 1], *from = uvs + 2 * (size_t)s->corners[0];
		for (int i = 0; i < 2; i++) grows[i][k] = to[i] - from[i];
	}
	for (int i = 0; i < 2; i++) find_gradient((const float (*)[3])edges, grows[i], along[i]);
	bspr_cross(along[0], along[1], facing);
	bspr_cross(normal, along[0], axes[1]);
	if (!bspr_normalize(axes[1])) return false;
	bspr_cross(axes[1], normal, axes[0]);
	for (int i = 0; i < 3 && bspr_dot(facing, normal) < 0; i++) axes[1][i] = -axes[1][i];
	return true;
}

void bspr_bend_normal(const bspr_surface *s, const float texel[4], float normal[3])
{
	float axes[2][3], bent[3];
	if (!find_axes(s, normal, axes)) return;
	for (int i = 0; i < 3; i++) {
		bent[i] = axes[0][i] * (2 * texel[0] - 1) + axes[1][i] * (2 * texel[1] - 1) + normal[i] * (2 * texel[2] - 1);
	}
	memcpy(normal, bent, sizeof bent);
}
