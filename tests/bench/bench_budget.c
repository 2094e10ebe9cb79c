/* bench_budget.c - measures how far real maps stay below bspscene_default_limit: bench_budget GAME MAP...
 *
 * GAME is a game directory. MAP is the name of one of its maps, or the path of a map file. For each map, prints which
 * shares of the limit are used by the memory for loading the map, the memory for writing it as GLB, and the size of the
 * GLB. The last line has the largest of each of these shares. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bspscene/bspscene.h>

typedef struct sink {
	uint64_t size;
} sink;

static bool begin(void *user, const char *name)
{
	(void)user;
	(void)name;
	return true;
}

static bool count(void *user, const void *data, size_t size)
{
	(void)data;
	((sink *)user)->size += size;
	return true;
}

static bool end(void *user)
{
	(void)user;
	return true;
}

static bool write_within(const bspscene_scene *scene, uint64_t limit, uint64_t *size)
{
	sink s = { 0 };
	bspscene_write_options options;
	bspscene_output output;
	bspscene_write_options_init(&options);
	bspscene_output_init(&output);
	options.memory_limit = limit;
	output.user = &s;
	output.begin = begin;
	output.write = count;
	output.end = end;
	bspscene_error error;
	bool ok = bspscene_write(scene, "glb", &options, &output, &error);
	*size = s.size;
	return ok;
}

static int measure(bspscene_scene *scene, const char *name, const bspscene_error *error, double worst[3])
{
	if (!scene) {
		printf("%s\n", error->message);
		return 1;
	}
	uint64_t limit = bspscene_default_limit(scene), size;
	double shares[3] = { (double)scene->memory_peak / (double)limit, 0, 0 };
	int eighths = 1;
	while (eighths < 8 && !write_within(scene, limit * (uint64_t)eighths / 8, &size)) eighths++;
	if (eighths == 8 && !write_within(scene, limit, &size)) eighths = 9;
	shares[1] = eighths / 8.0;
	shares[2] = (double)size / (double)limit;
	printf("%-28s read %7.2f MB, limit %7.1f MB, load %4.1f %%, write <= %d/8, GLB %4.1f %%\n", name,
	       (double)scene->input_size / 1e6, (double)limit / 1e6, shares[0] * 100, eighths, shares[2] * 100);
	fflush(stdout);
	for (int i = 0; i < 3; i++) {
		if (shares[i] > worst[i]) worst[i] = shares[i];
	}
	bspscene_scene_free(scene);
	return 0;
}

int main(int argc, char **argv)
{
	double worst[3] = { 0 };
	int failed = 0;
	bspscene_error error = { 0 };
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	if (argc < 2 || !files || !bspscene_file_system_mount_game(files, argv[1], &error)) return 2;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.open_file = bspscene_file_system_open;
	options.list_files = bspscene_file_system_list;
	options.file_user = files;
	for (int i = 2; i < argc; i++) {
		char path[512];
		bspscene_stream stream;
		bspscene_scene *scene;
		snprintf(path, sizeof path, "maps/%s.bsp", argv[i]);
		options.name = path;
		bspscene_stream_init(&stream);
		if (strchr(argv[i], '/')) {
			options.name = NULL;
			scene = bspscene_load_file(argv[i], &options, &error);
		} else if (bspscene_file_system_open(files, &stream, path, BSPSCENE_FILE_MAP)) {
			scene = bspscene_load_stream(&stream, &options, &error);
		} else {
			printf("%s: not there\n", path);
			continue;
		}
		failed += measure(scene, argv[i], &error, worst);
	}
	printf("%d failed; worst: load %.1f %%, write <= %.1f %%, GLB %.1f %%\n", failed, worst[0] * 100, worst[1] * 100,
	       worst[2] * 100);
	bspscene_file_system_free(files);
	return failed != 0;
}
