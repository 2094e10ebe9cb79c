/* temporary.h - names of incomplete files, and removal of those that a killed program left. */
#ifndef CLI_TEMPORARY_H
#define CLI_TEMPORARY_H

/* Returns a name in the directory of `target` that no other program uses, in new memory. */
char *cli_temporary_name(const char *target);

/* Removes temporary files in the directory of `target` whose process has ended. They must be regular files of this
 * user, made on this machine and in this process namespace. Ignores files that cannot be removed. */
void cli_sweep_temporaries(const char *target);

#endif
