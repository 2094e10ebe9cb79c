/* temporary.h - names of files that are not complete, and taking away those that a killed program left. */
#ifndef CLI_TEMPORARY_H
#define CLI_TEMPORARY_H

/* A name that no other program uses, in the directory of `target`; in new memory. */
char *cli_temporary_name(const char *target);

/* Removes what programs that no longer run left in the directory of `target`: our user's regular files with names as
 * above, made on this machine and among these processes. What cannot be removed stays, without a word. */
void cli_sweep_temporaries(const char *target);

#endif
