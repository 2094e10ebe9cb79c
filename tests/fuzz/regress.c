/* regress.c - replays corpora through a fuzz target without libFuzzer: regress_map [--whole] CORPUS... A corpus is a
 * file or a folder of files. Without --whole, the target also gets the first 0, 1, 2, ... up to 63 bytes of each file,
 * because headers end there. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/bspt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t files, inputs, prefixes = 64;

static void replay_file(const char *path)
{
	bspt_bytes file = bspt_read_file(path);
	/* Prints the name before the run, so that the last line names the input of a crash. */
	fprintf(stderr, "%s (%zu bytes)\n", path, file.size);
	for (size_t cut = 0; cut < prefixes && cut < file.size; cut++, inputs++) LLVMFuzzerTestOneInput(file.data, cut);
	/* The target gets a copy of the exact size, so that a sanitizer notices reads beyond its end. */
	uint8_t *exact = malloc(file.size ? file.size : 1);
	if (!exact) bspt_die("allocate", path);
	memcpy(exact, file.data, file.size);
	LLVMFuzzerTestOneInput(exact, file.size);
	files++;
	inputs++;
	free(exact);
	free(file.data);
}

static void replay(const char *path)
{
	struct stat status;
	if (stat(path, &status)) bspt_die("find", path);
	if (!S_ISDIR(status.st_mode)) {
		replay_file(path);
		return;
	}
	struct dirent **entries;
	int count = scandir(path, &entries, NULL, alphasort);
	if (count < 0) bspt_die("list", path);
	for (int i = 0; i < count; i++) {
		char inside[4096];
		snprintf(inside, sizeof inside, "%s/%s", path, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.') replay_file(inside);
		free(entries[i]);
	}
	free(entries);
}

int main(int argc, char **argv)
{
	bool whole = argc > 1 && !strcmp(argv[1], "--whole");
	if (whole) prefixes = 0;
	for (int i = 1 + whole; i < argc; i++) replay(argv[i]);
	printf("%u files, %u inputs\n", files, inputs);
	return files ? 0 : 1;
}
