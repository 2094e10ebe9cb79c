/* diff_picture.h - two maps and what differs, side by side as a picture. */
#ifndef CLI_DIFF_PICTURE_H
#define CLI_DIFF_PICTURE_H

#include "cli/options/args.h"

typedef struct cli_diff_options {
	const char *picture;               /* file of what differs, or NULL */
} cli_diff_options;

static inline const char *cli_diff_picture_of(const cli_args *args)
{
	return ((const cli_diff_options *)args->own)->picture;
}

/* Writes --picture: from above and, where the first map has a start, from there; in each row the first map, the
 * second from the same place with the same exposure, and the second in grey with what differs in colour. Errors are
 * printed. */
cli_exit cli_write_diff_picture(const cli_args *args);

#endif
