/* script_index.c - see script_index.h.
 *
 * Several scripts may define the same name. ioquake3 joins all scripts in reverse order of its list and takes the first
 * definition (tr_shader.c ScanAndLoadShaderFiles, FindShaderInShaderText). list_files must list files in the order in
 * which they are joined. ioquake3 ignores a whole script if a brace is missing in it; here only the ambiguous part is
 * ignored. */
#include "materials/shader/script_index.h"

#include <stdlib.h>

#include "io/io.h"
#include "materials/materials.h"

typedef struct listing {
	bspi_ctx *ctx;
	bspi_script_index *index;
	bool failed, full;
} listing;

static bool reserve_file(bspi_ctx *ctx, bspi_script_index *index)
{
	return bspi_reserve(ctx, (void **)&index->files, index->file_count, &index->file_capacity, sizeof *index->files);
}

static void add_file(void *user, const char *path)
{
	listing *list = user;
	bspi_script_index *index = list->index;
	if (list->failed) return;
	list->full = index->file_count == BSPI_MAX_SCRIPTS;
	if (list->full) return;
	const char *kept = bspi_text_format(list->ctx, &list->ctx->scratch, "%s", path);
	list->failed = !kept || !reserve_file(list->ctx, index);
	if (!list->failed) index->files[index->file_count++] = (bspi_script_file){ kept, BSPI_NO_BYTES };
}

static char fold(char c) { return c == '\\' ? '/' : bspi_lower(c); }

static char *folded_copy(bspi_ctx *ctx, const char *name)
{
	char *out = bspi_text_format(ctx, &ctx->scratch, "%s", name);
	for (char *p = out; p && *p; p++) *p = fold(*p);
	return out;
}

/* Counts a warning. *broken counts the warnings of one file. */
static bool warn_at(bspi_ctx *ctx, const bspi_script_file *file, uint32_t line, const char *what, const char *word,
                    uint32_t *broken)
{
	++*broken;
	return bspi_warn(ctx, BSPSCENE_WARNING_SHADER_BAD, BSPI_LUMP("scripts"), "%s:%u: %s '%.64s'", file->path,
	                 (unsigned)line, what, word);
}

/* True at the beginning of a definition: a path alone on its line, followed by a brace. No keyword contains a slash. So
 * if a definition begins inside another one, the closing brace of the outer one is missing. */
static bool begins_definition(bspi_script *script)
{
	return script->first_in_line && !script->quoted && strchr(script->word, '/') && bspi_script_opens_block(script);
}

/* Moves after the closing brace. If the brace is missing, moves to the next definition or the end of the text, and
 * returns false. */
static bool find_end(bspi_script *script)
{
	for (size_t depth = 1; depth; ) {
		if (!bspi_script_next(script)) return false;
		if (bspi_script_is_brace(script, '{')) depth++;
		if (bspi_script_is_brace(script, '}')) depth--;
		if (begins_definition(script)) {
			script->at = script->word_at;
			script->line = script->word_line;
			return false;
		}
	}
	return true;
}

static bool add_definition(bspi_ctx *ctx, bspi_script_index *index, uint32_t file, bspi_script *script,
                           uint32_t *broken)
{
	bspi_definition definition = {
		.name = folded_copy(ctx, script->word),
		.file = file,
		.line = script->word_line,
		.number = index->definition_count,
		.begin = script->word_at,
	};
	BSPI_TRY(definition.name);
	bspi_script_next(script);
	definition.body = script->at;
	definition.body_line = script->line;
	bool closed = find_end(script);
	definition.end = script->at;
	if (!closed) {
		BSPI_TRY(warn_at(ctx, &index->files[file], definition.line, "no closing brace ends shader", definition.name,
		                 broken));
	}
	BSPI_TRY(bspi_reserve(ctx, (void **)&index->definitions, index->definition_count, &index->definition_capacity,
	                      sizeof definition));
	index->definitions[index->definition_count++] = definition;
	return true;
}

static bool scan(bspi_ctx *ctx, bspi_script_index *index, uint32_t number)
{
	const bspi_script_file *file = &index->files[number];
	bspi_script script = bspi_script_open(file->text);
	uint32_t broken = 0;
	if (script.text.size < file->text.size) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_SHADER_BAD, BSPI_LUMP("scripts"),
		                   "%s is text only up to byte %zu: the rest is left out", file->path, script.text.size));
	}
	while (broken < BSPI_MAX_BROKEN_PLACES && bspi_script_next(&script)) {
		if (bspi_script_is_brace(&script, '{') || bspi_script_is_brace(&script, '}')) {
			bool opens = script.word[0] == '{';
			BSPI_TRY(warn_at(ctx, file, script.word_line, "there is no shader name before", script.word, &broken));
			if (opens) find_end(&script);
			continue;
		}
		if (index->definition_count == BSPI_MAX_DEFINITIONS) {
			return bspi_warn(ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("scripts"),
			                 "the game has more than %u shaders: the others are ignored", BSPI_MAX_DEFINITIONS);
		}
		if (bspi_script_opens_block(&script)) BSPI_TRY(add_definition(ctx, index, number, &script, &broken));
		else BSPI_TRY(warn_at(ctx, file, script.word_line, "no opening brace follows", script.word, &broken));
	}
	return true;
}

static int compare_definitions(const void *a, const void *b)
{
	const bspi_definition *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : (x->number > y->number) - (x->number < y->number);
}

void bspi_sort_definitions(bspi_script_index *index)
{
	if (!index->definition_count) return;
	qsort(index->definitions, index->definition_count, sizeof *index->definitions, compare_definitions);
}

bool bspi_index_text(bspi_ctx *ctx, bspi_script_index *index, const char *path, bspi_bytes text)
{
	BSPI_TRY(reserve_file(ctx, index));
	index->files[index->file_count] = (bspi_script_file){ path, text };
	return scan(ctx, index, index->file_count++);
}

bool bspi_index_scripts(bspi_ctx *ctx, const char *prefix, const char *suffix, bspi_script_index *index)
{
	listing list = { ctx, index, false, false };
	if (!ctx->options.list_files) return true;
	ctx->options.list_files(ctx->options.file_user, prefix, suffix, add_file, &list);
	BSPI_TRY(!list.failed);
	if (list.full) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("scripts"),
		                   "the game has more than %u scripts: the others are ignored", BSPI_MAX_SCRIPTS));
	}
	for (uint32_t i = 0; i < index->file_count; i++) {
		bspi_sibling sibling;
		bool found = bspi_open_sibling(ctx, &ctx->scratch, index->files[i].path, BSPSCENE_FILE_SHADER, &sibling);
		BSPI_TRY(!ctx->error.status);
		if (!found) continue;
		index->files[i].text = sibling.bytes;
		BSPI_TRY(scan(ctx, index, i));
	}
	bspi_sort_definitions(index);
	return true;
}

bspi_definition *bspi_find_definition(const bspi_script_index *index, const char *name)
{
	uint32_t low = 0, high = index->definition_count;
	char folded[BSPI_WORD_SIZE];
	size_t length = 0;
	for (; length < sizeof folded - 1 && name[length]; length++) folded[length] = fold(name[length]);
	folded[length] = 0;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (strcmp(index->definitions[middle].name, folded) < 0) low = middle + 1;
		else high = middle;
	}
	if (low == index->definition_count || strcmp(index->definitions[low].name, folded)) return NULL;
	return &index->definitions[low];
}
