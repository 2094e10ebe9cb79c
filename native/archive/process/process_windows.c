/* process_windows.c - see process.h. A map that crashes or takes all memory would be the end of the run. */
#include "archive/process/process.h"
#include "cli/report.h"

cli_exit cli_run_process(const cli_args *args)
{
	return cli_fail("%s: process does not run on Windows, where no limits hold; it does in its Linux subsystem",
	                args->source);
}
