/* mesh.c - makes meshes from surfaces: one mesh for each drawn model, for the 3D skybox, and for each overlay. A mesh
 * has one section for each combination of material, light, page and fog. Vertices are written only once, to the mesh's
 * own arrays (mesh_pieces.c). */
#include "stages/geometry/geometry.h"
#include "stages/light/light.h"

#include "base/text.h"
#include "base/vec.h"

typedef struct mesh_builder {
	bspi_build *build;
	const uint32_t *order;
	bspscene_mesh *meshes;
	bspscene_face *faces;
	uint32_t mesh_count, face_count;
	bspi_mesh_piece *pieces;           /* pieces of the current mesh */
	uint32_t *mesh_of_part;
} mesh_builder;

/* ---- Meshes ---- */

typedef struct mesh_size {
	uint32_t surfaces, pieces;
	uint32_t sections;                 /* number of sections, summed over the pieces */
	size_t vertices, indices;          /* upper bounds of their numbers */
	bool vertex_light;                 /* true if a surface is lit by vertex colors */
	bool displacements;                /* true if a surface blends two images */
	bool layers;                       /* true if a surface blends more than two images */
	bool tags;                         /* true if a triangle of a displacement has tags */
	bool moved_pages;                  /* true if a material pass samples the lightmap page at other places than
	                                    * the surface's luxels */
	bool styles[BSPI_STYLE_COUNT];     /* for each light style except the first of a surface, true if it has vertex
	                                    * colors */
} mesh_size;

static bool has_vertex_light(const bspi_face *face)
{
	return face->kind == BSPI_FACE_TRIANGLES || face->kind == BSPI_FACE_PATCH || face->kind == BSPI_FACE_FOLIAGE ||
	       face->kind == BSPI_FACE_TERRAIN || face->vertex_lit;
}

/* True if a new piece begins with this surface. All overlays are in the same piece, because they share memory for
 * clipping. */
static bool begins_piece(const bspi_surface *surface, uint32_t number)
{
	return !number || (number % BSPI_SURFACES_PER_PIECE == 0 && surface->overlay == BSPSCENE_NO_INDEX);
}

/* Measures a mesh. Stores where each of its pieces begins in `pieces`. */
static mesh_size measure_mesh(const bspi_build *build, const uint32_t *order, uint32_t count, bspi_mesh_piece *pieces)
{
	const bspi_surface *surfaces = build->plan.surfaces, *first = &surfaces[order[0]];
	mesh_size size = { .surfaces = 0 };
	for (; size.surfaces < count; size.surfaces++) {
		const bspi_surface *surface = &surfaces[order[size.surfaces]];
		const bspi_face *face = &build->map->faces[surface->face];
		bspi_look_ahead(build, order + size.surfaces, count - size.surfaces);
		if (surface->part != first->part) break;
		bool begins = begins_piece(surface, size.surfaces);
		if (begins) {
			pieces[size.pieces++] = (bspi_mesh_piece){
				.first = size.surfaces, .first_vertex = (uint32_t)size.vertices,
				.first_index = (uint32_t)size.indices, .first_face = size.surfaces,
				.first_section = size.sections,
			};
		}
		size.sections += begins || !bspi_same_section(surface, &surfaces[order[size.surfaces - 1]]);
		size.vertices += surface->vertex_count;
		size.indices += surface->index_count;
		size.vertex_light |= has_vertex_light(face);
		bool has_image = surface->page_image != BSPSCENE_NO_INDEX;
		size.moved_pages |= has_image && bspi_moves_page(build->scene, surface->material);
		if (face->kind == BSPI_FACE_DISPLACEMENT && surface->overlay == BSPSCENE_NO_INDEX) {
			size.displacements = true;
			size.layers |= build->map->dispinfos[face->dispinfo].first_blend >= 0;
			size.tags = size.tags || bspi_disp_has_tags(build, face);
		}
		for (int slot = 1; slot < BSPI_MAX_STYLES && surface->lighting == BSPSCENE_LIGHTING_VERTEX; slot++) {
			size.styles[face->vertex_styles[slot]] |= bspi_has_slots(build);
		}
	}
	size.styles[BSPI_NO_STYLE] = false;
	pieces[size.pieces].first = size.surfaces;
	return size;
}

/* Allocates the arrays of a mesh. If surfaces write less than measured, the ends of the arrays are not used, and do not
 * belong to the scene. */
static bool allocate_mesh(bspi_mesh_writer *writer, const mesh_size *size)
{
	bspi_ctx *ctx = writer->build->ctx;
	writer->positions = bspi_push_unset(ctx, &ctx->result, size->vertices, 3 * sizeof(float));
	writer->normals = bspi_push_unset(ctx, &ctx->result, size->vertices, 3 * sizeof(float));
	writer->uvs = bspi_push_unset(ctx, &ctx->result, size->vertices, 2 * sizeof(float));
	writer->indices = bspi_push_unset(ctx, &ctx->result, size->indices, sizeof(uint32_t));
	BSPI_TRY(writer->positions && writer->normals && writer->uvs && writer->indices);
	if (writer->build->scene->lightmap_page_count) {
		writer->lightmap_uvs = bspi_push_unset(ctx, &ctx->result, size->vertices, 2 * sizeof(float));
		BSPI_TRY(writer->lightmap_uvs);
	}
	if (size->moved_pages) {
		writer->page_uvs = bspi_push_unset(ctx, &ctx->result, size->vertices, 2 * sizeof(float));
		BSPI_TRY(writer->page_uvs);
	}
	if (size->displacements) {
		writer->blend_alphas = bspi_push_unset(ctx, &ctx->result, size->vertices, sizeof(float));
		BSPI_TRY(writer->blend_alphas);
	}
	if (size->layers) {
		writer->blend_weights = bspi_push(ctx, &ctx->result, float, 4 * size->vertices);
		BSPI_TRY(writer->blend_weights);
	}
	if (size->tags) {
		writer->triangle_tags = bspi_push(ctx, &ctx->result, uint8_t, size->indices / 3);
		BSPI_TRY(writer->triangle_tags);
	}
	if (size->vertex_light) {
		writer->colors = bspi_push_unset(ctx, &ctx->result, size->vertices, 4);
		BSPI_TRY(writer->colors);
	}
	bool has_list = writer->build->map->rules.light_storage == BSPI_STORAGE_PAGES;
	if (size->vertex_light && has_list && ctx->options.keep_map_light) {
		writer->vertex_records = bspi_push_unset(ctx, &ctx->result, size->vertices, sizeof(uint32_t));
		BSPI_TRY(writer->vertex_records);
	}
	return true;
}

static bool allocate_color_sets(bspi_build *build, const mesh_size *size, bspscene_mesh *mesh,
                                bspi_mesh_layout *layout)
{
	bspi_ctx *ctx = build->ctx;
	uint32_t count = 0;
	for (int style = 0; style < BSPI_STYLE_COUNT; style++) count += size->styles[style];
	if (!count) return true;
	bspscene_vertex_color_set *sets = bspi_push(ctx, &ctx->result, bspscene_vertex_color_set, count);
	BSPI_TRY(sets);
	for (uint32_t style = 0; style < BSPI_STYLE_COUNT; style++) {
		if (!size->styles[style]) continue;
		layout->set_of_style[style] = bspi_push(ctx, &ctx->result, uint8_t, 4 * size->vertices);
		BSPI_TRY(layout->set_of_style[style]);
		sets[mesh->vertex_color_set_count++] = (bspscene_vertex_color_set){ style, layout->set_of_style[style] };
	}
	mesh->vertex_color_sets = sets;
	layout->has_color_sets = true;
	return true;
}

static const char *name_part(const bspi_build *build, uint32_t part)
{
	bspi_ctx *ctx = build->ctx;
	uint32_t models = build->map->models_count, first_overlay = bspi_overlay_part(build, 0);
	if (part == 0) return "worldspawn";
	if (part < models) return bspi_text_format(ctx, &ctx->result, "*%u", part);
	if (part == bspi_skybox_part(build)) return "skybox";
	if (part < first_overlay) return bspi_levels_name(ctx, part - models);
	const bspi_placed_overlay *placed = &build->overlays[part - first_overlay];
	const char *kind = placed->overlay->entity >= 0 ? "decal" : placed->water ? "water_overlay" : "overlay";
	return bspi_text_format(ctx, &ctx->result, "%s:%u", kind, placed->source);
}

static bool build_mesh(mesh_builder *builder, const uint32_t *order, const mesh_size *size)
{
	bspi_build *build = builder->build;
	bspi_mesh_writer writer = { .build = build };
	uint32_t part = build->plan.surfaces[order[0]].part;
	bool by_levels = part > bspi_skybox_part(build) && part < bspi_overlay_part(build, 0);
	bspscene_mesh mesh = { .model = part < build->map->models_count ? part : by_levels ? 0 : BSPSCENE_NO_INDEX };
	bspi_mesh_layout layout = {
		.order = order, .mesh = builder->mesh_count, .surfaces_before = (uint32_t)(order - builder->order),
		.pieces = builder->pieces, .piece_count = size->pieces,
		.faces = builder->faces + builder->face_count, .first_face = builder->face_count,
		.sections = bspi_push(build->ctx, &build->ctx->result, bspscene_section, size->sections),
		.bounds = BSPI_EMPTY_BOUNDS,
	};
	BSPI_TRY(layout.sections);
	BSPI_TRY(allocate_mesh(&writer, size));
	BSPI_TRY(allocate_color_sets(build, size, &mesh, &layout));
	BSPI_TRY(bspi_write_pieces(&writer, &layout));
	builder->face_count += layout.face_count;
	mesh.section_count = layout.section_count;
	if (!mesh.section_count) return true;

	mesh.name = name_part(build, part);
	BSPI_TRY(mesh.name);
	mesh.vertex_count = writer.vertex_count;
	mesh.index_count = writer.index_count;
	mesh.positions = writer.positions;
	mesh.normals = writer.normals;
	mesh.uvs = writer.uvs;
	mesh.lightmap_uvs = writer.lightmap_uvs;
	mesh.map_page_uvs = writer.page_uvs;
	mesh.colors = writer.colors;
	mesh.vertex_records = writer.vertex_records;
	mesh.blend_alphas = writer.blend_alphas;
	mesh.blend_weights = writer.blend_weights;
	mesh.triangle_tags = writer.triangle_tags;
	mesh.indices = writer.indices;
	mesh.sections = bspi_table(build->ctx, bspscene_section, layout.sections, mesh.section_count);
	BSPI_TRY(mesh.sections);
	mesh.bounds = layout.bounds;
	build->parts->counts.vertices += mesh.vertex_count;
	build->parts->counts.triangles += mesh.index_count / 3;
	builder->mesh_of_part[part] = builder->mesh_count;
	builder->meshes[builder->mesh_count++] = mesh;
	return true;
}

static uint32_t count_parts(const bspi_build *build, const uint32_t *order)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < build->plan.surface_count; i++) {
		const bspi_surface *surfaces = build->plan.surfaces;
		count += !i || surfaces[order[i]].part != surfaces[order[i - 1]].part;
	}
	return count;
}

bool bspi_build_meshes(bspi_build *build)
{
	bspi_ctx *ctx = build->ctx;
	uint32_t count = build->plan.surface_count;
	mesh_builder builder = { .build = build, .order = bspi_order_surfaces(build) };
	BSPI_TRY(builder.order);
	builder.meshes = bspi_push(ctx, &ctx->result, bspscene_mesh, count_parts(build, builder.order));
	builder.faces = bspi_push_unset(ctx, &ctx->result, count, sizeof(bspscene_face));
	size_t parts = bspi_overlay_part(build, build->overlay_count);
	builder.mesh_of_part = bspi_push(ctx, &ctx->scratch, uint32_t, parts);
	builder.pieces = bspi_push_unset(ctx, &ctx->stage, count / BSPI_SURFACES_PER_PIECE + 2, sizeof(bspi_mesh_piece));
	BSPI_TRY(builder.meshes && builder.faces && builder.mesh_of_part && builder.pieces);
	memset(builder.mesh_of_part, 0xff, parts * sizeof *builder.mesh_of_part);
	build->mesh_of_part = builder.mesh_of_part;
	if (count) BSPI_TRY(bspi_progress(ctx, "geometry", 0, count));
	for (uint32_t i = 0; i < count; ) {
		mesh_size size = measure_mesh(build, builder.order + i, count - i, builder.pieces);
		BSPI_TRY(build_mesh(&builder, builder.order + i, &size));
		i += size.surfaces;
	}
	build->scene->meshes = bspi_table(ctx, bspscene_mesh, builder.meshes, builder.mesh_count);
	BSPI_TRY(build->scene->meshes);
	build->scene->mesh_count = builder.mesh_count;
	build->scene->faces = builder.faces;
	build->scene->face_count = builder.face_count;
	return true;
}
