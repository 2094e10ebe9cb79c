/* Promise: displacements of Source maps meet without cracks and with common normals, however each of two neighbours is
 * turned, whatever part of an edge they share and however finely they are cut; where both are cut alike nothing is
 * moved. They carry weights of four textures where these are proven to belong to them, and nothing where they are not;
 * tags of their triangles; and four sets of luxels when they are bumped. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "families/vbsp_tables.h"
#include "support/build_ground.h"
#include "support/check_scene.h"
#include "support/scene_find.h"

/* Faces of the room, in build_source.c: 5 x 5 vertices with weights, 9 x 9 without. */
enum { TERRAIN = 4, FINE_TERRAIN = 5, WEIGHTED = 25, PLAIN = 81, BLEND_SIZE = 80 };

static const bspi_variant *variant_named(const char *name)
{
	for (uint32_t i = 0; i < bspi_family_vbsp.variant_count; i++) {
		if (!strcmp(bspi_family_vbsp.variants[i].name, name)) return &bspi_family_vbsp.variants[i];
	}
	fail_msg("no variant %s", name);
	return NULL;
}

static bspscene_scene *load(const bspi_variant *variant, const bspt_parts *parts)
{
	bspscene_error error;
	bspt_bytes file = bspt_encode_parts(variant, parts);
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, NULL, &error);
	if (!scene) fail_msg("%s: %s", variant->title, error.message);
	free(file.data);
	return scene;
}

/* ---- Weights ---------------------------------------------------------------------------------------------- */

/* A quarter of the ground for each corner's texture, see build_source.c. */
static void check_weights(const bspscene_scene *scene)
{
	const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
	const bspscene_face *terrain = bspt_find_face(scene, mesh, TERRAIN);
	const bspscene_face *plain = bspt_find_face(scene, mesh, FINE_TERRAIN);
	assert_non_null(mesh->blend_weights);
	assert_true(terrain && plain && terrain->vertex_count == WEIGHTED && plain->vertex_count == PLAIN);
	const float *weights = mesh->blend_weights + 4 * (size_t)terrain->first_vertex;
	for (uint32_t i = 0; i < WEIGHTED; i++, weights += 4) {
		float along = (float)(i % 5) / 4, up = (float)(i / 5) / 4;
		const float want[4] = { (1 - along) * (1 - up), along * (1 - up), (1 - along) * up, along * up };
		for (int k = 0; k < 4; k++) assert_float_equal(weights[k], want[k], 1e-6);
		/* Who knows two textures only gets the second one's share. */
		assert_float_equal(mesh->blend_alphas[terrain->first_vertex + i], want[1], 1e-6);
	}
	weights = mesh->blend_weights + 4 * (size_t)plain->first_vertex;
	for (uint32_t i = 0; i < 4 * PLAIN; i++) assert_float_equal(weights[i], 0, 0);
	for (uint32_t i = 0; i < PLAIN; i++) {
		assert_float_equal(mesh->blend_alphas[plain->first_vertex + i], (float)i / 255, 1e-6);
	}
}

static void weights_are_those_of_their_vertices(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < bspi_family_vbsp.variant_count; i++) {
		const bspi_variant *variant = &bspi_family_vbsp.variants[i];
		bspt_parts parts;
		assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
		bspscene_scene *scene = load(variant, &parts);
		check_weights(scene);
		assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD), 0);
		bspscene_scene_free(scene);
	}
}

/* The weights of Black Mesa are in the lump that elsewhere says what overlays ask of a machine. */
static void black_mesas_lump_is_told_by_its_size(void **state)
{
	(void)state;
	const bspi_variant *variant = variant_named("source20");
	static const struct { size_t size; bool taken; } cases[] = {
		{ WEIGHTED * BLEND_SIZE, true }, { WEIGHTED * BLEND_SIZE - 4, false },
		{ (WEIGHTED + 1) * BLEND_SIZE, false }, { 0, false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t bytes[(WEIGHTED + 1) * BLEND_SIZE] = { 0 };
		bspt_parts parts;
		assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
		bspt_encode(&bspi_vbsp_disp_blend, parts.map.disp_blends, WEIGHTED, bytes);
		parts.raw[VBSP_OVERLAY_LEVELS] = bspi_bytes_of(bytes, cases[i].size);
		parts.map.disp_blends_count = 0;
		bspscene_scene *scene = load(variant, &parts);
		if (cases[i].taken) check_weights(scene);
		else assert_null(bspt_find_mesh(scene, "worldspawn")->blend_weights);
		assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD), !cases[i].taken);
		bspscene_scene_free(scene);
	}
}

/* Nothing in the lump says whose weights they are: when the number is not that of the flagged displacements' vertices,
 * they are nobody's, and the alphas count as without the lump. */
static void other_numbers_of_weights_are_left_out(void **state)
{
	(void)state;
	const bspi_variant *variant = variant_named("source21");
	static const struct { uint32_t count, flags[2]; int32_t power; } cases[] = {
		{ WEIGHTED - 1, { BSPI_DISP_BLENDED, 0 }, 2 },
		{ WEIGHTED, { 0, 0 }, 2 },
		{ WEIGHTED, { BSPI_DISP_BLENDED, BSPI_DISP_BLENDED }, 2 },
		{ WEIGHTED, { 0, BSPI_DISP_BLENDED }, 2 },
		{ WEIGHTED, { BSPI_DISP_BLENDED, 0 }, -1 },
		{ WEIGHTED, { BSPI_DISP_BLENDED, 0 }, INT32_MAX },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_parts parts;
		assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
		bspi_dispinfo infos[2] = { parts.map.dispinfos[0], parts.map.dispinfos[1] };
		for (int k = 0; k < 2; k++) infos[k].flags = cases[i].flags[k];
		infos[0].power = cases[i].power;
		parts.map.dispinfos = infos;
		parts.map.disp_blends_count = cases[i].count;
		bspscene_scene *scene = load(variant, &parts);
		const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
		const bspscene_face *terrain = bspt_find_face(scene, mesh, TERRAIN);
		assert_null(mesh->blend_weights);
		if (terrain) assert_float_equal(mesh->blend_alphas[terrain->first_vertex + 24], 24 / 255.0f, 1e-6);
		assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD), 1);
		bspscene_scene_free(scene);
	}
}

/* Real alphas leave 0..255 too. */
static void odd_weights_stay_between_0_and_1(void **state)
{
	(void)state;
	const bspi_variant *variant = variant_named("source21");
	const float odd[] = { -2112, 1.5f, NAN, INFINITY, -INFINITY, 3e38f };
	const float want[] = { 0, 1, 0, 1, 0, 1 };
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	bspi_disp_blend blends[WEIGHTED];
	for (uint32_t i = 0; i < WEIGHTED; i++) {
		for (uint32_t k = 0; k < 4; k++) blends[i].weights[k] = odd[(i + k) % 6];
	}
	bspi_disp_vertex moves[WEIGHTED + PLAIN];
	memcpy(moves, parts.map.disp_vertices, sizeof moves);
	for (uint32_t i = 0; i < PLAIN; i++) moves[WEIGHTED + i].alpha = odd[i % 6] * 255;
	parts.map.disp_blends = blends;
	parts.map.disp_vertices = moves;
	bspscene_scene *scene = load(variant, &parts);
	const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
	const float *weights = mesh->blend_weights + 4 * (size_t)bspt_find_face(scene, mesh, TERRAIN)->first_vertex;
	for (uint32_t i = 0; i < 4 * WEIGHTED; i++) assert_float_equal(weights[i], want[(i / 4 + i % 4) % 6], 0);
	const float *alphas = mesh->blend_alphas + bspt_find_face(scene, mesh, FINE_TERRAIN)->first_vertex;
	for (uint32_t i = 0; i < PLAIN; i++) assert_float_equal(alphas[i], want[i % 6], 0);
	bspscene_scene_free(scene);
}

/* ---- Tags ------------------------------------------------------------------------------------------------- */

static void tags_are_those_of_their_triangles(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < bspi_family_vbsp.variant_count; i++) {
		const bspi_variant *variant = &bspi_family_vbsp.variants[i];
		if (!strcmp(variant->name, "source2003")) continue; /* has none */
		bspt_parts parts;
		assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
		bspi_disp_triangle tags[32 + 128] = { { 0 } };
		for (int32_t k = 0; k < 32; k++) tags[k].tags = k == 7 ? BSPSCENE_TAG_REMOVED : k % 31;
		parts.map.disp_triangles = tags;
		bspscene_scene *scene = load(variant, &parts);
		const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
		const bspscene_face *terrain = bspt_find_face(scene, mesh, TERRAIN);
		assert_non_null(mesh->triangle_tags);
		assert_int_equal(terrain->index_count, 3 * 31);
		/* Those behind the one that was taken away move up. */
		for (uint32_t k = 0; k < mesh->index_count / 3; k++) {
			uint32_t own = k - terrain->first_index / 3;
			uint32_t want = own < 31 ? (own < 7 ? own : own + 1) % 31 : 0;
			if (want & BSPSCENE_TAG_REMOVED) fail_msg("triangle %u is removed", (unsigned)k);
			assert_int_equal(mesh->triangle_tags[k], want);
		}
		bspscene_scene_free(scene);
		/* Without any there is no array. */
		memset(tags, 0, sizeof tags);
		scene = load(variant, &parts);
		assert_null(bspt_find_mesh(scene, "worldspawn")->triangle_tags);
		bspscene_scene_free(scene);
	}
}

/* ---- Faces ------------------------------------------------------------------------------------------------ */

static void faces_with_other_corners_are_dropped(void **state)
{
	(void)state;
	for (int32_t edges = 3; edges <= 5; edges += 2) {
		bspt_parts parts;
		assert_true(bspt_room_parts(&bspi_family_vbsp, variant_named("source20"), &parts));
		bspi_face faces[8];
		memcpy(faces, parts.map.faces, sizeof faces);
		faces[FINE_TERRAIN].edge_count = edges;
		parts.map.faces = faces;
		bspscene_scene *scene = load(variant_named("source20"), &parts);
		const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
		assert_null(bspt_find_face(scene, mesh, FINE_TERRAIN));
		assert_non_null(bspt_find_face(scene, mesh, TERRAIN));
		assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_FACE_DROPPED), 1);
		bspscene_scene_free(scene);
	}
}

/* In the 3D skybox when their middle is, although no leaf lists them; in a brush model when it has them. */
static void displacements_are_where_they_lie(void **state)
{
	(void)state;
	const bspi_variant *variant = variant_named("source20");
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	bspi_vertex vertices[32];
	bspi_dispinfo infos[2] = { parts.map.dispinfos[0], parts.map.dispinfos[1] };
	memcpy(vertices, parts.map.vertices, sizeof vertices);
	for (uint32_t i = 0; i < 4; i++) vertices[4 * FINE_TERRAIN + i].position[0] += 744;
	infos[1].start[0] += 744;
	parts.map.vertices = vertices;
	parts.map.dispinfos = infos;
	bspscene_scene *scene = load(variant, &parts);
	assert_non_null(bspt_find_face(scene, bspt_find_mesh(scene, "skybox"), FINE_TERRAIN));
	assert_null(bspt_find_face(scene, bspt_find_mesh(scene, "worldspawn"), FINE_TERRAIN));
	assert_non_null(bspt_find_face(scene, bspt_find_mesh(scene, "worldspawn"), TERRAIN));
	bspscene_scene_free(scene);

	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	bspi_model models[2] = { parts.map.models[0], parts.map.models[1] };
	models[0].face_count = TERRAIN;
	models[1].first_face = TERRAIN;
	models[1].face_count = 4;
	parts.map.models = models;
	scene = load(variant, &parts);
	const bspscene_mesh *door = bspt_find_mesh(scene, "*1");
	assert_non_null(bspt_find_face(scene, door, TERRAIN));
	assert_non_null(door->blend_weights);
	assert_null(bspt_find_mesh(scene, "worldspawn")->blend_alphas);
	bspscene_scene_free(scene);
}

/* Four sets of luxels one behind the other, each of the face's size; what the file has is what the pages have. */
static void bumped_displacements_have_four_sets(void **state)
{
	(void)state;
	enum { BUMPLIGHT = 0x800, GRASS = 5, SIDE = 9 };
	static uint8_t light[16384];
	const bspi_variant *variant = variant_named("source20");
	bspt_parts parts;
	bspscene_load_options options;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	bspi_texinfo infos[6];
	memcpy(infos, parts.map.texinfos, sizeof infos);
	infos[GRASS].flags |= BUMPLIGHT;
	parts.map.texinfos = infos;
	for (size_t i = 0; i < sizeof light; i++) light[i] = (uint8_t)(i * 7 % 253);
	parts.raw[VBSP_LIGHTING] = bspi_bytes_of(light, sizeof light);
	bspt_bytes file = bspt_encode_parts(variant, &parts);
	bspscene_load_options_init(&options);
	options.lightmap_encoding = BSPSCENE_LIGHTMAP_RAW;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, NULL);
	assert_non_null(scene);
	const bspscene_face *face = bspt_find_face(scene, bspt_find_mesh(scene, "worldspawn"), TERRAIN);
	assert_true(face->width == SIDE && face->height == SIDE);
	uint32_t sets = 0;
	for (uint32_t i = 0; i < scene->page_set_count; i++) {
		const bspscene_page_set *set = &scene->page_sets[i];
		const bspscene_page *page = &set->pages[face->page];
		if (set->style || set->kind == BSPSCENE_PAGES_DIRECTION) continue;
		uint32_t number = set->kind == BSPSCENE_PAGES_LIGHT ? 0 : 1 + (uint32_t)(set->kind - BSPSCENE_PAGES_BUMP_0);
		const uint8_t *stored = light + parts.map.faces[TERRAIN].light_offset + (size_t)(4 * SIDE * SIDE * number);
		for (uint32_t y = 0; y < SIDE; y++) {
			const uint8_t *row = (const uint8_t *)page->data + 4 * ((size_t)(face->y + y) * page->width + face->x);
			assert_memory_equal(row, stored + (size_t)(4 * SIDE * y), 4 * SIDE);
		}
		sets |= 1u << number;
	}
	assert_int_equal(sets, 0xf);
	bspscene_scene_free(scene);
	free(file.data);
}

/* ---- Neighbours ------------------------------------------------------------------------------------------- */

enum { MOST_VERTICES = 17 * 17 };

/* No straight line in any direction. */
static float hills(float x, float y)
{
	return 24 * sinf(x / 37 + 1) * cosf(y / 29 + 2) + (x * x - x * y) / 1024;
}

static void normal_of_hills(float x, float y, float out[3])
{
	out[0] = -24 / 37.0f * cosf(x / 37 + 1) * cosf(y / 29 + 2) - (2 * x - y) / 1024;
	out[1] = 24 / 29.0f * sinf(x / 37 + 1) * sinf(y / 29 + 2) + x / 1024;
	out[2] = 1;
}

static float cosine(const float a[3], const float b[3])
{
	float lengths = (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
	return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / sqrtf(lengths);
}

/* The vertices of a piece as they came out. */
typedef struct seen {
	const bspt_ground_piece *piece;
	uint32_t side;
	const float *positions, *normals;
} seen;

static seen see(const bspscene_scene *scene, const bspt_ground_piece *pieces, uint32_t index)
{
	const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
	const bspscene_face *face = bspt_find_face(scene, mesh, index);
	uint32_t side = (1u << pieces[index].power) + 1;
	assert_non_null(face);
	assert_int_equal(face->vertex_count, side * side);
	size_t first = 3 * (size_t)face->first_vertex;
	return (seen){ &pieces[index], side, mesh->positions + first, mesh->normals + first };
}

static float distance_from(const float *vertex, const float at[2])
{
	return hypotf(vertex[0] - at[0], vertex[1] - at[1]);
}

/* The height and the normal of a piece's border over a point; false: the point is not on it. */
static bool border_at(const seen *s, const float at[2], float *height, float normal[3])
{
	const bspt_ground_piece *p = s->piece;
	bool beside = at[0] < p->x || at[0] > p->x + p->size || at[1] < p->y || at[1] > p->y + p->size;
	bool inside = at[0] > p->x && at[0] < p->x + p->size && at[1] > p->y && at[1] < p->y + p->size;
	if (beside || inside) return false;
	/* Between the two nearest vertices, which are on the border too. */
	uint32_t near = 0, next = UINT32_MAX;
	for (uint32_t i = 1; i < s->side * s->side; i++) {
		if (distance_from(s->positions + 3 * i, at) < distance_from(s->positions + 3 * near, at)) near = i;
	}
	float cell = p->size / (float)(s->side - 1), way = distance_from(s->positions + 3 * near, at) / cell;
	for (uint32_t i = 0; i < s->side * s->side; i++) {
		float from_next = distance_from(s->positions + 3 * i, at) / cell;
		if (i != near && fabsf(from_next + way - 1) < 1e-3f) next = i;
	}
	if (way < 1e-3f) next = near;
	assert_int_not_equal(next, UINT32_MAX);
	*height = s->positions[3 * near + 2] * (1 - way) + s->positions[3 * next + 2] * way;
	const float *from = s->normals + 3 * near, *to = s->normals + 3 * next;
	for (int k = 0; k < 3; k++) normal[k] = from[k] * (1 - way) + to[k] * way;
	return true;
}

/* Every border vertex lies on all borders that pass there, and leans as they do. */
static void check_seams(const char *what, const seen *pieces, uint32_t count)
{
	for (uint32_t a = 0; a < count; a++) {
		for (uint32_t i = 0; i < pieces[a].side * pieces[a].side; i++) {
			const float *at = pieces[a].positions + 3 * i, *own = pieces[a].normals + 3 * i;
			for (uint32_t b = 0; b < count; b++) {
				float height, n[3];
				if (a == b || !border_at(&pieces[b], at, &height, n)) continue;
				if (fabsf(at[2] - height) > 1e-3f) {
					fail_msg("%s: vertex %u of %u is at %g, the border of %u at %g", what, (unsigned)i, (unsigned)a,
					         (double)at[2], (unsigned)b, (double)height);
				}
				if (cosine(own, n) < 0.99999f) {
					fail_msg("%s: vertex %u of %u leans away from %u", what, (unsigned)i, (unsigned)a, (unsigned)b);
				}
			}
		}
	}
}

/* Vertices are where the file has them, upright on the hills; those of finer edges beside coarser ones may be lower or
 * higher. */
static uint32_t count_moved(const seen *s)
{
	uint32_t moved = 0;
	for (uint32_t i = 0; i < s->side * s->side; i++) {
		const float *at = s->positions + 3 * i;
		float place[2], upright[3];
		bspt_ground_place(s->piece, i, place);
		assert_true(distance_from(at, place) < 1e-3f);
		normal_of_hills(at[0], at[1], upright);
		assert_true(cosine(s->normals + 3 * i, upright) > 0.9f);
		uint32_t x = i % s->side, y = i / s->side;
		bool on_border = y == 0 || x == 0 || y == s->side - 1 || x == s->side - 1;
		bool is_moved = fabsf(at[2] - hills(place[0], place[1])) > 1e-3f;
		assert_true(on_border || !is_moved);
		moved += is_moved;
	}
	return moved;
}

/* Returns how many vertices were moved. */
static uint32_t check_ground(const char *what, const bspi_variant *variant, const bspt_ground_piece *pieces,
                             uint32_t count)
{
	bspt_bytes file = bspt_build_ground(variant, pieces, count, hills);
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, NULL, &error);
	if (!scene) fail_msg("%s: %s", what, error.message);
	seen all[BSPT_GROUND_MOST];
	uint32_t moved = 0;
	for (uint32_t i = 0; i < count; i++) {
		all[i] = see(scene, pieces, i);
		moved += count_moved(&all[i]);
	}
	check_seams(what, all, count);
	assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_REFERENCE), 0);
	bspscene_scene_free(scene);
	free(file.data);
	return moved;
}

/* One beside, below or above the other, both begun at every corner, of every power; then two of half the size instead
 * of the second one. A finer edge has vertices between those of the coarser. */
static void every_two_neighbours_meet(void **state)
{
	(void)state;
	const bspi_variant *variant = variant_named("source20");
	static const float sides[4][2] = { { -128, 0 }, { 0, 128 }, { 128, 0 }, { 0, -128 } };
	for (uint32_t i = 0; i < 4 * 4 * 4 * 9; i++) {
		uint32_t side = i % 4, start = i / 4 % 4, other = i / 16 % 4;
		int32_t power = 2 + (int32_t)(i / 64 % 3), other_power = 2 + (int32_t)(i / 192);
		const float *to = sides[side];
		char what[64];
		snprintf(what, sizeof what, "side %u, corners %u and %u, powers %d and %d", (unsigned)side, (unsigned)start,
		         (unsigned)other, (int)power, (int)other_power);
		const bspt_ground_piece whole[2] = {
			{ 0, 0, 128, start, (start + other) % 4, power, false },
			{ to[0], to[1], 128, other, side, other_power, false },
		};
		int32_t fine = power > other_power ? power : other_power, coarse = power + other_power - fine;
		uint32_t between = (1u << fine) - (1u << coarse);
		assert_int_equal(check_ground(what, variant, whole, 2), between);
		/* The halves begin at different corners, one is as fine as the whole and one as asked. */
		float x = side == 0 ? -64 : side == 2 ? 128 : 0, y = side == 3 ? -64 : side == 1 ? 128 : 0;
		const bspt_ground_piece halves[3] = {
			whole[0], { x, y, 64, other, start, other_power, false },
			{ x + (side % 2 ? 64 : 0), y + (side % 2 ? 0 : 64), 64, (other + start) % 4, other, power, false },
		};
		check_ground(what, variant, halves, 3);
	}
}

/* Where two touch at a corner, nothing but the list of that corner knows. */
static void corners_alone_meet(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 16; i++) {
		const bspt_ground_piece pieces[] = {
			{ 0, 0, 128, i % 4, 0, 3, false }, { 128, 128, 128, i / 4, 0, 2, false },
			{ 128, -64, 64, i % 4, 0, 4, false },
		};
		char what[32];
		snprintf(what, sizeof what, "corners %u and %u", (unsigned)(i % 4), (unsigned)(i / 4));
		assert_int_equal(check_ground(what, variant_named("source20"), pieces, 3), 0);
	}
}

/* One that lists the other is enough, and what two have in common with a third they have in common. */
static void one_sided_lists_will_do(void **state)
{
	(void)state;
	for (uint32_t known = 0; known < 4; known++) {
		bspt_ground_piece pieces[4] = {
			{ 0, 0, 128, 0, 0, 2, true }, { 128, 0, 128, 1, 0, 2, true },
			{ 0, 128, 128, 2, 0, 2, true }, { 128, 128, 128, 3, 0, 2, true },
		};
		/* Opposite ones, with what they know, name all others. */
		pieces[known].knows_nobody = pieces[known ^ 3].knows_nobody = false;
		assert_int_equal(check_ground("one-sided lists", variant_named("source20"), pieces, 4), 0);
	}
}

/* Corners where three and four meet, halves beside halves, in every version; how each is turned and cut is drawn by
 * lot. */
static void quilts_have_no_seams(void **state)
{
	(void)state;
	static const float places[][3] = {
		{ 0, 0, 128 }, { 128, 0, 64 }, { 128, 64, 64 }, { 192, 0, 64 }, { 192, 64, 64 }, { 256, 0, 128 },
		{ 0, 128, 64 }, { 64, 128, 64 }, { 0, 192, 64 }, { 64, 192, 64 }, { 128, 128, 128 }, { 256, 128, 128 },
	};
	enum { COUNT = sizeof places / sizeof *places };
	uint32_t lot = 1;
	for (uint32_t round = 0; round < 64; round++) {
		bspt_ground_piece pieces[COUNT];
		char what[16];
		for (uint32_t i = 0; i < COUNT; i++) {
			lot = lot * 1664525 + 1013904223;
			pieces[i] = (bspt_ground_piece){
				.x = places[i][0], .y = places[i][1], .size = places[i][2], .start = lot >> 30,
				.first = lot >> 28 & 3, .power = 2 + (int32_t)((lot >> 20 & 255) % 3),
			};
		}
		snprintf(what, sizeof what, "quilt %u", (unsigned)round);
		check_ground(what, &bspi_family_vbsp.variants[round % bspi_family_vbsp.variant_count], pieces, COUNT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_two_neighbours_meet),
		cmocka_unit_test(corners_alone_meet),
		cmocka_unit_test(one_sided_lists_will_do),
		cmocka_unit_test(quilts_have_no_seams),
		cmocka_unit_test(tags_are_those_of_their_triangles),
		cmocka_unit_test(faces_with_other_corners_are_dropped),
		cmocka_unit_test(displacements_are_where_they_lie),
		cmocka_unit_test(bumped_displacements_have_four_sets),
		cmocka_unit_test(weights_are_those_of_their_vertices),
		cmocka_unit_test(black_mesas_lump_is_told_by_its_size),
		cmocka_unit_test(other_numbers_of_weights_are_left_out),
		cmocka_unit_test(odd_weights_stay_between_0_and_1),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
