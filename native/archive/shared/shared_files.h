/* shared_files.h - stores the files that several maps share. Each file is stored only once, in a pool of the store. Its
 * name contains a hash of its contents. */
#ifndef CLI_SHARED_FILES_H
#define CLI_SHARED_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* Returns a name for the contents, "0123456789abcdef-SIZE", in new memory: 64 bits of a hash, and the size in
 * hexadecimal digits. */
char *cli_shared_name(const void *data, size_t size);
/* True if the files have the same contents. False if they differ, or if one cannot be read. */
bool cli_is_same_content(const char *one, const char *other);
/* Moves "KIND/NAME" of a map's folder to "KIND/NA/NAME" of the store, unless it exists there. False after an error,
 * which is printed. */
bool cli_share_files(const char *folder, const char *store, const char *kind);

#endif
