/* skybox.c - finds the 3D skybox: a small part of the map that players see enlarged around the world. It is the area
 * that contains the sky camera (docs/formats/entities.md, "Sky rooms of Source"). */
#include "stages/skybox.h"

#include "base/text.h"
#include "base/vec.h"

#define DEFAULT_SCALE 16.0f
#define LARGEST_SCALE 65536.0f

int32_t bspi_find_map_leaf(const bspi_map *map, const float point[3])
{
	int32_t child = 0;
	if (!map->nodes_count) return -1;
	/* The loop ends because validation made sure that the nodes form a tree. */
	while (child >= 0) {
		const bspi_node *node = &map->nodes[child];
		const bspi_plane *plane = &map->planes[node->plane];
		child = node->children[bspi_dot(plane->normal, point) < plane->distance];
	}
	return -1 - child;
}

/* Returns the area that contains a point, or -1 if the point is in a solid leaf. */
static int32_t area_at(const bspi_map *map, const float point[3])
{
	int32_t leaf = bspi_find_map_leaf(map, point);
	return leaf < 0 || map->leafs[leaf].cluster < 0 ? -1 : map->leafs[leaf].area;
}

bool bspi_is_in_skybox(const bspi_build *build, const float point[3])
{
	return build->skybox_area > 0 && area_at(build->map, point) == build->skybox_area;
}

bool bspi_is_leaf_in_skybox(const bspi_build *build, int32_t leaf)
{
	return build->skybox_area > 0 && leaf >= 0 && build->map->leafs[leaf].area == build->skybox_area;
}

/* True if a displacement is in the 3D skybox. Leaves do not list displacements. So points at increasing heights above
 * its center are tried, and the first that is not in a solid leaf decides. */
static bool is_displacement_in_skybox(const bspi_build *build, const bspi_face *face)
{
	static const float steps[] = { 1, 16, 64 };
	const bspi_dispinfo *info = &build->map->dispinfos[face->dispinfo];
	const bspi_plane *plane = &build->map->planes[face->plane];
	uint32_t side = (1u << info->power) + 1;
	const float *middle = build->disp_positions[(uint32_t)info->first_vertex + side * side / 2];
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		float above[3];
		for (int k = 0; k < 3; k++) above[k] = middle[k] + plane->normal[k] * steps[i];
		int32_t area = area_at(build->map, above);
		if (area >= 0) return area == build->skybox_area;
	}
	return false;
}

bool bspi_is_face_in_skybox(const bspi_build *build, const bspi_face *face)
{
	if (build->skybox_area <= 0) return false;
	if (face->kind == BSPI_FACE_DISPLACEMENT) return is_displacement_in_skybox(build, face);
	return bspi_is_leaf_in_skybox(build, face->leaf);
}

bool bspi_find_skybox(bspi_build *build)
{
	const char *classname = build->map->rules.entities->sky_camera;
	bspscene_scene *scene = build->scene;
	for (uint32_t i = 0; classname && i < scene->entity_count; i++) {
		const bspscene_entity *entity = scene->entities[i];
		if (!bspi_text_equal(entity->classname, classname)) continue;
		int32_t area = area_at(build->map, entity->origin);
		float scale;
		bspi_entity_numbers(build, i, "scale", &scale, 1);
		if (!(scale > 0 && scale <= LARGEST_SCALE)) scale = DEFAULT_SCALE;
		/* Area 0 means that the camera is outside of all areas, so the map has no skybox. */
		if (area <= 0) return true;
		build->skybox_area = area;
		bspi_copy3(scene->sky_camera_origin, entity->origin);
		scene->sky_camera_scale = scale;
		return true;
	}
	return true;
}
