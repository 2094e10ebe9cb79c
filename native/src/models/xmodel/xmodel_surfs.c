/* xmodel_surfs.c - the triangles of Call of Duty 2's models. A vertex lies in the space of its bone: the surface's, or
 * its own one where the surface has none. At rest further bones would move it nowhere, so their weights are skipped. */
#include "models/xmodel/xmodel.h"

#include "base/vec.h"
#include "models/skeleton/bones.h"

enum { OF_EACH_VERTEX = 0xffff, WEIGHT = 16 };

typedef struct xmodel_vertex {
	float normal[3], uv[2];
} xmodel_vertex;

typedef struct xmodel_triangle {
	uint32_t corners[3];
} xmodel_triangle;

static const bspi_field vertex_rows[] = {
	FIELD(xmodel_vertex, normal, 0, F32), SKIP("colour", 12, 4), FIELD(xmodel_vertex, uv, 16, F32),
	SKIP("binormal, tangent", 24, 24),
};
static const bspi_field triangle_rows[] = { FIELD(xmodel_triangle, corners, 0, U16) };
static const bspi_layout vertex_layout = LAYOUT("xmodel vertices", xmodel_vertex, vertex_rows, 48);
static const bspi_layout triangle_layout = LAYOUT("xmodel triangles", xmodel_triangle, triangle_rows, 6);
const bspi_layout *const bspi_xmodel_surf_layouts[] = { &vertex_layout, &triangle_layout, NULL };

static bool take_record(bspi_cursor *at, const bspi_layout *layout, void *out)
{
	const uint8_t *bytes = bspi_take(at, layout->file_size);
	if (bytes) bspi_layout_decode(layout, bytes, 1, out);
	return bytes != NULL;
}

static bool read_vertex(bspi_model_reader *reader, bspi_cursor *at, const bspi_xmodel_bones *bones, uint32_t bone)
{
	xmodel_vertex read;
	bspi_model_vertex vertex = { .number = 0 };
	float place[3];
	uint8_t weights = 0;
	if (!take_record(at, &vertex_layout, &read)) return bspi_refuse_model(reader, "it ends inside its vertices");
	if (bone == OF_EACH_VERTEX) {
		weights = bspi_take_u8(at);
		bone = bspi_take_u16(at);
	}
	for (int i = 0; i < 3; i++) place[i] = bspi_take_f32(at);
	if (weights) bspi_take(at, 1 + (size_t)WEIGHT * weights);
	if (at->failed) return bspi_refuse_model(reader, "it ends inside its vertices");
	if (bone >= bones->count) return bspi_refuse_model(reader, "bone %u of %u", bone, bones->count);
	bspi_transform_point(vertex.position, bones->to_model[bone], place);
	bspi_turn_normal(vertex.normal, bones->to_model[bone], read.normal);
	memcpy(vertex.uv, read.uv, sizeof vertex.uv);
	return bspi_add_vertex(reader, &vertex);
}

static bool read_surface(bspi_model_reader *reader, bspi_cursor *at, const bspi_xmodel_bones *bones)
{
	bspi_take(at, 1);
	uint32_t vertices = bspi_take_u16(at), triangles = bspi_take_u16(at), bone = bspi_take_u16(at);
	if (bone == OF_EACH_VERTEX) bspi_take(at, 2);
	for (uint32_t i = 0; i < vertices; i++) BSPI_TRY(read_vertex(reader, at, bones, bone));
	for (uint32_t i = 0; i < triangles; i++) {
		xmodel_triangle read;
		if (!take_record(at, &triangle_layout, &read)) return bspi_refuse_model(reader, "it ends inside its triangles");
		BSPI_TRY(bspi_add_triangle(reader, read.corners[0], read.corners[1], read.corners[2]));
	}
	return !at->failed || bspi_refuse_model(reader, "it ends inside a surface's head");
}

bool bspi_read_xmodel_surfs(bspi_model_reader *reader, bspi_bytes file, const bspi_xmodel_bones *bones,
                            uint32_t materials)
{
	bspi_cursor at = bspi_cursor_at(file, 0);
	uint32_t version = bspi_take_u16(&at), count = bspi_take_u16(&at);
	if (at.failed || version != BSPI_XMODEL_VERSION) {
		return bspi_refuse_model(reader, "its surfaces are of no xmodel 20");
	}
	if (count > materials) return bspi_refuse_model(reader, "%u surfaces of %u materials", count, materials);
	for (uint32_t i = 0; i < count; i++) {
		BSPI_TRY(bspi_begin_section(reader, i) && read_surface(reader, &at, bones));
	}
	return true;
}
