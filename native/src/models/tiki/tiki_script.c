/* tiki_script.c - parses TIKI scripts. The block "setup" says how the model looks, and "animations" says how it moves.
 * Other blocks are for the game and are skipped. So are the blocks inside of these two ("case", commands of frames).
 * Follows openmohaa's tiki_parse.cpp. */
#include "models/tiki/tiki.h"

#include <stdio.h>

#include "materials/shader/script.h"

enum { MOST_LEVELS = 4, MOST_INCLUDED = 32, MOST_SURFACES = 1024 };

/* How well an animation fits the request, from worst to best. */
enum { FITS_NOT, FITS_ANY, FITS_BEGINNING, FITS_IDLE, FITS_WANTED };

typedef enum section { SECTION_OTHER, SECTION_SETUP, SECTION_ANIMATIONS } section;

/* A script that is being read, and the folder to which its paths are relative. */
typedef struct level {
	bspi_script script;
	char folder[BSPI_PATH_SIZE];
} level;

typedef struct parsing {
	bspi_model_reader *reader;
	bspi_tiki *tiki;
	level *levels;
	uint32_t level_count, included, depth;
	section section;
} parsing;

/* Joins two paths. A path that is too long is truncated; its file will not be found. */
static void join(char out[BSPI_PATH_SIZE], const char *folder, const char *word)
{
	size_t start = strlen(folder), length = strlen(word);
	if (length >= BSPI_PATH_SIZE - start) length = BSPI_PATH_SIZE - 1 - start;
	memmove(out, folder, start);
	memcpy(out + start, word, length);
	out[start + length] = 0;
}

static void set_folder(level *at)
{
	if (!bspi_script_argument(&at->script)) return;
	join(at->folder, "", at->script.word);
	size_t length = strlen(at->folder);
	bool ended = !length || at->folder[length - 1] == '/' || at->folder[length - 1] == '\\';
	if (!ended) join(at->folder, at->folder, "/");
}

static void put_path(const level *at, char out[BSPI_PATH_SIZE])
{
	join(out, at->folder, at->script.word);
}

/* Finds the entry of a surface, or adds one. Several lines for the same surface add shaders to one entry. NULL if
 * memory is out or there are too many surfaces; the caller then drops the line. */
static bspi_tiki_surface *find_or_add_surface(parsing *p, const char *name)
{
	bspi_tiki *tiki = p->tiki;
	for (uint32_t i = 0; i < tiki->surface_count; i++) {
		if (bspi_text_equal(tiki->surfaces[i].name, name)) return &tiki->surfaces[i];
	}
	if (tiki->surface_count == MOST_SURFACES) return NULL;
	if (!bspi_reserve(p->reader->ctx, (void **)&tiki->surfaces, tiki->surface_count, &tiki->surface_capacity,
	                  sizeof *tiki->surfaces)) {
		return NULL;
	}
	bspi_tiki_surface *added = &tiki->surfaces[tiki->surface_count++];
	memset(added, 0, sizeof *added);
	snprintf(added->name, sizeof added->name, "%.*s", (int)sizeof added->name - 1, name);
	return added;
}

/* Adds a shader to a surface. A name with a dot is a file in the script's folder. */
static bool add_shader(parsing *p, const level *at, bspi_tiki_surface *surface)
{
	bspi_ctx *ctx = p->reader->ctx;
	const char *word = at->script.word, *folder = strchr(word, '.') ? at->folder : "";
	if (surface->skin_count == BSPI_TIKI_MOST_SKINS) return true;
	const char *name = bspi_text_format(ctx, &ctx->scratch, "%s%s", folder, word);
	surface->shaders[surface->skin_count] = name;
	surface->skin_count += name != NULL;
	return name != NULL;
}

static bool read_surface(parsing *p, level *at)
{
	bspi_script *script = &at->script;
	if (!bspi_script_argument(script)) return true;
	bspi_tiki_surface *surface = find_or_add_surface(p, script->word);
	while (surface && bspi_script_argument(script)) {
		bool shader = bspi_script_is(script, "shader"), flags = bspi_script_is(script, "flags");
		if (!(shader || flags) || !bspi_script_argument(script)) continue;
		if (shader) BSPI_TRY(add_shader(p, at, surface));
		else if (bspi_script_is(script, "nodraw")) surface->hidden = true;
	}
	return !p->reader->ctx->error.status;
}

static bool read_setup_line(parsing *p, level *at)
{
	bspi_script *script = &at->script;
	bspi_tiki *tiki = p->tiki;
	if (bspi_script_is(script, "path")) {
		set_folder(at);
	} else if (bspi_script_is(script, "scale")) {
		tiki->scale = bspi_script_number(script);
	} else if (bspi_script_is(script, "origin") || bspi_script_is(script, "orgin")) {
		bspi_script_vector(script, tiki->origin, 3);
	} else if (bspi_script_is(script, "surface")) {
		return read_surface(p, at);
	} else if (bspi_script_is(script, "skelmodel") && bspi_script_argument(script)) {
		if (tiki->mesh_count == BSPI_TIKI_MOST_MESHES) {
			return bspi_refuse_model(p->reader, "the script names more than %u meshes", BSPI_TIKI_MOST_MESHES);
		}
		put_path(at, tiki->meshes[tiki->mesh_count++]);
	}
	return true;
}

static uint32_t fitness_of(const char *alias, const char *wanted)
{
	if (wanted && bspi_text_equal(alias, wanted)) return FITS_WANTED;
	if (bspi_text_equal(alias, "idle")) return FITS_IDLE;
	return bspi_text_starts(alias, "idle") ? FITS_BEGINNING : FITS_ANY;
}

static void read_animation(parsing *p, level *at)
{
	uint32_t fitness = fitness_of(at->script.word, p->reader->state.sequence);
	if (!bspi_script_argument(&at->script) || fitness <= p->tiki->fitness) return;
	p->tiki->fitness = fitness;
	put_path(at, p->tiki->animation);
}

/* Reads an included script in place of the line that includes it. Paths in it are relative to its own folder. */
static bool include(parsing *p, level *at)
{
	bspi_bytes file;
	bool found;
	if (!bspi_script_argument(&at->script)) return true;
	if (p->level_count == MOST_LEVELS || p->included == MOST_INCLUDED) {
		return bspi_refuse_model(p->reader, "its scripts include each other too deep or too often");
	}
	p->included++;
	BSPI_TRY(bspi_open_part(p->reader, at->script.word, &file, &found));
	if (!found) return true;
	level *next = &p->levels[p->level_count++];
	next->script = bspi_script_open(file);
	memcpy(next->folder, at->folder, sizeof next->folder);
	return true;
}

static bool read_word(parsing *p, level *at)
{
	bspi_script *script = &at->script;
	if (bspi_script_is_brace(script, '{')) {
		p->depth++;
		return true;
	}
	if (bspi_script_is_brace(script, '}')) {
		p->depth -= p->depth > 0;
		return true;
	}
	if (bspi_script_is(script, "$include")) return include(p, at);
	if (!p->depth) {
		bool setup = bspi_script_is(script, "setup"), animations = bspi_script_is(script, "animations");
		p->section = setup ? SECTION_SETUP : animations ? SECTION_ANIMATIONS : SECTION_OTHER;
		return true;
	}
	if (bspi_script_is(script, "$path")) {
		set_folder(at);
	} else if (p->depth == 1 && p->section == SECTION_SETUP) {
		BSPI_TRY(read_setup_line(p, at));
	} else if (p->depth == 1 && p->section == SECTION_ANIMATIONS) {
		read_animation(p, at);
	}
	bspi_script_skip_line(script);
	return true;
}

bool bspi_read_tiki_script(bspi_model_reader *reader, bspi_tiki *out)
{
	bspi_ctx *ctx = reader->ctx;
	parsing p = { .reader = reader, .tiki = out, .level_count = 1 };
	p.levels = bspi_push(ctx, &ctx->scratch, level, MOST_LEVELS);
	BSPI_TRY(p.levels);
	out->scale = 1;
	p.levels[0].script = bspi_script_open(reader->file);
	while (p.level_count) {
		level *top = &p.levels[p.level_count - 1];
		if (!bspi_script_next(&top->script)) p.level_count--;
		else BSPI_TRY(read_word(&p, top));
	}
	return true;
}

const bspi_tiki_surface *bspi_find_tiki_surface(const bspi_tiki *tiki, const char *name)
{
	for (uint32_t i = 0; i < tiki->surface_count; i++) {
		const char *pattern = tiki->surfaces[i].name;
		if (bspi_text_equal(pattern, "all") || bspi_text_matches(name, pattern)) return &tiki->surfaces[i];
	}
	return NULL;
}
