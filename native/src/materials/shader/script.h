/* script.h - words of a material script (Quake III shaders, VMT): a cursor over text that may be anything. */
#ifndef BSPI_SCRIPT_H
#define BSPI_SCRIPT_H

#include "base/text.h"

#define BSPI_WORD_SIZE 1024            /* longer words are cut, as in the engines (MAX_TOKEN_CHARS) */

/* `at` and `line` together are a place to come back to. */
typedef struct bspi_script {
	bspi_bytes text;                   /* ends at its first NUL, see bspi_script_open */
	size_t at;
	uint32_t line;                     /* of `at`, counted from 1 */
	char word[BSPI_WORD_SIZE];         /* the last word, NUL-terminated; "" after the end */
	size_t word_at;                    /* where it begins */
	uint32_t word_line;
	bool quoted;                       /* it stood in quotes: never a brace */
	bool first_in_line;
} bspi_script;

bspi_script bspi_script_open(bspi_bytes text);
/* The next word on any line. Braces are words of their own, but for one that begins a name ("{fence"). */
bool bspi_script_next(bspi_script *script);
/* The next word of this line; false, without moving, when the line or the block ends here. */
bool bspi_script_argument(bspi_script *script);
/* An argument that is a number, as C's atof: 0 for other words and when there is none. */
float bspi_script_number(bspi_script *script);
/* Up to `count` numbers of this line, with or without brackets around them; the rest are 0. False: one is missing. */
bool bspi_script_vector(bspi_script *script, float *out, uint32_t count);
/* Is the next word an opening brace? Does not move. */
bool bspi_script_opens_block(bspi_script *script);
void bspi_script_skip_line(bspi_script *script);
/* What is left of the line, comments included. */
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
