/* args.c - parses argv into cli_args with getopt_long. See args.h. */
#include "cli/options/args.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/nearest.h"
#include "cli/options/option_rows.h"
#include "cli/report.h"

enum { FIRST_VALUE = 256, MOST_OPTIONS = 128 };

/* Builds getopt_long's table of the options of a command or of the program. `val` is FIRST_VALUE plus the row's
 * index. */
typedef struct taken_options {
	const cli_option_row *rows[MOST_OPTIONS];
	struct option words[MOST_OPTIONS + 1];
} taken_options;

static void list_options(const cli_command *command, taken_options *out)
{
	int count = 0;
	memset(out, 0, sizeof *out);
	for (const char *at = NULL; (out->rows[count] = cli_next_option(command, &at)); count++) {
		assert(count + 1 < MOST_OPTIONS);
		int value = out->rows[count]->value ? required_argument : no_argument;
		out->words[count] = (struct option){ out->rows[count]->name, value, NULL, FIRST_VALUE + count };
	}
}

static cli_exit complain(int answer, char **argv, const cli_command *command, const taken_options *taken)
{
	const char *text = argv[optind - 1];
	const char *name = command ? command->name : "", *space = command ? " " : "";
	char letter[3] = { '-', (char)optopt, 0 };
	if (optopt > 0 && optopt < FIRST_VALUE) text = letter;
	bool is_row = optopt >= FIRST_VALUE;
	/* On some systems, getopt also returns ':' if the user gives a value to an option that takes none. */
	bool takes_value = !is_row || taken->rows[optopt - FIRST_VALUE]->value;
	if (answer == ':' && takes_value) return cli_usage("%s%s%s needs a value", name, space, text);
	if (is_row) return cli_usage("%s%s%s: this option takes no value", name, space, text);
	cli_nearest nearest = { .typed = text + strspn(text, "-") };
	for (int i = 0; taken->rows[i]; i++) cli_nearest_offer(&nearest, taken->rows[i]->name);
	if (nearest.name && !strncmp(text, "--", 2)) {
		return cli_usage("%s%s%s: no such option; did you mean --%s? \"bspscene help%s%s\" lists all", name, space,
		                 text, nearest.name, space, name);
	}
	return cli_usage("%s%s%s: no such option; \"bspscene help%s%s\" lists all", name, space, text, space, name);
}

static bool is_own(const cli_command *command, const cli_option_row *row)
{
	for (const cli_option_row *own = command ? command->own : NULL; own && own->name; own++) {
		if (own == row) return true;
	}
	return false;
}

/* Reads the options of the command or of the program. Operands are in argv from optind on. If it returns false, the
 * program ends with *status. */
static bool read_options(int argc, char **argv, const char *style, const cli_command *command, cli_args *args,
                         cli_exit *status)
{
	taken_options taken;
	list_options(command, &taken);
	opterr = 0;
#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__)
	optreset = 1;
	optind = 1;
#else
	optind = 0; /* makes glibc start again and evaluate `style`; with 1, it would ignore `style` */
#endif
	for (;;) {
		optopt = 0;
		int answer = getopt_long(argc, argv, style, taken.words, NULL);
		if (answer == -1) return true;
		if (answer == '?' || answer == ':') {
			*status = complain(answer, argv, command, &taken);
			return false;
		}
		const cli_option_row *row = taken.rows[answer - FIRST_VALUE];
		if (!row->apply) { /* only the rows of --help and --version have no function */
			if (!strcmp(row->name, "version")) printf("bspscene %s\n", bspscene_version());
			else if (command) cli_print_help(command);
			else cli_print_overview();
			*status = cli_finish_stdout();
			return false;
		}
		if (!row->apply(row, optarg, is_own(command, row) && !row->in_args ? args->own : args)) {
			*status = CLI_USAGE;
			return false;
		}
	}
}

bool cli_parse_common(int argc, char **argv, cli_args *args, int *next, cli_exit *status)
{
	if (!read_options(argc, argv, "+:", NULL, args, status)) return false;
	*next = optind;
	return true;
}

bool cli_parse(int argc, char **argv, const cli_command *command, cli_args *args, cli_exit *status)
{
	if (command->own) args->own = cli_allocate(1, command->own_size);
	if (!read_options(argc, argv, ":", command, args, status)) return false;
	uint32_t count = (uint32_t)(argc - optind);
	uint32_t most = command->most_operands ? command->most_operands : command->operand_count;
	if (count < command->operand_count || count > most) {
		*status = count > most
			? cli_usage("%s: \"%s\" is one argument too many: the command takes %s", command->name, argv[argc - 1],
			            command->operands)
			: cli_usage("%s needs %s; \"bspscene help %s\" shows examples", command->name, command->operands,
			            command->name);
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
