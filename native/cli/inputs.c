/* inputs.c - files by what the system knows them by, and not by their names. See inputs.h. */
#include "cli/inputs.h"

#include "cli/host/platform.h"

bool cli_is_input(const cli_source *source, const char *path)
{
	if (cli_kind_of(path, true) == CLI_PATH_ABSENT) return false;
	if (cli_is_same_file(path, source->path)) return true;
	if (!source->place) return false;
	const bspscene_files *files = bspscene_place_files(source->place);
	const char *searched;
	for (uint32_t i = 0; (searched = bspscene_files_search_path(files, i)); i++) {
		if (cli_is_same_file(path, searched)) return true;
	}
	return false;
}
