/* build_vbsp.h - a small Source map built lump by lump, so that tests can replace or damage each: a wall, a sky and a
 * bumped wall with light. Failures fail the calling cmocka test. */
#ifndef BSPT_BUILD_VBSP_H
#define BSPT_BUILD_VBSP_H

#include "families/vbsp/vbsp_tables.h"
#include "support/store.h"

enum { BSPT_VBSP_HEADER = 1036, BSPT_VBSP_LARGEST = 1 << 16 };
enum { BSPT_WALL, BSPT_SKY, BSPT_BUMPED, BSPT_VBSP_FACES };   /* index of each face, and also of its texinfo */

typedef struct bspt_vbsp {
	const bspi_variant *variant;
	uint8_t data[BSPT_VBSP_LARGEST];
	size_t size;
} bspt_vbsp;

/* The faces of every map of bspt_vbsp_build. */
extern const bspi_face bspt_vbsp_faces[BSPT_VBSP_FACES];

void bspt_vbsp_build(bspt_vbsp *f, const bspi_variant *variant);

/* Sets the directory entry of a lump. `unpacked` is its size before compression, or 0 if it is not compressed. */
void bspt_vbsp_entry(bspt_vbsp *f, uint32_t slot, uint32_t offset, uint32_t size, uint32_t version, uint32_t unpacked);
/* Appends a lump at the end of the file and sets its directory entry. Returns the lump. If `data` is NULL, it has
 * zeros. */
uint8_t *bspt_vbsp_lump(bspt_vbsp *f, uint32_t slot, const void *data, size_t size, uint32_t version);
uint8_t *bspt_vbsp_records(bspt_vbsp *f, uint32_t slot, bspi_array_id array, const void *records, uint32_t count);

typedef struct bspt_vbsp_load {
	bspi_ctx ctx;
	bspi_map map;
	uint8_t *data;                     /* exactly as large as the file, so that reads past the end are detected */
} bspt_vbsp_load;

/* Read the map. Return false if the library refuses it. In either case, call bspt_vbsp_end afterward, which checks
 * that all memory of the load was freed. */
bool bspt_vbsp_read(bspt_vbsp_load *f, const bspt_vbsp *file);
bool bspt_vbsp_read_with(bspt_vbsp_load *f, const bspt_vbsp *file, bspscene_lightmap_encoding encoding, bool strict);
void bspt_vbsp_end(bspt_vbsp_load *f);

uint32_t bspt_vbsp_warnings(const bspt_vbsp_load *f, bspscene_warning_code code);
/* Checks that the map is what bspt_vbsp_build made for this variant, without a warning. */
void bspt_vbsp_check(const bspt_vbsp_load *f, const bspi_variant *variant);

#endif
