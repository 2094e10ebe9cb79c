/* Promise: a map in Nightfire's format gives the same scene as in GoldSrc's. The atrium, compiled for GoldSrc, is
 * written as a Nightfire map: both scenes have the same corners, texture coordinates, luxels, leafs, lights and
 * positions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/build_map.h"
#include "support/make/build_picture.h"

#define MAP "atrium/goldsrc/maps/atrium_wad.bsp"
#define GAME "atrium/goldsrc"

enum { VISIBILITY = 7, LIGHTING = 10, LUMP_COUNT = 18, SURF_SKY = 0x4, SURF_TRIGGER = 0x200000, LARGEST_ROW = 64 };

/* ---- GoldSrc's map as Nightfire's ------------------------------------------------------------------------- */

typedef struct atrium {
	bspi_ctx ctx;
	bspt_bytes file;
	bspi_map map;                      /* the map as read from the file in GoldSrc's format */
	bspt_parts parts;
} atrium;

#define MAKE(a, name, type, count) \
	((a)->parts.map.name##_count = (uint32_t)(count), \
	 (a)->parts.map.name = bspi_push(&(a)->ctx, &(a)->ctx.scratch, type, (a)->parts.map.name##_count))

static const float *corner_of(const bspi_map *map, const bspi_face *face, int32_t index)
{
	int32_t surfedge = map->surfedges[face->first_edge + index].value;
	const bspi_edge *edge = &map->edges[surfedge < 0 ? -surfedge : surfedge];
	return map->vertices[edge->vertices[surfedge < 0]].position;
}

/* Makes the planes. Every plane is followed by its opposite, so that no face needs its side flag. */
static void make_planes(atrium *a)
{
	bspi_plane *planes = MAKE(a, planes, bspi_plane, 2 * a->map.planes_count);
	for (uint32_t i = 0; i < a->map.planes_count; i++) {
		planes[2 * i] = planes[2 * i + 1] = a->map.planes[i];
		for (int k = 0; k < 3; k++) planes[2 * i + 1].normal[k] = -planes[2 * i].normal[k];
		planes[2 * i + 1].distance = -planes[2 * i].distance;
	}
	bspi_node *nodes = MAKE(a, nodes, bspi_node, a->map.nodes_count);
	for (uint32_t i = 0; i < a->map.nodes_count; i++) {
		nodes[i] = a->map.nodes[i];
		nodes[i].plane *= 2;
	}
}

/* Makes two projections for each texinfo. The first half of the list is for textures. The second half is for light, and
 * equals the first half divided by 16 texels. */
static void make_projections(atrium *a)
{
	uint32_t count = a->map.texinfos_count;
	bspi_light_projection *projections = MAKE(a, light_projections, bspi_light_projection, 2 * count);
	for (uint32_t i = 0; i < count; i++) {
		for (int k = 0; k < 8; k++) {
			float value = a->map.texinfos[i].texture_vectors[k / 4][k % 4];
			projections[i].vectors[k / 4][k % 4] = value;
			projections[count + i].vectors[k / 4][k % 4] = value / 16;
		}
	}
}

static uint32_t flags_of(const char *texture)
{
	if (!strncmp(texture, "sky", 3)) return SURF_SKY;
	return strcmp(texture, "aaatrigger") ? 0 : SURF_TRIGGER;
}

static void make_surfaces(atrium *a)
{
	uint32_t corners = 0, count = a->map.faces_count;
	for (uint32_t i = 0; i < count; i++) corners += (uint32_t)a->map.faces[i].edge_count;
	bspi_face *surfaces = MAKE(a, faces, bspi_face, count);
	bspi_texinfo *looks = MAKE(a, texinfos, bspi_texinfo, count);
	bspi_draw_vertex *vertices = MAKE(a, draw_vertices, bspi_draw_vertex, corners);
	bspi_index *indices = MAKE(a, draw_indices, bspi_index, 3 * (corners - 2 * count));
	int32_t vertex = 0, index = 0;
	for (uint32_t i = 0; i < count; i++) {
		const bspi_face *face = &a->map.faces[i];
		surfaces[i] = (bspi_face){ .plane = 2 * face->plane + (face->side != 0), .first_vertex = vertex,
		                           .vertex_count = face->edge_count, .first_index = index,
		                           .index_count = 3 * (face->edge_count - 2), .texinfo = face->texinfo,
		                           .light_projection = (int32_t)a->map.texinfos_count + face->texinfo,
		                           .light_offset = face->light_offset };
		memcpy(surfaces[i].styles, face->styles, sizeof face->styles);
		looks[i] = (bspi_texinfo){ .flags = flags_of(a->map.textures[face->texture].name), .texture = face->texture };
		for (int32_t k = 0; k < face->edge_count; k++) {
			memcpy(vertices[vertex++].position, corner_of(&a->map, face, k), 3 * sizeof(float));
		}
		for (int32_t k = 1; k + 1 < face->edge_count; k++) {
			indices[index++].value = 0;
			indices[index++].value = (uint32_t)k;
			indices[index++].value = (uint32_t)k + 1;
		}
	}
}

/* Makes the leafs and their visibility. Rows of visibility are padded to four bytes. The leafs of brush models have no
 * row. */
static void make_leafs(atrium *a)
{
	static uint8_t rows[LARGEST_ROW * 8 * LARGEST_ROW];
	const bspi_map *map = &a->map;
	size_t row_size = (map->vis_row_size + 3) / 4 * 4;
	assert_true(map->cluster_count && row_size <= LARGEST_ROW && map->cluster_count <= 8 * LARGEST_ROW);
	memset(rows, 0, sizeof rows);
	for (uint32_t i = 0; i < map->cluster_count; i++) {
		memcpy(rows + i * row_size, map->vis_rows + i * map->vis_row_size, map->vis_row_size);
	}
	a->parts.raw[VISIBILITY] = bspi_bytes_of(rows, map->cluster_count * row_size);
	bspi_leaf *leafs = MAKE(a, leafs, bspi_leaf, map->leafs_count);
	for (uint32_t i = 0; i < map->leafs_count; i++) {
		leafs[i] = map->leafs[i];
		leafs[i].contents = i ? 1 : 2;
		leafs[i].vis_offset = !i ? 0 : i <= map->cluster_count ? (int32_t)((i - 1) * row_size) : -1;
	}
}

static void read_atrium(atrium *a)
{
	memset(a, 0, sizeof *a);
	a->ctx.file = MAP;
	a->ctx.budget.limit = 64u << 20;
	bspi_begin_memory(&a->ctx);
	a->file = bspt_read_fixture(MAP);
	bool read = bspi_read_map(&a->ctx, bspi_bytes_of(a->file.data, a->file.size), &a->map);
	if (!read) fail_msg("%s", a->ctx.error.message);
	for (uint32_t i = 0; i < BSPI_MAX_LUMPS; i++) a->parts.raw[i] = BSPI_NO_BYTES;
	static bspi_effect effects[] = { { "wld_lightmap" } };
	make_planes(a);
	make_projections(a);
	make_surfaces(a);
	make_leafs(a);
	a->parts.map.effects = effects;
	a->parts.map.effects_count = 1;
	a->parts.map.textures = a->map.textures;
	a->parts.map.textures_count = a->map.textures_count;
	a->parts.map.models = a->map.models;
	a->parts.map.models_count = a->map.models_count;
	a->parts.map.leaf_faces = a->map.leaf_faces;
	a->parts.map.leaf_faces_count = a->map.leaf_faces_count;
	a->parts.raw[0] = a->map.entities;
	a->parts.raw[LIGHTING] = a->map.lighting;
	a->parts.lump_count = LUMP_COUNT;
}

/* ---- Both scenes ------------------------------------------------------------------------------------------ */

enum { MOST_PICTURES = 64 };
typedef struct pictures {
	const bspi_map *map;
	bspt_bytes made[MOST_PICTURES];
	uint32_t count;
} pictures;

/* Makes textures/NAME.png for every texture of the map, black, in the size that GoldSrc's file states. */
static bool open_picture(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	static const uint8_t black[256 * 256 * 3];
	pictures *p = user;
	(void)kind;
	for (uint32_t i = 0; i < p->map->textures_count; i++) {
		const bspi_texture *texture = &p->map->textures[i];
		size_t length = strlen(texture->name);
		bool starts = !strncmp(path, "textures/", 9) && !strncmp(path + 9, texture->name, length);
		if (!starts || strcmp(path + 9 + length, ".png")) continue;
		assert_true(p->count < MOST_PICTURES && texture->width <= 256 && texture->height <= 256);
		bspt_png png = {
			.width = texture->width, .height = texture->height, .color_type = 2, .depth = 8, .rows = black,
		};
		bspt_bytes *made = &p->made[p->count++];
		*made = bspt_encode_png(&png);
		*stream = (bspscene_stream){ .data = made->data, .size = made->size, .origin = "a game" };
		return true;
	}
	return false;
}

static bspscene_scene *load(bspt_bytes file, bspscene_open_file_fn *open_file, void *user)
{
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	options.include_mask = BSPSCENE_SURFACE_SKY | BSPSCENE_SURFACE_TRIGGER;
	options.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_RAW;
	options.open_file = open_file;
	options.file_user = user;
	options.strict = true;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
	if (!scene) fail_msg("%s", error.message);
	return scene;
}

/* ---- Comparing -------------------------------------------------------------------------------------------- */

static const bspscene_face *find_face(const bspscene_scene *scene, uint32_t source)
{
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (scene->faces[i].record == source) return &scene->faces[i];
	}
	fail_msg("no face %u", (unsigned)source);
	return NULL;
}

static void compare_floats(const float *a, const float *b, size_t count, float tolerance, const char *what,
                           uint32_t source)
{
	for (size_t i = 0; i < count; i++) {
		if (fabsf(a[i] - b[i]) <= tolerance) continue;
		fail_msg("face %u: %s %g, in GoldSrc %g", (unsigned)source, what, (double)a[i], (double)b[i]);
	}
}

static void compare_geometry(const bspscene_scene *nf, const bspscene_face *a, const bspscene_scene *gs,
                             const bspscene_face *b)
{
	const bspscene_mesh *m = nf->meshes[a->mesh], *n = gs->meshes[b->mesh];
	uint32_t count = a->vertex_count;
	assert_int_equal(count, b->vertex_count);
	assert_int_equal(a->index_count, b->index_count);
	assert_int_equal(a->leaf, b->leaf);
	assert_int_equal(a->cluster, b->cluster);
	const float *positions = m->positions + 3 * a->first_vertex, *normals = m->normals + 3 * a->first_vertex;
	compare_floats(positions, n->positions + 3 * b->first_vertex, 3 * count, 0, "position", a->record);
	compare_floats(normals, n->normals + 3 * b->first_vertex, 3 * count, 1e-6f, "normal", a->record);
	compare_floats(m->uvs + 2 * a->first_vertex, n->uvs + 2 * b->first_vertex, 2 * count, 0, "uv", a->record);
}

static const uint8_t *page_of(const bspscene_scene *scene, uint32_t page, uint8_t style)
{
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		if (scene->lightmap_sets[i].style == style) return scene->lightmap_sets[i].pages[page].data;
	}
	fail_msg("no pages of style %u", style);
	return NULL;
}

/* Gets the luxel coordinates of a vertex, relative to the first corner of the face's rectangle on its page. */
static void luxel_of(const bspscene_scene *scene, const bspscene_face *face, uint32_t vertex, float out[2])
{
	const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[face->lightmap_page];
	const float *uv = scene->meshes[face->mesh]->lightmap_uvs + 2 * (face->first_vertex + vertex);
	out[0] = uv[0] * (float)page->width - (float)face->lightmap_x;
	out[1] = uv[1] * (float)page->height - (float)face->lightmap_y;
}

static uint32_t compare_light(const bspscene_scene *nf, const bspscene_face *a, const bspscene_scene *gs,
                              const bspscene_face *b)
{
	assert_int_equal(a->lightmap_width, b->lightmap_width);
	assert_int_equal(a->lightmap_height, b->lightmap_height);
	assert_memory_equal(a->styles, b->styles, 4);
	for (uint32_t i = 0; i < a->vertex_count; i++) {
		float here[2], there[2];
		luxel_of(nf, a, i, here);
		luxel_of(gs, b, i, there);
		compare_floats(here, there, 2, 1e-3f, "luxel", a->record);
	}
	uint32_t width = nf->lightmap_sets[0].pages[a->lightmap_page].width,
			 other = gs->lightmap_sets[0].pages[b->lightmap_page].width, luxels = 0;
	for (uint32_t slot = 0; slot < 4 && a->styles[slot] != 255; slot++) {
		const uint8_t *p = page_of(nf, a->lightmap_page, a->styles[slot]),
					  *q = page_of(gs, b->lightmap_page, a->styles[slot]);
		for (uint32_t y = 0; y < a->lightmap_height; y++, luxels += a->lightmap_width) {
			assert_memory_equal(p + 3 * ((a->lightmap_y + y) * width + a->lightmap_x),
			                    q + 3 * ((b->lightmap_y + y) * other + b->lightmap_x), 3 * a->lightmap_width);
		}
	}
	return luxels;
}

static void compare_world(const bspscene_scene *nf, const bspscene_scene *gs)
{
	assert_int_equal(nf->vis->cluster_count, gs->vis->cluster_count);
	for (uint32_t i = 0; i < gs->vis->cluster_count; i++) {
		assert_memory_equal(nf->vis->rows + i * nf->vis->row_size, gs->vis->rows + i * gs->vis->row_size,
		                    gs->vis->row_size);
	}
	assert_int_equal(nf->light_count, gs->light_count);
	assert_int_equal(nf->camera_count, gs->camera_count);
	assert_int_equal(nf->node_count, gs->node_count);
	for (uint32_t i = 0; i < gs->node_count; i++) {
		assert_string_equal(nf->nodes[i]->name, gs->nodes[i]->name);
		compare_floats(nf->nodes[i]->transform, gs->nodes[i]->transform, 12, 0, "node", i);
	}
}

static void test_same_scene(void **state)
{
	(void)state;
	static atrium a;
	read_atrium(&a);
	pictures made = { .map = &a.map };
	bspt_bytes file = bspt_encode_parts(&bspi_family_nightfire.variants[0], &a.parts);
	bspscene_file_system *files = bspt_mount_fixtures(GAME, NULL);
	bspscene_scene *nf = load(file, open_picture, &made), *gs = load(a.file, bspscene_file_system_open, files);
	assert_string_equal(nf->variant, "nightfire");
	assert_int_equal(nf->face_count, gs->face_count);
	uint32_t lit = 0, luxels = 0;
	for (uint32_t i = 0; i < gs->face_count; i++) {
		const bspscene_face *face = &gs->faces[i], *same = find_face(nf, face->record);
		compare_geometry(nf, same, gs, face);
		if (face->lightmap_page == BSPSCENE_NO_INDEX) continue;
		luxels += compare_light(nf, same, gs, face);
		lit++;
	}
	print_message("%u faces, %u lit, %u luxels\n", (unsigned)gs->face_count, (unsigned)lit, (unsigned)luxels);
	assert_true(lit > 500 && luxels > 30000);
	compare_world(nf, gs);
	bspscene_scene_free(nf);
	bspscene_scene_free(gs);
	bspscene_file_system_free(files);
	for (uint32_t i = 0; i < made.count; i++) free(made.made[i].data);
	free(file.data);
	free(a.file.data);
	bspi_end_memory(&a.ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_same_scene) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
