/* command_render.c - bspscene render: a picture of a map. */
#include "commands.h"
#include "report.h"

static cli_exit run(const cli_args *args)
{
	return cli_fail("%s: cannot be rendered: this build of bspscene has no renderer", args->source);
}

const cli_command cli_command_render = {
	.name = "render",
	.operands = "SOURCE OUT.png",
	.summary = "a picture of a map",
	.details =
		"Draws a map as its game does, from a camera of the map (the intermission, else the first start) or from\n"
		"the one given. --mode lightmap shows the lightmaps alone, without intensity.",
	.examples =
		"  bspscene render maps/atrium.bsp atrium.png\n"
		"  bspscene render maps/atrium.bsp plan.png --overview --size 1600x1200\n"
		"  bspscene render maps/atrium.bsp start.png --entity info_player_deathmatch:2 --fov 100\n",
	.options = CLI_OPTION_MAP | CLI_OPTION_GAME | CLI_OPTION_SIZE | CLI_OPTION_FOV | CLI_OPTION_CAMERA |
		CLI_OPTION_ENTITY | CLI_OPTION_OVERVIEW | CLI_OPTION_MODE | CLI_OPTION_INTENSITY | CLI_OPTION_WORLD_ONLY,
	.operand_count = 2,
	.run = run,
};
