/* lazy.h - libraries that are loaded when they are needed, and what came of it. lazy_posix.c */
#ifndef CLI_LAZY_H
#define CLI_LAZY_H

/* Why a library that is there could not be loaded (memory is out, the file is damaged), in the words of the system's
 * loader. NULL: none failed. Where libraries are linked nobody asks. */
const char *cli_lazy_failure(void);

#endif
