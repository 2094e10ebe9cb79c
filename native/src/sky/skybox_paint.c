/* skybox_paint.c - paints the 3D skybox over the sides of a sky cube. Opaque surfaces are drawn first, the nearest
 * first, with a depth buffer. Blended surfaces are drawn then, the farthest first. The color of a surface is texture
 * times light, as in pictures of the scene. Second textures, detail textures and shader stages are not drawn, because
 * the skybox is far away. */
#include <math.h>
#include <stdlib.h>

#include <bspscene/material.h>

#include "base/vec.h"
#include "sky/skybox_raster.h"

/* Surfaces that lie on other surfaces are moved toward the viewer by these distances in game units, as in pictures of
 * the scene. */
#define OFFSET_LIFT 0.2f
#define TRANSLUCENT_LIFT 0.02f

/* Sides that are not larger than this get four samples per pixel. */
#define LARGEST_SAMPLED 1024u

typedef struct instance {
	const bspscene_mesh *mesh;
	const bspscene_prop *prop;         /* prop of the node; NULL: the node has none */
	float transform[12];
	bspscene_light_sample light;
	bool has_light;                    /* the node has its own light, which is used instead of the mesh's */
} instance;

typedef struct triangle {
	float distance, sort;              /* squared distance from the eye; sort key of the material */
	uint32_t instance, section, first_index;
} triangle;

typedef struct painting {
	bspi_sky_source *source;
	bspi_skybox_raster raster;
	instance *instances; uint32_t instance_count;
	triangle *blended; uint32_t blended_count;
	float gain;                        /* factor by which vertex colors are multiplied */
} painting;

/* ---- Collecting ------------------------------------------------------------------------------------------- */

static bool is_painted(const bspscene_scene *scene, const bspscene_section *section)
{
	bspscene_material_kind kind = scene->materials[section->material]->kind;
	return section->surface_kind == BSPSCENE_SURFACE_VISIBLE && kind != BSPSCENE_MATERIAL_SKY &&
	       kind != BSPSCENE_MATERIAL_FLARE && kind != BSPSCENE_MATERIAL_FOG;
}

static bool is_covering(const bspscene_material *material)
{
	return material->alpha_mode == BSPSCENE_ALPHA_MODE_OPAQUE || material->alpha_mode == BSPSCENE_ALPHA_MODE_MASK;
}

static void add_instance(painting *p, uint32_t node)
{
	const bspscene_scene *scene = p->source->scene;
	instance *out = &p->instances[p->instance_count++];
	const bspscene_node *from = scene->nodes[node];
	out->mesh = scene->meshes[from->mesh];
	bspscene_node_world_transform(scene, node, out->transform);
	if (from->prop == BSPSCENE_NO_INDEX) return;
	out->prop = scene->props[from->prop];
	if (!out->mesh->colors || out->prop->colors) return;
	const float *m = out->transform, origin[3] = { m[3], m[7], m[11] };
	bool elsewhere = out->prop->flags & BSPSCENE_PROP_LIGHTING_ORIGIN;
	out->has_light = bspscene_sample_light(scene, elsewhere ? out->prop->lighting_origin : origin, &out->light);
}

static bool load_section(painting *p, const bspscene_section *section)
{
	const bspscene_scene *scene = p->source->scene;
	const bspscene_material *material = scene->materials[section->material];
	float time = p->source->view.time;
	return bspi_sky_load(p->source, bspi_base_image(scene, material, time)) &&
	       bspi_sky_load(p->source, bspi_glow_image(scene, material, time));
}

static bool find_instances(painting *p)
{
	const bspscene_scene *scene = p->source->scene;
	bspi_arena *arena = &p->source->arena;
	bool *inside = bspi_arena_alloc(arena, scene->node_count, sizeof *inside);
	p->instances = bspi_arena_alloc(arena, scene->node_count, sizeof *p->instances);
	if (!inside || !p->instances) return bspi_sky_fail(p->source);
	for (uint32_t i = 0; i < scene->node_count; i++) {
		const bspscene_node *node = scene->nodes[i];
		bool below = node->parent != BSPSCENE_NO_INDEX && inside[node->parent];
		inside[i] = node->kind == BSPSCENE_NODE_SKY || below;
		if (inside[i] && node->mesh != BSPSCENE_NO_INDEX && !node->hidden) add_instance(p, i);
	}
	return true;
}

static void place_corner(const painting *p, const instance *from, const bspscene_section *section, uint32_t vertex,
                         float out[3])
{
	const bspscene_material *material = p->source->scene->materials[section->material];
	float lift = material->polygon_offset ? OFFSET_LIFT : is_covering(material) ? 0 : TRANSLUCENT_LIFT, lifted[3];
	const float *position = from->mesh->positions + 3 * (size_t)vertex;
	const float *normal = from->mesh->normals + 3 * (size_t)vertex;
	for (int i = 0; i < 3; i++) lifted[i] = position[i] + normal[i] * lift;
	bspi_transform_point(out, from->transform, lifted);
	bspi_sub(out, out, p->source->view.origin);
}

static int compare_blended(const void *a, const void *b)
{
	const triangle *x = a, *y = b;
	if (x->sort != y->sort) return x->sort < y->sort ? -1 : 1;
	if (x->distance != y->distance) return x->distance > y->distance ? -1 : 1;
	if (x->instance != y->instance) return x->instance < y->instance ? -1 : 1;
	return x->first_index < y->first_index ? -1 : x->first_index > y->first_index;
}

/* Collects the blended triangles in the order in which they are drawn. If the array is not allocated yet, only counts
 * them. */
static void collect_blended(painting *p)
{
	const bspscene_scene *scene = p->source->scene;
	p->blended_count = 0;
	for (uint32_t i = 0; i < p->instance_count; i++) {
		const bspscene_mesh *mesh = p->instances[i].mesh;
		for (uint32_t s = 0; s < mesh->section_count; s++) {
			const bspscene_section *section = mesh->sections[s];
			const bspscene_material *material = scene->materials[section->material];
			if (!is_painted(scene, section) || is_covering(material)) continue;
			for (uint32_t t = 0; t < section->index_count; t += 3) {
				triangle item = { .sort = material->sort, .instance = i, .section = s,
				                  .first_index = section->first_index + t };
				for (int k = 0; p->blended && k < 3; k++) {
					float corner[3];
					uint32_t vertex = mesh->indices[item.first_index + (uint32_t)k];
					place_corner(p, &p->instances[i], section, vertex, corner);
					item.distance += bspi_dot(corner, corner);
				}
				if (p->blended) p->blended[p->blended_count] = item;
				p->blended_count++;
			}
		}
	}
}

static bool prepare(painting *p, uint32_t size)
{
	const bspscene_scene *scene = p->source->scene;
	BSPI_TRY(find_instances(p));
	for (uint32_t i = 0; i < p->instance_count; i++) {
		const bspscene_mesh *mesh = p->instances[i].mesh;
		for (uint32_t s = 0; s < mesh->section_count; s++) {
			if (is_painted(scene, mesh->sections[s])) BSPI_TRY(load_section(p, mesh->sections[s]));
		}
	}
	collect_blended(p);
	p->blended = bspi_arena_alloc(&p->source->arena, p->blended_count, sizeof *p->blended);
	if (!p->blended) return bspi_sky_fail(p->source);
	collect_blended(p);
	qsort(p->blended, p->blended_count, sizeof *p->blended, compare_blended);
	p->gain = scene->lightmap_set_count ? scene->lightmap_sets[0].intensity : 1;
	return bspi_raster_begin(&p->raster, p->source, size <= LARGEST_SAMPLED ? 2 * size : size);
}

/* ---- One triangle ----------------------------------------------------------------------------------------- */

static void vertex_light(const painting *p, const instance *from, uint32_t vertex, float out[4])
{
	const uint8_t *colors = from->prop && from->prop->colors ? from->prop->colors : from->mesh->colors;
	for (int i = 0; i < 4; i++) out[i] = colors ? (float)colors[4 * (size_t)vertex + (size_t)i] * (1 / 255.0f) : 1;
	for (int i = 0; i < 3; i++) out[i] *= p->gain;
	if (!from->has_light) return;
	const float *m = from->transform, *n = from->mesh->normals + 3 * (size_t)vertex;
	float normal[3];
	for (int i = 0; i < 3; i++) normal[i] = m[4 * i] * n[0] + m[4 * i + 1] * n[1] + m[4 * i + 2] * n[2];
	if (bspi_normalize(normal)) bspscene_shade_normal(&from->light, normal, out);
}

static bool is_turned_away(const bspscene_material *material, bspi_raster_corner *const corners)
{
	float ab[3], ac[3], normal[3];
	bspi_sub(ab, corners[1].position, corners[0].position);
	bspi_sub(ac, corners[2].position, corners[0].position);
	bspi_cross(normal, ab, ac);
	bool front = bspi_dot(normal, corners[0].position) < 0;
	return material->cull != BSPSCENE_CULL_NONE && front != (material->cull == BSPSCENE_CULL_BACK);
}

static bool paint_triangle(painting *p, int side, const instance *from, const bspscene_section *section,
                           uint32_t first_index)
{
	const bspscene_mesh *mesh = from->mesh;
	const bspscene_material *material = p->source->scene->materials[section->material];
	bspi_raster_corner corners[3] = { 0 };
	for (int k = 0; k < 3; k++) {
		uint32_t vertex = mesh->indices[first_index + (uint32_t)k];
		place_corner(p, from, section, vertex, corners[k].position);
		if (!bspi_is_position(corners[k].position)) return true;
	}
	if (is_turned_away(material, corners) || bspi_raster_misses(side, corners)) return true;
	for (int k = 0; k < 3; k++) {
		size_t vertex = mesh->indices[first_index + (uint32_t)k];
		float cosine = (float)cos(material->uv_rotation_radians), sine = (float)sin(material->uv_rotation_radians);
		float u = mesh->uvs[2 * vertex] * material->uv_scale[0], v = mesh->uvs[2 * vertex + 1] * material->uv_scale[1];
		corners[k].uv[0] = cosine * u - sine * v + material->uv_offset[0];
		corners[k].uv[1] = sine * u + cosine * v + material->uv_offset[1];
		if (mesh->lightmap_uvs) memcpy(corners[k].page_uv, mesh->lightmap_uvs + 2 * vertex, sizeof corners[k].page_uv);
		vertex_light(p, from, (uint32_t)vertex, corners[k].light);
	}
	return bspi_raster_triangle(&p->raster, side, section, corners);
}

static void paint_side(painting *p, int side)
{
	const bspscene_scene *scene = p->source->scene;
	for (uint32_t i = 0; i < p->instance_count; i++) {
		const instance *from = &p->instances[i];
		for (uint32_t s = 0; s < from->mesh->section_count; s++) {
			const bspscene_section *section = from->mesh->sections[s];
			if (!is_painted(scene, section) || !is_covering(scene->materials[section->material])) continue;
			for (uint32_t t = 0; t < section->index_count; t += 3) {
				if (!paint_triangle(p, side, from, section, section->first_index + t)) return;
			}
		}
	}
	for (uint32_t i = 0; i < p->blended_count; i++) {
		const triangle *t = &p->blended[i];
		const instance *from = &p->instances[t->instance];
		if (!paint_triangle(p, side, from, from->mesh->sections[t->section], t->first_index)) return;
	}
}

bool bspi_paint_skybox(bspi_sky_source *source, uint32_t size, uint8_t *rgb)
{
	painting p = { .source = source };
	BSPI_TRY(prepare(&p, size));
	for (int side = 0; side < BSPI_SKY_SIDES; side++) {
		uint8_t *picture = rgb + (size_t)side * size * size * 3;
		bspi_raster_start(&p.raster, picture, size);
		paint_side(&p, side);
		bspi_raster_finish(&p.raster, picture, size);
	}
	return true;
}
