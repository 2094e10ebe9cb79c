/* commands.c - the table of all commands. */
#include "cli/commands/commands.h"

#include <stdlib.h>
#include <string.h>

#include "cli/names.h"
#include "cli/options/nearest.h"
#include "cli/report.h"

const cli_command *const cli_commands[] = {
#define CLI_COMMAND(name) &cli_command_##name,
#include "cli/commands/commands.def"
#undef CLI_COMMAND
	NULL,
};

const cli_command *cli_find_command(const char *name)
{
	for (int i = 0; cli_commands[i]; i++) {
		if (!strcmp(cli_commands[i]->name, name)) return cli_commands[i];
	}
	return NULL;
}

char *cli_summary_of(const cli_command *command)
{
	const char *at = strstr(command->summary, CLI_ENDINGS);
	if (!at) return cli_format("%s", command->summary);
	char *endings = cli_written_endings(false);
	char *summary = cli_format("%.*s%s%s", (int)(at - command->summary), command->summary, endings,
	                           at + strlen(CLI_ENDINGS));
	free(endings);
	return summary;
}

cli_exit cli_unknown_command(const char *name)
{
	cli_nearest nearest = { .typed = name };
	for (int i = 0; cli_commands[i]; i++) cli_nearest_offer(&nearest, cli_commands[i]->name);
	if (!nearest.name) return cli_usage("\"%s\" is not a command; \"bspscene help\" lists all", name);
	return cli_usage("\"%s\" is not a command; did you mean \"%s\"? \"bspscene help\" lists all", name, nearest.name);
}
