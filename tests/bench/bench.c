/* bench.c - measures time and memory of loading real maps, divided by those of reading and copying the same files:
 * bench_maps [--rounds N] MAP.bsp...
 *
 * Each map is read, loaded, converted and imported by Assimp in turn, N times; the fastest run of each task counts.
 * Each task uses one thread, and files are in the page cache. So processor time, with the kernel's part, is the whole
 * cost, and other programs do not change it. Assimp's own Q3BSP importer only reads pk3 files, so every map is packed
 * into one: uncompressed, to measure the importer itself, and compressed, as users have their maps. That importer skips
 * patches, entities and vertex colors, and leaves lightmaps as raw squares of 128 x 128 texels, which saves time. Our
 * importer for Assimp reads the same files with the same flags. It is measured with lightmap pages as PNG (its default)
 * and as raw texels, like those of Assimp's importer. */
#define _GNU_SOURCE /* declares malloc_trim */
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure.h"
#include "support/bspt.h"

#ifdef BSPT_ASSIMP
	#include <assimp/cimport.h>
	#include <assimp/scene.h>
	#include <zip.h>
#endif
#ifdef BSPT_IMPORTER
	#include <bspscene/bspscene_assimp.h>
#endif

typedef enum task {
	TASK_READ,                         /* reads the file and copies it once */
	TASK_LOAD,                         /* loads geometry, atlas and entities, without textures */
	TASK_CONVERT,                      /* loads, and writes a GLB */
	TASK_ASSIMP,                       /* imports by Assimp from a pk3 that stores the map */
	TASK_ASSIMP_DEFLATED,              /* imports by Assimp from a pk3 that compresses it, as games do */
	TASK_OURS,                         /* imports by our importer for Assimp, from the stored pk3 */
	TASK_OURS_DEFLATED,
	TASK_OURS_TEXELS,                  /* imports by ours, with lightmap pages as texels */
	TASK_COUNT
} task;

static const char *const task_names[TASK_COUNT] = {
	"read and copy", "load", "load and write GLB", "Assimp, stored pk3", "Assimp, deflated pk3",
	"ours in Assimp, stored", "ours in Assimp, deflated", "ours in Assimp, texels",
};

/* The cost of one map. A negative time means that the task is missing or failed. */
typedef struct result {
	double seconds[TASK_COUNT];
	uint64_t file_size, atlas_size, peak;
	uint32_t triangles, assimp_triangles, importer_triangles;
} result;

static bspscene_load_options load_options(void)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.textures = BSPSCENE_TEXTURES_NONE;
	return options;
}

static uint64_t atlas_size(const bspscene_scene *scene)
{
	uint64_t size = 0;
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		for (uint32_t k = 0; k < scene->lightmap_page_count; k++) {
			const bspscene_lightmap_page *page = &scene->lightmap_sets[i].pages[k];
			if (page->data)
				size += (uint64_t)page->width * page->height * (page->format == BSPSCENE_LIGHTMAP_PAGE_RGB8 ? 3 : 6);
		}
	}
	return size;
}

static bool swallow(void *user, const void *data, size_t size)
{
	uint64_t *total = user;
	(void)data;
	*total += size;
	return true;
}

static bool begin(void *user, const char *name) { (void)user; (void)name; return true; }
static bool end(void *user) { (void)user; return true; }

static bool load(const char *path, bool convert, result *out)
{
	bspscene_load_options options = load_options();
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_file(path, &options, &error);
	if (!scene) {
		fprintf(stderr, "%s\n", error.message);
		return false;
	}
	out->atlas_size = atlas_size(scene);
	out->triangles = scene->counts->triangles;
	uint64_t total = 0;
	bspscene_output output = { sizeof(bspscene_output), &total, begin, swallow, end };
	bool done = !convert || bspscene_write(scene, "glb", NULL, &output, &error);
	if (!done) fprintf(stderr, "%s\n", error.message);
	bspscene_scene_free(scene);
	return done;
}

#ifdef BSPT_ASSIMP

/* Makes a pk3 that has only this map, because Assimp's importer takes the first map that it finds. */
static void pack(const char *map, const char *pk3, zip_int32_t method)
{
	int code;
	zip_t *archive = zip_open(pk3, ZIP_CREATE | ZIP_TRUNCATE, &code);
	zip_source_t *source = archive ? zip_source_file(archive, map, 0, -1) : NULL;
	zip_int64_t index = source ? zip_file_add(archive, "maps/map.bsp", source, ZIP_FL_ENC_UTF_8) : -1;
	if (index < 0 || zip_set_file_compression(archive, (zip_uint64_t)index, method, 0) || zip_close(archive)) {
		bspt_die("pack", map);
	}
}

static void pack_both(const char *map, char pk3[2][1100])
{
	pack(map, pk3[0], ZIP_CM_STORE);
	pack(map, pk3[1], ZIP_CM_DEFLATE);
}

/* Counts the triangles with three different corners, and frees the scene. Returns false if `scene` is NULL. */
static bool count_triangles(const struct aiScene *scene, uint32_t *count)
{
	if (!scene) return false;
	*count = 0;
	for (unsigned m = 0; m < scene->mNumMeshes; m++) {
		const struct aiMesh *mesh = scene->mMeshes[m];
		for (unsigned f = 0; f < mesh->mNumFaces; f++) {
			const unsigned *corner = mesh->mFaces[f].mIndices;
			bool inside = corner[0] < mesh->mNumVertices && corner[1] < mesh->mNumVertices &&
			              corner[2] < mesh->mNumVertices;
			*count += inside && corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0];
		}
	}
	aiReleaseImport(scene);
	return true;
}

static bool import(const char *pk3, result *out)
{
	return count_triangles(aiImportFile(pk3, 0), &out->assimp_triangles);
}

#else

static void pack_both(const char *map, char pk3[2][1100]) { (void)map; (void)pk3; }
static bool import(const char *pk3, result *out) { (void)pk3; (void)out; return false; }

#endif

#ifdef BSPT_IMPORTER

static bool import_with_ours(const char *pk3, bool texels, result *out)
{
	static const char *const raw[] = { "IMPORT_BSP_TEXTURES=texels", NULL };
	bspscene_assimp_options options;
	bspscene_assimp_options_init(&options);
	if (texels) options.properties = raw;
	return count_triangles(bspscene_assimp_import_file(pk3, 0, &options), &out->importer_triangles);
}

#else

static bool import_with_ours(const char *pk3, bool texels, result *out)
{
	(void)pk3;
	(void)texels;
	(void)out;
	return false;
}

#endif

static bool run(task which, const char *map, char pk3[2][1100], result *out)
{
	switch (which) {
	case TASK_READ: return bspt_read_and_copy(map);
	case TASK_LOAD: return load(map, false, out);
	case TASK_CONVERT: return load(map, true, out);
	case TASK_ASSIMP: return import(pk3[0], out);
	case TASK_ASSIMP_DEFLATED: return import(pk3[1], out);
	case TASK_OURS: return import_with_ours(pk3[0], false, out);
	case TASK_OURS_DEFLATED: return import_with_ours(pk3[1], false, out);
	default: return import_with_ours(pk3[0], true, out);
	}
}

/* ---- Memory ----------------------------------------------------------------------------------------------- */

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

/* Prints how much a load raises the peak memory of a separate process. A first load loads the library's code. Its
 * memory is then freed, and the peak is reset before the second load, which is measured. */
static int print_peak(const char *map)
{
	result ignored;
	if (!load(map, false, &ignored)) return 1;
	malloc_trim(0);
	FILE *marks = fopen("/proc/self/clear_refs", "w");
	if (!marks || fputs("5", marks) < 0 || fclose(marks)) bspt_die("reset the peak of", map);
	uint64_t before = own_memory("VmRSS:");
	if (!load(map, false, &ignored)) return 1;
	printf("%" PRIu64 "\n", own_memory("VmHWM:") - before);
	return 0;
}

static uint64_t measure_peak(const char *program, const char *map)
{
	char command[4096];
	uint64_t peak = 0;
	snprintf(command, sizeof command, "'%s' --peak '%s'", program, map);
	FILE *pipe = popen(command, "r");
	if (!pipe || fscanf(pipe, "%" SCNu64, &peak) != 1) bspt_die("measure", map);
	pclose(pipe);
	return peak;
}

/* ---- Report ----------------------------------------------------------------------------------------------- */

static void measure(const char *program, const char *map, char pk3[2][1100], int rounds, result *out)
{
	*out = (result){ .file_size = 0 };
	for (int i = 0; i < TASK_COUNT; i++) out->seconds[i] = -1;
	bspt_bytes file = bspt_read_file(map);         /* fills the page cache */
	out->file_size = file.size;
	free(file.data);
	pack_both(map, pk3);
	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < TASK_COUNT; i++) {
			double start = bspt_processor_seconds();
			bool done = run((task)i, map, pk3, out);
			double seconds = bspt_processor_seconds() - start;
			if (done && (out->seconds[i] < 0 || seconds < out->seconds[i])) out->seconds[i] = seconds;
		}
	}
	out->peak = measure_peak(program, map);
}

static void report(const result *results, int count)
{
	double seconds[TASK_COUNT] = { 0 }, worst_memory = 0;
	bool all[TASK_COUNT];
	uint64_t bytes = 0, peak = 0, allowed = 0, triangles = 0, assimp_triangles = 0, importer_triangles = 0;
	memset(all, true, sizeof all);
	for (int i = 0; i < count; i++) {
		const result *r = &results[i];
		for (int k = 0; k < TASK_COUNT; k++) {
			all[k] = all[k] && r->seconds[k] >= 0;
			seconds[k] += r->seconds[k];
		}
		bytes += r->file_size;
		peak += r->peak;
		allowed += 3 * r->file_size + r->atlas_size;
		triangles += r->triangles;
		assimp_triangles += r->assimp_triangles;
		importer_triangles += r->importer_triangles;
		double memory = (double)r->peak / (double)(3 * r->file_size + r->atlas_size);
		if (memory > worst_memory) worst_memory = memory;
	}
	double mib = (double)bytes / (1 << 20);
	printf("%d maps, %.1f MiB, %" PRIu64 " triangles", count, mib, triangles);
	if (all[TASK_ASSIMP]) printf(" (that can be drawn of Assimp's: %" PRIu64 ")", assimp_triangles);
	if (all[TASK_OURS]) printf(" (of ours in Assimp: %" PRIu64 ")", importer_triangles);
	printf("\n\n%-26s %9s %9s %14s\n", "", "seconds", "MiB/s", "x read+copy");
	for (int k = 0; k < TASK_COUNT; k++) {
		if (!all[k]) printf("%-26s %9s\n", task_names[k], "not here");
		else printf("%-26s %9.3f %9.0f %14.2f\n", task_names[k], seconds[k], mib / seconds[k],
		            seconds[k] / seconds[TASK_READ]);
	}
	printf("\nload / read and copy: %.2f (at most 8)\n", seconds[TASK_LOAD] / seconds[TASK_READ]);
	if (assimp_triangles) {
		printf("load / Assimp: %.3f of a deflated pk3 (at most 0.25), %.3f of a stored one\n",
		       seconds[TASK_LOAD] / seconds[TASK_ASSIMP_DEFLATED], seconds[TASK_LOAD] / seconds[TASK_ASSIMP]);
	}
	if (assimp_triangles && all[TASK_OURS]) {
		printf("ours in Assimp / Assimp's own: %.2f stored, %.2f deflated, %.2f with raw lightmaps\n",
		       seconds[TASK_OURS] / seconds[TASK_ASSIMP], seconds[TASK_OURS_DEFLATED] / seconds[TASK_ASSIMP_DEFLATED],
		       seconds[TASK_OURS_TEXELS] / seconds[TASK_ASSIMP]);
	}
	printf("peak memory / (3 x file + atlas): %.2f over all, %.2f at worst (at most 1)\n",
	       (double)peak / (double)allowed, worst_memory);
}

static int compare_slowest(const void *a, const void *b)
{
	const result *const *x = a, *const *y = b;
	double rx = (*x)->seconds[TASK_LOAD] / (*x)->seconds[TASK_READ],
		ry = (*y)->seconds[TASK_LOAD] / (*y)->seconds[TASK_READ];
	return rx < ry ? 1 : rx > ry ? -1 : 0;
}

static void report_slowest(const result *results, int count, char **maps)
{
	const result **order = malloc((size_t)count * sizeof *order);
	if (!order) bspt_die("allocate", "results");
	for (int i = 0; i < count; i++) order[i] = &results[i];
	qsort(order, (size_t)count, sizeof *order, compare_slowest);
	printf("\nslowest to load, x read+copy (peak / (3 x file + atlas)):\n");
	for (int i = 0; i < count && i < 5; i++) {
		const result *r = order[i];
		printf("%8.2f %6.2f  %s\n", r->seconds[TASK_LOAD] / r->seconds[TASK_READ],
		       (double)r->peak / (double)(3 * r->file_size + r->atlas_size), maps[r - results]);
	}
	free(order);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--peak")) return print_peak(argv[2]);
	int rounds = 5, first = 1;
	if (argc > 2 && !strcmp(argv[1], "--rounds")) {
		rounds = atoi(argv[2]);
		first = 3;
	}
	if (first >= argc || rounds < 1) {
		fprintf(stderr, "usage: bench_maps [--rounds N] MAP.bsp...\n");
		return 2;
	}
	char directory[1024], pk3[2][1100];
	bspt_make_directory(directory, sizeof directory);
	snprintf(pk3[0], sizeof pk3[0], "%s/stored.pk3", directory);
	snprintf(pk3[1], sizeof pk3[1], "%s/deflated.pk3", directory);
	int count = argc - first;
	result *results = calloc((size_t)count, sizeof *results);
	if (!results) bspt_die("allocate", "results");
	for (int i = 0; i < count; i++) measure(argv[0], argv[first + i], pk3, rounds, &results[i]);
	report(results, count);
	report_slowest(results, count, argv + first);
	free(results);
	bspt_remove_directory(directory);
	return 0;
}
