/* Promise: a room of any family, with some faces without area, gives the same scene with one thread and with several. A
 * single thread writes each surface at its final position. Several threads write the mesh in pieces, which are joined
 * later (here, a piece has two surfaces). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/build_map.h"

enum { MOST_FACES = 256, MOST_RECORDS = 65536, SPARE = 3 * 3 * MOST_FACES };

/* Copies of the arrays that change. They have room for the corners of faces without area. */
typedef struct arrays {
	bspi_face faces[MOST_FACES];
	bspi_surfedge surfedges[MOST_RECORDS];
	bspi_index indices[MOST_RECORDS];
	bspi_draw_vertex vertices[MOST_RECORDS];
} arrays;

static arrays own;

#define TAKE(map, array, copy) \
	(assert_true((map)->array##_count + SPARE <= sizeof(copy) / sizeof *(copy)), \
	 (map)->array##_count ? memcpy(copy, (map)->array, (map)->array##_count * sizeof *(copy)) : NULL, \
	 (map)->array = (copy))

static void copy_arrays(bspi_map *map)
{
	assert_true(map->faces_count <= MOST_FACES);
	memcpy(own.faces, map->faces, map->faces_count * sizeof *own.faces);
	map->faces = own.faces;
	if (map->surfedges_count) TAKE(map, surfedges, own.surfedges);
	if (map->draw_indices_count) TAKE(map, draw_indices, own.indices);
	if (map->draw_vertices_count) TAKE(map, draw_vertices, own.vertices);
}

/* Moves all corners of a face to its first corner. The fields that are set tell how the family stores corners. */
static void collapse(bspi_map *map, bspi_face *face)
{
	if (face->edge_count > 0 && (!map->dispinfos_count || face->dispinfo < 0)) {
		bspi_surfedge first = own.surfedges[face->first_edge];
		face->first_edge = (int32_t)map->surfedges_count;
		for (int32_t i = 0; i < face->edge_count; i++) own.surfedges[map->surfedges_count++] = first;
	} else if (face->index_count > 0) {
		bspi_index first = own.indices[face->first_index];
		face->first_index = (int32_t)map->draw_indices_count;
		for (int32_t i = 0; i < face->index_count; i++) own.indices[map->draw_indices_count++] = first;
	} else if (face->patch_width > 0 && face->vertex_count > 0) {
		bspi_draw_vertex first = own.vertices[face->first_vertex];
		face->first_vertex = (int32_t)map->draw_vertices_count;
		for (int32_t i = 0; i < face->vertex_count; i++) own.vertices[map->draw_vertices_count++] = first;
	}
}

static bspscene_scene *load(const bspi_variant *variant, bspt_bytes file, uint32_t threads)
{
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	options.include_mask = BSPSCENE_SURFACE_ALL;
	options.keep_map_light = true;
	options.threads = threads;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
	if (!scene) fail_msg("%s: %s", variant->title, error.message);
	return scene;
}

/* Compares the scenes of a room that one thread and four threads make. Every `every`-th face is collapsed; 0 means
 * none. Returns the number of faces in the scene. */
static uint32_t check_room(const bspi_family *family, const bspi_variant *variant, uint32_t every)
{
	bspt_parts parts;
	if (!bspt_room_parts(family, variant, &parts)) return 0;
	copy_arrays(&parts.map);
	for (uint32_t i = 0; every && i < parts.map.faces_count; i += every) collapse(&parts.map, &own.faces[i]);
	bspt_bytes file = bspt_encode_parts(variant, &parts);
	bspscene_scene *one = load(variant, file, 1), *several = load(variant, file, 4);
	if (bspt_scene_hash(one) != bspt_scene_hash(several)) fail_msg("%s: threads change the scene", variant->title);
	uint32_t faces = one->face_count;
	bspscene_scene_free(one);
	bspscene_scene_free(several);
	free(file.data);
	return faces;
}

static void rooms_are_the_same(void **state)
{
	(void)state;
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		uint32_t whole = 0, less = 0;
		for (uint32_t i = 0; i < bspi_families[f]->variant_count; i++) {
			const bspi_variant *variant = &bspi_families[f]->variants[i];
			whole += check_room(bspi_families[f], variant, 0);
			for (uint32_t every = 2; every < 4; every++) less += check_room(bspi_families[f], variant, every);
		}
		/* Corners of Genesis3D's faces are not in these arrays. */
		if (less >= 2 * whole && bspi_families[f] != &bspi_family_genesis3d) {
			fail_msg("%s: no face is dropped", bspi_families[f]->about.name);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rooms_are_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
