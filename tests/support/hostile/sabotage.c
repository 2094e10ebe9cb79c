/* sabotage.c - damaged sibling files (textures, scripts, lightmaps). See hostile.h. */
#include "support/hostile/hostile.h"

#include <stdlib.h>
#include <string.h>

#include "support/check/check_scene.h"

typedef enum sibling_mode {
	SIBLING_ABSENT, SIBLING_EMPTY, SIBLING_CUT, SIBLING_GARBLED, SIBLING_NOISE, SIBLING_FAILS, SIBLING_ENDLESS,
	SIBLING_CLAIMS_MUCH, SIBLING_MODE_COUNT
} sibling_mode;

static const char *const sibling_mode_names[SIBLING_MODE_COUNT] = {
	"absent", "empty", "cut", "garbled", "noise", "failing", "endless", "claiming much",
};

/* Wraps the victim's open_file. `seed` makes every run the same. */
typedef struct saboteur {
	const bspscene_load_options *inner;
	sibling_mode mode;
	uint32_t seed;
	uint32_t opened, closed;
} saboteur;

typedef struct sabotaged {
	saboteur *owner;
	bspscene_stream stream;            /* stream of the real file */
	uint8_t *data;
	size_t size, at;
} sabotaged;

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static size_t read_sabotaged(void *user, void *data, size_t size)
{
	sabotaged *file = user;
	if (file->owner->mode == SIBLING_ENDLESS) {
		memset(data, 'a', size);
		return size;
	}
	if (size > file->size - file->at) size = file->size - file->at;
	if (file->owner->mode == SIBLING_FAILS && file->at + size == file->size) return SIZE_MAX;
	memcpy(data, file->data + file->at, size);
	file->at += size;
	return size;
}

static void close_sabotaged(void *user)
{
	sabotaged *file = user;
	file->owner->closed++;
	free(file->data);
	free(file);
}

/* Reads the whole real file, so that it can be changed. */
static void swallow(sabotaged *file)
{
	size_t capacity = 0, got;
	do {
		capacity += 65536;
		file->data = realloc(file->data, capacity);
		if (!file->data) bspt_die("allocate", "a sibling");
		const bspscene_stream *stream = &file->stream;
		if (stream->data) {
			got = (size_t)stream->size - file->size;
			if (got > capacity - file->size) got = capacity - file->size;
			if (got) memcpy(file->data + file->size, (const uint8_t *)stream->data + file->size, got);
		} else {
			got = stream->read(stream->user, file->data + file->size, capacity - file->size);
		}
		if (got == SIZE_MAX) bspt_die("read", "a sibling");
		file->size += got;
	} while (file->size == capacity);
	if (file->stream.close) file->stream.close(file->stream.user);
}

static bool open_sabotaged(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	saboteur *owner = user;
	sabotaged *file = calloc(1, sizeof *file);
	if (!file) bspt_die("allocate", path);
	if (!bspt_is_safe_path(path)) bspt_die("accept the path", path);
	file->owner = owner;
	bspscene_stream_init(&file->stream);
	if (owner->mode == SIBLING_ABSENT || !owner->inner->open_file(owner->inner->file_user, &file->stream, path, kind)) {
		free(file);
		return false;
	}
	swallow(file);
	if (owner->mode == SIBLING_EMPTY) file->size = 0;
	if (owner->mode == SIBLING_CUT && file->size) file->size = next_random(&owner->seed) % file->size;
	size_t changes = owner->mode == SIBLING_GARBLED ? 8 : owner->mode == SIBLING_NOISE ? file->size : 0;
	for (size_t i = 0; i < changes && file->size; i++) {
		/* Headers matter most: half of the changes hit the first 64 bytes. */
		size_t reach = owner->mode == SIBLING_GARBLED && i % 2 && file->size > 64 ? 64 : file->size;
		size_t at = owner->mode == SIBLING_NOISE ? i : next_random(&owner->seed) % reach;
		file->data[at] = (uint8_t)next_random(&owner->seed);
	}
	owner->opened++;
	*stream = (bspscene_stream){ .user = file, .read = read_sabotaged, .close = close_sabotaged, .size = file->size,
	                             .origin = "sabotage" };
	if (owner->mode == SIBLING_ENDLESS) stream->size = UINT64_MAX;
	if (owner->mode == SIBLING_CLAIMS_MUCH) stream->size = UINT64_MAX - 1;
	return true;
}

static void list_siblings(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found,
                          void *found_user)
{
	const saboteur *owner = user;
	if (owner->inner->list_files) owner->inner->list_files(owner->inner->file_user, prefix, suffix, found, found_user);
}

void bspt_hostile_siblings(const bspt_victim *victim, bspt_tally *tally, bspt_report *report)
{
	if (!victim->options.open_file) return;
	for (int mode = 0; mode < SIBLING_MODE_COUNT; mode++) {
		uint32_t rounds = mode == SIBLING_CUT || mode == SIBLING_GARBLED ? 64 / victim->stride + 4 : 1;
		for (uint32_t round = 0; round < rounds && !report->failures; round++) {
			saboteur owner = { .inner = &victim->options, .mode = (sibling_mode)mode, .seed = round * 7919 + 1 };
			bspscene_load_options options = victim->options;
			options.open_file = open_sabotaged;
			options.file_user = &owner;
			options.list_files = list_siblings;
			options.memory_limit = (uint64_t)64 << 20;
			bspt_context(report, "%s with siblings %s, round %u", victim->name, sibling_mode_names[mode], round);
			bspt_hostile_load(victim, victim->data, victim->size, &options, NULL, tally, report);
			BSPT_EXPECT(report, owner.opened == owner.closed, "%u siblings opened, %u closed", owner.opened,
			            owner.closed);
		}
	}
}
