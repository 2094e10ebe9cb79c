/* usd_mesh.c - writes meshes as Mesh prims with a GeomSubset for each material. doubleSided and visibility apply to a
 * whole Mesh, so a mesh of the scene may become up to four prims. Tasks write the attributes of large ones in several
 * threads. */
#include "writers/usd/usd.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <bspscene/material.h>

#include "writers/light/place_uv.h"
#include "writers/unique_values.h"

#define THREADS_FROM 1500u             /* meshes with at least this many corners use threads; for smaller ones, starting
                                        * threads takes longer than writing */

/* The sections of a scene mesh that become one Mesh prim. */
typedef struct part {
	const bspscene_mesh *mesh;
	const uint32_t *materials;         /* for each section of the scene mesh, the index of its material */
	const float *lit_uvs;              /* positions of vertices in the baked picture; NULL: the mesh is not in it */
	const char *name;
	bool two_sided, hidden;
} part;

/* ---- Choosing sections ------------------------------------------------------------------------------------ */

static bool is_in(const bspi_usd *usd, const part *p, uint32_t section)
{
	const bspscene_section *s = p->mesh->sections[section];
	bool two_sided = usd->scene->materials[s->material]->cull == BSPSCENE_CULL_NONE;
	return p->materials[section] != BSPSCENE_NO_INDEX && two_sided == p->two_sided &&
	       (s->surface_kind != BSPSCENE_SURFACE_VISIBLE) == p->hidden;
}

/* Returns the first section of this part whose index is at least `section`, or section_count if there is none. */
static uint32_t next_section(const bspi_usd *usd, const part *p, uint32_t section)
{
	while (section < p->mesh->section_count && !is_in(usd, p, section)) section++;
	return section;
}

#define FOR_SECTIONS(s, usd, p) \
	for (uint32_t s = next_section(usd, p, 0); s < (p)->mesh->section_count; s = next_section(usd, p, s + 1))

bool bspi_usd_is_drawn(const bspi_usd *usd, uint32_t mesh)
{
	const uint32_t *materials = usd->section_materials[mesh];
	for (uint32_t s = 0; materials && s < usd->scene->meshes[mesh]->section_count; s++) {
		if (materials[s] != BSPSCENE_NO_INDEX) return true;
	}
	return false;
}

static bool has_page(const bspi_usd *usd, const part *p)
{
	FOR_SECTIONS(s, usd, p) {
		if (p->mesh->lightmap_uvs && bspi_usd_has_st1(&usd->materials[p->materials[s]])) return true;
	}
	return false;
}

static bspi_vertex_color color_rule(const bspi_usd *usd, const part *p, uint32_t section)
{
	return bspi_vertex_color_of(usd->scene, usd->writer->options.lighting, p->mesh, p->mesh->sections[section]);
}

static bool has_colors(const bspi_usd *usd, const part *p, bool *has_alpha)
{
	bool any = false;
	*has_alpha = false;
	FOR_SECTIONS(s, usd, p) {
		const bspi_vertex_color rule = color_rule(usd, p, s);
		any = any || !bspi_vertex_color_is_white(&rule);
		*has_alpha = *has_alpha || rule.alpha;
	}
	return any;
}

/* ---- Vertices --------------------------------------------------------------------------------------------- */

/* The attributes of a mesh. INDEX and NORMAL have a value for each corner, the others for each vertex. */
typedef enum attribute {
	ATTRIBUTE_INDEX, ATTRIBUTE_NORMAL, ATTRIBUTE_POINT, ATTRIBUTE_UV, ATTRIBUTE_LIGHTMAP_UV, ATTRIBUTE_COLOR,
	ATTRIBUTE_ALPHA, ATTRIBUTE_COUNT
} attribute;

/* The attributes of a part, in the order of the file. Each is written by a task. */
typedef struct writing {
	const bspi_usd *usd;
	const part *part;
	bspi_usd_text *out;
	double step;                       /* cost of writing one attribute, for the progress */
	struct {
		attribute which;
		bool always;
		bspi_usd_text text;
	} items[ATTRIBUTE_COUNT];
	uint32_t count;
} writing;

static const struct { const char *declaration; uint32_t width; } attributes[] = {
	[ATTRIBUTE_POINT] = { "point3f[] points", 3 },
	[ATTRIBUTE_UV] = { "texCoord2f[] primvars:st", 2 },
	[ATTRIBUTE_LIGHTMAP_UV] = { "texCoord2f[] primvars:st1", 2 },
	[ATTRIBUTE_COLOR] = { "color3f[] primvars:displayColor", 3 },
	[ATTRIBUTE_ALPHA] = { "float[] primvars:displayOpacity", 1 },
};

/* Returns the coordinates of a vertex in the baked picture. If the mesh is not in it, they are those on the lightmap
 * page. */
static void light_uv_at(const part *p, uint32_t vertex, float out[2])
{
	memcpy(out, (p->lit_uvs ? p->lit_uvs : p->mesh->lightmap_uvs) + 2 * (size_t)vertex, 2 * sizeof *out);
}

static void value_at(const bspi_usd *usd, const part *p, const bspi_vertex_color *rule,
                     const bspi_usd_material *material, attribute which, uint32_t vertex, float out[4])
{
	switch (which) {
	case ATTRIBUTE_POINT:
		bspi_y_up_position(usd->scene, p->mesh, vertex, out);
		break;
	case ATTRIBUTE_UV:
		if (material->lit_alone) light_uv_at(p, vertex, out);
		else bspi_placed_base_uv(usd->scene, p->mesh, usd->scene->materials[material->look.material], vertex, out);
		out[1] = 1 - out[1];
		break;
	case ATTRIBUTE_LIGHTMAP_UV:
		light_uv_at(p, vertex, out);
		out[1] = 1 - out[1];
		break;
	default:
		bspi_vertex_color_at(rule, vertex, out);
		if (which == ATTRIBUTE_ALPHA) out[0] = out[3];
	}
}

static void put_values(const bspi_usd *usd, const part *p, attribute which, bspi_usd_text *text)
{
	bspi_usd_begin_list(text, attributes[which].declaration);
	FOR_SECTIONS(s, usd, p) {
		const bspscene_section *section = p->mesh->sections[s];
		const bspi_usd_material *material = &usd->materials[p->materials[s]];
		const bspi_vertex_color rule = color_rule(usd, p, s);
		for (uint32_t i = 0; i < section->vertex_count; i++) {
			float value[4];
			value_at(usd, p, &rule, material, which, section->first_vertex + i, value);
			bspi_usd_put_tuple(text, value, attributes[which].width);
		}
	}
	bspi_usd_end_list(text, which == ATTRIBUTE_POINT ? NULL : "vertex");
}

static void put_extent(bspi_usd *usd, const part *p)
{
	float low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
	FOR_SECTIONS(s, usd, p) {
		const bspscene_section *section = p->mesh->sections[s];
		for (uint32_t v = 0; v < section->vertex_count; v++) {
			float point[3];
			bspi_y_up_position(usd->scene, p->mesh, section->first_vertex + v, point);
			for (int i = 0; i < 3; i++) {
				low[i] = fminf(low[i], point[i]);
				high[i] = fmaxf(high[i], point[i]);
			}
		}
	}
	bspi_usd_begin_list(&usd->text, "float3[] extent");
	bspi_usd_put_tuple(&usd->text, low, 3);
	bspi_usd_put_tuple(&usd->text, high, 3);
	bspi_usd_end_list(&usd->text, NULL);
}

/* ---- Corners ---------------------------------------------------------------------------------------------- */

/* State of writing the corners of a part's triangles. */
typedef struct corners {
	const part *part;
	bspi_usd_text *text;
	bspi_unique_values normals;
} corners;

typedef void corner_fn(corners *out, uint32_t vertex, uint32_t index, bool flip);

static void for_corners(const bspi_usd *usd, corners *out, corner_fn *corner)
{
	const part *p = out->part;
	uint32_t first = 0;
	FOR_SECTIONS(s, usd, p) {
		const bspscene_section *section = p->mesh->sections[s];
		bool flip = usd->scene->materials[section->material]->cull == BSPSCENE_CULL_FRONT;
		for (uint32_t i = 0; i < section->index_count; i += 3) {
			const uint32_t *indices = p->mesh->indices + section->first_index + i;
			for (uint32_t c = 0; bspi_is_triangle(indices) && c < 3; c++) {
				uint32_t vertex = indices[flip ? 2 - c : c];
				corner(out, vertex, first + (vertex - section->first_vertex), flip);
			}
		}
		first += section->vertex_count;
	}
}

static void put_index(corners *out, uint32_t vertex, uint32_t index, bool flip)
{
	(void)vertex;
	(void)flip;
	bspi_usd_put_integer(out->text, index);
}

static void put_indices(const bspi_usd *usd, const part *p, bspi_usd_text *text)
{
	corners all = { .part = p, .text = text };
	bspi_usd_begin_list(text, "int[] faceVertexIndices");
	for_corners(usd, &all, put_index);
	bspi_usd_end_list(text, NULL);
}

static uint32_t normal_number(corners *out, uint32_t vertex, bool flip)
{
	float normal[3];
	bspi_y_up_normal(out->part->mesh, vertex, flip, normal);
	return bspi_unique_number(&out->normals, normal);
}

static void count_normal(corners *out, uint32_t vertex, uint32_t index, bool flip)
{
	(void)index;
	normal_number(out, vertex, flip);
}

static void put_normal(corners *out, uint32_t vertex, uint32_t index, bool flip)
{
	(void)index;
	bspi_usd_put_integer(out->text, normal_number(out, vertex, flip));
}

static bool put_normals(const bspi_usd *usd, const part *p, bspi_usd_text *text, bspi_arena *arena)
{
	corners all = { .part = p, .text = text };
	size_t most = 0;
	FOR_SECTIONS(s, usd, p) most += p->mesh->sections[s]->vertex_count;
	BSPI_TRY(bspi_unique_reserve(arena, &all.normals, most, 3));
	bspi_unique_clear(&all.normals, 3, most);
	for_corners(usd, &all, count_normal);
	bspi_usd_begin_list(text, "normal3f[] primvars:normals");
	for (size_t i = 0; i < all.normals.count; i++) bspi_usd_put_tuple(text, all.normals.values + 3 * i, 3);
	bspi_usd_end_list(text, "faceVarying");
	bspi_usd_begin_list(text, "int[] primvars:normals:indices");
	for_corners(usd, &all, put_normal);
	bspi_usd_end_list(text, NULL);
	return true;
}

/* ---- Attributes, in any thread ---------------------------------------------------------------------------- */

static bool make_attribute(void *user, bspi_task *task)
{
	writing *w = user;
	const attribute which = w->items[task->index].which;
	bspi_usd_text *text = &w->items[task->index].text;
	*text = (bspi_usd_text){ .writer = w->out->writer, .depth = w->out->depth };
	text->bytes = (bspi_buffer){ .writer = text->writer, .error = &task->error };
	switch (which) {
	case ATTRIBUTE_INDEX: put_indices(w->usd, w->part, text); break;
	case ATTRIBUTE_NORMAL:
		if (!put_normals(w->usd, w->part, text, &task->arena)) return bspi_task_fail_memory(task);
		break;
	default: put_values(w->usd, w->part, which, text);
	}
	return !text->failed;
}

static bool put_attribute(void *user, bspi_task *task)
{
	writing *w = user;
	bspi_buffer *text = &w->items[task->index].text.bytes, *out = &w->out->bytes;
	out->error = &task->error;
	bool put = bspi_buffer_add(out, text->data, text->size);
	out->error = NULL;
	if (!put) return false;
	bspi_buffer_free(text);
	return !w->items[task->index].always || bspi_writer_worked(w->out->writer, "write", w->step);
}

static void drop_attribute(void *user, bspi_task *task)
{
	bspi_buffer_free(&((writing *)user)->items[task->index].text.bytes);
}

static void add_attribute(writing *w, attribute which, bool always)
{
	w->items[w->count].which = which;
	w->items[w->count++].always = always;
}

/* ---- Faces ------------------------------------------------------------------------------------------------ */

static uint32_t face_count(const part *p, uint32_t section)
{
	return bspi_count_indices(p->mesh, p->mesh->sections[section]) / 3;
}

static void put_face_sizes(bspi_usd *usd, const part *p)
{
	uint32_t total = 0;
	bspi_usd_begin_list(&usd->text, "int[] faceVertexCounts");
	FOR_SECTIONS(s, usd, p) total += face_count(p, s);
	for (uint32_t i = 0; i < total; i++) bspi_usd_put_integer(&usd->text, 3);
	bspi_usd_end_list(&usd->text, NULL);
}

static void put_binding(bspi_usd *usd, uint32_t material)
{
	bspi_usd_line(&usd->text, "rel material:binding = </%s/Materials/%s>", usd->root, usd->materials[material].name);
}

/* Writes a GeomSubset for all sections that have the same material as `section` and are linked to it. */
static void put_subset(bspi_usd *usd, const part *p, uint32_t section)
{
	bspi_usd_text *text = &usd->text;
	uint32_t material = p->materials[section];
	bspi_usd_line(text, "def GeomSubset \"%s\" (", usd->materials[material].name);
	text->depth++;
	bspi_usd_line(text, "prepend apiSchemas = [\"MaterialBindingAPI\"]");
	bspi_usd_close(text, ')');
	bspi_usd_open(text, '{');
	bspi_usd_line(text, "uniform token elementType = \"face\"");
	bspi_usd_line(text, "uniform token familyName = \"materialBind\"");
	bspi_usd_begin_list(text, "int[] indices");
	for (uint32_t s = section; s != BSPSCENE_NO_INDEX; s = usd->chain[s].next) {
		uint32_t count = face_count(p, s);
		for (uint32_t i = 0; i < count; i++) bspi_usd_put_integer(text, usd->chain[s].first_face + i);
	}
	bspi_usd_end_list(text, NULL);
	put_binding(usd, material);
	bspi_usd_close(text, '}');
}

/* Links the sections of a part that have the same material. Returns the number of different materials. */
static uint32_t chain_sections(bspi_usd *usd, const part *p)
{
	uint32_t first_face = 0, count = 0;
	usd->stamp++;
	FOR_SECTIONS(s, usd, p) {
		bspi_usd_last *last = &usd->lasts[p->materials[s]];
		usd->chain[s] = (bspi_usd_link){ BSPSCENE_NO_INDEX, first_face, last->stamp != usd->stamp };
		if (last->stamp == usd->stamp) usd->chain[last->section].next = s;
		else count++;
		*last = (bspi_usd_last){ usd->stamp, s };
		first_face += face_count(p, s);
	}
	return count;
}

static void put_subsets(bspi_usd *usd, const part *p, uint32_t material_count)
{
	if (material_count == 1) {
		put_binding(usd, p->materials[next_section(usd, p, 0)]);
		return;
	}
	bspi_usd_line(&usd->text, "uniform token subsetFamily:materialBind:familyType = \"nonOverlapping\"");
	FOR_SECTIONS(s, usd, p) {
		if (usd->chain[s].is_first) put_subset(usd, p, s);
	}
}

/* ---- Meshes ----------------------------------------------------------------------------------------------- */

enum { STEPS = 5 };

static uint64_t count_corners(const bspi_usd *usd, const part *p)
{
	uint64_t count = 0;
	FOR_SECTIONS(s, usd, p) count += p->mesh->sections[s]->index_count;
	return count;
}

static bool put_attributes(bspi_usd *usd, const part *p, double step)
{
	writing w = { .usd = usd, .part = p, .out = &usd->text, .step = step };
	bool has_alpha, colors = has_colors(usd, p, &has_alpha);
	add_attribute(&w, ATTRIBUTE_INDEX, true);
	add_attribute(&w, ATTRIBUTE_POINT, true);
	add_attribute(&w, ATTRIBUTE_NORMAL, true);
	add_attribute(&w, ATTRIBUTE_UV, true);
	if (has_page(usd, p)) add_attribute(&w, ATTRIBUTE_LIGHTMAP_UV, false);
	if (colors) add_attribute(&w, ATTRIBUTE_COLOR, false);
	if (colors && has_alpha) add_attribute(&w, ATTRIBUTE_ALPHA, false);
	const bspi_job job = { .count = w.count, .work = make_attribute, .finish = put_attribute, .drop = drop_attribute,
	                       .user = &w };
	bool is_small = count_corners(usd, p) < THREADS_FROM;
	return is_small ? bspi_run_short_writer_job(usd->writer, &job) : bspi_run_writer_job(usd->writer, &job);
}

static bool put_part(bspi_usd *usd, const part *p)
{
	bspi_usd_text *text = &usd->text;
	uint32_t material_count = chain_sections(usd, p);
	if (!material_count) return true;
	bspi_usd_line(text, "def Mesh \"%s\" (", p->name);
	text->depth++;
	bspi_usd_line(text, "prepend apiSchemas = [\"MaterialBindingAPI\"]");
	bspi_usd_close(text, ')');
	bspi_usd_open(text, '{');
	if (p->hidden) bspi_usd_line(text, "uniform token purpose = \"guide\"");
	bspi_usd_line(text, "uniform bool doubleSided = %d", p->two_sided);
	bspi_usd_line(text, "uniform token orientation = \"rightHanded\"");
	bspi_usd_line(text, "uniform token subdivisionScheme = \"none\"");
	double step = bspi_cost_of_triangles(usd->writer, count_corners(usd, p) / 3) / STEPS;
	put_extent(usd, p);
	put_face_sizes(usd, p);
	bspi_writer_worked(usd->writer, "write", step);
	BSPI_TRY(!usd->writer->failure.status && put_attributes(usd, p, step));
	put_subsets(usd, p, material_count);
	bspi_usd_close(text, '}');
	return !usd->writer->failure.status;
}

bool bspi_usd_put_mesh(bspi_usd *usd, uint32_t mesh, const char *name)
{
	static const char *const suffixes[] = { "", "_2sided", "_hidden", "_hidden_2sided" };
	bool first = true;
	for (unsigned i = 0; i < 4; i++) {
		char own[BSPI_USD_NAME_SIZE + 16];
		part p = {
			.mesh = usd->scene->meshes[mesh], .materials = usd->section_materials[mesh], .two_sided = i & 1,
			.hidden = i >> 1, .name = own, .lit_uvs = usd->lit.uvs ? usd->lit.uvs[mesh] : NULL,
		};
		if (next_section(usd, &p, 0) == p.mesh->section_count) continue;
		snprintf(own, sizeof own, "%s%s", name, first ? "" : suffixes[i]);
		first = false;
		BSPI_TRY(put_part(usd, &p));
	}
	return !usd->writer->failure.status;
}

bool bspi_usd_reserve_meshes(bspi_usd *usd)
{
	const bspscene_scene *scene = usd->scene;
	size_t sections = 0, all_sections = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const bspscene_mesh *mesh = scene->meshes[m];
		uint64_t vertices = 0;
		for (uint32_t s = 0; s < mesh->section_count; s++) vertices += mesh->sections[s]->vertex_count;
		if (vertices > INT32_MAX / 2) {
			return bspi_writer_fail(usd->writer, BSPSCENE_ERROR_LIMIT, "a mesh of that size is too large for USD");
		}
		if (mesh->section_count > sections) sections = mesh->section_count;
		all_sections += mesh->section_count;
	}
	usd->chain = bspi_writer_push(usd->writer, bspi_usd_link, sections);
	usd->lasts = bspi_writer_push(usd->writer, bspi_usd_last, all_sections);
	return usd->chain && usd->lasts;
}
