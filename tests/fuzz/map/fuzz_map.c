/* fuzz_map.c - loads a map; its last 16 bytes choose the options and the use of the scene. Half of the mutations change
 * fields that the layout tables describe (mutant.h), because random bytes rarely give a valid directory. */
#include <stdlib.h>
#include <string.h>

#include "support/check/check_scene.h"
#include "support/hostile/fuzzed.h"
#include "support/hostile/mutant.h"
#include "support/make/build_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);

#define TAIL 16

/* The content of every other file is a part of the map itself, so that textures, scripts and lightmaps are fuzzed
 * too. */
typedef struct siblings {
	const uint8_t *data;
	size_t size;
	uint8_t salt;                      /* seed that chooses where each file begins in the map; 0 for no other files */
} siblings;

static bool open_sibling(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const siblings *s = user;
	uint32_t hash = s->salt;
	for (const char *p = path; *p; p++) hash = hash * 31 + (uint8_t)*p;
	(void)kind;
	if (!bspt_is_safe_path(path)) abort();
	if (!s->salt || hash % 4 == 0 || !s->size) return false;
	size_t first = hash % s->size;
	*stream = (bspscene_stream){ .data = s->data + first, .size = s->size - first, .origin = "fuzz" };
	return true;
}

static void list_siblings(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found,
                          void *found_user)
{
	const siblings *s = user;
	char path[128];
	if (!s->salt || strlen(prefix) + strlen(suffix) > 100) return;
	strcpy(path, prefix);
	strcat(path, "fuzz");
	strcat(path, suffix);
	found(found_user, path);
}

/* Sets further options from the last five bytes of `tail`. If these bytes are 0, the options stay at their
 * defaults. */
static void ask_for_more(const uint8_t *tail, bspscene_load_options *options)
{
	options->parts = (bspscene_parts)(tail[11] % 4);
	options->models = (bspscene_models)(tail[11] / 4 % 3);
	options->missing = (bspscene_missing)(tail[11] / 64 % 2);
	options->identify = tail[11] & 128;
	options->keep_map_light = tail[12] & 1;
	options->light_probes = tail[12] & 2;
	options->keep_pakfile = tail[12] & 4;
	options->reflections = tail[12] & 8;
	options->rigs = tail[12] & 16;
	options->map_rigs = tail[12] & 32;
	options->lump_patches = tail[12] & 64;
	options->skip_normal_maps = tail[12] & 128;
	options->light_range = (bspscene_light_range)(tail[13] % 3);
	options->engine = (bspscene_engine)(tail[13] / 4 % 3);
	options->threads = tail[13] / 64u;
	options->model_pose.sequence = bspt_fuzzed_sequence((uint8_t)(tail[13] / 16 % 4 * 2 + tail[14] % 2));
	options->model = options->model_pose.skin = options->model_pose.body = options->model_pose.frame = tail[14];
	options->seed = tail[15];
}

static bspscene_load_options options_of(const uint8_t *tail)
{
	static const uint32_t page_sizes[] = { 0, 16, 64, 257, 1024, 4096, 128, 512 };
	static const float patch_errors[] = { 0, 0.25f, 1, 4, 16, 64, 1024, 2 };
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.name = "fuzz";
	options.include_mask = tail[0] & 1 ? BSPSCENE_SURFACE_ALL : tail[1];
	options.textures = (bspscene_textures)(tail[2] % 3);
	options.lightmap_encoding = (bspscene_lightmap_encoding)(tail[3] % 4);
	options.lightmap_page_size = page_sizes[tail[4] % 8];
	options.lightmap_gutter = tail[5] % 17;
	options.patch_error = patch_errors[tail[6] % 8];
	options.strict = tail[7] & 1;
	options.memory_limit = (uint64_t)256 << 20;
	if (tail[8]) options.allocation_limit = (uint64_t)tail[8] * 8;
	ask_for_more(tail, &options);
	return options;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t tail[TAIL] = { 0 };
	size_t tail_size = size < TAIL ? size : TAIL;
	memcpy(tail, data + size - tail_size, tail_size);
	size -= tail_size;

	siblings user = { data, size, tail[9] };
	bspscene_load_options options = options_of(tail);
	options.open_file = open_sibling;
	options.list_files = list_siblings;
	options.file_user = &user;

	bspt_report report = { 0 };
	bspscene_scene *scene = bspt_load_fuzzed(bspi_bytes_of(data, size), &options, &report);
	bspt_assert_clean(&report);
	if (scene && tail[10] < 64) bspt_write_fuzzed(scene, bspscene_writers()[tail[10] % 5]->name, NULL, &report);
	bspscene_scene_free(scene);
	bspt_assert_clean(&report);
	return 0;
}

#ifdef BSPT_FUZZER

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
	bspt_mutation mutations[BSPT_MOST_MUTATIONS];
	if (size < TAIL || seed % 2) return LLVMFuzzerMutate(data, size, capacity);
	bspt_original original = bspt_original_of(data, size - TAIL);
	if (!bspt_mutate(&original, data, seed / 2, mutations)) return LLVMFuzzerMutate(data, size, capacity);
	return size;
}

#endif
