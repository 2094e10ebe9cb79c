/* costs.c - measures the processor time of operations on maps: costs ROUNDS WORK,... MAP...
 *
 * Each operation runs in a child process, once in each round; the least time counts. So memory comes from the system
 * each time, as in a program that loads one map. The library's code is loaded before. Times are processor time of one
 * thread. The kernel's part is included, because the system separates it only by clock ticks, which are longer than
 * most operations. Prints a line of JSON for each map. */
#define _GNU_SOURCE /* declares clocks and fork */
#include <bspscene/bspscene.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef HAS_ASSIMP
	#include <assimp/cimport.h>
#endif

typedef struct cost {
	double seconds;                    /* below 0 if the work failed */
	uint64_t peak, triangles;          /* bytes that the work added to the process's memory at its peak; number of
	                                    * triangles in the scene */
} cost;

static bool read_and_copy(const char *path)
{
	FILE *file = fopen(path, "rb");
	if (!file || fseek(file, 0, SEEK_END)) return false;
	long size = ftell(file);
	rewind(file);
	char *data = malloc((size_t)size + 1), *copy = malloc((size_t)size + 1);
	bool ok = data && copy && fread(data, 1, (size_t)size, file) == (size_t)size;
	if (ok) memcpy(copy, data, (size_t)size);
	volatile char last = ok ? copy[size / 2] : 0; /* keeps the compiler from removing the copy */
	(void)last;
	free(copy);
	free(data);
	fclose(file);
	return ok;
}

static bool begin(void *user, const char *name) { (void)user; (void)name; return true; }
static bool swallow(void *user, const void *data, size_t size) { (void)user; (void)data; (void)size; return true; }
static bool end(void *user) { (void)user; return true; }

static bool load(const char *path, const char *writer, bspscene_write_lighting lighting, cost *out)
{
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	options.textures = BSPSCENE_TEXTURES_NONE;
	bspscene_write_options write;
	bspscene_write_options_init(&write);
	write.lighting = lighting;
	options.threads = write.threads = 1;
	options.sparse_lightmaps = true; /* as the command line loads maps */
	bspscene_scene *scene = bspscene_load_file(path, &options, &error);
	if (!scene) return false;
	out->triangles = scene->counts->triangles;
	bspscene_output to;
	bspscene_output_init(&to);
	to.begin = begin;
	to.write = swallow;
	to.end = end;
	bool done = !writer || bspscene_write(scene, writer, &write, &to, &error);
	bspscene_scene_free(scene);
	return done;
}

static bool import(const char *path)
{
#ifdef HAS_ASSIMP
	const struct aiScene *scene = aiImportFile(path, 0);
	if (scene) aiReleaseImport(scene);
	return scene != NULL;
#else
	(void)path;
	return false;
#endif
}

static bool work(const char *what, const char *path, cost *out)
{
	if (!strcmp(what, "read")) return read_and_copy(path);
	if (!strcmp(what, "load")) return load(path, NULL, BSPSCENE_WRITE_LIGHTING_DEFAULT, out);
	if (!strcmp(what, "glb")) return load(path, "glb", BSPSCENE_WRITE_LIGHTING_DEFAULT, out);
	if (!strcmp(what, "glb_lightmap")) return load(path, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, out);
	return !strcmp(what, "assimp") && import(path);
}

/* ---- Measuring -------------------------------------------------------------------------------------------- */

static double processor_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t own_memory(const char *what)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[256];
	uint64_t kib = 0;
	while (status && fgets(line, sizeof line, status)) {
		if (!strncmp(line, what, strlen(what))) kib = strtoull(line + strlen(what), NULL, 10);
	}
	if (status) fclose(status);
	return kib << 10;
}

static void reset_peak(void)
{
	FILE *marks = fopen("/proc/self/clear_refs", "w");
	if (!marks) return;
	fputs("5", marks);
	fclose(marks);
}

static cost measure(const char *what, const char *path)
{
	int ends[2];
	cost out = { .seconds = -1 };
	if (pipe(ends)) return out;
	pid_t child = fork();
	if (!child) {
		reset_peak();
		uint64_t before = own_memory("VmRSS:");
		double start = processor_seconds();
		bool done = work(what, path, &out);
		double seconds = processor_seconds() - start;
		uint64_t peak = own_memory("VmHWM:");
		if (done) out.seconds = seconds;
		out.peak = peak > before ? peak - before : 0;
		_exit(write(ends[1], &out, sizeof out) == sizeof out ? 0 : 1);
	}
	close(ends[1]);
	if (child < 0 || read(ends[0], &out, sizeof out) != sizeof out) out.seconds = -1;
	close(ends[0]);
	if (child > 0) waitpid(child, NULL, 0);
	return out;
}

enum { MOST_WORKS = 8 };

static void measure_map(const char *path, int rounds, char *const works[MOST_WORKS], int count)
{
	cost least[MOST_WORKS];
	for (int i = 0; i < count; i++) least[i].seconds = -1;
	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < count; i++) {
			cost one = measure(works[i], path);
			if (one.seconds >= 0 && (least[i].seconds < 0 || one.seconds < least[i].seconds)) least[i] = one;
		}
	}
	printf("{\"map\": \"%s\"", path);
	for (int i = 0; i < count; i++) {
		if (least[i].seconds < 0) continue;
		printf(", \"%s\": {\"seconds\": %.6f, \"peak\": %" PRIu64, works[i], least[i].seconds, least[i].peak);
		printf(", \"triangles\": %" PRIu64 "}", least[i].triangles);
	}
	printf("}\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int rounds = argc > 3 ? atoi(argv[1]) : 0, count = 0;
	char *works[MOST_WORKS];
	for (char *work = rounds > 0 ? strtok(argv[2], ",") : NULL; work && count < MOST_WORKS; work = strtok(NULL, ",")) {
		works[count++] = work;
	}
	if (!count) {
		fprintf(stderr, "usage: costs ROUNDS read,load,glb,glb_lightmap,assimp MAP...\n");
		return 2;
	}
	cost ignored;
	/* Loads a map once, so that child processes have the library's code. */
	load(argv[3], NULL, BSPSCENE_WRITE_LIGHTING_DEFAULT, &ignored);
	for (int i = 3; i < argc; i++) measure_map(argv[i], rounds, works, count);
	return 0;
}
