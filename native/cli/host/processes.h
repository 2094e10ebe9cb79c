/* processes.h - what the system tells about running programs, and its requests to end, implemented by processes_posix.c
 * and processes_windows.c. */
#ifndef CLI_PROCESSES_H
#define CLI_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>

/* Returns a hash of the machine and its process namespace: process numbers mean nothing elsewhere. */
uint32_t cli_process_place(void);
unsigned long cli_process_number(void);
bool cli_process_ended(unsigned long process);
/* Returns when this process began, in a unit of the system. 0: unknown. */
uint64_t cli_process_began(void);
/* True if the process of that number, which began then, still runs. Numbers are reused by later processes. */
bool cli_process_runs(unsigned long process, uint64_t began);

/* Gets the processor time and the peak memory of this process. False: unknown. */
bool cli_process_used(double *seconds, uint64_t *peak_memory);
uint32_t cli_processor_count(void);
/* Returns the current time in UTC. */
#define CLI_TIME_TEXT sizeof "2026-01-31T23:59:59Z"
void cli_write_time(char out[CLI_TIME_TEXT]);

/* From now on, requests to end the program (Ctrl-C, a scheduler) are only recorded. Work that can stop asks for
 * them. */
void cli_watch_for_end(void);
bool cli_is_told_to_end(void);

#endif
