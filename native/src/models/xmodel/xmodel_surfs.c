/* xmodel_surfs.c - reads triangles of Call of Duty's models. In version 20 a vertex is relative to the surface's bone.
 * If the surface has none, it is relative to the vertex's first bone. Further bones of a vertex are skipped, because
 * they change nothing at rest. In version 25 vertices are relative to the model. */
#include "models/xmodel/xmodel.h"

enum { WEIGHT_20 = 16, WEIGHT_25 = 4 };

typedef struct xmodel_vertex {
	float normal[3], uv[2];
} xmodel_vertex;

typedef struct xmodel_triangle {
	uint32_t corners[3];
} xmodel_triangle;

static const bspi_field vertex_rows[] = {
	FIELD(xmodel_vertex, normal, 0, F32), SKIP("color", 12, 4), FIELD(xmodel_vertex, uv, 16, F32),
	SKIP("binormal, tangent", 24, 24),
};
static const bspi_field triangle_rows[] = { FIELD(xmodel_triangle, corners, 0, U16) };
static const bspi_layout vertex_layout = LAYOUT("xmodel vertices", xmodel_vertex, vertex_rows, 48);
static const bspi_layout triangle_layout = LAYOUT("xmodel triangles", xmodel_triangle, triangle_rows, 6);
const bspi_layout *const bspi_xmodel_surf_layouts[] = {
	&vertex_layout, &triangle_layout, &bspi_xmodel_strip_vertex, NULL,
};

static bool take_record(bspi_cursor *at, const bspi_layout *layout, void *out)
{
	const uint8_t *bytes = bspi_take(at, layout->file_size);
	if (bytes) bspi_layout_decode(layout, bytes, 1, out);
	return bytes != NULL;
}

typedef struct surface_head {
	uint32_t version, vertices, triangles, bone;
} surface_head;

/* Reads the header of a surface of version 25. If only some of the vertices have a single bone, a list of
 * runs of such vertices follows, which ends with 0. The list is skipped. */
static void read_head_25(bspi_cursor *at, surface_head *out)
{
	bspi_take(at, 3);
	out->vertices = bspi_take_u16(at);
	out->triangles = bspi_take_u16(at);
	uint32_t with_one_bone = bspi_take_u16(at);
	out->bone = with_one_bone == out->vertices ? 0 : BSPI_XMODEL_BONES;
	bspi_take(at, out->bone ? 2 : 4);
	if (!out->bone || !with_one_bone) return;
	while (bspi_take_u16(at) && !at->failed) continue;
	bspi_take(at, 2);
}

static bool read_head(bspi_cursor *at, surface_head *out)
{
	if (out->version == BSPI_XMODEL_25) {
		read_head_25(at, out);
		return !at->failed;
	}
	bspi_take(at, 1);
	out->vertices = bspi_take_u16(at);
	out->triangles = bspi_take_u16(at);
	out->bone = bspi_take_u16(at);
	if (out->bone == BSPI_XMODEL_BONES) bspi_take(at, 2);
	return !at->failed;
}

static bool add_in_model(bspi_model_reader *reader, const float place[3], const xmodel_vertex *read)
{
	bspi_model_vertex vertex = { .number = 0 };
	memcpy(vertex.position, place, sizeof vertex.position);
	memcpy(vertex.normal, read->normal, sizeof vertex.normal);
	memcpy(vertex.uv, read->uv, sizeof vertex.uv);
	return bspi_add_vertex(reader, &vertex);
}

static bool read_vertex(bspi_model_reader *reader, bspi_cursor *at, const surface_head *head,
                        const bspi_xmodel_bones *bones)
{
	xmodel_vertex read;
	float place[3];
	uint32_t bone = head->bone;
	uint8_t weights = 0;
	if (!take_record(at, &vertex_layout, &read))
		return bspi_refuse_model(reader, "its surfaces file ends inside the vertices of a surface");
	if (bone == BSPI_XMODEL_BONES) {
		weights = bspi_take_u8(at);
		bone = bspi_take_u16(at);
	}
	for (int i = 0; i < 3; i++) place[i] = bspi_take_f32(at);
	bool in_model = head->version == BSPI_XMODEL_25;
	if (weights) bspi_take(at, in_model ? (size_t)WEIGHT_25 * weights : 1 + (size_t)WEIGHT_20 * weights);
	if (at->failed) return bspi_refuse_model(reader, "its surfaces file ends inside the vertices of a surface");
	if (in_model) return add_in_model(reader, place, &read);
	return bspi_add_xmodel_vertex(reader, bones, bone, place, read.normal, read.uv);
}

static bool read_surface(bspi_model_reader *reader, bspi_cursor *at, uint32_t version, const bspi_xmodel_bones *bones)
{
	surface_head head = { .version = version };
	if (version == BSPI_XMODEL_14) return bspi_read_xmodel_strips(reader, at, bones);
	if (!read_head(at, &head))
		return bspi_refuse_model(reader, "its surfaces file ends inside the header of a surface");
	for (uint32_t i = 0; i < head.vertices; i++) BSPI_TRY(read_vertex(reader, at, &head, bones));
	for (uint32_t i = 0; i < head.triangles; i++) {
		xmodel_triangle read;
		if (!take_record(at, &triangle_layout, &read))
			return bspi_refuse_model(reader, "its surfaces file ends inside the triangles of a surface");
		BSPI_TRY(bspi_add_triangle(reader, read.corners[0], read.corners[1], read.corners[2]));
	}
	return true;
}

bool bspi_read_xmodel_surfs(bspi_model_reader *reader, bspi_bytes file, uint32_t version,
                            const bspi_xmodel_bones *bones, uint32_t materials)
{
	bspi_cursor at = bspi_cursor_at(file, 0);
	uint32_t its_version = bspi_take_u16(&at), count = bspi_take_u16(&at);
	if (at.failed || its_version != version) {
		return bspi_refuse_model(reader, "its surfaces file is not of xmodel version %u", version);
	}
	if (count > materials)
		return bspi_refuse_model(reader, "it has %u surfaces, but only %u materials", count, materials);
	for (uint32_t i = 0; i < count; i++) {
		BSPI_TRY(bspi_begin_section(reader, i) && read_surface(reader, &at, version, bones));
	}
	return true;
}
