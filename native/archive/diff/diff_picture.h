/* diff_picture.h - a picture of two maps and their differences, side by side. */
#ifndef CLI_DIFF_PICTURE_H
#define CLI_DIFF_PICTURE_H

#include "archive/diff/diff_sides.h"

/* Writes the picture of --picture. Its first row shows the maps from above. Its second row is the view that shows most
 * differences or, if none shows any, the first view of the first map. Each row has three columns: the first map, the
 * second map, and the second map in gray with the differences in color. All columns of a row have the same camera and
 * exposure. Prints errors. */
cli_exit cli_write_diff_picture(const cli_args *args, const cli_diff_side sides[CLI_SIDES]);

#endif
