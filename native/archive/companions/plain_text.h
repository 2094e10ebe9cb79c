/* plain_text.h - bytes of a text file of unknown age -> UTF-8 with lines that end as ours do. */
#ifndef CLI_PLAIN_TEXT_H
#define CLI_PLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* New memory. What is not UTF-8 is taken for Windows-1252, which most read-mes of the time are in. Of more than `most`
 * bytes the first lines are kept: *cut. */
char *cli_plain_text(const void *data, size_t size, size_t most, bool *cut);

#endif
