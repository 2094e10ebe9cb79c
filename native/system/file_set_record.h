/* file_set_record.h - the record of a set that is being renamed, ".bspscene-set" in its folder, and how it is undone.
 * Only the program that holds the folder's lock writes, reads or removes it. */
#ifndef BSPI_FILE_SET_RECORD_H
#define BSPI_FILE_SET_RECORD_H

#include "system/file_set.h"

/* Returns the second name of the file that this one replaces, by malloc. It is as long as the temporary name, so that
 * the longest names have one too. */
char *bspi_set_kept_name(const char *temporary);

bool bspi_set_record_is_there(const char *folder, const bspi_set_system *on);
/* Writes the record. False: there is none, and after a kill nothing can be undone. This happens if targets are outside
 * the folder (links) or a file with the record's name cannot be replaced. */
bool bspi_set_record_write(const char *folder, const bspi_set_file *files, const bspi_file_mark *old, size_t count,
                           const bspi_set_system *on);
void bspi_set_record_remove(const char *folder, const bspi_set_system *on);
/* Undoes what a record says, or removes what is left of a complete set. */
void bspi_set_record_undo(const char *folder, const bspi_set_system *on);

#endif
