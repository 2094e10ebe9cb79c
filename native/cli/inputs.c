/* inputs.c - compares files by the system's file numbers, not by their names. See inputs.h. */
#include "cli/inputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/host/platform.h"
#include "cli/read_stream.h"
#include "cli/report.h"

bool cli_is_input(const cli_source *source, const char *path)
{
	if (cli_kind_of(path, true) == CLI_PATH_ABSENT) return false;
	if (cli_is_same_file(path, source->path)) return true;
	if (!source->place) return false;
	const bspscene_file_system *files = bspscene_source_file_system(source->place);
	const char *searched;
	for (uint32_t i = 0; (searched = bspscene_file_system_search_path(files, i)); i++) {
		if (cli_is_same_file(path, searched)) return true;
	}
	return false;
}

static size_t read_some(void *user, void *buffer, size_t size)
{
	size_t got = fread(buffer, 1, size, user);
	return got || !ferror((FILE *)user) ? got : SIZE_MAX;
}

char *cli_read_file(const char *path, size_t *size)
{
	bool standard = !strcmp(path, "-");
	FILE *file = standard ? stdin : cli_open_to_read(path);
	if (!file) {
		cli_fail("%s: %s", path, strerror(errno));
		return NULL;
	}
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	stream.user = file;
	stream.read = read_some;
	char *text = cli_read_stream(&stream, CLI_LARGEST_INPUT, size);
	if (!text) cli_fail("%s: cannot be read", path);
	if (!standard) fclose(file);
	return text;
}
