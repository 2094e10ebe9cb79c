/* mutant.h - changes a map in one to three places, by the tables that read it. */
#ifndef BSPT_MUTANT_H
#define BSPT_MUTANT_H

#include "map/family.h"
#include "support/bspt.h"

/* Facts about a map for mutating it. */
typedef struct bspt_original {
	const uint8_t *data;               /* borrowed from the caller */
	size_t size, directory_end;        /* size of the file, and where its header and directory end */
	const bspi_variant *variant;       /* NULL if it is no map; then only single words change */
	bspi_lump lumps[BSPI_MAX_LUMPS];
} bspt_original;

typedef struct bspt_mutation {
	const char *what;                  /* static text: a field's name, "directory", "record" or "word" */
	size_t at, width;                  /* position and number of the changed bytes */
	uint32_t value;                    /* the new value, of up to four bytes */
} bspt_mutation;

#define BSPT_MOST_MUTATIONS 3

bspt_original bspt_original_of(const uint8_t *data, size_t size);
/* Mutates `copy`, which has the original's size. A mutation changes a field of a record, a word of the directory or
 * another word, copies a record, or sets a field to the number of records in another lump, or to one more or less.
 * `number` chooses the mutations. Returns how many were made. */
uint32_t bspt_mutate(const bspt_original *original, uint8_t *copy, uint64_t number,
                     bspt_mutation mutations[BSPT_MOST_MUTATIONS]);

#endif
