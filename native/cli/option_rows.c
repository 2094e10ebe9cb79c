/* option_rows.c - the table of all options, and how each reads its value. See option_rows.h. */
#include "option_rows.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

static const cli_word lighting_words[] = {
	{ "lightmap", BSPSCENE_WRITE_LIGHTMAP }, { "vertex", BSPSCENE_WRITE_VERTEX }, { "baked", BSPSCENE_WRITE_BAKED },
	{ "none", BSPSCENE_WRITE_NO_LIGHT }, { NULL, 0 },
};
static const cli_word merge_words[] = {
	{ "material", BSPSCENE_MERGE_MATERIAL }, { "model", BSPSCENE_MERGE_MODEL }, { "none", BSPSCENE_MERGE_NONE },
	{ NULL, 0 },
};
static const cli_word encoding_words[] = {
	{ "display", BSPSCENE_LIGHTMAP_DISPLAY }, { "raw", BSPSCENE_LIGHTMAP_RAW }, { "hdr", BSPSCENE_LIGHTMAP_HDR },
	{ NULL, 0 },
};
static const cli_word missing_words[] = {
	{ "plain", BSPSCENE_MISSING_PLAIN }, { "chequer", BSPSCENE_MISSING_CHEQUER }, { NULL, 0 },
};
static const cli_word models_words[] = {
	{ "all", BSPSCENE_MODELS_ALL }, { "static", BSPSCENE_MODELS_STATIC }, { "none", BSPSCENE_MODELS_NONE }, { NULL, 0 },
};
static const cli_word light_words[] = {
	{ "auto", BSPSCENE_LIGHT_AUTO }, { "ldr", BSPSCENE_LIGHT_LDR }, { "hdr", BSPSCENE_LIGHT_HDR }, { NULL, 0 },
};
static const cli_word engine_words[] = {
	{ "auto", BSPSCENE_ENGINE_AUTO }, { "original", BSPSCENE_ENGINE_ORIGINAL },
	{ "darkplaces", BSPSCENE_ENGINE_DARKPLACES }, { NULL, 0 },
};
static const cli_word unit_words[] = {
	{ "m", 1 }, { "cm", 100 }, { NULL, 0 },
};
static const cli_word mode_words[] = {
	{ "full", CLI_MODE_FULL }, { "lightmap", CLI_MODE_LIGHTMAP }, { "texture", CLI_MODE_TEXTURE }, { NULL, 0 },
};
static const cli_word step_words[] = {
	{ "info", CLI_STEP_INFO }, { "pictures", CLI_STEP_PICTURES }, { "lightmaps", CLI_STEP_LIGHTMAPS },
	{ "glb", CLI_STEP_GLB }, { "entities", CLI_STEP_ENTITIES }, { NULL, 0 },
};
static const cli_word picture_words[] = {
	{ "start", CLI_PICTURE_START }, { "tile", CLI_PICTURE_TILE }, { "sheet", CLI_PICTURE_SHEET },
	{ "overview", CLI_PICTURE_OVERVIEW }, { "roofs", CLI_PICTURE_ROOFS }, { "plan", CLI_PICTURE_PLAN },
	{ "turn", CLI_PICTURE_TURN }, { NULL, 0 },
};
static const cli_word texture_words[] = {
	{ "embedded", 0 }, { "shared", 1 }, { NULL, 0 },
};
static const cli_word include_words[] = {
	{ "sky", BSPSCENE_INCLUDE_SKY }, { "nodraw", BSPSCENE_INCLUDE_NODRAW }, { "hint", BSPSCENE_INCLUDE_HINT },
	{ "skip", BSPSCENE_INCLUDE_SKIP }, { "clip", BSPSCENE_INCLUDE_CLIP }, { "trigger", BSPSCENE_INCLUDE_TRIGGER },
	{ "caulk", BSPSCENE_INCLUDE_CAULK }, { "tool", BSPSCENE_INCLUDE_TOOL },
	{ "collision", BSPSCENE_INCLUDE_COLLISION }, { "all", BSPSCENE_INCLUDE_ALL }, { NULL, 0 },
};

/* Looks the first `length` letters of `text` up. */
static bool find_word(const cli_word *words, const char *text, size_t length, uint32_t *out)
{
	for (; words->word; words++) {
		if (strlen(words->word) == length && !strncmp(words->word, text, length)) {
			*out = words->value;
			return true;
		}
	}
	return false;
}

static void *member_of(const cli_option_row *row, cli_args *args) { return (char *)args + row->member; }

static bool set_switch(const cli_option_row *row, const char *value, cli_args *args)
{
	(void)value;
	*(bool *)member_of(row, args) = true;
	return true;
}

static bool set_text(const cli_option_row *row, const char *value, cli_args *args)
{
	*(const char **)member_of(row, args) = value;
	return true;
}

static bool read_word(const char *name, const cli_word *words, const char *value, size_t length, uint32_t *out)
{
	if (find_word(words, value, length, out)) return true;
	char *known = NULL;
	for (; words->word; words++) cli_append(&known, words->word);
	cli_usage("--%s: \"%.*s\" is none of %s", name, (int)length, value, known);
	free(known);
	return false;
}

/* Takes one part of a list. False: it has said what is wrong. */
typedef bool part_fn(const cli_option_row *row, const char *part, size_t length, cli_args *args);

static bool read_list(const cli_option_row *row, const char *value, cli_args *args, part_fn *take)
{
	for (const char *at = value;; at++) {
		size_t length = strcspn(at, ",");
		if (!take(row, at, length, args)) return false;
		at += length;
		if (!*at) return true;
	}
}

static bool add_word(const cli_option_row *row, const char *part, size_t length, cli_args *args)
{
	uint32_t bit;
	if (!read_word(row->name, row->words, part, length, &bit)) return false;
	*(uint32_t *)member_of(row, args) |= bit;
	return true;
}

static bool set_words(const cli_option_row *row, const char *value, cli_args *args)
{
	return read_list(row, value, args, add_word);
}

/* The words stand for the values of an enumeration. */
static bool set_word(const cli_option_row *row, const char *value, cli_args *args)
{
	uint32_t word;
	if (!read_word(row->name, row->words, value, strlen(value), &word)) return false;
	memcpy(member_of(row, args), &word, sizeof word);
	return true;
}

static bool read_number(const char *name, const char *value, float smallest, float largest, float *out)
{
	char *end;
	double number = strtod(value, &end);
	if (end == value || *end || !(number >= (double)smallest && number <= (double)largest)) {
		cli_usage("--%s: \"%s\" is no number from %g to %g", name, value, (double)smallest, (double)largest);
		return false;
	}
	*out = (float)number;
	return true;
}

static bool set_number(const cli_option_row *row, const char *value, cli_args *args)
{
	return read_number(row->name, value, row->least, row->most, member_of(row, args));
}

static bool read_count(const char *text, uint32_t largest, const char **end, uint32_t *out)
{
	char *stop;
	if (*text < '0' || *text > '9') return false;
	unsigned long number = strtoul(text, &stop, 10);
	if (number < 1 || number > largest) return false;
	*end = stop;
	*out = (uint32_t)number;
	return true;
}

static bool set_count(const cli_option_row *row, const char *value, cli_args *args)
{
	const char *end;
	if (read_count(value, (uint32_t)row->most, &end, member_of(row, args)) && !*end) return true;
	cli_usage("--%s: \"%s\" is no number from 1 to %u", row->name, value, (unsigned)row->most);
	return false;
}

static bool set_size(const cli_option_row *row, const char *value, cli_args *args)
{
	const char *at;
	if (read_count(value, 16384, &at, &args->width) && *at == 'x' &&
	    read_count(at + 1, 16384, &at, &args->height) && !*at) return true;
	cli_usage("--%s: \"%s\" is no size such as 640x480, with sides up to 16384", row->name, value);
	return false;
}

/* "NAME" or "NAME=WxH" */
static bool set_picture(const cli_option_row *row, const char *value, size_t length, cli_args *args)
{
	const char *end = value + length, *equals = memchr(value, '=', length);
	uint32_t kind;
	if (!read_word(row->name, row->words, value, equals ? (size_t)(equals - value) : length, &kind)) return false;
	cli_picture_size *size = &args->pictures[kind];
	uint32_t most = cli_picture_rows[kind].most_side;
	*size = cli_picture_rows[kind].size;
	if (!equals) return true;
	const char *at = equals + 1;
	if (read_count(at, most, &at, &size->width) && *at == 'x' && read_count(at + 1, most, &at, &size->height) &&
	    at == end) return true;
	cli_usage("--%s: \"%.*s\" is no size such as %.*s=640x480, with sides up to %u", row->name, (int)length, value,
	          (int)(equals - value), value, most);
	return false;
}

static bool set_pictures(const cli_option_row *row, const char *value, cli_args *args)
{
	args->has_pictures = true;
	return read_list(row, value, args, set_picture);
}

static bool set_camera(const cli_option_row *row, const char *value, cli_args *args)
{
	const char *at = value;
	for (int i = 0; i < 6; i++) {
		char *end;
		double number = strtod(at, &end);
		bool last = !*end && i >= 4;
		if (end == at || !(fabs(number) <= 1e6) || (*end != ',' && !last) || (*end && i == 5)) break;
		args->camera[i] = (float)number;
		at = end + 1;
		args->has_camera = last;
		if (last) return true;
	}
	cli_usage("--%s: \"%s\" is not X,Y,Z,PITCH,YAW", row->name, value);
	return false;
}

static bool set_light_style(const cli_option_row *row, const char *value, cli_args *args)
{
	const char *at;
	uint32_t style = 0;
	bool zero = value[0] == '0' && value[1] == '=';
	if (zero) at = value + 1;
	else if (!read_count(value, CLI_LIGHT_STYLES - 1, &at, &style)) at = "";
	if (*at == '=') return read_number(row->name, at + 1, 0, 100, &args->light_styles[style]);
	cli_usage("--%s: \"%s\" is not N=VALUE with N from 0 to %d", row->name, value, CLI_LIGHT_STYLES - 1);
	return false;
}

static bool set_lights(const cli_option_row *row, const char *value, cli_args *args)
{
	const char *end;
	args->no_lights = !strcmp(value, "none") || !strcmp(value, "0");
	if (args->no_lights) return true;
	args->light_limit = BSPSCENE_NO_INDEX;
	if (!strcmp(value, "all") || (read_count(value, UINT32_MAX - 1, &end, &args->light_limit) && !*end)) return true;
	cli_usage("--%s: \"%s\" is none of none, all or a number", row->name, value);
	return false;
}

static bool set_shard(const cli_option_row *row, const char *value, cli_args *args)
{
	const char *at;
	if (read_count(value, 1000000, &at, &args->shard) && *at == '/' &&
	    read_count(at + 1, 1000000, &at, &args->shard_count) && !*at && args->shard <= args->shard_count) return true;
	cli_usage("--%s: \"%s\" is not I/N with I from 1 to N", row->name, value);
	return false;
}

static bool set_exposure(const cli_option_row *row, const char *value, cli_args *args)
{
	args->exposure = CLI_EXPOSURE_AUTO;
	return !strcmp(value, "auto") || read_number(row->name, value, 0.01f, 100, &args->exposure);
}

static bool add_game(const cli_option_row *row, const char *value, cli_args *args)
{
	if (args->game_count == CLI_MAX_GAMES) {
		cli_usage("--%s: more than %d directories", row->name, CLI_MAX_GAMES);
		return false;
	}
	args->games[args->game_count++] = value;
	return true;
}

/* In the order of --help. */
const cli_option_row cli_option_rows[] = {
	{ CLI_OPTION_MAP, "map", "NAME",
	  "the map to take from an archive or game directory",
	  .apply = set_text, .member = offsetof(cli_args, map) },
	{ CLI_OPTION_GAME, "game", "DIR",
	  "a game directory (or archive) with textures and shaders; may be\n"
	  "repeated, later ones win, the map's own game directory wins over all",
	  .apply = add_game },
	{ CLI_OPTION_PALETTE, "palette", "FILE",
	  "colours of 8-bit textures: a .lmp or .pcx file (default: the game's, for\n"
	  "Quake's maps without it LibreQuake's)",
	  .apply = set_text, .member = offsetof(cli_args, palette) },
	{ CLI_OPTION_JSON, "json", NULL,
	  "print JSON",
	  .apply = set_switch, .member = offsetof(cli_args, json) },
	{ CLI_OPTION_LIGHTING, "lighting", "KIND",
	  "vertex: light in vertex colours, with as many vertices as that takes:\n"
	  "what every viewer shows (default of .glb and .gltf)\n"
	  "lightmap: second texture coordinates and lightmap images, for engines\n"
	  "that know MOZ_lightmap; viewers show the map unlit\n"
	  "baked: one picture of all surfaces, texture times light, in USD alone\n"
	  "(default of .usdz)\n"
	  "none: textures alone",
	  .apply = set_word, .member = offsetof(cli_args, lighting), .words = lighting_words },
	{ CLI_OPTION_LIGHT_ERROR, "light-error", "STEPS",
	  "largest difference between vertex light and the game's, 1 to 255 of\n"
	  "255 (default 14)",
	  .apply = set_number, .member = offsetof(cli_args, light_error), .least = 1, .most = 255 },
	{ CLI_OPTION_MAX_TRIANGLES, "max-triangles", "N",
	  "most triangles for vertex light (default 1000000)",
	  .apply = set_count, .member = offsetof(cli_args, triangle_limit), .most = 1e8f },
	{ CLI_OPTION_LIGHTS, "lights", "none|all|N",
	  "lamps, the N brightest (default 8; none with vertex light or in .usdz);\n"
	  "their values are in extras or user properties in any case",
	  .apply = set_lights },
	{ CLI_OPTION_MERGE, "merge", "KIND",
	  "what is one mesh in glTF. model: the world and each brush model\n"
	  "(default); material: all, which draws fastest, but doors stand still;\n"
	  "none: each area or cluster of the world, for engines that cull",
	  .apply = set_word, .member = offsetof(cli_args, merge), .words = merge_words },
	{ CLI_OPTION_COMPRESS, "compress", NULL,
	  "a fraction of the size: EXT_meshopt_compression and WebP in glTF, which\n"
	  "most viewers know (three.js wants its MeshoptDecoder), Blender does not",
	  .apply = set_switch, .member = offsetof(cli_args, compress) },
	{ CLI_OPTION_NO_ENTITIES, "no-entities", NULL,
	  "leave out keys of entities, and nodes that show nothing",
	  .apply = set_switch, .member = offsetof(cli_args, no_entities) },
	{ CLI_OPTION_EMBED, "embed", NULL,
	  "FBX: pictures inside the file instead of beside it",
	  .apply = set_switch, .member = offsetof(cli_args, embed) },
	{ CLI_OPTION_FBX_UNIT, "fbx-unit", "m|cm",
	  "FBX: lengths in metres (default) or centimetres, which Unreal's old\n"
	  "importer wants",
	  .apply = set_word, .member = offsetof(cli_args, fbx_unit), .words = unit_words },
	{ CLI_OPTION_LIGHTMAP_ENCODING, "lightmap-encoding", "KIND",
	  "display: as the engine shows them (default)\n"
	  "raw: the bytes of the file\n"
	  "hdr: linear, unclamped half floats (EXR)",
	  .apply = set_word, .member = offsetof(cli_args, lightmap_encoding), .words = encoding_words },
	{ CLI_OPTION_LIGHT, "light", "KIND",
	  "which light of a map that has it for HDR displays too: ldr, hdr, or auto\n"
	  "(default): bake: hdr for --lightmap-encoding hdr; relight: both",
	  .apply = set_word, .member = offsetof(cli_args, light), .words = light_words },
	{ CLI_OPTION_DRY_RUN, "dry-run", NULL,
	  "say what would change, write nothing",
	  .apply = set_switch, .member = offsetof(cli_args, dry_run) },
	{ CLI_OPTION_ANY_LIGHT, "any-light", NULL,
	  "the map's light may have changed since the atlas was baked",
	  .apply = set_switch, .member = offsetof(cli_args, any_light) },
	{ CLI_OPTION_NO_LIT, "no-lit", NULL,
	  "Quake: colour becomes grey in a map without any, instead of a .lit",
	  .apply = set_switch, .member = offsetof(cli_args, no_lit) },
	{ CLI_OPTION_INCLUDE, "include", "KIND,...",
	  "surfaces that are hidden otherwise: sky, nodraw, hint, skip, clip,\n"
	  "trigger, caulk, tool, collision or all",
	  .apply = set_words, .member = offsetof(cli_args, include), .words = include_words },
	{ CLI_OPTION_PATCH_ERROR, "patch-error", "UNITS",
	  "largest distance of a curve from its triangles (default 4)",
	  .apply = set_number, .member = offsetof(cli_args, patch_error), .least = 0.25f, .most = 1024 },
	{ CLI_OPTION_SCALE, "scale", "M_PER_UNIT",
	  "metres per game unit (default 0.0254)",
	  .apply = set_number, .member = offsetof(cli_args, metres_per_unit), .least = 1e-6f, .most = 1e6f },
	{ CLI_OPTION_STRICT, "strict", NULL,
	  "fail where the file would be repaired",
	  .apply = set_switch, .member = offsetof(cli_args, strict) },
	{ CLI_OPTION_ENGINE, "engine", "NAME",
	  "whose way of drawing: darkplaces (Nexuiz, Xonotic), original, or auto:\n"
	  "by the game's files (default)",
	  .apply = set_word, .member = offsetof(cli_args, engine), .words = engine_words },
	{ CLI_OPTION_LUMP_PATCHES, "lump-patches", NULL,
	  "Source: MAP_l_0.lmp, ... beside the map replace parts of it",
	  .apply = set_switch, .member = offsetof(cli_args, lump_patches) },
	{ CLI_OPTION_NO_NORMAL_MAPS, "no-normal-maps", NULL,
	  "leave them out: only new light needs them, and they are large",
	  .apply = set_switch, .member = offsetof(cli_args, no_normal_maps) },
	{ CLI_OPTION_MODELS, "models", "KIND",
	  "props and other models in the map: all (default), none, or static: not\n"
	  "what the game moves or makes, as items and monsters",
	  .apply = set_word, .member = offsetof(cli_args, models), .words = models_words },
	{ CLI_OPTION_MISSING, "missing", "KIND",
	  "what stands in for missing textures. plain: their mean colour or grey\n"
	  "(default); chequer: squares that nobody overlooks",
	  .apply = set_word, .member = offsetof(cli_args, missing), .words = missing_words },
	{ CLI_OPTION_PICTURE, "picture", "OUT.png",
	  "a picture too: both maps from the same places, and what differs in colour;\n"
	  "--size is that of each view (default 480x360)",
	  .apply = set_text, .member = offsetof(cli_args, picture) },
	{ CLI_OPTION_SIZE, "size", "WxH",
	  "pixels of the picture (default 640x480)",
	  .apply = set_size },
	{ CLI_OPTION_FOV, "fov", "DEG",
	  "horizontal field of view (default: the camera's own)",
	  .apply = set_number, .member = offsetof(cli_args, fov_degrees), .least = 1, .most = 170 },
	{ CLI_OPTION_CAMERA, "camera", "X,Y,Z,PITCH,YAW",
	  "the eye in game units; pitch down and yaw left in degrees; a sixth\n"
	  "number rolls to the right",
	  .apply = set_camera },
	{ CLI_OPTION_ENTITY, "entity", "CLASS[:N]",
	  "look from this entity, the N-th of its class counted from 0",
	  .apply = set_text, .member = offsetof(cli_args, entity) },
	{ CLI_OPTION_EVERY, "every", "CLASS",
	  "one sheet with the views from all entities of a class; --size is that\n"
	  "of each view",
	  .apply = set_text, .member = offsetof(cli_args, every) },
	{ CLI_OPTION_OVERVIEW, "overview", NULL,
	  "the map from above, without roofs and haze",
	  .apply = set_switch, .member = offsetof(cli_args, overview) },
	{ CLI_OPTION_PLAN, "plan", NULL,
	  "straight from above, +Y up, with a bar of so many metres",
	  .apply = set_switch, .member = offsetof(cli_args, plan) },
	{ CLI_OPTION_TURN, "turn", NULL,
	  "an animated OUT.webp: the map from above as on a turntable, 12 pictures a\n"
	  "second, again and again; --size is theirs (default 480x360)",
	  .apply = set_switch, .member = offsetof(cli_args, turn) },
	{ CLI_OPTION_FRAMES, "frames", "N",
	  "pictures of a --turn, 1 to 720 (default 72)",
	  .apply = set_count, .member = offsetof(cli_args, frames), .most = 720 },
	{ CLI_OPTION_ROOFS, "roofs", NULL,
	  "what is seen from behind too: from above, roofs over the rooms",
	  .apply = set_switch, .member = offsetof(cli_args, roofs) },
	{ CLI_OPTION_MODE, "mode", "KIND",
	  "full (default), lightmap or texture",
	  .apply = set_word, .member = offsetof(cli_args, mode), .words = mode_words },
	{ CLI_OPTION_INTENSITY, "intensity", "X",
	  "factor of the lightmaps (default: the map's own)",
	  .apply = set_number, .member = offsetof(cli_args, intensity), .least = 0.01f, .most = 100 },
	{ CLI_OPTION_EXPOSURE, "exposure", "auto|X",
	  "make the picture brighter by this factor, 1: as in the game; auto: as a\n"
	  "dark picture needs it (default from above without --intensity; else 1)",
	  .apply = set_exposure },
	{ CLI_OPTION_LIGHT_STYLE, "lightstyle", "N=VALUE",
	  "brightness of a light style, 1 as in the map, 0 off; may be repeated\n"
	  "(default: as when the map starts)",
	  .apply = set_light_style },
	{ CLI_OPTION_EVERY_STYLE, "every-style", NULL,
	  "pages of each light style by themselves, not added up",
	  .apply = set_switch, .member = offsetof(cli_args, every_style) },
	{ CLI_OPTION_WORLD_ONLY, "world-only", NULL,
	  "leave entities out, their brushes and their models",
	  .apply = set_switch, .member = offsetof(cli_args, world_only) },
	{ CLI_OPTION_PVS, "pvs", NULL,
	  "leave out what the map's visibility says cannot be seen from there, as\n"
	  "the game does",
	  .apply = set_switch, .member = offsetof(cli_args, pvs) },
	{ CLI_OPTION_TIME, "time", "SECONDS",
	  "moment of animations and waves (default 0)",
	  .apply = set_number, .member = offsetof(cli_args, time), .least = 0, .most = 1e6f },
	{ CLI_OPTION_SAMPLES, "samples", "N",
	  "rays per pixel, 1 to 64 (default 4)",
	  .apply = set_count, .member = offsetof(cli_args, samples), .most = 64 },
	{ CLI_OPTION_RECURSIVE, "recursive", NULL,
	  "folders in folders too",
	  .apply = set_switch, .member = offsetof(cli_args, recursive) },
	{ CLI_OPTION_CATALOG, "catalog", "FILE",
	  "lines of bspscene catalog (default: standard input)",
	  .apply = set_text, .member = offsetof(cli_args, catalog) },
	{ CLI_OPTION_STEPS, "steps", "STEP,...",
	  "what is made: info, pictures, lightmaps, glb, entities (default: all)",
	  .apply = set_words, .member = offsetof(cli_args, steps), .words = step_words },
	{ CLI_OPTION_PICTURES, "pictures", "NAME[=WxH],...",
	  "the pictures and their sizes: start, tile, sheet (=WxH of each view),\n"
	  "overview, roofs, plan, and turn, an animation (default: all but turn)",
	  .apply = set_pictures, .words = picture_words },
	{ CLI_OPTION_TEXTURES, "textures", "WHERE",
	  "pictures of GLBs: embedded, or shared: once for all maps in STORE/textures\n"
	  "(default: embedded)",
	  .apply = set_word, .member = offsetof(cli_args, shared_textures), .words = texture_words },
	{ CLI_OPTION_JOBS, "jobs", "N",
	  "processes that work at once (default 1)",
	  .apply = set_count, .member = offsetof(cli_args, jobs), .most = 1024 },
	{ CLI_OPTION_SHARD, "shard", "I/N",
	  "the I-th of N parts of the catalog, for as many machines",
	  .apply = set_shard },
	{ CLI_OPTION_TIMEOUT, "timeout", "SECONDS",
	  "time for each map, or file of catalog (default 600; of catalog 3600)",
	  .apply = set_count, .member = offsetof(cli_args, timeout), .most = 1e6f },
	{ CLI_OPTION_RETRY, "retry", NULL,
	  "what was quarantined again",
	  .apply = set_switch, .member = offsetof(cli_args, retry) },
	{ CLI_OPTION_MEMORY_LIMIT, "memory-limit", "MIB",
	  "memory that the map may need (default: 192 and 56 for each MiB of the\n"
	  "files read, more than honest maps do)",
	  .apply = set_count, .member = offsetof(cli_args, memory_limit), .most = 1 << 23 },
	{ CLI_OPTION_OUTPUT_LIMIT, "output-limit", "MIB",
	  "size that the files written may have (default: as the memory)",
	  .apply = set_count, .member = offsetof(cli_args, output_limit), .most = 1 << 23 },
	{ CLI_OPTION_QUIET, "quiet", NULL,
	  "no warnings, no progress",
	  .apply = set_switch, .member = offsetof(cli_args, quiet) },
	{ CLI_OPTION_THREADS, "threads", "N",
	  "threads to use (default: one for each processor)",
	  .apply = set_count, .member = offsetof(cli_args, threads), .most = 1024 },
	{ CLI_OPTION_VERSION, "version", NULL,
	  "print the version", .apply = NULL },
	{ CLI_OPTION_HELP, "help", NULL,
	  "print this help", .apply = NULL },
};
const size_t cli_option_count = sizeof cli_option_rows / sizeof *cli_option_rows;

_Static_assert(sizeof cli_option_rows / sizeof *cli_option_rows <= CLI_MOST_OPTIONS, "more options than bits");
