/* Promise: static props of every layout that Source's games write are read with all their fields, and with defaults for
 * others. Damaged props are counted and the rest are kept. The layouts in this test follow docs/formats/source.md, not
 * the library's tables. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "families/vbsp/vbsp_tables.h"
#include "support/make/build_map.h"
#include "support/check/scene_find.h"
#include "support/store.h"

/* ---- The layouts ------------------------------------------------------------------------------------------- */

typedef enum fact {
	NOTHING, FLAGS, SKIN, FADES, LIT_AT, FADE_SCALE, DX, LEVELS, COLOR, WIDE_FLAGS, LUXELS, FLAGS_EX, SCALE, STRETCH,
	NAME, SCALED, FACTS                /* SCALED: a list of scales comes before the props */
} fact;

typedef struct prop_layout {
	const char *variant;               /* name of the map's variant */
	uint32_t version, size;
	bool two_lists;                    /* true if the lump has two lists of model names */
	struct { fact fact; uint32_t at; } fields[12];
} prop_layout;

/* Each entry is a field and its offset. The first 31 bytes of every record are origin, angles, model, leafs and
 * solidity. */
#define V4 { FLAGS, 31 }, { SKIN, 32 }, { FADES, 36 }, { LIT_AT, 44 }
#define V5 V4, { FADE_SCALE, 56 }
#define V6 V5, { DX, 60 }
#define V8 V5, { LEVELS, 60 }, { COLOR, 64 }
#define LIGHTMAPPED \
	{ SKIN, 32 }, { FADES, 36 }, { LIT_AT, 44 }, { FADE_SCALE, 56 }, { DX, 60 }, { WIDE_FLAGS, 64 }, { LUXELS, 68 }

static const prop_layout layouts[] = {
	{ "vampire", 4, 56, false, { V4 } },
	{ "source19", 5, 60, false, { V5 } },
	{ "source20", 6, 64, false, { V6 } },
	{ "source20", 7, 68, false, { V6, { COLOR, 64 } } },                                        /* Left 4 Dead */
	{ "source20", 7, 72, false, { LIGHTMAPPED } },                                              /* Team Fortress 2 */
	{ "source20", 10, 72, false, { LIGHTMAPPED } },                                             /* Source 2013 */
	{ "source21", 8, 68, false, { V8 } },
	{ "left4dead2", 9, 72, false, { V8 } },
	{ "source21", 10, 76, false, { V8, { FLAGS_EX, 72 } } },                                    /* CS:GO */
	{ "source21", 11, 80, false, { V8, { FLAGS_EX, 72 }, { SCALE, 76 } } },
	{ "strata", 12, 80, false, { V8, { FLAGS_EX, 72 }, { SCALE, 76 } } },
	{ "strata", 13, 88, false, { V8, { FLAGS_EX, 72 }, { STRETCH, 76 } } },
	{ "source20", 11, 76, false, { LIGHTMAPPED, { COLOR, 72 } } },                              /* Black Mesa */
	{ "source20", 11, 80, false, { LIGHTMAPPED, { COLOR, 72 }, { FLAGS_EX, 76 } } },
	{ "source20", 5, 188, false, { V5, { NAME, 60 } } },                                        /* The Ship */
	{ "source20", 6, 192, false, { V6, { NAME, 64 } } },                                        /* Bloody Good Time */
	{ "source20", 7, 68, true, { V6 } },                                                        /* Zeno Clash */
	{ "source20", 6, 136, false, { V6 } },                                                      /* Dark Messiah */
	{ "source21", 9, 76, false, { { FLAGS, 31 }, { SKIN, 36 }, { FADES, 40 }, { FADE_SCALE, 60 }, { LEVELS, 64 },
	                              { COLOR, 69 } } },                                            /* Dear Esther */
	{ "vindictus", 5, 60, false, { V5 } },
	{ "vindictus", 6, 60, false, { V5, { SCALED, 0 } } },
	{ "vindictus", 6, 64, false, { V6, { SCALED, 0 } } },
	{ "vindictus", 7, 64, false, { V6, { SCALED, 0 } } },
	{ "vindictus", 8, 72, false, { V6, { SCALED, 0 } } },
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

/* ---- A game lump ------------------------------------------------------------------------------------------- */

enum { DIRECTORY = 4 + 16, NAME_SIZE = 128, NAMES = 2, LEAFS = 3, PROPS = 3, KEPT = 2, LARGEST = 4096 };

typedef struct game_lump {
	uint8_t bytes[LARGEST];
	size_t size;
	uint8_t *leafs;                    /* end of the lists of models and leafs; see build_lump */
	uint8_t *records;
} game_lump;

static void put_fact(uint8_t *at, fact what, uint32_t i)
{
	static const uint8_t color[] = { 16, 32, 48, 64 }, levels[] = { 1, 2, 0, 3 };
	switch (what) {
	case FLAGS: *at = (uint8_t)(0x13 + 0x20 * i); break;
	case WIDE_FLAGS: bspt_store_u32(at, 0x113 + 0x20 * i); break;
	case SKIN: bspt_store_u32(at, 5 + i); break;
	case FADES: bspt_store_f32(at, 100 + (float)i); bspt_store_f32(at + 4, 200); break;
	case LIT_AT: for (int k = 0; k < 3; k++) bspt_store_f32(at + 4 * k, (float)(k + 7)); break;
	case FADE_SCALE: bspt_store_f32(at, 0.5f); break;
	case DX: bspt_store_u32(at, 80 | 95 << 16); break;
	case LEVELS: memcpy(at, levels, sizeof levels); break;
	case COLOR: memcpy(at, color, sizeof color); break;
	case LUXELS: bspt_store_u32(at, 32 | 64 << 16); break;
	case FLAGS_EX: bspt_store_u32(at, 5); break;
	case SCALE: bspt_store_f32(at, 2); break;
	case STRETCH: for (int k = 0; k < 3; k++) bspt_store_f32(at + 4 * k, (float)(k + 2)); break;
	case NAME: memcpy(at, "crate_7", 8); break;
	case NOTHING: case SCALED: case FACTS: break;
	}
}

/* Writes record i. Its model is number i (the last record's model does not exist). Its leafs begin at entry i of the
 * list. All bytes that belong to no field are garbage. */
static void put_record(const prop_layout *layout, uint32_t i, uint8_t *record)
{
	static const float place[6] = { 1, 2, 3, 0, 90, 0 };
	memset(record, 0xee, layout->size);
	for (int k = 0; k < 6; k++) bspt_store_f32(record + 4 * k, place[k]);
	bspt_store_u32(record + 24, i | i << 16);
	bspt_store_u32(record + 28, 2 | 6 << 16 | 0xee000000u);
	for (int k = 0; layout->fields[k].fact; k++) put_fact(record + layout->fields[k].at, layout->fields[k].fact, i);
}

static bool has(const prop_layout *layout, fact what)
{
	for (int k = 0; layout->fields[k].fact; k++) {
		if (layout->fields[k].fact == what) return true;
	}
	return false;
}

/* Writes a directory with one entry. In Vindictus, the flags and the version of an entry are twice as wide. */
static void put_directory(const prop_layout *layout, game_lump *lump, uint32_t directory)
{
	bool wide = directory > DIRECTORY;
	bspt_store_u32(lump->bytes, 1);
	bspt_store_u32(lump->bytes + 4, VBSP_STATIC_PROPS);
	bspt_store_u32(lump->bytes + (wide ? 12 : 8), wide ? layout->version : layout->version << 16);
	bspt_store_u32(lump->bytes + directory - 8, directory);
	bspt_store_u32(lump->bytes + directory - 4, (uint32_t)(lump->size - directory));
}

static void build_lump(const prop_layout *layout, game_lump *lump)
{
	uint32_t directory = DIRECTORY + (strcmp(layout->variant, "vindictus") ? 0 : 4);
	memset(lump, 0, sizeof *lump);
	uint8_t *at = lump->bytes + directory;
	for (int list = 0; list < (layout->two_lists ? 2 : 1); list++, at += 4 + NAMES * NAME_SIZE) {
		bspt_store_u32(at, NAMES);
		memset(at + 4, 'x', NAME_SIZE); /* a name that fills its field, without a terminator */
		memcpy(at + 4 + NAME_SIZE, "models\\props\\barrel.mdl", 24);
	}
	uint32_t leaf_size = layout->version >= 12 ? 4 : 2;
	lump->leafs = at;
	bspt_store_u32(at, LEAFS);
	for (uint32_t i = 0; i < LEAFS; i++) at[4 + i * leaf_size] = (uint8_t)(3 - i);
	at += 4 + LEAFS * leaf_size;
	if (has(layout, SCALED)) {
		bspt_store_u32(at, KEPT);
		at += 4;
		for (uint32_t i = 0; i < KEPT; i++, at += 16) {
			bspt_store_u32(at, KEPT - 1 - i);
			put_fact(at + 4, STRETCH, i);
		}
	}
	bspt_store_u32(at, PROPS);
	lump->records = at += 4;
	for (uint32_t i = 0; i < PROPS; i++, at += layout->size) put_record(layout, i, at);
	lump->size = (size_t)(at - lump->bytes);
	put_directory(layout, lump, directory);
}

static bspscene_scene *load(const char *name, const game_lump *lump)
{
	const bspi_variant *variant = bspt_find_variant(&bspi_family_vbsp, name);
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	parts.raw[VBSP_GAME_LUMP] = bspi_bytes_of(lump->bytes, lump->size);
	parts.moved[0] = (bspt_moved){ VBSP_GAME_LUMP, strcmp(name, "vindictus") ? 12 : 16 };
	parts.moved_count = 1;
	return bspt_load_parts(variant, &parts, NULL);
}

/* Returns the i-th static prop of the scene. */
static const bspscene_prop *static_prop(const bspscene_scene *scene, uint32_t i)
{
	for (uint32_t k = 0; k < scene->prop_count; k++) {
		if (scene->props[k]->is_static && i-- == 0) return scene->props[k];
	}
	fail_msg("there are %u static props only", scene->counts->static_props);
	return NULL;
}

/* ---- Every layout ------------------------------------------------------------------------------------------ */

static void check_size(const prop_layout *layout, const bspscene_node *node)
{
	const float *m = node->transform;
	float scale = has(layout, SCALE) ? 2 : 1;
	bool stretched = has(layout, STRETCH) || has(layout, SCALED);
	/* The prop is rotated to the left by 90 degrees. So its +X axis becomes the map's +Y axis, and its +Y axis becomes
	 * -X. */
	assert_float_equal(m[4], (stretched ? 2 : scale), 1e-5);
	assert_float_equal(m[1], (stretched ? -3 : -scale), 1e-5);
	assert_float_equal(m[10], (stretched ? 4 : scale), 1e-5);
	assert_float_equal(m[0], 0, 1e-5);
	for (int k = 0; k < 3; k++) assert_float_equal(m[4 * k + 3], (float)(k + 1), 0);
}

static void check_light(const prop_layout *layout, const bspscene_prop *prop)
{
	for (int k = 0; k < 3; k++) {
		assert_float_equal(prop->lighting_origin[k], (float)(has(layout, LIT_AT) ? k + 7 : k + 1), 0);
	}
	for (int k = 0; k < 4; k++) {
		float color = has(layout, COLOR) ? (float)(16 * (k + 1)) / 255 : 1;
		assert_float_equal(prop->color[k], color, 1e-6);
	}
	assert_int_equal(prop->lightmap_width, has(layout, LUXELS) ? 32 : 0);
	assert_int_equal(prop->lightmap_height, has(layout, LUXELS) ? 64 : 0);
}

static void check_visibility(const prop_layout *layout, const bspscene_prop *prop, uint32_t i)
{
	bool dx = has(layout, DX), levels = has(layout, LEVELS);
	assert_float_equal(prop->fade_near, 100 + (float)i, 0);
	assert_float_equal(prop->fade_far, 200, 0);
	assert_float_equal(prop->fade_scale, has(layout, FADE_SCALE) ? 0.5 : 1, 0);
	assert_true(prop->dx_levels[0] == (dx ? 80 : 0) && prop->dx_levels[1] == (dx ? 95 : 0));
	assert_true(prop->cpu_levels[0] == (levels ? 1 : 0) && prop->cpu_levels[1] == (levels ? 2 : 0));
	assert_true(prop->gpu_levels[0] == 0 && prop->gpu_levels[1] == (levels ? 3 : 0));
}

static void check_prop(const prop_layout *layout, const bspscene_scene *scene, uint32_t i)
{
	const bspscene_prop *prop = static_prop(scene, i);
	uint32_t flags = (has(layout, WIDE_FLAGS) ? 0x113 : 0x13) + 0x20 * i;
	/* The maps of Dear Esther also have a light origin, but it is not used. */
	bool lit_at = has(layout, LIT_AT);
	assert_int_equal(prop->entity, BSPSCENE_NO_INDEX);
	assert_int_equal(scene->nodes[prop->node]->kind, BSPSCENE_NODE_PROP);
	assert_int_equal(prop->skin, 5 + i);
	assert_int_equal(prop->solid, 6);
	assert_int_equal(prop->flags, lit_at ? flags : flags & ~(uint32_t)BSPSCENE_PROP_LIGHTING_ORIGIN);
	assert_int_equal(prop->flags_ex, has(layout, FLAGS_EX) ? 5 : 0);
	if (has(layout, NAME)) assert_string_equal(prop->name, "crate_7");
	else assert_null(prop->name);
	assert_int_equal(prop->leaf_count, 2);
	for (uint32_t k = 0; k < 2; k++) assert_int_equal(scene->prop_leafs[prop->first_leaf + k], 3 - i - k);
	check_size(layout, scene->nodes[prop->node]);
	check_light(layout, prop);
	check_visibility(layout, prop, i);
}

static void every_layout_reads_as_written(void **state)
{
	(void)state;
	static game_lump lump;
	for (uint32_t i = 0; i < LAYOUTS; i++) {
		build_lump(&layouts[i], &lump);
		bspscene_scene *scene = load(layouts[i].variant, &lump);
		assert_int_equal(scene->counts->static_props, 2);
		assert_string_equal(static_prop(scene, 1)->model, "models/props/barrel.mdl");
		for (uint32_t k = 0; k < 2; k++) check_prop(&layouts[i], scene, k);
		/* The model of the last prop does not exist. */
		assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_REFERENCE), 1);
		assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD), 0);
		bspscene_scene_free(scene);
	}
}

/* Every layout of the library is tested here, and its fields fill the record. */
static void all_layouts_are_tried(void **state)
{
	(void)state;
	static const uint8_t sizes[] = { 1, 1, 2, 2, 4, 4, 4, 1, 1 };
	for (uint32_t f = 0; f < BSPI_VBSP_PROP_FORMATS; f++) {
		const bspi_vbsp_prop_format *format = &bspi_vbsp_prop_formats[f];
		uint32_t at = 0, found = 0;
		for (uint16_t i = 0; i < format->layout->field_count; i++) {
			const bspi_field *field = &format->layout->fields[i];
			if (field->file_offset != at) {
				fail_msg("version %u: %s is at %u, not %u", format->version, field->name, field->file_offset, at);
			}
			at += (uint32_t)field->count * sizes[field->file_type];
		}
		assert_int_equal(at, format->layout->file_size);
		for (uint32_t i = 0; i < LAYOUTS; i++) {
			bool same = layouts[i].version == format->version && layouts[i].two_lists == format->two_lists;
			found += same && layouts[i].size == at;
		}
		if (!found) fail_msg("version %u of %u bytes is not tried", format->version, at);
	}
}

/* ---- Odd ones ---------------------------------------------------------------------------------------------- */

/* If the size of records is unknown, only the fields that all versions have in common are read. */
static void unknown_records_keep_the_common_part(void **state)
{
	(void)state;
	static game_lump lump;
	static const prop_layout unknown = { "source20", 6, 100, false, { V4 } };
	static const prop_layout newer = { "strata", 14, 92, false, { V4 } };
	const prop_layout *both[] = { &unknown, &newer };
	for (int i = 0; i < 2; i++) {
		build_lump(both[i], &lump);
		bspscene_scene *scene = load(both[i]->variant, &lump);
		for (uint32_t k = 0; k < 2; k++) check_prop(both[i], scene, k);
		assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD), 1);
		bspscene_scene_free(scene);
	}
}

/* The records may be followed by further bytes. If the number of these bytes is not a multiple of the number of props,
 * they are ignored. */
static void bytes_behind_the_records_are_ignored(void **state)
{
	(void)state;
	static game_lump lump;
	const prop_layout *source2013 = &layouts[5];
	build_lump(source2013, &lump);
	memset(lump.bytes + lump.size, 0xee, 8);
	lump.size += 8;
	bspt_store_u32(lump.bytes + 16, (uint32_t)(lump.size - DIRECTORY));
	bspscene_scene *scene = load(source2013->variant, &lump);
	for (uint32_t k = 0; k < 2; k++) check_prop(source2013, scene, k);
	assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD), 1);
	bspscene_scene_free(scene);
}

/* The list of scales names props that do not exist, or the list states more scales than the lump can hold. */
static void bad_scales_are_left_out(void **state)
{
	(void)state;
	static game_lump lump;
	const prop_layout *vindictus = &layouts[LAYOUTS - 1];
	build_lump(vindictus, &lump);
	uint8_t *scales = lump.records - 4 - KEPT * 16 - 4;
	bspt_store_u32(scales + 4, 99);
	bspscene_scene *scene = load("vindictus", &lump);
	assert_int_equal(scene->counts->static_props, KEPT);
	assert_float_equal(scene->nodes[static_prop(scene, 0)->node]->transform[4], 2, 1e-5);
	assert_float_equal(scene->nodes[static_prop(scene, 1)->node]->transform[4], 1, 1e-5);
	/* There is one warning for the scale, and one for the model of the last prop. */
	assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_REFERENCE), 2);
	bspscene_scene_free(scene);
	bspt_store_u32(scales, 0x7fffffff);
	scene = load("vindictus", &lump);
	assert_int_equal(scene->counts->static_props, 0);
	assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD), 1);
	bspscene_scene_free(scene);
}

static void lying_counts_leave_all_out(void **state)
{
	(void)state;
	static game_lump lump;
	enum { LEAF_COUNT = 4 + NAMES * NAME_SIZE, PROP_COUNT = LEAF_COUNT + 4 + 2 * LEAFS };
	static const struct { uint32_t at, value; } lies[] = {
		{ 0, 0x7fffffff }, { 0, 0xffffffff }, { LEAF_COUNT, 0x7fffffff }, { PROP_COUNT, 0x7fffffff }, { PROP_COUNT, 4 },
		{ PROP_COUNT, 0xffffffff },
	};
	static const prop_layout cases[] = { { "source20", 6, 64, false, { V6 } }, { "source20", 7, 68, true, { V6 } } };
	for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
		for (int k = 0; k < 2; k++) {
			build_lump(&cases[k], &lump);
			uint32_t moved = k && lies[i].at ? 4 + NAMES * NAME_SIZE : 0;
			bspt_store_u32(lump.bytes + DIRECTORY + lies[i].at + moved, lies[i].value);
			bspscene_scene *scene = load("source20", &lump);
			if (scene->counts->static_props) fail_msg("case %zu has props", i);
			assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD), 1);
			bspscene_scene_free(scene);
		}
	}
	/* An empty list is valid in any version. */
	build_lump(&layouts[0], &lump);
	bspt_store_u32(lump.records - 4, 0);
	bspscene_scene *scene = load("vampire", &lump);
	assert_int_equal(scene->counts->static_props + bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD), 0);
	bspscene_scene_free(scene);
}

/* Some distances, positions and leafs are invalid. */
static void bad_fields_are_repaired(void **state)
{
	(void)state;
	static game_lump lump;
	const prop_layout *source20 = &layouts[2];
	build_lump(source20, &lump);
	bspt_store_f32(lump.records + 40, NAN);
	bspt_store_f32(lump.records + 44, INFINITY);
	/* The second record's leafs begin at the last entry of the list, and the record claims 65535 of them. */
	bspt_store_u32(lump.records + source20->size + 26, 0xffff0002u);
	bspt_store_f32(lump.records + source20->size + 36, -1);
	lump.leafs[4] = 200;
	bspscene_scene *scene = load("source20", &lump);
	const bspscene_prop *first = static_prop(scene, 0), *second = static_prop(scene, 1);
	assert_true(first->fade_near == 0 && first->fade_far == 0 && second->fade_near == 0 && second->fade_far == 0);
	assert_int_equal(first->flags & BSPSCENE_PROP_LIGHTING_ORIGIN, 0);
	assert_float_equal(first->lighting_origin[2], 3, 0);
	assert_int_equal(scene->prop_leafs[first->first_leaf], BSPSCENE_NO_INDEX);
	assert_int_equal(second->leaf_count, 1);
	/* There are warnings for the fade distances, the light position, a leaf, and the model that does not exist. */
	assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_REFERENCE), 4);
	bspscene_scene_free(scene);
}

/* A prop is invisible from the distance fade_far on. If fade_near is larger, it becomes equal to fade_far. */
static void fades_end_where_the_map_says(void **state)
{
	static const float cases[][4] = {
		{ 100, 200, 100, 200 }, { 300, 200, 200, 200 }, { 200, 200, 200, 200 }, { -1, 200, 0, 0 }, { 100, 0, 0, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspi_static_prop prop = { .fade_near = cases[i][0], .fade_far = cases[i][1] };
		bspi_settle_prop(BSPI_NO_BYTES, &prop);
		if (prop.fade_near != cases[i][2] || prop.fade_far != cases[i][3]) fail_msg("case %zu", i);
	}
}

/* Props of entities fade by the entity's keys. */
static void entities_fade_too(void **state)
{
	(void)state;
	static const char text[] =
		"{\n\"classname\" \"worldspawn\"\n}\n"
		"{\n\"classname\" \"prop_dynamic\"\n\"model\" \"models/a.mdl\"\n\"origin\" \"1 2 3\"\n\"fademindist\" \"50\"\n"
		"\"fademaxdist\" \"75\"\n\"fadescale\" \"0\"\n\"disableshadows\" \"1\"\n}\n"
		"{\n\"classname\" \"prop_physics\"\n\"model\" \"models/b.mdl\"\n"
		"\"fademindist\" \"-1\"\n\"fademaxdist\" \"0\"\n}\n";
	const bspi_variant *variant = bspt_find_variant(&bspi_family_vbsp, "source20");
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	parts.raw[VBSP_ENTITIES] = bspi_bytes_of(text, sizeof text);
	bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
	const bspscene_prop *fading = scene->props[scene->nodes[scene->entities[1]->node]->prop];
	const bspscene_prop *plain = scene->props[scene->nodes[scene->entities[2]->node]->prop];
	assert_true(fading->fade_near == 50 && fading->fade_far == 75 && fading->fade_scale == 0);
	assert_int_equal(fading->flags, BSPSCENE_PROP_FADES | BSPSCENE_PROP_NO_SHADOW);
	assert_float_equal(fading->lighting_origin[2], 3, 0);
	assert_true(plain->fade_near == 0 && plain->fade_far == 0 && plain->fade_scale == 1 && plain->flags == 0);
	bspscene_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_layout_reads_as_written),
		cmocka_unit_test(all_layouts_are_tried),
		cmocka_unit_test(unknown_records_keep_the_common_part),
		cmocka_unit_test(bytes_behind_the_records_are_ignored),
		cmocka_unit_test(bad_scales_are_left_out),
		cmocka_unit_test(lying_counts_leave_all_out),
		cmocka_unit_test(bad_fields_are_repaired),
		cmocka_unit_test(fades_end_where_the_map_says),
		cmocka_unit_test(entities_fade_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
