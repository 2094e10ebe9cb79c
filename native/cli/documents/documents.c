/* documents.c - bspscene_documents man [COMMAND] | bash | zsh | fish: prints a document; run only by the build. */
#include "cli/documents/documents.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	const cli_command *command = argc > 2 ? cli_find_command(argv[2]) : NULL;
	if (!strcmp(kind, "man") && (argc == 2 || command)) {
		cli_write_man_page(command);
	} else if (!strcmp(kind, "bash")) {
		cli_write_bash_completion();
	} else if (!strcmp(kind, "zsh")) {
		cli_write_zsh_completion();
	} else if (!strcmp(kind, "fish")) {
		cli_write_fish_completion();
	} else {
		fprintf(stderr, "bspscene_documents man [COMMAND] | bash | zsh | fish\n");
		return 2;
	}
	return fflush(stdout) || ferror(stdout);
}
