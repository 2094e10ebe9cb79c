/* option_rows.h - the table of options. A row has the option's text for --help and the function that stores its value.
 * Rows that several commands share set members of cli_args. A command's own rows set members of the command's own
 * struct, or of cli_args if `in_args` is set. */
#ifndef CLI_OPTION_ROWS_H
#define CLI_OPTION_ROWS_H

#include <stddef.h>

#include "cli/options/args.h"

/* Options of the program itself and of every command. */
#define CLI_COMMON_OPTIONS "quiet version help"

/* A word and its value. Arrays end with a NULL word. */
typedef struct cli_word {
	const char *word;
	uint32_t value;
} cli_word;

/* Headings of --help, in their order. */
typedef enum cli_option_group {
	CLI_GROUP_FIRST,                   /* options that the command lists in `first`; no row has this group */
	CLI_GROUP_INPUT,
	CLI_GROUP_OUTPUT,
	CLI_GROUP_VIEW,
	CLI_GROUP_LIGHT,
	CLI_GROUP_GEOMETRY,
	CLI_GROUP_MATERIALS,
	CLI_GROUP_MODEL,                   /* options that are used if SOURCE is a model */
	CLI_GROUP_LIMITS,
	CLI_GROUP_OTHER,                   /* the default: rows without a group belong to it */
	CLI_GROUP_COUNT
} cli_option_group;

struct cli_option_row {
	const char *name;
	const char *value;                 /* name of its value in --help; NULL: a switch */
	/* Text for --help, which wraps it. Completions show the first line. A line that begins with a word of `words` and a
	 * colon stays a line of its own. */
	const char *help;
	/* Parses the value and stores it in `options`, at the offset `member`. `options` is cli_args or the command's own
	 * struct. Returns false after an error, which is printed. */
	bool (*apply)(const cli_option_row *row, const char *value, void *options);
	size_t member;                     /* offset of the member to set */
	float least, most;                 /* range of numbers and counts */
	const cli_word *words;             /* words that the value may be, if it is one word or a list of words */
	cli_option_group group;            /* 0: CLI_GROUP_OTHER */
	bool in_args;                      /* for a command's own row: `member` is an offset in cli_args, not in the
	                                    * command's struct */
};

/* A row for an option that sets a limit in MiB in cli_args. A command whose default limit differs has such a row of its
 * own. */
#define CLI_MIB_ROW(name, field, text) \
	{ name, "MIB", text, .apply = cli_set_count, .member = offsetof(cli_args, field), .most = 1 << 23, \
	  .group = CLI_GROUP_LIMITS, .in_args = true }

/* Values that --light may have. */
extern const cli_word cli_light_words[];

/* The options that several commands share. The last row has a NULL name, as in the commands' own tables. */
extern const cli_option_row cli_shared_rows[];

/* Iterates over the options that a command takes, in the order of its table: returns the first one if *at is NULL, then
 * the next, and NULL after the last. If `command` is NULL, iterates over the options of the program. */
const cli_option_row *cli_next_option(const cli_command *command, const char **at);
/* Does what cli_next_option does, but returns only options under one heading of --help. */
const cli_option_row *cli_next_in_group(const cli_command *command, cli_option_group group, const char **at);
const char *cli_group_title(const cli_command *command, cli_option_group group);
/* True if the line begins with one of the option's words and a colon. */
bool cli_explains_word(const cli_option_row *row, const char *line);
/* Returns the length of `help` up to the first line that explains a word of the option. If no line does, returns the
 * whole length. */
size_t cli_help_part(const cli_option_row *row, const char *help);
bool cli_takes(const cli_command *command, const cli_option_row *row);
bool cli_is_common(const cli_option_row *row);

/* ---- Functions for rows: a switch, a text, one word or several of a list, a number, a count from 1 ---------- */
bool cli_set_switch(const cli_option_row *row, const char *value, void *options);
bool cli_set_text(const cli_option_row *row, const char *value, void *options);
bool cli_set_word(const cli_option_row *row, const char *value, void *options);
bool cli_set_words(const cli_option_row *row, const char *value, void *options);
bool cli_set_number(const cli_option_row *row, const char *value, void *options);
bool cli_set_count(const cli_option_row *row, const char *value, void *options);
bool cli_set_size(const cli_option_row *row, const char *value, void *options); /* width and height of cli_args */

/* ---- Functions that parse values for these functions. All but cli_read_count print what is wrong ---------- */
bool cli_read_word(const char *name, const cli_word *words, const char *value, size_t length, uint32_t *out);
bool cli_read_number(const char *name, const char *value, float smallest, float largest, float *out);
/* Parses one part of a comma-separated list. */
typedef bool cli_part_fn(const cli_option_row *row, const char *part, size_t length, void *options);
bool cli_read_list(const cli_option_row *row, const char *value, void *options, cli_part_fn *take);
/* Parses a whole number from 1 to `largest`, and sets *end to the end of its text. Prints nothing. */
bool cli_read_count(const char *text, uint32_t largest, const char **end, uint32_t *out);

#endif
