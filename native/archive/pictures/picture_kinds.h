/* picture_kinds.h - names and sizes of the pictures that `process` makes of a map. */
#ifndef CLI_PICTURE_KINDS_H
#define CLI_PICTURE_KINDS_H

#include <stdint.h>

typedef enum cli_picture_kind {
	CLI_PICTURE_START,                 /* the player's first view */
	CLI_PICTURE_TILE,                  /* the player's first view, small */
	CLI_PICTURE_SHEET,                 /* views from spawn points */
	CLI_PICTURE_OVERVIEW,
	CLI_PICTURE_ROOFS,
	CLI_PICTURE_PLAN,
	CLI_PICTURE_TURN,                  /* an animation of 72 pictures; it is made only on request, because it takes
	                                    * long */
	CLI_PICTURE_KINDS
} cli_picture_kind;

/* Size in pixels. 0: the picture is not made. */
typedef struct cli_picture_size {
	uint32_t width, height;
} cli_picture_size;

typedef struct cli_picture_row {
	const char *file;
	cli_picture_size size;             /* default size of the picture, or of each view on a sheet */
	uint32_t most_side;                /* largest value for `size.width` and `size.height`; with it, the whole
	                                    * picture has at most 16384 x 16384 pixels */
} cli_picture_row;

extern const cli_picture_row cli_picture_rows[CLI_PICTURE_KINDS];

#endif
