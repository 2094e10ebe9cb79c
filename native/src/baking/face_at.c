/* face_at.c - finds the face nearest to a point, with its luxel and its light. */
#include <assert.h>
#include <math.h>

#include <bspscene/bake.h>

#include "baking/light_at.h"
#include "base/caller_struct.h"
#include "base/page_luxels.h"
#include "base/vec.h"
#include "drawing/add_light.h"
#include "images/images.h"

/* A node with its mesh, and the requested point in the mesh's space. */
typedef struct shown {
	const bspscene_mesh *mesh;
	uint32_t node;
	float transform[12];               /* from the mesh's space to world space */
	float point[3];                    /* the requested point, in the mesh's space */
} shown;

/* Returns the barycentric coordinates of the point of a triangle nearest to p (Ericson 2005, Real-Time Collision
 * Detection, 5.1.5). */
static void closest_barycentric(const float a[3], const float b[3], const float c[3], const float p[3], float out[3])
{
	float ab[3], ac[3], ap[3], bp[3], cp[3];
	bspi_sub(ab, b, a);
	bspi_sub(ac, c, a);
	bspi_sub(ap, p, a);
	bspi_sub(bp, p, b);
	bspi_sub(cp, p, c);
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

/* Interpolates a vertex array at the point that was found. */
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

/* Stores the nearest point of a face in `out` if it is nearer than out->distance. */
static void search_face(const shown *s, uint32_t number, const bspscene_face *face, const float point[3],
                        bspscene_surface_point *out)
{
	for (uint32_t i = 0; i < face->index_count; i += 3) {
		bspscene_surface_point at = { .face = number, .node = s->node, .triangle = (face->first_index + i) / 3 };
		const uint32_t *corners = s->mesh->indices + face->first_index + i;
		const float *a = s->mesh->positions + 3 * (size_t)corners[0], *b = s->mesh->positions + 3 * (size_t)corners[1];
		const float *c = s->mesh->positions + 3 * (size_t)corners[2];
		float place[3];
		closest_barycentric(a, b, c, s->point, at.barycentric);
		interpolate(s->mesh, &at, s->mesh->positions, 3, place);
		bspi_transform_point(at.position, s->transform, place);
		at.distance = sqrtf(bspi_distance_squared(at.position, point));
		if (at.distance < out->distance) *out = at;
	}
}

/* Transforms a point by the inverse of a node's transform. It has no shear, so the inverse is the transposed rotation,
 * divided by the squared scale of each axis. */
static void to_mesh_space(const float transform[12], const float point[3], float out[3])
{
	for (int column = 0; column < 3; column++) {
		float squared = 0, dot = 0;
		for (int row = 0; row < 3; row++) {
			float value = transform[4 * row + column];
			squared += value * value;
			dot += value * (point[row] - transform[4 * row + 3]);
		}
		out[column] = squared > 0 ? dot / squared : 0;
	}
}

/* ---- Light ------------------------------------------------------------------------------------------------ */

/* Returns a channel of a luxel as the page stores it: 0..1 or, in an HDR page, linear light. The page must not have the
 * format RAW32. */
static float luxel_of(const bspscene_lightmap_page *page, uint32_t x, uint32_t y, uint32_t channel)
{
	uint8_t gray[3];
	const void *luxel = bspi_luxel_at(page, x, y, gray);
	if (page->format == BSPSCENE_LIGHTMAP_PAGE_RGB16F) return bspi_half_to_float(((const uint16_t *)luxel)[channel]);
	return (float)((const uint8_t *)luxel)[channel] / 255;
}

/* Adds the light of all styles at the luxel of `at`: display values, or linear light if the page stores that. */
static void add_luxel(const bspscene_scene *scene, const bspscene_surface_point *at, float out[3])
{
	const bool linear = scene->linear_luxels;
	bool halves = false;
	float styles[256];
	bspscene_start_styles(scene, styles);
	out[0] = out[1] = out[2] = 0;
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
		const bspscene_lightmap_page *page = &set->pages[at->lightmap_page];
		bool is_raw = page->format == BSPSCENE_LIGHTMAP_PAGE_RAW32;
		if (set->kind != BSPSCENE_LIGHTMAP_SET_LIGHT || !bspi_page_has_light(page) || is_raw) continue;
		float style = scene->added_styles ? 1 : styles[set->style & 0xff];
		float factor = bspi_style_factor(linear, set->intensity, style);
		halves = page->format == BSPSCENE_LIGHTMAP_PAGE_RGB16F;
		for (uint32_t k = 0; k < 3; k++) {
			float light = luxel_of(page, at->luxel_x, at->luxel_y, k);
			if (halves != linear) light = halves ? bspi_page_display(light) : bspi_page_linear(light);
			out[k] += factor * light;
		}
	}
	for (int k = 0; k < 3; k++) {
		if (linear) out[k] = bspi_page_display(out[k]);
		if (scene->light_clamp > 0) out[k] = fminf(out[k], scene->light_clamp);
		if (halves) out[k] = bspi_page_linear(out[k]);
	}
}

static void find_light(const bspscene_scene *scene, const bspscene_mesh *mesh, const bspscene_section *section,
                       bspscene_surface_point *out)
{
	const bspi_light_rule rule = bspi_light_rule_of(scene, mesh, section);
	out->lightmap_page = section->lightmap_page;
	if (section->lightmap_page != BSPSCENE_NO_INDEX && mesh->lightmap_uvs && scene->lightmap_set_count) {
		const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[section->lightmap_page];
		float uv[2];
		interpolate(mesh, out, mesh->lightmap_uvs, 2, uv);
		out->luxel_x = (uint32_t)fminf(fmaxf(uv[0] * (float)page->width, 0), (float)(page->width - 1));
		out->luxel_y = (uint32_t)fminf(fmaxf(uv[1] * (float)page->height, 0), (float)(page->height - 1));
	}
	for (int k = 0; k < 3; k++) out->light[k] = rule.black ? 0 : 1;
	if (rule.page != BSPSCENE_NO_INDEX) add_luxel(scene, out, out->light);
	if (section->lighting == BSPSCENE_LIGHTING_VERTEX && mesh->baked_light) {
		interpolate(mesh, out, mesh->baked_light, 3, out->light);
	} else if (rule.colors) {
		for (uint32_t k = 0; k < 3; k++) {
			float color = 0;
			for (uint32_t i = 0; i < 3; i++) {
				size_t vertex = mesh->indices[3 * (size_t)out->triangle + i];
				color += out->barycentric[i] * (float)mesh->colors[4 * vertex + k] / 255;
			}
			out->light[k] *= color * rule.color_intensity;
		}
	}
}

/* ---- Search ----------------------------------------------------------------------------------------------- */

/* Fills in what the face, the triangle and the barycentric weights determine: uv, normal, luxel and light. */
static void complete(const bspscene_scene *scene, bspscene_surface_point *out)
{
	const bspscene_face *face = &scene->faces[out->face];
	const bspscene_mesh *mesh = scene->meshes[face->mesh];
	float transform[12], normal[3];
	bspscene_node_world_transform(scene, out->node, transform);
	interpolate(mesh, out, mesh->normals, 3, normal);
	for (int row = 0; row < 3; row++) out->normal[row] = bspi_dot(transform + 4 * row, normal);
	bspi_normalize(out->normal);
	if (mesh->uvs) interpolate(mesh, out, mesh->uvs, 2, out->uv);
	find_light(scene, mesh, mesh->sections[face->section], out);
}

static void search_node(const bspscene_scene *scene, uint32_t node, const float point[3], bspscene_surface_point *out)
{
	shown s = { .mesh = scene->meshes[scene->nodes[node]->mesh], .node = node };
	bspscene_node_world_transform(scene, node, s.transform);
	to_mesh_space(s.transform, point, s.point);
	for (uint32_t i = 0; i < s.mesh->section_count; i++) {
		const bspscene_section *section = s.mesh->sections[i];
		if (section->surface_kind != BSPSCENE_SURFACE_VISIBLE) continue;
		for (uint32_t k = 0; k < section->face_count; k++) {
			uint32_t number = section->first_face + k;
			search_face(&s, number, &scene->faces[number], point, out);
		}
	}
}

bool bspscene_face_at(const bspscene_scene *scene, const float point[3], float radius, bspscene_surface_point *out)
{
	assert(scene && point && out && radius >= 0);
	/* A point exactly at the radius counts. */
	bspscene_surface_point found = { .face = BSPSCENE_NO_INDEX, .distance = nextafterf(radius, INFINITY) };
	for (uint32_t i = 0; i < scene->node_count; i++) {
		const bspscene_node *node = scene->nodes[i];
		if (node->mesh != BSPSCENE_NO_INDEX && !node->hidden) search_node(scene, i, point, &found);
	}
	bool is_found = found.face != BSPSCENE_NO_INDEX;
	if (is_found) complete(scene, &found);
	else found = (bspscene_surface_point){ .face = BSPSCENE_NO_INDEX, .lightmap_page = BSPSCENE_NO_INDEX };
	bspi_give_struct(out, &found, sizeof found);
	return is_found;
}
