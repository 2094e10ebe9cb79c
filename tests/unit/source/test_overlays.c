/* Promise: decals lie where the game draws them, in the right order. An overlay is on all faces that it names. An
 * infodecal is on the surfaces near its point (walls, floors, displacements, moving entities), in the size of its
 * material. Missing decals are counted. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "families/vbsp/vbsp_tables.h"
#include "support/make/build_archive.h"
#include "support/make/build_map.h"
#include "support/make/build_texture.h"
#include "support/check/scene_find.h"

/* Faces of the room in build_source.c. */
enum { FLOOR, WALL, SKY, WATER, TERRAIN, FINE_TERRAIN, SKYBOX, DOOR };
enum { SURF_NODECALS = 0x2000, DECAL_SIZE = 32 };

#define WORLD "{\n\"classname\" \"worldspawn\"\n}\n"
#define DECAL_AT(place) "{\n\"classname\" \"infodecal\"\n\"texture\" \"test/decal\"\n\"origin\" \"" place "\"\n}\n"
/* A door that is rotated by 90 degrees to the left, so that its -x is -y of the map. */
#define DOOR_ENTITY(keys) \
	"{\n\"classname\" \"func_door\"\n\"model\" \"*1\"\n\"origin\" \"64 0 0\"\n\"angles\" \"0 90 0\"\n" keys "}\n"

/* Makes a pakfile with a material of this text. It also has the material's picture, in this size, and a picture of 32 x
 * 32 pixels for decals. */
static bspt_bytes pack(const char *text, uint32_t width, uint32_t height)
{
	static const uint8_t pixels[64 * 32 * 4] = { 255 };
	bspt_vtf sign = {
		.minor = 2, .width = width, .height = height, .picture = pixels, .size = 4 * (size_t)width * height,
	};
	bspt_vtf decal = {
		.minor = 2, .width = DECAL_SIZE, .height = DECAL_SIZE, .picture = pixels,
		.size = 4 * DECAL_SIZE * DECAL_SIZE,
	};
	bspt_bytes pictures[] = { bspt_encode_vtf(&sign), bspt_encode_vtf(&decal) };
	bspt_member members[] = {
		{ .name = "materials/test/sign.vmt", .text = text },
		{ .name = "materials/test/sign.vtf", .packed = pictures[0] },
		{ .name = "materials/test/decal.vtf", .packed = pictures[1] },
	};
	bspt_bytes zip = bspt_zip(members, 3);
	for (int i = 0; i < 2; i++) free(pictures[i].data);
	return zip;
}

static void begin(bspt_parts *parts, const char *entities)
{
	assert_true(bspt_room_parts(&bspi_family_vbsp, &bspi_family_vbsp.variants[4], parts));
	parts->raw[VBSP_ENTITIES] = bspi_bytes_of(entities, strlen(entities) + 1);
	parts->map.overlays_count = parts->map.overlay_fades_count = parts->map.water_overlays_count = 0;
}

/* Loads the parts with this pakfile, and frees the pakfile. */
static bspscene_scene *load_packed(const bspt_parts *parts, bspt_bytes pakfile)
{
	bspt_parts packed = *parts;
	packed.raw[VBSP_PAKFILE] = bspi_bytes_of(pakfile.data, pakfile.size);
	bspscene_scene *scene = bspt_load_parts(&bspi_family_vbsp.variants[4], &packed, NULL);
	free(pakfile.data);
	return scene;
}

static bspscene_scene *load(const bspt_parts *parts)
{
	bspscene_scene *scene = load_packed(parts, pack("LightmappedGeneric { }", 1, 1));
	assert_non_null(scene);
	return scene;
}

static bspscene_scene *load_with(const char *entities)
{
	bspt_parts parts;
	begin(&parts, entities);
	return load(&parts);
}

static double triangle_area(const bspscene_mesh *mesh, const uint32_t *corners)
{
	double ab[3], ac[3];
	for (int k = 0; k < 3; k++) {
		ab[k] = (double)(mesh->positions[3 * corners[1] + (uint32_t)k] - mesh->positions[3 * corners[0] + (uint32_t)k]);
		ac[k] = (double)(mesh->positions[3 * corners[2] + (uint32_t)k] - mesh->positions[3 * corners[0] + (uint32_t)k]);
	}
	double x = ab[1] * ac[2] - ab[2] * ac[1], y = ab[2] * ac[0] - ab[0] * ac[2], z = ab[0] * ac[1] - ab[1] * ac[0];
	return sqrt(x * x + y * y + z * z) / 2;
}

static double area_of(const bspscene_mesh *mesh)
{
	double area = 0;
	for (uint32_t i = 0; i < mesh->index_count; i += 3) area += triangle_area(mesh, mesh->indices + i);
	return area;
}

static void assert_bounds(const bspscene_bounds *bounds, const float min[3], const float max[3])
{
	for (int k = 0; k < 3; k++) {
		assert_float_equal(bounds->min[k], min[k], 1e-3);
		assert_float_equal(bounds->max[k], max[k], 1e-3);
	}
}

/* ---- Overlays --------------------------------------------------------------------------------------------- */

enum { CORNERS = 200 };

/* Replaces the floor of the room by a circle with a radius of 64 units. */
static void make_floor_round(bspt_parts *parts)
{
	static bspi_vertex vertices[64 + CORNERS];
	static bspi_edge edges[64 + CORNERS];
	static bspi_surfedge surfedges[64 + CORNERS];
	static bspi_face faces[8];
	bspi_map *map = &parts->map;
	uint32_t vertex = map->vertices_count, edge = map->edges_count, surfedge = map->surfedges_count;
	memcpy(vertices, map->vertices, vertex * sizeof *vertices);
	memcpy(edges, map->edges, edge * sizeof *edges);
	memcpy(surfedges, map->surfedges, surfedge * sizeof *surfedges);
	memcpy(faces, map->faces, sizeof faces);
	for (uint32_t i = 0; i < CORNERS; i++) {
		float angle = -(float)i * 6.2831853f / CORNERS;
		vertices[vertex + i] = (bspi_vertex){ { 64 + 64 * cosf(angle), 64 + 64 * sinf(angle), 0 } };
		edges[edge + i] = (bspi_edge){ { vertex + i, vertex + (i + 1) % CORNERS } };
		surfedges[surfedge + i].value = (int32_t)(edge + i);
	}
	faces[FLOOR].first_edge = (int32_t)surfedge;
	faces[FLOOR].edge_count = CORNERS;
	faces[FLOOR].primitive_count = 0;
	map->vertices = vertices;
	map->edges = edges;
	map->surfedges = surfedges;
	map->faces = faces;
	map->vertices_count += CORNERS;
	map->edges_count += CORNERS;
	map->surfedges_count += CORNERS;
	map->corner_normals_count = 0;
}

#define FLAT_OVERLAY(half_x, half_y, place, first_order) { \
	.texinfo = 4, .counts = 1 | (first_order) << 14, .faces = { FLOOR }, .u_range = { 0, 1 }, .v_range = { 0, 1 }, \
	.normal = { 0, 0, 1 }, .origin = place, \
	.points = { \
		{ -(half_x), -(half_y), 1 }, { -(half_x), half_y, 0 }, { half_x, half_y, 0 }, { half_x, -(half_y), 0 } } }
#define AT(x, y) { x, y, 0 }

static void faces_may_have_any_number_of_corners(void **state)
{
	(void)state;
	bspi_overlay overlays[] = { FLAT_OVERLAY(32, 16, AT(64, 64), 0), FLAT_OVERLAY(100, 100, AT(64, 64), 0) };
	bspt_parts parts;
	begin(&parts, WORLD);
	make_floor_round(&parts);
	parts.map.overlays = overlays;
	parts.map.overlays_count = 2;
	bspscene_scene *scene = load(&parts);
	assert_int_equal(scene->overlay_count, 2);
	assert_float_equal(area_of(scene->meshes[scene->overlays[0]->mesh]), 64 * 32, 0.1);
	float polygon = CORNERS / 2.0f * 64 * 64 * sinf(6.2831853f / CORNERS);
	assert_float_equal(area_of(scene->meshes[scene->overlays[1]->mesh]), polygon, 0.1);
	bspscene_scene_free(scene);
}

/* Each of the overlay's four corners has the corresponding corner of the picture, whatever the overlay's shape is. */
static void pictures_reach_from_corner_to_corner(void **state)
{
	(void)state;
	static const float shapes[][4][2] = {
		{ { -32, -16 }, { -8, 16 }, { 8, 16 }, { 32, -16 } }, { { -8, -16 }, { -32, 16 }, { 32, 16 }, { 8, -16 } },
		{ { -32, -8 }, { -32, 8 }, { 32, 32 }, { 32, -32 } }, { { -32, -16 }, { -24, 16 }, { 40, 24 }, { 16, -24 } },
	};
	/* The picture is repeated four and a half times, and mirrored along v. */
	static const float u[2] = { -0.5f, 4 }, v_range[2] = { 0.75f, 0.25f };
	static const float corners[4][2] = { { -0.5f, 0.75f }, { -0.5f, 0.25f }, { 4, 0.25f }, { 4, 0.75f } };
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		bspi_overlay overlay = FLAT_OVERLAY(1, 1, AT(64, 64), 0);
		bspt_parts parts;
		begin(&parts, WORLD);
		memcpy(overlay.u_range, u, sizeof u);
		memcpy(overlay.v_range, v_range, sizeof v_range);
		for (int k = 0; k < 4; k++) memcpy(overlay.points[k], shapes[i][k], sizeof shapes[i][k]);
		parts.map.overlays = &overlay;
		parts.map.overlays_count = 1;
		bspscene_scene *scene = load(&parts);
		assert_int_equal(scene->overlay_count, 1);
		const bspscene_mesh *mesh = scene->meshes[scene->overlays[0]->mesh];
		assert_int_equal(mesh->vertex_count, 4);
		for (uint32_t v = 0; v < 4; v++) {
			const float *at = mesh->positions + 3 * (size_t)v, *uv = mesh->uvs + 2 * (size_t)v;
			int k = 0;
			while (fabsf(at[0] - 64 - shapes[i][k][0]) + fabsf(at[1] - 64 - shapes[i][k][1]) > 1e-3f) {
				assert_true(++k < 4);
			}
			for (int axis = 0; axis < 2; axis++) {
				if (fabsf(uv[axis] - corners[k][axis]) < 1e-4f) continue;
				fail_msg("shape %zu, corner %d: %g %g", i, k, (double)uv[0], (double)uv[1]);
			}
		}
		bspscene_scene_free(scene);
	}
}

/* If two overlays overlap, the later one is raised above the earlier one. Overlays with a higher render order are above
 * all others. Overlays that only touch are not raised. */
static void later_ones_lie_over_earlier_ones(void **state)
{
	(void)state;
	static const float lifts[] = { 0.3f, 0.1f, 0.2f, 0.1f };
	bspi_overlay overlays[] = {
		FLAT_OVERLAY(16, 16, AT(40, 40), 1), FLAT_OVERLAY(16, 16, AT(48, 48), 0), FLAT_OVERLAY(16, 16, AT(50, 50), 0),
		FLAT_OVERLAY(16, 16, AT(82, 50), 0),
	};
	bspt_parts parts;
	begin(&parts, WORLD);
	parts.map.overlays = overlays;
	parts.map.overlays_count = 4;
	bspscene_scene *scene = load(&parts);
	assert_int_equal(scene->overlay_count, 4);
	for (uint32_t i = 0; i < 4; i++) {
		assert_float_equal(scene->meshes[scene->overlays[i]->mesh]->positions[2], lifts[i], 1e-5);
	}
	bspscene_scene_free(scene);
}

/* ---- Decals: faces ---------------------------------------------------------------------------------------- */

static const bspscene_mesh *only_decal(const bspscene_scene *scene)
{
	assert_int_equal(scene->overlay_count, 1);
	return scene->meshes[scene->overlays[0]->mesh];
}

static void they_lie_on_walls_and_floors(void **state)
{
	(void)state;
	/* The expected decal is 32 units wide and high, and lifted by 0.1. */
	static const struct { const char *entities; float min[3], max[3]; } cases[] = {
		{ WORLD DECAL_AT("64 64 0"), { 48, 48, 0.1f }, { 80, 80, 0.1f } },
		{ WORLD DECAL_AT("96 64 3.9"), { 80, 48, 0.1f }, { 112, 80, 0.1f } },
		{ WORLD DECAL_AT("-3.9 64 64"), { 0.1f, 48, 48 }, { 0.1f, 80, 80 } },
		/* Near a corner between two walls, the decal is drawn on both of them. On each wall, it is cut off at the
		 * corner. */
		{ WORLD DECAL_AT("2 64 3"), { 0, 48, 0 }, { 18, 80, 19 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_scene *scene = load_with(cases[i].entities);
		assert_bounds(&only_decal(scene)->bounds, cases[i].min, cases[i].max);
		assert_int_equal(scene->nodes[scene->overlays[0]->node]->parent, 0);
		assert_false(scene->nodes[scene->overlays[0]->node]->hidden);
		bspscene_scene_free(scene);
	}
}

/* Seen from the front, the first texel is at the upper left. The top of the picture is up on walls and north on
 * floors. */
static void their_pictures_are_upright(void **state)
{
	(void)state;
	static const struct { const char *entities; float first[3], last[3]; } cases[] = {
		{ WORLD DECAL_AT("64 64 0"), { 48, 80, 0.1f }, { 80, 48, 0.1f } },
		{ WORLD DECAL_AT("0 64 64"), { 0.1f, 48, 80 }, { 0.1f, 80, 48 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_scene *scene = load_with(cases[i].entities);
		const bspscene_mesh *mesh = only_decal(scene);
		int found = 0;
		for (uint32_t v = 0; v < mesh->vertex_count; v++) {
			const float *uv = mesh->uvs + 2 * (size_t)v, *at = mesh->positions + 3 * (size_t)v;
			bool is_first = uv[0] < 1e-4f && uv[1] < 1e-4f, is_last = uv[0] > 0.9999f && uv[1] > 0.9999f;
			if (!is_first && !is_last) continue;
			found++;
			const float *want = is_first ? cases[i].first : cases[i].last;
			for (int k = 0; k < 3; k++) assert_float_equal(at[k], want[k], 1e-3);
		}
		assert_int_equal(found, 2);
		bspscene_scene_free(scene);
	}
}

static void they_lie_on_displacements(void **state)
{
	(void)state;
	/* One decal is on one displacement, and the other is on the edge between both displacements. The ground has the
	 * height ((x - 256)^2 + (y - 64)^2) / 512. */
	bspscene_scene *scene = load_with(WORLD DECAL_AT("192 64 8") DECAL_AT("256 64 1"));
	assert_int_equal(scene->overlay_count, 2);
	const bspscene_mesh *one = scene->meshes[scene->overlays[0]->mesh], *both = scene->meshes[scene->overlays[1]->mesh];
	assert_non_null(bspt_find_face(scene, one, TERRAIN));
	assert_null(bspt_find_face(scene, one, FINE_TERRAIN));
	assert_true(bspt_find_face(scene, both, TERRAIN) && bspt_find_face(scene, both, FINE_TERRAIN));
	/* The slope makes the decal longer than 32 units along x. */
	assert_true(area_of(one) > 32 * 32 && area_of(one) < 33.5 * 32);
	assert_float_equal(one->bounds.min[0], 176, 0.2);
	assert_float_equal(one->bounds.max[1], 80, 0.2);
	assert_true(one->bounds.min[2] > 4.9f && one->bounds.max[2] < 14.3f);
	assert_float_equal(both->bounds.max[0] - both->bounds.min[0], 32, 0.2);
	bspscene_scene_free(scene);
}

/* Decals may lie between vertices of the surface, which are 32 units apart, and on its edges. */
static void all_of_a_displacement_takes_them(void **state)
{
	enum { PLACES = 16 };
	char text[PLACES * 120] = WORLD;
	(void)state;
	for (int i = 0; i < PLACES; i++) {
		char place[120];
		int x = 164 + i % 4 * 8, y = 68 + i / 4 * 8;
		int height = ((x - 256) * (x - 256) + (y - 64) * (y - 64)) / 512;
		snprintf(place, sizeof place, DECAL_AT("%d %d %d"), x, y, height);
		strcat(text, place);
	}
	bspscene_scene *scene = load_with(text);
	assert_int_equal(scene->overlay_count, PLACES);
	for (uint32_t i = 0; i < PLACES; i++) {
		assert_non_null(bspt_find_face(scene, scene->meshes[scene->overlays[i]->mesh], TERRAIN));
	}
	bspscene_scene_free(scene);
}

static void they_move_with_their_entities(void **state)
{
	(void)state;
	bspscene_scene *scene = load_with(WORLD DOOR_ENTITY("") DECAL_AT("64 -8 32"));
	const bspscene_overlay *overlay = scene->overlays[0];
	assert_int_equal(scene->nodes[overlay->node]->parent, scene->entities[1]->node);
	/* The decal is cut off at the door, which is narrower. */
	static const float min[3] = { -8.1f, -8, 16 }, max[3] = { -8.1f, 8, 48 };
	assert_bounds(&only_decal(scene)->bounds, min, max);
	assert_non_null(bspt_find_face(scene, only_decal(scene), DOOR));
	float transform[12];
	bspscene_node_world_transform(scene, overlay->node, transform);
	assert_float_equal(transform[3], 64, 1e-4);
	assert_float_equal(transform[4], 1, 1e-4);
	bspscene_scene_free(scene);
}

/* Decals are not placed on invisible surfaces. If a trigger covers the world, the decal is on the world. */
static void hidden_entities_take_none(void **state)
{
	(void)state;
	bspscene_scene *scene = load_with(
		WORLD "{\n\"classname\" \"trigger_once\"\n\"model\" \"*1\"\n\"origin\" \"8.5 64 16\"\n}\n" DECAL_AT("1 64 48"));
	assert_non_null(bspt_find_face(scene, only_decal(scene), WALL));
	bspscene_scene_free(scene);
}

/* A decal with a name is hidden until something triggers it. */
static void named_ones_are_hidden(void **state)
{
	(void)state;
	bspscene_scene *scene = load_with(WORLD "{\n\"classname\" \"infodecal\"\n\"texture\" \"test/decal\"\n"
	                                        "\"origin\" \"64 64 0\"\n\"targetname\" \"later\"\n}\n");
	only_decal(scene);
	assert_true(scene->nodes[scene->overlays[0]->node]->hidden);
	bspscene_scene_free(scene);
}

static void several_in_one_place_do_not_fight(void **state)
{
	(void)state;
	bspscene_scene *scene =
		load_with(WORLD DECAL_AT("64 64 0") DECAL_AT("70 64 0") DECAL_AT("76 64 0") DECAL_AT("96 96 0"));
	static const float lifts[] = { 0.1f, 0.2f, 0.3f, 0.1f };
	assert_int_equal(scene->overlay_count, 4);
	for (uint32_t i = 0; i < 4; i++) {
		assert_float_equal(scene->meshes[scene->overlays[i]->mesh]->positions[2], lifts[i], 1e-5);
	}
	bspscene_scene_free(scene);
}

/* ---- Decals: size ----------------------------------------------------------------------------------------- */

static void the_material_tells_their_size(void **state)
{
	(void)state;
	static const struct { const char *text; float width, height; } cases[] = {
		{ "LightmappedGeneric { $basetexture test/sign $decal 1 }", 64, 32 },
		{ "LightmappedGeneric { $basetexture test/sign $decalscale 0.25 }", 16, 8 },
		{ "LightmappedGeneric { $basetexture test/sign $decalscale 1.5 }", 96, 48 },
		/* A scale by which the size cannot be divided, such as 0, is ignored. */
		{ "LightmappedGeneric { $basetexture test/sign $decalscale 0 }", 64, 32 },
		{ "LightmappedGeneric { $basetexture test/sign $decalscale -2 }", 64, 32 },
		{ "LightmappedGeneric { $basetexture test/sign $decalscale 1e30 }", 64, 32 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_parts parts;
		begin(&parts, WORLD "{\n\"classname\" \"infodecal\"\n\"texture\" \"test\\sign\"\n\"origin\" \"64 64 0\"\n}\n");
		bspscene_scene *scene = load_packed(&parts, pack(cases[i].text, 64, 32));
		assert_non_null(scene);
		const bspscene_bounds *bounds = &only_decal(scene)->bounds;
		assert_float_equal(bounds->max[0] - bounds->min[0], cases[i].width, 1e-3);
		assert_float_equal(bounds->max[1] - bounds->min[1], cases[i].height, 1e-3);
		bspscene_scene_free(scene);
	}
}

/* ---- Nothing is lost silently ----------------------------------------------------------------------------- */

static void expect_warning(const bspt_parts *parts, bspscene_warning_code code)
{
	bspscene_scene *scene = load(parts);
	assert_int_equal(scene->overlay_count, 1);
	assert_int_equal(bspt_count_warnings(scene, code), 1);
	bspscene_scene_free(scene);
}

static void what_is_left_out_is_counted(void **state)
{
	(void)state;
	bspt_parts parts;
	begin(&parts, WORLD DECAL_AT("64 64 0") DECAL_AT("64 64 50"));
	expect_warning(&parts, BSPSCENE_WARNING_REFERENCE);

	char name[256], text[1024];
	memset(name, 'a', sizeof name - 1);
	name[sizeof name - 1] = 0;
	snprintf(text, sizeof text, WORLD DECAL_AT("64 64 0") "{\n\"classname\" \"infodecal\"\n\"texture\" \"%s\"\n"
	         "\"origin\" \"64 64 0\"\n}\n", name);
	begin(&parts, text);
	expect_warning(&parts, BSPSCENE_WARNING_LIMIT);
	name[131] = 0;
	snprintf(text, sizeof text, WORLD "{\n\"classname\" \"infodecal\"\n\"texture\" \"%s\"\n"
	         "\"origin\" \"64 64 0\"\n}\n", name);
	bspscene_scene *scene = load_with(text);
	assert_int_equal(scene->overlay_count, 1);
	assert_string_equal(scene->materials[scene->overlays[0]->material]->name, name);
	bspscene_scene_free(scene);
}

/* Mappers can forbid decals by a flag of the material. */
static void faces_without_decals_take_none(void **state)
{
	(void)state;
	bspt_parts parts;
	begin(&parts, WORLD DECAL_AT("64 64 1") DECAL_AT("0 64 64"));
	bspi_texinfo texinfos[6];
	memcpy(texinfos, parts.map.texinfos, sizeof texinfos);
	texinfos[0].flags |= SURF_NODECALS;
	parts.map.texinfos = texinfos;
	expect_warning(&parts, BSPSCENE_WARNING_REFERENCE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faces_may_have_any_number_of_corners),
		cmocka_unit_test(pictures_reach_from_corner_to_corner),
		cmocka_unit_test(later_ones_lie_over_earlier_ones),
		cmocka_unit_test(they_lie_on_walls_and_floors),
		cmocka_unit_test(their_pictures_are_upright),
		cmocka_unit_test(they_lie_on_displacements),
		cmocka_unit_test(all_of_a_displacement_takes_them),
		cmocka_unit_test(they_move_with_their_entities),
		cmocka_unit_test(hidden_entities_take_none),
		cmocka_unit_test(named_ones_are_hidden),
		cmocka_unit_test(several_in_one_place_do_not_fight),
		cmocka_unit_test(the_material_tells_their_size),
		cmocka_unit_test(what_is_left_out_is_counted),
		cmocka_unit_test(faces_without_decals_take_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
