/* Promise: a map gives the same scene if it is stored in another way. Lumps may be elsewhere in the file, some records
 * may be unused, entities or faces may be in another order, and targets may be renamed. If color channels are swapped
 * in the file, they are swapped in the scene. A style at intensity 0 gives the same light as a map without this
 * style. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/bake.h>

#include "support/map/map_reading.h"
#include "support/metamorphic/move_entities.h"
#include "support/metamorphic/moved_scene.h"
#include "support/store.h"

static bspscene_scene *load_bytes(const char *name, const uint8_t *data, size_t size)
{
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	options.include_mask = BSPSCENE_SURFACE_ALL;
	bspscene_scene *scene = bspscene_load_memory(data, size, &options, &error);
	if (!scene) fail_msg("%s: %s", name, error.message);
	return scene;
}

static bspscene_scene *load_parts(const bspi_variant *variant, const bspt_parts *parts)
{
	bspt_bytes file = bspt_encode_parts(variant, parts);
	bspscene_scene *scene = load_bytes(variant->name, file.data, file.size);
	free(file.data);
	return scene;
}

typedef void check_fn(const bspi_family *family, const bspi_variant *variant, bspt_report *report);

/* Checks every `step`-th variant, and always the first of each family. */
static void for_each_variant(uint32_t step, check_fn *check)
{
	bspt_report report = { 0 };
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		for (uint32_t v = 0; v < bspi_families[f]->variant_count; v += step) {
			bspt_context(&report, "%s", bspt_variant_name(bspi_families[f], &bspi_families[f]->variants[v]));
			check(bspi_families[f], &bspi_families[f]->variants[v], &report);
		}
	}
	bspt_assert_clean(&report);
}

/* ---- Bytes elsewhere -------------------------------------------------------------------------------------- */

/* Returns whether the file states offsets of parts inside the lump. Such offsets would be wrong after the lump
 * moves. */
static bool has_inner_places(const bspi_map *map, const bspi_lump_place *lump)
{
	uint32_t offset = bspi_load_u32(map->file.data + lump->at), size = bspi_load_u32(map->file.data + lump->size_at);
	for (uint32_t i = 0; i < map->lump_place_count; i++) {
		const bspi_lump_place *place = &map->lump_places[i];
		uint32_t at = bspi_load_u32(map->file.data + place->at);
		if (place->inner && at >= offset && at < offset + size) return true;
	}
	return false;
}

/* Returns the offset of the first lump. The test does not move this lump, because some variants are recognized by the
 * lump at the beginning of the data. */
static uint32_t first_offset(const bspi_map *map)
{
	uint32_t first = UINT32_MAX;
	for (uint32_t i = 0; i < map->lump_place_count; i++) {
		uint32_t offset = bspi_load_u32(map->file.data + map->lump_places[i].at);
		if (offset && offset < first) first = offset;
	}
	return first;
}

/* Writes copies of the map's lumps after the file, in reverse order, and overwrites the originals. Returns the new
 * size. */
static size_t move_lumps(const bspi_map *map, uint8_t *moved, size_t room)
{
	uint32_t first = first_offset(map);
	size_t end = (map->file.size + 15) / 16 * 16;
	for (uint32_t i = map->lump_place_count; i-- > 0;) {
		const bspi_lump_place *place = &map->lump_places[i];
		uint32_t offset = bspi_load_u32(map->file.data + place->at);
		uint32_t size = bspi_load_u32(map->file.data + place->size_at);
		if (place->inner || !size || offset == first || has_inner_places(map, place)) continue;
		assert_true(end + size + 16 <= room);
		memset(moved + offset, 0xa5, size);
		memcpy(moved + end, map->file.data + offset, size);
		bspt_store_u32(moved + place->at, (uint32_t)end);
		end += ((size_t)size + 15) / 16 * 16;
	}
	return end;
}

static void check_lumps_elsewhere(const bspi_family *family, const bspi_variant *variant, bspt_report *report)
{
	bspt_parts parts;
	bspt_reading reading;
	if (!strcmp(variant->magic, "PSBV")) return; /* the test cannot change big-endian offsets */
	if (!bspt_room_parts(family, variant, &parts)) fail_msg("no room of %s", family->about.name);
	parts.bspx_count = 0;              /* BSPX lumps are found after the last lump, which moves */
	bspt_bytes file = bspt_encode_parts(variant, &parts);
	if (!bspt_read_bytes(&reading, file.data, file.size, true)) fail_msg("%s", reading.ctx.error.message);
	size_t room = 3 * (file.size + 4096);
	uint8_t *moved = calloc(1, room);
	assert_non_null(moved);
	memcpy(moved, file.data, file.size);
	size_t size = move_lumps(&reading.map, moved, room);
	bspscene_scene *a = load_bytes(variant->name, file.data, file.size), *b = load_bytes(variant->name, moved, size);
	BSPT_EXPECT(report, bspt_scene_hash(a) == bspt_scene_hash(b), "another scene with its lumps elsewhere");
	bspscene_scene_free(a);
	bspscene_scene_free(b);
	bspt_end_reading(&reading);
	free(moved);
	free(file.data);
}

static void test_lumps_elsewhere(void **state)
{
	(void)state;
	for_each_variant(1, check_lumps_elsewhere);
}

/* ---- Records ---------------------------------------------------------------------------------------------- */

/* Repeats the last record of an array. Returns false if there is none. */
static bool add_record(bspt_own_parts *own, int array)
{
	const bspi_array_info *info = &bspi_array_infos[array];
	uint32_t count;
	uint8_t *counted = (uint8_t *)&own->parts.map + info->count_offset, *records = own->arrays[array];
	memcpy(&count, counted, sizeof count);
	if (!count) return false;
	memcpy(records + count * info->size, records + (count - 1) * info->size, info->size);
	count++;
	memcpy(counted, &count, sizeof count);
	return true;
}

/* Returns whether each record has an entry in another lump that no table describes. This holds for the planes of Call
 * of Duty's brushes and the vertex colors of Genesis3D. */
static bool has_parallel(const bspi_family *family, int array)
{
	if (!strncmp(family->about.name, "callofduty", 10)) return array == BSPI_ARRAY_brush_sides;
	return !strcmp(family->about.name, "genesis3d") && array == BSPI_ARRAY_edges;
}

static void check_unused(const bspi_family *family, const bspi_variant *variant, bspt_report *report)
{
	static const int arrays[] = {
		BSPI_ARRAY_planes,       BSPI_ARRAY_vertices,           BSPI_ARRAY_edges,
		BSPI_ARRAY_surfedges,    BSPI_ARRAY_draw_vertices,      BSPI_ARRAY_draw_indices,
		BSPI_ARRAY_normals,      BSPI_ARRAY_primitive_vertices, BSPI_ARRAY_primitive_indices,
		BSPI_ARRAY_leaf_brushes, BSPI_ARRAY_brush_sides,
	};
	bspt_own_parts own;
	bspscene_scene *a = NULL;
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
		bspt_own_parts_take(&own, family, variant);
		if (!a) a = load_parts(variant, &own.parts);
		bool added = !has_parallel(family, arrays[i]) && add_record(&own, arrays[i]);
		bool vertex = arrays[i] == BSPI_ARRAY_draw_vertices || arrays[i] == BSPI_ARRAY_vertices;
		if (added && vertex) add_record(&own, BSPI_ARRAY_vertex_normals);
		if (added && arrays[i] == BSPI_ARRAY_draw_vertices) add_record(&own, BSPI_ARRAY_draw_vertex_styles);
		if (added) {
			bspscene_scene *b = load_parts(variant, &own.parts);
			/* Only this count may differ, because it counts the records of the file. */
			((bspscene_counts *)b->counts)->vertex_records = a->counts->vertex_records;
			BSPT_EXPECT(report, bspt_scene_hash(a) == bspt_scene_hash(b), "another scene with one more of %s",
			            bspi_array_infos[arrays[i]].name);
			bspscene_scene_free(b);
		}
		bspt_own_parts_free(&own);
	}
	bspscene_scene_free(a);
}

static void test_unused_records(void **state)
{
	(void)state;
	for_each_variant(4, check_unused);
}

static bool is_one_of(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name)) names++;
	return *names != NULL;
}

/* Reverses the order of the world's faces. Families in which another lump also has data for each face are left out. */
static void check_face_order(const bspi_family *family, const bspi_variant *variant, bspt_report *report)
{
	static const char *const families[] = { "quake", "goldsrc", "quake2", "quake3", "nightfire", NULL };
	bspt_own_parts own;
	if (!is_one_of(family->about.name, families)) return;
	bspt_own_parts_take(&own, family, variant);
	own.parts.bspx_count = 0;
	bspscene_scene *a = load_parts(variant, &own.parts);
	bspi_map *map = &own.parts.map;
	int32_t count = map->models[0].face_count;
	for (int32_t i = 0; i < count / 2; i++) {
		bspi_face first = map->faces[i];
		map->faces[i] = map->faces[count - 1 - i];
		map->faces[count - 1 - i] = first;
		if (strcmp(family->about.name, "nightfire") != 0) continue;
		bspi_texinfo look = map->texinfos[i];
		map->texinfos[i] = map->texinfos[count - 1 - i];
		map->texinfos[count - 1 - i] = look;
	}
	for (uint32_t i = 0; i < map->leaf_faces_count; i++) {
		uint32_t *index = &map->leaf_faces[i].value;
		if (*index < (uint32_t)count) *index = (uint32_t)count - 1 - *index;
	}
	bspscene_scene *b = load_parts(variant, &own.parts);
	bspt_check_moved(a, b, &bspt_unmoved, BSPT_OTHER_RECORDS, report);
	bspscene_scene_free(a);
	bspscene_scene_free(b);
	bspt_own_parts_free(&own);
}

static void test_face_order(void **state)
{
	(void)state;
	for_each_variant(1, check_face_order);
}

/* ---- Entities --------------------------------------------------------------------------------------------- */

static void check_entity_order(const bspi_family *family, const bspi_variant *variant, bspt_report *report)
{
	bspt_own_parts own;
	bspt_own_parts_take(&own, family, variant);
	if (own.entities < BSPI_MAX_LUMPS) {
		bspscene_scene *a = load_parts(variant, &own.parts);
		bspt_own_parts_set_text(&own, bspt_reverse_entities((const char *)own.parts.raw[own.entities].data));
		bspscene_scene *b = load_parts(variant, &own.parts);
		bspt_check_moved(a, b, &bspt_unmoved, BSPT_OTHER_ENTITY_ORDER, report);
		bspscene_scene_free(a);
		bspscene_scene_free(b);
	}
	bspt_own_parts_free(&own);
}

static void test_entity_order(void **state)
{
	(void)state;
	for_each_variant(2, check_entity_order);
}

/* ---- Channels --------------------------------------------------------------------------------------------- */

static void swap_ends(uint8_t *bytes, size_t size, size_t step)
{
	for (size_t i = 0; i + step <= size; i += step) {
		uint8_t red = bytes[i];
		bytes[i] = bytes[i + 2];
		bytes[i + 2] = red;
	}
}

/* Returns the bytes in `file` that correspond to `part` of the map's own file. Returns NULL if `part` is not in that
 * file. */
static uint8_t *inside(const bspi_map *map, bspi_bytes part, uint8_t *file)
{
	bool is_there = part.size && part.data >= map->file.data && part.data < map->file.data + map->file.size;
	return is_there ? file + (part.data - map->file.data) : NULL;
}

static size_t luxel_size(bspi_light_encoding encoding)
{
	switch (encoding) {
	case BSPI_LIGHT_RGB8: return 3;
	case BSPI_LIGHT_RGBEXP32: return 4;
	case BSPI_LIGHT_RGB8_FROM: return 6;
	default: return 0;
	}
}

/* Swaps red and blue of all luxels. Returns false if the map has none that can be swapped. */
static bool swap_light(const bspi_map *map, uint8_t *file)
{
	if (!strcmp(map->family, "genesis3d")) return false; /* one more byte comes before each face's luxels */
	size_t size = luxel_size(map->rules.light_encoding);
	uint8_t *light = inside(map, map->lighting, file);
	if (!size || !light || map->rules.made_pages) return false;
	swap_ends(light, map->lighting.size, size);
	return true;
}

static void check_swapped(const bspscene_scene *a, const bspscene_scene *b, bspt_report *report)
{
	BSPT_EXPECT(report, a->lightmap_page_count == b->lightmap_page_count && a->lightmap_page_count,
	            "another number of pages");
	for (uint32_t set = 0; set < a->lightmap_set_count; set++) {
		bool colors = a->lightmap_sets[set].kind != BSPSCENE_LIGHTMAP_SET_DIRECTION;
		for (uint32_t i = 0; i < a->lightmap_page_count; i++) {
			const bspscene_lightmap_page *p = &a->lightmap_sets[set].pages[i], *q = &b->lightmap_sets[set].pages[i];
			BSPT_EXPECT(report, p->width == q->width && p->height == q->height && !p->data == !q->data, "another page");
			if (!p->data || p->format != BSPSCENE_LIGHTMAP_PAGE_RGB8) continue;
			size_t size = (size_t)p->width * p->height * 3;
			uint8_t *swapped = malloc(size);
			assert_non_null(swapped);
			memcpy(swapped, q->data, size);
			if (colors) swap_ends(swapped, size, 3);
			BSPT_EXPECT(report, !memcmp(swapped, p->data, size), "set %u, page %u is not swapped", set, i);
			free(swapped);
		}
	}
}

static void check_channels(const bspi_family *family, const bspi_variant *variant, bspt_report *report)
{
	bspt_bytes file = bspt_build_room(family, variant);
	bspt_reading reading;
	if (!bspt_read_bytes(&reading, file.data, file.size, true)) fail_msg("%s", reading.ctx.error.message);
	uint8_t *swapped = malloc(file.size);
	assert_non_null(swapped);
	memcpy(swapped, file.data, file.size);
	if (swap_light(&reading.map, swapped)) {
		bspscene_scene *a = load_bytes(variant->name, file.data, file.size);
		bspscene_scene *b = load_bytes(variant->name, swapped, file.size);
		check_swapped(a, b, report);
		bspt_check_moved(a, b, &bspt_unmoved, BSPT_OTHER_LUXELS, report);
		bspscene_scene_free(a);
		bspscene_scene_free(b);
	}
	bspt_end_reading(&reading);
	free(swapped);
	free(file.data);
}

static void test_channels(void **state)
{
	(void)state;
	for_each_variant(2, check_channels);
}

/* ---- Styles ----------------------------------------------------------------------------------------------- */

static bspscene_scene *bake(const bspscene_scene *scene, const float styles[256])
{
	bspscene_bake_options options;
	bspscene_error error;
	bspscene_bake_options_init(&options);
	options.light_styles = styles;
	bspscene_scene *out = bspscene_bake_light(scene, &options, &error);
	if (!out) fail_msg("%s", error.message);
	return out;
}

/* Removes all further styles from faces whose first style is 0. Luxels of the first style come first, so these faces
 * still find their luxels. Returns how many styles were removed. */
static uint32_t drop_styles(bspi_map *map)
{
	uint32_t dropped = 0;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		for (int k = 1; k < BSPI_MAX_STYLES; k++) {
			dropped += map->faces[i].styles[0] == 0 && map->faces[i].styles[k] != 255 && map->faces[i].styles[k] != 0;
			if (map->faces[i].styles[0] == 0 && map->faces[i].styles[k] != 0) map->faces[i].styles[k] = 255;
		}
	}
	return dropped;
}

static void check_styles(const bspi_family *family, const bspi_variant *variant, bspt_report *report)
{
	bspt_own_parts own;
	float first_only[256] = { 1 }, all[256];
	for (int i = 0; i < 256; i++) all[i] = 1;
	bspt_own_parts_take(&own, family, variant);
	own.parts.bspx_count = 0;
	bspscene_scene *a = load_parts(variant, &own.parts);
	bool has_blocks = variant->rules->light_storage == BSPI_STORAGE_BLOCKS;
	if (has_blocks && drop_styles(&own.parts.map)) {
		bspscene_scene *b = load_parts(variant, &own.parts);
		bspscene_scene *dark = bake(a, first_only), *without = bake(b, first_only), *bright = bake(a, all);
		bspt_check_moved(dark, without, &bspt_unmoved, 0, report);
		bspt_report differing = { 0 };
		bspt_check_moved(bright, without, &bspt_unmoved, 0, &differing);
		BSPT_EXPECT(report, differing.failures, "the style shines nowhere");
		bspscene_scene_free(dark);
		bspscene_scene_free(without);
		bspscene_scene_free(bright);
		bspscene_scene_free(b);
	}
	bspscene_scene_free(a);
	bspt_own_parts_free(&own);
}

static void test_styles(void **state)
{
	(void)state;
	for_each_variant(2, check_styles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lumps_elsewhere), cmocka_unit_test(test_unused_records),
		cmocka_unit_test(test_face_order),      cmocka_unit_test(test_entity_order),
		cmocka_unit_test(test_channels),        cmocka_unit_test(test_styles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
