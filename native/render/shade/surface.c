/* surface.c - see surface.h. */
#include "shade/surface.h"

#include <math.h>
#include <string.h>

#include "drawing/normal_light.h"
#include "vector.h"

void bspr_interpolate(const float *values, uint32_t size, const bspr_surface *s, float *out)
{
	for (uint32_t i = 0; i < size; i++) {
		out[i] = 0;
		for (int k = 0; k < 3; k++) out[i] += values[s->corners[k] * size + i] * s->weights[k];
	}
}

/* ---- Light -------------------------------------------------------------------------------------------------- */

/* Returns the colors of the triangle's corners. */
static void corner_colors(const bspr_surface *s, uint8_t (*out)[4])
{
	const uint8_t *colors = s->instance->colors ? s->instance->colors : s->instance->mesh->colors;
	for (int k = 0; k < 3; k++) {
		if (s->instance->light) bspr_light_vertex(s->instance, s->corners[k], out[k]);
		else if (colors) memcpy(out[k], colors + (size_t)s->corners[k] * 4, 4);
		else memset(out[k], 255, 4);
	}
}

void bspr_vertex_colors(const bspr_surface *s, uint32_t count, float (*out)[4])
{
	uint8_t corners[3][4];
	for (uint32_t at = 0; at < count; at++) {
		if (!at || s[at].facet != s[at - 1].facet) corner_colors(&s[at], corners);
		for (int i = 0; i < 4; i++) {
			out[at][i] = 0;
			for (int k = 0; k < 3; k++) out[at][i] += (float)corners[k][i] * s[at].weights[k];
			out[at][i] *= 1 / 255.0f;
		}
	}
}

/* Returns the factor by which vertex colors are multiplied. They are light in the same units as lightmap pages
 * (bspscene_lightmap_set). */
static float vertex_intensity(const bspr_shading *shading)
{
	const bspscene_scene *scene = shading->renderer->scene;
	if (shading->options->mode != BSPSCENE_RENDER_FULL) return 1;
	if (shading->options->intensity > 0) return shading->options->intensity;
	return scene->lightmap_set_count ? scene->lightmap_sets[0].intensity : 1;
}

static void vertex_lights(const bspr_shading *shading, const bspr_surface *s, uint32_t count, float (*out)[4])
{
	const float intensity = vertex_intensity(shading);
	float colors[BSPR_PACKET][4];
	bspr_vertex_colors(s, count, colors);
	for (uint32_t i = 0; i < count; i++) {
		const float gain = intensity * s[i].instance->light_range;
		for (int k = 0; k < 3; k++) out[i][k] = colors[i][k] * gain;
	}
}

static void sky_light(const bspr_surface *s, float out[3])
{
	float normal[3];
	bspr_world_normal(s, normal);
	out[0] = out[1] = out[2] = bspi_soft_light(normal);
}

static bool stands_in(const bspr_shading *shading, const bspr_surface *s)
{
	const bspscene_scene *scene = shading->renderer->scene;
	uint32_t image = s->material->base_image;
	bool unlit = s->material->unlit || s->section->lighting == BSPSCENE_LIGHTING_FULLBRIGHT;
	if (!scene->ambient_count || !unlit || image == BSPSCENE_NO_INDEX) return false;
	const bspscene_image *shown = scene->images[image];
	return shading->options->mode == BSPSCENE_RENDER_FULL && shown->format == BSPSCENE_IMAGE_MISSING &&
	       !shown->is_checkerboard;
}

/* True if the leaf has ambient light. The scene's samples are sorted by leaf. */
static bool has_ambient(const bspscene_scene *scene, uint32_t leaf)
{
	uint32_t low = 0, high = scene->ambient_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (scene->ambients[middle].leaf < leaf) low = middle + 1;
		else high = middle;
	}
	return low < scene->ambient_count && scene->ambients[low].leaf == leaf;
}

/* Samples the light a little in front of the surface. Because of rounding, a point exactly on the surface may be in
 * the solid leaf behind it, which has no light. */
bool bspr_fallback_light(const bspr_shading *shading, const bspr_surface *s, float out[3])
{
	static const float before[] = { 2, 16 };
	const bspscene_scene *scene = shading->renderer->scene;
	float normal[3], sight[3];
	if (!stands_in(shading, s)) return false;
	bspr_world_normal(s, normal);
	for (int i = 0; i < 3; i++) sight[i] = s->position[i] - shading->view->origin[i];
	float side = bspr_dot(sight, normal) > 0 ? -1.0f : 1.0f;
	for (int i = 0; i < 3; i++) normal[i] *= side;
	for (size_t k = 0; k < sizeof before / sizeof *before; k++) {
		bspscene_light_sample light;
		float point[3];
		for (int i = 0; i < 3; i++) point[i] = s->position[i] + normal[i] * before[k];
		if (!has_ambient(scene, bspscene_find_leaf(scene, point)) || !bspscene_sample_light(scene, point, &light))
			continue;
		bspscene_shade_normal(&light, normal, out);
		return true;
	}
	return false;
}

/* Computes the light of surfaces that have no other light in this picture. */
static void plain_lights(const bspr_shading *shading, const bspr_surface *s, uint32_t count, float (*out)[4])
{
	bool dark = s->section->lighting == BSPSCENE_LIGHTING_BLACK && shading->options->mode != BSPSCENE_RENDER_TEXTURE;
	for (uint32_t i = 0; i < count; i++) out[i][0] = out[i][1] = out[i][2] = dark ? 0 : 1;
}

void bspr_section_lights(const bspr_shading *shading, const bspr_surface *s, uint32_t count, int32_t style,
                         float (*out)[4])
{
	const bspscene_render_mode mode = shading->options->mode;
	bool mapped = s->section->lightmap_page != BSPSCENE_NO_INDEX && s->instance->mesh->lightmap_uvs;
	bspscene_lighting lighting = mode == BSPSCENE_RENDER_TEXTURE ? BSPSCENE_LIGHTING_FULLBRIGHT : s->section->lighting;
	if (mode == BSPSCENE_RENDER_FULL && shading->renderer->bare) {
		for (uint32_t i = 0; i < count; i++) sky_light(&s[i], out[i]);
	} else if (lighting == BSPSCENE_LIGHTING_LIGHTMAP && mapped) {
		bspr_page_lights(shading, s, count, style, out);
	} else if (lighting == BSPSCENE_LIGHTING_VERTEX) {
		vertex_lights(shading, s, count, out);
	} else {
		plain_lights(shading, s, count, out);
	}
	if (!stands_in(shading, s)) return;
	for (uint32_t i = 0; i < count; i++) bspr_fallback_light(shading, &s[i], out[i]);
}

/* ---- Texture coordinates ------------------------------------------------------------------------------------ */

static void environment_uv(const bspr_shading *shading, const float position[3], const float normal[3], float uv[2])
{
	float viewer[3];
	for (int i = 0; i < 3; i++) viewer[i] = shading->view->origin[i] - position[i];
	float length = sqrtf(bspr_dot(viewer, viewer));
	for (int i = 0; i < 3; i++) viewer[i] /= fmaxf(length, 1e-6f);
	float d = bspr_dot(normal, viewer);
	uv[0] = 0.5f + (normal[1] * 2 * d - viewer[1]) * 0.5f;
	uv[1] = 0.5f - (normal[2] * 2 * d - viewer[2]) * 0.5f;
}

/* Computes texture coordinates along the line of sight, as R_StageTexCoord in r_material.cpp does. */
static void sight_uv(const bspr_shading *shading, const float position[3], float uv[2])
{
	float sight[3];
	for (int i = 0; i < 3; i++) sight[i] = position[i] - shading->view->origin[i];
	float length = fmaxf(sqrtf(bspr_dot(sight, sight)), 1e-6f);
	for (int i = 0; i < 2; i++) uv[i] = sight[i] / length;
}

bool bspr_looks_elsewhere(const bspscene_material_pass *stage)
{
	return stage->input == BSPSCENE_PASS_INPUT_LIGHTMAP &&
	       (stage->tc_gen != BSPSCENE_TC_GEN_LIGHTMAP || stage->tc_mod_count);
}

void bspr_corner_uv(const bspr_shading *shading, const bspscene_material_pass *stage, const bspr_surface *s, int corner,
                    float uv[2])
{
	const bspscene_mesh *mesh = s->instance->mesh;
	uint32_t vertex = s->corners[corner];
	float position[3] = { 0, 0, 0 };
	bool by_place = stage->tc_gen == BSPSCENE_TC_GEN_ENVIRONMENT || stage->tc_gen == BSPSCENE_TC_GEN_VECTOR ||
	                stage->tc_gen == BSPSCENE_TC_GEN_SIGHT;
	if (by_place || stage->tc_mod_count) bspr_vertex_position(s->instance, vertex, position);
	switch (stage->tc_gen) {
	case BSPSCENE_TC_GEN_LIGHTMAP:
		memset(uv, 0, 2 * sizeof *uv);
		const float *stored = bspr_looks_elsewhere(stage) ? mesh->map_page_uvs : mesh->lightmap_uvs;
		if (stored) memcpy(uv, stored + vertex * 2, 2 * sizeof *uv);
		break;
	case BSPSCENE_TC_GEN_ENVIRONMENT: environment_uv(shading, position, mesh->normals + vertex * 3, uv); break;
	case BSPSCENE_TC_GEN_VECTOR:
		for (int i = 0; i < 2; i++) uv[i] = bspr_dot(position, stage->tc_vectors[i]) + stage->tc_vectors[i][3];
		break;
	case BSPSCENE_TC_GEN_SIGHT: sight_uv(shading, position, uv); break;
	default: memcpy(uv, mesh->uvs + vertex * 2, 2 * sizeof *uv); break;
	}
	bspi_modify_uv(stage, shading->options->time, position, uv);
}

bspr_placing bspr_base_placing(const bspr_shading *shading, const bspscene_material *m, const float scale[2])
{
	bspr_placing out = { .rotation = m->uv_rotation_radians };
	for (int i = 0; i < 2; i++) {
		out.scale[i] = m->uv_scale[i] * scale[i];
		out.offset[i] = (m->uv_offset[i] + m->scroll[i] * shading->options->time) * scale[i];
	}
	return out;
}

void bspr_sample(const bspi_mips *texture, const bspr_lookups *at, uint32_t count, bool clamp, float (*out)[4])
{
	float lods[BSPR_PACKET];
	bspi_mips_changed_lods(texture, at->changes, count, lods);
	bspi_mips_sample_row(texture, at->uvs, lods, count, clamp, out);
}

/* Scales and rotates the texture coordinates of the triangle's corners, and stores them in `out`. `moved` gets the
 * same coordinates plus the offset of the texture. `turn` is the cosine and the sine of the rotation. */
static void place_corners(const bspr_surface *s, const bspr_placing *place, const float turn[2], float (*out)[2],
                          float (*moved)[2])
{
	for (int k = 0; k < 3; k++) {
		const float *corner = s->instance->mesh->uvs + (size_t)s->corners[k] * 2;
		float u = corner[0] * place->scale[0], v = corner[1] * place->scale[1];
		out[k][0] = turn[0] * u - turn[1] * v;
		out[k][1] = turn[1] * u + turn[0] * v;
		for (int i = 0; i < 2; i++) moved[k][i] = out[k][i] + place->offset[i];
	}
}

void bspr_placed_texels(const bspr_shading *shading, const bspr_surface *s, uint32_t count, uint32_t image,
                        const bspr_placing *place, float (*out)[4])
{
	float turn[2] = { 1, 0 }, corners[3][2], moved[3][2];
	bspr_lookups at;
	if (place->rotation != 0) {
		turn[0] = (float)cos(place->rotation);
		turn[1] = (float)sin(place->rotation);
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!i || s[i].facet != s[i - 1].facet) place_corners(&s[i], place, turn, corners, moved);
		bspr_look_up((const float(*)[2])corners, (const float(*)[2])moved, &s[i], at.uvs[i], at.changes[i]);
	}
	bspr_sample(&shading->renderer->textures[image], &at, count, s->material->clamp, out);
}

void bspr_world_normal(const bspr_surface *s, float out[3])
{
	const float *m = s->instance->transform;
	float normal[3];
	bspr_interpolate(s->instance->mesh->normals, 3, s, normal);
	for (int i = 0; i < 3; i++) out[i] = bspr_dot(m + 4 * i, normal);
	float length = sqrtf(bspr_dot(out, out));
	for (int i = 0; i < 3 && length > 0; i++) out[i] /= length;
}

/* Projects the texture from three sides and blends the three texels in linear light. */
void bspr_seamless_texel(const bspr_shading *shading, const bspr_surface *s, uint32_t image, float out[4])
{
	static const int sides[3][2] = { { 2, 1 }, { 0, 2 }, { 0, 1 } };
	const bspi_mips *texture = &shading->renderer->textures[image];
	const float gamma = 2.2f, scale = s->material->seamless_scale;
	float normal[3];
	bspr_world_normal(s, normal);
	for (int i = 0; i < 4; i++) out[i] = 0;
	for (int side = 0; side < 3; side++) {
		float uv[2], dx[2] = { 0, 0 }, dy[2] = { 0, 0 }, texel[4], share = normal[side] * normal[side];
		for (int i = 0; i < 2; i++) {
			int axis = sides[side][i];
			uv[i] = s->position[axis] * scale;
			for (int k = 0; k < 3; k++) {
				dx[i] += s->places[k][axis] * s->weights_dx[k] * scale;
				dy[i] += s->places[k][axis] * s->weights_dy[k] * scale;
			}
		}
		bspi_mips_sample(texture, uv, bspi_mips_lod(texture, dx, dy), s->material->clamp, texel);
		for (int i = 0; i < 3; i++) out[i] += (float)pow(texel[i], gamma) * share;
		out[3] += texel[3] * share;
	}
	for (int i = 0; i < 3; i++) out[i] = (float)pow(out[i], 1 / gamma);
}
