/* collision_mesh.c - makes meshes from convex bodies. A model gets one mesh. It has a section and a material for each
 * kind of contents, and a face for each body. */
#include "stages/collision/collision.h"

#include <stdlib.h>

#include "base/text.h"
#include "base/vec.h"
#include "materials/materials.h"

/* Smallest volume of a body, in cubic game units. A smaller body is only a crack between planes that nearly meet. */
#define SMALLEST_VOLUME 0.001
/* In game units. A corner that is closer than this to the line between its neighbors is dropped. */
#define STRAIGHT 0.001
#define UNITS_PER_TEXTURE 64
#define MOST_VERTICES ((uint32_t)1 << 24)
bool bspi_spend_work(bspi_collision_maker *maker, const bspi_body *body)
{
	uint64_t work = (uint64_t)body->point_count + body->corner_count;
	if (work > maker->work_left || maker->vertex_count > MOST_VERTICES) maker->stopped = true;
	else maker->work_left -= work;
	return !maker->stopped;
}

/* ---- Bodies ----------------------------------------------------------------------------------------------- */

static bool is_straight(const double a[3], const double b[3], const double c[3])
{
	double ab[3], ac[3], across[3], length = 0, height = 0;
	for (int i = 0; i < 3; i++) {
		ab[i] = b[i] - a[i];
		ac[i] = c[i] - a[i];
		length += ac[i] * ac[i];
	}
	for (int i = 0; i < 3; i++) {
		across[i] = ab[(i + 1) % 3] * ac[(i + 2) % 3] - ab[(i + 2) % 3] * ac[(i + 1) % 3];
		height += across[i] * across[i];
	}
	return height <= STRAIGHT * STRAIGHT * length;
}

static void add_vertex(bspi_collision_maker *maker, const double position[3], const double normal[3])
{
	for (int i = 0; i < 3; i++) {
		maker->positions[3 * (size_t)maker->vertex_count + (size_t)i] = (float)position[i];
		maker->normals[3 * (size_t)maker->vertex_count + (size_t)i] = (float)normal[i];
	}
	maker->vertex_count++;
}

/* Writes a side of a body. Corners that lie on a straight line between their neighbors are dropped. */
static void add_side(bspi_collision_maker *maker, const bspi_body *body, const bspi_body_side *side,
                     uint32_t piece_first)
{
	const uint16_t *corners = body->corners + side->first;
	uint32_t first = maker->vertex_count, count = 0;
	uint16_t before = corners[side->count - 1];
	for (uint16_t i = 0; i < side->count; i++) {
		uint16_t after = corners[i + 1 < side->count ? i + 1 : 0];
		if (is_straight(body->points[before], body->points[corners[i]], body->points[after])) continue;
		add_vertex(maker, body->points[corners[i]], side->normal);
		before = corners[i];
		count++;
	}
	if (count < 3) maker->vertex_count = first;
	for (uint32_t i = 1; i + 1 < count; i++) {
		const uint32_t triangle[3] = { first, first + i, first + i + 1 };
		for (int k = 0; k < 3; k++) maker->indices[maker->index_count++] = triangle[k] - piece_first;
	}
}

static bool reserve_vertices(bspi_collision_maker *maker, uint32_t corners)
{
	bspi_ctx *ctx = maker->build->ctx;
	if (maker->vertex_capacity - maker->vertex_count < corners) {
		uint32_t wanted = (maker->vertex_count + corners) * 2;
		float *positions = bspi_push(ctx, &ctx->scratch, float, 3 * (size_t)wanted);
		float *normals = bspi_push(ctx, &ctx->scratch, float, 3 * (size_t)wanted);
		BSPI_TRY(positions && normals);
		if (maker->vertex_count) {
			memcpy(positions, maker->positions, 3 * sizeof *positions * maker->vertex_count);
			memcpy(normals, maker->normals, 3 * sizeof *normals * maker->vertex_count);
		}
		maker->positions = positions;
		maker->normals = normals;
		maker->vertex_capacity = wanted;
	}
	if (maker->index_capacity - maker->index_count < 3 * corners) {
		uint32_t wanted = (maker->index_count + 3 * corners) * 2;
		uint32_t *indices = bspi_push(ctx, &ctx->scratch, uint32_t, wanted);
		BSPI_TRY(indices);
		if (maker->index_count) memcpy(indices, maker->indices, sizeof *indices * maker->index_count);
		maker->indices = indices;
		maker->index_capacity = wanted;
	}
	return true;
}

bool bspi_add_piece(bspi_collision_maker *maker, const bspi_body *body, uint32_t contents, uint32_t source,
                    uint32_t leaf)
{
	if (!(bspi_body_volume(body) > SMALLEST_VOLUME)) return true;
	BSPI_TRY(reserve_vertices(maker, body->corner_count));
	BSPI_TRY(bspi_reserve(maker->build->ctx, (void **)&maker->pieces, maker->piece_count, &maker->piece_capacity,
	                      sizeof *maker->pieces));
	bspi_piece piece = { contents, source, leaf, maker->vertex_count, 0, maker->index_count, 0 };
	for (uint32_t i = 0; i < body->side_count; i++) add_side(maker, body, &body->sides[i], piece.first_vertex);
	piece.vertex_count = maker->vertex_count - piece.first_vertex;
	piece.index_count = maker->index_count - piece.first_index;
	if (piece.index_count) maker->pieces[maker->piece_count++] = piece;
	return true;
}

/* ---- Meshes ----------------------------------------------------------------------------------------------- */

static int compare_pieces(const void *a, const void *b)
{
	const bspi_piece *x = a, *y = b;
	if (x->contents != y->contents) return x->contents < y->contents ? -1 : 1;
	return x->first_vertex < y->first_vertex ? -1 : x->first_vertex > y->first_vertex;
}

static bool make_material(bspi_collision_maker *maker, uint32_t contents)
{
	static const float color[4] = { 0.25f, 0.6f, 0.9f, 0.35f };
	bspi_texture texture = { .content_flags = contents, .miptex = BSPI_NO_BYTES };
	char *name = bspi_text_format(maker->build->ctx, &maker->build->ctx->scratch, "collision 0x%x", contents);
	BSPI_TRY(name);
	memcpy(texture.name, name, strlen(name));
	bspscene_material *material = &maker->materials[maker->material_count];
	BSPI_TRY(bspi_material_init(maker->build->ctx, &texture, material));
	material->kind = BSPSCENE_MATERIAL_TOOL;
	material->surface_kind = BSPSCENE_SURFACE_COLLISION;
	material->alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
	memcpy(material->color, color, sizeof color);
	maker->material_count++;
	return true;
}

static bool find_material(bspi_collision_maker *maker, uint32_t contents, uint32_t *index)
{
	uint32_t i = 0;
	while (i < maker->material_count && maker->materials[i].content_flags != contents) i++;
	if (i == BSPI_MOST_COLLISION_MATERIALS) i--;
	if (i == maker->material_count) BSPI_TRY(make_material(maker, contents));
	*index = maker->build->scene->material_count + i;
	return true;
}

/* Projects a position to texture coordinates, along the world axis that is nearest to the normal. */
static void board_uv(const float position[3], const float normal[3], float uv[2])
{
	int axis = 0;
	for (int i = 1; i < 3; i++) axis = fabsf(normal[i]) > fabsf(normal[axis]) ? i : axis;
	uv[0] = position[axis == 0] / UNITS_PER_TEXTURE;
	uv[1] = -position[axis == 2 ? 1 : 2] / UNITS_PER_TEXTURE;
}

typedef struct mesh_arrays {
	float *positions, *normals, *uvs;
	uint32_t *indices;
	bspscene_section *sections;
} mesh_arrays;

static uint32_t count_sections(const bspi_collision_maker *maker)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < maker->piece_count; i++) {
		count += !i || maker->pieces[i].contents != maker->pieces[i - 1].contents;
	}
	return count;
}

static bool allocate(const bspi_collision_maker *maker, mesh_arrays *out)
{
	bspi_ctx *ctx = maker->build->ctx;
	out->positions = bspi_push(ctx, &ctx->result, float, 3 * (size_t)maker->vertex_count);
	out->normals = bspi_push(ctx, &ctx->result, float, 3 * (size_t)maker->vertex_count);
	out->uvs = bspi_push(ctx, &ctx->result, float, 2 * (size_t)maker->vertex_count);
	out->indices = bspi_push(ctx, &ctx->result, uint32_t, maker->index_count);
	out->sections = bspi_push(ctx, &ctx->result, bspscene_section, count_sections(maker));
	return out->positions && out->normals && out->uvs && out->indices && out->sections;
}

static void copy_piece(const bspi_collision_maker *maker, const bspi_piece *piece, const mesh_arrays *to,
                       uint32_t first_vertex, uint32_t first_index)
{
	for (uint32_t i = 0; i < piece->vertex_count; i++) {
		const size_t from = 3 * ((size_t)piece->first_vertex + i), at = (size_t)first_vertex + i;
		bspi_copy3(to->positions + 3 * at, maker->positions + from);
		bspi_copy3(to->normals + 3 * at, maker->normals + from);
		if (!bspi_normalize(to->normals + 3 * at)) bspi_copy3(to->normals + 3 * at, (const float[3]){ 0, 0, 1 });
		board_uv(to->positions + 3 * at, to->normals + 3 * at, to->uvs + 2 * at);
	}
	for (uint32_t i = 0; i < piece->index_count; i++) {
		to->indices[first_index + i] = first_vertex + maker->indices[piece->first_index + i];
	}
}

static bool add_face(bspi_collision_maker *maker, const bspi_piece *piece, const bspscene_mesh *mesh)
{
	const bspi_leaf *leaf = piece->leaf == BSPSCENE_NO_INDEX ? NULL : &maker->build->map->leafs[piece->leaf];
	BSPI_TRY(bspi_reserve(maker->build->ctx, (void **)&maker->faces, maker->face_count, &maker->face_capacity,
	                      sizeof *maker->faces));
	maker->faces[maker->face_count++] = (bspscene_face){
		.record = piece->source, .mesh = maker->out->drawn_meshes + maker->mesh_count,
		.section = mesh->section_count - 1,
		.first_index = mesh->index_count, .index_count = piece->index_count,
		.first_vertex = mesh->vertex_count, .vertex_count = piece->vertex_count,
		.content_flags = piece->contents, .leaf = piece->leaf,
		.cluster = leaf && leaf->cluster >= 0 ? (uint32_t)leaf->cluster : BSPSCENE_NO_INDEX,
		.area = leaf && leaf->area >= 0 ? (uint32_t)leaf->area : BSPSCENE_NO_INDEX,
		.lightmap_page = BSPSCENE_NO_INDEX, .styles = { 255, 255, 255, 255 },
	};
	return true;
}

static bool fill_mesh(bspi_collision_maker *maker, const mesh_arrays *arrays, bspscene_mesh *mesh)
{
	uint32_t face_base = maker->build->scene->face_count;
	for (uint32_t i = 0; i < maker->piece_count; i++) {
		const bspi_piece *piece = &maker->pieces[i];
		if (!i || piece->contents != piece[-1].contents) {
			bspscene_section *section = &arrays->sections[mesh->section_count++];
			*section = (bspscene_section) {
				.lightmap_page = BSPSCENE_NO_INDEX,
				.lighting = BSPSCENE_LIGHTING_FULLBRIGHT,
				.surface_kind = BSPSCENE_SURFACE_COLLISION,
				.fog = BSPSCENE_NO_INDEX,
				.map_page_image = BSPSCENE_NO_INDEX,
				.first_vertex = mesh->vertex_count,
				.first_index = mesh->index_count,
				.first_face = face_base + maker->face_count,
			};
			BSPI_TRY(find_material(maker, piece->contents, &section->material));
		}
		BSPI_TRY(add_face(maker, piece, mesh));
		copy_piece(maker, piece, arrays, mesh->vertex_count, mesh->index_count);
		mesh->vertex_count += piece->vertex_count;
		mesh->index_count += piece->index_count;
		bspscene_section *section = &arrays->sections[mesh->section_count - 1];
		section->vertex_count += piece->vertex_count;
		section->index_count += piece->index_count;
		section->face_count++;
	}
	return true;
}

bool bspi_finish_collision_mesh(bspi_collision_maker *maker, uint32_t model, const char *suffix)
{
	bspi_ctx *ctx = maker->build->ctx;
	if (!maker->piece_count) return true;
	mesh_arrays arrays;
	bspscene_mesh mesh = { .model = model, .bounds = BSPI_EMPTY_BOUNDS };
	mesh.name = model ? bspi_text_format(ctx, &ctx->result, "*%u:%s", model, suffix)
	                  : bspi_text_format(ctx, &ctx->result, "worldspawn:%s", suffix);
	qsort(maker->pieces, maker->piece_count, sizeof *maker->pieces, compare_pieces);
	BSPI_TRY(mesh.name && allocate(maker, &arrays) && fill_mesh(maker, &arrays, &mesh));
	mesh.positions = arrays.positions;
	mesh.normals = arrays.normals;
	mesh.uvs = arrays.uvs;
	mesh.indices = arrays.indices;
	mesh.sections = bspi_table(ctx, bspscene_section, arrays.sections, mesh.section_count);
	BSPI_TRY(mesh.sections);
	for (uint32_t i = 0; i < mesh.vertex_count; i++) bspi_bounds_add(&mesh.bounds, mesh.positions + 3 * (size_t)i);

	struct bspi_collision *out = maker->out;
	BSPI_TRY(bspi_reserve(ctx, (void **)&maker->meshes, maker->mesh_count, &maker->mesh_capacity, sizeof mesh));
	BSPI_TRY(bspi_reserve(ctx, (void **)&out->meshes, out->mesh_count, &out->mesh_capacity, sizeof *out->meshes));
	out->meshes[out->mesh_count++] = (bspi_collision_mesh){ out->drawn_meshes + maker->mesh_count, model, suffix };
	maker->meshes[maker->mesh_count++] = mesh;
	maker->build->parts->counts.vertices += mesh.vertex_count;
	maker->build->parts->counts.triangles += mesh.index_count / 3;
	maker->piece_count = maker->vertex_count = maker->index_count = 0;
	return true;
}
