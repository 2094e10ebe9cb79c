/* faces.c - see faces.h. */
#include "support/check/faces.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "support/check/check_scene.h"

static void make_arrays(bspt_faces *f)
{
	bspi_ctx *ctx = &f->ctx;
	bspi_map *map = &f->map;
	map->faces = bspi_push(ctx, &ctx->scratch, bspi_face, BSPT_MOST_FACES);
	map->draw_vertices = bspi_push(ctx, &ctx->scratch, bspi_draw_vertex, BSPT_MOST_VERTICES);
	map->draw_indices = bspi_push(ctx, &ctx->scratch, bspi_index, BSPT_MOST_VERTICES);
	map->vertices = bspi_push(ctx, &ctx->scratch, bspi_vertex, BSPT_MOST_VERTICES);
	map->edges = bspi_push(ctx, &ctx->scratch, bspi_edge, BSPT_MOST_VERTICES);
	map->surfedges = bspi_push(ctx, &ctx->scratch, bspi_surfedge, BSPT_MOST_VERTICES);
	map->planes = bspi_push(ctx, &ctx->scratch, bspi_plane, BSPT_MOST_FACES);
	map->texinfos = bspi_push(ctx, &ctx->scratch, bspi_texinfo, 1);
	map->models = bspi_push(ctx, &ctx->scratch, bspi_model, BSPT_MODELS);
	map->textures = bspi_push(ctx, &ctx->scratch, bspi_texture, BSPT_MATERIALS);
	if (ctx->error.status) bspt_die(ctx->error.message, "faces.c");
}

void bspt_begin_faces(bspt_faces *f)
{
	static const char *const names[BSPT_MATERIALS] = { "0", "1", "2", "3", "4", "5", "6", "7" };
	memset(f, 0, sizeof *f);
	f->ctx.file = "faces";
	f->ctx.name = "faces";
	f->ctx.options.patch_error = 4;
	f->ctx.options.lightmap_page_size = 4096;
	f->ctx.options.lightmap_gutter = 1;
	f->ctx.budget.limit = (uint64_t)1 << 30;
	bspi_begin_memory(&f->ctx);
	make_arrays(f);
	f->map.file = f->map.entities = f->map.lighting = f->map.lighting_hdr = f->map.light_directions = BSPI_NO_BYTES;
	f->map.rules = (bspi_rules){ .overbright = 1, .intensity = 1, .lightmap_page_size = 128, .luxel_size = 16 };
	f->map.texinfos[0] = (bspi_texinfo){ .texture_vectors = { { 1, 0, 0, 0 }, { 0, -1, 0, 0 } } };
	f->map.texinfos_count = 1;
	f->map.textures_count = BSPT_MATERIALS;
	for (uint32_t i = 0; i < BSPT_MATERIALS; i++) {
		f->texture_materials[i] = i;
		f->map.textures[i].miptex = BSPI_NO_BYTES;
		memcpy(f->map.textures[i].name, names[i], 2);
		f->materials[i].name = names[i];
	}
	BSPT_POINT(f->material_table, f->materials);
	f->scene.materials = f->material_table;
	f->scene.material_count = BSPT_MATERIALS;
	f->build = (bspi_build){ .ctx = &f->ctx, .map = &f->map, .scene = &f->scene, .parts = &f->parts };
	bspi_set_parts(&f->scene, &f->parts);
	f->build.texture_materials = f->texture_materials;
	bspt_add_model(f);
}

void bspt_end_faces(bspt_faces *f)
{
	bspi_end_memory(&f->ctx);
	if (f->ctx.budget.used) bspt_die("the budget is not even", "faces.c");
}

void bspt_add_model(bspt_faces *f)
{
	if (f->map.models_count == BSPT_MODELS) bspt_die("too many models", "faces.c");
	f->map.models[f->map.models_count++].first_face = (int32_t)f->map.faces_count;
}

uint32_t bspt_add_vertices(bspt_faces *f, const float (*positions)[3], uint32_t count)
{
	uint32_t first = f->map.draw_vertices_count;
	if (first + count > BSPT_MOST_VERTICES) bspt_die("too many vertices", "faces.c");
	for (uint32_t i = 0; i < count; i++) {
		bspi_draw_vertex *vertex = &f->map.draw_vertices[f->map.draw_vertices_count++];
		*vertex = (bspi_draw_vertex){ .color = { 255, 255, 255, 255 } };
		bspi_copy3(vertex->position, positions[i]);
	}
	return first;
}

bspi_face *bspt_add_face(bspt_faces *f, bspi_face_kind kind)
{
	if (f->map.faces_count == BSPT_MOST_FACES) bspt_die("too many faces", "faces.c");
	bspi_face *face = &f->map.faces[f->map.faces_count++];
	*face = (bspi_face){
		.kind = kind, .plane = -1, .texinfo = -1, .fog = -1, .dispinfo = -1, .light_offset = -1, .light_projection = -1,
		.leaf = -1, .lightmap = { BSPI_PAGE_BY_VERTEX, BSPI_PAGE_BY_VERTEX, BSPI_PAGE_BY_VERTEX, BSPI_PAGE_BY_VERTEX },
		.styles = { 0, 255, 255, 255 }, .vertex_styles = { 0, 255, 255, 255 },
	};
	f->map.models[f->map.models_count - 1].face_count++;
	return face;
}

bspi_face *bspt_add_patch(bspt_faces *f, const float (*controls)[3], uint32_t width, uint32_t height)
{
	bspi_face *face = bspt_add_face(f, BSPI_FACE_PATCH);
	face->first_vertex = (int32_t)bspt_add_vertices(f, controls, width * height);
	face->vertex_count = (int32_t)(width * height);
	face->patch_width = (int32_t)width;
	face->patch_height = (int32_t)height;
	return face;
}

bspi_face *bspt_add_triangles(bspt_faces *f, const float (*positions)[3], uint32_t vertex_count,
                              const uint32_t *indices, uint32_t index_count)
{
	bspi_face *face = bspt_add_face(f, BSPI_FACE_TRIANGLES);
	face->first_vertex = (int32_t)bspt_add_vertices(f, positions, vertex_count);
	face->vertex_count = (int32_t)vertex_count;
	face->first_index = (int32_t)f->map.draw_indices_count;
	face->index_count = (int32_t)index_count;
	for (uint32_t i = 0; i < index_count; i++) f->map.draw_indices[f->map.draw_indices_count++].value = indices[i];
	return face;
}

/* Computes the normal of corners that are clockwise from the front. */
static void polygon_normal(const float (*corners)[3], uint32_t count, float out[3])
{
	float sum[3] = { 0, 0, 0 };
	for (uint32_t i = 1; i + 1 < count; i++) {
		float u[3], v[3], cross[3];
		bspi_sub(u, corners[i], corners[0]);
		bspi_sub(v, corners[i + 1], corners[0]);
		bspi_cross(cross, v, u);
		for (int k = 0; k < 3; k++) sum[k] += cross[k];
	}
	if (!bspi_normalize(sum)) sum[2] = 1;
	bspi_copy3(out, sum);
}

bspi_face *bspt_add_polygon(bspt_faces *f, const float (*corners)[3], uint32_t count)
{
	bspi_map *map = &f->map;
	bspi_face *face = bspt_add_face(f, BSPI_FACE_POLYGON);
	bspi_plane *plane = &map->planes[map->planes_count];
	polygon_normal(corners, count, plane->normal);
	plane->distance = bspi_dot(plane->normal, corners[0]);
	face->plane = (int32_t)map->planes_count++;
	face->texinfo = 0;
	face->first_edge = (int32_t)map->surfedges_count;
	face->edge_count = (int32_t)count;
	if (!map->edges_count) map->edges_count = 1;     /* edge 0 stays unused, because -0 is not negative */
	uint32_t first = map->vertices_count;
	for (uint32_t i = 0; i < count; i++) {
		bspi_copy3(map->vertices[map->vertices_count++].position, corners[i]);
		/* Every second edge is used in the opposite direction. */
		uint32_t from = first + i, to = first + (i + 1) % count, edge = map->edges_count++;
		map->edges[edge] = i % 2 ? (bspi_edge){ { to, from } } : (bspi_edge){ { from, to } };
		map->surfedges[map->surfedges_count++].value = i % 2 ? -(int32_t)edge : (int32_t)edge;
	}
	return face;
}

bool bspt_run_faces(bspt_faces *f)
{
	/* Sets the counts that the world stage would set. */
	f->parts.counts.faces = f->map.faces_count;
	f->parts.counts.models = f->map.models_count;
	f->scene.fog_count = f->map.fogs_count;
	return bspi_build_displacements(&f->build) && bspi_prepare_lighting(&f->build) && bspi_build_plan(&f->build) &&
	       bspi_build_lightmaps(&f->build) && bspi_build_meshes(&f->build);
}

void bspt_build_faces(bspt_faces *f)
{
	bspt_report report = { 0 };
	if (!bspt_run_faces(f)) bspt_die(f->ctx.error.message, "faces.c");
	bspt_check_meshes(&f->scene, &f->ctx.options, &report);
	bspt_assert_clean(&report);
}

const bspi_surface *bspt_surface_of(const bspt_faces *f, uint32_t face)
{
	for (uint32_t i = 0; i < f->build.plan.surface_count; i++) {
		if (f->build.plan.surfaces[i].face == face) return &f->build.plan.surfaces[i];
	}
	return NULL;
}

const bspscene_face *bspt_face_of(const bspt_faces *f, uint32_t face)
{
	for (uint32_t i = 0; i < f->scene.face_count; i++) {
		if (f->scene.faces[i].record == face) return &f->scene.faces[i];
	}
	return NULL;
}
