/* command_process.c - bspscene process: its help and options. The work is in archive/process. */
#include "cli/commands/commands.h"
#include "archive/process/process.h"
#include "archive/store/process_options.h"

const cli_command cli_command_process = {
	.name = "process",
	.operands = "STORE",
	.section = "Collections of maps",
	.summary = "make pictures, GLB and more of each map of a catalog",
	.details =
		"Makes a folder STORE/ab/ID/ for each map of a catalog: info.json, entities.json, pictures (start.png, "
		"tile.png, sheet.png, overview.png, roofs.png, plan.png), lightmaps/, map.glb and companions.json (readme "
		"files, scripts, light and WADs that came with the map, kept once in STORE/files). result.json has the "
		"outcome and other places of the same map, run.json the time it took. Entities are those that the catalog "
		"found: of the map, or of a file next to it (see --entities of catalog).\n\n"
		"Each map has a process of its own with limits of memory, output and time. A map that is refused or crashes "
		"is quarantined: its result.json has the reason, and the run goes on. Finished maps are skipped, so run the "
		"command again to continue after a stop; maps that lack a step or a picture get it. Any number of runs, on "
		"any machines, may fill one STORE at the same time.\n\n"
		"If a map cannot be read where the catalog found it, its other places are tried. If none works, the disk is "
		"full or memory is short, the map is left for the next run. The exit status is 0 even if maps were "
		"quarantined, and 1 if some are left to do. The same maps give the same STORE in any order. --prune moves "
		"maps out that are not in the catalog any more.\n\n"
		"The command first prints how many maps there are to do. From the twentieth map on it estimates the time and "
		"the disk space that the others will take.",
	.examples =
		"  bspscene catalog --recursive ~/maps | bspscene process store --jobs 4\n"
		"  bspscene process store --catalog maps.jsonl --dry-run\n"
		"  bspscene process store --catalog maps.jsonl --shard 3/16 --steps info,pictures\n"
		"  bspscene process store --catalog maps.jsonl --pictures overview=1600x1200,turn\n"
		"  bspscene process store --catalog maps.jsonl --prune --dry-run\n",
	.options =
		"game root catalog steps pictures textures keep-originals jobs shard timeout retry prune dry-run memory-limit "
		"output-limit quiet version help",
	.first = "catalog game root steps pictures jobs dry-run retry",
	.own = cli_process_rows,
	.own_size = sizeof(cli_process_options),
	.operand_count = 1,
	.run = cli_run_process,
};
