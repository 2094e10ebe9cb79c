/* source_mdl.c - reads Source's studio models (MDL 44 to 49). Their vertices and triangles are in other files next
 * to the MDL. */
#include "models/source/source_mdl.h"

enum { FIRST_VERSION = 44, LAST_VERSION = 49 };

static const bspi_field header_rows[] = {
	SKIP("id version", 0, 8),
	FIELD(bspi_source_header, checksum, 8, U32),
	SKIP("name", 12, 64),
	SKIP("length", 76, 4),
	SKIP("eye", 80, 12),
	FIELD(bspi_source_header, light_point, 92, F32),
	SKIP("hull", 104, 24),
	SKIP("view", 128, 24),
	FIELD(bspi_source_header, flags, 152, U32),
	FIELD(bspi_source_header, bone_count, 156, I32),
	FIELD(bspi_source_header, bones_at, 160, I32),
	SKIP("controllers, hitboxes", 164, 16),
	FIELD(bspi_source_header, animation_count, 180, I32),
	FIELD(bspi_source_header, animations_at, 184, I32),
	FIELD(bspi_source_header, sequence_count, 188, I32),
	FIELD(bspi_source_header, sequences_at, 192, I32),
	SKIP("activity list", 196, 8),
	FIELD(bspi_source_header, texture_count, 204, I32),
	FIELD(bspi_source_header, textures_at, 208, I32),
	FIELD(bspi_source_header, folder_count, 212, I32),
	FIELD(bspi_source_header, folders_at, 216, I32),
	FIELD(bspi_source_header, slot_count, 220, I32),
	FIELD(bspi_source_header, family_count, 224, I32),
	FIELD(bspi_source_header, skins_at, 228, I32),
	FIELD(bspi_source_header, part_count, 232, I32),
	FIELD(bspi_source_header, parts_at, 236, I32),
	FIELD(bspi_source_header, attachment_count, 240, I32),
	FIELD(bspi_source_header, attachments_at, 244, I32),
	SKIP("others", 248, 129),
	FIELD(bspi_source_header, root_lod, 377, U8),
	SKIP("rest", 378, 30),
};
static const bspi_field texture_rows[] = { BSPI_STUDIO_TEXTURE_FIELDS(64) };
static const bspi_field model_rows[] = {
	SKIP("name type radius", 0, 72),
	FIELD(bspi_source_model, mesh_count, 72, I32),
	FIELD(bspi_source_model, meshes_at, 76, I32),
	FIELD(bspi_source_model, vertex_count, 80, I32),
	FIELD(bspi_source_model, first_vertex_byte, 84, I32),
	SKIP("tangents, attachments", 88, 12),
	FIELD(bspi_source_model, eye_count, 100, I32),
	FIELD(bspi_source_model, eyes_at, 104, I32),
	SKIP("others", 108, 40),
};
static const bspi_field mesh_rows[] = { BSPI_STUDIO_MESH_FIELDS(116) };
static const bspi_layout header_layout = LAYOUT("header", bspi_source_header, header_rows, 408);
static const bspi_layout texture_layout = LAYOUT("textures", bspi_studio_texture, texture_rows, 64);
static const bspi_layout model_layout = LAYOUT("models", bspi_source_model, model_rows, 148);
static const bspi_layout mesh_layout = LAYOUT("meshes", bspi_source_mesh, mesh_rows, 116);
static const bspi_layout *const layouts[] = {
	&header_layout, &texture_layout, &model_layout, &mesh_layout, &bspi_source_eyeball_layout, NULL,
};

static const char *const endings[] = { ".dx90.vtx", ".dx80.vtx", ".sw.vtx", ".vtx", NULL };
static const bspi_studio_tables tables = {
	.model = &model_layout,
	.mesh = &mesh_layout,
	.eyeball = &bspi_source_eyeball_layout,
	.take_to_bone = bspi_source_to_bone,
	.triangles = &bspi_source_triangle_tables,
	.triangle_endings = endings,
};

static bool bid(bspi_bytes file)
{
	if (file.size < 8 || memcmp(file.data, "IDST", 4) != 0) return false;
	int32_t version = bspi_load_i32(file.data + 4);
	return version >= FIRST_VERSION && version <= LAST_VERSION;
}

static bool read(bspi_model_reader *reader)
{
	bspi_studio source = {
		.header = bspi_take_records(reader, reader->file, &header_layout, 0, 1, 1),
		.tables = &tables,
	};
	BSPI_TRY(source.header && bspi_read_studio_materials(reader, source.header, &texture_layout));
	BSPI_TRY(bspi_read_source_vertices(reader, &source) && bspi_open_source_triangles(reader, &source));
	bool is_compiled = reader->state.is_static || source.header->flags & BSPI_SOURCE_STATIC_PROP;
	if (!is_compiled) BSPI_TRY(reader->rig ? bspi_rig_source(reader, &source) : bspi_pose_source(reader, &source));
	return bspi_read_studio_parts(reader, &source);
}

const bspi_model_format bspi_model_format_source_mdl = {
	"source_mdl",
	"Source's studio model (IDST 44 to 49)",
	bid,
	read,
	{ layouts, bspi_source_vertex_layouts, bspi_source_triangle_layouts, bspi_source_pose_layouts },
	".mdl",
};
