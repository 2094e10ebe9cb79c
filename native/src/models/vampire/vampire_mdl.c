/* vampire_mdl.c - reads Bloodlines' studio models (MDL 2531). Their format is an early branch of Source's. It has
 * other records, and the vertices are in the same file. */
#include "models/vampire/vampire_mdl.h"

enum { VERSION = 2531 };

static const bspi_field header_rows[] = {
	SKIP("id version", 0, 8),
	FIELD(bspi_source_header, checksum, 8, U32),
	SKIP("name", 12, 128),
	SKIP("length", 140, 4),
	SKIP("eye", 144, 12),
	FIELD(bspi_source_header, light_point, 156, F32),
	SKIP("middle, hull, view", 168, 60),
	FIELD(bspi_source_header, flags, 228, U32),
	SKIP("unknown", 232, 8),
	FIELD(bspi_source_header, bone_count, 240, I32),
	FIELD(bspi_source_header, bones_at, 244, I32),
	SKIP("controllers, hitboxes", 248, 16),
	FIELD(bspi_source_header, animation_count, 264, I32),
	FIELD(bspi_source_header, animations_at, 268, I32),
	FIELD(bspi_source_header, sequence_count, 272, I32),
	FIELD(bspi_source_header, sequences_at, 276, I32),
	SKIP("indexed, sequence groups", 280, 12),
	FIELD(bspi_source_header, texture_count, 292, I32),
	FIELD(bspi_source_header, textures_at, 296, I32),
	FIELD(bspi_source_header, folder_count, 300, I32),
	FIELD(bspi_source_header, folders_at, 304, I32),
	FIELD(bspi_source_header, slot_count, 308, I32),
	FIELD(bspi_source_header, family_count, 312, I32),
	FIELD(bspi_source_header, skins_at, 316, I32),
	FIELD(bspi_source_header, part_count, 320, I32),
	FIELD(bspi_source_header, parts_at, 324, I32),
	SKIP("others", 328, 96),
};
static const bspi_field texture_rows[] = { BSPI_STUDIO_TEXTURE_FIELDS(20) };
static const bspi_field model_rows[] = {
	SKIP("name type radius", 0, 136),
	FIELD(bspi_source_model, mesh_count, 136, I32),
	FIELD(bspi_source_model, meshes_at, 140, I32),
	FIELD(bspi_source_model, vertex_count, 144, I32),
	FIELD(bspi_source_model, vertices_at, 148, I32),
	SKIP("tangents", 152, 4),
	FIELD(bspi_source_model, kind, 156, U32),
	FIELD(bspi_source_model, bias, 160, F32),
	FIELD(bspi_source_model, scale, 172, F32),
	SKIP("attachments", 184, 8),
	FIELD(bspi_source_model, eye_count, 192, I32),
	FIELD(bspi_source_model, eyes_at, 196, I32),
	SKIP("others", 200, 24),
};
static const bspi_field mesh_rows[] = { BSPI_STUDIO_MESH_FIELDS(60) };
static const bspi_layout header_layout = LAYOUT("header", bspi_source_header, header_rows, 424);
static const bspi_layout texture_layout = LAYOUT("textures", bspi_studio_texture, texture_rows, 20);
static const bspi_layout model_layout = LAYOUT("models", bspi_source_model, model_rows, 224);
static const bspi_layout mesh_layout = LAYOUT("meshes", bspi_source_mesh, mesh_rows, 60);
static const bspi_layout *const layouts[] = {
	&header_layout, &texture_layout, &model_layout, &mesh_layout, &bspi_vampire_eyeball_layout, NULL,
};

static const char *const endings[] = { ".dx80.vtx", ".dx7_2bone.vtx", ".dx7_3bone.vtx", ".vtx", NULL };
static const bspi_studio_tables tables = {
	.model = &model_layout,
	.mesh = &mesh_layout,
	.eyeball = &bspi_vampire_eyeball_layout,
	.take_to_bone = bspi_vampire_to_bone,
	.triangles = &bspi_vampire_triangle_tables,
	.triangle_endings = endings,
	.take_vertices = bspi_take_vampire_vertices,
};

static bool bid(bspi_bytes file)
{
	return file.size >= 8 && !memcmp(file.data, "IDST", 4) && bspi_load_i32(file.data + 4) == VERSION;
}

static bool read(bspi_model_reader *reader)
{
	bspi_studio studio = {
		.header = bspi_take_records(reader, reader->file, &header_layout, 0, 1, 1),
		.tables = &tables,
	};
	BSPI_TRY(studio.header && bspi_read_studio_materials(reader, studio.header, &texture_layout));
	BSPI_TRY(bspi_open_source_triangles(reader, &studio) && bspi_pose_vampire(reader, &studio));
	return bspi_read_studio_parts(reader, &studio);
}

const bspi_model_format bspi_model_format_vampire_mdl = {
	"vampire_mdl",
	"Bloodlines' studio model (IDST 2531)",
	bid,
	read,
	{ layouts, bspi_vampire_vertex_layouts, bspi_source_triangle_layouts, bspi_vampire_pose_layouts },
	".mdl",
};
