/* tiki.c - reads TIKI scripts. A script names meshes with bones, an animation that poses the bones, and shaders for the
 * surfaces of the meshes. */
#include "models/tiki/tiki.h"

#include "materials/shader/script.h"

enum { MOST_OF_FIRST_WORD = 1024 };

static bool bid(bspi_bytes file)
{
	if (file.size > MOST_OF_FIRST_WORD) file.size = MOST_OF_FIRST_WORD;
	bspi_script script = bspi_script_open(file);
	return bspi_script_next(&script) && bspi_script_is(&script, "TIKI");
}

/* Adds a material for each shader of each surface. Skins for which a surface has no shader use its first one. */
static bool write_materials(bspi_model_reader *reader, const bspi_tiki_surface *const *slots, uint32_t count)
{
	static const char nothing[] = "";
	bspi_ctx *ctx = reader->ctx;
	uint32_t rows = 1, made = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (slots[i] && slots[i]->skin_count > rows) rows = slots[i]->skin_count;
	}
	bspi_model_material *materials = bspi_push(ctx, &ctx->scratch, bspi_model_material, (size_t)count * rows);
	uint32_t *skins = bspi_push(ctx, &ctx->scratch, uint32_t, (size_t)count * rows);
	BSPI_TRY(materials && skins);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t first = made, named = slots[i] ? slots[i]->skin_count : 0;
		for (uint32_t row = 0; row < rows; row++) {
			skins[row * count + i] = row < named ? made : first;
			if (row && row >= named) continue;
			const char *name = row < named ? slots[i]->shaders[row] : nothing;
			materials[made++] =
				(bspi_model_material) { .name = name, .pixels = BSPI_NO_BYTES, .palette = BSPI_NO_BYTES };
		}
	}
	reader->model.materials = materials;
	reader->model.material_count = made;
	reader->model.skins = skins;
	reader->model.skin_count = rows;
	reader->model.slot_count = count;
	return true;
}

/* Poses the skeleton. Refuses a script without animation, because all bones would be at the origin. */
static bool pose(bspi_model_reader *reader, const bspi_tiki *tiki, bspi_skeleton *skeleton)
{
	bspi_bytes file;
	bool found;
	if (!tiki->animation[0]) return bspi_refuse_model(reader, "the script names no animation");
	BSPI_TRY(bspi_open_part(reader, tiki->animation, &file, &found));
	if (!found) return bspi_refuse_model(reader, "its animation %.100s was not found", tiki->animation);
	return bspi_pose_skeleton(reader, skeleton, file);
}

static bool open_meshes(bspi_model_reader *reader, const bspi_tiki *tiki, bspi_skeleton *skeleton,
                        bspi_skeleton_mesh *meshes)
{
	for (uint32_t i = 0; i < tiki->mesh_count; i++) {
		bool found;
		meshes[i].path = tiki->meshes[i];
		BSPI_TRY(bspi_open_part(reader, meshes[i].path, &meshes[i].file, &found));
		if (!found) return bspi_refuse_model(reader, "its mesh %.100s was not found", meshes[i].path);
		BSPI_TRY(bspi_read_skeleton_bones(reader, skeleton, &meshes[i]));
	}
	return true;
}

static bool read(bspi_model_reader *reader)
{
	bspi_ctx *ctx = reader->ctx;
	bspi_tiki *tiki = bspi_push(ctx, &ctx->scratch, bspi_tiki, 1);
	bspi_skeleton skeleton = { .count = 0 };
	BSPI_TRY(tiki && bspi_read_tiki_script(reader, tiki));
	if (!tiki->mesh_count) return bspi_refuse_model(reader, "the script names no mesh");
	bspi_skeleton_mesh *meshes = bspi_push(ctx, &ctx->scratch, bspi_skeleton_mesh, tiki->mesh_count);
	BSPI_TRY(meshes && open_meshes(reader, tiki, &skeleton, meshes) && pose(reader, tiki, &skeleton));
	uint32_t surfaces = 0;
	for (uint32_t i = 0; i < tiki->mesh_count; i++) surfaces += (uint32_t)meshes[i].surface_count;
	const bspi_tiki_surface **slots = bspi_push(ctx, &ctx->scratch, const bspi_tiki_surface *, surfaces);
	BSPI_TRY(slots);
	for (uint32_t i = 0; i < tiki->mesh_count; i++) {
		BSPI_TRY(bspi_write_skeleton_mesh(reader, tiki, &skeleton, &meshes[i], slots));
	}
	return write_materials(reader, slots, reader->section_count);
}

const bspi_model_format bspi_model_format_tiki = {
	"tiki", "TIKI script with SKB or SKD meshes (FAKK2, Medal of Honor)", bid,
	read,   { bspi_skeleton_mesh_layouts, bspi_skeleton_pose_layouts },   ".tik",
};
