/* Promise: a program that was compiled with a header of another layout is told so in words by its first load, and
 * nothing is written behind its structs. The header is one of 0.1, whose load options had 120 bytes and whose lights
 * had 48: a later library of 0.1 wrote 128 into the first, and moved all but the first of the second, under one soname.
 *
 *     old_program MAP.bsp
 */
#include <bspscene.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CANARY 0xa5
#define ROOM 256

static unsigned broken;

#define EXPECT(condition, ...) \
	do { \
		if (!(condition)) { \
			printf("%s:%d: ", __FILE__, __LINE__); \
			printf(__VA_ARGS__); \
			printf("\n"); \
			broken++; \
		} \
	} while (0)

/* A struct as a program has it on its stack, with what lies behind it. */
typedef struct guarded {
	union { bspscene_load_options load; bspscene_write_options write; bspscene_stream stream; } as;
	unsigned char behind[ROOM];
} guarded;

static void prepare(guarded *g) { memset(g, CANARY, sizeof *g); }

static void expect_untouched(const guarded *g, size_t size, const char *what)
{
	const unsigned char *bytes = (const unsigned char *)g;
	for (size_t i = size; i < sizeof *g; i++) {
		if (bytes[i] == CANARY) continue;
		EXPECT(false, "%s: byte %zu behind a struct of %zu is overwritten", what, i - size, size);
		return;
	}
}

static void expect_refused(const bspscene_scene *scene, const bspscene_error *error, const char *what)
{
	if (scene) {
		for (uint32_t i = 0; i < scene->light_count && i < 3; i++) {
			printf("light %u: kind %d, radius %g\n", (unsigned)i, (int)scene->lights[i].kind,
			       (double)scene->lights[i].radius);
		}
	}
	EXPECT(!scene, "%s gives a scene whose structs the program misreads", what);
	if (scene) return;
	EXPECT(error->status == BSPSCENE_ERROR_BAD_OPTIONS, "%s: status %d", what, (int)error->status);
	EXPECT(strstr(error->message, "layout 1"), "%s: \"%s\"", what, error->message);
}

static size_t read_none(void *user, void *data, size_t size)
{
	(void)user;
	(void)data;
	(void)size;
	return 0;
}

static void load_all_ways(const char *path)
{
	static const char head[64] = "IBSP";
	bspscene_error error;
	guarded options;
	prepare(&options);
	bspscene_load_options_init(&options.as.load);
	expect_untouched(&options, sizeof options.as.load, "load options");
	expect_refused(bspscene_load_file(path, &options.as.load, &error), &error, "a file with options");
	printf("%s\n", error.message);
	expect_refused(bspscene_load_file(path, NULL, &error), &error, "a file");
	expect_refused(bspscene_load_memory(head, sizeof head, NULL, &error), &error, "memory");
	const bspscene_stream stream = { .read = read_none, .size = UINT64_MAX };
	expect_refused(bspscene_load_stream(&stream, NULL, &error), &error, "a stream");
	EXPECT(!bspscene_load_file(path, NULL, NULL), "without an error struct");
}

/* What else it may call before it loads anything. */
static void prepare_everything_else(const char *path)
{
	guarded options, stream;
	prepare(&options);
	bspscene_write_options_init(&options.as.write);
	expect_untouched(&options, sizeof options.as.write, "write options");
	EXPECT(!bspscene_probe("IBSP\x2e\0\0\0", 8), "probe: something");

	bspscene_files *files = bspscene_files_create();
	prepare(&stream);
	if (!bspscene_files_mount(files, path, NULL)) EXPECT(false, "%s: not mounted", path);
	EXPECT(!bspscene_files_open(files, &stream.as.stream, "atrium.bsp", BSPSCENE_FILE_MAP), "opened into a stream");
	expect_untouched(&stream, 0, "stream");
	memset(&stream.as.stream, 0, sizeof stream.as.stream);
	EXPECT(!bspscene_files_open(files, &stream.as.stream, "atrium.bsp", BSPSCENE_FILE_MAP), "opened into zeroes");
	expect_untouched(&stream, sizeof stream.as.stream, "zeroed stream");
	bspscene_files_free(files);
}

int main(int argc, char **argv)
{
	if (argc != 3) return 2; /* a map, and the directory it is in */
	load_all_ways(argv[1]);
	prepare_everything_else(argv[2]);
	return broken ? EXIT_FAILURE : EXIT_SUCCESS;
}
