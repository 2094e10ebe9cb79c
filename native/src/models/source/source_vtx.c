/* source_vtx.c - reads triangles of a studio model from its VTX file (version 7; Bloodlines: 107). The file has body
 * parts, models, levels of detail, meshes and strip groups. Offsets are relative to the record that has them. In later
 * games, strip groups and strips of version 7 have eight more bytes. The file does not say so; it follows from the
 * offsets. */
#include "models/source/source_mdl.h"

#include "base/text.h"
#include "base/vec.h"
#include "models/rig/model_rig.h"
#include "models/skeleton/bones.h"

enum {
	MOST_PARTS = 64,
	MOST_MODELS = 1024,
	MOST_LODS = 8,
	MOST_MESHES = 1024,
	MOST_GROUPS = 65536,
	MOST_STRIPS = 65536,
	MOST_VERTICES = 65536,
	MOST_INDICES = 1 << 22,
	STRIP_IS_STRIP = 2,
	SHORT_VERTICES = 0x10,
	EYE = 1
};

typedef struct vtx_header {
	int32_t version;
	uint32_t checksum;
	int32_t part_count, parts_at;
} vtx_header;

/* The record of a body part, model, level of detail or mesh: the number of its children and the byte offset of the
 * first. */
typedef struct vtx_list {
	int32_t count, at;
} vtx_list;

typedef struct vtx_group {
	int32_t vertex_count, vertices_at, index_count, indices_at, strip_count, strips_at;
	uint8_t flags;
} vtx_group;

typedef struct vtx_strip {
	int32_t index_count, first_index;
	uint8_t flags;
} vtx_strip;

typedef struct vtx_vertex {
	uint32_t number;                   /* index of the vertex in the mesh */
} vtx_vertex;

typedef struct vtx_index {
	uint32_t vertex;                   /* index of the vertex in the group */
} vtx_index;

static const bspi_field header_rows[] = {
	FIELD(vtx_header, version, 0, I32),     SKIP("cache, bones", 4, 12),
	FIELD(vtx_header, checksum, 16, U32),   SKIP("LODs, replacements", 20, 8),
	FIELD(vtx_header, part_count, 28, I32), FIELD(vtx_header, parts_at, 32, I32),
};
#define LIST_ROWS FIELD(vtx_list, count, 0, I32), FIELD(vtx_list, at, 4, I32)
static const bspi_field list_rows[] = { LIST_ROWS };
static const bspi_field lod_rows[] = { LIST_ROWS, SKIP("switchPoint", 8, 4) };
static const bspi_field mesh_rows[] = { LIST_ROWS, SKIP("flags", 8, 1) };
#define GROUP_ROWS \
	FIELD(vtx_group, vertex_count, 0, I32), FIELD(vtx_group, vertices_at, 4, I32), \
		FIELD(vtx_group, index_count, 8, I32), FIELD(vtx_group, indices_at, 12, I32), \
		FIELD(vtx_group, strip_count, 16, I32), FIELD(vtx_group, strips_at, 20, I32), FIELD(vtx_group, flags, 24, U8)
static const bspi_field group_rows[] = { GROUP_ROWS };
static const bspi_field wide_group_rows[] = { GROUP_ROWS, SKIP("topology", 25, 8) };
#define STRIP_ROWS \
	FIELD(vtx_strip, index_count, 0, I32), FIELD(vtx_strip, first_index, 4, I32), SKIP("vertices", 8, 8), \
		SKIP("numBones", 16, 2), FIELD(vtx_strip, flags, 18, U8), SKIP("bone changes", 19, 8)
static const bspi_field strip_rows[] = { STRIP_ROWS };
static const bspi_field wide_strip_rows[] = { STRIP_ROWS, SKIP("topology", 27, 8) };
static const bspi_field vertex_rows[] = {
	SKIP("weights", 0, 4),
	FIELD(vtx_vertex, number, 4, U16),
	SKIP("bones", 6, 3),
};
static const bspi_field index_rows[] = { FIELD(vtx_index, vertex, 0, U16) };
/* Layouts of Bloodlines' records follow. */
static const bspi_field vampire_mesh_rows[] = {
	FIELD(vtx_list, count, 0, U16),
	SKIP("flags", 2, 2),
	FIELD(vtx_list, at, 4, I32),
};
static const bspi_field vampire_group_rows[] = {
	FIELD(vtx_group, vertex_count, 0, U16), FIELD(vtx_group, index_count, 2, U16),
	FIELD(vtx_group, strip_count, 4, U16),  FIELD(vtx_group, flags, 6, U8),
	SKIP("unknown", 7, 1),                  FIELD(vtx_group, vertices_at, 8, I32),
	FIELD(vtx_group, indices_at, 12, I32),  FIELD(vtx_group, strips_at, 16, I32),
};
static const bspi_field vampire_strip_rows[] = {
	FIELD(vtx_strip, index_count, 0, U16), FIELD(vtx_strip, first_index, 2, U16), SKIP("vertices, bones", 4, 5),
	FIELD(vtx_strip, flags, 9, U8),        SKIP("bone changes", 10, 6),
};
static const bspi_field vampire_vertex_rows[] = { SKIP("bones", 0, 10), FIELD(vtx_vertex, number, 10, U16) };
static const bspi_field short_vertex_rows[] = { FIELD(vtx_vertex, number, 0, U16) };
static const bspi_layout header_layout = LAYOUT("triangle header", vtx_header, header_rows, 36);
static const bspi_layout part_layout = LAYOUT("triangle parts", vtx_list, list_rows, 8);
static const bspi_layout model_layout = LAYOUT("triangle models", vtx_list, list_rows, 8);
static const bspi_layout lod_layout = LAYOUT("levels of detail", vtx_list, lod_rows, 12);
static const bspi_layout mesh_layout = LAYOUT("triangle meshes", vtx_list, mesh_rows, 9);
static const bspi_layout group_layout = LAYOUT("strip groups", vtx_group, group_rows, 25);
static const bspi_layout wide_group_layout = LAYOUT("strip groups", vtx_group, wide_group_rows, 33);
static const bspi_layout strip_layout = LAYOUT("strips", vtx_strip, strip_rows, 27);
static const bspi_layout wide_strip_layout = LAYOUT("strips", vtx_strip, wide_strip_rows, 35);
static const bspi_layout vertex_layout = LAYOUT("strip vertices", vtx_vertex, vertex_rows, 9);
static const bspi_layout index_layout = LAYOUT("strip indices", vtx_index, index_rows, 2);
static const bspi_layout vampire_mesh_layout = LAYOUT("triangle meshes", vtx_list, vampire_mesh_rows, 8);
static const bspi_layout vampire_group_layout = LAYOUT("strip groups", vtx_group, vampire_group_rows, 20);
static const bspi_layout vampire_strip_layout = LAYOUT("strips", vtx_strip, vampire_strip_rows, 16);
static const bspi_layout vampire_vertex_layout = LAYOUT("strip vertices", vtx_vertex, vampire_vertex_rows, 12);
static const bspi_layout short_vertex_layout = LAYOUT("strip vertices", vtx_vertex, short_vertex_rows, 2);
static const bspi_field part_rows[] = {
	SKIP("name", 0, 4),
	FIELD(bspi_source_part, model_count, 4, I32),
	FIELD(bspi_source_part, base, 8, I32),
	FIELD(bspi_source_part, models_at, 12, I32),
};
static const bspi_layout body_layout = LAYOUT("body parts", bspi_source_part, part_rows, 16);
const bspi_layout *const bspi_source_triangle_layouts[] = {
	&header_layout,        &part_layout,          &model_layout,          &lod_layout,          &mesh_layout,
	&group_layout,         &wide_group_layout,    &strip_layout,          &wide_strip_layout,   &vertex_layout,
	&index_layout,         &vampire_mesh_layout,  &vampire_group_layout,  &vampire_strip_layout,
	&vampire_vertex_layout, &short_vertex_layout, &body_layout,           NULL,
};
const bspi_triangle_tables bspi_source_triangle_tables = {
	.version = 7,
	.mesh = &mesh_layout,
	.groups = { &group_layout, &wide_group_layout },
	.strips = { &strip_layout, &wide_strip_layout },
	.vertex = &vertex_layout,
};
const bspi_triangle_tables bspi_vampire_triangle_tables = {
	.version = 107,
	.mesh = &vampire_mesh_layout,
	.groups = { &vampire_group_layout },
	.strips = { &vampire_strip_layout },
	.vertex = &vampire_vertex_layout,
	.short_vertex = &short_vertex_layout,
};

/* ---- Choosing the layout ---- */

/* Reads the records of the children in `list`, which belongs to the record at byte offset `at`. Sets *first to the byte
 * offset of the first child. */
static const vtx_list *take_lists(bspi_model_reader *reader, bspi_bytes file, const bspi_layout *layout, int64_t at,
                                  const vtx_list *list, uint32_t most, int64_t *first)
{
	*first = at + list->at;
	return bspi_take_records(reader, file, layout, *first, list->count, most);
}

typedef struct group_census {
	uint64_t count, visits;
	int64_t first;                     /* byte offset of the first group in the file */
} group_census;

/* Counts the strip groups in all levels of detail of a model. The compiler writes all groups one after the other. */
static bool count_groups(bspi_model_reader *reader, bspi_bytes file, int64_t model_at, const vtx_list *model,
                         group_census *census)
{
	int64_t lods_at, meshes_at;
	const vtx_list *lods = take_lists(reader, file, &lod_layout, model_at, model, MOST_LODS, &lods_at);
	BSPI_TRY(lods);
	for (int32_t l = 0; l < model->count; l++) {
		int64_t lod_at = lods_at + (int64_t)l * lod_layout.file_size;
		const vtx_list *meshes = take_lists(reader, file, &mesh_layout, lod_at, &lods[l], MOST_MESHES, &meshes_at);
		BSPI_TRY(meshes);
		for (int32_t i = 0; i < lods[l].count; i++) {
			int64_t groups_at = meshes_at + (int64_t)i * mesh_layout.file_size + meshes[i].at;
			if (++census->visits > MOST_GROUPS)
				return bspi_refuse_model(reader, "its .vtx file has too many triangle meshes");
			if (meshes[i].count <= 0) continue;
			if (census->first < 0) census->first = groups_at;
			census->count += (uint32_t)meshes[i].count;
		}
	}
	return true;
}

static bool census_groups(bspi_model_reader *reader, bspi_bytes file, const vtx_header *h, group_census *census)
{
	const vtx_list all = { h->part_count, h->parts_at };
	int64_t parts_at, models_at;
	const vtx_list *parts = take_lists(reader, file, &part_layout, 0, &all, MOST_PARTS, &parts_at);
	BSPI_TRY(parts);
	for (int32_t p = 0; p < h->part_count; p++) {
		int64_t part_at = parts_at + (int64_t)p * part_layout.file_size;
		const vtx_list *models = take_lists(reader, file, &model_layout, part_at, &parts[p], MOST_MODELS, &models_at);
		BSPI_TRY(models);
		for (int32_t m = 0; m < parts[p].count; m++) {
			int64_t model_at = models_at + (int64_t)m * model_layout.file_size;
			BSPI_TRY(count_groups(reader, file, model_at, &models[m], census));
		}
	}
	return true;
}

/* True if the first strip is right after the last group, provided that groups have this size in bytes. */
static bool groups_end_at_strips(bspi_bytes file, const group_census *census, uint32_t group_size)
{
	enum { STRIPS_AT = 20 };
	bspi_bytes view;
	if (census->first < 0 || !bspi_slice(file, (uint64_t)census->first + STRIPS_AT, 4, &view)) return false;
	return (int64_t)(census->count * group_size) == bspi_load_i32(view.data);
}

static bool choose_layout(bspi_model_reader *reader, bspi_bytes file, const vtx_header *h, bool *wide)
{
	group_census census = { .first = -1 };
	BSPI_TRY(census_groups(reader, file, h, &census));
	*wide = !groups_end_at_strips(file, &census, group_layout.file_size) &&
	        groups_end_at_strips(file, &census, wide_group_layout.file_size);
	return true;
}

bool bspi_open_source_triangles(bspi_model_reader *reader, bspi_studio *source)
{
	const bspi_triangle_tables *tables = source->tables->triangles;
	const vtx_header *best = NULL;
	for (const char *const *ending = source->tables->triangle_endings; *ending; ending++) {
		bspi_bytes file;
		bool found;
		BSPI_TRY(bspi_open_model_sibling(reader, *ending, &file, &found));
		if (!found || file.size < 4 || bspi_load_i32(file.data) != tables->version) continue;
		const vtx_header *h = bspi_take_records(reader, file, &header_layout, 0, 1, 1);
		BSPI_TRY(h);
		bool fits = h->checksum == source->header->checksum;
		if (best && !fits) continue;
		best = h;
		source->triangles = file;
		if (fits) break;
	}
	if (!best) return bspi_refuse_model(reader, "the file with its triangles (%s or the like) was not found",
		                                     source->tables->triangle_endings[0]);
	if (best->checksum != source->header->checksum) {
		BSPI_TRY(bspi_warn(
			reader->ctx, BSPSCENE_WARNING_FILE_STALE, BSPI_LUMP("models"),
			"%s: its triangles (.vtx) have another checksum than the model: they may belong to another version of it",
			reader->path));
	}
	return !tables->groups[1] || choose_layout(reader, source->triangles, best, &source->wide);
}

/* ---- Triangles ---- */

static void place_vertex(const bspi_studio *source, const bspi_source_vertex *from, bspi_model_vertex *out)
{
	memcpy(out->position, from->position, sizeof out->position);
	memcpy(out->normal, from->normal, sizeof out->normal);
	memcpy(out->uv, from->uv, sizeof out->uv);
	if (!source->bones) return;
	float position[3] = { 0 }, normal[3] = { 0 };
	uint32_t count = from->bone_count >= 1 && from->bone_count <= 3 ? from->bone_count : 1;
	for (uint32_t i = 0; i < count; i++) {
		float moved[3], turned[3], weight = count == 1 ? 1 : from->weights[i];
		uint32_t bone = from->bones[i] < source->bone_count ? from->bones[i] : 0;
		bspi_transform_point(moved, source->bones[bone], from->position);
		bspi_turn_normal(turned, source->bones[bone], from->normal);
		for (int k = 0; k < 3; k++) {
			position[k] += moved[k] * weight;
			normal[k] += turned[k] * weight;
		}
	}
	bspi_copy3(out->position, position);
	bspi_copy3(out->normal, normal);
}

static bspi_binding binding_of(const bspi_source_vertex *from)
{
	bspi_binding out = { .joints = { from->bones[0], from->bones[1], from->bones[2] }, .weights = { 1 } };
	if (from->bone_count == 2 || from->bone_count == 3) {
		for (uint32_t i = 0; i < 3; i++) out.weights[i] = i < from->bone_count ? from->weights[i] : 0;
	}
	return out;
}

static bool read_strip(bspi_model_reader *reader, const vtx_strip *strip, const vtx_index *indices, uint32_t count,
                       uint32_t base)
{
	if (!strip->index_count) return true;
	bool inside = strip->first_index >= 0 && strip->index_count >= 0 && (uint32_t)strip->first_index <= count &&
	              (uint32_t)strip->index_count <= count - (uint32_t)strip->first_index;
	if (!inside) {
		return bspi_refuse_model(reader, "a strip needs %d indices from number %d on, but there are %u",
		                         strip->index_count, strip->first_index, count);
	}
	const vtx_index *first = indices + strip->first_index;
	bool is_strip = strip->flags & STRIP_IS_STRIP;
	for (uint32_t i = 0; i + 2 < (uint32_t)strip->index_count; i += is_strip ? 1 : 3) {
		bool turned = is_strip && i % 2;
		BSPI_TRY(bspi_add_triangle(reader, base + first[i].vertex, base + first[i + 1 + turned].vertex,
		                           base + first[i + 2 - turned].vertex));
	}
	return true;
}

/* Reads a strip group. `first` is the index of the mesh's first vertex among the vertices of all meshes. */
static bool read_group(bspi_model_reader *reader, bspi_studio *source, int64_t at, const vtx_group *group,
                       int64_t first, int32_t mesh_vertices)
{
	bspi_bytes file = source->triangles;
	uint32_t base = reader->sections[reader->section_count - 1].vertex_count;
	const bspi_triangle_tables *tables = source->tables->triangles;
	bool is_short = tables->short_vertex && group->flags & SHORT_VERTICES;
	const vtx_vertex *vertices = bspi_take_records(reader, file, is_short ? tables->short_vertex : tables->vertex,
	                                               at + group->vertices_at, group->vertex_count, MOST_VERTICES);
	BSPI_TRY(vertices);
	const vtx_index *indices =
		bspi_take_records(reader, file, &index_layout, at + group->indices_at, group->index_count, MOST_INDICES);
	BSPI_TRY(indices);
	const vtx_strip *strips = bspi_take_records(reader, file, tables->strips[source->wide], at + group->strips_at,
	                                            group->strip_count, MOST_STRIPS);
	BSPI_TRY(strips);
	for (int32_t i = 0; i < group->vertex_count; i++) {
		int64_t number = first + vertices[i].number;
		if (number < 0 || number >= source->vertex_count || (int64_t)vertices[i].number >= mesh_vertices) {
			return bspi_refuse_model(reader, "a strip names vertex %u, but there are %d", vertices[i].number,
			                         mesh_vertices);
		}
		bspi_model_vertex vertex = { .number = source->next_number + (uint32_t)i };
		bspi_source_vertex from = source->vertices[number];
		if (source->eye) bspi_shape_eye(source->eye, &from);
		place_vertex(source, &from, &vertex);
		const bspi_binding binding = binding_of(&from);
		BSPI_TRY(bspi_add_vertex(reader, &vertex) && bspi_bind_vertex(reader, &binding));
	}
	source->next_number += (uint32_t)group->vertex_count;
	for (int32_t i = 0; i < group->strip_count; i++) {
		BSPI_TRY(read_strip(reader, &strips[i], indices, (uint32_t)group->index_count, base));
	}
	return true;
}

static uint32_t slot_of(const bspi_source_mesh *mesh) { return mesh->slot >= 0 ? (uint32_t)mesh->slot : 0; }

static bool read_mesh(bspi_model_reader *reader, bspi_studio *source, int64_t at, const vtx_list *list,
                      const bspi_source_model *model, const bspi_source_mesh *mesh, uint32_t slot)
{
	enum { VERTEX_SIZE = 48 };
	const bspi_layout *layout = source->tables->triangles->groups[source->wide];
	int64_t groups_at = at + list->at, first = (int64_t)model->first_vertex_byte / VERTEX_SIZE + mesh->first_vertex;
	const vtx_group *groups = bspi_take_records(reader, source->triangles, layout, groups_at, list->count, MOST_GROUPS);
	BSPI_TRY(groups && bspi_begin_section(reader, slot));
	for (int32_t i = 0; i < list->count; i++) {
		int64_t group_at = groups_at + (int64_t)i * layout->file_size;
		BSPI_TRY(read_group(reader, source, group_at, &groups[i], first, mesh->vertex_count));
	}
	return true;
}

/* Reads an eyeball twice: first as the white, then as the layer with the iris in front of it. */
static bool read_eye(bspi_model_reader *reader, bspi_studio *source, int64_t at, const vtx_list *list, int64_t mdl_at,
                     const bspi_source_model *model, const bspi_source_mesh *mesh)
{
	bspi_source_eye eye;
	bool found, has_iris;
	uint32_t number = source->next_number;
	BSPI_TRY(bspi_find_source_eye(reader, source, mdl_at, model, mesh, &eye, &found, &has_iris));
	source->eye = found ? &eye : NULL;
	bool read = read_mesh(reader, source, at, list, model, mesh, slot_of(mesh));
	if (read && has_iris) {
		eye.is_iris = true;
		source->next_number = number;
		read = read_mesh(reader, source, at, list, model, mesh, eye.slot);
	}
	source->eye = NULL;
	return read;
}

/* Skips a mesh, but counts its vertices in next_number. */
static bool pass_mesh(bspi_model_reader *reader, bspi_studio *source, int64_t at, const vtx_list *list)
{
	const bspi_layout *layout = source->tables->triangles->groups[source->wide];
	if (list->count < 0 || (uint64_t)source->visits + (uint32_t)list->count > MOST_GROUPS) {
		return bspi_refuse_model(reader, "a mesh claims %d strip groups, which is not possible", list->count);
	}
	source->visits += (uint32_t)list->count + 1;
	const vtx_group *groups =
		bspi_take_records(reader, source->triangles, layout, at + list->at, list->count, MOST_GROUPS);
	BSPI_TRY(groups);
	for (int32_t i = 0; i < list->count; i++) {
		if (groups[i].vertex_count > 0 && groups[i].vertex_count <= MOST_VERTICES) {
			source->next_number += (uint32_t)groups[i].vertex_count;
		}
	}
	return true;
}

/* Skips a model, but counts its vertices in next_number, because stored light has colors for them too. */
static bool pass_model(bspi_model_reader *reader, bspi_studio *source, int64_t at, const vtx_list *list)
{
	int64_t lods_at, meshes_at;
	if (!reader->state.is_static || list->count < 1) return true;
	const vtx_list *lods = take_lists(reader, source->triangles, &lod_layout, at, list, MOST_LODS, &lods_at);
	BSPI_TRY(lods);
	const bspi_layout *layout = source->tables->triangles->mesh;
	const vtx_list *meshes =
		take_lists(reader, source->triangles, layout, lods_at, &lods[0], MOST_MESHES, &meshes_at);
	BSPI_TRY(meshes);
	for (int32_t i = 0; i < lods[0].count; i++) {
		BSPI_TRY(pass_mesh(reader, source, meshes_at + (int64_t)i * layout->file_size, &meshes[i]));
	}
	return true;
}

/* Reads a model, whose records are at `mdl_at` in the MDL file and at `at` in the VTX file. */
static bool read_model(bspi_model_reader *reader, bspi_studio *source, int64_t mdl_at, int64_t at,
                       const vtx_list *list)
{
	bspi_bytes file = source->triangles;
	int64_t lods_at, meshes_at;
	const bspi_studio_tables *tables = source->tables;
	const bspi_source_model *model = bspi_take_records(reader, reader->file, tables->model, mdl_at, 1, 1);
	BSPI_TRY(model);
	if (!model->mesh_count) return true;
	if (tables->take_vertices) BSPI_TRY(tables->take_vertices(reader, source, mdl_at, model));
	const bspi_source_mesh *meshes = bspi_take_records(reader, reader->file, tables->mesh,
	                                                   mdl_at + model->meshes_at, model->mesh_count, MOST_MESHES);
	const vtx_list *lods = meshes ? take_lists(reader, file, &lod_layout, at, list, MOST_LODS, &lods_at) : NULL;
	BSPI_TRY(lods);
	uint32_t lod = source->header->root_lod < (uint32_t)list->count ? source->header->root_lod : 0;
	if (!list->count) return bspi_refuse_model(reader, "its .vtx file has no level of detail");
	int64_t lod_at = lods_at + (int64_t)lod * lod_layout.file_size;
	const bspi_layout *layout = tables->triangles->mesh;
	const vtx_list *lists = take_lists(reader, file, layout, lod_at, &lods[lod], MOST_MESHES, &meshes_at);
	BSPI_TRY(lists);
	if (lods[lod].count != model->mesh_count) {
		return bspi_refuse_model(reader, "the .mdl file has %d meshes, but the .vtx file %d", model->mesh_count,
		                         lods[lod].count);
	}
	for (int32_t i = 0; i < model->mesh_count; i++) {
		int64_t mesh_at = meshes_at + (int64_t)i * layout->file_size;
		const bspi_source_mesh *mesh = &meshes[i];
		BSPI_TRY(mesh->kind == EYE ? read_eye(reader, source, mesh_at, &lists[i], mdl_at, model, mesh)
		                           : read_mesh(reader, source, mesh_at, &lists[i], model, mesh, slot_of(mesh)));
	}
	return true;
}

bool bspi_read_studio_parts(bspi_model_reader *reader, bspi_studio *source)
{
	bspi_bytes file = source->triangles;
	const bspi_source_part *parts = bspi_take_records(reader, reader->file, &body_layout, source->header->parts_at,
	                                                  source->header->part_count, MOST_PARTS);
	BSPI_TRY(parts);
	bspi_copy3(reader->model.light_point, source->header->light_point);
	const vtx_header *h = bspi_take_records(reader, file, &header_layout, 0, 1, 1);
	BSPI_TRY(h);
	if (h->part_count != source->header->part_count) {
		return bspi_refuse_model(reader, "the .mdl file has %d body parts, but the .vtx file %d",
		                         source->header->part_count, h->part_count);
	}
	const vtx_list all = { h->part_count, h->parts_at };
	int64_t parts_at, models_at;
	const vtx_list *lists = take_lists(reader, file, &part_layout, 0, &all, MOST_PARTS, &parts_at);
	BSPI_TRY(lists);
	for (int32_t i = 0; i < h->part_count; i++) {
		if (parts[i].model_count < 1) continue;
		int64_t part_at = parts_at + (int64_t)i * part_layout.file_size;
		const vtx_list *models = take_lists(reader, file, &model_layout, part_at, &lists[i], MOST_MODELS, &models_at);
		BSPI_TRY(models);
		uint32_t base = parts[i].base > 0 ? (uint32_t)parts[i].base : 1;
		uint32_t number = reader->state.body / base % (uint32_t)parts[i].model_count;
		if (lists[i].count != parts[i].model_count) {
			return bspi_refuse_model(reader, "body part %d has %d models in the .mdl file, but %d in the .vtx file", i,
			                         parts[i].model_count, lists[i].count);
		}
		int64_t record = source->header->parts_at + (int64_t)i * body_layout.file_size + parts[i].models_at;
		for (uint32_t m = 0; m < (uint32_t)lists[i].count; m++) {
			int64_t model_at = models_at + (int64_t)m * model_layout.file_size;
			int64_t mdl_at = record + (int64_t)m * source->tables->model->file_size;
			BSPI_TRY(m == number ? read_model(reader, source, mdl_at, model_at, &models[m])
			                     : pass_model(reader, source, model_at, &models[m]));
		}
	}
	bool lights = reader->state.is_static && source->tables->triangles == &bspi_source_triangle_tables;
	reader->model.number_count = lights ? source->next_number : 0;
	reader->model.checksum = source->header->checksum;
	return true;
}
