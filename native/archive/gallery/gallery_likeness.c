/* gallery_likeness.c - see gallery_likeness.h. */
#include "archive/gallery/gallery_likeness.h"

#include <stdlib.h>
#include <string.h>

#include "archive/gallery/gallery_record.h"
#include "cli/report.h"
#include "cli/text_set.h"

/* Number of hashes in a signature of a map. */
enum { VALUES = 64 };
/* Number of hashes in a band of a signature. Maps with an equal band are candidates for being similar. */
enum { PIECE = 2 };
/* Candidates with an equal band are listed in the order of their maps. Each is compared with at most this many that
 * follow it. */
enum { WINDOW = 16 };

typedef struct signature {
	uint32_t values[VALUES];           /* for each of 64 hash functions, its smallest value for any item of the map */
	bool empty;
} signature;

typedef struct candidate {
	uint64_t piece;
	uint32_t map;
} candidate;

struct cli_likeness {
	signature *signatures;
	cli_neighbor (*neighbors)[CLI_NEIGHBORS];
	size_t count, room;
};

cli_likeness *cli_likeness_begin(size_t count)
{
	cli_likeness *likeness = cli_allocate(1, sizeof *likeness);
	likeness->signatures = cli_allocate(count, sizeof *likeness->signatures);
	likeness->neighbors = cli_allocate(count, sizeof *likeness->neighbors);
	likeness->room = count;
	return likeness;
}

/* ---- Signatures ------------------------------------------------------------------------------------------- */

/* The finalizer of splitmix64 (public domain): every input bit affects all output bits. */
static uint64_t mix(uint64_t number)
{
	number = (number ^ (number >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ (number >> 27)) * UINT64_C(0x94d049bb133111eb);
	return number ^ (number >> 31);
}

static void add_feature(signature *to, uint64_t hash)
{
	uint64_t value = mix(hash), step = mix(value) | 1;
	for (size_t i = 0; i < VALUES; i++) {
		value += step;
		uint32_t high = (uint32_t)(value >> 32);
		if (high < to->values[i]) to->values[i] = high;
	}
	to->empty = false;
}

/* Adds an item to a signature. `kind` distinguishes, for example, a texture and a model with the same name. */
static void add_text(signature *to, const char *kind, const char *text)
{
	add_feature(to, cli_hash(text, strlen(text)) ^ mix(cli_hash(kind, strlen(kind))));
}

void cli_likeness_add(cli_likeness *likeness, const json_t *record)
{
	signature *added = &likeness->signatures[likeness->count++];
	const json_t *needs = json_object_get(record, "needs"), *classes = json_object_get(record, "classes");
	memset(added->values, 0xff, sizeof added->values);
	added->empty = true;
	for (size_t i = 0; i < json_array_size(needs); i++) {
		const json_t *need = json_array_get(needs, i);
		add_text(added, cli_record_text(need, "kind"), cli_record_text(need, "name"));
	}
	for (size_t i = 0; i < json_array_size(classes); i++) {
		const char *name = json_string_value(json_array_get(json_array_get(classes, i), 0));
		if (strcmp(name, "worldspawn") != 0) add_text(added, "class", name);
	}
}

/* ---- Neighbors ------------------------------------------------------------------------------------------- */

static uint32_t compare(const signature *one, const signature *other)
{
	uint32_t equal = 0;
	for (size_t i = 0; i < VALUES; i++) equal += one->values[i] == other->values[i];
	return 100 * equal / VALUES;
}

/* Inserts a neighbor into the sorted list of a map's neighbors. Keeps only the most similar map of each group. If the
 * list is full, drops its last entry. */
static void insert(cli_likeness *likeness, const uint32_t *groups, uint32_t map, cli_neighbor added)
{
	cli_neighbor *list = likeness->neighbors[map];
	size_t at = 0, end = CLI_NEIGHBORS - 1;
	while (at < CLI_NEIGHBORS && list[at].percent >= added.percent) {
		if (groups[list[at].map] == groups[added.map]) return;
		at++;
	}
	for (size_t i = at; i < CLI_NEIGHBORS && list[i].percent; i++) {
		if (groups[list[i].map] == groups[added.map]) end = i;
	}
	if (at == CLI_NEIGHBORS) return;
	memmove(list + at + 1, list + at, (end - at) * sizeof *list);
	list[at] = added;
}

static int compare_candidates(const void *a, const void *b)
{
	const candidate *one = a, *other = b;
	if (one->piece != other->piece) return one->piece < other->piece ? -1 : 1;
	return (one->map > other->map) - (one->map < other->map);
}

static void compare_run(cli_likeness *likeness, const uint32_t *groups, const candidate *run, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t k = i + 1; k < count && k <= i + WINDOW; k++) {
			uint32_t one = run[i].map, other = run[k].map;
			if (groups[one] == groups[other]) continue;
			uint32_t percent = compare(&likeness->signatures[one], &likeness->signatures[other]);
			if (percent < CLI_LEAST_LIKENESS) continue;
			insert(likeness, groups, one, (cli_neighbor) { other, percent });
			insert(likeness, groups, other, (cli_neighbor) { one, percent });
		}
	}
}

void cli_likeness_find(cli_likeness *likeness, const uint32_t *groups)
{
	candidate *candidates = cli_allocate(likeness->count, sizeof *candidates);
	for (size_t first = 0; first < VALUES; first += PIECE) {
		size_t count = 0;
		for (uint32_t i = 0; i < likeness->count; i++) {
			const signature *one = &likeness->signatures[i];
			uint64_t piece = (uint64_t)one->values[first] << 32 | one->values[first + 1];
			if (!one->empty) candidates[count++] = (candidate) { piece, i };
		}
		if (count) qsort(candidates, count, sizeof *candidates, compare_candidates);
		for (size_t i = 0, end; i < count; i = end) {
			for (end = i + 1; end < count && candidates[end].piece == candidates[i].piece;) end++;
			compare_run(likeness, groups, candidates + i, end - i);
		}
	}
	free(candidates);
}

const cli_neighbor *cli_likeness_of(const cli_likeness *likeness, size_t map)
{
	return likeness->neighbors[map];
}

void cli_likeness_free(cli_likeness *likeness)
{
	if (!likeness) return;
	free(likeness->signatures);
	free(likeness->neighbors);
	free(likeness);
}
