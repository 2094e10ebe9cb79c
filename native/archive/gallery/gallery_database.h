/* gallery_database.h - writes the records of maps to an SQLite database. docs/archive.md describes its tables. */
#ifndef CLI_GALLERY_DATABASE_H
#define CLI_GALLERY_DATABASE_H

#include <jansson.h>

#include "cli/options/args.h"

typedef struct cli_database cli_database;

/* True if the program was built with SQLite. */
bool cli_has_database(void);
/* Creates the tables in an empty file. NULL after an error, which is printed. */
cli_database *cli_database_open(const char *path);
/* Adds a record. False after an error, which is printed. */
bool cli_database_add(cli_database *database, const json_t *record);
/* Closes the database; with `keep`, commits everything first. NULL is allowed. False after an error, which is
 * printed. */
bool cli_database_close(cli_database *database, bool keep);

#endif
