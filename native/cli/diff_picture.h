/* diff_picture.h - two maps and what differs, side by side as a picture. */
#ifndef CLI_DIFF_PICTURE_H
#define CLI_DIFF_PICTURE_H

#include "args.h"

/* Writes args->picture: from above and, where the first map has a start, from there; in each row the first map, the
 * second from the same place with the same exposure, and the second in grey with what differs in colour. Errors are
 * printed. */
cli_exit cli_write_diff_picture(const cli_args *args);

#endif
