/* companion_names.h - classifies a file next to a map by its name. */
#ifndef CLI_COMPANION_NAMES_H
#define CLI_COMPANION_NAMES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cli_companion_kind {
	CLI_COMPANION_OTHER,
	CLI_COMPANION_TEXT,                /* text to read, such as a readme */
	CLI_COMPANION_DOCUMENT,            /* a document that only other programs can display */
	CLI_COMPANION_SCRIPT,              /* text for the game or for compilers */
	CLI_COMPANION_PICTURE,
	CLI_COMPANION_LIGHT,               /* lightmaps or light directions that the game uses in place of the map's own */
	CLI_COMPANION_WAD
} cli_companion_kind;

cli_companion_kind cli_companion_kind_of(const char *path);
/* Returns the name of a kind: "text", "document" and so on. */
const char *cli_companion_word(cli_companion_kind kind);

/* Returns the part of a path after its last separator. */
const char *cli_file_name(const char *path);
/* Returns the length of a file name without its extension. */
size_t cli_stem_length(const char *file_name);
/* True if the file name begins with the map's name `stem` as a whole word: "dm1.txt", "dm1_readme.txt", but not
 * "dm10.txt". */
bool cli_is_called_by(const char *path, const char *stem);

#endif
