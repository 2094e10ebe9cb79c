/* companion_names.h - classifies a file next to a map by its name. */
#ifndef CLI_COMPANION_NAMES_H
#define CLI_COMPANION_NAMES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cli_companion_kind {
	CLI_COMPANION_OTHER,
	CLI_COMPANION_TEXT,                /* a readme for people, of any name */
	CLI_COMPANION_DOCUMENT,            /* a document that only other programs show */
	CLI_COMPANION_SCRIPT,              /* text for the game or for compilers */
	CLI_COMPANION_PICTURE,
	CLI_COMPANION_LIGHT,               /* a file that replaces a part of the map */
	CLI_COMPANION_WAD
} cli_companion_kind;

cli_companion_kind cli_companion_kind_of(const char *path);
/* Returns the name of a kind: "text", "document" and so on. */
const char *cli_companion_word(cli_companion_kind kind);

/* Returns the file name of a path, and its length without the extension. */
const char *cli_file_name(const char *path);
size_t cli_stem_length(const char *file_name);
/* True if the file is named after `stem`: "dm1.txt", "dm1_readme.txt", but not "dm10.txt". */
bool cli_is_called_by(const char *path, const char *stem);

#endif
