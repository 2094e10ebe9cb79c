/* gallery_database.h - records of maps to a SQLite database; docs/archive.md has its tables. */
#ifndef CLI_GALLERY_DATABASE_H
#define CLI_GALLERY_DATABASE_H

#include <jansson.h>

#include "cli/options/args.h"

typedef struct cli_database cli_database;

/* True if the program was built with SQLite. */
bool cli_has_database(void);
/* Makes the tables in an empty file. NULL: the error is printed. */
cli_database *cli_database_open(const char *path);
/* False: the error is printed. */
bool cli_database_add(cli_database *database, const json_t *record);
/* With `keep`, all that was added is in the file then. Takes NULL. False: the error is printed. */
bool cli_database_close(cli_database *database, bool keep);

#endif
