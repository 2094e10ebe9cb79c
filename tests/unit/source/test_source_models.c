/* Promise: props of Source maps have the light that the compiler stored for them. Detail props stand where the compiler
 * placed them. If the files of a model come from different compilations, a warning says so. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "base/vec.h"
#include "families/vbsp/vbsp_tables.h"
#include "support/make/build_map.h"
#include "support/models/build_model.h"
#include "support/make/bytes_writer.h"
#include "support/models/furnished.h"
#include "support/check/scene_find.h"

#define WORLD "{ \"classname\" \"worldspawn\" }"

static const bspi_variant *source20(void)
{
	const bspi_variant *variant = bspi_family_vbsp.variants;
	while (strcmp(variant->name, "source20") != 0) variant++;
	return variant;
}

static void load_room(bspt_furnished *g)
{
	bspt_furnished_load_room(g, &bspi_family_vbsp, source20(), WORLD);
}

/* Adds the studio model and its sibling files under these paths. */
static void add_studio_model(bspt_furnished *g, const char *const paths[3])
{
	bspt_furnished_add_model(g, "source_mdl", paths[0]);
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		bspt_model_file file = bspt_build_model(i);
		if (strcmp(file.format, "source_mdl") != 0) continue;
		for (uint32_t k = 0; k < 2; k++) {
			bspt_furnished_add(g, paths[1 + k], file.siblings[k].bytes.data, file.siblings[k].bytes.size);
		}
	}
}

/* The models of the room's static props and detail props. */
static const char *const barrel[] = { "models/test/barrel.mdl", "models/test/barrel.vvd",
	                                  "models/test/barrel.dx90.vtx" };
static const char *const rock[] = { "models/test/rock.mdl", "models/test/rock.vvd", "models/test/rock.dx90.vtx" };

/* Light that the compiler stored for a static prop is used for that prop only, in the order of the model's strip
 * groups. Instances share a mesh, which gets the mean of their light. Light that was stored for another version of the
 * model is counted and left out. The file for HDR displays is read only if the other file is missing. */
static void static_props_have_stored_light(void **state)
{
	enum { COLORS = 68, CHECKSUM = 0x1234567 };
	(void)state;
	for (uint32_t turn = 0; turn < 3; turn++) {
		const uint32_t stale = turn == 1;
		const bool only_hdr = turn == 2;
		bspt_furnished g;
		bspt_writer light = { .size = 0 };
		const uint32_t header[] = { 2, CHECKSUM + stale, 4, 4, BSPT_MODEL_VERTICES, 1, 0, 0, 0, 0, 0,
			                        BSPT_MODEL_VERTICES, COLORS, 0, 0, 0, 0 };
		for (size_t i = 0; i < sizeof header / sizeof *header; i++) bspt_put_u32(&light, header[i]);
		for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) bspt_put_u32(&light, 10 * i | 20 << 8 | 30 << 16);
		bspt_furnished_begin(&g);
		add_studio_model(&g, barrel);
		bspt_writer bright = light;
		memset(bright.data + COLORS, 255, bright.size - COLORS);
		if (!only_hdr) bspt_furnished_add(&g, "sp_0.vhv", light.data, light.size);
		bspt_furnished_add(&g, "sp_hdr_0.vhv", only_hdr ? light.data : bright.data, light.size);
		load_room(&g);
		const bspscene_node *first = bspt_find_node(g.scene, "prop_static:0");
		const bspscene_node *second = bspt_find_node(g.scene, "prop_static:1");
		const bspscene_mesh *mesh = g.scene->meshes[first->mesh];
		assert_true(first->mesh < g.scene->mesh_count && first->mesh == second->mesh);
		assert_int_equal(bspt_count_warnings(g.scene, BSPSCENE_WARNING_FILE_STALE), stale);
		/* The prop in the skybox has no light, because no lamp reaches it. The other prop is lit by a lamp if the
		 * compiler stored no light for it. */
		assert_null(g.scene->props[second->prop]->colors);
		const uint8_t *colors = g.scene->props[first->prop]->colors;
		assert_non_null(colors);
		float gain = g.scene->lightmap_sets[0].intensity;
		bool as_stored = true;
		for (uint32_t i = 0; i < mesh->vertex_count; i++) {
			const float want[3] = { 60 / gain, 40 / gain, 20 * (float)i / gain };
			for (uint32_t k = 0; k < 3; k++) as_stored &= fabsf((float)colors[4 * i + k] - want[k]) <= 1;
		}
		assert_true(as_stored == (stale == 0));
		assert_memory_equal(mesh->colors, colors, 4 * (size_t)mesh->vertex_count);
		bspt_furnished_end(&g);
	}
}

/* In a map without luxels or lamps, models are fullbright like the rest of the map, whatever ambient cubes it has. In
 * all other maps they are lit. */
static void maps_without_light_show_models_as_they_are(void **state)
{
	static const char entities[] = WORLD "{ \"classname\" \"prop_dynamic\" \"model\" \"models/test/barrel.mdl\" "
										 "\"origin\" \"64 64 40\" }";
	static const uint8_t black[3 * 28];
	static const struct { bool luxels, lamps, cubes; } cases[] = {
		{ false, false, false }, { true, false, false }, { false, true, false }, { false, false, true },
		{ true, true, true },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_parts parts;
		bspt_furnished g;
		bspt_furnished_begin(&g);
		add_studio_model(&g, barrel);
		assert_true(bspt_room_parts(&bspi_family_vbsp, source20(), &parts));
		parts.raw[VBSP_ENTITIES] = bspi_bytes_of(entities, strlen(entities));
		if (!cases[i].luxels) parts.raw[VBSP_LIGHTING].size = 0;
		for (uint32_t k = 0; k < parts.map.faces_count && !cases[i].luxels; k++) parts.map.faces[k].light_offset = -1;
		if (!cases[i].lamps) parts.raw[VBSP_WORLD_LIGHTS].size = 0;
		if (!cases[i].cubes) parts.raw[VBSP_AMBIENT] = bspi_bytes_of(black, sizeof black);
		bspt_furnished_load_parts(&g, source20(), &parts);
		const bspscene_mesh *mesh = g.scene->meshes[bspt_furnished_mesh(&g, "prop_dynamic:1")];
		bool lit = cases[i].luxels && cases[i].lamps;
		assert_int_equal(g.scene->is_full_bright, !lit);
		/* The texture is missing, so its fallback color is shaded by direction. The shading is at least 0.4, in the
		 * scale of the map's lightmap pages. */
		float least = lit ? 0 : 0.4f * 255 / (g.scene->lightmap_set_count ? g.scene->lightmap_sets[0].intensity : 1);
		for (uint32_t v = 0; v < mesh->vertex_count; v++) assert_true(mesh->colors[4 * v] >= least);
		bspt_furnished_end(&g);
	}
}

/* Vertices or triangles of another compilation of the model are shown, with a warning. */
static void files_that_do_not_belong_together_are_counted(void **state)
{
	static const struct { const char *ending; size_t checksum_at; } siblings[] = { { ".vvd", 8 }, { ".dx90.vtx", 16 } };
	(void)state;
	for (size_t i = 0; i < sizeof siblings / sizeof *siblings; i++) {
		bspt_furnished g;
		bspt_furnished_begin(&g);
		add_studio_model(&g, barrel);
		for (uint32_t k = 0; k < g.file_count; k++) {
			if (strstr(g.files[k].path, siblings[i].ending)) g.files[k].bytes.data[siblings[i].checksum_at] ^= 1;
		}
		load_room(&g);
		assert_int_equal(bspt_count_warnings(g.scene, BSPSCENE_WARNING_FILE_STALE), 1);
		assert_true(bspt_furnished_mesh(&g, "prop_static:0") < g.scene->mesh_count);
		bspt_furnished_end(&g);
	}
}

static uint32_t u32_at(const uint8_t *data, size_t at)
{
	uint32_t value;
	memcpy(&value, data + at, sizeof value);
	return value;
}

static void put_at(uint8_t *data, size_t at, uint32_t value)
{
	memcpy(data + at, &value, sizeof value);
}

/* Copies the file and appends `more` zero bytes. Returns the new contents. */
static uint8_t *lengthen(bspt_bytes *file, size_t more)
{
	uint8_t *whole = calloc(1, file->size + more);
	assert_non_null(whole);
	memcpy(whole, file->data, file->size);
	free(file->data);
	*file = (bspt_bytes){ whole, file->size + more };
	return whole;
}

/* Adds a second model to the body part. The second model is not shown. It has the same vertices as the first one, and
 * two strip groups, the last of which is broken. */
static void add_hidden_model(bspt_bytes *mdl, bspt_bytes *vtx)
{
	enum { MDL_PARTS_AT = 236, MODEL = 148, MODEL_MESHES_AT = 76, VTX_PARTS_AT = 32, LODS = 52, GROUP = 25 };
	size_t end = mdl->size;
	uint8_t *data = lengthen(mdl, 2 * MODEL);
	uint32_t part = u32_at(data, MDL_PARTS_AT), model = part + u32_at(data, part + 12);
	for (size_t i = 0; i < 2; i++) {
		size_t at = end + i * MODEL;
		memcpy(data + at, data + model, MODEL);
		put_at(data, at + MODEL_MESHES_AT, u32_at(data, at + MODEL_MESHES_AT) + model - (uint32_t)at);
	}
	put_at(data, part + 4, 2);
	put_at(data, part + 12, (uint32_t)end - part);

	end = vtx->size;
	enum { MODELS = 16, LOD = 12, MESH = 9 };
	data = lengthen(vtx, MODELS + LOD + MESH + 2 * GROUP);
	part = u32_at(data, VTX_PARTS_AT);
	const uint32_t lists[] = { 1, LODS - (uint32_t)end, 1, MODELS - 8, 1, LOD, 0, 2, MESH };
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) put_at(data, end + 4 * i, lists[i]);
	size_t groups = end + MODELS + LOD + MESH;
	put_at(data, groups, BSPT_MODEL_VERTICES);
	put_at(data, groups + GROUP, UINT32_MAX);
	put_at(data, part, 2);
	put_at(data, part + 4, (uint32_t)end - part);
}

/* The light that the compiler stored also covers models of a body part that are not shown. */
static void stored_light_counts_models_that_are_not_shown(void **state)
{
	enum { COLORS = 96, CHECKSUM = 0x1234567, COUNT = 2 * BSPT_MODEL_VERTICES };
	(void)state;
	bspt_furnished g;
	bspt_writer light = { .size = 0 };
	const uint32_t header[COLORS / 4] = { 2, CHECKSUM, 4, 4, COUNT, 2, [10] = 0, BSPT_MODEL_VERTICES, COLORS,
		                                  [17] = 0, BSPT_MODEL_VERTICES, COLORS + 4 * BSPT_MODEL_VERTICES };
	for (size_t i = 0; i < COLORS / 4; i++) bspt_put_u32(&light, header[i]);
	for (uint32_t i = 0; i < COUNT; i++) bspt_put_u32(&light, 10 * i | 20 << 8 | 30 << 16);
	bspt_furnished_begin(&g);
	add_studio_model(&g, barrel);
	bspt_bytes *files[2] = { NULL, NULL };
	for (uint32_t k = 0; k < g.file_count; k++) {
		if (strstr(g.files[k].path, ".mdl")) files[0] = &g.files[k].bytes;
		if (strstr(g.files[k].path, ".vtx")) files[1] = &g.files[k].bytes;
	}
	add_hidden_model(files[0], files[1]);
	bspt_furnished_add(&g, "sp_0.vhv", light.data, light.size);
	load_room(&g);
	const bspscene_node *node = bspt_find_node(g.scene, "prop_static:0");
	assert_int_equal(bspt_count_warnings(g.scene, BSPSCENE_WARNING_FILE_STALE), 0);
	const uint8_t *colors = g.scene->props[node->prop]->colors;
	assert_non_null(colors);
	assert_int_equal(g.scene->meshes[node->mesh]->vertex_count, BSPT_MODEL_VERTICES);
	float gain = g.scene->lightmap_sets[0].intensity;
	for (uint32_t i = 0; i < BSPT_MODEL_VERTICES; i++) {
		const float want[3] = { 60 / gain, 40 / gain, 20 * (float)i / gain };
		for (uint32_t k = 0; k < 3; k++) assert_true(fabsf((float)colors[4 * i + k] - want[k]) <= 1);
	}
	bspt_furnished_end(&g);
}

/* An empty fixup of vertices changes nothing, whatever its first vertex is. */
static void empty_ranges_of_vertices_are_none(void **state)
{
	enum { FIXUP_COUNT = 48, FIXUPS_AT = 52, FIXUP = 12 };
	bspt_furnished games[2];
	const bspscene_mesh *meshes[2];
	(void)state;
	for (uint32_t more = 0; more < 2; more++) {
		bspt_furnished *g = &games[more];
		bspt_furnished_begin(g);
		add_studio_model(g, barrel);
		for (uint32_t k = 0; more && k < g->file_count; k++) {
			bspt_bytes *file = &g->files[k].bytes;
			if (!strstr(g->files[k].path, ".vvd")) continue;
			uint32_t at = u32_at(file->data, FIXUPS_AT);
			uint8_t *whole = calloc(1, file->size + 3 * FIXUP);
			memcpy(whole, file->data, file->size);
			memcpy(whole + file->size, file->data + at, FIXUP);
			memcpy(whole + file->size + 2 * FIXUP, file->data + at + FIXUP, FIXUP);
			put_at(whole, (uint32_t)file->size + FIXUP + 4, INT32_MAX);
			put_at(whole, FIXUP_COUNT, 3);
			put_at(whole, FIXUPS_AT, (uint32_t)file->size);
			free(file->data);
			*file = (bspt_bytes){ whole, file->size + 3 * FIXUP };
		}
		load_room(g);
		uint32_t mesh = bspt_furnished_mesh(g, "prop_static:0");
		assert_true(mesh < g->scene->mesh_count);
		meshes[more] = g->scene->meshes[mesh];
	}
	assert_int_equal(meshes[1]->vertex_count, meshes[0]->vertex_count);
	assert_memory_equal(meshes[1]->positions, meshes[0]->positions, 12 * (size_t)meshes[0]->vertex_count);
	for (uint32_t more = 0; more < 2; more++) bspt_furnished_end(&games[more]);
}

/* Pictures of detail props are one mesh with the material of the sprite sheet and the compiler's light. Without the
 * sheet there is no mesh, and one warning. */
static void details_are_one_mesh(void **state)
{
	static const char vmt[] = "UnlitGeneric { $basetexture detail/sheet $translucent 1 $vertexcolor 1 }";
	(void)state;
	for (int sheet = 0; sheet < 2; sheet++) {
		bspt_furnished g;
		bspt_furnished_begin(&g);
		if (sheet) bspt_furnished_add(&g, "materials/detail/detailsprites.vmt", vmt, sizeof vmt - 1);
		load_room(&g);
		uint32_t shown = 0;
		for (uint32_t i = 0; i < g.scene->node_count; i++) shown += !strcmp(g.scene->nodes[i]->name, "details");
		assert_int_equal(shown, sheet);
		if (!sheet) {
			bspt_furnished_end(&g);
			continue;
		}
		const bspscene_node *node = bspt_find_node(g.scene, "details");
		const bspscene_mesh *mesh = g.scene->meshes[node->mesh];
		const bspscene_material *material = g.scene->materials[mesh->sections[0]->material];
		/* The mesh is one picture of 16 x 16 units, centered above 64 0 0. */
		assert_int_equal(mesh->index_count, 6);
		assert_true(bspi_distance_squared(mesh->bounds.min, (float[3]) { 64, -8, 0 }) < 1e-6f);
		assert_true(bspi_distance_squared(mesh->bounds.max, (float[3]) { 64, 8, 16 }) < 1e-6f);
		/* For a viewer who looks along +X, the left of the picture is on the left. */
		assert_true(mesh->positions[1] == 8 && mesh->positions[2] == 16);
		assert_true(mesh->uvs[0] == 0 && mesh->uvs[1] == 0 && mesh->uvs[4] == 0.5f && mesh->uvs[5] == 0.5f);
		assert_int_equal(material->cull, BSPSCENE_CULL_NONE);
		assert_true(!material->unlit && mesh->sections[0]->lighting == BSPSCENE_LIGHTING_VERTEX);
		float want = (float)pow(0.5, 1 / 2.2) / g.scene->lightmap_sets[0].intensity * 255;
		assert_true(fabsf((float)mesh->colors[0] - want) <= 1);
		assert_ptr_equal(g.scene->props[node->prop]->colors, mesh->colors);
		bspt_furnished_end(&g);
	}
}

/* Detail props with the same model share one mesh, which has the mean of their light. Each has its own position and the
 * light that the compiler stored for it. Detail props that are pictures are not among them. */
static void details_are_models(void **state)
{
	static const struct { const char *node; float x, forward[2], light; } places[] = {
		{ "prop_detail:0", 48, { 1, 0 }, 0.5f }, { "prop_detail:2", 80, { 0, 1 }, 0.25f } };
	float mean = 0;
	bspt_furnished g;
	(void)state;
	bspt_furnished_begin(&g);
	add_studio_model(&g, rock);
	load_room(&g);
	const bspscene_mesh *mesh = g.scene->meshes[bspt_furnished_mesh(&g, "prop_detail:0")];
	assert_string_equal(mesh->name, "models/test/rock.mdl");
	for (size_t i = 0; i < 2; i++) {
		const bspscene_node *node = bspt_find_node(g.scene, places[i].node);
		const bspscene_prop *prop = g.scene->props[node->prop];
		assert_ptr_equal(g.scene->meshes[node->mesh], mesh);
		assert_true(node->kind == BSPSCENE_NODE_PROP && node->transform[3] == places[i].x);
		for (int k = 0; k < 2; k++) assert_true(fabsf(node->transform[4 * k] - places[i].forward[k]) < 1e-6f);
		assert_true(prop->is_static && prop->entity == BSPSCENE_NO_INDEX);
		float want = (float)pow(places[i].light, 1 / 2.2) / g.scene->lightmap_sets[0].intensity * 255;
		mean += want / 2;
		for (uint32_t v = 0; v < mesh->vertex_count; v++) {
			for (uint32_t k = 0; k < 3; k++) assert_true(fabsf((float)prop->colors[4 * v + k] - want) <= 1);
			assert_int_equal(prop->colors[4 * v + 3], 255);
		}
	}
	for (uint32_t v = 0; v < mesh->vertex_count; v++) assert_true(fabsf((float)mesh->colors[4 * v] - mean) <= 1.5f);
	bspt_furnished_end(&g);
}

/* Without the model's file, or without models in the options, only the data exists. */
static void details_without_models_are_data(void **state)
{
	static const bspscene_models asked[] = { BSPSCENE_MODELS_ALL, BSPSCENE_MODELS_NONE };
	(void)state;
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		bool told = false;
		bspt_furnished g;
		bspt_furnished_begin(&g);
		g.options.models = asked[i];
		add_studio_model(&g, asked[i] == BSPSCENE_MODELS_ALL ? barrel : rock);
		load_room(&g);
		assert_int_equal(g.scene->detail_prop_count, 3);
		for (uint32_t k = 0; k < g.scene->node_count; k++) {
			assert_null(strstr(g.scene->nodes[k]->name, "prop_detail"));
		}
		for (uint32_t k = 0; k < g.scene->warning_count; k++) {
			const char *line = "models/test/rock.mdl: it was not found; 2 detail props are left out";
			told |= strstr(g.scene->warnings[k]->message, line) != NULL;
		}
		assert_int_equal(told, asked[i] == BSPSCENE_MODELS_ALL);
		bspt_furnished_end(&g);
	}
}

/* Makes the studio model with many bones and a second sequence "idle", in which no bone is rotated. The records of
 * sequences are moved to the end of the file. */
static size_t make_posed_model(uint8_t *out, size_t room, uint32_t bone_count)
{
	enum { BONE = 216, SEQUENCE = 212, ANIMATION = 100, BONES_AT = 156, ANIMATIONS_AT = 180, SEQUENCES_AT = 188 };
	bspt_model_file file = { .sibling_count = 0 };
	for (uint32_t i = 0; i < bspt_model_count && !file.sibling_count; i++) {
		file = bspt_build_model(i);
		if (strcmp(file.format, "source_mdl") != 0) file.sibling_count = 0;
	}
	size_t bones = (file.bytes.size + 3) / 4 * 4, sequences = bones + (size_t)bone_count * BONE;
	size_t animations = sequences + 2 * SEQUENCE, tables = animations + 2 * ANIMATION, label = tables + 4;
	size_t still = label + 8;
	assert_true(still + 4 <= room);
	memset(out, 0, room);
	memcpy(out, file.bytes.data, file.bytes.size);
	uint32_t bone = u32_at(out, BONES_AT + 4), animation = u32_at(out, ANIMATIONS_AT + 4);
	uint32_t sequence = u32_at(out, SEQUENCES_AT + 4), data = animation + u32_at(out, animation + 56);
	for (uint32_t i = 0; i < bone_count; i++) memcpy(out + bones + (size_t)i * BONE, out + bone, BONE);
	for (uint32_t i = 0; i < 2; i++) {
		size_t own = sequences + i * SEQUENCE, turn = animations + i * ANIMATION;
		memcpy(out + own, out + sequence, SEQUENCE);
		memcpy(out + turn, out + animation, ANIMATION);
		put_at(out, own + 60, (uint32_t)(tables + 2 * i - own));
		put_at(out, own + 4, (uint32_t)(label + (i ? 0 : 7) - own));
		put_at(out, turn + 56, (uint32_t)((i ? still : data) - turn));
	}
	out[tables + 2] = 1;
	memcpy(out + label, "idle", 4);
	const size_t places[][3] = {
		{ BONES_AT, bone_count, bones }, { ANIMATIONS_AT, 2, animations }, { SEQUENCES_AT, 2, sequences },
	};
	for (int i = 0; i < 3; i++) {
		put_at(out, places[i][0], (uint32_t)places[i][1]);
		put_at(out, places[i][0] + 4, (uint32_t)places[i][2]);
	}
	return still + 4;
}

/* A prop shows its first sequence unless the key DefaultAnim names another one (CDynamicProp::Spawn). Characters show
 * the sequence "idle". This model has 280 bones. */
static void props_are_in_their_first_sequence(void **state)
{
	enum { BONES = 280, ROOM = 1 << 17 };
	static uint8_t model[ROOM];
	static const char entities[] = WORLD
		"{ \"classname\" \"prop_dynamic\" \"model\" \"models/test/barrel.mdl\" }"
		"{ \"classname\" \"prop_dynamic\" \"model\" \"models/test/barrel.mdl\" \"DefaultAnim\" \"idle\" }"
		"{ \"classname\" \"npc_citizen\" \"model\" \"models/test/barrel.mdl\" }";
	(void)state;
	bspt_furnished g;
	const bspi_variant *variant = bspi_family_vbsp.variants;
	while (strcmp(variant->name, "source20") != 0) variant++;
	bspt_furnished_begin(&g);
	add_studio_model(&g, (const char *const[]){ "models/test/as_made.mdl", barrel[1], barrel[2] });
	bspt_furnished_add(&g, barrel[0], model, make_posed_model(model, sizeof model, BONES));
	bspt_furnished_load_room(&g, &bspi_family_vbsp, variant, entities);
	const bspscene_mesh *shown[3];
	static const char *const nodes[] = { "prop_dynamic:1", "prop_dynamic:2", "npc_citizen:3" };
	for (int i = 0; i < 3; i++) {
		uint32_t mesh = bspt_furnished_mesh(&g, nodes[i]);
		assert_true(mesh < g.scene->mesh_count);
		shown[i] = g.scene->meshes[mesh];
	}
	size_t size = shown[0]->vertex_count * 3 * sizeof(float);
	assert_memory_equal(shown[1]->positions, shown[2]->positions, size);
	assert_memory_not_equal(shown[0]->positions, shown[1]->positions, size);
	bspt_furnished_end(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(static_props_have_stored_light),
		cmocka_unit_test(stored_light_counts_models_that_are_not_shown),
		cmocka_unit_test(maps_without_light_show_models_as_they_are),
		cmocka_unit_test(files_that_do_not_belong_together_are_counted),
		cmocka_unit_test(empty_ranges_of_vertices_are_none),
		cmocka_unit_test(details_are_one_mesh),
		cmocka_unit_test(details_are_models),
		cmocka_unit_test(details_without_models_are_data),
		cmocka_unit_test(props_are_in_their_first_sequence),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
