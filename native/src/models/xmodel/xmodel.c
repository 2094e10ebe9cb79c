/* xmodel.c - reads the first of the three files of a Call of Duty model. This file names the finest level of detail
 * and the materials of that level (docs/formats/models.md, "xmodel"). */
#include "models/xmodel/xmodel.h"

#include <string.h>

#include "base/text.h"

enum { BOUNDS_SIZE = 24, COLLISION_HEAD = 36, COLLISION_TRIANGLE = 48, MOST_MATERIALS = 256 };

static const struct xmodel_version {
	uint32_t number;
	uint32_t bounds_at;                /* byte offset of the bounds; before them are the version and (from version 20
	                                    * on) the kind of model */
	int levels;
	bool falls;                        /* after the bounds, the file names the model's physics preset */
	const char *textures;              /* folder of the textures that the file names; "": it names materials instead */
} versions[] = {
	{ BSPI_XMODEL_14, 2, 3, false, "skins/" },
	{ BSPI_XMODEL_20, 3, 4, false, "" },
	{ BSPI_XMODEL_25, 3, 4, true, "" },
};
typedef struct xmodel_version xmodel_version;

static const xmodel_version *find_version(bspi_bytes file)
{
	uint32_t number = file.size < 2 ? 0 : bspi_load_u16(file.data);
	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
		if (versions[i].number == number) return &versions[i];
	}
	return NULL;
}

/* Reads a string. Returns NULL if it does not end inside the file or does not fit into a path. */
static const char *take_name(bspi_cursor *at)
{
	size_t rest = at->bytes.size - at->at;
	const char *text = (const char *)at->bytes.data + at->at;
	const char *end = at->failed ? NULL : memchr(text, 0, rest < BSPI_PATH_SIZE / 2 ? rest : BSPI_PATH_SIZE / 2);
	if (!end) {
		at->failed = true;
		return NULL;
	}
	at->at += (size_t)(end - text) + 1;
	return text;
}

/* Skips the collision data. Each piece takes at least COLLISION_HEAD bytes, so the size of the file limits how often
 * the loop runs. */
static void skip_collision(bspi_cursor *at)
{
	uint32_t count = bspi_take_u32(at);
	for (uint32_t i = 0; i < count && !at->failed; i++) {
		uint64_t size = (uint64_t)bspi_take_u32(at) * COLLISION_TRIANGLE + COLLISION_HEAD;
		bspi_take(at, size > at->bytes.size ? at->bytes.size + 1 : (size_t)size);
	}
}

/* Reads the file up to its levels of detail. Returns false if it is not an xmodel. The format has no magic, so every
 * value that can be checked is checked. */
static bool read_levels(bspi_bytes file, bspi_cursor *at, const char **finest)
{
	const xmodel_version *version = find_version(file);
	*finest = NULL;
	if (!version || file.size < version->bounds_at + BOUNDS_SIZE) return false;
	for (int i = 0; i < 3; i++) {
		const uint8_t *bound = file.data + version->bounds_at + 4 * i;
		/* the comparison is false for NaN too */
		if (!(bspi_load_f32(bound) <= bspi_load_f32(bound + 12))) return false;
	}
	*at = bspi_cursor_at(file, version->bounds_at + BOUNDS_SIZE);
	if (version->falls) take_name(at);
	for (int i = 0; i < version->levels; i++) {
		bspi_take_f32(at);
		const char *name = take_name(at);
		if (name && *name && !*finest) *finest = name;
	}
	for (const char *c = *finest; c && *c; c++) {
		if ((unsigned char)*c < ' ') return false;
	}
	return !at->failed && *finest;
}

/* True if the file is an xmodel. `file` may be only the beginning of a large file, so nothing after the levels of
 * detail is checked. */
static bool bid(bspi_bytes file)
{
	bspi_cursor at;
	const char *finest;
	return read_levels(file, &at, &finest);
}

uint32_t bspi_xmodel_version(bspi_bytes file)
{
	return bid(file) ? find_version(file)->number : 0;
}

static bool read_materials(bspi_model_reader *reader, bspi_cursor at, const char *folder, uint32_t *count)
{
	bspi_ctx *ctx = reader->ctx;
	*count = bspi_take_u16(&at);
	if (!*count || *count > MOST_MATERIALS) {
		return bspi_refuse_model(reader, "it claims %u materials, and 1 to %u are supported", *count, MOST_MATERIALS);
	}
	bspi_model_material *materials = bspi_push(ctx, &ctx->scratch, bspi_model_material, *count);
	BSPI_TRY(materials);
	for (uint32_t i = 0; i < *count; i++) {
		const char *name = take_name(&at);
		if (!name) return bspi_refuse_model(reader, "the file ends inside its materials");
		materials[i] = (bspi_model_material){
			.name = bspi_text_format(ctx, &ctx->result, "%s%s", folder, name),
			.pixels = BSPI_NO_BYTES, .palette = BSPI_NO_BYTES,
		};
		BSPI_TRY(materials[i].name);
	}
	return bspi_set_materials(reader, materials, *count);
}

static bool open_level(bspi_model_reader *reader, const char *folder, const char *level, bspi_bytes *out)
{
	bool found;
	const char *path = bspi_text_format(reader->ctx, &reader->ctx->scratch, "%s/%s", folder, level);
	BSPI_TRY(path && bspi_open_part(reader, path, out, &found));
	return found || bspi_refuse_model(reader, "its part %.100s was not found", path);
}

static bool read(bspi_model_reader *reader)
{
	bspi_cursor at;
	const char *level;
	uint32_t materials;
	bspi_bytes parts, surfs;
	bspi_xmodel_bones bones = { NULL, 0 };
	const xmodel_version *version = find_version(reader->file);
	if (!version || !read_levels(reader->file, &at, &level)) {
		return bspi_refuse_model(reader, "its levels of detail contradict each other");
	}
	bspi_take_u32(&at); /* the level of detail that bullets hit */
	skip_collision(&at);
	BSPI_TRY(read_materials(reader, at, version->textures, &materials));
	if (version->number != BSPI_XMODEL_25) {
		BSPI_TRY(open_level(reader, "xmodelparts", level, &parts) &&
		         bspi_read_xmodel_parts(reader, parts, version->number, &bones));
	}
	return open_level(reader, "xmodelsurfs", level, &surfs) &&
	       bspi_read_xmodel_surfs(reader, surfs, version->number, &bones, materials);
}

/* No extension is listed, because these files have none. */
const bspi_model_format bspi_model_format_xmodel = {
	"xmodel", "xmodel 14, 20, 25 (Call of Duty, 2, 4)", bid, read,
	{ bspi_xmodel_part_layouts, bspi_xmodel_surf_layouts }, "",
};
