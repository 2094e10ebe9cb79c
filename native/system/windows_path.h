/* windows_path.h - file names as Windows needs them, for the library and the command line. Callers use UTF-8 with '/'
 * or '\' as separators. Windows gets absolute UTF-16 paths with the prefix "\\?\", so that neither the code page of the
 * host program nor the limit of 260 letters matters. Failures set errno. */
#ifndef BSPI_WINDOWS_PATH_H
#define BSPI_WINDOWS_PATH_H

#include <stdbool.h>
#include <wchar.h>

/* Converts a path to UTF-16, allocated by malloc. Returns NULL if it is not UTF-8 or memory is out. "C:" means the root
 * of the drive. */
wchar_t *bspi_windows_path(const char *path);
/* Converts text to UTF-8, allocated by malloc. Returns NULL if memory is out. */
char *bspi_windows_text(const wchar_t *text);
/* Returns the real path of a file or folder, without links and with '/', allocated by malloc. Returns NULL if it does
 * not exist. */
char *bspi_windows_real_path(const char *path);
/* Replaces '\' by '/'. */
void bspi_windows_fold(char *path);

/* True if an entry that FindFirstFileExW found is a link, that is, a symbolic link or a junction. Files that OneDrive
 * keeps online are reparse points too, but programs read them like ordinary files. */
bool bspi_windows_is_link(unsigned long attributes, unsigned long reparse_tag);

/* Sets errno from GetLastError. Returns false. */
bool bspi_windows_failed(void);

#endif
