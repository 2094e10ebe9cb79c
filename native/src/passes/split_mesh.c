/* split_mesh.c - a divided mesh as a mesh: new vertices behind the older one of their two ends, so that sections and
 * faces stay runs, triangles in the place of the one they are a part of. See vertex_light.h. */
#include "passes/vertex_light.h"

#include "base/vec.h"

/* Where the mesh's own vertices and triangles are now, and with one more, where what follows them is. */
typedef struct moves {
	uint32_t *vertices, *triangles;
	uint32_t *numbers;                 /* of all vertices of the division, in the new mesh */
} moves;

static bool find_moves(bspi_ctx *ctx, const bspscene_mesh *mesh, const bspi_division *d, moves *out)
{
	uint32_t triangle_count = mesh->index_count / 3;
	out->vertices = bspi_push(ctx, &ctx->stage, uint32_t, (size_t)mesh->vertex_count + 2);
	out->triangles = bspi_push(ctx, &ctx->stage, uint32_t, (size_t)triangle_count + 2);
	out->numbers = bspi_push(ctx, &ctx->stage, uint32_t, d->vertex_count);
	BSPI_TRY(out->vertices && out->triangles && out->numbers);
	/* Counted one further along, so that the sums are where each begins. */
	for (uint32_t i = 0; i < d->vertex_count; i++) out->vertices[d->vertices[i].after + 1]++;
	for (uint32_t i = 0; i < d->triangle_count; i++) out->triangles[d->triangles[i].origin + 1]++;
	for (uint32_t i = 1; i <= mesh->vertex_count; i++) out->vertices[i] += out->vertices[i - 1];
	for (uint32_t i = 1; i <= triangle_count; i++) out->triangles[i] += out->triangles[i - 1];
	/* The mesh's own come first in the division, and so each before those behind it. */
	uint32_t *next = bspi_push(ctx, &ctx->stage, uint32_t, mesh->vertex_count);
	BSPI_TRY(next);
	for (uint32_t i = 0; i < d->vertex_count; i++) {
		uint32_t after = d->vertices[i].after;
		out->numbers[i] = out->vertices[after] + next[after]++;
	}
	return true;
}

/* ---- Vertices --------------------------------------------------------------------------------------------- */

static void middle_floats(const float *from, float *to, uint32_t width, const moves *m, const bspi_division *d)
{
	for (uint32_t i = 0; i < d->vertex_count; i++) {
		const uint32_t *parents = d->vertices[i].parents;
		float *out = to + (size_t)m->numbers[i] * width;
		if (parents[0] == BSPSCENE_NO_INDEX) {
			memcpy(out, from + (size_t)i * width, width * sizeof *out);
			continue;
		}
		const float *a = to + (size_t)m->numbers[parents[0]] * width, *b = to + (size_t)m->numbers[parents[1]] * width;
		for (uint32_t k = 0; k < width; k++) out[k] = (a[k] + b[k]) * 0.5f;
	}
}

/* NULL stays NULL. */
static bool split_floats(bspi_ctx *ctx, const float **array, uint32_t width, const moves *m, const bspi_division *d)
{
	if (!*array) return true;
	float *to = bspi_push_unset(ctx, &ctx->result, (size_t)d->vertex_count * width, sizeof *to);
	BSPI_TRY(to);
	middle_floats(*array, to, width, m, d);
	*array = to;
	return true;
}

static bool split_normals(bspi_ctx *ctx, bspscene_mesh *mesh, const moves *m, const bspi_division *d)
{
	float *to = bspi_push_unset(ctx, &ctx->result, (size_t)d->vertex_count * 3, sizeof *to);
	BSPI_TRY(to);
	for (uint32_t i = 0; i < d->vertex_count; i++) {
		const uint32_t *parents = d->vertices[i].parents;
		float *out = to + 3 * (size_t)m->numbers[i];
		if (parents[0] == BSPSCENE_NO_INDEX) {
			memcpy(out, mesh->normals + 3 * (size_t)i, 3 * sizeof *out);
			continue;
		}
		const float *a = to + 3 * (size_t)m->numbers[parents[0]], *b = to + 3 * (size_t)m->numbers[parents[1]];
		for (int k = 0; k < 3; k++) out[k] = a[k] + b[k];
		if (!bspi_normalize(out)) memcpy(out, a, 3 * sizeof *out);
	}
	mesh->normals = to;
	return true;
}

static bool split_colors(bspi_ctx *ctx, bspscene_mesh *mesh, const moves *m, const bspi_division *d)
{
	if (!mesh->colors) return true;
	uint8_t *to = bspi_push_unset(ctx, &ctx->result, (size_t)d->vertex_count, 4);
	BSPI_TRY(to);
	for (uint32_t i = 0; i < d->vertex_count; i++) {
		const uint32_t *parents = d->vertices[i].parents;
		uint8_t *out = to + 4 * (size_t)m->numbers[i];
		const uint8_t *a = mesh->colors + 4 * (size_t)i, *b = a;
		if (parents[0] != BSPSCENE_NO_INDEX) {
			a = to + 4 * (size_t)m->numbers[parents[0]];
			b = to + 4 * (size_t)m->numbers[parents[1]];
		}
		for (int k = 0; k < 4; k++) out[k] = (uint8_t)((a[k] + b[k] + 1) / 2);
	}
	mesh->colors = to;
	return true;
}

static bool put_vertices(bspi_ctx *ctx, bspscene_mesh *mesh, const moves *m, const bspi_division *d)
{
	float *positions = bspi_push_unset(ctx, &ctx->result, (size_t)d->vertex_count * 3, sizeof *positions);
	float *light = bspi_push_unset(ctx, &ctx->result, (size_t)d->vertex_count * 3, sizeof *light);
	BSPI_TRY(positions && light);
	for (uint32_t i = 0; i < d->vertex_count; i++) {
		memcpy(positions + 3 * (size_t)m->numbers[i], d->vertices[i].position, 3 * sizeof *positions);
		memcpy(light + 3 * (size_t)m->numbers[i], d->vertices[i].light, 3 * sizeof *light);
	}
	BSPI_TRY(split_normals(ctx, mesh, m, d) && split_colors(ctx, mesh, m, d));
	BSPI_TRY(split_floats(ctx, &mesh->uvs, 2, m, d) && split_floats(ctx, &mesh->blend_alphas, 1, m, d));
	BSPI_TRY(split_floats(ctx, &mesh->blend_weights, 4, m, d));
	mesh->positions = positions;
	mesh->light = light;
	mesh->lightmap_uvs = mesh->page_uvs = NULL;
	mesh->source_vertices = NULL;
	mesh->vertex_count = d->vertex_count;
	return true;
}

/* ---- Triangles -------------------------------------------------------------------------------------------- */

static bool put_triangles(bspi_ctx *ctx, bspscene_mesh *mesh, const moves *m, const bspi_division *d)
{
	uint32_t *indices = bspi_push_unset(ctx, &ctx->result, (size_t)d->triangle_count * 3, sizeof *indices);
	uint8_t *tags = mesh->triangle_tags ? bspi_push_unset(ctx, &ctx->result, d->triangle_count, 1) : NULL;
	BSPI_TRY(indices && (tags || !mesh->triangle_tags));
	for (uint32_t i = 0; i < d->triangle_count; i++) {
		for (int k = 0; k < 3; k++) indices[3 * (size_t)i + (size_t)k] = m->numbers[d->triangles[i].corners[k]];
		if (tags) tags[i] = mesh->triangle_tags[d->triangles[i].origin];
	}
	mesh->indices = indices;
	mesh->index_count = 3 * d->triangle_count;
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
		sections[i] = mesh->sections[i];
		move_run(m->vertices, &sections[i].first_vertex, &sections[i].vertex_count);
		move_indices(m->triangles, &sections[i].first_index, &sections[i].index_count);
		sections[i].lightmap_page = sections[i].page_image = BSPSCENE_NO_INDEX;
		if (sections[i].lighting == BSPSCENE_LIGHTING_LIGHTMAP) sections[i].lighting = BSPSCENE_LIGHTING_VERTEX;
	}
	mesh->sections = sections;
	return true;
}

static void move_faces(const moves *m, const bspscene_section *section, bspscene_face *faces)
{
	for (uint32_t i = section->first_face; i < section->first_face + section->face_count; i++) {
		bspscene_face *face = &faces[i];
		move_run(m->vertices, &face->first_vertex, &face->vertex_count);
		move_indices(m->triangles, &face->first_index, &face->index_count);
		face->page = BSPSCENE_NO_INDEX;
		face->x = face->y = face->width = face->height = 0;
		memset(face->styles, 255, sizeof face->styles);
	}
}

bool bspi_split_mesh(bspi_ctx *ctx, const bspi_division *division, bspscene_mesh *mesh, bspscene_face *faces)
{
	moves m;
	BSPI_TRY(find_moves(ctx, mesh, division, &m));
	BSPI_TRY(put_vertices(ctx, mesh, &m, division) && put_triangles(ctx, mesh, &m, division));
	BSPI_TRY(put_sections(ctx, mesh, &m));
	for (uint32_t i = 0; i < mesh->section_count; i++) move_faces(&m, &mesh->sections[i], faces);
	bspi_arena_reset(&ctx->stage);
	return true;
}
