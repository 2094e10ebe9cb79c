/* light_models.c - light where models stand -> colours of their meshes. A mesh is shared by all its nodes, so it gets
 * the mean of the light on them; who draws nodes one by one asks bspscene_light_at for each. */
#include "stages/models/models.h"

#include "base/vec.h"
#include "images/display.h"
#include "stages/light/point_light.h"

/* Light from six sides of a mesh, in its own space. */
typedef struct mesh_light {
	float sides[6][3];
	uint32_t count;
	uint32_t *stored, stored_count;    /* sums of what the map has for nodes, three for each vertex */
} mesh_light;

static void add_node(const bspscene_scene *scene, const bspi_floors *floors, uint32_t number, mesh_light *out)
{
	const bspscene_node *node = scene->nodes[number];
	const bspscene_prop *prop = scene->props[node->prop];
	bspscene_point_light light;
	float world[12];
	bspscene_node_world_transform(scene, number, world);
	const float origin[3] = { world[3], world[7], world[11] };
	bool elsewhere = prop->flags & BSPSCENE_PROP_LIGHTING_ORIGIN;
	if (!bspi_light_at_point(scene, floors, elsewhere ? prop->lighting_origin : origin, &light)) return;
	for (int side = 0; side < 6; side++) {
		float normal[3], on[3], sign = side % 2 ? -1.0f : 1.0f;
		for (int i = 0; i < 3; i++) normal[i] = world[4 * i + side / 2] * sign;
		if (!bspi_normalize(normal)) return;
		bspi_light_on_normal(&light, normal, on);
		for (int i = 0; i < 3; i++) out->sides[side][i] += on[i];
	}
	out->count++;
}

static bool add_stored(bspi_build *build, const uint8_t *colors, uint32_t vertex_count, mesh_light *out)
{
	if (!out->stored) out->stored = bspi_push(build->ctx, &build->ctx->stage, uint32_t, 3 * (size_t)vertex_count);
	BSPI_TRY(out->stored);
	for (size_t i = 0; i < 3 * (size_t)vertex_count; i++) out->stored[i] += colors[i / 3 * 4 + i % 3];
	out->stored_count++;
	return true;
}

static uint8_t byte_of(float value)
{
	return (uint8_t)(fminf(fmaxf(value, 0), 1) * 255 + 0.5f);
}

static bool color_mesh(bspi_build *build, const mesh_light *light, bspscene_mesh *mesh)
{
	float gain = 1 / (bspi_color_intensity(build->scene) * fmaxf((float)light->count, 1));
	uint8_t *colors = bspi_push_unset(build->ctx, &build->ctx->result, mesh->vertex_count, 4);
	BSPI_TRY(colors);
	for (size_t i = 0; i < mesh->vertex_count; i++) {
		const float *normal = mesh->normals + 3 * i;
		for (size_t k = 0; k < 3 && light->stored; k++) {
			colors[4 * i + k] = (uint8_t)(light->stored[3 * i + k] / light->stored_count);
		}
		for (size_t k = 0; k < 3 && !light->stored; k++) {
			float value = 0;
			for (size_t axis = 0; axis < 3; axis++) {
				value += light->sides[2 * axis + (normal[axis] < 0)][k] * normal[axis] * normal[axis];
			}
			colors[4 * i + k] = byte_of(value * gain);
		}
		colors[4 * i + 3] = 255;
	}
	mesh->colors = colors;
	for (uint32_t i = 0; i < mesh->section_count; i++) {
		bspscene_section *section = (bspscene_section *)mesh->sections[i];
		bool unlit = build->scene->materials[section->material]->unlit;
		if (!unlit) section->lighting = BSPSCENE_LIGHTING_VERTEX;
	}
	return true;
}

bool bspi_light_models(bspi_build *build)
{
	bspscene_scene *scene = build->scene;
	const struct bspi_models *models = build->models;
	if (!models || !models->mesh_count || build->ctx->options.lightmap_encoding == BSPSCENE_LIGHTMAP_NONE) return true;
	bool by_floor = !scene->light_grid->counts[0] && !scene->ambient_count;
	mesh_light *lights = bspi_push(build->ctx, &build->ctx->stage, mesh_light, models->mesh_count);
	BSPI_TRY(lights);
	for (uint32_t i = 0; i < scene->node_count; i++) {
		const bspscene_node *node = scene->nodes[i];
		if (node->prop == BSPSCENE_NO_INDEX || node->mesh == BSPSCENE_NO_INDEX) continue;
		const uint8_t *stored = scene->props[node->prop]->colors;
		const bspscene_mesh *mesh = scene->meshes[node->mesh];
		mesh_light *light = &lights[node->mesh - models->drawn_meshes];
		if (mesh->colors) continue; /* its own, which all its nodes have */
		if (stored) {
			BSPI_TRY(add_stored(build, stored, mesh->vertex_count, light));
			continue;
		}
		if (by_floor && !bspi_may_search_floor(build)) break;
		if (i % 64 == 0) BSPI_TRY(bspi_progress(build->ctx, "geometry", i, scene->node_count));
		add_node(scene, &models->floors, i, light);
	}
	for (uint32_t i = 0; i < models->mesh_count; i++) {
		bool lit = lights[i].count || lights[i].stored_count;
		bspscene_mesh *mesh = (bspscene_mesh *)scene->meshes[models->drawn_meshes + i];
		if (lit) BSPI_TRY(color_mesh(build, &lights[i], mesh));
	}
	return true;
}
