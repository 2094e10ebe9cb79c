/* own_files.c - a map whose files come from a file system of the program's own (here: a folder, by stdio):
 * own_files atrium.bsp baseq3. Quake III's scripts are searched, which takes options.list_files besides. */
#include <bspscene/bspscene.h>
#include <stdio.h>

static size_t read_file(void *user, void *data, size_t size)
{
	size_t got = fread(data, 1, size, user);
	return got || !ferror((FILE *)user) ? got : SIZE_MAX;
}

static void close_file(void *user)
{
	fclose(user);
}

/* Game paths have no ".." in them, and '/' everywhere. */
static bool open_file(void *folder, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	char name[1024];
	(void)kind;
	if (snprintf(name, sizeof name, "%s/%s", (const char *)folder, path) >= (int)sizeof name) return false;
	stream->user = fopen(name, "rb");
	stream->read = read_file;
	stream->close = close_file;
	stream->size = UINT64_MAX;
	return stream->user != NULL;
}

int main(int argc, char **argv)
{
	if (argc != 3) return fprintf(stderr, "usage: %s MAP.bsp FOLDER\n", argv[0]), 2;
	bspscene_error error;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.open_file = open_file;
	options.file_user = argv[2];
	bspscene_scene *scene = bspscene_load_file(argv[1], &options, &error);
	if (!scene) return fprintf(stderr, "%s\n", error.message), 1;
	printf("%u textures, %u missing\n", scene->counts->textures_found, scene->counts->textures_missing);
	bspscene_scene_free(scene);
	return 0;
}
