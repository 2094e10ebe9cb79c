/* gallery_viewer.c - see gallery_viewer.h. */
#include "archive/gallery/gallery_viewer.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/host/platform.h"
#include "cli/json.h"
#include "cli/report.h"

/* The files of the viewer. No other files of its folder are copied. */
static const char *const parts[] = {
	"index.html",   "main.js", "viewer.css", "worker.mjs", "bspscene_core.wasm", "bspscene_files.wasm",
	"licenses.txt", "sample_quake3.webp", "sample_quake3.zip", "sample_quake.webp", "sample_quake.zip",
	"sample_goldsrc.webp", "sample_goldsrc.zip",
};

static bool copy(cli_output *output, const char *path, const char *name)
{
	char block[65536];
	FILE *file = cli_open_regular(path);
	if (!file) {
		cli_fail("%s: %s; --viewer has to name the unpacked folder of the viewer", path, strerror(errno));
		return false;
	}
	bool ok = cli_output_begin(output, name);
	for (size_t size; ok && (size = fread(block, 1, sizeof block, file)) > 0;) {
		ok = cli_output_write(output, block, size);
	}
	if (ok && ferror(file)) ok = cli_fail("%s: %s", path, strerror(errno)) == CLI_DONE;
	fclose(file);
	return ok && cli_output_end(output);
}

bool cli_gallery_viewer(cli_output *output, const char *from, const char *store)
{
	bool ok = true;
	for (size_t i = 0; i < sizeof parts / sizeof *parts && ok; i++) {
		char *path = cli_format("%s/%s", from, parts[i]), *name = cli_format("viewer/%s", parts[i]);
		cli_output_add_input(output, path);
		ok = copy(output, path, name);
		free(name);
		free(path);
	}
	if (!ok) return false;
	char *way = cli_format("../%s", store);
	json_t *where = json_object();
	json_object_set_new(where, "store", json_string(way));
	free(way);
	return cli_json_write(where, output, "viewer/store.json");
}
