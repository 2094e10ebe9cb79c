/* lit.c - see lit.h. */
#include "writers/lit/lit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <bspscene/material.h>

#include "images/display.h"
#include "baking/light_at.h"
#include "drawing/sample.h"
#include "writers/light/drawn.h"
#include "writers/writer_costs.h"

#define BYTES_PER_TEXEL 9u             /* bytes of memory for each texel, for the picture and its compression */
#define LIGHT_STEPS 32.0f

/* ---- Choosing charts -------------------------------------------------------------------------------------- */

/* True if a section may be in the picture. If the game adds its colors to the background, or multiplies the background
 * by them, the section stays outside and keeps its own colors. */
static bool may_be_in(const bspscene_scene *scene, const bspscene_mesh *mesh, const bspscene_section *section,
                      bool opaque_alone)
{
	const bspscene_material *material = scene->materials[section->material];
	bspscene_alpha_mode alpha = material->alpha_mode;
	if (opaque_alone && (alpha == BSPSCENE_ALPHA_MODE_MASK || bspi_is_blended(material))) return false;
	bool colors_blend = alpha == BSPSCENE_ALPHA_MODE_ADD || alpha == BSPSCENE_ALPHA_MODE_MODULATE;
	return bspi_page_of(scene, section) != BSPSCENE_NO_INDEX && mesh->lightmap_uvs && !colors_blend;
}

/* Marks the vertices of a chart as its own. Returns false if one of them belongs to another chart, because a vertex has
 * only one position in the picture. */
static bool own_vertices(const bspscene_mesh *mesh, const bspi_lit_chart *chart, uint32_t number, uint32_t *owners)
{
	const uint32_t *indices = mesh->indices + chart->first_index;
	for (uint32_t i = 0; i < chart->index_count; i++) {
		if (owners[indices[i]] && owners[indices[i]] != number) return false;
		owners[indices[i]] = number;
	}
	return true;
}

/* Adds a chart for each face of a section. Returns false if a triangle of the section belongs to no face, or if a face
 * cannot be in the picture. */
static bool add_charts(const bspi_writer *writer, uint32_t mesh_index, uint32_t section_index, uint32_t *owners,
                       bspi_lit *lit)
{
	const bspscene_scene *scene = writer->scene;
	const bspscene_mesh *mesh = scene->meshes[mesh_index];
	const bspscene_section *section = mesh->sections[section_index];
	uint32_t next = section->first_index;
	for (uint32_t f = 0; f < section->face_count; f++) {
		const bspscene_face *face = &scene->faces[section->first_face + f];
		bspi_lit_chart *chart = &lit->charts[lit->chart_count];
		if (face->first_index != next) return false;
		next += face->index_count;
		if (!face->index_count) continue;
		*chart = (bspi_lit_chart) { .mesh = mesh_index, .section = section_index, .face = section->first_face + f,
		                            .first_index = face->first_index, .index_count = face->index_count };
		if (!own_vertices(mesh, chart, ++lit->chart_count, owners) || !bspi_lit_measure(writer, chart)) return false;
	}
	return next == section->first_index + section->index_count;
}

static bool choose_in_mesh(bspi_writer *writer, uint32_t index, bool opaque_alone, bspi_lit *lit)
{
	const bspscene_mesh *mesh = writer->scene->meshes[index];
	uint32_t *owners = bspi_writer_push(writer, uint32_t, mesh->vertex_count);
	lit->sections[index] = bspi_writer_push(writer, bspi_lit_section, mesh->section_count);
	BSPI_TRY(owners && lit->sections[index]);
	for (uint32_t s = 0; s < mesh->section_count; s++) {
		if (!may_be_in(writer->scene, mesh, mesh->sections[s], opaque_alone)) continue;
		uint32_t before = lit->chart_count;
		bool whole = add_charts(writer, index, s, owners, lit);
		lit->sections[index][s].in_picture = whole && lit->chart_count > before;
		if (!whole) lit->chart_count = before;
		bspi_lit_find_parts(writer->scene, mesh->sections[s], lit->charts + before, lit->chart_count - before);
	}
	return true;
}

static bool choose_charts(bspi_writer *writer, const bool *drawn, bool opaque_alone, bspi_lit *lit)
{
	const bspscene_scene *scene = writer->scene;
	size_t count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		for (uint32_t s = 0; drawn[m] && s < scene->meshes[m]->section_count; s++) {
			count += scene->meshes[m]->sections[s]->face_count;
		}
	}
	lit->charts = bspi_writer_push(writer, bspi_lit_chart, count);
	lit->sections = bspi_writer_push(writer, bspi_lit_section *, scene->mesh_count);
	lit->uvs = bspi_writer_push(writer, float *, scene->mesh_count);
	BSPI_TRY(lit->charts && lit->sections && lit->uvs);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		BSPI_TRY(!drawn[m] || choose_in_mesh(writer, m, opaque_alone, lit));
	}
	return true;
}

/* ---- Surfaces outside of the picture ---------------------------------------------------------------------- */

static bool make_tables(bspi_writer *writer, bspi_adding_tables *out)
{
	float *linears = NULL, *displays = NULL;
	if (writer->scene->linear_luxels) {
		BSPI_TRY(linears = bspi_writer_push(writer, float, 256));
		bspi_fill_linears(linears);
	}
	if (bspi_needs_displays(writer->scene)) {
		BSPI_TRY(displays = bspi_writer_push(writer, float, BSPI_HALFS));
		bspi_fill_displays(displays);
	}
	*out = (bspi_adding_tables) { linears, displays };
	return true;
}

static void find_mean_light(const bspscene_scene *scene, const bspi_adding_tables *tables, const bspscene_mesh *mesh,
                            const bspscene_section *section, float out[3])
{
	const bspi_light_rule rule = bspi_light_rule_of(scene, mesh, section);
	double sums[3] = { 0 };
	uint32_t count = bspi_light_is_even(&rule) ? 1 : section->vertex_count;
	for (uint32_t i = 0; i < count; i++) {
		size_t vertex = (size_t)section->first_vertex + i;
		float uv[2] = { 0, 0 }, color[3] = { 1, 1, 1 }, light[3];
		for (size_t k = 0; rule.page != BSPSCENE_NO_INDEX && k < 2; k++) uv[k] = mesh->lightmap_uvs[2 * vertex + k];
		for (size_t k = 0; rule.colors && k < 3; k++) color[k] = (float)mesh->colors[4 * vertex + k] / 255;
		bspi_displayed_light_at(&rule, tables, uv, color, light);
		for (int k = 0; k < 3; k++) sums[k] += (double)light[k];
	}
	for (int k = 0; k < 3; k++) out[k] = roundf((float)(sums[k] / fmax(count, 1)) * LIGHT_STEPS) / LIGHT_STEPS;
}

static void light_others(const bspscene_scene *scene, const bool *drawn, bspi_lit *lit)
{
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const bspscene_mesh *mesh = scene->meshes[m];
		for (uint32_t s = 0; drawn[m] && s < mesh->section_count; s++) {
			bspi_lit_section *section = &lit->sections[m][s];
			if (!lit->sheet_count) section->in_picture = false;
			if (section->in_picture) continue;
			find_mean_light(scene, &lit->tables, mesh, mesh->sections[s], section->light);
		}
	}
}

/* ---- Painting --------------------------------------------------------------------------------------------- */

static bool place_vertices(bspi_writer *writer, bspi_lit *lit)
{
	for (uint32_t i = 0; i < lit->chart_count; i++) {
		const bspi_lit_chart *chart = &lit->charts[i];
		const bspi_lit_sheet *sheet = &lit->sheets[chart->sheet];
		const bspscene_mesh *mesh = writer->scene->meshes[chart->mesh];
		float **uvs = &lit->uvs[chart->mesh];
		if (!*uvs) *uvs = bspi_writer_push(writer, float, 2 * (size_t)mesh->vertex_count);
		BSPI_TRY(*uvs);
		for (uint32_t k = 0; k < chart->index_count; k++) {
			uint32_t vertex = mesh->indices[chart->first_index + k];
			float *uv = *uvs + 2 * (size_t)vertex;
			bspi_lit_texel(writer->scene, chart, vertex, uv);
			uv[0] /= (float)sheet->width;
			uv[1] /= (float)sheet->height;
		}
	}
	return true;
}

static bool make_picture(bspi_writer *writer, bspi_lit *lit, uint32_t number)
{
	bspi_lit_sheet *sheet = &lit->sheets[number];
	uint64_t size = (uint64_t)sheet->width * sheet->height * 3;
	BSPI_TRY(bspi_writer_take(writer, size));
	uint8_t *pixels = bspi_heap_take_zeroed(&writer->budget.heap, (size_t)size);
	bool made = pixels ? bspi_lit_paint(writer, lit, number, pixels) &&
	                     bspi_picture_of_pixels(writer, sheet->width, sheet->height, pixels, &sheet->picture)
	                   : bspi_writer_fail_memory(writer);
	bspi_heap_give(&writer->budget.heap, pixels);
	bspi_writer_give(writer, size);
	return made;
}

/* Returns the largest number of texels that all sheets together may have. They then need half of the remaining
 * memory. */
static uint64_t most_texels(const bspi_writer *writer)
{
	uint64_t left = writer->budget.limit > writer->budget.used ? writer->budget.limit - writer->budget.used : 0;
	return left / 2 / BYTES_PER_TEXEL;
}

bool bspi_lit_make(bspi_writer *writer, const bool *drawn, bool opaque_alone, bspi_lit *out)
{
	const bspscene_scene *scene = writer->scene;
	*out = (bspi_lit) { .charts = NULL };
	if (scene->lightmap_set_count && scene->lightmap_page_count &&
	    scene->lightmap_sets[0].pages[0].format == BSPSCENE_LIGHTMAP_PAGE_RAW32) {
		return bspi_writer_fail(writer, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		                        "raw HDR light cannot be written as a picture: load the lightmaps as display or hdr");
	}
	BSPI_TRY(make_tables(writer, &out->tables));
	BSPI_TRY(choose_charts(writer, drawn, opaque_alone, out));
	if (out->chart_count) BSPI_TRY(bspi_lit_arrange(writer, out, most_texels(writer)));
	BSPI_TRY(bspi_lit_part_sections(writer, out));
	light_others(writer->scene, drawn, out);
	BSPI_TRY(place_vertices(writer, out));
	for (uint32_t i = 0; i < out->sheet_count; i++) BSPI_TRY(make_picture(writer, out, i));
	return true;
}

void bspi_lit_sheet_name(uint32_t sheet, char out[BSPI_LIT_NAME_SIZE])
{
	snprintf(out, BSPI_LIT_NAME_SIZE, sheet ? "lit-%" PRIu32 : "lit", sheet + 1);
}

bool bspi_lit_is_alike(const bspi_lit_section *a, const bspi_lit_section *b)
{
	return a->in_picture == b->in_picture && a->sheet == b->sheet && a->light[0] == b->light[0] &&
	       a->light[1] == b->light[1] && a->light[2] == b->light[2];
}

void bspi_lit_factor(const bspscene_material *material, const bspi_lit_section *section, float out[4])
{
	for (int i = 0; i < 3; i++) {
		float light = section->in_picture ? 1 : section->light[i];
		out[i] = bspi_linear_from_display(bspi_clamp_unit(material->color[i]) * light);
	}
	out[3] = bspi_clamp_unit(material->color[3]);
}

void bspi_lit_free(bspi_lit *lit)
{
	for (uint32_t i = 0; i < BSPI_LIT_MOST_SHEETS; i++) bspi_picture_free(&lit->sheets[i].picture);
}
