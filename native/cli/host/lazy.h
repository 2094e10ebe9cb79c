/* lazy.h - libraries that are loaded on demand, and why one could not be. See lazy_posix.c. */
#ifndef CLI_LAZY_H
#define CLI_LAZY_H

/* Returns why an installed library could not be loaded, in the words of the system's loader, for example because memory
 * is short or the file is damaged. NULL: none failed. Not called where the libraries are linked. */
const char *cli_lazy_failure(void);

#endif
