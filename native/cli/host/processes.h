/* processes.h - facts about running processes, and requests to end this one, implemented by processes_posix.c and
 * processes_windows.c. */
#ifndef CLI_PROCESSES_H
#define CLI_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>

/* Returns a hash of the machine and its process namespace. A process number is unique only within one of these. */
uint32_t cli_process_place(void);
unsigned long cli_process_number(void);
bool cli_process_ended(unsigned long process);
/* Returns the time at which this process began, in a unit that depends on the system. 0: unknown. */
uint64_t cli_process_began(void);
/* True if the process with that number still runs. `began` distinguishes it from a later process with the same
 * number. */
bool cli_process_runs(unsigned long process, uint64_t began);

/* Gets the processor time in seconds that this process has used, and its peak memory in bytes. Returns false if they
 * are unknown. */
bool cli_process_used(double *seconds, uint64_t *peak_memory);
uint32_t cli_processor_count(void);
/* Size of the text that cli_write_time writes: the current time in UTC. */
#define CLI_TIME_TEXT sizeof "2026-01-31T23:59:59Z"
void cli_write_time(char out[CLI_TIME_TEXT]);

/* From now on, requests to end the program (Ctrl-C, a scheduler) are only recorded. Long work checks cli_is_told_to_end
 * and stops. */
void cli_watch_for_end(void);
bool cli_is_told_to_end(void);

#endif
