/* picture_kinds.h - the pictures that `process` makes of a map: file names and sizes. */
#ifndef CLI_PICTURE_KINDS_H
#define CLI_PICTURE_KINDS_H

#include <stdint.h>

typedef enum cli_picture_kind {
	CLI_PICTURE_START,                 /* what a player sees first */
	CLI_PICTURE_TILE,                  /* the same, small */
	CLI_PICTURE_SHEET,                 /* from spawn points */
	CLI_PICTURE_OVERVIEW,
	CLI_PICTURE_ROOFS,
	CLI_PICTURE_PLAN,
	CLI_PICTURE_TURN,                  /* an animation costs as much as 72 pictures, so it is made only on request */
	CLI_PICTURE_KINDS
} cli_picture_kind;

/* Pixels; 0: the picture is not made. */
typedef struct cli_picture_size {
	uint32_t width, height;
} cli_picture_size;

typedef struct cli_picture_row {
	const char *file;
	cli_picture_size size;             /* when none is said; of a sheet, of each of its views */
	uint32_t most_side;                /* so that all that is drawn for it together has at most 16384^2 pixels */
} cli_picture_row;

extern const cli_picture_row cli_picture_rows[CLI_PICTURE_KINDS];

#endif
