/* world.c - copies to the scene what other stages leave: BSP tree, visibility, areas, fogs, sky and counts. */
#include "stages/stages.h"

#include <bspscene/material.h>

#include "base/text.h"
#include "base/vec.h"

static uint32_t index_or_none(int32_t index)
{
	return index < 0 ? BSPSCENE_NO_INDEX : (uint32_t)index;
}

static bool build_tree(bspi_build *build)
{
	const bspi_map *map = build->map;
	if (map->forest) return true;
	bspi_ctx *ctx = build->ctx;
	float *planes = bspi_push_unset(ctx, &ctx->result, map->nodes_count, 4 * sizeof(float));
	int32_t *children = bspi_push_unset(ctx, &ctx->result, map->nodes_count, 2 * sizeof(int32_t));
	bspscene_leaf *leafs = bspi_push_unset(ctx, &ctx->result, map->leafs_count, sizeof(bspscene_leaf));
	BSPI_TRY(planes && children && leafs);
	for (uint32_t i = 0; i < map->nodes_count; i++) {
		const bspi_node *node = &map->nodes[i];
		const bspi_plane *plane = &map->planes[node->plane];
		bspi_copy3(planes + 4 * i, plane->normal);
		planes[4 * i + 3] = plane->distance;
		children[2 * i] = node->children[0];
		children[2 * i + 1] = node->children[1];
	}
	for (uint32_t i = 0; i < map->leafs_count; i++) {
		const bspi_leaf *leaf = &map->leafs[i];
		leafs[i] = (bspscene_leaf){ index_or_none(leaf->cluster), index_or_none(leaf->area), (uint32_t)leaf->contents,
		                            BSPI_NO_BOUNDS };
		bspi_copy3(leafs[i].bounds.min, leaf->mins);
		bspi_copy3(leafs[i].bounds.max, leaf->maxs);
		if (leafs[i].area != BSPSCENE_NO_INDEX && leafs[i].area >= build->scene->area_count) {
			build->scene->area_count = leafs[i].area + 1;
		}
	}
	build->parts->tree = (bspscene_tree){ map->nodes_count, map->leafs_count, planes, children, leafs };
	return true;
}

static bool build_vis(bspi_build *build)
{
	const bspi_map *map = build->map;
	if (!map->cluster_count) return true;
	const uint8_t *rows = map->vis_rows;
	if (!map->vis_rows_kept) {
		size_t size = (size_t)map->cluster_count * map->vis_row_size;
		uint8_t *copy = bspi_push_unset(build->ctx, &build->ctx->result, size, 1);
		BSPI_TRY(copy);
		memcpy(copy, map->vis_rows, size);
		rows = copy;
	}
	build->parts->vis = (bspscene_vis){ map->cluster_count, map->vis_row_size, rows };
	return true;
}

/* Lists each area portal once, although the map lists each portal from both sides. */
static bool build_area_portals(bspi_build *build)
{
	const bspi_map *map = build->map;
	bspscene_area_portal *portals = bspi_push(build->ctx, &build->ctx->result, bspscene_area_portal,
	                                          map->area_portals_count);
	BSPI_TRY(portals);
	uint32_t count = 0;
	for (uint32_t area = 0; area < map->areas_count; area++) {
		const bspi_area *record = &map->areas[area];
		for (int32_t i = 0; i < record->portal_count; i++) {
			const bspi_area_portal_record *portal = &map->area_portals[record->first_portal + i];
			if (portal->other_area > (int32_t)area && count < map->area_portals_count) {
				portals[count++] = (bspscene_area_portal){ (uint32_t)portal->portal,
				                                           { area, (uint32_t)portal->other_area } };
			}
		}
	}
	build->scene->area_portals = portals;
	build->scene->area_portal_count = count;
	if (map->areas_count > build->scene->area_count) build->scene->area_count = map->areas_count;
	return true;
}

/* Returns the bounds of a brush, or BSPI_NO_BOUNDS. They are the distances of its axis-aligned sides. The compilers
 * of all these games write six such sides for each brush. */
static bspscene_bounds brush_bounds(const bspi_map *map, const bspi_brush *brush)
{
	bspscene_bounds out = { { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, INFINITY } };
	for (int32_t i = 0; i < brush->side_count; i++) {
		const bspi_plane *plane = &map->planes[map->brush_sides[brush->first_side + i].plane];
		for (int axis = 0; axis < 3; axis++) {
			if (plane->normal[axis] == 1) out.max[axis] = fminf(out.max[axis], plane->distance);
			if (plane->normal[axis] == -1) out.min[axis] = fmaxf(out.min[axis], -plane->distance);
		}
	}
	bool box = bspi_are_finite(out.min, 3) && bspi_are_finite(out.max, 3);
	for (int axis = 0; axis < 3; axis++) box = box && out.min[axis] <= out.max[axis];
	return box ? out : BSPI_NO_BOUNDS;
}

static bool build_fogs(bspi_build *build)
{
	const bspi_map *map = build->map;
	bspscene_fog *fogs = bspi_push(build->ctx, &build->ctx->result, bspscene_fog, map->fogs_count);
	BSPI_TRY(fogs);
	for (uint32_t i = 0; i < map->fogs_count; i++) {
		const bspi_fog *fog = &map->fogs[i];
		fogs[i] = (bspscene_fog){ build->fog_materials[i], index_or_none(fog->brush), BSPI_NO_BOUNDS, { 0, 0, 0, 0 } };
		if (fog->brush < 0) continue;
		const bspi_brush *brush = &map->brushes[fog->brush];
		fogs[i].bounds = brush_bounds(map, brush);
		if (fog->visible_side < 0 || fog->visible_side >= brush->side_count) continue;
		const bspi_plane *plane = &map->planes[map->brush_sides[brush->first_side + fog->visible_side].plane];
		bspi_copy3(fogs[i].plane, plane->normal);
		fogs[i].plane[3] = plane->distance;
	}
	build->scene->fogs = bspi_table(build->ctx, bspscene_fog, fogs, map->fogs_count);
	build->scene->fog_count = map->fogs_count;
	return build->scene->fogs != NULL;
}

/* Positions of the fog's numbers in the value of worldspawn's fog key. */
enum { FOG_DENSITY, FOG_COLOR, FOG_OPACITY = 4, FOG_START, FOG_END, FOG_NUMBERS };

static float within(float value, float least, float most) { return fminf(fmaxf(value, least), most); }

/* Returns the value of the first of these keys that worldspawn has, or NULL. */
static const char *first_value(const bspi_build *build, const char *const *keys)
{
	const char *value = NULL;
	for (int i = 0; keys[i] && !value; i++) value = bspi_world_value(build, keys[i]);
	return value;
}

/* Parses the fog's numbers. Returns how many of them the game reads. */
static uint32_t read_map_fog(const bspi_map_fog_rules *rules, const char *value, float numbers[FOG_NUMBERS])
{
	uint32_t count = bspi_text_numbers(value, numbers, FOG_NUMBERS);
	if (!(rules->gray > 0) || !count) return count;
	for (uint32_t i = count; i < FOG_OPACITY; i++) numbers[i] = rules->gray;
	return FOG_OPACITY;
}

static void build_map_fog(bspi_build *build)
{
	const bspi_map_fog_rules *rules = build->map->rules.map_fog;
	const float most_density = 1;      /* with this density, fog is opaque within a few game units */
	const char *value = rules ? first_value(build, rules->keys) : NULL;
	float numbers[FOG_NUMBERS] = { 0 }, sky;
	uint32_t count = value ? read_map_fog(rules, value, numbers) : 0;
	if (count < FOG_OPACITY || !bspi_are_finite(numbers, FOG_NUMBERS) || !(numbers[FOG_DENSITY] > 0)) return;
	if (count <= FOG_OPACITY) numbers[FOG_OPACITY] = 1;
	if (count <= FOG_END) numbers[FOG_END] = rules->end;
	bspscene_map_fog *fog = &build->parts->map_fog;
	fog->density = fminf(numbers[FOG_DENSITY] * rules->density, most_density);
	fog->power = rules->power;
	for (int i = 0; i < 3; i++) fog->color[i] = within(numbers[FOG_COLOR + i], 0, 1);
	fog->opacity = within(numbers[FOG_OPACITY], 0, 1);
	fog->start = within(numbers[FOG_START], 0, rules->end);
	fog->end = within(numbers[FOG_END], fog->start, rules->end);
	fog->along_view = rules->along_view;
	fog->over_lightmaps = rules->over_lightmaps;
	float far = fog->density * (fog->end - fog->start);
	value = first_value(build, rules->sky_keys);
	if (!value || !bspi_text_numbers(value, &sky, 1)) sky = rules->sky;
	fog->sky = within(sky, 0, 1) * fog->opacity * (1 - (float)exp(-(float)pow(far, fog->power)));
}

static void find_sky(bspi_build *build)
{
	const bspi_map *map = build->map;
	bspscene_scene *scene = build->scene;
	scene->sky_material = BSPSCENE_NO_INDEX;
	for (uint32_t i = 0; i < map->faces_count && scene->sky_material == BSPSCENE_NO_INDEX; i++) {
		if (map->faces[i].kind == BSPI_FACE_DROPPED) continue;
		uint32_t material = bspi_face_material(build, &map->faces[i]);
		if (material < scene->material_count && scene->materials[material]->kind == BSPSCENE_MATERIAL_SKY) {
			scene->sky_material = material;
		}
	}
}

bool bspi_build_world(bspi_build *build)
{
	const bspi_map *map = build->map;
	bspscene_scene *scene = build->scene;
	build->parts->counts.models = map->models_count;
	build->parts->counts.faces = map->faces_count;
	build->parts->counts.vertex_records = map->draw_vertices_count ? map->draw_vertices_count : map->vertices_count;
	for (uint32_t i = 0; i < scene->prop_count; i++) build->parts->counts.static_props += scene->props[i]->is_static;
	find_sky(build);
	build_map_fog(build);
	return build_tree(build) && build_vis(build) && build_area_portals(build) && build_fogs(build) &&
	       bspi_build_light_grid(build);
}
