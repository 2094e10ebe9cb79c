/* write_models.c - writes a small model of every format, with the other files that some formats need: write_models
 * DIRECTORY makes DIRECTORY/md3-crate.md3 and so on. */
#include <stdio.h>
#include <string.h>

#include "support/bspt.h"
#include "support/models/build_model.h"

static void put(const char *directory, const bspt_model_file *file, const char *ending, bspi_bytes bytes)
{
	char path[1024];
	const char *name = strrchr(file->path, '/') + 1;
	int length = (int)(strrchr(name, '.') - name);
	int size = snprintf(path, sizeof path, "%s/%s-%.*s%s", directory, file->format, length, name, ending);
	if (size >= (int)sizeof path) bspt_die("name", file->path);
	bspt_write_file(path, bytes.data, bytes.size);
}

int main(int argc, char **argv)
{
	if (argc != 2) return 2;
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		bspt_model_file file = bspt_build_model(i);
		const char *ending = strrchr(file.path, '.');
		if (!ending) continue; /* skips an xmodel, whose files are in separate folders */
		put(argv[1], &file, ending, file.bytes);
		for (uint32_t k = 0; k < file.sibling_count; k++) {
			put(argv[1], &file, file.siblings[k].ending, file.siblings[k].bytes);
		}
	}
	return 0;
}
