/* process_check.c - see process.h. */
#include "archive/pictures/animation.h"
#include "archive/pictures/pictures.h"
#include "archive/process/process.h"
#include "archive/process/process_map.h"
#include "cli/report.h"

cli_exit cli_check_process(const cli_args *args)
{
	cli_products asked = cli_products_asked(args);
	bool draws = asked.steps & CLI_STEP_PICTURES;
	if (draws && !cli_can_draw()) {
		return cli_usage(
			"process: this build of bspscene has no renderer (it needs Embree); name --steps without pictures");
	}
	if (cli_process_options_of(args)->has_pictures && !draws) {
		return cli_usage("process: --pictures needs the step pictures; add it to --steps");
	}
	if (asked.pictures[CLI_PICTURE_TURN].width && !cli_can_animate()) {
		return cli_usage("process: this build of bspscene makes no animations (it needs libwebpmux); name --pictures "
		                 "without turn");
	}
	if (cli_process_options_of(args)->prune && cli_process_options_of(args)->shard_count) {
		return cli_usage("process: --prune needs the whole catalog; leave out --shard");
	}
	return cli_can_open_games(args) ? CLI_DONE : CLI_FAILED;
}
