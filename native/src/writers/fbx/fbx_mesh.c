/* fbx_mesh.c - makes geometries, one per mesh, shared by all nodes that show it.
 *
 * Positions are welded, so that editors see closed surfaces. Triangles without an area are dropped. A triangle on the
 * same points as another one, such as the back of a water surface, gets points of its own, because editors (Blender)
 * delete it otherwise. */
#include "writers/fbx/fbx.h"

#include <inttypes.h>
#include <string.h>

#include <bspscene/material.h>

#include "base/text.h"

/* ---- Triangles -------------------------------------------------------------------------------------------- */

static void collect_corners(bspi_fbx *fbx, const bspscene_mesh *mesh)
{
	bspi_fbx_scratch *scratch = &fbx->scratch;
	scratch->corner_count = 0;
	for (uint32_t s = 0; s < mesh->section_count; s++) {
		const bspscene_section *section = mesh->sections[s];
		bool flip = fbx->scene->materials[section->material]->cull == BSPSCENE_CULL_FRONT;
		for (uint32_t i = 0; i < section->index_count; i += 3) {
			const uint32_t *indices = mesh->indices + section->first_index + i;
			if (!bspi_is_triangle(indices)) continue;
			scratch->sections[scratch->corner_count / 3] = s;
			for (uint32_t c = 0; c < 3; c++) scratch->corners[scratch->corner_count++] = indices[flip ? 2 - c : c];
		}
	}
}

static void drop_flat_triangles(bspi_fbx_scratch *scratch)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < scratch->corner_count; i += 3) {
		if (!bspi_is_triangle(scratch->points + i)) continue;
		memmove(scratch->corners + kept, scratch->corners + i, 3 * sizeof *scratch->corners);
		scratch->sections[kept / 3] = scratch->sections[i / 3];
		kept += 3;
	}
	scratch->corner_count = kept;
}

static void sort_corners(const uint32_t *points, uint32_t out[3])
{
	memcpy(out, points, 3 * sizeof *out);
	for (int i = 0; i < 3; i++) {
		int next = i == 1 ? 1 : 0;
		uint32_t low = out[next];
		if (low <= out[next + 1]) continue;
		out[next] = out[next + 1];
		out[next + 1] = low;
	}
}

static size_t slots_for(size_t corner_count)
{
	size_t count = 16;
	while (count < corner_count) count *= 2;
	return count;
}

/* Returns true if a triangle on the same points is in the hash table. Otherwise adds this triangle to the table. */
static bool is_doubled(bspi_fbx_scratch *scratch, uint32_t first_corner)
{
	uint32_t key[3], other[3];
	sort_corners(scratch->points + first_corner, key);
	size_t at = (size_t)bspi_hash(key, sizeof key) & (scratch->slot_count - 1);
	for (; scratch->slots[at]; at = (at + 1) & (scratch->slot_count - 1)) {
		sort_corners(scratch->points + 3 * (size_t)(scratch->slots[at] - 1), other);
		if (!memcmp(key, other, sizeof key)) return true;
	}
	scratch->slots[at] = first_corner / 3 + 1;
	return false;
}

/* If several triangles are on the same points, gives all but the first one copies of these points. scratch.numbers has
 * the original of each copy. */
static void part_doubled_triangles(bspi_fbx_scratch *scratch)
{
	scratch->slot_count = slots_for(scratch->corner_count);
	memset(scratch->slots, 0, scratch->slot_count * sizeof *scratch->slots);
	scratch->copy_count = 0;
	for (uint32_t i = 0; i < scratch->corner_count; i += 3) {
		if (!is_doubled(scratch, i)) continue;
		for (uint32_t c = i; c < i + 3; c++) {
			scratch->numbers[scratch->copy_count] = scratch->points[c];
			scratch->points[c] = scratch->unique.count + scratch->copy_count++;
		}
	}
}

/* ---- Geometries ------------------------------------------------------------------------------------------- */

/* Lists each material of the mesh once, and stores for each section the index of its material in this list. */
static bool find_materials(bspi_fbx *fbx, const bspscene_mesh *mesh, bspi_fbx_geometry *geometry)
{
	const bspi_lit_section *lit = fbx->scratch.lit;
	bool again = geometry->id != 0;    /* this is a further geometry, for another model of a moving mesh */
	if (!again) geometry->first_material = fbx->slot_count;
	geometry->material_count = 0;
	for (uint32_t s = 0; s < mesh->section_count; s++) {
		uint32_t material;
		if (!bspi_count_indices(mesh, mesh->sections[s])) continue;
		BSPI_TRY(bspi_fbx_find_material(fbx, mesh->sections[s], lit ? &lit[s] : NULL, &material));
		uint32_t slot = fbx->slot_of[material];
		bool known = slot < geometry->material_count && fbx->slots[geometry->first_material + slot] == material;
		if (!known) {
			slot = fbx->slot_of[material] = geometry->material_count++;
			fbx->slots[geometry->first_material + slot] = material;
		}
		fbx->scratch.slot_of_section[s] = slot;
	}
	if (!again) fbx->slot_count += geometry->material_count;
	return true;
}

/* Stores for each point one of the scene's vertices that were welded to it. The animation of a rig needs them. */
static bool keep_points(bspi_fbx *fbx, const bspscene_mesh *mesh, bspi_fbx_geometry *geometry)
{
	const bspi_fbx_scratch *scratch = &fbx->scratch;
	if (!mesh->rig) return true;
	geometry->point_count = scratch->unique.count + scratch->copy_count;
	bspi_fbx_point *points = bspi_writer_push(fbx->writer, bspi_fbx_point, geometry->point_count);
	BSPI_TRY(points);
	for (uint32_t i = 0; i < scratch->corner_count; i++) {
		uint32_t material = mesh->sections[scratch->sections[i / 3]]->material;
		points[scratch->points[i]].vertex = scratch->corners[i];
		points[scratch->points[i]].flip = fbx->scene->materials[material]->cull == BSPSCENE_CULL_FRONT;
	}
	geometry->points = points;
	return true;
}

bool bspi_fbx_put_geometry(bspi_fbx *fbx, uint32_t index)
{
	const bspscene_mesh *mesh = fbx->scene->meshes[index];
	bspi_fbx_geometry *geometry = &fbx->geometries[index];
	fbx->scratch.lit = fbx->lit.sections ? fbx->lit.sections[index] : NULL;
	fbx->scratch.lit_uvs = fbx->lit.uvs ? fbx->lit.uvs[index] : NULL;
	collect_corners(fbx, mesh);
	bspi_fbx_number_points(fbx, mesh);
	drop_flat_triangles(&fbx->scratch);
	if (!fbx->scratch.corner_count) return true;
	BSPI_TRY(find_materials(fbx, mesh, geometry));

	geometry->id = bspi_fbx_open_object(fbx, BSPI_FBX_GEOMETRY, mesh->name, "Mesh");
	bspi_fbx_open_properties(fbx);
	bspi_fbx_close(&fbx->file);
	bspi_fbx_i32(&fbx->file, "GeometryVersion", 124);
	bspi_fbx_number_points(fbx, mesh);
	part_doubled_triangles(&fbx->scratch);
	BSPI_TRY(keep_points(fbx, mesh, geometry));
	BSPI_TRY(bspi_fbx_put_layers(fbx, mesh, geometry));
	bspi_fbx_close(&fbx->file);
	return !fbx->writer->failure.status;
}

static size_t larger(size_t a, uint64_t b)
{
	return b > a ? (size_t)b : a;
}

/* Allocates the working memory for the largest mesh. */
static bool reserve(bspi_fbx *fbx)
{
	const bspscene_scene *scene = fbx->scene;
	bspi_fbx_scratch *scratch = &fbx->scratch;
	bspi_writer *writer = fbx->writer;
	size_t vertices = 0, indices = 0, sections = 0, moving = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const bspscene_mesh *mesh = scene->meshes[m];
		uint64_t mesh_indices = 0;
		for (uint32_t s = 0; s < mesh->section_count; s++) mesh_indices += mesh->sections[s]->index_count;
		if (mesh->rig) moving = larger(moving, mesh->vertex_count);
		vertices = larger(vertices, bspi_fbx_most_values(mesh));
		indices = larger(indices, mesh_indices);
		sections = larger(sections, mesh->section_count);
	}
	if (indices > INT32_MAX / 2 || vertices > INT32_MAX / 2) {
		return bspi_writer_fail(writer, BSPSCENE_ERROR_LIMIT, "a mesh of %zu triangles is too large for FBX",
		                        indices / 3);
	}
	scratch->corners = bspi_writer_push(writer, uint32_t, indices);
	scratch->sections = bspi_writer_push(writer, uint32_t, indices / 3);
	scratch->movements = bspi_writer_push(writer, uint32_t, moving);
	scratch->points = bspi_writer_push(writer, uint32_t, indices);
	scratch->numbers = bspi_writer_push(writer, uint32_t, indices);
	scratch->slots = bspi_writer_push(writer, uint32_t, slots_for(indices));
	scratch->slot_of_section = bspi_writer_push(writer, uint32_t, sections);
	return scratch->corners && scratch->sections && scratch->movements && scratch->points && scratch->numbers &&
	       scratch->slots && scratch->slot_of_section &&
	       (bspi_unique_reserve(&writer->arena, &scratch->unique, vertices, BSPI_FBX_MOST_COMPONENTS) ||
	        bspi_writer_fail_memory(writer));
}

static bool make_pictures(bspi_fbx *fbx, const bool *shown)
{
	for (uint32_t m = 0; m < fbx->scene->mesh_count; m++) {
		const bspscene_mesh *mesh = fbx->scene->meshes[m];
		const bspi_lit_section *lit = fbx->lit.sections ? fbx->lit.sections[m] : NULL;
		for (uint32_t s = 0; shown[m] && s < mesh->section_count; s++) {
			if (!bspi_count_indices(mesh, mesh->sections[s])) continue;
			bspi_fbx_foresee_textures(fbx, mesh->sections[s], lit ? &lit[s] : NULL);
		}
	}
	return bspi_picture_set_make_foreseen(&fbx->pictures);
}

bool bspi_fbx_put_geometries(bspi_fbx *fbx)
{
	bool *shown;
	BSPI_TRY(reserve(fbx) && bspi_mark_shown(fbx->writer, &shown) && make_pictures(fbx, shown));
	for (uint32_t m = 0; m < fbx->scene->mesh_count; m++) {
		if (shown[m]) BSPI_TRY(bspi_fbx_put_geometry(fbx, m));
	}
	return true;
}
