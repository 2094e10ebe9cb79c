/* model_map.c - see model_map.h. The map has one entity, which shows the model of the file. It is then loaded like any
 * other map, so textures, skins and errors are the same as for models in maps. */
#include "models/alone/model_map.h"

#include "map/family.h"
#include "models/xmodel/xmodel.h"

enum { MAGIC_SIZE = 4 };
#define ANY_VERSION INT32_MIN

static const bspi_camera_rule no_cameras[] = { { NULL, BSPSCENE_CAMERA_OTHER, false } };
static const char *const nothing_hidden[] = { NULL };
static const bspi_light_rules lights = { .falloff = BSPSCENE_FALLOFF_LINEAR, .reach = 1 };
static const bspi_entity_rules entity_rules = { .lights = &lights, .cameras = no_cameras, .hidden = nothing_hidden };
static const bspi_entity_rules source_entities = {
	.lights = &lights,
	.cameras = no_cameras,
	.hidden = nothing_hidden,
	.sprite_materials = true,
};

/* The material rules for a model format. The format's magic and version identify the game. */
static const struct {
	char magic[MAGIC_SIZE + 1];
	int32_t version;
	bspi_material_format materials;
} games[] = {
	{ "IDPO", ANY_VERSION, BSPI_MATERIALS_QUAKE },  { "RAPO", ANY_VERSION, BSPI_MATERIALS_QUAKE },
	{ "IDP2", ANY_VERSION, BSPI_MATERIALS_QUAKE2 }, { "IDP3", ANY_VERSION, BSPI_MATERIALS_QUAKE3 },
	{ "INTE", ANY_VERSION, BSPI_MATERIALS_QUAKE3 }, { "TIKI", ANY_VERSION, BSPI_MATERIALS_QUAKE3 },
	{ "IDST", 10, BSPI_MATERIALS_GOLDSRC },         { "AFTB", ANY_VERSION, BSPI_MATERIALS_AFTERBURNER },
	{ "IDST", ANY_VERSION, BSPI_MATERIALS_SOURCE }, { "IDSP", 2, BSPI_MATERIALS_GOLDSRC },
	{ "IDSP", ANY_VERSION, BSPI_MATERIALS_QUAKE },
};

static bspi_material_format materials_of(bspi_bytes file)
{
	if (file.size < 2 * MAGIC_SIZE) return BSPI_MATERIALS_NONE;
	int32_t version = bspi_load_i32(file.data + MAGIC_SIZE);
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		bool known = games[i].version == ANY_VERSION || games[i].version == version;
		if (known && !memcmp(file.data, games[i].magic, MAGIC_SIZE)) return games[i].materials;
	}
	switch (bspi_xmodel_version(file)) {
	case BSPI_XMODEL_14: return BSPI_MATERIALS_QUAKE3;
	case BSPI_XMODEL_20: return BSPI_MATERIALS_CALLOFDUTY2;
	case BSPI_XMODEL_25: return BSPI_MATERIALS_CALLOFDUTY4;
	default: return BSPI_MATERIALS_NONE;
	}
}

/* Returns the version number, which follows the magic of 4 bytes (in IQM: 16 bytes). Text formats have none. An xmodel
 * has no magic and begins with its version. */
static int32_t version_of(bspi_bytes file)
{
	enum { LONG_MAGIC = 16 };
	if (file.size < LONG_MAGIC + 4 || !memcmp(file.data, "TIKI", MAGIC_SIZE)) return 0;
	if (bspi_xmodel_version(file)) return (int32_t)bspi_xmodel_version(file);
	return bspi_load_i32(file.data + (memcmp(file.data, "INTE", MAGIC_SIZE) ? MAGIC_SIZE : LONG_MAGIC));
}

const bspi_model_format *bspi_model_format_of(bspi_bytes head)
{
	const bspi_variant *variant;
	if (bspi_find_family(head, &variant)) return NULL;
	for (uint32_t i = 0; i < bspi_model_format_count; i++) {
		if (bspi_model_formats[i]->bid(head)) return bspi_model_formats[i];
	}
	return NULL;
}

static bool is_folder(const char *at, const char *folder)
{
	size_t size = strlen(folder);
	return bspi_text_starts(at, folder) && at[size] == '/';
}

bool bspi_model_game_path(const char *name, char out[BSPI_PATH_SIZE])
{
	static const char *const folders[] = { "models", "progs", "sprites" };
	const char *found = NULL, *file = name;
	char plain[BSPI_PATH_SIZE];
	if (strlen(name) >= sizeof plain) {
		name = bspi_last_part(name);
		if (strlen(name) >= sizeof plain) return false;
	}
	for (size_t i = 0; i <= strlen(name); i++) plain[i] = name[i] == '\\' ? '/' : name[i];
	for (const char *at = plain; *at; at++) {
		if (at > plain && at[-1] != '/') continue;
		file = at;
		for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
			if (is_folder(at, folders[i])) found = at;
		}
	}
	if (plain[0] != '/' && bspi_text_path(plain, true, out, BSPI_PATH_SIZE)) return true;
	return bspi_text_path(found ? found : file, true, out, BSPI_PATH_SIZE);
}

/* Returns the scene's name: the file name without its extension, such as "a" for "models/a.md3". */
static const char *stem_of(const char *path, size_t *size)
{
	const char *file = bspi_last_part(path), *dot = strrchr(file, '.');
	*size = dot > file ? (size_t)(dot - file) : strlen(file);
	return file;
}

/* Returns the text of a key with its value for the entity, or "" if the value is the default, 0. */
static const char *key_text(bspi_ctx *ctx, const char *key, uint32_t value)
{
	return value ? bspi_text_format(ctx, &ctx->scratch, "\"%s\" \"%u\"\n", key, value) : "";
}

/* Returns the path, with the format's extension added if it has no extension of a model. An entity's model is
 * recognized by that extension. */
static const char *with_ending(bspi_ctx *ctx, const char *path, const bspi_model_format *format)
{
	bool known = bspi_is_model_path(path);
	int size = known ? 0 : (int)strcspn(format->endings, " ");
	return bspi_text_format(ctx, &ctx->scratch, "%s%.*s", path, size, format->endings);
}

/* Returns the text of the entity, with the pose and the skin of the load options. */
static const char *entity_text(bspi_ctx *ctx, const char *path)
{
	const bspscene_load_options *options = &ctx->options;
	const char *skin = key_text(ctx, "skin", options->model_pose.skin);
	const char *body = key_text(ctx, "body", options->model_pose.body);
	const char *frame = key_text(ctx, "frame", options->model_pose.frame);
	const char *sequence =
		options->model_pose.sequence && *options->model_pose.sequence ? options->model_pose.sequence : NULL;
	const char *pose = "";
	if (sequence) pose = bspi_text_format(ctx, &ctx->scratch, "\"sequence\" \"%s\"\n", sequence);
	if (!skin || !body || !frame || !pose) return NULL;
	return bspi_text_format(ctx, &ctx->scratch, "{\n\"classname\" \"model\"\n\"model\" \"%s\"\n%s%s%s%s}\n", path, skin,
	                        body, frame, pose);
}

bool bspi_model_as_map(bspi_ctx *ctx, bspi_bytes file, const bspi_model_format *format, bspi_map *map)
{
	const char *name = ctx->options.name ? ctx->options.name : ctx->file;
	char path[BSPI_PATH_SIZE];
	BSPI_CHECK(ctx, bspi_model_game_path(name, path) && !strpbrk(path, "\"\n\r"), BSPSCENE_ERROR_BAD_OPTIONS,
	           BSPI_NOWHERE, "options: a model cannot be called \"%.60s\"", name);
	*map = (bspi_map) {
		.family = "model", .variant = format->id, .title = format->title, .file = file, .model_file = file,
		.rules = {
			.overbright = 1, .intensity = 1, .materials = materials_of(file),
			.entities = materials_of(file) == BSPI_MATERIALS_SOURCE ? &source_entities : &entity_rules,
		},
	};
	map->entities = map->lighting = map->light_grid = map->light_grid_index = map->light_grid_palette = BSPI_NO_BYTES;
	map->lighting_hdr = map->light_directions = BSPI_NO_BYTES;
	map->draw_vertex_records = BSPI_NO_BYTES;
	map->light_octree = map->pakfile = map->packed_entities = BSPI_NO_BYTES;
	map->version = version_of(file);
	map->model_path = with_ending(ctx, path, format);
	const char *text = map->model_path ? entity_text(ctx, map->model_path) : NULL;
	size_t size;
	const char *stem = stem_of(path, &size);
	ctx->name = bspi_text_copy(ctx, bspi_bytes_of(stem, size), NULL);
	map->models = bspi_push(ctx, &ctx->scratch, bspi_model, 1);
	BSPI_TRY(ctx->name && text && map->models);
	map->models_count = 1;
	map->entities = bspi_bytes_of(text, strlen(text));
	return bspi_validate(ctx, map);
}
