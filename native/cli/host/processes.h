/* processes.h - what the system knows of running programs, and what they are told by it: processes_posix.c and
 * processes_windows.c answer. */
#ifndef CLI_PROCESSES_H
#define CLI_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>

/* The machine and its table of processes: numbers of processes mean nothing elsewhere. */
uint32_t cli_process_place(void);
unsigned long cli_process_number(void);
bool cli_process_ended(unsigned long process);
/* When this one began, in a unit of the system's own; 0: the system does not say. */
uint64_t cli_process_began(void);
/* Does the process of that number, which began then, still run? A later one may have the number by now. */
bool cli_process_runs(unsigned long process, uint64_t began);

/* Processor time and the most memory of this process so far. False: the system does not say. */
bool cli_process_used(double *seconds, uint64_t *peak_memory);
uint32_t cli_processor_count(void);
/* Now, in UTC. */
#define CLI_TIME_TEXT sizeof "2026-01-31T23:59:59Z"
void cli_write_time(char out[CLI_TIME_TEXT]);

/* From now on what asks the program to end (Ctrl-C, a scheduler) is noted; whoever works asks for it. */
void cli_watch_for_end(void);
bool cli_is_told_to_end(void);

#endif
