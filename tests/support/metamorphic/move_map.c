/* move_map.c - see move_map.h. */
#include "support/metamorphic/move_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "families/vbsp/vbsp_tables.h"
#include "support/metamorphic/move_entities.h"

void bspt_turn_vector(const bspt_motion *motion, const float in[3], float out[3])
{
	float x = motion->mirrored ? -in[0] : in[0], y = in[1], z = in[2];
	for (uint32_t i = 0; i < motion->quarters; i++) {
		float before = x;
		x = -y;
		y = before;
	}
	out[0] = x;
	out[1] = y;
	out[2] = z;
}

void bspt_move_point(const bspt_motion *motion, const float in[3], float out[3])
{
	bspt_turn_vector(motion, in, out);
	for (int i = 0; i < 3; i++) out[i] = out[i] * motion->scale + motion->shift[i];
}

float bspt_turn_yaw(const bspt_motion *motion, float yaw)
{
	float out = (motion->mirrored ? 180 - yaw : yaw) + 90 * (float)motion->quarters;
	while (out < 0) out += 360;
	while (out >= 360) out -= 360;
	return out;
}

/* ---- Own copies ------------------------------------------------------------------------------------------- */

static bool is_entity_text(bspi_bytes bytes)
{
	return bytes.size > 12 && !memcmp(bytes.data, "{\n\"classname\"", 13);
}

void bspt_own_parts_take(bspt_own_parts *own, const bspi_family *family, const bspi_variant *variant)
{
	memset(own, 0, sizeof *own);
	if (!bspt_room_parts(family, variant, &own->parts)) bspt_die("build a room of", family->about.name);
	for (int i = 0; i < BSPI_ARRAY_COUNT; i++) {
		const bspi_array_info *info = &bspi_array_infos[i];
		uint8_t *map = (uint8_t *)&own->parts.map;
		void *records;
		uint32_t count;
		memcpy(&records, map + info->data_offset, sizeof records);
		memcpy(&count, map + info->count_offset, sizeof count);
		if (!count) continue;
		own->arrays[i] = calloc((size_t)count + 1, info->size);
		if (!own->arrays[i]) bspt_die("allocate", info->name);
		memcpy(own->arrays[i], records, count * info->size);
		memcpy(map + info->data_offset, &own->arrays[i], sizeof own->arrays[i]);
	}
	own->entities = BSPI_MAX_LUMPS;
	for (uint32_t i = 0; i < BSPI_MAX_LUMPS; i++) {
		if (is_entity_text(own->parts.raw[i])) own->entities = i;
	}
}

void bspt_own_parts_free(bspt_own_parts *own)
{
	for (int i = 0; i < BSPI_ARRAY_COUNT; i++) free(own->arrays[i]);
	free(own->text);
	free(own->lamps);
}

void bspt_own_parts_set_text(bspt_own_parts *own, char *text)
{
	free(own->text);
	own->text = text;
	own->parts.raw[own->entities] = bspi_bytes_of(text, strlen(text) + 1);
}

/* ---- Records ---------------------------------------------------------------------------------------------- */

static void move_box(const bspt_motion *motion, float mins[3], float maxs[3])
{
	float a[3], b[3];
	bspt_move_point(motion, mins, a);
	bspt_move_point(motion, maxs, b);
	for (int i = 0; i < 3; i++) {
		mins[i] = fminf(a[i], b[i]);
		maxs[i] = fmaxf(a[i], b[i]);
	}
}

/* Changes a projection so that a point that was moved keeps its coordinates of textures or luxels. */
static void move_projection(const bspt_motion *motion, float vectors[2][4])
{
	for (int k = 0; k < 2; k++) {
		float turned[3];
		bspt_turn_vector(motion, vectors[k], turned);
		for (int i = 0; i < 3; i++) {
			vectors[k][i] = turned[i] / motion->scale;
			vectors[k][3] -= vectors[k][i] * motion->shift[i];
		}
	}
}

static void turn_in_place(const bspt_motion *motion, float vector[3])
{
	float turned[3];
	bspt_turn_vector(motion, vector, turned);
	memcpy(vector, turned, sizeof turned);
}

static void move_in_place(const bspt_motion *motion, float point[3])
{
	float moved[3];
	bspt_move_point(motion, point, moved);
	memcpy(point, moved, sizeof moved);
}

static void move_planes(const bspt_motion *motion, bspi_map *map)
{
	for (uint32_t i = 0; i < map->planes_count; i++) {
		bspi_plane *plane = &map->planes[i];
		turn_in_place(motion, plane->normal);
		plane->distance *= motion->scale;
		for (int k = 0; k < 3; k++) plane->distance += plane->normal[k] * motion->shift[k];
	}
}

static void move_points(const bspt_motion *motion, bspi_map *map)
{
	for (uint32_t i = 0; i < map->vertices_count; i++) move_in_place(motion, map->vertices[i].position);
	for (uint32_t i = 0; i < map->primitive_vertices_count; i++) {
		move_in_place(motion, map->primitive_vertices[i].position);
	}
	for (uint32_t i = 0; i < map->draw_vertices_count; i++) {
		move_in_place(motion, map->draw_vertices[i].position);
		turn_in_place(motion, map->draw_vertices[i].normal);
	}
	for (uint32_t i = 0; i < map->normals_count; i++) turn_in_place(motion, map->normals[i].normal);
	for (uint32_t i = 0; i < map->vertex_normals_count; i++) turn_in_place(motion, map->vertex_normals[i].normal);
	for (uint32_t i = 0; i < map->texinfos_count; i++) move_projection(motion, map->texinfos[i].texture_vectors);
	for (uint32_t i = 0; i < map->light_projections_count; i++) {
		move_projection(motion, map->light_projections[i].vectors);
	}
	for (uint32_t i = 0; i < map->faces_count; i++) {
		move_in_place(motion, map->faces[i].origin);
		turn_in_place(motion, map->faces[i].normal);
	}
}

static void move_boxes(const bspt_motion *motion, bspi_map *map)
{
	for (uint32_t i = 0; i < map->models_count; i++) {
		move_box(motion, map->models[i].mins, map->models[i].maxs);
		if (i) turn_in_place(motion, map->models[i].origin);
	}
	for (uint32_t i = 0; i < map->nodes_count; i++) move_box(motion, map->nodes[i].mins, map->nodes[i].maxs);
	for (uint32_t i = 0; i < map->leafs_count; i++) move_box(motion, map->leafs[i].mins, map->leafs[i].maxs);
}

static void move_overlays(const bspt_motion *motion, bspi_overlay *overlays, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		bspi_overlay *overlay = &overlays[i];
		float u[3] = { overlay->points[0][2], overlay->points[1][2], overlay->points[2][2] };
		turn_in_place(motion, u);
		for (int k = 0; k < 3; k++) overlay->points[k][2] = u[k];
		for (int k = 0; k < 4; k++) {
			for (int axis = 0; axis < 2; axis++) overlay->points[k][axis] *= motion->scale;
		}
		move_in_place(motion, overlay->origin);
		turn_in_place(motion, overlay->normal);
	}
}

static void move_placed(const bspt_motion *motion, bspi_map *map)
{
	for (uint32_t i = 0; i < map->dispinfos_count; i++) move_in_place(motion, map->dispinfos[i].start);
	for (uint32_t i = 0; i < map->disp_vertices_count; i++) {
		turn_in_place(motion, map->disp_vertices[i].direction);
		map->disp_vertices[i].distance *= motion->scale;
	}
	for (uint32_t i = 0; i < map->static_props_count; i++) {
		move_in_place(motion, map->static_props[i].origin);
		map->static_props[i].angles[1] = bspt_turn_yaw(motion, map->static_props[i].angles[1]);
	}
	move_overlays(motion, map->overlays, map->overlays_count);
	move_overlays(motion, map->water_overlays, map->water_overlays_count);
	for (uint32_t i = 0; i < map->terrain_count; i++) {
		map->terrain[i].x += (int32_t)motion->shift[0] / 64;
		map->terrain[i].y += (int32_t)motion->shift[1] / 64;
		map->terrain[i].z += (int32_t)motion->shift[2];
	}
}

/* ---- Winding ---------------------------------------------------------------------------------------------- */

static void swap(void *a, void *b, size_t size)
{
	uint8_t kept[64];
	memcpy(kept, a, size);
	memcpy(a, b, size);
	memcpy(b, kept, size);
}

/* Reverses the winding of faces, which is necessary after mirroring. If several faces share a row of edges, it is
 * reversed once. */
static void reverse_edges(bspi_map *map)
{
	for (uint32_t i = 0; i < map->faces_count; i++) {
		const bspi_face *face = &map->faces[i];
		bool is_turned = false;
		for (uint32_t k = 0; k < i; k++) is_turned = is_turned || map->faces[k].first_edge == face->first_edge;
		bspi_surfedge *row = map->surfedges + face->first_edge;
		for (int32_t a = 0, b = face->edge_count - 1; !is_turned && a <= b; a++, b--) {
			int32_t first = -row[a].value, last = -row[b].value;
			row[a].value = last;
			row[b].value = first;
		}
	}
}

static void reverse_patches(bspi_map *map)
{
	for (uint32_t i = 0; i < map->faces_count; i++) {
		const bspi_face *face = &map->faces[i];
		for (int32_t y = 0; y < face->patch_height; y++) {
			bspi_draw_vertex *row = map->draw_vertices + face->first_vertex + y * face->patch_width;
			for (int32_t a = 0, b = face->patch_width - 1; a < b; a++, b--) swap(&row[a], &row[b], sizeof *row);
		}
	}
}

/* Moves the lamps in Source's lump of world lights. They are also in the entities, and the library compares the
 * positions. */
static void move_lamps(const bspt_motion *motion, bspt_own_parts *own)
{
	bspi_bytes *lump = &own->parts.raw[VBSP_WORLD_LIGHTS];
	const bspi_layout *layout =
		own->parts.version[VBSP_WORLD_LIGHTS] ? &bspi_vbsp_world_light1 : &bspi_vbsp_world_light;
	own->lamps = malloc(lump->size + 1);
	if (!own->lamps) bspt_die("allocate", "lamps");
	memcpy(own->lamps, lump->data, lump->size);
	for (size_t at = 0; at + layout->file_size <= lump->size; at += layout->file_size) {
		bspi_world_light lamp = { .kind = 0 };
		bspi_layout_decode(layout, lump->data + at, 1, &lamp);
		move_in_place(motion, lamp.origin);
		turn_in_place(motion, lamp.normal);
		bspt_encode(layout, &lamp, 1, own->lamps + at);
	}
	lump->data = own->lamps;
}

void bspt_move_parts(bspt_own_parts *own, const bspi_variant *variant, const bspt_motion *motion)
{
	bspi_map *map = &own->parts.map;
	move_planes(motion, map);
	move_points(motion, map);
	move_boxes(motion, map);
	move_placed(motion, map);
	if (motion->mirrored) {
		if (map->surfedges_count) reverse_edges(map);
		reverse_patches(map);
		for (uint32_t i = 0; i + 2 < map->draw_indices_count; i += 3) {
			swap(&map->draw_indices[i + 1], &map->draw_indices[i + 2], sizeof *map->draw_indices);
		}
	}
	if (!strcmp(variant->magic, "VBSP") || !strcmp(variant->magic, "PSBV")) move_lamps(motion, own);
	if (own->entities == BSPI_MAX_LUMPS) return;
	const char *text = (const char *)own->parts.raw[own->entities].data;
	bspt_own_parts_set_text(own, bspt_move_entities(text, motion, variant->rules->entities->brush_angles));
}

bool bspt_can_move(const bspt_own_parts *own, const bspi_family *family, const bspt_motion *motion)
{
	const bspi_map *map = &own->parts.map;
	bool only_shifted = motion->scale == 1 && !motion->quarters && !motion->mirrored;
	/* In Genesis3D, scales and shifts of textures are in a lump without a layout table, and entities are not text.
	 * Neither can be moved. */
	if (!strcmp(family->about.name, "genesis3d")) return false;
	/* The sun of these maps is in a lump without a table. */
	if (!strcmp(family->about.name, "callofduty4") && !only_shifted) return false;
	/* The order of a displacement's vertices depends on its corners. */
	if (map->dispinfos_count && motion->mirrored) return false;
	/* Terrain has heights along the Z axis and quads of 64 units, so it can only be shifted. */
	if (map->terrain_count && !only_shifted) return false;
	/* UberTools' games divide curves by their size, so a scaled room would have other triangles. */
	return motion->scale == 1 || strcmp(family->about.name, "uebertools");
}
