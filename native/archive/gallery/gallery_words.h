/* gallery_words.h - an inverted index of words in names: textures, models, sounds and other files that maps need, and
 * classes of their entities.
 *
 * A word is a run of ASCII letters, digits and "_", in lowercase: "func_door", "base_wall" of "base_wall/c_met7". Its
 * suffixes "door" and "wall" are indexed too, so that a search by prefix finds parts of names. */
#ifndef CLI_GALLERY_WORDS_H
#define CLI_GALLERY_WORDS_H

#include <jansson.h>
#include <stdbool.h>

#include "cli/byte_buffer.h"

typedef struct cli_words cli_words;

cli_words *cli_words_begin(void);
/* Adds the words of the next map. */
void cli_words_add(cli_words *words, const json_t *record);

/* Receives a piece of the index: the sorted words that begin with the two characters `head`, as lines ["word","maps"]
 * separated by commas. Maps are numbered in the order in which they were added. "maps" encodes the first number, then
 * each distance from the previous number, minus one. A number is in base64 digits of five bits, lowest first; the sixth
 * bit means that more digits follow. */
typedef bool cli_words_piece_fn(const char head[3], const cli_bytes *piece, void *user);
/* Calls `write` for each piece, until `write` returns false. Returns false in that case. */
bool cli_words_write(const cli_words *words, cli_words_piece_fn *write, void *user);
void cli_words_free(cli_words *words);

#endif
