/* diff_picture.h - two maps and what differs, side by side as a picture. */
#ifndef CLI_DIFF_PICTURE_H
#define CLI_DIFF_PICTURE_H

#include "archive/diff/diff_sides.h"

/* Writes --picture: from above, and from where most of what differs is seen, or from the start of the first map when
 * nothing of it is; in each row the first map, the second from the same place with the same exposure, and the second
 * in gray with what differs in color. Errors are printed. */
cli_exit cli_write_diff_picture(const cli_args *args, const cli_diff_side sides[CLI_SIDES]);

#endif
