/* args.c - argv to cli_args by getopt_long, and --help from the same table. See args.h. */
#include "args.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "option_rows.h"
#include "report.h"

enum { FIRST_VALUE = 256 };

/* getopt's table of the options in `taken`; `val` is the row's number, moved behind all letters. */
static void make_long_options(uint64_t taken, struct option *out)
{
	for (size_t i = 0; i < cli_option_count; i++) {
		if (!(cli_option_rows[i].option & taken)) continue;
		int value = cli_option_rows[i].value ? required_argument : no_argument;
		*out++ = (struct option){ cli_option_rows[i].name, value, NULL, FIRST_VALUE + (int)i };
	}
	*out = (struct option){ 0 };
}

static cli_exit complain(int answer, char **argv, const cli_command *command)
{
	const char *text = argv[optind - 1];
	const char *name = command ? command->name : "", *space = command ? " " : "";
	char letter[3] = { '-', (char)optopt, 0 };
	if (optopt > 0 && optopt < FIRST_VALUE) text = letter;
	bool is_row = optopt >= FIRST_VALUE;
	/* Some systems' getopt says ':' of a value too much as well. */
	bool takes_value = !is_row || cli_option_rows[optopt - FIRST_VALUE].value;
	if (answer == ':' && takes_value) return cli_usage("%s%s%s needs a value", name, space, text);
	if (is_row) return cli_usage("%s%s%s: the option takes no value", name, space, text);
	return cli_usage("%s%s%s: no such option; see bspscene%s%s --help", name, space, text, space, name);
}

/* Reads the options in `taken`; the operands are left in argv from optind on. False: ends with *status. */
static bool read_options(int argc, char **argv, const char *style, uint64_t taken, const cli_command *command,
                         cli_args *args, cli_exit *status)
{
	struct option long_options[CLI_MOST_OPTIONS + 1];
	make_long_options(taken, long_options);
	opterr = 0;
#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__)
	optreset = 1;
	optind = 1;
#else
	optind = 0; /* also makes glibc read `style` again */
#endif
	for (;;) {
		optopt = 0;
		int answer = getopt_long(argc, argv, style, long_options, NULL);
		if (answer == -1) return true;
		if (answer == '?' || answer == ':') {
			*status = complain(answer, argv, command);
			return false;
		}
		const cli_option_row *row = &cli_option_rows[answer - FIRST_VALUE];
		if (row->option == CLI_OPTION_HELP || row->option == CLI_OPTION_VERSION) {
			if (row->option == CLI_OPTION_VERSION) printf("bspscene %s\n", bspscene_version());
			else if (command) cli_print_help(command);
			else cli_print_overview();
			*status = cli_finish_stdout();
			return false;
		}
		if (!row->apply(row, optarg, args)) {
			*status = CLI_USAGE;
			return false;
		}
	}
}

bool cli_parse_common(int argc, char **argv, cli_args *args, int *next, cli_exit *status)
{
	if (!read_options(argc, argv, "+:", CLI_OPTIONS_COMMON, NULL, args, status)) return false;
	*next = optind;
	return true;
}

bool cli_parse(int argc, char **argv, const cli_command *command, cli_args *args, cli_exit *status)
{
	if (!read_options(argc, argv, ":", command->options | CLI_OPTIONS_COMMON, command, args, status)) return false;
	uint32_t count = (uint32_t)(argc - optind);
	uint32_t most = command->most_operands ? command->most_operands : command->operand_count;
	if (count < command->operand_count || count > most) {
		*status = count > most
			? cli_usage("%s: \"%s\" is one argument too many: %s", command->name, argv[argc - 1], command->operands)
			: cli_usage("%s needs %s; see bspscene %s --help", command->name, command->operands, command->name);
		return false;
	}
	args->operands = argv + optind;
	args->operand_count = count;
	args->source = argv[optind];
	args->output = count > 1 ? argv[optind + 1] : NULL;
	return true;
}

bool cli_gives_light_style(const cli_args *args)
{
	for (int i = 0; i < CLI_LIGHT_STYLES; i++) {
		if (args->light_styles[i] != CLI_STYLE_AS_IT_IS) return true;
	}
	return false;
}

const float *cli_light_styles(const cli_args *args, const bspscene_scene *scene, float out[CLI_LIGHT_STYLES])
{
	bspscene_start_styles(scene, out);
	for (int i = 0; i < CLI_LIGHT_STYLES; i++) {
		if (args->light_styles[i] != CLI_STYLE_AS_IT_IS) out[i] = args->light_styles[i];
	}
	return cli_gives_light_style(args) ? out : NULL;
}

/* One option of --help: the name, then its lines in a column of their own. */
static void print_option(const cli_option_row *row)
{
	char *left = cli_format("--%s%s%s", row->name, row->value ? " " : "", row->value ? row->value : "");
	printf("  %-26s", left);
	if (strlen(left) > 25) printf("\n%28s", "");
	free(left);
	for (const char *at = row->help;;) {
		size_t length = strcspn(at, "\n");
		printf("%.*s\n", (int)length, at);
		if (!at[length]) return;
		printf("%28s", "");
		at += length + 1;
	}
}

void cli_print_help(const cli_command *command)
{
	printf("bspscene %s %s [OPTION]...\n\n%s\n\nOptions:\n", command->name, command->operands, command->details);
	for (size_t i = 0; i < cli_option_count; i++) {
		if (cli_option_rows[i].option & (command->options | CLI_OPTIONS_COMMON)) print_option(&cli_option_rows[i]);
	}
	printf("\nExamples:\n%s", command->examples);
}
