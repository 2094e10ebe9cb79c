/* studio_materials.c - reads the textures, texture folders and skins of Source's and Bloodlines' models. From
 * textures and folders it makes names of materials, in the form that the map's material rules expect. */
#include "models/source/source_mdl.h"

#include <stdio.h>

#include "base/text.h"
#include "io/io.h"

enum { MOST_TEXTURES = 256, MOST_FOLDERS = 64, MOST_SLOTS = 256, MOST_FAMILIES = 1024 };

typedef struct studio_folder {
	int32_t name_at;
} studio_folder;

typedef struct studio_slot {
	int32_t texture;
} studio_slot;

static const bspi_field folder_rows[] = { FIELD(studio_folder, name_at, 0, I32) };
static const bspi_field slot_rows[] = { FIELD(studio_slot, texture, 0, I16) };
static const bspi_layout folder_layout = LAYOUT("cdtextures", studio_folder, folder_rows, 4);
static const bspi_layout slot_layout = LAYOUT("skins", studio_slot, slot_rows, 2);
const bspi_layout *const bspi_studio_material_layouts[] = { &folder_layout, &slot_layout, NULL };

/* True if a file with the material's name exists. */
static bool is_there(bspi_ctx *ctx, const char *name, const char *ending)
{
	bspi_sibling file;
	char path[BSPI_PATH_SIZE * 2];
	snprintf(path, sizeof path, "materials/%s%s", name, ending);
	return strlen(path) < BSPI_PATH_SIZE && bspi_find_sibling(ctx, path, BSPSCENE_FILE_TEXTURE, &file);
}

/* Finds the first of the model's folders that has a material with this name. Sets *out to the path without materials/,
 * as the map's rules expect it. If no folder has it, uses the first folder. */
static bool find_material(bspi_model_reader *reader, const studio_folder *folders, uint32_t folder_count,
                          const char *name, const char **out)
{
	bspi_ctx *ctx = reader->ctx;
	char path[BSPI_PATH_SIZE * 2], safe[BSPI_PATH_SIZE];
	*out = NULL;
	for (uint32_t i = 0; i < (folder_count ? folder_count : 1); i++) {
		const char *folder = folder_count ? bspi_take_text(reader, reader->file, folders[i].name_at) : "";
		BSPI_TRY(folder);
		size_t length = strlen(folder);
		bool closed = !length || folder[length - 1] == '/' || folder[length - 1] == '\\';
		snprintf(path, sizeof path, "%s%s%s", folder, closed ? "" : "/", name);
		if (!bspi_text_path(path, true, safe, sizeof safe)) continue;
		if (!*out) *out = bspi_text_format(ctx, &ctx->scratch, "%s", safe);
		BSPI_TRY(*out);
		if (ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
		if (!is_there(ctx, safe, ".vmt") && !is_there(ctx, safe, ".tth")) {
			BSPI_TRY(!ctx->error.status);
			continue;
		}
		*out = bspi_text_format(ctx, &ctx->scratch, "%s", safe);
		return *out != NULL;
	}
	if (!*out) *out = "";
	return true;
}

static bool read_materials(bspi_model_reader *reader, const bspi_source_header *h, const bspi_layout *texture_layout)
{
	bspi_ctx *ctx = reader->ctx;
	const bspi_studio_texture *textures =
		bspi_take_records(reader, reader->file, texture_layout, h->textures_at, h->texture_count, MOST_TEXTURES);
	BSPI_TRY(textures);
	const studio_folder *folders =
		bspi_take_records(reader, reader->file, &folder_layout, h->folders_at, h->folder_count, MOST_FOLDERS);
	bspi_model_material *materials = bspi_push(ctx, &ctx->scratch, bspi_model_material, (size_t)h->texture_count);
	BSPI_TRY(folders && materials);
	for (int32_t i = 0; i < h->texture_count; i++) {
		int64_t record = h->textures_at + (int64_t)i * texture_layout->file_size;
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
		return bspi_refuse_model(reader, "its header claims %d skins of %d textures, which is not possible",
		                         h->family_count, h->slot_count);
	}
	uint32_t cells = (uint32_t)h->slot_count * (uint32_t)h->family_count;
	const studio_slot *slots =
		bspi_take_records(reader, reader->file, &slot_layout, h->skins_at, cells, MOST_SLOTS * MOST_FAMILIES);
	uint32_t *skins = bspi_push(reader->ctx, &reader->ctx->scratch, uint32_t, cells);
	BSPI_TRY(slots && skins);
	for (uint32_t i = 0; i < cells; i++) skins[i] = (uint32_t)slots[i].texture;
	reader->model.skins = skins;
	reader->model.skin_count = (uint32_t)h->family_count;
	reader->model.slot_count = (uint32_t)h->slot_count;
	return true;
}

bool bspi_read_studio_materials(bspi_model_reader *reader, const bspi_source_header *header,
                                const bspi_layout *texture_layout)
{
	return read_materials(reader, header, texture_layout) && read_skins(reader, header);
}
