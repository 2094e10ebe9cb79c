/* windows_path.h - names of files as Windows wants them, for the library and the command line. Outside they are UTF-8
 * and separated by '/' or '\'; inside they are UTF-16, absolute and with "\\?\" before them, so that neither the code
 * page of the program that has loaded the library nor the limit of 260 letters matters. What fails sets errno. */
#ifndef BSPI_WINDOWS_PATH_H
#define BSPI_WINDOWS_PATH_H

#include <stdbool.h>
#include <wchar.h>

/* By malloc; NULL for what is not UTF-8, or without memory. "C:" is the drive's root. */
wchar_t *bspi_windows_path(const char *path);
/* UTF-8 by malloc; NULL without memory. */
char *bspi_windows_text(const wchar_t *text);
/* Where a path that exists really leads, '/'-separated, by malloc; NULL when there is nothing. */
char *bspi_windows_real_path(const char *path);
/* '/' for '\'. */
void bspi_windows_fold(char *path);

/* Of what FindFirstFileExW tells of an entry. Links are symbolic links and junctions; what OneDrive keeps elsewhere is
 * a reparse point too, but reads as an ordinary file. */
bool bspi_windows_is_link(unsigned long attributes, unsigned long reparse_tag);

/* Sets errno to what a system call left in GetLastError. Returns false. */
bool bspi_windows_failed(void);

#endif
