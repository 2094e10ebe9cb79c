/* diff_picture.h - a picture of two maps and their differences, side by side. */
#ifndef CLI_DIFF_PICTURE_H
#define CLI_DIFF_PICTURE_H

#include "archive/diff/diff_sides.h"

/* Writes --picture. The first row is the view from above. The second is the view that shows most differences, or, if
 * none shows any, that of the first map's start. Each row has the first map, the second one from the same place with
 * the same exposure, and the second one in gray with the differences in color. Prints errors. */
cli_exit cli_write_diff_picture(const cli_args *args, const cli_diff_side sides[CLI_SIDES]);

#endif
