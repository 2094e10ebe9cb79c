/* archive_names.h - which files of a game's folder are its archives, by their ending, and in which order engines mount
 * them. A further ending is a row in archive_names.c. */
#ifndef BSPI_ARCHIVE_NAMES_H
#define BSPI_ARCHIVE_NAMES_H

#include "base/text.h"

/* Mounted first to last; later ones win. Inside a group the order is that of names without case. */
typedef enum bspi_archive_group {
	BSPI_GROUP_VPK,
	BSPI_GROUP_NUMBERED_PAK,           /* pak0.pak, pak1.pak, ... in the order of their numbers */
	BSPI_GROUP_PAK,
	BSPI_GROUP_PK3,                    /* zips and their relatives */
	BSPI_GROUP_NONE                    /* no archive, or part of one */
} bspi_archive_group;

typedef struct bspi_archive_name {
	const char *name;
	bspi_archive_group group;
	uint32_t number;                   /* of a numbered pak */
} bspi_archive_name;

/* `name` is a file, or a directory with a slash at its end. */
bspi_archive_name bspi_classify_archive(const char *name);
/* qsort's comparison of two bspi_archive_name. */
int bspi_compare_archives(const void *a, const void *b);
/* True if the file belongs to an archive. Unlike the group, this holds for the numbered parts of a VPK too. */
bool bspi_is_archive_part(const char *name);

#endif
