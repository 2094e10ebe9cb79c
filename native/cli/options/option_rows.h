/* option_rows.h - every option of the command line is one row: its text in --help, and how its value reaches a struct.
 * Rows that several commands share set cli_args; a command's own rows, which only it has, set its own struct. */
#ifndef CLI_OPTION_ROWS_H
#define CLI_OPTION_ROWS_H

#include <stddef.h>

#include "cli/options/args.h"

/* Of every command, and of the program before one. */
#define CLI_COMMON_OPTIONS "quiet version help"

/* A word for a value; rows end with NULL. */
typedef struct cli_word {
	const char *word;
	uint32_t value;
} cli_word;

/* Headings of --help, in their order. */
typedef enum cli_option_group {
	CLI_GROUP_FIRST,                   /* what the command's `first` names; no row has it */
	CLI_GROUP_INPUT,
	CLI_GROUP_OUTPUT,
	CLI_GROUP_VIEW,
	CLI_GROUP_LIGHT,
	CLI_GROUP_GEOMETRY,
	CLI_GROUP_MATERIALS,
	CLI_GROUP_MODEL,                   /* for a model's file as SOURCE */
	CLI_GROUP_LIMITS,
	CLI_GROUP_OTHER,                   /* rows without a group, too */
	CLI_GROUP_COUNT
} cli_option_group;

struct cli_option_row {
	const char *name;
	const char *value;                 /* what --help calls its value; NULL: a switch */
	/* For --help, which breaks lines by itself. Completions show the first line. A line that begins with a word of
	 * `words` and a colon stays a line. */
	const char *help;
	/* False: refused, and said why. `options` is what `member` counts from: cli_args, or the command's own. */
	bool (*apply)(const cli_option_row *row, const char *value, void *options);
	size_t member;                     /* offset of what it sets */
	float least, most;                 /* numbers and counts */
	const cli_word *words;             /* choices */
	cli_option_group group;            /* 0: CLI_GROUP_OTHER */
};

/* Ends with a NULL name, as a command's own rows do. */
extern const cli_option_row cli_shared_rows[];

/* Returns the options that a command takes, in the order of its table: the first for *at NULL, then the next, NULL
 * after the last. `command` NULL: those of the program. */
const cli_option_row *cli_next_option(const cli_command *command, const char **at);
/* Returns those under one heading of --help in the same way. */
const cli_option_row *cli_next_in_group(const cli_command *command, cli_option_group group, const char **at);
const char *cli_group_title(const cli_command *command, cli_option_group group);
/* True if the line begins with one of the option's words and a colon. */
bool cli_explains_word(const cli_option_row *row, const char *line);
/* Returns the length of the first part of an option's help: up to a line that explains a word, or all. */
size_t cli_help_part(const cli_option_row *row, const char *help);
bool cli_takes(const cli_command *command, const cli_option_row *row);
bool cli_is_common(const cli_option_row *row);

/* ---- How rows are applied: true, a text, one or several words of a list, a number, a whole number from 1 ---- */
bool cli_set_switch(const cli_option_row *row, const char *value, void *options);
bool cli_set_text(const cli_option_row *row, const char *value, void *options);
bool cli_set_word(const cli_option_row *row, const char *value, void *options);
bool cli_set_words(const cli_option_row *row, const char *value, void *options);
bool cli_set_number(const cli_option_row *row, const char *value, void *options);
bool cli_set_count(const cli_option_row *row, const char *value, void *options);

/* ---- What such functions are made of. The first three say what is wrong ---- */
bool cli_read_word(const char *name, const cli_word *words, const char *value, size_t length, uint32_t *out);
bool cli_read_number(const char *name, const char *value, float smallest, float largest, float *out);
/* Takes one part of a list. */
typedef bool cli_part_fn(const cli_option_row *row, const char *part, size_t length, void *options);
bool cli_read_list(const cli_option_row *row, const char *value, void *options, cli_part_fn *take);
/* A whole number from 1 to `largest`, and where it ends. Says nothing. */
bool cli_read_count(const char *text, uint32_t largest, const char **end, uint32_t *out);

#endif
