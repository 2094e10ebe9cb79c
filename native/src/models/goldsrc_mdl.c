/* goldsrc_mdl.c - reads GoldSrc's studio models (IDST 10), and Afterburner's (AFTB 10), whose textures are files.
 * Vertices are stored relative to their bones, so the shape depends on a pose. Triangles are stored as strips and
 * fans. */
#include "models/goldsrc_mdl.h"

#include "base/text.h"
#include "base/vec.h"
#include "models/rig/model_rig.h"
#include "models/skeleton/bones.h"

enum {
	VERSION = 10,
	MOST_PARTS = 64,
	MOST_MODELS = 4096,
	MOST_MESHES = 4096,
	MOST_TEXTURES = 1024,
	MOST_VERTICES = 65536,
	MOST_SLOTS = 1024,
	MOST_FAMILIES = 1024
};
enum { FLAG_FLAT = 0x1, FLAG_CHROME = 0x2, FLAG_BRIGHT = 0x4, FLAG_ADDITIVE = 0x20, FLAG_MASKED = 0x40 };

static const bspi_field header_rows[] = {
	SKIP("id", 0, 4),
	SKIP("version", 4, 4),
	SKIP("name", 8, 64),
	SKIP("length", 72, 4),
	FIELD(bspi_goldsrc_header, eye, 76, F32),
	SKIP("min max", 88, 24),
	SKIP("bbmin bbmax", 112, 24),
	SKIP("flags", 136, 4),
	FIELD(bspi_goldsrc_header, bone_count, 140, I32),
	FIELD(bspi_goldsrc_header, bones_at, 144, I32),
	SKIP("controllers", 148, 8),
	SKIP("hitboxes", 156, 8),
	FIELD(bspi_goldsrc_header, sequence_count, 164, I32),
	FIELD(bspi_goldsrc_header, sequences_at, 168, I32),
	SKIP("seqgroups", 172, 8),
	FIELD(bspi_goldsrc_header, texture_count, 180, I32),
	FIELD(bspi_goldsrc_header, textures_at, 184, I32),
	SKIP("texturedata", 188, 4),
	FIELD(bspi_goldsrc_header, slot_count, 192, I32),
	FIELD(bspi_goldsrc_header, family_count, 196, I32),
	FIELD(bspi_goldsrc_header, skins_at, 200, I32),
	FIELD(bspi_goldsrc_header, part_count, 204, I32),
	FIELD(bspi_goldsrc_header, parts_at, 208, I32),
	FIELD(bspi_goldsrc_header, attachment_count, 212, I32),
	FIELD(bspi_goldsrc_header, attachments_at, 216, I32),
	SKIP("others", 220, 24),
};
static const bspi_field texture_rows[] = {
	NAME_FIELD(bspi_goldsrc_texture, name, 0, 64),   FIELD(bspi_goldsrc_texture, flags, 64, U32),
	FIELD(bspi_goldsrc_texture, width, 68, I32),     FIELD(bspi_goldsrc_texture, height, 72, I32),
	FIELD(bspi_goldsrc_texture, pixels_at, 76, I32),
};
static const bspi_field slot_rows[] = { FIELD(bspi_goldsrc_slot, texture, 0, I16) };
static const bspi_field part_rows[] = {
	SKIP("name", 0, 64),
	FIELD(bspi_goldsrc_part, model_count, 64, I32),
	FIELD(bspi_goldsrc_part, base, 68, I32),
	FIELD(bspi_goldsrc_part, models_at, 72, I32),
};
static const bspi_field model_rows[] = {
	SKIP("name", 0, 64),
	SKIP("type", 64, 4),
	SKIP("radius", 68, 4),
	FIELD(bspi_goldsrc_model, mesh_count, 72, I32),
	FIELD(bspi_goldsrc_model, meshes_at, 76, I32),
	FIELD(bspi_goldsrc_model, vertex_count, 80, I32),
	FIELD(bspi_goldsrc_model, vertex_bones_at, 84, I32),
	FIELD(bspi_goldsrc_model, vertices_at, 88, I32),
	FIELD(bspi_goldsrc_model, normal_count, 92, I32),
	FIELD(bspi_goldsrc_model, normal_bones_at, 96, I32),
	FIELD(bspi_goldsrc_model, normals_at, 100, I32),
	SKIP("groups", 104, 8),
};
static const bspi_field mesh_rows[] = {
	SKIP("numtris", 0, 4),
	FIELD(bspi_goldsrc_mesh, commands_at, 4, I32),
	FIELD(bspi_goldsrc_mesh, slot, 8, I32),
	SKIP("normals", 12, 8),
};
static const bspi_field point_rows[] = { FIELD(bspi_goldsrc_point, position, 0, F32) };
static const bspi_field bone_number_rows[] = { FIELD(bspi_goldsrc_bone_number, bone, 0, U8) };
static const bspi_layout header_layout = LAYOUT("header", bspi_goldsrc_header, header_rows, 244);
static const bspi_layout texture_layout = LAYOUT("textures", bspi_goldsrc_texture, texture_rows, 80);
static const bspi_layout slot_layout = LAYOUT("skins", bspi_goldsrc_slot, slot_rows, 2);
static const bspi_layout part_layout = LAYOUT("body parts", bspi_goldsrc_part, part_rows, 76);
static const bspi_layout model_layout = LAYOUT("models", bspi_goldsrc_model, model_rows, 112);
static const bspi_layout mesh_layout = LAYOUT("meshes", bspi_goldsrc_mesh, mesh_rows, 20);
static const bspi_layout point_layout = LAYOUT("points", bspi_goldsrc_point, point_rows, 12);
static const bspi_layout bone_number_layout = LAYOUT("bones of points", bspi_goldsrc_bone_number, bone_number_rows, 1);
static const bspi_layout *const layouts[] = {
	&header_layout, &texture_layout, &slot_layout,        &part_layout, &model_layout,
	&mesh_layout,   &point_layout,   &bone_number_layout, NULL,
};

static bool is_afterburner(bspi_bytes file)
{
	return file.data[0] == 'A';
}

static bool bid(bspi_bytes file)
{
	if (file.size < 8 || bspi_load_i32(file.data + 4) != VERSION) return false;
	return !memcmp(file.data, "IDST", 4) || !memcmp(file.data, "AFTB", 4);
}

/* ---- Textures ---- */

static uint32_t flags_of(uint32_t flags)
{
	uint32_t out = 0;
	if (flags & FLAG_FLAT) out |= BSPI_MODEL_FLAT;
	if (flags & FLAG_CHROME) out |= BSPI_MODEL_CHROME;
	if (flags & FLAG_BRIGHT) out |= BSPI_MODEL_BRIGHT;
	if (flags & FLAG_ADDITIVE) out |= BSPI_MODEL_ADDITIVE;
	if (flags & FLAG_MASKED) out |= BSPI_MODEL_MASKED;
	return out;
}

static bool read_material(bspi_model_reader *reader, const bspi_goldsrc *m, const bspi_goldsrc_texture *texture,
                          bspi_model_material *out)
{
	enum { PALETTE = 768 };
	bspi_ctx *ctx = reader->ctx;
	int32_t most = (int32_t)BSPI_MODEL_MAX_PICTURE;
	const char *name = bspi_text_copy(ctx, bspi_bytes_of(texture->name, sizeof texture->name), NULL);
	BSPI_TRY(name);
	if (texture->width < 1 || texture->height < 1 || texture->width > most || texture->height > most) {
		return bspi_refuse_model(reader, "a texture of %d x %d pixels is not possible", texture->width,
		                         texture->height);
	}
	*out = (bspi_model_material) {
		.name = name,
		.picture_file = true,
		.flags = flags_of(texture->flags),
		.width = (uint32_t)texture->width,
		.height = (uint32_t)texture->height,
		.pixels = BSPI_NO_BYTES,
		.palette = BSPI_NO_BYTES,
	};
	if (is_afterburner(reader->file)) {
		out->name = bspi_text_format(ctx, &ctx->scratch, "textures/%s", name);
		return out->name != NULL;
	}
	uint64_t size = (uint64_t)out->width * out->height;
	return bspi_take_bytes(reader, m->texture_file, texture->pixels_at, size, "textures", &out->pixels) &&
	       bspi_take_bytes(reader, m->texture_file, texture->pixels_at + (int64_t)size, PALETTE, "palettes",
	                       &out->palette);
}

/* Finds the file that has the textures. It is the model's file, or a second file whose name has a T at its end. */
static bool find_texture_file(bspi_model_reader *reader, bspi_goldsrc *m, const bspi_goldsrc_header **out)
{
	bool found = false;
	m->texture_file = reader->file;
	*out = m->header;
	if (m->header->texture_count) return true;
	bspi_bytes file;
	BSPI_TRY(bspi_open_model_sibling(reader, "T.mdl", &file, &found));
	if (!found || !bid(file)) return true;
	m->texture_file = file;
	*out = bspi_take_records(reader, file, &header_layout, 0, 1, 1);
	return *out != NULL;
}

static bool read_skins(bspi_model_reader *reader, bspi_goldsrc *m)
{
	bspi_ctx *ctx = reader->ctx;
	const bspi_goldsrc_header *h;
	BSPI_TRY(find_texture_file(reader, m, &h));
	m->textures =
		bspi_take_records(reader, m->texture_file, &texture_layout, h->textures_at, h->texture_count, MOST_TEXTURES);
	BSPI_TRY(m->textures);
	if (h->slot_count < 0 || h->slot_count > MOST_SLOTS || h->family_count < 0 || h->family_count > MOST_FAMILIES) {
		return bspi_refuse_model(reader, "its header claims %d skins of %d textures, which is not possible",
		                         h->family_count, h->slot_count);
	}
	m->texture_count = (uint32_t)h->texture_count;
	m->slot_count = (uint32_t)h->slot_count;
	m->family_count = (uint32_t)h->family_count;
	uint32_t cells = m->slot_count * m->family_count;
	m->slots = bspi_take_records(reader, m->texture_file, &slot_layout, h->skins_at, cells, MOST_SLOTS * MOST_FAMILIES);
	bspi_model_material *materials = bspi_push(ctx, &ctx->scratch, bspi_model_material, m->texture_count);
	uint32_t *skins = bspi_push(ctx, &ctx->scratch, uint32_t, cells);
	BSPI_TRY(m->slots && materials && skins);
	for (uint32_t i = 0; i < m->texture_count; i++) {
		BSPI_TRY(read_material(reader, m, &m->textures[i], &materials[i]));
	}
	for (uint32_t i = 0; i < cells; i++) skins[i] = (uint32_t)m->slots[i].texture;
	reader->model.materials = materials;
	reader->model.material_count = m->texture_count;
	reader->model.skins = skins;
	reader->model.skin_count = m->family_count;
	reader->model.slot_count = m->slot_count;
	return true;
}

/* ---- Triangles ---- */

static bool add_corner(bspi_model_reader *reader, const bspi_goldsrc *m, const uint8_t *corner,
                       const bspi_goldsrc_texture *texture)
{
	uint32_t vertex = bspi_load_u16(corner), normal = bspi_load_u16(corner + 2),
			 bones = (uint32_t)m->header->bone_count;
	if (vertex >= m->vertex_count || normal >= m->normal_count) {
		return bspi_refuse_model(reader,
		                         "a triangle names vertex %u and normal %u, but there are %u vertices and %u normals",
		                         vertex, normal, m->vertex_count, m->normal_count);
	}
	uint32_t bone = m->vertex_bones[vertex].bone, turning = m->normal_bones[normal].bone;
	if (bone >= bones || turning >= bones) {
		return bspi_refuse_model(reader, "a vertex names bone %u and its normal bone %u, but there are %u bones", bone,
		                         turning, bones);
	}
	bspi_model_vertex out = {
		.uv = { (float)bspi_load_i16(corner + 4) / (float)(texture ? texture->width : 1),
		        (float)bspi_load_i16(corner + 6) / (float)(texture ? texture->height : 1) },
	};
	bspi_transform_point(out.position, m->bones[bone], m->vertices[vertex].position);
	bspi_turn_normal(out.normal, m->bones[turning], m->normals[normal].position);
	const bspi_binding binding = { .joints = { (uint8_t)bone }, .weights = { 1 } };
	return bspi_add_vertex(reader, &out) && bspi_bind_vertex(reader, &binding);
}

/* Reads a list of drawing commands. Each is an i16 count, then that many corners of 8 bytes. The count is negative for
 * a fan and positive for a strip. A count of 0 ends the list. */
static bool read_commands(bspi_model_reader *reader, const bspi_goldsrc *m, int64_t at,
                          const bspi_goldsrc_texture *texture)
{
	enum { CORNER = 8 };
	for (;;) {
		bspi_bytes view;
		BSPI_TRY(bspi_take_bytes(reader, reader->file, at, 2, "triangles", &view));
		int32_t count = bspi_load_i16(view.data);
		bool fan = count < 0;
		if (!count) return true;
		if (fan) count = -count;
		BSPI_TRY(bspi_take_bytes(reader, reader->file, at + 2, CORNER * (uint64_t)count, "triangles", &view));
		at += 2 + CORNER * (int64_t)count;
		uint32_t first = reader->sections[reader->section_count - 1].vertex_count;
		for (int32_t i = 0; i < count; i++) BSPI_TRY(add_corner(reader, m, view.data + CORNER * (size_t)i, texture));
		for (uint32_t i = 0; i + 2 < (uint32_t)count; i++) {
			uint32_t a = fan ? 0 : i, b = i + 1 + (!fan && i % 2), c = i + 2 - (!fan && i % 2);
			BSPI_TRY(bspi_add_triangle(reader, first + a, first + b, first + c));
		}
	}
}

static bool read_points(bspi_model_reader *reader, bspi_goldsrc *m, const bspi_goldsrc_model *model)
{
	bspi_bytes file = reader->file;
	m->vertex_bones = bspi_take_records(reader, file, &bone_number_layout, model->vertex_bones_at, model->vertex_count,
	                                    MOST_VERTICES);
	BSPI_TRY(m->vertex_bones);
	m->normal_bones = bspi_take_records(reader, file, &bone_number_layout, model->normal_bones_at, model->normal_count,
	                                    MOST_VERTICES);
	BSPI_TRY(m->normal_bones);
	m->vertices =
		bspi_take_records(reader, file, &point_layout, model->vertices_at, model->vertex_count, MOST_VERTICES);
	BSPI_TRY(m->vertices);
	m->normals = bspi_take_records(reader, file, &point_layout, model->normals_at, model->normal_count, MOST_VERTICES);
	BSPI_TRY(m->normals);
	m->vertex_count = (uint32_t)model->vertex_count;
	m->normal_count = (uint32_t)model->normal_count;
	return true;
}

static bool read_model(bspi_model_reader *reader, bspi_goldsrc *m, const bspi_goldsrc_model *model)
{
	const bspi_goldsrc_mesh *meshes =
		bspi_take_records(reader, reader->file, &mesh_layout, model->meshes_at, model->mesh_count, MOST_MESHES);
	BSPI_TRY(meshes && read_points(reader, m, model));
	for (int32_t i = 0; i < model->mesh_count; i++) {
		uint32_t slot = meshes[i].slot >= 0 && (uint32_t)meshes[i].slot < m->slot_count ? (uint32_t)meshes[i].slot : 0;
		/* Texture coordinates are in texels. The texture of the first skin gives the size: all textures of a slot have
		 * the same size. */
		uint32_t texture = slot < m->slot_count && m->family_count ? (uint32_t)m->slots[slot].texture : 0;
		BSPI_TRY(bspi_begin_section(reader, slot));
		const bspi_goldsrc_texture *scale = texture < m->texture_count ? &m->textures[texture] : NULL;
		BSPI_TRY(read_commands(reader, m, meshes[i].commands_at, scale));
	}
	return true;
}

static bool read(bspi_model_reader *reader)
{
	bspi_goldsrc m = { .header = bspi_take_records(reader, reader->file, &header_layout, 0, 1, 1) };
	BSPI_TRY(m.header && read_skins(reader, &m) && bspi_pose_goldsrc(reader, &m));
	const bspi_goldsrc_part *parts =
		bspi_take_records(reader, reader->file, &part_layout, m.header->parts_at, m.header->part_count, MOST_PARTS);
	BSPI_TRY(parts);
	for (int32_t i = 0; i < m.header->part_count; i++) {
		if (parts[i].model_count < 1) continue;
		uint32_t base = parts[i].base > 0 ? (uint32_t)parts[i].base : 1;
		uint32_t number = reader->state.body / base % (uint32_t)parts[i].model_count;
		int64_t at = parts[i].models_at + (int64_t)number * model_layout.file_size;
		const bspi_goldsrc_model *model = bspi_take_records(reader, reader->file, &model_layout, at, 1, MOST_MODELS);
		BSPI_TRY(model && read_model(reader, &m, model));
	}
	return true;
}

const bspi_model_format bspi_model_format_goldsrc_mdl = {
	"goldsrc_mdl", "GoldSrc's studio model (IDST 10, AFTB 10)", bid, read, { layouts, bspi_goldsrc_pose_layouts },
	".mdl",
};
