/* option_rows.h - every option of the command line is one row: its bit, its words in --help, and how its value reaches
 * cli_args. */
#ifndef CLI_OPTION_ROWS_H
#define CLI_OPTION_ROWS_H

#include "args.h"

#define CLI_MOST_OPTIONS 64 /* one bit each */

/* A word for a value; rows end with NULL. */
typedef struct cli_word {
	const char *word;
	uint32_t value;
} cli_word;

typedef struct cli_option_row cli_option_row;

struct cli_option_row {
	uint64_t option;
	const char *name;
	const char *value;                 /* what --help calls its value; NULL: a switch */
	const char *help;                  /* lines of --help */
	bool (*apply)(const cli_option_row *row, const char *value, cli_args *args); /* false: refused, and said why */
	size_t member;                     /* offset in cli_args of what it sets */
	float least, most;                 /* numbers and counts */
	const cli_word *words;             /* choices */
};

extern const cli_option_row cli_option_rows[];
extern const size_t cli_option_count;

#endif
