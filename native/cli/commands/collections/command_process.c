/* command_process.c - bspscene process: what it takes and says of itself. */
#include "cli/commands/commands.h"
#include "archive/process/process.h"
#include "archive/store/process_options.h"

const cli_command cli_command_process = {
	.name = "process",
	.operands = "STORE",
	.summary = "the maps of a catalog into a folder for each: pictures, GLB, ...",
	.details =
		"Reads a catalog and makes of each map STORE/ab/ID/ with info.json, entities.json, pictures (start.png,\n"
		"tile.png, sheet.png, overview.png, roofs.png, plan.png), lightmaps/, map.glb, companions.json (read-mes,\n"
		"scripts, light and WADs that came with it, kept once in STORE/files), and result.json, which says how it\n"
		"went and where else the same map is; run.json says how long it took. Each map has a process of its own\n"
		"with limits of memory, output and time; one that is refused or dies is quarantined: its result.json\n"
		"says why, and the rest goes on. What is there already with all steps and pictures is skipped, so a run that\n"
		"was stopped or killed goes on where it was; what lacks some gets them and keeps the others. Any number of\n"
		"runs, on any machines, may fill one STORE at once. Maps that cannot be read where the catalog found them are\n"
		"read where else they are, or left to do, as on a full disk or without memory. The exit status is 0 although\n"
		"maps were quarantined, and 1 when some are left to do. The same maps make the same STORE in whatever order\n"
		"they came; --prune takes out those that are no more. It begins by saying how many maps are to do, and says\n"
		"from the twentieth on how long the others will take and how large they will be.",
	.examples = "  bspscene process store --catalog maps.jsonl --shard 3/16 --steps info,pictures --timeout 120\n"
				"  bspscene catalog --recursive ~/maps | bspscene process store --jobs 4\n"
				"  bspscene process store --catalog maps.jsonl --dry-run\n"
				"  bspscene process store --catalog maps.jsonl --prune --dry-run\n"
				"  bspscene process store --catalog maps.jsonl --steps pictures --pictures overview=1600x1200,turn\n",
	.options =
		"game root catalog steps pictures textures keep-originals jobs shard timeout retry prune dry-run memory-limit "
		"output-limit quiet version help",
	.own = cli_process_rows,
	.own_size = sizeof(cli_process_options),
	.operand_count = 1,
	.run = cli_run_process,
};
