/* lazy.h - reports why a library that is loaded on demand could not be loaded. See lazy_posix.c. */
#ifndef CLI_LAZY_H
#define CLI_LAZY_H

/* Returns the loader's message for an installed library that could not be loaded, for example because memory is short
 * or the file is damaged. NULL: there was no such failure. Not available where the libraries are linked. */
const char *cli_lazy_failure(void);

#endif
