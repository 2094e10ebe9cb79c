/* draft.c - see draft.h. */
#include "draft.h"

#include <string.h>

#include "shade/liquid.h"

/* Largest number of pieces into which one section is subdivided. Each of its faces gets an equal share of this number,
 * but at least LEAST_SHARE pieces. */
#define MOST_PIECES (1u << 18)
#define LEAST_SHARE 4u

bool bspr_section_deforms(const bspscene_scene *scene, const bspscene_section *section)
{
	return scene->materials[section->material]->deform_count > 0 && section->surface_kind == BSPSCENE_SURFACE_VISIBLE;
}

/* ---- Subdividing liquids ------------------------------------------------------------------------------------ */

/* State of subdividing a section. If `draft` is NULL, the pieces are counted but not stored. */
typedef struct cutting {
	const bspscene_mesh *from;
	const bspscene_deform *liquid;
	bspr_draft *draft;
	size_t vertices, indices;
	bool all_quads, turned;            /* all_quads: true if all pieces of the current face so far have 4 corners;
	                                    * turned: true if its triangles run against the order of its corners */
} cutting;

static void take_corner(const bspscene_mesh *from, uint32_t vertex, bspr_cut_corner *out)
{
	size_t v = vertex;
	*out = (bspr_cut_corner){ .color = { 255, 255, 255, 255 } };
	memcpy(out->position, from->positions + v * 3, sizeof out->position);
	memcpy(out->normal, from->normals + v * 3, sizeof out->normal);
	memcpy(out->uv, from->uvs + v * 2, sizeof out->uv);
	if (from->lightmap_uvs) memcpy(out->lightmap_uv, from->lightmap_uvs + v * 2, sizeof out->lightmap_uv);
	if (from->map_page_uvs) memcpy(out->page_uv, from->map_page_uvs + v * 2, sizeof out->page_uv);
	for (int i = 0; from->colors && i < 4; i++) out->color[i] = from->colors[v * 4 + (size_t)i];
}

static uint32_t write_corner(bspr_draft *d, const bspr_cut_corner *corner)
{
	size_t v = d->mesh.vertex_count;
	memcpy(d->positions + v * 3, corner->position, sizeof corner->position);
	memcpy(d->normals + v * 3, corner->normal, sizeof corner->normal);
	memcpy(d->uvs + v * 2, corner->uv, sizeof corner->uv);
	if (d->lightmap_uvs) memcpy(d->lightmap_uvs + v * 2, corner->lightmap_uv, sizeof corner->lightmap_uv);
	if (d->page_uvs) memcpy(d->page_uvs + v * 2, corner->page_uv, sizeof corner->page_uv);
	for (int i = 0; d->colors && i < 4; i++) d->colors[v * 4 + (size_t)i] = (uint8_t)corner->color[i];
	return d->mesh.vertex_count++;
}

static void write_triangle(const cutting *c, uint32_t a, uint32_t b, uint32_t last)
{
	bspscene_mesh *mesh = &c->draft->mesh;
	uint32_t *indices = c->draft->indices + mesh->index_count;
	indices[0] = a;
	indices[1] = c->turned ? last : b;
	indices[2] = c->turned ? b : last;
	mesh->index_count += 3;
}

static bspr_cut_corner middle_of(const bspr_polygon *piece)
{
	bspr_cut_corner out = { .position = { 0 } };
	float *sum = (float *)&out;
	for (size_t i = 0; i < sizeof out / sizeof *sum; i++) {
		for (uint32_t k = 0; k < piece->count; k++) sum[i] += ((const float *)&piece->corners[k])[i];
		sum[i] /= (float)piece->count;
	}
	return out;
}

static void count_piece(void *user, const bspr_polygon *piece)
{
	cutting *c = user;
	bool centered = c->liquid->centered;
	c->vertices += piece->count + centered;
	c->indices += 3 * ((size_t)piece->count - (centered ? 0 : 2));
	c->all_quads &= piece->count == 4;
}

/* Writes the triangles of a piece in the order that engines use: a fan around the center or around the first corner. If
 * all pieces of the face are quads, each is split between its second and last corner, as graphics drivers do. */
static void write_piece(void *user, const bspr_polygon *piece)
{
	cutting *c = user;
	bspr_draft *d = c->draft;
	bool centered = c->liquid->centered, quad = c->all_quads && !centered;
	bspr_cut_corner middle = middle_of(piece);
	uint32_t hub = centered ? write_corner(d, &middle) : 0, first = d->mesh.vertex_count, count = piece->count;
	for (uint32_t k = 0; k < count; k++) write_corner(d, &piece->corners[k]);
	for (uint32_t k = 0; centered && k < count; k++) write_triangle(c, hub, first + k, first + (k + 1) % count);
	if (quad) {
		write_triangle(c, first, first + 1, first + 3);
		write_triangle(c, first + 1, first + 2, first + 3);
	}
	for (uint32_t k = 1; !centered && !quad && k + 1 < count; k++) write_triangle(c, first, first + k, first + k + 1);
}

/* True if the face's vertices are the corners of a convex polygon, in order. */
static bool is_polygon(const bspscene_face *face)
{
	return face->vertex_count >= 3 && face->vertex_count <= BSPR_CUT_CORNERS &&
	       face->index_count == 3 * (face->vertex_count - 2);
}

static bool runs_backwards(const bspscene_mesh *from, const bspscene_face *face)
{
	const uint32_t *t = from->indices + face->first_index;
	return (t[1] - t[0] + face->vertex_count) % face->vertex_count >
	       (t[2] - t[0] + face->vertex_count) % face->vertex_count;
}

static void cut_corners(cutting *c, bspr_cutter *cutter, uint32_t most)
{
	c->all_quads = true;
	cutting counted = *c;
	bspr_polygon whole = cutter->parts[0];
	bspr_cut_liquid(cutter, c->liquid, most, count_piece, &counted);
	c->vertices = counted.vertices;
	c->indices = counted.indices;
	c->all_quads = counted.all_quads;
	if (!c->draft) return;
	cutter->parts[0] = whole;
	bspr_cut_liquid(cutter, c->liquid, most, write_piece, c);
}

static void cut_face(cutting *c, bspr_cutter *cutter, const bspscene_face *face, uint32_t most)
{
	bspr_polygon *whole = &cutter->parts[0];
	if (is_polygon(face)) {
		c->turned = runs_backwards(c->from, face);
		whole->count = face->vertex_count;
		for (uint32_t k = 0; k < whole->count; k++) take_corner(c->from, face->first_vertex + k, &whole->corners[k]);
		cut_corners(c, cutter, most);
		return;
	}
	c->turned = false;
	for (uint32_t i = 0; i + 2 < face->index_count; i += 3) {
		whole->count = 3;
		for (uint32_t k = 0; k < 3; k++) {
			take_corner(c->from, c->from->indices[face->first_index + i + k], &whole->corners[k]);
		}
		cut_corners(c, cutter, most);
	}
}

static uint32_t share_of(const bspscene_section *section)
{
	uint32_t share = MOST_PIECES / (section->face_count ? section->face_count : 1);
	return share > LEAST_SHARE ? share : LEAST_SHARE;
}

static const bspscene_deform *liquid_of(const bspscene_scene *scene, const bspscene_section *section)
{
	return section->face_count ? bspr_liquid_of(scene->materials[section->material]) : NULL;
}

/* ---- Drafts ------------------------------------------------------------------------------------------------- */

typedef struct draft_size {
	size_t vertices, indices, sections;
} draft_size;

static bool measure(bspr_moment *moment, const bspscene_scene *scene, const bspscene_mesh *from, bspr_draft *out,
                    draft_size *size)
{
	for (uint32_t i = 0; i < from->section_count; i++) {
		const bspscene_section *section = from->sections[i];
		if (!bspr_section_deforms(scene, section)) continue;
		size->sections++;
		cutting c = { .from = from, .liquid = liquid_of(scene, section) };
		if (c.liquid && !out->cutter) {
			out->cutter = bspr_moment_take(moment, 1, sizeof *out->cutter);
			if (!out->cutter) return false;
		}
		for (uint32_t f = section->first_face; c.liquid && f < section->first_face + section->face_count; f++) {
			cut_face(&c, out->cutter, &scene->faces[f], share_of(section));
		}
		size->vertices += c.liquid ? c.vertices : section->vertex_count;
		size->indices += c.liquid ? c.indices : section->index_count;
	}
	return size->vertices <= UINT32_MAX && size->indices <= UINT32_MAX;
}

bool bspr_begin_draft(bspr_moment *moment, const bspscene_scene *scene, const bspscene_mesh *from, bspr_draft *out)
{
	draft_size size = { 0, 0, 0 };
	*out = (bspr_draft){ .mesh = { .name = from->name, .model = from->model } };
	if (!measure(moment, scene, from, out, &size)) return false;
	if (!size.sections) return true;
	size_t vertices = size.vertices;
	out->mesh.positions = out->positions = bspr_moment_take(moment, vertices * 3, sizeof(float));
	out->mesh.normals = out->normals = bspr_moment_take(moment, vertices * 3, sizeof(float));
	out->mesh.uvs = out->uvs = bspr_moment_take(moment, vertices * 2, sizeof(float));
	if (from->lightmap_uvs) {
		out->mesh.lightmap_uvs = out->lightmap_uvs = bspr_moment_take(moment, vertices * 2, sizeof(float));
	}
	if (from->map_page_uvs)
		out->mesh.map_page_uvs = out->page_uvs = bspr_moment_take(moment, vertices * 2, sizeof(float));
	if (from->colors) out->mesh.colors = out->colors = bspr_moment_take(moment, vertices * 4, 1);
	out->mesh.indices = out->indices = bspr_moment_take(moment, size.indices, sizeof(uint32_t));
	out->sections = bspr_moment_take(moment, size.sections, sizeof(bspscene_section));
	const bspscene_section **table = bspr_moment_take(moment, size.sections, sizeof *table);
	for (size_t i = 0; table && i < size.sections; i++) table[i] = &out->sections[i];
	out->mesh.sections = table;
	return out->positions && out->normals && out->uvs && out->indices && out->sections && table &&
	       !out->lightmap_uvs == !from->lightmap_uvs && !out->page_uvs == !from->map_page_uvs &&
	       !out->colors == !from->colors;
}

/* Copies the section's vertices unchanged. */
static void copy_corners(const bspscene_mesh *from, const bspscene_section *section, bspr_draft *out)
{
	bspscene_mesh *mesh = &out->mesh;
	size_t first = section->first_vertex, to = mesh->vertex_count, count = section->vertex_count;
	memcpy(out->positions + to * 3, from->positions + first * 3, count * 3 * sizeof(float));
	memcpy(out->normals + to * 3, from->normals + first * 3, count * 3 * sizeof(float));
	memcpy(out->uvs + to * 2, from->uvs + first * 2, count * 2 * sizeof(float));
	if (out->lightmap_uvs) {
		memcpy(out->lightmap_uvs + to * 2, from->lightmap_uvs + first * 2, count * 2 * sizeof(float));
	}
	if (out->page_uvs) memcpy(out->page_uvs + to * 2, from->map_page_uvs + first * 2, count * 2 * sizeof(float));
	if (out->colors) memcpy(out->colors + to * 4, from->colors + first * 4, count * 4);
	for (uint32_t i = 0; i < section->index_count; i++) {
		out->indices[mesh->index_count + i] =
			from->indices[section->first_index + i] - section->first_vertex + mesh->vertex_count;
	}
	mesh->vertex_count += section->vertex_count;
	mesh->index_count += section->index_count;
}

static void deform_faces(const bspscene_scene *scene, const bspscene_section *section, const bspscene_section *copy,
                         bspr_range_fn *deform, void *user)
{
	for (uint32_t i = section->first_face; i < section->first_face + section->face_count; i++) {
		const bspscene_face *face = &scene->faces[i];
		deform(user, &(bspr_range){
			.first_vertex = face->first_vertex - section->first_vertex + copy->first_vertex,
			.vertex_count = face->vertex_count,
			.first_index = face->first_index - section->first_index + copy->first_index,
			.index_count = face->index_count,
		});
	}
	if (section->face_count) return;
	deform(user, &(bspr_range){ copy->first_vertex, copy->vertex_count, copy->first_index, copy->index_count });
}

static void cut_faces(const bspscene_scene *scene, cutting *c, const bspscene_section *section, bspr_range_fn *deform,
                      void *user)
{
	const bspscene_mesh *mesh = &c->draft->mesh;
	for (uint32_t i = section->first_face; i < section->first_face + section->face_count; i++) {
		bspr_range range = { .first_vertex = mesh->vertex_count, .first_index = mesh->index_count };
		cut_face(c, c->draft->cutter, &scene->faces[i], share_of(section));
		range.vertex_count = mesh->vertex_count - range.first_vertex;
		range.index_count = mesh->index_count - range.first_index;
		deform(user, &range);
	}
}

void bspr_draft_section(const bspscene_scene *scene, const bspscene_mesh *from, const bspscene_section *section,
                        bspr_draft *out, bspr_range_fn *deform, void *user)
{
	bspscene_section *copy = &out->sections[out->mesh.section_count++];
	cutting c = { .from = from, .liquid = liquid_of(scene, section), .draft = out };
	*copy = *section;
	copy->first_vertex = out->mesh.vertex_count;
	copy->first_index = out->mesh.index_count;
	if (c.liquid) cut_faces(scene, &c, section, deform, user);
	else copy_corners(from, section, out);
	copy->vertex_count = out->mesh.vertex_count - copy->first_vertex;
	copy->index_count = out->mesh.index_count - copy->first_index;
	if (!c.liquid) deform_faces(scene, section, copy, deform, user);
}
