/* process.h - the run of bspscene process, each map in a process of its own. */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include "cli/options/args.h"

cli_exit cli_run_process(const cli_args *args);
/* CLI_DONE: the options agree, this build can do them, and the games exist. */
cli_exit cli_check_process(const cli_args *args);

#endif
