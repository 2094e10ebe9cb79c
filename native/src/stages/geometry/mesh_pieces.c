/* mesh_pieces.c - writes the surfaces of a mesh: vertices, triangles, faces and sections. Several threads write pieces
 * at the same time. Each piece has its own place, according to the measured sizes. Some surfaces write less than
 * measured, so the pieces are then moved together. */
#include "stages/geometry/geometry.h"
#include "stages/light/light.h"

#include "base/vec.h"

typedef struct mesh_job {
	bspi_mesh_layout *layout;
	const bspi_mesh_writer arrays;     /* each thread begins with a copy of this, which does not change */
	bspi_mesh_writer *writer;          /* writer of the calling thread; it counts what is in its final place */
	const bspi_surface *last;          /* a surface of the last section in its final place; NULL: there is none */
	bool in_order;                     /* true if each piece is begun only after all earlier ones are in their
	                                    * final places */
} mesh_job;

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

/* Lists the light styles of a face without gaps. They are those of its lightmap or of its vertex colors, whichever its
 * section shows. */
static void list_styles(const bspi_build *build, const bspi_face *face, bspscene_lighting lighting,
                        uint8_t out[BSPI_MAX_STYLES])
{
	bool by_vertex = lighting == BSPSCENE_LIGHTING_VERTEX;
	uint32_t count = 0;
	memset(out, BSPI_NO_STYLE, BSPI_MAX_STYLES);
	for (uint32_t slot = 0; (by_vertex || lighting == BSPSCENE_LIGHTING_LIGHTMAP) && slot < BSPI_MAX_STYLES; slot++) {
		if (!uses_slot(build, face, by_vertex, slot)) continue;
		uint8_t style = by_vertex ? face->vertex_styles[slot] : bspi_light_of(build, face)->styles[slot];
		out[count++] = style == BSPI_NO_STYLE ? 0 : style; /* in some files, the first style is not set */
	}
}

static bool has_texinfo(const bspi_face *face)
{
	return face->kind == BSPI_FACE_POLYGON || face->kind == BSPI_FACE_PROJECTED || face->kind == BSPI_FACE_DISPLACEMENT;
}

static bspscene_face describe_face(const bspi_mesh_writer *writer, uint32_t mesh, uint32_t section)
{
	const bspi_build *build = writer->build;
	const bspi_map *map = build->map;
	const bspi_surface *surface = writer->surface;
	const bspi_face *face = &map->faces[surface->face];
	const bspi_texture *texture = bspi_texture_at(build, bspi_face_texture(build, face));
	bspscene_face out = {
		.record = surface->face, .mesh = mesh, .section = section,
		.first_index = writer->first_index, .index_count = writer->index_count - writer->first_index,
		.first_vertex = writer->first_vertex, .vertex_count = writer->vertex_count - writer->first_vertex,
		.surface_flags = has_texinfo(face) ? map->texinfos[face->texinfo].flags : texture->surface_flags,
		.content_flags = texture->content_flags,
		.leaf = index_or_none(face->leaf), .cluster = BSPSCENE_NO_INDEX, .area = BSPSCENE_NO_INDEX,
		.lightmap_page = surface->page,
	};
	if (face->leaf >= 0) {
		out.cluster = index_or_none(map->leafs[face->leaf].cluster);
		out.area = index_or_none(map->leafs[face->leaf].area);
	}
	if (surface->page != BSPSCENE_NO_INDEX) {
		out.lightmap_x = surface->page_x;
		out.lightmap_y = surface->page_y;
		out.lightmap_width = surface->luxel_width;
		out.lightmap_height = surface->luxel_height;
	}
	list_styles(build, face, surface->lighting, out.styles);
	return out;
}

/* ---- Sections ---- */

static bspscene_section begin_section(const bspi_mesh_writer *writer, const bspi_surface *surface, uint32_t first_face)
{
	return (bspscene_section){
		.material = surface->material, .lightmap_page = surface->page, .map_page_image = surface->page_image,
		.lighting = surface->lighting,
		.surface_kind = surface->kind, .fog = surface->fog,
		.first_vertex = writer->vertex_count, .first_index = writer->index_count, .first_face = first_face,
	};
}

/* ---- A piece, in any thread ---- */

/* For each light style of a surface except the first, sets writer->slot_colors to the array in which the mesh stores
 * the vertex colors of that style. */
static void choose_slots(bspi_mesh_writer *writer, const bspi_mesh_layout *layout, const bspi_surface *surface)
{
	const bspi_face *face = &writer->build->map->faces[surface->face];
	for (int slot = 1; slot < BSPI_MAX_STYLES; slot++) {
		writer->slot_colors[slot] = layout->set_of_style[face->vertex_styles[slot]];
	}
}

/* Writes the vertices, triangles and face of a surface. If none of its triangles is usable, it is removed. */
static bool write_surface(bspi_mesh_writer *writer, const bspi_mesh_layout *layout, bspi_mesh_piece *piece,
                          const bspi_surface *surface)
{
	const bspi_face *face = &writer->build->map->faces[surface->face];
	if (layout->has_color_sets) choose_slots(writer, layout, surface);
	bspi_begin_surface(writer, surface);
	bspi_surface_shape(writer->build, surface)->write(writer, face);
	BSPI_TRY(bspi_end_surface(writer));
	if (writer->index_count == writer->first_index) return true;
	layout->faces[piece->first_face + piece->face_count++] = describe_face(writer, layout->mesh, piece->section_count);
	return true;
}

/* Writes the surfaces from order[first] up to `end` that belong to one section. Returns the index of the first surface
 * that does not. Returns 0 if memory is out. */
static uint32_t write_section(bspi_mesh_writer *writer, const bspi_mesh_layout *layout, bspi_mesh_piece *piece,
                              uint32_t first, uint32_t end)
{
	const bspi_surface *surfaces = writer->build->plan.surfaces, *head = &surfaces[layout->order[first]];
	bspscene_section *section = &layout->sections[piece->first_section + piece->section_count];
	uint32_t i = first, face_count = piece->face_count;
	*section = begin_section(writer, head, layout->first_face + piece->first_face + face_count);
	for (; i < end && bspi_same_section(head, &surfaces[layout->order[i]]); i++) {
		bspi_look_ahead(writer->build, layout->order + i, end - i);
		if (!write_surface(writer, layout, piece, &surfaces[layout->order[i]])) return 0;
	}
	section->vertex_count = writer->vertex_count - section->first_vertex;
	section->index_count = writer->index_count - section->first_index;
	section->face_count = piece->face_count - face_count;
	if (!section->face_count) return i;
	if (!piece->section_count++) piece->head = head;
	piece->tail = head;
	return i;
}

static bool write_piece(void *user, bspi_task *task)
{
	const mesh_job *job = user;
	const bspi_mesh_layout *layout = job->layout;
	bspi_mesh_piece *piece = &layout->pieces[task->index];
	bspi_mesh_writer writer = job->arrays;
	if (job->in_order) {
		piece->first_vertex = job->writer->vertex_count;
		piece->first_index = job->writer->index_count;
		piece->first_face = layout->face_count;
	}
	writer.arena = &task->arena;
	writer.vertex_count = piece->first_vertex;
	writer.index_count = piece->first_index;
	piece->face_count = piece->section_count = 0;
	for (uint32_t i = piece->first; i < piece[1].first; ) {
		i = write_section(&writer, layout, piece, i, piece[1].first);
		if (!i) return bspi_task_fail_memory(task);
	}
	piece->vertex_count = writer.vertex_count - piece->first_vertex;
	piece->index_count = writer.index_count - piece->first_index;
	piece->bounds = BSPI_EMPTY_BOUNDS;
	for (uint32_t i = piece->first_vertex; i < writer.vertex_count; i++) {
		bspi_bounds_add(&piece->bounds, writer.positions + 3 * (size_t)i);
	}
	return true;
}

/* ---- Joining pieces, in the calling thread ---- */

static void move(void *array, size_t to, size_t from, size_t count, size_t size)
{
	if (array) memmove((uint8_t *)array + to * size, (uint8_t *)array + from * size, count * size);
}

static void move_vertices(const bspi_mesh_layout *layout, bspi_mesh_writer *w, const bspi_mesh_piece *piece)
{
	size_t to = w->vertex_count, from = piece->first_vertex, count = piece->vertex_count;
	move(w->positions, to, from, count, 3 * sizeof(float));
	move(w->normals, to, from, count, 3 * sizeof(float));
	move(w->uvs, to, from, count, 2 * sizeof(float));
	move(w->lightmap_uvs, to, from, count, 2 * sizeof(float));
	move(w->page_uvs, to, from, count, 2 * sizeof(float));
	move(w->blend_alphas, to, from, count, sizeof(float));
	move(w->blend_weights, to, from, count, 4 * sizeof(float));
	move(w->colors, to, from, count, 4);
	move(w->vertex_records, to, from, count, sizeof(uint32_t));
	for (uint32_t i = 0; layout->has_color_sets && i < BSPI_STYLE_COUNT; i++) {
		move(layout->set_of_style[i], to, from, count, 4);
	}
}

static void move_indices(bspi_mesh_writer *w, const bspi_mesh_piece *piece)
{
	uint32_t by = piece->first_vertex - w->vertex_count;
	move(w->triangle_tags, w->index_count / 3, piece->first_index / 3, piece->index_count / 3, 1);
	for (uint32_t i = 0; i < piece->index_count; i++) {
		w->indices[w->index_count + i] = w->indices[piece->first_index + i] - by;
	}
}

static void take_faces(bspi_mesh_layout *layout, const bspi_mesh_writer *w, const bspi_mesh_piece *piece,
                       uint32_t section_before)
{
	const bspscene_face *from = layout->faces + piece->first_face;
	bspscene_face *to = layout->faces + layout->face_count;
	layout->face_count += piece->face_count;
	if (to != from) memmove(to, from, piece->face_count * sizeof *to);
	for (uint32_t i = 0; i < piece->face_count; i++) {
		to[i].first_vertex -= piece->first_vertex - w->vertex_count;
		to[i].first_index -= piece->first_index - w->index_count;
		to[i].section += section_before;
	}
}

/* Appends the sections of a piece. If `goes_on` is true, its first section is merged with the last section before
 * it. */
static void take_sections(bspi_mesh_layout *layout, const bspi_mesh_writer *w, const bspi_mesh_piece *piece,
                          bool goes_on)
{
	bspscene_section *from = layout->sections + piece->first_section, *to = layout->sections + layout->section_count;
	for (uint32_t i = 0; i < piece->section_count; i++) {
		from[i].first_vertex -= piece->first_vertex - w->vertex_count;
		from[i].first_index -= piece->first_index - w->index_count;
		from[i].first_face -= piece->first_face - layout->face_count;
	}
	if (goes_on) {
		to[-1].vertex_count += from->vertex_count;
		to[-1].index_count += from->index_count;
		to[-1].face_count += from->face_count;
	}
	uint32_t added = piece->section_count - goes_on;
	memmove(to, from + goes_on, added * sizeof *to);
	layout->section_count += added;
}

static bool take_piece(void *user, bspi_task *task)
{
	mesh_job *job = user;
	bspi_mesh_layout *layout = job->layout;
	const bspi_mesh_piece *piece = &layout->pieces[task->index];
	bspi_mesh_writer *w = job->writer;
	if (!piece->section_count) return true;
	bool goes_on = job->last && bspi_same_section(job->last, piece->head);
	uint32_t section_before = layout->section_count - goes_on;
	if (piece->first_vertex != w->vertex_count) move_vertices(layout, w, piece);
	if (piece->first_index != w->index_count || piece->first_vertex != w->vertex_count) move_indices(w, piece);
	take_sections(layout, w, piece, goes_on);
	take_faces(layout, w, piece, section_before);
	w->vertex_count += piece->vertex_count;
	w->index_count += piece->index_count;
	bspi_bounds_join(&layout->bounds, &piece->bounds);
	job->last = piece->tail;
	return true;
}

static bool report_progress(void *user, uint32_t done)
{
	const mesh_job *job = user;
	const bspi_mesh_layout *layout = job->layout;
	const bspi_build *build = job->writer->build;
	uint32_t before = layout->surfaces_before + layout->pieces[done - 1].first;
	uint32_t now = layout->surfaces_before + layout->pieces[done].first;
	if (now / BSPI_SURFACES_PER_PIECE == before / BSPI_SURFACES_PER_PIECE) return true;
	return bspi_progress(build->ctx, "geometry", now, build->plan.surface_count);
}

bool bspi_write_pieces(bspi_mesh_writer *writer, bspi_mesh_layout *layout)
{
	const bspi_team team = bspi_load_team(writer->build->ctx);
	mesh_job user = {
		.layout = layout, .arrays = *writer, .writer = writer,
		.in_order = bspi_team_size(&team, layout->piece_count) == 1,
	};
	const bspi_job job = {
		.count = layout->piece_count, .work = write_piece, .finish = take_piece, .report = report_progress,
		.user = &user,
	};
	return bspi_run_load_job(writer->build->ctx, &job);
}
