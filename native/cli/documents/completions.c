/* completions.c - prints completions for bash, zsh and fish from the tables of commands and options. The completions
 * run `bspscene list` for the names of maps. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/documents/documents.h"

/* Returns the option at an index: first the shared options, then each command's own. NULL after the last. */
static const cli_option_row *row_at(size_t i)
{
	for (const cli_option_row *row = cli_shared_rows; row->name; row++) {
		if (!i--) return row;
	}
	for (int c = 0; cli_commands[c]; c++) {
		for (const cli_option_row *row = cli_commands[c]->own; row && row->name; row++) {
			if (!i--) return row;
		}
	}
	return NULL;
}

/* True if an earlier row has the same name as this one. */
static bool is_repeated(size_t index)
{
	for (size_t i = 0; i < index; i++) {
		if (!strcmp(row_at(i)->name, row_at(index)->name)) return true;
	}
	return false;
}

/* True if a different row has the same name as this one. */
static bool has_namesake(const cli_option_row *row)
{
	const cli_option_row *other;
	for (size_t i = 0; (other = row_at(i)); i++) {
		if (other != row && !strcmp(other->name, row->name)) return true;
	}
	return false;
}

static bool is_map(const cli_option_row *row) { return !strcmp(row->name, "map"); }

/* True if the option's value is a path. --help calls such a value DIR or FILE, or a name that begins with OUT. */
static bool takes_path(const cli_option_row *row)
{
	return row->value && (!strcmp(row->value, "DIR") || !strcmp(row->value, "FILE") || !strncmp(row->value, "OUT", 3));
}

static bool takes_list(const cli_option_row *row)
{
	return row->value && strstr(row->value, ",...") && row->words;
}

/* Prints the words that an option's value may be, separated by spaces. They are in the row's table. If it has none,
 * they are the lowercase words in the value's name in --help, such as "none|all|N". */
static void print_words(const cli_option_row *row)
{
	const char *space = "";
	for (const cli_word *word = row->words; word && word->word; word++, space = " ") printf("%s%s", space, word->word);
	if (row->words || !strchr(row->value, '|')) return;
	for (const char *at = row->value; *at; at += strcspn(at, "|") + (at[strcspn(at, "|")] == '|')) {
		if (!islower((unsigned char)*at)) continue;
		printf("%s%.*s", space, (int)strcspn(at, "|"), at);
		space = " ";
	}
}

static bool has_words(const cli_option_row *row)
{
	return row->value && (row->words || strchr(row->value, '|'));
}

/* Returns the end of the first line of an option's help, without a final semicolon. */
static const char *first_line_end(const char *help)
{
	const char *end = help + strcspn(help, "\n");
	return end > help && end[-1] == ';' ? end - 1 : end;
}

/* Prints the first line of an option's help, for use in single quotes. Puts a backslash before each character of
 * `escape`. */
static void print_help_line(const char *help, const char *escape)
{
	for (const char *at = help; at < first_line_end(help); at++) {
		if (*at == '\'') printf("'\\''");
		else if (strchr(escape, *at)) printf("\\%c", *at);
		else putchar(*at);
	}
}

static bool takes_command(const cli_command *command) { return !strcmp(command->operands, "[COMMAND]"); }

static void print_command_names(void)
{
	for (int i = 0; cli_commands[i]; i++) printf("%s%s", i ? " " : "", cli_commands[i]->name);
}

/* ---- bash ----------------------------------------------------------------------------------------------- */

static const char bash_head[] =
	"# bash completion of bspscene(1): made from the tables of its --help.\n\n"
	"# The maps of the source on the command line; its words are as they were typed, and none is evaluated.\n"
	"_bspscene_maps()\n"
	"{\n"
	"\tlocal source=$1\n"
	"\tcase $source in *[\\\\\\'\\\"\\`\\$]*) return ;; [~]/*) source=$HOME/${source#??} ;; esac\n"
	"\t[ -e \"$source\" ] && \"${COMP_WORDS[0]}\" list --quiet -- \"$source\" 2>/dev/null\n"
	"}\n\n"
	"_bspscene()\n"
	"{\n"
	"\tlocal IFS=$'\\n' word=${COMP_WORDS[COMP_CWORD]} option='' command='' source='' list='' i before=''\n"
	"\tCOMPREPLY=()\n"
	"\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	"\t\tcase ${COMP_WORDS[i]} in\n"
	"\t\t\t--* | =) ;;\n"
	"\t\t\t*)\n"
	"\t\t\t\tif [ -z \"$command\" ]; then command=${COMP_WORDS[i]}\n"
	"\t\t\t\telif [ -z \"$source\" ] && ! _bspscene_takes_value \"$before\"; then source=${COMP_WORDS[i]}; fi ;;\n"
	"\t\tesac\n"
	"\t\t[ \"${COMP_WORDS[i]}\" = = ] || before=${COMP_WORDS[i]}\n"
	"\tdone\n"
	"\tif [ \"$word\" = = ]; then word=''; fi\n"
	"\tif _bspscene_takes_value \"$before\"; then option=$before; fi\n"
	"\tcase $command$option in\n";

static const char bash_tail[] = "\tesac\n\tcase $word in\n\t\t-*)\n\t\t\tcase $command in\n";

/* Prints the beginning of a case of the shell: "COMMAND--OPTION)" with each command that takes the option, or
 * "*--OPTION)" if no other row has this name. Returns false if no command takes the option. */
static bool print_bash_pattern(const cli_option_row *row)
{
	const char *bar = "\t\t";
	if (!has_namesake(row)) return printf("\t\t*--%s)", row->name) > 0;
	for (int i = 0; cli_commands[i]; i++) {
		if (!cli_takes(cli_commands[i], row)) continue;
		printf("%s%s--%s", bar, cli_commands[i]->name, row->name);
		bar = " | ";
	}
	return *bar == ' ' && putchar(')') == ')';
}

/* Prints the code that completes the values of options. If a value is a list, the code keeps the part before the last
 * comma. compgen -W expands its words, and a map's name may contain $(...). So the names come from a variable, because
 * the shell does not expand the result of an expansion again. */
static void print_bash_values(void)
{
	const cli_option_row *row;
	for (size_t i = 0; (row = row_at(i)); i++) {
		if (!row->value || !print_bash_pattern(row)) continue;
		if (takes_path(row)) {
			printf(" compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$word\"))");
		} else if (takes_list(row)) {
			printf(" case $word in *,*) list=${word%%,*}, ;; esac\n"
			       "\t\t\tIFS=$' \\n'; COMPREPLY=($(compgen -P \"$list\" -W '");
			print_words(row);
			printf("' -- \"${word##*,}\"))");
		} else if (has_words(row)) {
			printf(" IFS=$' \\n'; COMPREPLY=($(compgen -W '");
			print_words(row);
			printf("' -- \"$word\"))");
		} else if (is_map(row)) {
			printf(" COMPREPLY=($(compgen -W '$(_bspscene_maps \"$source\")' -- \"$word\"))");
		}
		printf("%s return ;;\n", has_words(row) || takes_path(row) || is_map(row) ? ";" : "");
	}
}

static void print_bash_options(const char *pattern, const cli_command *command)
{
	printf("\t\t\t\t%s) IFS=$' \\n'; COMPREPLY=($(compgen -W '", pattern);
	const char *space = "";
	const cli_option_row *row;
	for (const char *at = NULL; (row = cli_next_option(command, &at));) {
		printf("%s--%s", space, row->name);
		space = " ";
	}
	printf("' -- \"$word\")) ;;\n");
}

void cli_write_bash_completion(void)
{
	printf("# shellcheck shell=bash disable=SC2016,SC2207 # compgen expands -W, its words are lines\n");
	const char *bar = "";
	printf("_bspscene_takes_value()\n{\n\tcase $1 in\n\t\t");
	for (size_t i = 0; row_at(i); i++) {
		if (!row_at(i)->value || is_repeated(i)) continue;
		printf("%s--%s", bar, row_at(i)->name);
		bar = " | ";
	}
	printf(") return 0 ;;\n\tesac\n\treturn 1\n}\n\n%s", bash_head);
	print_bash_values();
	printf("%s", bash_tail);
	print_bash_options("''", NULL);
	for (int i = 0; cli_commands[i]; i++) {
		print_bash_options(cli_commands[i]->name, cli_commands[i]);
	}
	printf("\t\t\tesac\n\t\t\treturn ;;\n\tesac\n\tcase $command in '' | help)\n"
	       "\t\tIFS=$' \\n'; COMPREPLY=($(compgen -W '");
	print_command_names();
	printf("' -- \"$word\")) ;;\n\t*)\n\t\tcompopt -o filenames 2>/dev/null\n"
	       "\t\tCOMPREPLY=($(compgen -f -- \"$word\")) ;;\n\tesac\n}\ncomplete -F _bspscene bspscene\n");
}

/* ---- zsh ------------------------------------------------------------------------------------------------ */

static void print_zsh_option(const cli_option_row *row)
{
	bool repeats = strstr(row->help, "repeated") != NULL;
	printf("\t\t\t\t'%s--%s%s[", repeats ? "*" : "", row->name, row->value ? "=" : "");
	print_help_line(row->help, "[]\\");
	putchar(']');
	if (row->value) {
		printf(":");
		print_help_line(row->value, "[]:\\");
		printf(":");
		if (takes_path(row)) {
			printf("_files");
		} else if (is_map(row)) {
			printf("_bspscene_maps");
		} else if (has_words(row)) {
			printf("%s", takes_list(row) ? "_values -s , word " : "(");
			print_words(row);
			printf("%s", takes_list(row) ? "" : ")");
		}
	}
	printf("' \\\n");
}

void cli_write_zsh_completion(void)
{
	printf("#compdef bspscene\n# zsh completion of bspscene(1): made from the tables of its --help.\n\n"
	       "# The maps of the source on the command line.\n"
	       "_bspscene_maps() {\n\tlocal -a maps\n"
	       "\tmaps=(${(f)\"$(bspscene list --quiet -- ${(Q)~line[1]} 2>/dev/null)\"})\n\tcompadd -a maps\n}\n\n"
	       "_bspscene() {\n\tlocal curcontext=$curcontext state line\n\ttypeset -A opt_args\n"
	       "\t_arguments -C '(-)--version[print the version]' '(-)--help[print this help]' '1:command:->command' "
	       "'*::operand:->operands'\n"
	       "\tcase $state in\n\t\tcommand)\n\t\t\tlocal -a commands=(\n");
	for (int i = 0; cli_commands[i]; i++) {
		printf("\t\t\t\t'%s:", cli_commands[i]->name);
		char *summary = cli_summary_of(cli_commands[i]);
		print_help_line(summary, "\\");
		free(summary);
		printf("'\n");
	}
	printf("\t\t\t)\n\t\t\t_describe command commands\n\t\t\t;;\n\t\toperands)\n\t\t\tcase $words[1] in\n");
	for (int i = 0; cli_commands[i]; i++) {
		printf("\t\t\t\t%s) _arguments -C \\\n", cli_commands[i]->name);
		const cli_option_row *row;
		for (const char *at = NULL; (row = cli_next_option(cli_commands[i], &at));) print_zsh_option(row);
		if (takes_command(cli_commands[i])) {
			printf("\t\t\t\t'1:command:(");
			print_command_names();
			printf(")' ;;\n");
		} else {
			printf("\t\t\t\t'*:file:_files' ;;\n");
		}
	}
	printf("\t\t\tesac\n\t\t\t;;\n\tesac\n}\n\n_bspscene \"$@\"\n");
}

/* ---- fish ----------------------------------------------------------------------------------------------- */

static void print_fish_option(const cli_option_row *row)
{
	printf("complete -c bspscene");
	if (!cli_is_common(row)) {
		printf(" -n '__fish_seen_subcommand_from");
		for (int i = 0; cli_commands[i]; i++) {
			if (cli_takes(cli_commands[i], row)) printf(" %s", cli_commands[i]->name);
		}
		printf("'");
	}
	printf(" -l %s", row->name);
	if (takes_path(row)) {
		printf(" -r -F");
	} else if (is_map(row)) {
		printf(" -x -a '(__bspscene_maps)'");
	} else if (takes_list(row)) {
		printf(" -x -a '(__fish_append , ");
		print_words(row);
		printf(")'");
	} else if (has_words(row)) {
		printf(" -x -a '");
		print_words(row);
		printf("'");
	} else if (row->value) {
		printf(" -x");
	}
	/* fish quotes single quotes in another way than the other shells. */
	printf(" -d \"");
	for (const char *at = row->help; at < first_line_end(row->help); at++) {
		if (strchr("\"\\$", *at)) putchar('\\');
		putchar(*at);
	}
	printf("\"\n");
}

void cli_write_fish_completion(void)
{
	printf("# fish completion of bspscene(1): made from the tables of its --help.\n\n"
	       "# The maps of the source on the command line: the first operand behind the command.\n"
	       "function __bspscene_maps\n"
	       "\tfor word in (commandline -opc)[3..-1]\n"
	       "\t\tif test -e $word\n\t\t\tbspscene list --quiet -- $word 2>/dev/null\n\t\t\treturn\n\t\tend\n"
	       "\tend\nend\n\n");
	for (int i = 0; cli_commands[i]; i++) {
		printf("complete -c bspscene -n __fish_use_subcommand -f -a %s -d '", cli_commands[i]->name);
		char *summary = cli_summary_of(cli_commands[i]);
		for (const char *at = summary; *at; at++) printf(*at == '\'' ? "\\'" : "%c", *at);
		free(summary);
		printf("'\n");
	}
	for (int i = 0; cli_commands[i]; i++) {
		if (!takes_command(cli_commands[i])) continue;
		printf("complete -c bspscene -n '__fish_seen_subcommand_from %s' -f -a '", cli_commands[i]->name);
		print_command_names();
		printf("'\n");
	}
	for (size_t i = 0; row_at(i); i++) print_fish_option(row_at(i));
}
