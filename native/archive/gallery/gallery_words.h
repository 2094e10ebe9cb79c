/* gallery_words.h - which maps use what: words of the names of textures, models, sounds and other files that maps need,
 * and of the classes of their entities.
 *
 * A word is a run of ASCII letters, digits and "_", in small letters: "func_door", "base_wall" of "base_wall/c_met7".
 * It is known by its ends too, "door" and "wall", so whoever looks for what words begin with finds parts of names. */
#ifndef CLI_GALLERY_WORDS_H
#define CLI_GALLERY_WORDS_H

#include <jansson.h>
#include <stdbool.h>

#include "cli/byte_buffer.h"

typedef struct cli_words cli_words;

cli_words *cli_words_begin(void);
/* The next map. */
void cli_words_add(cli_words *words, const json_t *record);

/* Takes the words that begin with the two letters `head`, as lines of JSON with commas between: ["word","maps"],
 * sorted. The maps are numbers in the order in which they were added: the first, then each one's distance to the one
 * before, less one; as VLQ of base 64, whose letters have five bits, the lowest first, and a sixth when more follow. */
typedef bool cli_words_piece_fn(const char head[3], const cli_bytes *piece, void *user);
/* False: `write` failed. */
bool cli_words_write(const cli_words *words, cli_words_piece_fn *write, void *user);
void cli_words_free(cli_words *words);

#endif
