/* shader_keywords.c - functions for parsing surfaces, stages and deformations: lines that begin with a keyword, copied
 * words, and waves. */
#include "materials/shader/shader.h"

const char *bspi_keep_word(bspi_shader_parser *p)
{
	const char *kept = bspi_text_format(p->ctx, &p->ctx->scratch, "%s", p->script->word);
	p->failed |= !kept;
	return kept;
}

bspscene_wave bspi_read_wave(bspi_shader_parser *p)
{
	static const struct { const char *name; bspscene_wave_func func; } funcs[] = {
		{ "sin", BSPSCENE_WAVE_SIN }, { "square", BSPSCENE_WAVE_SQUARE }, { "triangle", BSPSCENE_WAVE_TRIANGLE },
		{ "sawtooth", BSPSCENE_WAVE_SAWTOOTH }, { "inversesawtooth", BSPSCENE_WAVE_INVERSE_SAWTOOTH },
		{ "noise", BSPSCENE_WAVE_NOISE }, { "random", BSPSCENE_WAVE_NOISE },
	};
	bspscene_wave wave = { .func = BSPSCENE_WAVE_SIN };
	if (bspi_script_argument(p->script)) {
		for (size_t i = 0; i < sizeof funcs / sizeof *funcs; i++) {
			if (bspi_script_is(p->script, funcs[i].name)) wave.func = funcs[i].func;
		}
	}
	wave.base = bspi_script_number(p->script);
	wave.amplitude = bspi_script_number(p->script);
	wave.phase = bspi_script_number(p->script);
	wave.frequency = bspi_script_number(p->script);
	return wave;
}

static bool keyword_matches(const char *pattern, const char *word)
{
	size_t length = strlen(pattern);
	if (!length || pattern[length - 1] != '*') return bspi_text_equal(pattern, word);
	for (size_t i = 0; i < length - 1; i++) {
		if (bspi_lower(word[i]) != pattern[i]) return false;
	}
	return true;
}

void bspi_note_unknown(bspi_shader_parser *p)
{
	bspi_shader *shader = p->shader;
	if (!shader->unknown_count++) {
		memcpy(shader->unknown, p->script->word, sizeof shader->unknown - 1);
		shader->unknown_line = p->script->word_line;
	}
}

void bspi_read_keyword(bspi_shader_parser *p, const bspi_shader_keyword *keywords)
{
	while (keywords->name && !keyword_matches(keywords->name, p->script->word)) keywords++;
	if (keywords->read) {
		keywords->read(p);
		return;
	}
	if (!keywords->name) bspi_note_unknown(p);
	bspi_script_skip_line(p->script);
}
