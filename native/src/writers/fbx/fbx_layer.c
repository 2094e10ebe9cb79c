/* fbx_layer.c - writes the layers of a geometry. A layer has its distinct values in the order of first use, and an
 * index for each corner. Neighboring polygons still share edges where their values differ. Layers of a large mesh are
 * made and compressed in tasks. */
#include "writers/fbx/fbx.h"

#include <string.h>

#include <bspscene/material.h>

#include "images/display.h"
#include "writers/light/place_uv.h"
#include "writers/vertex_frames.h"

#define HASH_PART 21                   /* number of bits of a hash that a float can hold exactly */
#define THREADS_FROM 3000u             /* meshes with at least this many corners use threads; for smaller ones, starting
                                        * threads takes longer than compressing */
#define RECORDS_SIZE 1024u             /* bytes of a layer in addition to its arrays */

typedef enum layer_kind {
	LAYER_POINT,
	LAYER_MOVING_POINT,
	LAYER_NORMAL,
	LAYER_UV,
	LAYER_LIGHTMAP_UV,
	LAYER_COLOR,
	LAYER_MATERIAL,
	LAYER_COUNT
} layer_kind;

/* Number of components in a value of each layer. A moving point has the three coordinates of its position and the
 * number of its movement. */
static const uint32_t components[] = {
	[LAYER_POINT] = 3, [LAYER_MOVING_POINT] = 4, [LAYER_NORMAL] = 3,
	[LAYER_UV] = 2,    [LAYER_LIGHTMAP_UV] = 2,  [LAYER_COLOR] = 4,
};

/* ---- Values ----------------------------------------------------------------------------------------------- */

/* Returns how vertex colors are computed. They are display values that may exceed 1, as readers expect. */
static bspi_vertex_color color_rule(const bspi_fbx *fbx, const bspscene_mesh *mesh, const bspscene_section *section)
{
	bspscene_write_lighting lighting = fbx->writer->options.lighting;
	if (lighting == BSPSCENE_WRITE_LIGHTING_BAKED) lighting = BSPSCENE_WRITE_LIGHTING_LIGHTMAP;
	return bspi_vertex_color_of(fbx->scene, lighting, mesh, section);
}

static void color_at(const bspi_fbx *fbx, const bspscene_mesh *mesh, const bspscene_section *section, uint32_t vertex,
                     float out[4])
{
	bspi_vertex_color rule = color_rule(fbx, mesh, section);
	bspi_vertex_color_at(&rule, vertex, out);
	for (int i = 0; i < 3; i++) out[i] = bspi_display_from_linear(out[i]);
}

/* Computes the uv of a vertex: in the baked picture, or on the texture. */
static void uv_at(const bspi_fbx *fbx, const bspscene_mesh *mesh, uint32_t section, uint32_t vertex, float out[2])
{
	const bspi_fbx_scratch *scratch = &fbx->scratch;
	const bspscene_material *material = fbx->scene->materials[mesh->sections[section]->material];
	bool in_picture = scratch->lit && scratch->lit[section].in_picture;
	if (in_picture) memcpy(out, scratch->lit_uvs + 2 * (size_t)vertex, 2 * sizeof *out);
	else bspi_placed_base_uv(fbx->scene, mesh, material, vertex, out);
	out[1] = 1 - out[1];
}

static void value_at(const bspi_fbx *fbx, const bspscene_mesh *mesh, uint32_t section_index, layer_kind kind,
                     uint32_t vertex, float out[BSPI_FBX_MOST_COMPONENTS])
{
	const bspscene_section *section = mesh->sections[section_index];
	const bspscene_material *material = fbx->scene->materials[section->material];
	switch (kind) {
	case LAYER_POINT:
	case LAYER_MOVING_POINT:
		bspi_y_up_position(fbx->scene, mesh, vertex, out);
		for (int i = 0; i < 3; i++) out[i] *= fbx->scale;
		if (kind == LAYER_MOVING_POINT) out[3] = (float)fbx->scratch.movements[vertex];
		break;
	case LAYER_NORMAL: bspi_y_up_normal(mesh, vertex, material->cull == BSPSCENE_CULL_FRONT, out); break;
	case LAYER_UV: uv_at(fbx, mesh, section_index, vertex, out); break;
	case LAYER_LIGHTMAP_UV:
		out[0] = mesh->lightmap_uvs[2 * (size_t)vertex];
		out[1] = 1 - mesh->lightmap_uvs[2 * (size_t)vertex + 1];
		break;
	default: color_at(fbx, mesh, section, vertex, out);
	}
}

uint64_t bspi_fbx_most_values(const bspscene_mesh *mesh)
{
	uint64_t count = 0;
	for (uint32_t s = 0; s < mesh->section_count; s++) count += mesh->sections[s]->vertex_count;
	return mesh->rig && mesh->vertex_count > count ? mesh->vertex_count : count;
}

static void number_movements(bspi_fbx *fbx, const bspscene_mesh *mesh)
{
	bspi_fbx_scratch *scratch = &fbx->scratch;
	bspi_unique_clear(&scratch->unique, 3, (size_t)bspi_fbx_most_values(mesh));
	for (uint32_t i = 0; i < mesh->vertex_count; i++) {
		uint64_t movement = bspi_vertex_movement(mesh, i);
		float parts[3];
		for (int k = 0; k < 3; k++) parts[k] = (float)(movement >> HASH_PART * k & ((1u << HASH_PART) - 1));
		scratch->movements[i] = bspi_unique_number(&scratch->unique, parts);
	}
}

void bspi_fbx_number_points(bspi_fbx *fbx, const bspscene_mesh *mesh)
{
	bspi_fbx_scratch *scratch = &fbx->scratch;
	layer_kind kind = mesh->rig ? LAYER_MOVING_POINT : LAYER_POINT;
	if (mesh->rig) number_movements(fbx, mesh);
	bspi_unique_clear(&scratch->unique, components[kind], (size_t)bspi_fbx_most_values(mesh));
	for (uint32_t i = 0; i < scratch->corner_count; i++) {
		float value[BSPI_FBX_MOST_COMPONENTS];
		value_at(fbx, mesh, scratch->sections[i / 3], kind, scratch->corners[i], value);
		scratch->points[i] = bspi_unique_number(&scratch->unique, value);
	}
}

/* ---- Arrays, in any thread -------------------------------------------------------------------------------- */

/* Data that the tasks share: the mesh, its geometry, and the layers in the order of the file. */
typedef struct making {
	bspi_fbx *fbx;
	const bspscene_mesh *mesh;
	const bspi_fbx_geometry *geometry;
	layer_kind kinds[LAYER_COUNT];
	uint32_t count;
} making;

typedef struct layer {
	bspi_fbx_array values, numbers;
} layer;

static void put_elements(bspi_fbx_array *array, const float *values, size_t count)
{
	for (size_t i = 0; i < count; i++) bspi_fbx_put_f64(array, (double)values[i]);
}

static void put_point(const bspi_fbx_scratch *scratch, bspi_fbx_array *array, uint32_t number)
{
	put_elements(array, scratch->unique.values + (size_t)number * scratch->unique.width, 3);
}

static bool fill_polygons(const bspi_fbx_scratch *scratch, layer *out, bspi_arena *arena)
{
	size_t point_count = (size_t)scratch->unique.count + scratch->copy_count;
	BSPI_TRY(bspi_fbx_make_array(&out->values, arena, 'd', 3 * point_count));
	BSPI_TRY(bspi_fbx_make_array(&out->numbers, arena, 'i', scratch->corner_count));
	for (uint32_t i = 0; i < scratch->unique.count; i++) put_point(scratch, &out->values, i);
	for (uint32_t i = 0; i < scratch->copy_count; i++) put_point(scratch, &out->values, scratch->numbers[i]);
	for (uint32_t i = 0; i < scratch->corner_count; i++) {
		int32_t point = (int32_t)scratch->points[i];
		bspi_fbx_put_i32(&out->numbers, i % 3 == 2 ? ~point : point); /* FBX marks the last corner of a polygon by its
		                                                               * bitwise complement */
	}
	return true;
}

static bool is_of_one_material(const bspi_fbx_geometry *geometry)
{
	return geometry->material_count == 1;
}

/* Stores for each triangle its material, as an index into the materials that are linked to the model. */
static bool fill_materials(const making *m, layer *out, bspi_arena *arena)
{
	const bspi_fbx_scratch *scratch = &m->fbx->scratch;
	uint32_t count = is_of_one_material(m->geometry) ? 1 : scratch->corner_count / 3;
	BSPI_TRY(bspi_fbx_make_array(&out->numbers, arena, 'i', count));
	for (uint32_t i = 0; i < count; i++) {
		bspi_fbx_put_i32(&out->numbers, (int32_t)scratch->slot_of_section[scratch->sections[i]]);
	}
	return true;
}

static bool fill_values(const making *m, layer_kind kind, layer *out, bspi_arena *arena)
{
	const bspi_fbx_scratch *scratch = &m->fbx->scratch;
	size_t most = (size_t)bspi_fbx_most_values(m->mesh);
	bspi_unique_values unique;
	BSPI_TRY(bspi_unique_reserve(arena, &unique, most, components[kind]));
	BSPI_TRY(bspi_fbx_make_array(&out->numbers, arena, 'i', scratch->corner_count));
	bspi_unique_clear(&unique, components[kind], most);
	for (uint32_t i = 0; i < scratch->corner_count; i++) {
		float value[BSPI_FBX_MOST_COMPONENTS];
		value_at(m->fbx, m->mesh, scratch->sections[i / 3], kind, scratch->corners[i], value);
		bspi_fbx_put_i32(&out->numbers, (int32_t)bspi_unique_number(&unique, value));
	}
	size_t count = (size_t)unique.count * components[kind];
	BSPI_TRY(bspi_fbx_make_array(&out->values, arena, 'd', count));
	put_elements(&out->values, unique.values, count);
	return true;
}

static bool fill_layer(const making *m, layer_kind kind, layer *out, bspi_arena *arena)
{
	switch (kind) {
	case LAYER_POINT: return fill_polygons(&m->fbx->scratch, out, arena);
	case LAYER_MATERIAL: return fill_materials(m, out, arena);
	default: return fill_values(m, kind, out, arena);
	}
}

static bool make_layer(void *user, bspi_task *task)
{
	const making *m = user;
	bspi_fbx_file *file = &m->fbx->file;
	layer *made = task->result = bspi_arena_alloc(&task->arena, 1, sizeof *made);
	bool well = made && fill_layer(m, m->kinds[task->index], made, &task->arena) &&
	            bspi_fbx_pack_array(file, &made->values, &task->arena) &&
	            bspi_fbx_pack_array(file, &made->numbers, &task->arena);
	return well || bspi_task_fail_memory(task);
}

/* ---- Records ---------------------------------------------------------------------------------------------- */

static void put_array(bspi_fbx_file *file, const char *name, const bspi_fbx_array *array)
{
	bspi_fbx_open(file, name);
	bspi_fbx_add_array(file, array);
	bspi_fbx_close(file);
}

static void put_mapping(bspi_fbx_file *file, const char *mapping)
{
	bspi_fbx_text(file, "MappingInformationType", mapping);
	bspi_fbx_text(file, "ReferenceInformationType", "IndexToDirect");
}

static void put_values(bspi_fbx_file *file, layer_kind kind, const layer *made)
{
	static const struct {
		const char *record, *values, *numbers, *name;
		int32_t number, version;
	} layers[] = {
		[LAYER_NORMAL] = { "LayerElementNormal", "Normals", "NormalsIndex", "", 0, 102 },
		[LAYER_UV] = { "LayerElementUV", "UV", "UVIndex", "UVMap", 0, 101 },
		[LAYER_LIGHTMAP_UV] = { "LayerElementUV", "UV", "UVIndex", "Lightmap", 1, 101 },
		[LAYER_COLOR] = { "LayerElementColor", "Colors", "ColorIndex", "Col", 0, 101 },
	};
	bspi_fbx_open(file, layers[kind].record);
	bspi_fbx_add_i32(file, layers[kind].number);
	bspi_fbx_i32(file, "Version", layers[kind].version);
	bspi_fbx_text(file, "Name", layers[kind].name);
	put_mapping(file, "ByPolygonVertex");
	put_array(file, layers[kind].values, &made->values);
	put_array(file, layers[kind].numbers, &made->numbers);
	bspi_fbx_close(file);
}

static void put_materials(bspi_fbx_file *file, bool same, const layer *made)
{
	bspi_fbx_open(file, "LayerElementMaterial");
	bspi_fbx_add_i32(file, 0);
	bspi_fbx_i32(file, "Version", 101);
	bspi_fbx_text(file, "Name", "");
	put_mapping(file, same ? "AllSame" : "ByPolygon");
	put_array(file, "Materials", &made->numbers);
	bspi_fbx_close(file);
}

static size_t stored_size(const bspi_fbx_array *array)
{
	return array->packed_size ? array->packed_size : array->size;
}

/* Reports a quarter of a mesh's progress. It is called for four of the layers: polygons, normals, coordinates and
 * colors. */
static void report_layer(const bspi_fbx *fbx, const bspscene_mesh *mesh)
{
	enum { REPORTED_LAYERS = 4 };
	bspi_writer_worked(fbx->writer, "write",
	                   bspi_cost_of_triangles(fbx->writer, mesh->index_count / 3) / REPORTED_LAYERS);
}

static bool put_layer(void *user, bspi_task *task)
{
	const making *m = user;
	bspi_fbx_file *file = &m->fbx->file;
	const layer *made = task->result;
	layer_kind kind = m->kinds[task->index];
	size_t size = RECORDS_SIZE + stored_size(&made->values) + stored_size(&made->numbers);
	BSPI_TRY(bspi_fbx_reserve(file, size, &task->error));
	switch (kind) {
	case LAYER_POINT:
		put_array(file, "Vertices", &made->values);
		put_array(file, "PolygonVertexIndex", &made->numbers);
		break;
	case LAYER_MATERIAL: put_materials(file, is_of_one_material(m->geometry), made); break;
	default: put_values(file, kind, made);
	}
	if (kind != LAYER_MATERIAL) report_layer(m->fbx, m->mesh);
	return !m->fbx->writer->failure.status;
}

static void put_layer_element(bspi_fbx_file *file, const char *type, int32_t number)
{
	bspi_fbx_open(file, "LayerElement");
	bspi_fbx_text(file, "Type", type);
	bspi_fbx_i32(file, "TypedIndex", number);
	bspi_fbx_close(file);
}

static void open_layer(bspi_fbx_file *file, int32_t number)
{
	bspi_fbx_open(file, "Layer");
	bspi_fbx_add_i32(file, number);
	bspi_fbx_i32(file, "Version", 100);
}

static bool has_colors(const bspi_fbx *fbx, const bspscene_mesh *mesh)
{
	for (uint32_t i = 0; i < mesh->section_count; i++) {
		bspi_vertex_color rule = color_rule(fbx, mesh, mesh->sections[i]);
		if (mesh->sections[i]->index_count && !bspi_vertex_color_is_white(&rule)) return true;
	}
	return false;
}

static bool has_lightmap(const bspi_fbx *fbx, const bspscene_mesh *mesh)
{
	for (uint32_t i = 0; mesh->lightmap_uvs && i < mesh->section_count; i++) {
		if (bspi_fbx_look_of(fbx, mesh->sections[i]).page != BSPSCENE_NO_INDEX) return true;
	}
	return false;
}

static void put_layer_list(bspi_fbx_file *file, bool colors, bool lightmap)
{
	open_layer(file, 0);
	put_layer_element(file, "LayerElementNormal", 0);
	put_layer_element(file, "LayerElementMaterial", 0);
	put_layer_element(file, "LayerElementUV", 0);
	if (colors) put_layer_element(file, "LayerElementColor", 0);
	bspi_fbx_close(file);
	if (!lightmap) return;
	open_layer(file, 1);
	put_layer_element(file, "LayerElementUV", 1);
	bspi_fbx_close(file);
}

bool bspi_fbx_put_layers(bspi_fbx *fbx, const bspscene_mesh *mesh, const bspi_fbx_geometry *geometry)
{
	making m = { .fbx = fbx, .mesh = mesh, .geometry = geometry };
	bool colors = has_colors(fbx, mesh), lightmap = has_lightmap(fbx, mesh);
	m.kinds[m.count++] = LAYER_POINT;
	m.kinds[m.count++] = LAYER_NORMAL;
	m.kinds[m.count++] = LAYER_UV;
	if (lightmap) m.kinds[m.count++] = LAYER_LIGHTMAP_UV;
	if (colors) m.kinds[m.count++] = LAYER_COLOR;
	m.kinds[m.count++] = LAYER_MATERIAL;
	const bspi_job job = { .count = m.count, .work = make_layer, .finish = put_layer, .user = &m };
	bool is_small = fbx->scratch.corner_count < THREADS_FROM;
	BSPI_TRY(is_small ? bspi_run_short_writer_job(fbx->writer, &job) : bspi_run_writer_job(fbx->writer, &job));
	put_layer_list(&fbx->file, colors, lightmap);
	return !fbx->writer->failure.status;
}
