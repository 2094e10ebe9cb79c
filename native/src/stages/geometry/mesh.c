/* mesh.c - surfaces to meshes: one per drawn model, for the 3D skybox and each overlay, a section for each material,
 * light, page and fog in it, vertices written once, straight into the final arrays. */
#include "stages/geometry/geometry.h"
#include "stages/light/light.h"

#include "base/prefetch.h"
#include "base/text.h"
#include "base/vec.h"

/* Progress is told after this many surfaces. */
#define SURFACES_PER_STEP 4096

enum { STYLE_COUNT = 256 };

typedef struct mesh_builder {
	bspi_build *build;
	const uint32_t *order;
	bspscene_mesh *meshes;
	bspscene_face *faces;
	uint32_t mesh_count, face_count;
	uint32_t surfaces_done;
	float *normal_sums;                /* see bspi_mesh_writer: one for all meshes */
	uint32_t *mesh_of_part;
} mesh_builder;

/* Surfaces of a section lie in no order that the processor could foresee, and neither do their faces. */
static void look_ahead(const bspi_build *build, const uint32_t *order, uint32_t count)
{
	const bspi_surface *surfaces = build->plan.surfaces;
	if (count > 2 * BSPI_AHEAD) bspi_prefetch(&surfaces[order[2 * BSPI_AHEAD]]);
	if (count > BSPI_AHEAD) bspi_prefetch(&build->map->faces[surfaces[order[BSPI_AHEAD]].face]);
}

/* ---- Faces ---- */

static uint32_t index_or_none(int32_t index)
{
	return index < 0 ? BSPSCENE_NO_INDEX : (uint32_t)index;
}

static bool uses_slot(const bspi_build *build, const bspi_face *face, bool by_vertex, uint32_t slot)
{
	if (slot == 0) return true;
	if (by_vertex) return bspi_has_slots(build) && face->vertex_styles[slot] != BSPI_NO_STYLE;
	if (build->map->rules.light_storage == BSPI_STORAGE_PAGES) return bspi_slot_used(build, face, slot);
	return slot < bspi_block_styles(face);
}

/* Styles of the light that is shown, without gaps. */
static void list_styles(const bspi_build *build, const bspi_face *face, bspscene_lighting lighting,
                        uint8_t out[BSPI_MAX_STYLES])
{
	bool by_vertex = lighting == BSPSCENE_LIGHTING_VERTEX;
	uint32_t count = 0;
	memset(out, BSPI_NO_STYLE, BSPI_MAX_STYLES);
	for (uint32_t slot = 0; (by_vertex || lighting == BSPSCENE_LIGHTING_LIGHTMAP) && slot < BSPI_MAX_STYLES; slot++) {
		if (!uses_slot(build, face, by_vertex, slot)) continue;
		uint8_t style = by_vertex ? face->vertex_styles[slot] : bspi_light_of(build, face)->styles[slot];
		out[count++] = style == BSPI_NO_STYLE ? 0 : style; /* some files leave the first one unset */
	}
}

static bool has_texinfo(const bspi_face *face)
{
	return face->kind == BSPI_FACE_POLYGON || face->kind == BSPI_FACE_PROJECTED || face->kind == BSPI_FACE_DISPLACEMENT;
}

static bspscene_face describe_face(const mesh_builder *builder, const bspi_mesh_writer *writer)
{
	const bspi_map *map = builder->build->map;
	const bspi_surface *surface = writer->surface;
	const bspi_face *face = &map->faces[surface->face];
	const bspi_texture *texture = bspi_texture_at(builder->build, bspi_face_texture(builder->build, face));
	bspscene_face out = {
		.source = surface->face, .mesh = builder->mesh_count,
		.first_index = writer->first_index, .index_count = writer->index_count - writer->first_index,
		.first_vertex = writer->first_vertex, .vertex_count = writer->vertex_count - writer->first_vertex,
		.surface_flags = has_texinfo(face) ? map->texinfos[face->texinfo].flags : texture->surface_flags,
		.content_flags = texture->content_flags,
		.leaf = index_or_none(face->leaf), .cluster = BSPSCENE_NO_INDEX, .area = BSPSCENE_NO_INDEX,
		.page = surface->page,
	};
	if (face->leaf >= 0) {
		out.cluster = index_or_none(map->leafs[face->leaf].cluster);
		out.area = index_or_none(map->leafs[face->leaf].area);
	}
	if (surface->page != BSPSCENE_NO_INDEX) {
		out.x = surface->page_x;
		out.y = surface->page_y;
		out.width = surface->luxel_width;
		out.height = surface->luxel_height;
	}
	list_styles(builder->build, face, surface->lighting, out.styles);
	return out;
}

/* Writes a surface's vertices and triangles. Nothing is left of it when none of its triangles is usable. */
static bool write_surface(mesh_builder *builder, bspi_mesh_writer *writer, const bspi_surface *surface,
                          uint32_t section)
{
	const bspi_face *face = &builder->build->map->faces[surface->face];
	if (builder->surfaces_done++ % SURFACES_PER_STEP == 0) {
		BSPI_TRY(bspi_progress(builder->build->ctx, "geometry", builder->surfaces_done,
		                       builder->build->plan.surface_count));
	}
	bspi_begin_surface(writer, surface);
	bspi_surface_shape(builder->build, surface)->write(writer, face);
	BSPI_TRY(bspi_end_surface(writer));
	if (writer->index_count == writer->first_index) return true;
	bspscene_face *out = &builder->faces[builder->face_count++];
	*out = describe_face(builder, writer);
	out->section = section;
	return true;
}

/* ---- Sections ---- */

static bool same_section(const bspi_surface *a, const bspi_surface *b)
{
	return a->kind == b->kind && a->lighting == b->lighting && a->material == b->material && a->page == b->page &&
	       a->page_image == b->page_image && a->fog == b->fog;
}

static bspscene_section begin_section(const mesh_builder *builder, const bspi_mesh_writer *writer,
                                      const bspi_surface *surface)
{
	return (bspscene_section){
		.material = surface->material, .lightmap_page = surface->page, .page_image = surface->page_image,
		.lighting = surface->lighting,
		.kind = surface->kind, .fog = surface->fog,
		.first_vertex = writer->vertex_count, .first_index = writer->index_count, .first_face = builder->face_count,
	};
}

static void end_section(const mesh_builder *builder, const bspi_mesh_writer *writer, bspscene_section *section)
{
	section->vertex_count = writer->vertex_count - section->first_vertex;
	section->index_count = writer->index_count - section->first_index;
	section->face_count = builder->face_count - section->first_face;
}

/* Colours of the surface's further light styles go into the mesh's set of that style. */
static void choose_slots(bspi_mesh_writer *writer, const bspi_surface *surface,
                         uint8_t *const set_of_style[STYLE_COUNT])
{
	const bspi_face *face = &writer->build->map->faces[surface->face];
	for (int slot = 1; slot < BSPI_MAX_STYLES; slot++) {
		writer->slot_colors[slot] = set_of_style[face->vertex_styles[slot]];
	}
}

/* Writes surfaces order[0..count) of one model as the sections of one mesh. */
static bool write_sections(mesh_builder *builder, bspi_mesh_writer *writer, const uint32_t *order, uint32_t count,
                           bspscene_mesh *mesh, bspscene_section *sections, uint8_t *const set_of_style[STYLE_COUNT])
{
	const bspi_surface *surfaces = builder->build->plan.surfaces;
	for (uint32_t i = 0; i < count; ) {
		const bspi_surface *first = &surfaces[order[i]];
		bspscene_section *section = &sections[mesh->section_count];
		*section = begin_section(builder, writer, first);
		for (; i < count && same_section(first, &surfaces[order[i]]); i++) {
			look_ahead(builder->build, order + i, count - i);
			if (mesh->color_set_count) choose_slots(writer, &surfaces[order[i]], set_of_style);
			BSPI_TRY(write_surface(builder, writer, &surfaces[order[i]], mesh->section_count));
		}
		end_section(builder, writer, section);
		if (section->face_count) mesh->section_count++;
	}
	return true;
}

/* ---- Meshes ---- */

typedef struct mesh_size {
	uint32_t surfaces, sections;
	size_t vertices, indices;          /* at most */
	bool vertex_light;                 /* some surface has it */
	bool displacements;                /* some surface blends two images */
	bool layers;                       /* or more */
	bool tags;                         /* some triangle of a displacement has tags */
	bool moved_pages;                  /* some stage moves the page under its surface */
	bool styles[STYLE_COUNT];          /* of further vertex light */
} mesh_size;

static bool has_vertex_light(const bspi_face *face)
{
	return face->kind == BSPI_FACE_TRIANGLES || face->kind == BSPI_FACE_PATCH || face->kind == BSPI_FACE_FOLIAGE ||
	       face->kind == BSPI_FACE_TERRAIN || face->vertex_lit;
}

static mesh_size measure_mesh(const bspi_build *build, const uint32_t *order, uint32_t count)
{
	const bspi_surface *surfaces = build->plan.surfaces, *first = &surfaces[order[0]];
	mesh_size size = { .surfaces = 0 };
	for (; size.surfaces < count; size.surfaces++) {
		const bspi_surface *surface = &surfaces[order[size.surfaces]];
		const bspi_face *face = &build->map->faces[surface->face];
		look_ahead(build, order + size.surfaces, count - size.surfaces);
		if (surface->part != first->part) break;
		size.sections += surface == first || !same_section(surface, &surfaces[order[size.surfaces - 1]]);
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
	return size;
}

/* Every corner is written into all of them, and what dropped surfaces leave at their ends is no part of the scene. */
static bool allocate_mesh(bspi_mesh_writer *writer, const mesh_size *size)
{
	bspi_ctx *ctx = writer->build->ctx;
	writer->positions = bspi_push_unset(ctx, &ctx->result, size->vertices, 3 * sizeof(float));
	writer->normals = bspi_push_unset(ctx, &ctx->result, size->vertices, 3 * sizeof(float));
	writer->uvs = bspi_push_unset(ctx, &ctx->result, size->vertices, 2 * sizeof(float));
	writer->indices = bspi_push_unset(ctx, &ctx->result, size->indices, sizeof(uint32_t));
	BSPI_TRY(writer->positions && writer->normals && writer->uvs && writer->indices);
	if (writer->build->scene->page_count) {
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
	if (size->vertex_light && has_list && ctx->options.stored_light) {
		writer->source_vertices = bspi_push_unset(ctx, &ctx->result, size->vertices, sizeof(uint32_t));
		BSPI_TRY(writer->source_vertices);
	}
	return true;
}

static bool allocate_color_sets(bspi_build *build, const mesh_size *size, bspscene_mesh *mesh,
                                uint8_t *set_of_style[STYLE_COUNT])
{
	bspi_ctx *ctx = build->ctx;
	uint32_t count = 0;
	for (int style = 0; style < STYLE_COUNT; style++) count += size->styles[style];
	if (!count) return true;
	bspscene_color_set *sets = bspi_push(ctx, &ctx->result, bspscene_color_set, count);
	BSPI_TRY(sets);
	for (uint32_t style = 0; style < STYLE_COUNT; style++) {
		if (!size->styles[style]) continue;
		set_of_style[style] = bspi_push(ctx, &ctx->result, uint8_t, 4 * size->vertices);
		BSPI_TRY(set_of_style[style]);
		sets[mesh->color_set_count++] = (bspscene_color_set){ style, set_of_style[style] };
	}
	mesh->color_sets = sets;
	return true;
}

static bspscene_bounds find_bounds(const float *positions, size_t count)
{
	bspscene_bounds bounds = BSPI_EMPTY_BOUNDS;
	for (size_t i = 0; i < count; i++) bspi_bounds_add(&bounds, positions + 3 * i);
	return bounds;
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
	bspi_mesh_writer writer = { .build = build, .normal_sums = builder->normal_sums };
	uint32_t part = build->plan.surfaces[order[0]].part;
	bool by_levels = part > bspi_skybox_part(build) && part < bspi_overlay_part(build, 0);
	bspscene_mesh mesh = { .model = part < build->map->models_count ? part : by_levels ? 0 : BSPSCENE_NO_INDEX };
	uint8_t *set_of_style[STYLE_COUNT] = { NULL };
	bspscene_section *sections = bspi_push(build->ctx, &build->ctx->result, bspscene_section, size->sections);
	BSPI_TRY(sections);
	BSPI_TRY(allocate_mesh(&writer, size));
	BSPI_TRY(allocate_color_sets(build, size, &mesh, set_of_style));
	BSPI_TRY(write_sections(builder, &writer, order, size->surfaces, &mesh, sections, set_of_style));
	builder->normal_sums = writer.normal_sums;
	if (!mesh.section_count) return true;

	mesh.name = name_part(build, part);
	BSPI_TRY(mesh.name);
	mesh.vertex_count = writer.vertex_count;
	mesh.index_count = writer.index_count;
	mesh.positions = writer.positions;
	mesh.normals = writer.normals;
	mesh.uvs = writer.uvs;
	mesh.lightmap_uvs = writer.lightmap_uvs;
	mesh.page_uvs = writer.page_uvs;
	mesh.colors = writer.colors;
	mesh.source_vertices = writer.source_vertices;
	mesh.blend_alphas = writer.blend_alphas;
	mesh.blend_weights = writer.blend_weights;
	mesh.triangle_tags = writer.triangle_tags;
	mesh.indices = writer.indices;
	mesh.sections = bspi_table(build->ctx, bspscene_section, sections, mesh.section_count);
	BSPI_TRY(mesh.sections);
	mesh.bounds = find_bounds(mesh.positions, mesh.vertex_count);
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
	BSPI_TRY(builder.meshes && builder.faces && builder.mesh_of_part);
	memset(builder.mesh_of_part, 0xff, parts * sizeof *builder.mesh_of_part);
	build->mesh_of_part = builder.mesh_of_part;
	for (uint32_t i = 0; i < count; ) {
		mesh_size size = measure_mesh(build, builder.order + i, count - i);
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
