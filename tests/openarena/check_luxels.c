/* check_luxels.c - every luxel of every map of OpenArena, read through the second uvs, equals that in the file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/bspt.h"
#include "support/check/check_atlas.h"

enum { SKIPPED = 77 };

typedef struct batch {
	bspscene_file_system *files;
	uint32_t maps, failed;
	uint64_t luxels;
} batch;

static bspt_bytes read_all(bspscene_file_system *files, const char *path)
{
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	bspt_bytes bytes = { malloc(1), 0 };
	if (!bspscene_file_system_open(files, &stream, path, BSPSCENE_FILE_MAP)) bspt_die("open", path);
	size_t got = 1;
	while (!stream.data && got && got != SIZE_MAX) {
		bytes.data = realloc(bytes.data, bytes.size + (1 << 20));
		if (!bytes.data) bspt_die("hold", path);
		got = stream.read(stream.user, bytes.data + bytes.size, 1 << 20);
		bytes.size += got != SIZE_MAX ? got : 0;
	}
	if (stream.data) {
		bytes.size = (size_t)stream.size;
		bytes.data = realloc(bytes.data, bytes.size + 1);
		if (!bytes.data) bspt_die("hold", path);
		memcpy(bytes.data, stream.data, bytes.size);
	}
	if (stream.close) stream.close(stream.user);
	if (got == SIZE_MAX) bspt_die("read", path);
	return bytes;
}

static void check_map(void *user, const char *path)
{
	batch *b = user;
	bspt_report report = { 0 };
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_RAW;
	bspt_bytes file = read_all(b->files, path);
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
	bspt_context(&report, "%s", path);
	BSPT_EXPECT(&report, scene != NULL, "%s", error.message);
	if (scene) b->luxels += bspt_check_atlas(scene, file.data, file.size, NULL, 0, &report);
	if (report.failures) printf("%s\n", report.first);
	b->maps++;
	b->failed += report.failures > 0;
	bspscene_scene_free(scene);
	free(file.data);
}

int main(void)
{
	const char *game = getenv("BSPSCENE_OPENARENA");
	if (!game) {
		printf("skipped: BSPSCENE_OPENARENA names no directory with pk3 files\n");
		return SKIPPED;
	}
	batch b = { .files = bspscene_file_system_create(NULL) };
	bspscene_error error;
	if (!b.files || !bspscene_file_system_mount_game(b.files, game, &error)) bspt_die("mount", game);
	bspscene_file_system_list(b.files, "maps/", ".bsp", check_map, &b);
	bspscene_file_system_free(b.files);
	printf("%u maps, %u luxels compared, %u maps are wrong\n", (unsigned)b.maps, (unsigned)b.luxels,
	       (unsigned)b.failed);
	return b.maps && b.luxels && !b.failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
