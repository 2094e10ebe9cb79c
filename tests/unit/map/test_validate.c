/* Promise: an error in one record is repaired as map/validate.c describes, with one warning. A strict load refuses the
 * map instead. The repair does not change the rest of the map. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "map/validate.h"
#include "support/map/map_reading.h"

/* Records of the faces of the room in build_quake3.c. */
enum { FLOOR, ARCH, SOUP, FLARE, SKY, DOOR, FACE_COUNT };

/* Makes two quads, as families with surfedges store them: 4 edges each, the last one reversed. */
static void make_polygons(bspt_reading *f, bool strict)
{
	static const bspi_vertex vertices[] = {
		{ { 0, 0, 0 } }, { { 0, 64, 0 } }, { { 64, 64, 0 } }, { { 64, 0, 0 } },
		{ { 0, 64, 0 } }, { { 0, 99, 0 } }, { { 64, 99, 0 } }, { { 64, 64, 0 } },
	};
	static const bspi_edge edges[] = {
		{ { 0, 0 } }, { { 0, 1 } }, { { 1, 2 } }, { { 2, 3 } }, { { 0, 3 } },
		{ { 4, 5 } }, { { 5, 6 } }, { { 6, 7 } }, { { 4, 7 } },
	};
	static const bspi_surfedge surfedges[] = { { 1 }, { 2 }, { 3 }, { -4 }, { 5 }, { 6 }, { 7 }, { -8 } };
	bspt_begin_reading(f, strict);
	bspi_map *map = &f->map;
#define COPY(name, array) \
	map->name = bspi_push_zeroed(&f->ctx, &f->ctx.scratch, sizeof (array) / sizeof *(array), sizeof *(array)); \
	memcpy(map->name, array, sizeof (array)); \
	map->name##_count = sizeof (array) / sizeof *(array)
	COPY(vertices, vertices);
	COPY(edges, edges);
	COPY(surfedges, surfedges);
	const bspi_face face = { .kind = BSPI_FACE_POLYGON, .edge_count = 4, .fog = -1, .light_projection = -1 };
	const bspi_face faces[] = { face, face };
	COPY(faces, faces);
	map->faces[1].first_edge = 4;
	const bspi_plane planes[] = { { { 0, 0, 1 }, 0 } };
	COPY(planes, planes);
	const bspi_texinfo texinfos[] = { { .texture_vectors = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 } } } };
	COPY(texinfos, texinfos);
	const bspi_texture textures[] = { { .name = "wall" } };
	COPY(textures, textures);
	const bspi_model models[] = { { .face_count = 2 } };
	COPY(models, models);
	const bspi_clipnode clipnodes[] = { { 0, { -1, 1 } }, { 0, { -1, -2 } } };
	COPY(clipnodes, clipnodes);
	const bspi_area areas[] = { { 0, 0 }, { 0, 1 } };
	COPY(areas, areas);
	const bspi_area_portal_record area_portals[] = { { 0, 1 } };
	COPY(area_portals, area_portals);
	const bspi_light_projection light_projections[] = { { { { 1, 0, 0, 0 }, { 0, 1, 0, 0 } } } };
	COPY(light_projections, light_projections);
	const bspi_primitive primitives[] = { { .strip = 0 } };
	COPY(primitives, primitives);
#undef COPY
}

/* Each case has the kind of map, the expected warning, the damage, and a condition that must hold after the repair. */
#define KEPT(m) bspt_kept_faces(m)
#define CASES(X) \
	X(room, TREE, planes[6].normal[0] = NAN, m->planes[6].normal[2] == 1 && m->planes[6].distance == 0) \
	X(room, TREE, planes[6].distance = INFINITY, m->planes[6].distance == 0) \
	X(room, TREE, planes[6].normal[0] = 0, m->planes[6].normal[2] == 1) \
	X(room, TREE, planes[6].normal[0] = 2, m->planes[6].normal[0] == 0) \
	X(room, SILENT, planes[7].normal[0] = 0, m->planes[7].normal[2] == 1) \
	X(room, REFERENCE, brush_sides[1].plane = 8, m->brush_sides[1].plane == 0) \
	X(room, REFERENCE, brush_sides[1].plane = -1, m->brush_sides[1].plane == 0) \
	X(room, REFERENCE, brush_sides[1].texture = 4, m->brush_sides[1].texture == -1) \
	X(room, SILENT, brush_sides[1].texture = -1, m->brush_sides[1].texture == -1) \
	X(room, REFERENCE, brushes[1].first_side = 7, m->brushes[1].side_count == 0) \
	X(room, REFERENCE, brushes[1].side_count = INT32_MAX, m->brushes[1].side_count == 0) \
	X(room, REFERENCE, brushes[1].side_count = -1, m->brushes[1].side_count == 0) \
	X(room, REFERENCE, brushes[1].texture = 99, m->brushes[1].texture == -1) \
	X(room, TEXT, textures[1].name[0] = '\x80', !strncmp(m->textures[1].name, "\xe2\x82\xac" "extures/", 11)) \
	X(room, TEXT, fogs[0].shader[0] = '\xff', !strncmp(m->fogs[0].shader, "\xc3\xbf" "extures/", 10)) \
	X(room, REFERENCE, fogs[0].brush = 2, m->fogs[0].brush == -1 && m->fogs[0].visible_side == -1) \
	X(room, REFERENCE, fogs[0].brush = INT32_MIN, m->fogs[0].brush == -1) \
	X(room, SILENT, fogs[0].brush = -1, m->fogs[0].visible_side == -1) \
	X(room, REFERENCE, fogs[0].visible_side = 6, m->fogs[0].visible_side == -1 && m->fogs[0].brush == 0) \
	X(room, REFERENCE, models[1].mins[2] = NAN, m->models[1].mins[2] == 0 && m->models[1].maxs[0] == 0) \
	X(room, REFERENCE, models[1].first_brush = -1, m->models[1].brush_count == 0) \
	X(room, REFERENCE, models[1].brush_count = 2, m->models[1].brush_count == 0) \
	X(room, REFERENCE, models[1].first_face = 7, m->models[1].face_count == 0) \
	X(room, REFERENCE, models[1].face_count = -1, m->models[1].face_count == 0 && m->models[0].face_count == 5) \
	X(room, REFERENCE, models[1].first_face = 4, m->models[1].face_count == 0 && m->models[0].face_count == 5) \
	X(room, REFERENCE, models[0].face_count = 6, m->models[0].face_count == 6 && m->models[1].face_count == 0) \
	X(room, FACE_DROPPED, draw_vertices[2].position[1] = NAN, \
	  m->faces[FLOOR].kind == BSPI_FACE_DROPPED && bspt_kept_faces(m) == 5) \
	X(room, FACE_DROPPED, draw_vertices[22].position[1] = 3e6f, \
	  m->faces[DOOR].kind == BSPI_FACE_DROPPED && bspt_kept_faces(m) == 5) \
	X(room, FACE_DROPPED, draw_vertices[4].position[0] = -INFINITY, \
	  m->faces[ARCH].kind == BSPI_FACE_DROPPED && bspt_kept_faces(m) == 5) \
	X(room, REFERENCE, draw_vertices[0].uv[1] = INFINITY, m->draw_vertices[0].uv[1] == 0 && KEPT(m) == 6) \
	X(room, REFERENCE, draw_vertices[0].uv[0] = -3e9f, m->draw_vertices[0].uv[0] == 0) \
	X(room, SILENT, draw_vertices[13].lightmap[0] = NAN, m->draw_vertices[13].lightmap[0] == 0 && KEPT(m) == 6) \
	X(room, SILENT, draw_vertices[22].normal[0] = 0, m->draw_vertices[22].normal[0] == -1) \
	X(room, SILENT, draw_vertices[13].normal[2] = 0, m->draw_vertices[13].normal[2] == 0) \
	X(room, SILENT, draw_vertices[0].normal[2] = 7, m->draw_vertices[0].normal[2] == 1) \
	X(room, SILENT, draw_vertices[0].normal[1] = NAN, \
	  m->draw_vertices[0].normal[1] == 0 && m->draw_vertices[0].normal[2] == 1) \
	X(room, FACE_DROPPED, faces[FLOOR].first_vertex = -1, KEPT(m) == 5) \
	X(room, FACE_DROPPED, faces[FLOOR].vertex_count = -4, KEPT(m) == 5) \
	X(room, FACE_DROPPED, faces[FLOOR].vertex_count = INT32_MAX, KEPT(m) == 5) \
	X(room, FACE_DROPPED, faces[DOOR].first_vertex = 20, KEPT(m) == 5) \
	X(room, FACE_DROPPED, faces[FLOOR].first_index = INT32_MAX, KEPT(m) == 5) \
	X(room, FACE_DROPPED, faces[DOOR].index_count = 9, KEPT(m) == 5) \
	X(room, FACE_DROPPED, draw_indices[7].value = 3, m->faces[SOUP].kind == BSPI_FACE_DROPPED && KEPT(m) == 5) \
	X(room, FACE_DROPPED, draw_indices[0].value = UINT32_MAX, m->faces[FLOOR].kind == BSPI_FACE_DROPPED) \
	X(room, TRIANGLE_DROPPED, faces[FLOOR].index_count = 5, m->faces[FLOOR].index_count == 3 && KEPT(m) == 6) \
	X(room, FACE_DROPPED, faces[ARCH].patch_width = 4, KEPT(m) == 5) \
	X(room, FACE_DROPPED, faces[ARCH].patch_width = 33, KEPT(m) == 5) \
	X(room, FACE_DROPPED, faces[ARCH].patch_height = 1, KEPT(m) == 5) \
	X(room, FACE_DROPPED, faces[ARCH].patch_height = 5, KEPT(m) == 5) \
	X(room, FACE_DROPPED, faces[ARCH].patch_width = -3, KEPT(m) == 5) \
	X(room, FACE_DROPPED, faces[ARCH].vertex_count = 12, KEPT(m) == 5) \
	X(room, FACE_DROPPED, faces[FLARE].origin[0] = NAN, KEPT(m) == 5) \
	X(room, FACE_DROPPED, faces[FLARE].color[0] = INFINITY, KEPT(m) == 5) \
	X(room, SILENT, faces[FLARE].color[0] = 9, m->faces[FLARE].color[0] == 1 && KEPT(m) == 6) \
	X(room, SILENT, faces[FLARE].normal[2] = NAN, m->faces[FLARE].normal[2] == 0 && KEPT(m) == 6) \
	X(room, FACE_DROPPED, faces[FLOOR].vertex_count = 3; m->faces[FLOOR].kind = BSPI_FACE_TERRAIN, KEPT(m) == 5) \
	X(room, REFERENCE, faces[FLOOR].fog = 1, m->faces[FLOOR].fog == -1 && KEPT(m) == 6) \
	X(room, SILENT, faces[FLOOR].fog = -7, KEPT(m) == 6) \
	X(room, REFERENCE, faces[DOOR].texture = 4, \
	  m->faces[DOOR].texture == 4 && !strcmp(m->textures[4].name, "missing")) \
	X(room, REFERENCE, faces[DOOR].texture = -1, m->faces[DOOR].texture == 4 && m->textures_count == 5) \
	X(room, LIGHTMAP, faces[FLOOR].lightmap[0] = BSPI_FIRST_PICTURE_PAGE, \
	  m->faces[FLOOR].lightmap[0] == BSPI_PAGE_BY_VERTEX) \
	X(room, SILENT, faces[FLOOR].lightmap[0] = INT32_MIN, m->faces[FLOOR].lightmap[0] == BSPI_PAGE_BY_VERTEX) \
	X(room, LIGHTMAP, faces[FLOOR].light_projection = 0, m->faces[FLOOR].light_projection == -1) \
	X(room, LIGHTMAP, faces[FLOOR].luxel_shift = 40, m->faces[FLOOR].luxel_shift == 0) \
	X(room, LIGHTMAP, faces[FLOOR].light_sets = -1, m->faces[FLOOR].light_sets == 0) \
	X(room, TREE, nodes[1].plane = 8, m->nodes[1].plane == 0) \
	X(room, TREE, nodes[1].children[0] = 2, m->nodes[1].children[0] == -1 && m->nodes[1].children[1] == -3) \
	X(room, TREE, nodes[1].children[0] = INT32_MIN, m->nodes[1].children[0] == -1) \
	X(room, TREE, nodes[1].children[0] = -4, m->nodes[1].children[0] == -1) \
	X(room, TREE, nodes[1].children[0] = 0, m->nodes[1].children[0] == -1) \
	X(room, TREE, nodes[0].children[1] = 1, m->nodes[0].children[0] == 1 && m->nodes[0].children[1] == -1) \
	X(room, TREE, nodes[0].face_count = 7, m->nodes[0].face_count == 0) \
	X(room, TREE, leafs_count = 0, m->nodes_count == 0) \
	X(room, REFERENCE, leafs[2].cluster = 2, m->leafs[2].cluster == -1) \
	X(room, REFERENCE, leafs[2].cluster = -2, m->leafs[2].cluster == -1) \
	X(room, REFERENCE, leafs[2].area = 3, m->leafs[2].area == -1) \
	X(room, TREE, leafs[2].first_leaf_face = 3, m->leafs[2].leaf_face_count == 0) \
	X(room, TREE, leafs[2].leaf_face_count = UINT32_MAX, m->leafs[2].leaf_face_count == 0) \
	X(room, TREE, leafs[0].leaf_brush_count = 2, \
	  m->leafs[0].leaf_brush_count == 0 && m->leafs[0].leaf_face_count == 3) \
	X(room, TREE, leaf_faces[1].value = 6, m->leafs[0].leaf_face_count == 1 && m->faces[ARCH].leaf == -1) \
	X(room, SILENT, leafs[2].mins[0] = NAN, m->leafs[2].mins[0] > m->leafs[2].maxs[0]) \
	X(room, SILENT, leafs[2].mins[1] = 1e6f, m->leafs[2].mins[0] > m->leafs[2].maxs[0]) \
	X(polygons, FACE_DROPPED, faces[1].edge_count = 2, KEPT(m) == 1) \
	X(polygons, FACE_DROPPED, faces[1].edge_count = 5, KEPT(m) == 1) \
	X(polygons, FACE_DROPPED, faces[1].first_edge = INT32_MIN, KEPT(m) == 1) \
	X(polygons, FACE_DROPPED, surfedges[5].value = 9, KEPT(m) == 1) \
	X(polygons, FACE_DROPPED, surfedges[5].value = INT32_MIN, KEPT(m) == 1) \
	X(polygons, SILENT, surfedges[5].value = -6, KEPT(m) == 2) \
	X(polygons, FACE_DROPPED, edges[6].vertices[0] = 8, KEPT(m) == 1) \
	X(polygons, FACE_DROPPED, edges[8].vertices[1] = UINT32_MAX, KEPT(m) == 1) \
	X(polygons, SILENT, edges[0].vertices[1] = 99, KEPT(m) == 2) \
	X(polygons, FACE_DROPPED, vertices[7].position[2] = NAN, KEPT(m) == 1) \
	X(polygons, FACE_DROPPED, faces[0].plane = 1, KEPT(m) == 1) \
	X(polygons, FACE_DROPPED, faces[0].texinfo = -1, KEPT(m) == 1) \
	X(polygons, REFERENCE, texinfos[0].texture_vectors[1][3] = NAN, m->texinfos[0].texture_vectors[0][0] == 0) \
	X(polygons, REFERENCE, texinfos[0].next = 1, m->texinfos[0].next == 0) \
	X(polygons, SILENT, texinfos[0].next = -1, KEPT(m) == 2) \
	X(polygons, REFERENCE, texinfos[0].texture = 1, m->texinfos[0].texture == 1 && m->textures_count == 2) \
	X(polygons, LIGHTMAP, light_projections[0].vectors[1][3] = INFINITY, m->light_projections[0].vectors[0][0] == 0) \
	X(polygons, TREE, clipnodes[0].plane = 1, m->clipnodes[0].plane == 0 && m->clipnodes[0].children[1] == -2) \
	X(polygons, TREE, clipnodes[0].children[1] = 2, m->clipnodes[0].children[1] == -2) \
	X(polygons, REFERENCE, areas[1].portal_count = 2, m->areas[1].portal_count == 0) \
	X(polygons, REFERENCE, area_portals[0].portal = -1, m->area_portals[0].portal == 0) \
	X(polygons, REFERENCE, area_portals[0].other_area = 2, m->area_portals[0].other_area == 0) \
	EMPTY_RANGES(X)

/* In these cases, a range has no elements, but its first index is past the end of the list. That is harmless, so the
 * index becomes 0 without a warning. */
#define EMPTY_RANGES(X) \
	X(room, SILENT, nodes[1].first_face = 681; m->nodes[1].face_count = 0, m->nodes[1].first_face == 0) \
	X(room, SILENT, leafs[2].first_leaf_face = 99; m->leafs[2].leaf_face_count = 0, m->leafs[2].first_leaf_face == 0) \
	X(room, SILENT, leafs[2].first_leaf_brush = UINT32_MAX; m->leafs[2].leaf_brush_count = 0, \
	  m->leafs[2].first_leaf_brush == 0) \
	X(room, SILENT, models[1].first_face = -1; m->models[1].face_count = 0, m->models[1].first_face == 0) \
	X(room, SILENT, models[1].first_brush = 99; m->models[1].brush_count = 0, m->models[1].first_brush == 0) \
	X(room, SILENT, brushes[1].first_side = INT32_MAX; m->brushes[1].side_count = 0, m->brushes[1].first_side == 0) \
	X(room, SILENT, faces[DOOR].first_index = 99; m->faces[DOOR].index_count = 0, m->faces[DOOR].first_index == 0) \
	X(room, SILENT, faces[DOOR].first_vertex = 99; m->faces[DOOR].vertex_count = m->faces[DOOR].index_count = 0, \
	  m->faces[DOOR].first_vertex == 0 && KEPT(m) == 6) \
	X(polygons, SILENT, areas[1].first_portal = 9; m->areas[1].portal_count = 0, m->areas[1].first_portal == 0) \
	X(polygons, SILENT, faces[0].first_primitive = 9; m->faces[0].primitive_count = 0, KEPT(m) == 2) \
	X(polygons, SILENT, primitives[0].first_index = 9; m->faces[0].primitive_count = 1, \
	  m->faces[0].primitive_count == 1)

#define DESCRIBE(map, code, spoil, kept) { #spoil, BSPSCENE_WARNING_##code, SOURCE_##map },
#define BSPSCENE_WARNING_SILENT BSPSCENE_WARNING_FORCE_32BIT    /* no warning, because real maps have this */
enum { SOURCE_room, SOURCE_polygons };
static const struct {
	const char *spoil;
	bspscene_warning_code code;
	int source;
} cases[] = { CASES(DESCRIBE) };
enum { CASE_COUNT = sizeof cases / sizeof *cases };

/* Damages the map by case number `wanted`. */
static void spoil(bspi_map *m, int wanted)
{
	int number = 0;
#define SPOIL_ONE(map, code, spoil, kept) if (number++ == wanted) { m->spoil; }
	CASES(SPOIL_ONE)
}

static bool is_kept(const bspi_map *m, int wanted)
{
	int number = 0;
#define ASK_ONE(map, code, spoil, kept) if (number++ == wanted) return kept;
	CASES(ASK_ONE)
	return false;
}

static void make(bspt_reading *f, int number, bool strict)
{
	if (cases[number].source == SOURCE_room) bspt_read_room(f, strict);
	else make_polygons(f, strict);
}

static void every_fault_is_repaired_and_counted(void **state)
{
	(void)state;
	for (int i = 0; i < CASE_COUNT; i++) {
		bspt_reading f;
		bool silent = cases[i].code == BSPSCENE_WARNING_FORCE_32BIT;
		make(&f, i, false);
		spoil(&f.map, i);
		if (!bspi_validate(&f.ctx, &f.map)) fail_msg("%s: %s", cases[i].spoil, f.ctx.error.message);
		if (!is_kept(&f.map, i)) fail_msg("%s: not repaired as expected", cases[i].spoil);
		if (f.ctx.warning_count != !silent) fail_msg("%s: %u warnings", cases[i].spoil, f.ctx.warning_count);
		if (!silent && (f.ctx.warnings[0].code != cases[i].code || f.ctx.warnings[0].count != 1)) {
			fail_msg("%s: %u times %s: %s", cases[i].spoil, f.ctx.warnings[0].count,
			         bspscene_warning_name(f.ctx.warnings[0].code), f.ctx.warnings[0].message);
		}
		/* Validating the repaired map again changes nothing. */
		if (!bspi_validate(&f.ctx, &f.map) || (!silent && f.ctx.warnings[0].count != 1)) {
			fail_msg("%s: not stable", cases[i].spoil);
		}
		bspt_end_reading(&f);
	}
}

static void every_fault_is_an_error_when_strict(void **state)
{
	(void)state;
	for (int i = 0; i < CASE_COUNT; i++) {
		bspt_reading f;
		bool silent = cases[i].code == BSPSCENE_WARNING_FORCE_32BIT;
		make(&f, i, true);
		spoil(&f.map, i);
		bool loaded = bspi_validate(&f.ctx, &f.map);
		if (loaded != silent) fail_msg("%s: %s", cases[i].spoil, loaded ? "accepted" : f.ctx.error.message);
		if (!loaded) {
			assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_BAD_DATA);
			if (f.ctx.error.record == BSPSCENE_NO_INDEX || !*f.ctx.error.lump) {
				fail_msg("%s: %s", cases[i].spoil, f.ctx.error.message);
			}
		}
		bspt_end_reading(&f);
	}
}

/* Validating a correct map changes nothing. */
static void a_sound_map_stays(void **state)
{
	(void)state;
	bspt_reading f;
	bspt_read_room(&f, true);
	uint64_t before[BSPI_ARRAY_COUNT];
	for (int round = 0; round < 2; round++) {
		for (int id = 0; id < BSPI_ARRAY_COUNT; id++) {
			const bspi_array_info *info = &bspi_array_infos[id];
			const void *data;
			uint32_t count;
			memcpy(&data, (const uint8_t *)&f.map + info->data_offset, sizeof data);
			memcpy(&count, (const uint8_t *)&f.map + info->count_offset, sizeof count);
			uint64_t hash = count ? bspi_hash(data, count * info->size) : 0;
			if (round && hash != before[id]) fail_msg("%s changed", info->name);
			before[id] = hash;
		}
		if (!round) assert_true(bspi_validate(&f.ctx, &f.map));
	}
	assert_int_equal(bspt_kept_faces(&f.map), FACE_COUNT);
	bspt_end_reading(&f);
}

/* A face belongs to the first leaf that lists it; faces that no leaf lists have no leaf. */
static void faces_know_their_leaf(void **state)
{
	(void)state;
	bspt_reading f;
	bspt_read_room(&f, false);
	static const int32_t leafs[FACE_COUNT] = { 0, 0, 0, -1, 2, -1 };
	for (int i = 0; i < FACE_COUNT; i++) assert_int_equal(f.map.faces[i].leaf, leafs[i]);
	bspt_end_reading(&f);
}

/* Warnings name the lump as the family calls it, the record and the record's offset in the file. */
static void places_are_named(void **state)
{
	(void)state;
	bspt_reading f;
	bspt_read_room(&f, true);
	f.map.faces[DOOR].first_vertex = -1;
	assert_false(bspi_validate(&f.ctx, &f.map));
	assert_string_equal(f.ctx.error.lump, "surfaces");
	assert_int_equal(f.ctx.error.record, DOOR);
	assert_int_equal(f.ctx.error.offset, f.map.sources[BSPI_ARRAY_faces].offset + DOOR * 104);
	bspt_end_reading(&f);
}

/* An almost empty map of Half-Life has no models at all. */
static void a_map_always_has_a_world(void **state)
{
	(void)state;
	bspt_reading f;
	bspt_read_room(&f, false);
	f.map.models_count = 0;
	assert_true(bspi_validate(&f.ctx, &f.map));
	assert_int_equal(f.map.models_count, 1);
	assert_int_equal(f.map.models[0].face_count, FACE_COUNT);
	assert_int_equal(f.map.models[0].brush_count, f.map.brushes_count);
	assert_int_equal(f.ctx.warning_count, 1);
	assert_int_equal(f.ctx.warnings[0].code, BSPSCENE_WARNING_REFERENCE);
	bspt_end_reading(&f);
}

/* A displacement of power 2 has 32 triangles and 25 vertices. If the array of triangle tags or blends is too short for
 * all displacements, it is not used at all. */
static void runs_of_displacements_are_whole(void **state)
{
	static const struct {
		uint32_t triangles, blends;
		int32_t first, wanted_triangle, wanted_blend;
	} rows[] = {
		{ 32, 25, 0, 0, 0 }, { 31, 25, 0, -1, 0 },  { 32, 24, 0, 0, -1 }, { 40, 33, 8, 8, 8 },
		{ 39, 32, 8, -1, -1 }, { 0, 0, 0, -1, -1 }, { 99, 99, -1, -1, -1 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		bspt_reading f;
		bspt_begin_reading(&f, false);
		bspi_dispinfo info = { .power = 2, .first_triangle = rows[i].first, .first_blend = rows[i].first };
		for (int k = 0; k < 8; k++) info.neighbors[k].dispinfo = -1;
		f.map.dispinfos = &info;
		f.map.dispinfos_count = 1;
		f.map.disp_triangles_count = rows[i].triangles;
		f.map.disp_blends_count = rows[i].blends;
		assert_true(bspi_validate_dispinfos(&f.ctx, &f.map));
		if (info.first_triangle != rows[i].wanted_triangle || info.first_blend != rows[i].wanted_blend) {
			fail_msg("row %zu: %d, %d", i, info.first_triangle, info.first_blend);
		}
		bspt_end_reading(&f);
	}
}

/* A name may become longer in UTF-8. It is truncated between characters. */
static void names_stay_whole(void **state)
{
	(void)state;
	bspt_reading f;
	bspt_read_room(&f, false);
	size_t room = sizeof f.map.textures[0].name;
	memset(f.map.textures[0].name, '\x80', room);
	assert_true(bspi_validate(&f.ctx, &f.map));
	const char *name = f.map.textures[0].name;
	assert_int_equal(strlen(name), (room - 1) / 3 * 3);
	for (size_t i = 0; i < strlen(name); i++) assert_int_equal((uint8_t)name[i], (uint8_t)"\xe2\x82\xac"[i % 3]);
	bspt_end_reading(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fault_is_repaired_and_counted),
		cmocka_unit_test(every_fault_is_an_error_when_strict),
		cmocka_unit_test(a_sound_map_stays),
		cmocka_unit_test(faces_know_their_leaf),
		cmocka_unit_test(places_are_named),
		cmocka_unit_test(a_map_always_has_a_world),
		cmocka_unit_test(runs_of_displacements_are_whole),
		cmocka_unit_test(names_stay_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
