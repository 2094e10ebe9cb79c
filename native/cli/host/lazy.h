/* lazy.h - reports why a library that is loaded on demand could not be loaded. See lazy_posix.c. */
#ifndef CLI_LAZY_H
#define CLI_LAZY_H

/* If a library is installed but could not be loaded, returns the loader's message, for example that memory is short or
 * the file is damaged. NULL: there was no such failure. This function exists only where the libraries are loaded on
 * demand. */
const char *cli_lazy_failure(void);

#endif
