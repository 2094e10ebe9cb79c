/* iqm.c - reads Inter-Quake Models (version 2). A file has arrays of vertex data and states their types. The model is
 * shown in the artist's pose or in a frame of a sequence. */
#include "models/iqm.h"

#include "base/vec.h"

enum { VERSION = 2, MAGIC_SIZE = 16, ARRAY_POSITION = 0, ARRAY_UV = 1, ARRAY_NORMAL = 2, MOST_ARRAYS = 64,
       MOST_MESHES = 1024 };

typedef struct iqm_mesh {
	uint32_t name, material, first_vertex, vertex_count, first_triangle, triangle_count;
} iqm_mesh;

static const bspi_field header_rows[] = {
	SKIP("magic", 0, 16), SKIP("version", 16, 4), SKIP("filesize", 20, 4), SKIP("flags", 24, 4),
	FIELD(bspi_iqm_header, text_size, 28, U32), FIELD(bspi_iqm_header, text_at, 32, U32),
	FIELD(bspi_iqm_header, mesh_count, 36, U32),
	FIELD(bspi_iqm_header, meshes_at, 40, U32), FIELD(bspi_iqm_header, array_count, 44, U32),
	FIELD(bspi_iqm_header, vertex_count, 48, U32), FIELD(bspi_iqm_header, arrays_at, 52, U32),
	FIELD(bspi_iqm_header, triangle_count, 56, U32), FIELD(bspi_iqm_header, triangles_at, 60, U32),
	SKIP("adjacency", 64, 4),
	FIELD(bspi_iqm_header, joint_count, 68, U32), FIELD(bspi_iqm_header, joints_at, 72, U32),
	FIELD(bspi_iqm_header, pose_count, 76, U32), FIELD(bspi_iqm_header, poses_at, 80, U32),
	FIELD(bspi_iqm_header, sequence_count, 84, U32), FIELD(bspi_iqm_header, sequences_at, 88, U32),
	FIELD(bspi_iqm_header, frame_count, 92, U32), FIELD(bspi_iqm_header, channel_count, 96, U32),
	FIELD(bspi_iqm_header, frames_at, 100, U32), SKIP("others", 104, 20),
};
static const bspi_field mesh_rows[] = {
	FIELD(iqm_mesh, name, 0, U32), FIELD(iqm_mesh, material, 4, U32), FIELD(iqm_mesh, first_vertex, 8, U32),
	FIELD(iqm_mesh, vertex_count, 12, U32), FIELD(iqm_mesh, first_triangle, 16, U32),
	FIELD(iqm_mesh, triangle_count, 20, U32),
};
static const bspi_field array_rows[] = {
	FIELD(bspi_iqm_array, type, 0, U32), SKIP("flags", 4, 4), FIELD(bspi_iqm_array, format, 8, U32),
	FIELD(bspi_iqm_array, size, 12, U32), FIELD(bspi_iqm_array, at, 16, U32),
};
static const bspi_field triangle_rows[] = { FIELD(bspi_iqm_triangle, vertices, 0, U32) };
static const bspi_field float_rows[] = { FIELD(bspi_iqm_float, value, 0, F32) };
static const bspi_layout header_layout = LAYOUT("header", bspi_iqm_header, header_rows, 124);
static const bspi_layout mesh_layout = LAYOUT("meshes", iqm_mesh, mesh_rows, 24);
static const bspi_layout array_layout = LAYOUT("vertex arrays", bspi_iqm_array, array_rows, 20);
static const bspi_layout triangle_layout = LAYOUT("triangles", bspi_iqm_triangle, triangle_rows, 12);
static const bspi_layout float_layout = LAYOUT("floats", bspi_iqm_float, float_rows, 4);
static const bspi_layout *const layouts[] = {
	&header_layout, &mesh_layout, &array_layout, &triangle_layout, &float_layout, NULL,
};

static bool bid(bspi_bytes file)
{
	return file.size >= MAGIC_SIZE + 4 && !memcmp(file.data, "INTERQUAKEMODEL", MAGIC_SIZE) &&
	       bspi_load_u32(file.data + MAGIC_SIZE) == VERSION;
}

/* Finds an array of floats. *out stays NULL if there is none. */
static bool take_array(bspi_model_reader *reader, const bspi_iqm *m, uint32_t type, uint32_t size,
                       const bspi_iqm_float **out)
{
	for (uint32_t i = 0; i < m->header->array_count; i++) {
		const bspi_iqm_array *array = &m->arrays[i];
		if (array->type != type || array->format != BSPI_IQM_FLOAT || array->size != size) continue;
		*out = bspi_take_records(reader, reader->file, &float_layout, array->at,
		                         (int64_t)m->header->vertex_count * size, 3 * BSPI_MODEL_MAX_VERTICES);
		return *out != NULL;
	}
	return true;
}

static void copy_vertex(const bspi_iqm *m, uint32_t number, bspi_model_vertex *out)
{
	for (uint32_t k = 0; k < 3; k++) {
		out->position[k] = m->positions[3 * (size_t)number + k].value;
		out->normal[k] = m->normals ? m->normals[3 * (size_t)number + k].value : 0;
	}
	for (uint32_t k = 0; k < 2; k++) out->uv[k] = m->uvs ? m->uvs[2 * (size_t)number + k].value : 0;
}

static bool write_mesh(bspi_model_reader *reader, const bspi_iqm *m, const iqm_mesh *mesh, uint32_t slot)
{
	bool inside = mesh->first_vertex <= m->header->vertex_count &&
	              mesh->vertex_count <= m->header->vertex_count - mesh->first_vertex &&
	              mesh->first_triangle <= m->header->triangle_count &&
	              mesh->triangle_count <= m->header->triangle_count - mesh->first_triangle;
	if (!inside) {
		return bspi_refuse_model(
			reader,
			"mesh %u needs %u vertices from number %u on and %u triangles from number %u on, but there are %u "
			"vertices and %u triangles",
			slot, mesh->vertex_count, mesh->first_vertex, mesh->triangle_count, mesh->first_triangle,
			m->header->vertex_count, m->header->triangle_count);
	}
	BSPI_TRY(bspi_begin_section(reader, slot));
	for (uint32_t i = 0; i < mesh->vertex_count; i++) {
		bspi_model_vertex vertex = { .number = 0 };
		copy_vertex(m, mesh->first_vertex + i, &vertex);
		BSPI_TRY(bspi_add_iqm_vertex(reader, m, mesh->first_vertex + i, &vertex));
	}
	for (uint32_t i = 0; i < mesh->triangle_count; i++) {
		const uint32_t *corners = m->triangles[mesh->first_triangle + i].vertices;
		BSPI_TRY(bspi_add_triangle(reader, corners[0] - mesh->first_vertex, corners[1] - mesh->first_vertex,
		                           corners[2] - mesh->first_vertex));
	}
	return true;
}

static bool read(bspi_model_reader *reader)
{
	bspi_iqm m = { .header = bspi_take_records(reader, reader->file, &header_layout, 0, 1, 1) };
	BSPI_TRY(m.header);
	const bspi_iqm_header *h = m.header;
	bspi_bytes text;
	BSPI_TRY(bspi_take_bytes(reader, reader->file, h->text_at, h->text_size, "texts", &text));
	const iqm_mesh *meshes = bspi_take_records(reader, reader->file, &mesh_layout, h->meshes_at, h->mesh_count,
	                                           MOST_MESHES);
	BSPI_TRY(meshes);
	m.arrays = bspi_take_records(reader, reader->file, &array_layout, h->arrays_at, h->array_count, MOST_ARRAYS);
	BSPI_TRY(m.arrays);
	m.triangles = bspi_take_records(reader, reader->file, &triangle_layout, h->triangles_at, h->triangle_count,
	                                BSPI_MODEL_MAX_TRIANGLES);
	BSPI_TRY(m.triangles && take_array(reader, &m, ARRAY_POSITION, 3, &m.positions) &&
	         take_array(reader, &m, ARRAY_NORMAL, 3, &m.normals) && take_array(reader, &m, ARRAY_UV, 2, &m.uvs));
	if (!m.positions) return bspi_refuse_model(reader, "it has no positions of vertices");
	m.text = text;
	BSPI_TRY(bspi_pose_iqm(reader, &m));
	bspi_model_material *materials = bspi_push(reader->ctx, &reader->ctx->scratch, bspi_model_material, h->mesh_count);
	BSPI_TRY(materials);
	for (uint32_t i = 0; i < h->mesh_count; i++) {
		const char *name = bspi_take_text(reader, text, meshes[i].material);
		BSPI_TRY(name && write_mesh(reader, &m, &meshes[i], i));
		materials[i] = (bspi_model_material){ .name = name, .pixels = BSPI_NO_BYTES, .palette = BSPI_NO_BYTES };
	}
	return bspi_set_materials(reader, materials, h->mesh_count);
}

const bspi_model_format bspi_model_format_iqm = {
	"iqm", "Inter-Quake Model (IQM 2)", bid, read, { layouts, bspi_iqm_rig_layouts }, ".iqm",
};
