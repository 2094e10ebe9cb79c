/* script.h - a tokenizer for material scripts (Quake III shaders, VMT) with untrusted content. */
#ifndef BSPI_SCRIPT_H
#define BSPI_SCRIPT_H

#include "base/text.h"

#define BSPI_WORD_SIZE 1024            /* longer words are truncated, like in the engines (MAX_TOKEN_CHARS) */

/* A tokenizer. `at` and `line` together are its position, which callers may save and restore. */
typedef struct bspi_script {
	bspi_bytes text;                   /* the text up to its first NUL, see bspi_script_open */
	size_t at;
	uint32_t line;                     /* number of the line that `at` is in, from 1 */
	char word[BSPI_WORD_SIZE];         /* the last word, NUL-terminated; "" after the end */
	size_t word_at;                    /* offset of `word` in `text` */
	uint32_t word_line;
	bool quoted;                       /* the last word was in quotes, so it is never a brace */
	bool first_in_line;
} bspi_script;

bspi_script bspi_script_open(bspi_bytes text);
/* Reads the next word on any line. A brace is a word, unless it begins a name ("{fence"). */
bool bspi_script_next(bspi_script *script);
/* Reads the next word of this line. If the line or the block ends before it, returns false and does not move. */
bool bspi_script_argument(bspi_script *script);
/* Reads a number like C's atof: a word that is no number gives 0, and so does the end of the line. */
float bspi_script_number(bspi_script *script);
/* Reads up to `count` numbers of this line, with or without parentheses. Missing ones are set to 0. False if any is
 * missing. */
bool bspi_script_vector(bspi_script *script, float *out, uint32_t count);
/* True if the next word is an opening brace. Does not move. */
bool bspi_script_opens_block(bspi_script *script);
void bspi_script_skip_line(bspi_script *script);
/* Returns the rest of the line, including comments. */
bspi_bytes bspi_script_rest_of_line(const bspi_script *script);

static inline bool bspi_script_is(const bspi_script *script, const char *word)
{
	return bspi_text_equal(script->word, word);
}
static inline bool bspi_script_is_brace(const bspi_script *script, char brace)
{
	return script->word[0] == brace && !script->word[1] && !script->quoted;
}

#endif
