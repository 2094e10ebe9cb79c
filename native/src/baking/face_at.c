/* face_at.c - The face nearest to a point, with its luxel and its light. */
#include <assert.h>
#include <math.h>

#include <bspscene/binding.h>

#include "base/caller_struct.h"
#include "base/vec.h"

typedef struct search {
	const bspscene_scene *scene;
	float point[3];                    /* in the space of the mesh */
	float best;                        /* distance squared in the space of the mesh */
	bspscene_surface_point out;
	uint32_t section;                  /* of the face that was found */
} search;

/* Barycentric coordinates of the point of a triangle that is nearest to p (Ericson 2005, Real-Time Collision Detection,
 * 5.1.5). */
static void closest_barycentric(const float a[3], const float b[3], const float c[3], const float p[3], float out[3])
{
	float ab[3], ac[3], ap[3], bp[3], cp[3];
	for (int i = 0; i < 3; i++) {
		ab[i] = b[i] - a[i], ac[i] = c[i] - a[i];
		ap[i] = p[i] - a[i], bp[i] = p[i] - b[i], cp[i] = p[i] - c[i];
	}
	float d1 = bspi_dot(ab, ap), d2 = bspi_dot(ac, ap), d3 = bspi_dot(ab, bp), d4 = bspi_dot(ac, bp);
	float d5 = bspi_dot(ab, cp), d6 = bspi_dot(ac, cp);
	float v = 0, w = 0;
	float va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
	if (d1 <= 0 && d2 <= 0) {
		v = 0;
	} else if (d3 >= 0 && d4 <= d3) {
		v = 1;
	} else if (d6 >= 0 && d5 <= d6) {
		w = 1;
	} else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
		v = d1 - d3 > 0 ? d1 / (d1 - d3) : 0;
	} else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
		w = d2 - d6 > 0 ? d2 / (d2 - d6) : 0;
	} else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
		w = d4 - d3 + d5 - d6 > 0 ? (d4 - d3) / (d4 - d3 + d5 - d6) : 0;
		v = 1 - w;
	} else if (va + vb + vc > 0) {
		v = vb / (va + vb + vc);
		w = vc / (va + vb + vc);
	}
	out[0] = 1 - v - w, out[1] = v, out[2] = w;
}

/* A value of a vertex array, interpolated at the point that was found. */
static void interpolate(const bspscene_mesh *mesh, const bspscene_surface_point *at, const float *values,
                        uint32_t width, float *out)
{
	for (uint32_t k = 0; k < width; k++) {
		out[k] = 0;
		for (uint32_t i = 0; i < 3; i++) {
			out[k] += at->barycentric[i] * values[width * (size_t)mesh->indices[3 * (size_t)at->triangle + i] + k];
		}
	}
}

static void search_face(search *s, uint32_t node, uint32_t number)
{
	const bspscene_face *face = &s->scene->faces[number];
	const bspscene_mesh *mesh = s->scene->meshes[face->mesh];
	for (uint32_t i = 0; i < face->index_count; i += 3) {
		const uint32_t *corners = mesh->indices + face->first_index + i;
		const float *a = mesh->positions + 3 * (size_t)corners[0], *b = mesh->positions + 3 * (size_t)corners[1];
		const float *c = mesh->positions + 3 * (size_t)corners[2];
		float weights[3], distance = 0;
		closest_barycentric(a, b, c, s->point, weights);
		for (int k = 0; k < 3; k++) {
			float offset = weights[0] * a[k] + weights[1] * b[k] + weights[2] * c[k] - s->point[k];
			distance += offset * offset;
		}
		if (!(distance < s->best)) continue;
		s->best = distance;
		s->out.face = number;
		s->out.node = node;
		s->out.triangle = (face->first_index + i) / 3;
		memcpy(s->out.barycentric, weights, sizeof weights);
		s->section = face->section;
	}
}

/* The inverse of a node's transform without shear: turned back, and divided by the squared scale of each axis. */
static void to_mesh_space(const float transform[12], const float point[3], float out[3], float *scale)
{
	*scale = 0;
	for (int column = 0; column < 3; column++) {
		float length = 0, dot = 0;
		for (int row = 0; row < 3; row++) {
			float value = transform[4 * row + column];
			length += value * value;
			dot += value * (point[row] - transform[4 * row + 3]);
		}
		out[column] = length > 0 ? dot / length : 0;
		*scale = fmaxf(*scale, length);
	}
	*scale = sqrtf(*scale);
}

static void light_of_page(const bspscene_scene *scene, const bspscene_surface_point *at, float out[3])
{
	float styles[256];
	for (int i = 0; i < 256; i++) styles[i] = 1;
	for (uint32_t i = 0; i < scene->light_style_count; i++) {
		styles[scene->light_styles[i]->style & 0xff] = scene->light_styles[i]->start;
	}
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
		const bspscene_lightmap_page *page = &set->pages[at->lightmap_page];
		if (set->kind != BSPSCENE_LIGHTMAP_SET_LIGHT || !page->data) continue;
		float factor = set->intensity * (scene->added_styles ? 1 : styles[set->style & 0xff]);
		size_t luxel = 3 * ((size_t)at->luxel_y * page->width + at->luxel_x);
		for (int k = 0; k < 3; k++) {
			if (page->format == BSPSCENE_LIGHTMAP_PAGE_RGB8) {
				out[k] += factor * (float)((const uint8_t *)page->data)[luxel + (size_t)k] / 255;
			} else if (page->format == BSPSCENE_LIGHTMAP_PAGE_RGB16F) {
				uint16_t half;
				float value;
				memcpy(&half, (const uint8_t *)page->data + 2 * (luxel + (size_t)k), sizeof half);
				bspscene_halves_to_floats(&half, 1, &value);
				out[k] += factor * value;
			}
		}
	}
	for (int k = 0; k < 3 && scene->light_clamp > 0; k++) out[k] = fminf(out[k], scene->light_clamp);
}

static void find_light(const bspscene_scene *scene, const bspscene_mesh *mesh, const bspscene_section *section,
                       bspscene_surface_point *out)
{
	out->lightmap_page = section->lightmap_page;
	if (section->lightmap_page != BSPSCENE_NO_INDEX && mesh->lightmap_uvs && scene->lightmap_set_count) {
		const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[section->lightmap_page];
		float uv[2];
		interpolate(mesh, out, mesh->lightmap_uvs, 2, uv);
		out->luxel_x = (uint32_t)fminf(fmaxf(uv[0] * (float)page->width, 0), (float)(page->width - 1));
		out->luxel_y = (uint32_t)fminf(fmaxf(uv[1] * (float)page->height, 0), (float)(page->height - 1));
	}
	if (section->lighting == BSPSCENE_LIGHTING_LIGHTMAP && out->lightmap_page != BSPSCENE_NO_INDEX) {
		light_of_page(scene, out, out->light);
		return;
	}
	for (int k = 0; k < 3; k++) out->light[k] = section->lighting == BSPSCENE_LIGHTING_BLACK ? 0 : 1;
	if (section->lighting != BSPSCENE_LIGHTING_VERTEX) return;
	if (mesh->baked_light) {
		interpolate(mesh, out, mesh->baked_light, 3, out->light);
	} else if (mesh->colors) {
		for (int k = 0; k < 3; k++) {
			out->light[k] = 0;
			for (uint32_t i = 0; i < 3; i++) {
				size_t vertex = mesh->indices[3 * (size_t)out->triangle + i];
				out->light[k] += out->barycentric[i] * (float)mesh->colors[4 * vertex + (size_t)k] / 255;
			}
		}
	}
}

/* Fills in what follows from the triangle and the weights. */
static void complete(const search *s, const float point[3], bspscene_surface_point *out)
{
	const bspscene_mesh *mesh = s->scene->meshes[s->scene->faces[out->face].mesh];
	float transform[12], position[3], normal[3], length = 0, distance = 0;
	bspscene_node_world_transform(s->scene, out->node, transform);
	interpolate(mesh, out, mesh->positions, 3, position);
	interpolate(mesh, out, mesh->normals, 3, normal);
	if (mesh->uvs) interpolate(mesh, out, mesh->uvs, 2, out->uv);
	for (int row = 0; row < 3; row++) {
		out->position[row] = bspi_dot(transform + 4 * row, position) + transform[4 * row + 3];
		out->normal[row] = bspi_dot(transform + 4 * row, normal);
		length += out->normal[row] * out->normal[row];
		distance += (out->position[row] - point[row]) * (out->position[row] - point[row]);
	}
	for (int k = 0; k < 3 && length > 0; k++) out->normal[k] /= sqrtf(length);
	out->distance = sqrtf(distance);
	find_light(s->scene, mesh, mesh->sections[s->section], out);
}

bool bspscene_face_at(const bspscene_scene *scene, const float point[3], float radius, bspscene_surface_point *out)
{
	assert(scene && point && out && radius >= 0);
	bspscene_surface_point found = { .face = BSPSCENE_NO_INDEX };
	float nearest = radius;
	for (uint32_t i = 0; i < scene->face_count; i++) {
		const bspscene_face *face = &scene->faces[i];
		const bspscene_mesh *mesh = scene->meshes[face->mesh];
		if (mesh->sections[face->section]->surface_kind != BSPSCENE_SURFACE_VISIBLE) continue;
		for (uint32_t node = bspscene_next_node_with_mesh(scene, face->mesh, BSPSCENE_NO_INDEX);
		     node != BSPSCENE_NO_INDEX; node = bspscene_next_node_with_mesh(scene, face->mesh, node)) {
			if (scene->nodes[node]->hidden) continue;
			float transform[12], scale;
			search s = { .scene = scene, .out = { .face = BSPSCENE_NO_INDEX, .lightmap_page = BSPSCENE_NO_INDEX } };
			bspscene_node_world_transform(scene, node, transform);
			to_mesh_space(transform, point, s.point, &scale);
			s.best = scale > 0 ? (nearest / scale) * (nearest / scale) * 1.0001f + 1e-12f : 0;
			search_face(&s, node, i);
			if (s.out.face == BSPSCENE_NO_INDEX) continue;
			complete(&s, point, &s.out);
			if (s.out.distance > nearest) continue;
			nearest = s.out.distance;
			found = s.out;
		}
	}
	bspi_give_struct(out, &found, sizeof found);
	return found.face != BSPSCENE_NO_INDEX;
}
