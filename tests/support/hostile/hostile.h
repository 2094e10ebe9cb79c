/* hostile.h - attacks on loads by files, streams, callers and lack of memory, for any fixture.
 *
 * Each function loads its victim many times. Every load must end in a scene that keeps all promises (check_scene.h) or
 * in NULL with a proper error, and free all memory. The functions stop at the first broken promise. */
#ifndef BSPT_HOSTILE_H
#define BSPT_HOSTILE_H

#include "map/family.h"
#include "support/bspt.h"

/* A file and how to attack it. `no_sky`: the writers leave out the sky, which takes longest. */
typedef struct bspt_victim {
	const char *name;
	const uint8_t *data;
	size_t size;
	bspscene_load_options options;
	bool no_sky;
	uint32_t stride;                   /* every n-th variation is tried, 1 for all */
	uint32_t write_stride;             /* all writers write every n-th scene with warnings; 0 for none */
} bspt_victim;

typedef struct bspt_tally {
	uint64_t loads, scenes, repaired;  /* `repaired` counts scenes with warnings */
	uint64_t errors[BSPSCENE_ERROR_OUTPUT_LIMIT + 1];
} bspt_tally;

/* Truncates the file after every byte. The bytes after the end must not be read. */
void bspt_hostile_truncate(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* Loads the file at every alignment. */
void bspt_hostile_shift(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* Changes every byte of the header, the directory and the first KiB of each lump by 1 and -1, and to 0 and 255. */
void bspt_hostile_patch(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* Replaces every field of the first and last records of each lump by critical values: limits, NaN, infinity. A strict
 * load must fail exactly if the ordinary one repaired something. */
void bspt_hostile_fields(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* Cancels at every call of the progress callback, which must not be called again. */
void bspt_hostile_cancel(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* Loads the file once for each allocation that a load makes, and lets this allocation fail. Also loads with memory
 * limits from 0 up to one that suffices. */
void bspt_hostile_starve(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* Streams with single-byte reads, failing reads or wrong sizes must be closed once. */
void bspt_hostile_streams(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* Loads with damaged sibling files of `options.open_file`: truncated, empty, garbled, endless, or failing in the
 * middle. */
void bspt_hostile_siblings(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* Calls every writer with outputs that accept everything, and with outputs that fail after any number of bytes. */
void bspt_hostile_outputs(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);

/* Runs all attacks above. */
void bspt_hostile_all(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);
/* Prints the counts of a victim in one line on stderr. */
void bspt_tally_print(const bspt_victim *victim, const bspt_tally *tally);

/* Loads `data` once, and checks and counts the result. Returns true for a scene. *repaired (may be NULL) becomes true
 * if it has warnings that a strict load refuses. */
bool bspt_hostile_load(const bspt_victim *victim, const void *data, size_t size, const bspscene_load_options *options,
                       bool *repaired, bspt_tally *tally, bspt_report *report);

/* A part of a file that is worth changing: the header with its directory, or a lump. */
typedef struct bspt_region {
	size_t offset, size;
} bspt_region;
uint32_t bspt_find_regions(const void *data, size_t size, bspt_region *regions, uint32_t capacity);
/* Finds the lumps of a file as its family does. Compressed lumps are left out. Returns false if no family recognizes
 * the file, or the directory is invalid. */
bool bspt_find_lumps(const void *data, size_t size, const bspi_variant **variant, bspi_lump *lumps);

#endif
