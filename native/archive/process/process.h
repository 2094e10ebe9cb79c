/* process.h - runs bspscene process: each map in a child process. */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include "cli/options/args.h"

cli_exit cli_run_process(const cli_args *args);
/* Returns CLI_DONE if the options fit together, this build can do them, and the games exist. */
cli_exit cli_check_process(const cli_args *args);

#endif
