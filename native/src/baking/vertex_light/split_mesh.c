/* split_mesh.c - builds the divided mesh. A chart's new vertices follow those of its face, and its triangles replace
 * the old ones. So the vertices and triangles of a section or a face stay consecutive. See vertex_light.h. */
#include "baking/vertex_light/vertex_light.h"

#include <math.h>

#include "base/vec.h"

/* New indices of the vertices and triangles of the old mesh. Each of the two arrays has one more entry at its end: the
 * number of all vertices or triangles of the new mesh. */
typedef struct moves {
	const bspi_light_mesh *from;
	uint32_t *vertices, *triangles;
	uint32_t *firsts;                  /* per chart: index of its first new vertex in the new mesh */
	uint32_t vertex_count, triangle_count;
} moves;

static bool find_moves(bspi_ctx *ctx, const bspi_light_mesh *from, moves *out)
{
	uint32_t vertex_count = from->mesh->vertex_count, triangle_count = from->mesh->index_count / 3;
	uint64_t vertices = vertex_count, triangles = triangle_count;
	*out = (moves){ .from = from };
	out->vertices = bspi_push(ctx, &ctx->stage, uint32_t, (size_t)vertex_count + 2);
	out->triangles = bspi_push(ctx, &ctx->stage, uint32_t, (size_t)triangle_count + 2);
	out->firsts = bspi_push(ctx, &ctx->stage, uint32_t, from->chart_count);
	BSPI_TRY(out->vertices && out->triangles && out->firsts);
	/* The count of each old element is stored one entry later. Then the prefix sums of the counts are the new
	 * indices. */
	for (uint32_t i = 0; i < vertex_count; i++) out->vertices[i + 1] = 1;
	for (uint32_t i = 0; i < triangle_count; i++) out->triangles[i + 1] = 1;
	for (uint32_t i = 0; i < from->chart_count; i++) {
		const bspi_light_chart *chart = &from->charts[i];
		const bspi_divided_chart *divided = &from->divided[i];
		if (!divided->triangle_count) continue;
		vertices += divided->vertex_count;
		triangles += divided->triangle_count - chart->triangle_count;
		BSPI_CHECK(ctx, vertices < UINT32_MAX / 4 && triangles < UINT32_MAX / 4, BSPSCENE_ERROR_LIMIT, BSPI_NOWHERE,
		           "too many vertices");
		out->firsts[i] = out->vertices[chart->last_vertex + 1];
		out->vertices[chart->last_vertex + 1] += divided->vertex_count;
		out->triangles[chart->first_triangle + 1] = divided->triangle_count;
		for (uint32_t t = 1; t < chart->triangle_count; t++) out->triangles[chart->first_triangle + t + 1] = 0;
	}
	for (uint32_t i = 1; i <= vertex_count; i++) out->vertices[i] += out->vertices[i - 1];
	for (uint32_t i = 1; i <= triangle_count; i++) out->triangles[i] += out->triangles[i - 1];
	for (uint32_t i = 0; i < from->chart_count; i++) out->firsts[i] += out->vertices[from->charts[i].last_vertex];
	out->vertex_count = (uint32_t)vertices;
	out->triangle_count = (uint32_t)triangles;
	return true;
}

/* ---- Vertices --------------------------------------------------------------------------------------------- */

/* Writes one attribute, which is `width` numbers, of a new vertex to `to`. Interpolates between the numbers of its
 * parents in `array`. */
typedef void mix_fn(const void *array, uint32_t width, const bspi_light_vertex *v, void *to);

static double mixed(double a, double b, double c, const bspi_light_vertex *v)
{
	return a + (b - a) * (double)v->shares[0] + (c - a) * (double)v->shares[1];
}

static void mix_floats(const void *array, uint32_t width, const bspi_light_vertex *v, void *to)
{
	const float *from = array;
	float *out = to;
	for (uint32_t k = 0; k < width; k++) {
		double a = (double)from[(size_t)v->parents[0] * width + k];
		double b = (double)from[(size_t)v->parents[1] * width + k];
		out[k] = (float)mixed(a, b, (double)from[(size_t)v->parents[2] * width + k], v) + 0.0f; /* Maps -0 to 0. */
	}
}

/* Clamps weights and alphas, which rounding may move out of range. */
static void mix_shares(const void *array, uint32_t width, const bspi_light_vertex *v, void *to)
{
	float *out = to;
	mix_floats(array, width, v, to);
	for (uint32_t k = 0; k < width; k++) out[k] = fminf(fmaxf(out[k], 0), 1);
}

static void mix_normals(const void *array, uint32_t width, const bspi_light_vertex *v, void *to)
{
	mix_floats(array, width, v, to);
	if (!bspi_normalize(to)) memcpy(to, (const float *)array + (size_t)v->parents[0] * width, width * sizeof(float));
}

static void mix_bytes(const void *array, uint32_t width, const bspi_light_vertex *v, void *to)
{
	const uint8_t *from = array;
	uint8_t *out = to;
	for (uint32_t k = 0; k < width; k++) {
		double value = mixed(from[(size_t)v->parents[0] * width + k], from[(size_t)v->parents[1] * width + k],
		                     from[(size_t)v->parents[2] * width + k], v);
		out[k] = (uint8_t)(fmin(fmax(value, 0), 255) + 0.5);
	}
}

/* Returns the array with the attribute of the new vertices, or NULL if memory is out. */
static void *split_array(bspi_ctx *ctx, const moves *m, const void *array, uint32_t width, size_t size, mix_fn *mix)
{
	const bspi_light_mesh *from = m->from;
	size_t element = width * size;
	uint8_t *to = bspi_push_unset(ctx, &ctx->result, m->vertex_count, element);
	for (uint32_t i = 0; to && i < from->mesh->vertex_count; i++) {
		memcpy(to + m->vertices[i] * element, (const uint8_t *)array + i * element, element);
	}
	for (uint32_t c = 0; to && c < from->chart_count; c++) {
		const bspi_divided_chart *chart = &from->divided[c];
		for (uint32_t i = 0; i < chart->vertex_count; i++) {
			mix(array, width, &chart->vertices[i], to + (m->firsts[c] + i) * element);
		}
	}
	return to;
}

/* Replaces an array by one with the new vertices. NULL stays NULL. */
static bool split_floats(bspi_ctx *ctx, const moves *m, const float **array, uint32_t width, mix_fn *mix)
{
	if (*array) *array = split_array(ctx, m, *array, width, sizeof **array, mix);
	return !ctx->error.status;
}

static const float *split_light(bspi_ctx *ctx, const moves *m)
{
	const bspi_light_mesh *from = m->from;
	float *light = bspi_push_unset(ctx, &ctx->result, m->vertex_count, 3 * sizeof *light);
	for (uint32_t s = 0; light && s < from->mesh->section_count; s++) {
		const bspscene_section *section = from->mesh->sections[s];
		const bspi_light_step *steps = from->sources[s].steps;
		for (uint32_t i = section->first_vertex; i < section->first_vertex + section->vertex_count; i++) {
			const uint16_t *levels = from->levels + 3 * (size_t)i;
			for (size_t k = 0; k < 3; k++) light[3 * (size_t)m->vertices[i] + k] = steps[levels[k]].light;
		}
	}
	for (uint32_t c = 0; light && c < from->chart_count; c++) {
		const bspi_divided_chart *chart = &from->divided[c];
		const bspi_light_step *steps = from->sources[from->charts[c].section].steps;
		for (uint32_t i = 0; i < chart->vertex_count; i++) {
			float *out = light + 3 * ((size_t)m->firsts[c] + i);
			for (int k = 0; k < 3; k++) out[k] = steps[chart->vertices[i].levels[k]].light;
		}
	}
	return light;
}

static bool put_vertices(bspi_ctx *ctx, bspscene_mesh *mesh, const moves *m)
{
	mesh->baked_light = split_light(ctx, m);
	BSPI_TRY(split_floats(ctx, m, &mesh->positions, 3, mix_floats));
	BSPI_TRY(split_floats(ctx, m, &mesh->normals, 3, mix_normals) && split_floats(ctx, m, &mesh->uvs, 2, mix_floats));
	BSPI_TRY(split_floats(ctx, m, &mesh->blend_alphas, 1, mix_shares));
	BSPI_TRY(split_floats(ctx, m, &mesh->blend_weights, 4, mix_shares));
	if (mesh->colors) mesh->colors = split_array(ctx, m, mesh->colors, 4, 1, mix_bytes);
	mesh->lightmap_uvs = mesh->map_page_uvs = NULL;
	mesh->vertex_records = NULL;
	mesh->vertex_count = m->vertex_count;
	return !ctx->error.status;
}

/* ---- Triangles -------------------------------------------------------------------------------------------- */

static uint32_t corner_now(const moves *m, uint32_t chart, uint32_t corner)
{
	uint32_t count = m->from->mesh->vertex_count;
	return corner < count ? m->vertices[corner] : m->firsts[chart] + corner - count;
}

static bool put_triangles(bspi_ctx *ctx, bspscene_mesh *mesh, const moves *m)
{
	const bspi_light_mesh *from = m->from;
	const uint8_t *old_tags = from->mesh->triangle_tags;
	uint32_t *indices = bspi_push_unset(ctx, &ctx->result, (size_t)m->triangle_count * 3, sizeof *indices);
	uint8_t *tags = old_tags ? bspi_push_unset(ctx, &ctx->result, m->triangle_count, 1) : NULL;
	BSPI_TRY(indices && (tags || !old_tags));
	for (uint32_t i = 0; i < from->mesh->index_count / 3; i++) {
		uint32_t c = from->charts_of_triangles[i], at = m->triangles[i];
		const bspi_divided_chart *chart = c == BSPSCENE_NO_INDEX ? NULL : &from->divided[c];
		if (chart && chart->triangle_count && i != from->charts[c].first_triangle) continue;
		uint32_t count = chart && chart->triangle_count ? chart->triangle_count : 1;
		for (uint32_t t = 0; t < count; t++, at++) {
			bool is_new = chart && chart->triangle_count;
			const uint32_t *corners = is_new ? chart->triangles[t].corners : from->mesh->indices + 3 * (size_t)i;
			for (size_t k = 0; k < 3; k++) indices[3 * (size_t)at + k] = corner_now(m, c, corners[k]);
			if (tags) tags[at] = old_tags[is_new ? chart->triangles[t].origin : i];
		}
	}
	mesh->indices = indices;
	mesh->index_count = 3 * m->triangle_count;
	mesh->triangle_tags = tags;
	return true;
}

static void move_run(const uint32_t *starts, uint32_t *first, uint32_t *count)
{
	uint32_t end = *first + *count;
	*first = starts[*first];
	*count = starts[end] - *first;
}

static void move_indices(const uint32_t *starts, uint32_t *first, uint32_t *count)
{
	*first /= 3;
	*count /= 3;
	move_run(starts, first, count);
	*first *= 3;
	*count *= 3;
}

static bool put_sections(bspi_ctx *ctx, bspscene_mesh *mesh, const moves *m)
{
	bspscene_section *sections = bspi_push(ctx, &ctx->result, bspscene_section, mesh->section_count);
	BSPI_TRY(sections);
	for (uint32_t i = 0; i < mesh->section_count; i++) {
		sections[i] = *mesh->sections[i];
		move_run(m->vertices, &sections[i].first_vertex, &sections[i].vertex_count);
		move_indices(m->triangles, &sections[i].first_index, &sections[i].index_count);
		sections[i].lightmap_page = sections[i].map_page_image = BSPSCENE_NO_INDEX;
		if (sections[i].lighting == BSPSCENE_LIGHTING_LIGHTMAP) sections[i].lighting = BSPSCENE_LIGHTING_VERTEX;
	}
	mesh->sections = bspi_table(ctx, bspscene_section, sections, mesh->section_count);
	return mesh->sections != NULL;
}

static void move_faces(const moves *m, const bspscene_section *section, bspscene_face *faces)
{
	for (uint32_t i = section->first_face; i < section->first_face + section->face_count; i++) {
		bspscene_face *face = &faces[i];
		move_run(m->vertices, &face->first_vertex, &face->vertex_count);
		move_indices(m->triangles, &face->first_index, &face->index_count);
		face->lightmap_page = BSPSCENE_NO_INDEX;
		face->lightmap_x = face->lightmap_y = face->lightmap_width = face->lightmap_height = 0;
		memset(face->styles, 255, sizeof face->styles);
	}
}

/* Drops the rig of a divided mesh, because new vertices belong to no bone. In practice models have no luxels and are
 * not divided. */
static void leave_rig(bspscene_mesh *mesh)
{
	mesh->rig = NULL;
	mesh->joints = NULL;
	mesh->weights = mesh->frame_positions = mesh->frame_normals = NULL;
}

bool bspi_split_mesh(bspi_ctx *ctx, const bspi_light_mesh *from, bspscene_mesh *mesh, bspscene_face *faces)
{
	moves m;
	BSPI_TRY(find_moves(ctx, from, &m));
	BSPI_TRY(put_vertices(ctx, mesh, &m) && put_triangles(ctx, mesh, &m));
	BSPI_TRY(put_sections(ctx, mesh, &m));
	if (m.vertex_count != from->mesh->vertex_count) leave_rig(mesh);
	for (uint32_t i = 0; i < mesh->section_count; i++) move_faces(&m, mesh->sections[i], faces);
	bspi_arena_reset(&ctx->stage);
	return true;
}
