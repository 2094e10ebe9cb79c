/* point_light.c - computes the light for models at a point. If the scene has an outdoor light, that is the light at
 * all points. Otherwise the light comes from the light grid, from the ambient cubes of the leaf, or from the floor
 * below. The results are display values: 1 shows a texture as it is. */
#include "stages/light/point_light.h"

#include <assert.h>

#include "base/page_luxels.h"
#include "base/vec.h"
#include "images/display.h"
#include "images/images.h"

enum { STYLES = 256, UNUSED_STYLE = 255 };

static void find_brightness(const bspscene_scene *scene, float out[STYLES])
{
	for (int i = 0; i < STYLES; i++) out[i] = 1;
	for (uint32_t i = 0; i < scene->light_style_count; i++) {
		out[scene->light_styles[i]->style & (STYLES - 1)] = scene->light_styles[i]->start;
	}
}

/* ---- The light grid --------------------------------------------------------------------------------------- */

/* Adds the light of a grid sample, summed over its styles and multiplied by `share`. Returns false if the sample is
 * inside a wall. */
static bool add_grid_sample(const bspscene_light_grid *grid, size_t sample, const float *brightness, float share,
                            float ambient[3], float directed[3], float direction[3])
{
	const float turn = 6.283185307179586f / 256;
	bool lit = false;
	for (uint32_t set = 0; set < grid->style_count; set++) {
		size_t at = sample * grid->style_count + set;
		uint8_t style = grid->styles ? grid->styles[at] : 0;
		if (style == UNUSED_STYLE) continue;
		for (size_t i = 0; i < 3; i++) {
			lit = lit || grid->ambient[3 * at + i] || grid->directed[3 * at + i];
			ambient[i] += (float)grid->ambient[3 * at + i] / 255 * brightness[style] * share;
			directed[i] += (float)grid->directed[3 * at + i] / 255 * brightness[style] * share;
		}
	}
	if (!lit) return false;
	float zenith = (float)grid->directions[2 * sample] * turn, azimuth = (float)grid->directions[2 * sample + 1] * turn;
	direction[0] += (float)cos(azimuth) * (float)sin(zenith) * share;
	direction[1] += (float)sin(azimuth) * (float)sin(zenith) * share;
	direction[2] += (float)cos(zenith) * share;
	return true;
}

/* Interpolates between the eight samples around the point, except those in walls, and adds the engine's minimum light
 * (tr_light.c R_SetupEntityLightingGrid, R_SetupEntityLighting). */
static bool light_by_grid(const bspscene_scene *scene, const bspi_floors *floors, const float point[3],
                          bspscene_light_sample *out)
{
	(void)floors;
	const bspscene_light_grid *grid = scene->light_grid;
	const float least = 32 / 255.0f, gain = bspi_color_intensity(scene);
	float brightness[STYLES], share[3], ambient[3] = { 0 }, total = 0;
	uint32_t low[3];
	if (!grid->counts[0] || !grid->counts[1] || !grid->counts[2]) return false;
	find_brightness(scene, brightness);
	for (int i = 0; i < 3; i++) {
		float at = (point[i] - grid->origin[i]) / grid->step[i];
		at = fminf(fmaxf(at, 0), (float)(grid->counts[i] - 1));
		low[i] = (uint32_t)at;
		share[i] = at - (float)low[i];
	}
	for (uint32_t corner = 0; corner < 8; corner++) {
		float weight = 1;
		uint32_t at[3];
		for (uint32_t i = 0; i < 3; i++) {
			uint32_t high = corner >> i & 1;
			weight *= high ? share[i] : 1 - share[i];
			at[i] = low[i] + high < grid->counts[i] ? low[i] + high : low[i];
		}
		size_t sample = ((size_t)at[2] * grid->counts[1] + at[1]) * grid->counts[0] + at[0];
		if (weight > 0 && add_grid_sample(grid, sample, brightness, weight, ambient, out->directed, out->direction)) {
			total += weight;
		}
	}
	if (!(total > 0)) return false;
	for (int i = 0; i < 3; i++) out->directed[i] *= gain / total;
	for (int side = 0; side < 6; side++) {
		for (int i = 0; i < 3; i++) out->sides[side][i] = fminf(ambient[i] * gain / total + least, 1);
	}
	if (!bspi_normalize(out->direction)) bspi_copy3(out->direction, (const float[3]) { 0, 0, 1 });
	return true;
}

/* ---- Leaves ----------------------------------------------------------------------------------------------- */

/* Cubes are sorted by leaf. Returns the index of the first cube of this leaf, or of a later leaf if this one has
 * none. */
static uint32_t first_of_leaf(const bspscene_scene *scene, uint32_t leaf)
{
	uint32_t low = 0, high = scene->ambient_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (scene->ambients[middle].leaf < leaf) low = middle + 1;
		else high = middle;
	}
	return low;
}

/* Averages the ambient cubes of the leaf; near cubes weigh more than far ones. */
static bool light_by_leaf(const bspscene_scene *scene, const bspi_floors *floors, const float point[3],
                          bspscene_light_sample *out)
{
	(void)floors;
	uint32_t leaf = scene->ambient_count ? bspscene_find_leaf(scene, point) : BSPSCENE_NO_INDEX;
	float total = 0;
	if (leaf == BSPSCENE_NO_INDEX) return false;
	for (uint32_t i = first_of_leaf(scene, leaf); i < scene->ambient_count && scene->ambients[i].leaf == leaf; i++) {
		const bspscene_ambient *ambient = &scene->ambients[i];
		float weight = 1 / (bspi_distance_squared(point, ambient->origin) + 1);
		total += weight;
		for (int k = 0; k < 18; k++) out->sides[k / 3][k % 3] += ambient->cube[k / 3][k % 3] * weight;
	}
	if (!(total > 0)) return false;
	for (int k = 0; k < 18; k++) {
		out->sides[k / 3][k % 3] = bspi_display_from_linear(fmaxf(out->sides[k / 3][k % 3] / total, 0));
	}
	return true;
}

/* ---- The floor -------------------------------------------------------------------------------------------- */

/* Computes the barycentric weights of a point in a triangle, both as seen from above (x and y only). */
static void find_shares(const bspscene_mesh *mesh, const uint32_t *corners, const float point[3], float out[3])
{
	const float *a = mesh->positions + 3 * (size_t)corners[0], *b = mesh->positions + 3 * (size_t)corners[1];
	const float *c = mesh->positions + 3 * (size_t)corners[2];
	float area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
	out[1] = ((point[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (point[1] - a[1])) / area;
	out[2] = ((b[0] - a[0]) * (point[1] - a[1]) - (point[0] - a[0]) * (b[1] - a[1])) / area;
	out[0] = 1 - out[1] - out[2];
}

static float luxel(const bspscene_lightmap_page *page, const float uv[2], uint32_t channel)
{
	uint32_t x = (uint32_t)fminf(fmaxf(uv[0], 0) * (float)page->width, (float)(page->width - 1));
	uint32_t y = (uint32_t)fminf(fmaxf(uv[1], 0) * (float)page->height, (float)(page->height - 1));
	uint8_t gray[3];
	const void *at = bspi_luxel_at(page, x, y, gray);
	if (page->format == BSPSCENE_LIGHTMAP_PAGE_RGB16F) {
		return bspi_display_from_linear(fmaxf(bspi_half_to_float(((const uint16_t *)at)[channel]), 0));
	}
	return (float)((const uint8_t *)at)[channel] / 255;
}

static bool add_page_light(const bspscene_scene *scene, uint32_t number, const float uv[2], float out[3])
{
	float brightness[STYLES];
	find_brightness(scene, brightness);
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
		const bspscene_lightmap_page *page = &set->pages[number];
		bool readable = page->format == BSPSCENE_LIGHTMAP_PAGE_RGB8 || page->format == BSPSCENE_LIGHTMAP_PAGE_RGB16F;
		if (set->kind != BSPSCENE_LIGHTMAP_SET_LIGHT || !readable || !bspi_page_has_light(page)) continue;
		float gain = set->intensity * brightness[set->style & (STYLES - 1)];
		for (uint32_t k = 0; k < 3; k++) out[k] += luxel(page, uv, k) * gain;
	}
	for (int k = 0; k < 3 && scene->light_clamp > 0; k++) out[k] = fminf(out[k], scene->light_clamp);
	return scene->lightmap_set_count > 0;
}

/* Finds the floor of the world below a point: in `floors`, or if that is NULL, in the meshes of the world. */
static bool find_world_floor(const bspscene_scene *scene, const bspi_floors *floors, const float from[3],
                             float farthest, bspi_floor *out)
{
	if (floors) return bspi_find_floor_among(floors, from, 0, farthest, out);
	bool found = false;
	for (uint32_t i = 0; i < scene->node_count; i++) {
		const bspscene_node *node = scene->nodes[i];
		bspi_floor floor;
		if (node->kind != BSPSCENE_NODE_WORLD || node->mesh == BSPSCENE_NO_INDEX) continue;
		if (!bspi_find_floor(scene, scene->meshes[node->mesh], from, 0, farthest, &floor)) continue;
		if (!found || floor.height > out->height) *out = floor;
		found = true;
	}
	return found;
}

/* Uses the light of the floor below: all of it as light from above, and shares of it as light from the sides and from
 * below (xash3d R_StudioLighting; Quake's table for directions is about the same). */
static bool light_by_floor(const bspscene_scene *scene, const bspi_floors *floors, const float point[3],
                           bspscene_light_sample *out)
{
	static const float shares[6] = { 0.7f, 0.7f, 0.7f, 0.7f, 1, 0.3f };
	const float farthest = 2048, lift = 8, most = 1;
	const float from[3] = { point[0], point[1], point[2] + lift };
	bspi_floor floor;
	if (!scene->lightmap_page_count || !find_world_floor(scene, floors, from, farthest, &floor)) return false;
	const bspscene_mesh *mesh = floor.mesh;
	const bspscene_section *section = mesh->sections[floor.section];
	if (!mesh->lightmap_uvs || section->lightmap_page == BSPSCENE_NO_INDEX) return false;
	const uint32_t *corners = mesh->indices + floor.first_index;
	float weights[3], uv[2] = { 0 }, light[3] = { 0 };
	find_shares(mesh, corners, point, weights);
	for (int k = 0; k < 3; k++) {
		for (int i = 0; i < 2; i++) uv[i] += mesh->lightmap_uvs[2 * (size_t)corners[k] + (size_t)i] * weights[k];
	}
	if (!bspi_are_finite(uv, 2) || !add_page_light(scene, section->lightmap_page, uv, light)) return false;
	for (int side = 0; side < 6; side++) {
		for (int i = 0; i < 3; i++) out->sides[side][i] = fminf(light[i], most) * shares[side];
	}
	return true;
}

/* ---- All ways --------------------------------------------------------------------------------------------- */

bool bspi_light_at_point(const bspscene_scene *scene, const bspi_floors *floors, const float point[3],
                         bspscene_light_sample *out)
{
	bool (*const ways[])(const bspscene_scene *, const bspi_floors *, const float *, bspscene_light_sample *) = {
		light_by_grid,
		light_by_leaf,
		light_by_floor,
	};
	if (scene->outdoor_light && !scene->is_full_bright) {
		*out = *scene->outdoor_light;
		return true;
	}
	for (size_t i = 0; i < sizeof ways / sizeof *ways && !scene->is_full_bright; i++) {
		*out = (bspscene_light_sample) { .direction = { 0, 0, 1 } };
		if (i == 0) out->direction[2] = 0; /* the grid adds up directions, so it starts from zero */
		if (ways[i](scene, floors, point, out)) return true;
	}
	*out = (bspscene_light_sample) { .direction = { 0, 0, 1 } };
	return false;
}

void bspi_light_on_normal(const bspscene_light_sample *light, const float normal[3], float out[3])
{
	float toward = fmaxf(bspi_dot(normal, light->direction), 0);
	for (int i = 0; i < 3; i++) {
		out[i] = light->directed[i] * toward;
		for (int axis = 0; axis < 3; axis++) {
			out[i] += light->sides[2 * axis + (normal[axis] < 0)][i] * normal[axis] * normal[axis];
		}
	}
}

bool bspscene_sample_light(const bspscene_scene *scene, const float point[3], bspscene_light_sample *out)
{
	assert(scene && point && out);
	return bspi_light_at_point(scene, NULL, point, out);
}

void bspscene_shade_normal(const bspscene_light_sample *light, const float normal[3], float out[3])
{
	assert(light && normal && out);
	bspi_light_on_normal(light, normal, out);
}
