/* fbx_layer.c - the layers of a geometry: values that differ, in the order of their first use, and a number for each
 * corner of a polygon. So edges are shared where surfaces are smooth, whatever their seams. */
#include "writers/fbx/fbx.h"

#include <string.h>

#include "images/display.h"
#include "writers/light/place_uv.h"
#include "writers/vertex_frames.h"

typedef enum layer_kind {
	LAYER_POINT,
	LAYER_MOVING_POINT,
	LAYER_NORMAL,
	LAYER_UV,
	LAYER_LIGHTMAP_UV,
	LAYER_COLOR
} layer_kind;

/* Of the values; those of points are 3, behind which a moving one has the number of its movement. */
static const uint32_t components[] = {
	[LAYER_POINT] = 3, [LAYER_MOVING_POINT] = 4, [LAYER_NORMAL] = 3,
	[LAYER_UV] = 2,    [LAYER_LIGHTMAP_UV] = 2,  [LAYER_COLOR] = 4,
};

/* ---- Values ----------------------------------------------------------------------------------------------- */

/* Colours are as they are displayed, with the curve going on beyond white: what readers expect. */
static bspi_vertex_color color_rule(const bspi_fbx *fbx, const bspscene_mesh *mesh, const bspscene_section *section)
{
	bspscene_write_lighting lighting = fbx->writer->options.lighting;
	if (lighting == BSPSCENE_WRITE_BAKED) lighting = BSPSCENE_WRITE_LIGHTMAP;
	return bspi_vertex_color_of(fbx->scene, lighting, mesh, section);
}

static void color_at(const bspi_fbx *fbx, const bspscene_mesh *mesh, const bspscene_section *section, uint32_t vertex,
                     float out[4])
{
	bspi_vertex_color rule = color_rule(fbx, mesh, section);
	bspi_vertex_color_at(&rule, vertex, out);
	for (int i = 0; i < 3; i++) out[i] = bspi_display_from_linear(out[i]);
}

/* In the picture of baked light, or on the texture. */
static void uv_at(const bspi_fbx *fbx, const bspscene_mesh *mesh, uint32_t section, uint32_t vertex, float out[2])
{
	const bspi_fbx_scratch *scratch = &fbx->scratch;
	const bspscene_material *material = fbx->scene->materials[mesh->sections[section]->material];
	bool in_picture = scratch->lit && scratch->lit[section].in_picture;
	if (in_picture) memcpy(out, scratch->lit_uvs + 2 * (size_t)vertex, 2 * sizeof *out);
	else bspi_place_uv(material, mesh->uvs + 2 * (size_t)vertex, out);
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

static void number_values(bspi_fbx *fbx, const bspscene_mesh *mesh, layer_kind kind, uint32_t *numbers)
{
	bspi_fbx_scratch *scratch = &fbx->scratch;
	bspi_unique_clear(&scratch->unique, components[kind]);
	for (uint32_t i = 0; i < scratch->corner_count; i++) {
		float value[BSPI_FBX_MOST_COMPONENTS];
		value_at(fbx, mesh, scratch->sections[i / 3], kind, scratch->corners[i], value);
		numbers[i] = bspi_unique_number(&scratch->unique, value);
	}
}

/* ---- Records ---------------------------------------------------------------------------------------------- */

static void put_elements(bspi_fbx *fbx, const float *values, size_t count)
{
	for (size_t i = 0; i < count; i++) bspi_fbx_put_f64(&fbx->file, (double)values[i]);
}

static void put_values(bspi_fbx *fbx, const char *name, uint32_t count)
{
	bspi_fbx_open(&fbx->file, name);
	bspi_fbx_begin_array(&fbx->file);
	put_elements(fbx, fbx->scratch.unique.values, (size_t)fbx->scratch.unique.count * count);
	bspi_fbx_end_array(&fbx->file, 'd');
	bspi_fbx_close(&fbx->file);
}

static void put_mapping(bspi_fbx_file *file, const char *mapping)
{
	bspi_fbx_text(file, "MappingInformationType", mapping);
	bspi_fbx_text(file, "ReferenceInformationType", "IndexToDirect");
}

static void put_layer(bspi_fbx *fbx, const bspscene_mesh *mesh, layer_kind kind)
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
	bspi_fbx_file *file = &fbx->file;
	number_values(fbx, mesh, kind, fbx->scratch.numbers);
	bspi_fbx_open(file, layers[kind].record);
	bspi_fbx_add_i32(file, layers[kind].number);
	bspi_fbx_i32(file, "Version", layers[kind].version);
	bspi_fbx_text(file, "Name", layers[kind].name);
	put_mapping(file, "ByPolygonVertex");
	put_values(fbx, layers[kind].values, components[kind]);
	bspi_fbx_open(file, layers[kind].numbers);
	bspi_fbx_begin_array(file);
	for (uint32_t i = 0; i < fbx->scratch.corner_count; i++) bspi_fbx_put_i32(file, (int32_t)fbx->scratch.numbers[i]);
	bspi_fbx_end_array(file, 'i');
	bspi_fbx_close(file);
	bspi_fbx_close(file);
	bspi_fbx_step(fbx, mesh);
}

/* Numbers count the materials that are linked to a model, in their order. */
static void put_material_layer(bspi_fbx *fbx, const bspi_fbx_geometry *geometry)
{
	bool same = geometry->material_count == 1;
	bspi_fbx_file *file = &fbx->file;
	bspi_fbx_open(file, "LayerElementMaterial");
	bspi_fbx_add_i32(file, 0);
	bspi_fbx_i32(file, "Version", 101);
	bspi_fbx_text(file, "Name", "");
	put_mapping(file, same ? "AllSame" : "ByPolygon");
	bspi_fbx_open(file, "Materials");
	bspi_fbx_begin_array(file);
	for (uint32_t i = 0; i < (same ? 1 : fbx->scratch.corner_count / 3); i++) {
		bspi_fbx_put_i32(file, (int32_t)fbx->scratch.slot_of_section[fbx->scratch.sections[i]]);
	}
	bspi_fbx_end_array(file, 'i');
	bspi_fbx_close(file);
	bspi_fbx_close(file);
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

#define HASH_PART 21                   /* bits of a hash that a float holds */

static void number_movements(bspi_fbx *fbx, const bspscene_mesh *mesh)
{
	bspi_fbx_scratch *scratch = &fbx->scratch;
	bspi_unique_clear(&scratch->unique, 3);
	for (uint32_t i = 0; i < mesh->vertex_count; i++) {
		uint64_t movement = bspi_vertex_movement(mesh, i);
		float parts[3];
		for (int k = 0; k < 3; k++) parts[k] = (float)(movement >> HASH_PART * k & ((1u << HASH_PART) - 1));
		scratch->movements[i] = bspi_unique_number(&scratch->unique, parts);
	}
}

void bspi_fbx_number_points(bspi_fbx *fbx, const bspscene_mesh *mesh)
{
	if (mesh->rig) number_movements(fbx, mesh);
	number_values(fbx, mesh, mesh->rig ? LAYER_MOVING_POINT : LAYER_POINT, fbx->scratch.points);
}

static void put_point(bspi_fbx *fbx, uint32_t number)
{
	const bspi_unique_values *unique = &fbx->scratch.unique;
	put_elements(fbx, unique->values + (size_t)number * unique->width, 3);
}

void bspi_fbx_put_points(bspi_fbx *fbx)
{
	const bspi_fbx_scratch *scratch = &fbx->scratch;
	bspi_fbx_open(&fbx->file, "Vertices");
	bspi_fbx_begin_array(&fbx->file);
	for (uint32_t i = 0; i < scratch->unique.count; i++) put_point(fbx, i);
	for (uint32_t i = 0; i < scratch->copy_count; i++) put_point(fbx, scratch->numbers[i]);
	bspi_fbx_end_array(&fbx->file, 'd');
	bspi_fbx_close(&fbx->file);
}

void bspi_fbx_put_layers(bspi_fbx *fbx, const bspscene_mesh *mesh, const bspi_fbx_geometry *geometry)
{
	bspi_fbx_file *file = &fbx->file;
	bool colors = has_colors(fbx, mesh), lightmap = has_lightmap(fbx, mesh);
	put_layer(fbx, mesh, LAYER_NORMAL);
	put_layer(fbx, mesh, LAYER_UV);
	if (lightmap) put_layer(fbx, mesh, LAYER_LIGHTMAP_UV);
	if (colors) put_layer(fbx, mesh, LAYER_COLOR);
	put_material_layer(fbx, geometry);
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
