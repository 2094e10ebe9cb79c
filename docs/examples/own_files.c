/* own_files.c - loads a map whose files come from the program's own file system (here: the current folder, by stdio):
 * own_files maps/atrium.bsp. The shader scripts of Quake III have no fixed names, so a program that wants them also
 * sets options.list_files. */
#include <bspscene/bspscene.h>
#include <stdio.h>

static size_t read_file(void *file, void *data, size_t size)
{
	size_t got = fread(data, 1, size, file);
	return got || !ferror(file) ? got : SIZE_MAX;
}

static void close_file(void *file) { fclose(file); }

/* Game paths are relative, never contain "..", and use '/' on every system. */
static bool open_file(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	(void)user, (void)kind;
	stream->read = read_file;
	stream->close = close_file;
	return (stream->user = fopen(path, "rb")) != NULL;
}

int main(int argc, char **argv)
{
	bspscene_error error = { .message = "usage: own_files MAP.bsp" };
	bspscene_load_options options = { .struct_size = sizeof options, .open_file = open_file };
	bspscene_scene *scene = argc == 2 ? bspscene_load_file(argv[1], &options, &error) : NULL;
	if (scene) printf("%u textures, %u missing\n", scene->counts->textures_found, scene->counts->textures_missing);
	else fprintf(stderr, "%s\n", error.message);
	bspscene_scene_free(scene);
	return scene ? 0 : 1;
}
