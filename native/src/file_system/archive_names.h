/* archive_names.h - recognizes a game's archives by extension, and sorts them in the order in which engines mount them.
 * archive_names.c has a row for each extension. */
#ifndef BSPI_ARCHIVE_NAMES_H
#define BSPI_ARCHIVE_NAMES_H

#include "base/text.h"

/* Groups of archives, in the order in which they are mounted. Files of later archives win. Within a group, the order is
 * by name, ignoring case. */
typedef enum bspi_archive_group {
	BSPI_GROUP_VPK,
	BSPI_GROUP_NUMBERED_PAK,           /* pak0.pak, pak1.pak, ...; ordered by number */
	BSPI_GROUP_PAK,
	BSPI_GROUP_PK3,                    /* zip archives with any extension */
	BSPI_GROUP_NONE                    /* not an archive, or only a part of one */
} bspi_archive_group;

typedef struct bspi_archive_name {
	const char *name;
	bspi_archive_group group;
	uint32_t number;                   /* for a numbered pak: its number */
} bspi_archive_name;

/* Classifies a file. Names of directories end with a slash. */
bspi_archive_name bspi_classify_archive(const char *name);
/* qsort's comparison of two bspi_archive_name. */
int bspi_compare_archives(const void *a, const void *b);
/* True if the file is an archive or a part of one, such as a numbered part of a VPK. */
bool bspi_is_archive_part(const char *name);

#endif
