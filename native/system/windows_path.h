/* windows_path.h - file names as Windows needs them, for the library and the command line. Callers use UTF-8 with '/'
 * or '\' as separators. Windows gets absolute UTF-16 paths with the prefix "\\?\", so that neither the code page of the
 * host program nor the limit of 260 letters matters. Failures set errno. */
#ifndef BSPI_WINDOWS_PATH_H
#define BSPI_WINDOWS_PATH_H

#include <stdbool.h>
#include <wchar.h>

/* Converts to UTF-16, by malloc. NULL if it is not UTF-8 or memory is short. "C:" is the drive's root. */
wchar_t *bspi_windows_path(const char *path);
/* Converts to UTF-8, by malloc. NULL if memory is short. */
char *bspi_windows_text(const wchar_t *text);
/* Returns the real path of an existing path, with '/', by malloc. NULL if it does not exist. */
char *bspi_windows_real_path(const char *path);
/* Replaces '\' by '/'. */
void bspi_windows_fold(char *path);

/* Classifies an entry that FindFirstFileExW found. Links are symbolic links and junctions. Files that OneDrive keeps
 * online are reparse points too, but read as ordinary files. */
bool bspi_windows_is_link(unsigned long attributes, unsigned long reparse_tag);

/* Sets errno from GetLastError. Returns false. */
bool bspi_windows_failed(void);

#endif
