/* shared_files.h - files in one folder of a store, where each is once, however many maps have it. Its name is of its
 * bytes. */
#ifndef CLI_SHARED_FILES_H
#define CLI_SHARED_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* "0123456789abcdef-SIZE", in new memory: of 64 bits of a hash. */
char *cli_shared_name(const void *data, size_t size);
/* False also when one cannot be read. */
bool cli_is_same_content(const char *one, const char *other);
/* Moves "KIND/NAME" of a map's folder to "KIND/NA/NAME" of the store, where it may be already. False: the error is
 * printed. */
bool cli_share_files(const char *folder, const char *store, const char *kind);

#endif
