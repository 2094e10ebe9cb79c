/* plain_text.h - converts text files of any age to UTF-8 with "\n" as line ends. */
#ifndef CLI_PLAIN_TEXT_H
#define CLI_PLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the text in new memory. Text that is not UTF-8 is read as Windows-1252, which most old readmes use. If there
 * are more than `most` bytes, keeps only the first lines and sets *cut. */
char *cli_plain_text(const void *data, size_t size, size_t most, bool *cut);

#endif
