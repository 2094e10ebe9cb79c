/* map_task.h - converts a map's work to a JSON value and back, for a restarted process. */
#ifndef CLI_MAP_TASK_H
#define CLI_MAP_TASK_H

#include "archive/process/process_map.h"

/* Returns the task of a cli_map_work. */
json_t *cli_describe_map_work(const void *user);
/* Does the work that a child's task describes, and ends the process. */
_Noreturn void cli_process_map_of(const json_t *task, const cli_args *args);

#endif
