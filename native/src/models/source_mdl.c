/* source_mdl.c - Source's studio models (MDL 44 to 49): materials, skins and body parts; vertices and triangles are in
 * files beside it. */
#include "models/source_mdl.h"

#include <stdio.h>

#include "base/text.h"
#include "io/io.h"

enum {
	FIRST_VERSION = 44,
	LAST_VERSION = 49,
	MOST_TEXTURES = 256,
	MOST_FOLDERS = 64,
	MOST_SLOTS = 256,
	MOST_FAMILIES = 1024,
	MOST_PARTS = 64
};

typedef struct source_texture {
	int32_t name_at;                   /* from its record */
} source_texture;

typedef struct source_folder {
	int32_t name_at;
} source_folder;

typedef struct source_slot {
	int32_t texture;
} source_slot;

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
	SKIP("others", 240, 137),
	FIELD(bspi_source_header, root_lod, 377, U8),
	SKIP("rest", 378, 30),
};
static const bspi_field texture_rows[] = { FIELD(source_texture, name_at, 0, I32), SKIP("others", 4, 60) };
static const bspi_field folder_rows[] = { FIELD(source_folder, name_at, 0, I32) };
static const bspi_field slot_rows[] = { FIELD(source_slot, texture, 0, I16) };
static const bspi_field part_rows[] = {
	SKIP("name", 0, 4),
	FIELD(bspi_source_part, model_count, 4, I32),
	FIELD(bspi_source_part, base, 8, I32),
	FIELD(bspi_source_part, models_at, 12, I32),
};
static const bspi_field model_rows[] = {
	SKIP("name type radius", 0, 72),
	FIELD(bspi_source_model, mesh_count, 72, I32),
	FIELD(bspi_source_model, meshes_at, 76, I32),
	FIELD(bspi_source_model, vertex_count, 80, I32),
	FIELD(bspi_source_model, first_vertex_byte, 84, I32),
	SKIP("others", 88, 60),
};
static const bspi_field mesh_rows[] = {
	FIELD(bspi_source_mesh, slot, 0, I32),
	SKIP("model", 4, 4),
	FIELD(bspi_source_mesh, vertex_count, 8, I32),
	FIELD(bspi_source_mesh, first_vertex, 12, I32),
	SKIP("flexes", 16, 8),
	FIELD(bspi_source_mesh, kind, 24, I32),
	SKIP("others", 28, 88),
};
static const bspi_layout header_layout = LAYOUT("header", bspi_source_header, header_rows, 408);
static const bspi_layout texture_layout = LAYOUT("textures", source_texture, texture_rows, 64);
static const bspi_layout folder_layout = LAYOUT("cdtextures", source_folder, folder_rows, 4);
static const bspi_layout slot_layout = LAYOUT("skins", source_slot, slot_rows, 2);
static const bspi_layout part_layout = LAYOUT("body parts", bspi_source_part, part_rows, 16);
const bspi_layout bspi_source_model_layout = LAYOUT("models", bspi_source_model, model_rows, 148);
const bspi_layout bspi_source_mesh_layout = LAYOUT("meshes", bspi_source_mesh, mesh_rows, 116);
static const bspi_layout *const layouts[] = {
	&header_layout, &texture_layout,           &folder_layout,           &slot_layout,
	&part_layout,   &bspi_source_model_layout, &bspi_source_mesh_layout, NULL,
};

static bool bid(bspi_bytes file)
{
	if (file.size < 8 || memcmp(file.data, "IDST", 4) != 0) return false;
	int32_t version = bspi_load_i32(file.data + 4);
	return version >= FIRST_VERSION && version <= LAST_VERSION;
}

/* The first of the folders that has a material of the name, as the map's own rules will find it again; else the name in
 * the first folder. */
static bool find_material(bspi_model_reader *reader, const source_folder *folders, uint32_t folder_count,
                          const char *name, const char **out)
{
	bspi_ctx *ctx = reader->ctx;
	char path[BSPI_PATH_SIZE * 2], safe[BSPI_PATH_SIZE];
	*out = NULL;
	for (uint32_t i = 0; i < (folder_count ? folder_count : 1); i++) {
		bspi_sibling file;
		const char *folder = folder_count ? bspi_take_text(reader, reader->file, folders[i].name_at) : "";
		BSPI_TRY(folder);
		size_t length = strlen(folder);
		bool closed = !length || folder[length - 1] == '/' || folder[length - 1] == '\\';
		snprintf(path, sizeof path, "%s%s%s", folder, closed ? "" : "/", name);
		if (!bspi_text_path(path, true, safe, sizeof safe)) continue;
		if (!*out) *out = bspi_text_format(ctx, &ctx->scratch, "%s", safe);
		BSPI_TRY(*out);
		snprintf(path, sizeof path, "materials/%s.vmt", safe);
		if (ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
		if (strlen(path) >= BSPI_PATH_SIZE || !bspi_find_sibling(ctx, path, BSPSCENE_FILE_TEXTURE, &file)) {
			BSPI_TRY(!ctx->error.status);
			continue;
		}
		*out = bspi_text_format(ctx, &ctx->scratch, "%s", safe);
		return *out != NULL;
	}
	if (!*out) *out = "";
	return true;
}

static bool read_materials(bspi_model_reader *reader, const bspi_source_header *h)
{
	bspi_ctx *ctx = reader->ctx;
	const source_texture *textures =
		bspi_take_records(reader, reader->file, &texture_layout, h->textures_at, h->texture_count, MOST_TEXTURES);
	BSPI_TRY(textures);
	const source_folder *folders =
		bspi_take_records(reader, reader->file, &folder_layout, h->folders_at, h->folder_count, MOST_FOLDERS);
	bspi_model_material *materials = bspi_push(ctx, &ctx->scratch, bspi_model_material, (size_t)h->texture_count);
	BSPI_TRY(folders && materials);
	for (int32_t i = 0; i < h->texture_count; i++) {
		int64_t record = h->textures_at + (int64_t)i * texture_layout.file_size;
		const char *name = bspi_take_text(reader, reader->file, record + textures[i].name_at);
		materials[i] = (bspi_model_material) { .name = "", .pixels = BSPI_NO_BYTES, .palette = BSPI_NO_BYTES };
		BSPI_TRY(name);
		BSPI_TRY(find_material(reader, folders, (uint32_t)h->folder_count, name, &materials[i].name));
	}
	reader->model.materials = materials;
	reader->model.material_count = (uint32_t)h->texture_count;
	return true;
}

static bool read_skins(bspi_model_reader *reader, const bspi_source_header *h)
{
	if (h->slot_count < 0 || h->slot_count > MOST_SLOTS || h->family_count < 0 || h->family_count > MOST_FAMILIES) {
		return bspi_refuse_model(reader, "header: %d skins of %d textures", h->family_count, h->slot_count);
	}
	uint32_t cells = (uint32_t)h->slot_count * (uint32_t)h->family_count;
	const source_slot *slots =
		bspi_take_records(reader, reader->file, &slot_layout, h->skins_at, cells, MOST_SLOTS * MOST_FAMILIES);
	uint32_t *skins = bspi_push(reader->ctx, &reader->ctx->scratch, uint32_t, cells);
	BSPI_TRY(slots && skins);
	for (uint32_t i = 0; i < cells; i++) skins[i] = (uint32_t)slots[i].texture;
	reader->model.skins = skins;
	reader->model.skin_count = (uint32_t)h->family_count;
	reader->model.slot_count = (uint32_t)h->slot_count;
	return true;
}

static bool read(bspi_model_reader *reader)
{
	bspi_studio source = { .header = bspi_take_records(reader, reader->file, &header_layout, 0, 1, 1) };
	BSPI_TRY(source.header && read_materials(reader, source.header) && read_skins(reader, source.header));
	BSPI_TRY(bspi_read_source_vertices(reader, &source) && bspi_open_source_triangles(reader, &source));
	BSPI_TRY(bspi_pose_source(reader, &source));
	memcpy(reader->model.light_point, source.header->light_point, sizeof reader->model.light_point);
	const bspi_source_part *parts = bspi_take_records(reader, reader->file, &part_layout, source.header->parts_at,
	                                                  source.header->part_count, MOST_PARTS);
	return parts && bspi_read_source_triangles(reader, &source, parts);
}

const bspi_model_format bspi_model_format_source_mdl = {
	"source_mdl",
	"Source's studio model (IDST 44 to 49)",
	bid,
	read,
	{ layouts, bspi_source_vertex_layouts, bspi_source_triangle_layouts, bspi_source_pose_layouts },
};
