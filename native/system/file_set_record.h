/* file_set_record.h - the record of a set that is being renamed, and how to undo the set. The record is the file
 * ".bspscene-set" in the folder of the set. Only the program that holds the lock of the folder writes, reads or removes
 * it. */
#ifndef BSPI_FILE_SET_RECORD_H
#define BSPI_FILE_SET_RECORD_H

#include "system/file_set.h"

/* Returns the second name for the old file, given the temporary name of the new one, allocated by malloc. It is as long
 * as the temporary name, so it is never too long for the file system. */
char *bspi_set_kept_name(const char *temporary);

bool bspi_set_record_is_there(const char *folder, const bspi_set_system *on);
/* Writes the record. Returns false if no record could be written, so that nothing can be undone if the program is
 * killed. One reason is that targets are outside the folder (links). Another is that a file with the record's name is
 * in the way and cannot be replaced. */
bool bspi_set_record_write(const char *folder, const bspi_set_file *files, const bspi_file_mark *old, size_t count,
                           const bspi_set_system *on);
void bspi_set_record_remove(const char *folder, const bspi_set_system *on);
/* Undoes the set that the record describes. If the set is complete, removes what is left of it instead. */
void bspi_set_record_undo(const char *folder, const bspi_set_system *on);

#endif
