/* picture_kinds.c - see picture_kinds.h. */
#include "archive/pictures/picture_kinds.h"

const cli_picture_row cli_picture_rows[CLI_PICTURE_KINDS] = {
	[CLI_PICTURE_START] = { "start.png", { 640, 480 }, 16384 },
	[CLI_PICTURE_TILE] = { "tile.png", { 320, 240 }, 8192 },
	[CLI_PICTURE_SHEET] = { "sheet.png", { 320, 240 }, 4096 },
	[CLI_PICTURE_OVERVIEW] = { "overview.png", { 800, 600 }, 16384 },
	[CLI_PICTURE_ROOFS] = { "roofs.png", { 800, 600 }, 16384 },
	[CLI_PICTURE_PLAN] = { "plan.png", { 800, 800 }, 16384 },
	[CLI_PICTURE_TURN] = { "turn.webp", { 480, 360 }, 1920 },
};
