/* hostile.h - what files, streams, callers and machines can do to a load, run over any fixture.
 *
 * Each function loads its victim many times. Every load must end in a scene that keeps all promises (check_scene.h) or
 * in NULL with a proper error, and give back all memory. The functions stop at the first broken promise. */
#ifndef BSPT_HOSTILE_H
#define BSPT_HOSTILE_H

#include "map/family.h"
#include "support/bspt.h"

/* `no_sky`: the writers leave out the sky, which takes longest. */
typedef struct bspt_victim {
	const char *name;
	const uint8_t *data;
	size_t size;
	bspscene_load_options options;
	bool no_sky;
	uint32_t stride;                   /* every n-th variation is tried; 1: all */
	uint32_t write_stride;             /* every n-th scene with warnings goes through all writers; 0: none */
} bspt_victim;

typedef struct bspt_tally {
	uint64_t loads, scenes, repaired;  /* repaired: scenes with warnings */
	uint64_t errors[BSPSCENE_ERROR_OUTPUT_LIMIT + 1];
} bspt_tally;

/* The file ends after every byte; what follows must not be read. */
void bspt_hostile_truncate(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* The file is loaded at every alignment. */
void bspt_hostile_shift(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* Every byte of the header, the directory and the first KiB of each lump becomes +1, -1, 0 and 255. */
void bspt_hostile_patch(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* Every field of the first and last records of each lump becomes what breaks code: limits, NaN, infinity. A strict load
 * then fails exactly when the ordinary one repaired something. */
void bspt_hostile_fields(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* The progress callback cancels at every one of its calls, and is not called again. */
void bspt_hostile_cancel(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* Every allocation fails once; memory limits from nothing to enough are tried. */
void bspt_hostile_starve(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* Single-byte reads, reads that fail, sizes that lie; always closed once. */
void bspt_hostile_streams(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* Sibling files that `options.open_file` answers are cut, emptied, garbled, endless or fail in the middle. */
void bspt_hostile_siblings(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* Every writer, into outputs that take all, and that fail after any number of bytes. */
void bspt_hostile_outputs(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);

/* All of the above. */
void bspt_hostile_all(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* One line on stderr. */
void bspt_tally_print(const bspt_victim *victim, const bspt_tally *tally);

/* Loads `data` once, and checks and counts the result. True: a scene. *repaired (may be NULL) tells whether it has
 * warnings that a strict load does not accept. */
bool bspt_hostile_load(const bspt_victim *victim, const void *data, size_t size, const bspscene_load_options *options,
                       bool *repaired, bspt_tally *tally, bspt_report *report);

/* Parts of a file that are worth changing: the header with its directory, then each lump. */
typedef struct bspt_region {
	size_t offset, size;
} bspt_region;
uint32_t bspt_find_regions(const void *data, size_t size, bspt_region *regions, uint32_t capacity);
/* A file's lumps as its own family finds them; those that are packed are left out. False: no family wants it, or the
 * directory is bad. */
bool bspt_find_lumps(const void *data, size_t size, const bspi_variant **variant, bspi_lump *lumps);

#endif
