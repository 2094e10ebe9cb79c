/* write_moving.c - writes the small animated models: write_moving DIRECTORY makes DIRECTORY/moving.md3 and so on. */
#include <stdio.h>
#include <string.h>

#include "support/bspt.h"
#include "support/models/build_moving.h"

int main(int argc, char **argv)
{
	if (argc != 2) return 2;
	for (uint32_t i = 0; i < bspt_moving_count; i++) {
		const bspt_moving_model model = bspt_build_moving(i);
		char path[1024];
		const char *folder = strncmp(model.path, "progs", 5) ? "" : "quake-";
		int size = snprintf(path, sizeof path, "%s/%s%s", argv[1], folder, strrchr(model.path, '/') + 1);
		if (size >= (int)sizeof path) bspt_die("name", model.path);
		bspt_write_file(path, model.bytes.data, model.bytes.size);
		for (int k = 0; k < 2 && model.siblings[k].path; k++) {
			snprintf(path, sizeof path, "%s/%s", argv[1], strrchr(model.siblings[k].path, '/') + 1);
			bspt_write_file(path, model.siblings[k].bytes.data, model.siblings[k].bytes.size);
		}
	}
	return 0;
}
