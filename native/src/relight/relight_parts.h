/* relight_parts.h - what the files of bspscene_relight share.
 *
 *     relight.c        runs everything: reads the map and the pages, and writes the new files
 *     luxel_code.c     converts luxels of pages to light, light to stored luxels, and stored luxels to light
 *     compare.c        finds the luxels that pages change, and changes them
 *     relit_lists.c    does the same for light that is on no page: of vertices and of the light grid
 *     relit_probes.c   does the same for light of probes from six sides. probe_fit.c makes records of a light grid from
 *                      it; shared_records.c writes records that several points share
 *     other_stores.c   changes the map's other encodings of these luxels, averages, and bumped light
 *     relit_files.c    makes copies of the files that have luxels. packed_light.c is for compressed lumps,
 *                      picture_files.c for pictures
 *     check_files.c    checks these copies before they are written: only light may have changed, and as requested
 *     read_atlas.c     reads atlas.json as bspscene_edited_light. atlas_pages.c reads its pictures */
#ifndef BSPI_RELIGHT_PARTS_H
#define BSPI_RELIGHT_PARTS_H

#include <bspscene/relight.h>

#include "stages/light/light.h"

/* ---- Luxels as numbers ------------------------------------------------------------------------------------ */

/* How to convert luxels of one encoding to linear light, where 1 shows the texture unchanged. */
typedef struct bspi_luxel_code {
	bspi_light_encoding encoding;
	double scale;                      /* factor for stored display light; for RGBEXP32, factor for linear light */
	bool clamp_hue;
	bool luma;                         /* gray is the luminance of a color instead of its largest channel */
} bspi_luxel_code;

void bspi_init_luxel_code(bspi_luxel_code *code, const bspi_rules *rules, bspi_light_encoding encoding,
                          float overbright);
/* Restricts `code` to luxels with this stored direction, of whose light only the share that falls on the surface
 * counts. */
void bspi_direct_luxel_code(bspi_luxel_code *code, const uint8_t *luxel);
void bspi_luxel_to_light(const bspi_luxel_code *code, const uint8_t *luxel, double out[3]);
/* Encodes light as a luxel. Returns the factor by which it was too bright to store (1: it was not). */
double bspi_light_to_luxel(const bspi_luxel_code *code, const double light[3], uint8_t *out);
/* Converts a luxel of a page to light. `code` is how the map stores the luxels that the page shows. Sets *repaired if
 * the luxel is no valid light, and never clears it. */
void bspi_page_to_light(const bspi_luxel_code *code, float intensity, bspscene_lightmap_encoding encoding,
                        const void *luxel, double out[3], bool *repaired);

/* True if luxels hold display light as bytes. */
bool bspi_is_byte_code(const bspi_luxel_code *code);
/* Converts bytes of display light, times `scale`, to luxels that are bytes too. Gives the same result as converting by
 * way of linear light, but calls no pow() for each channel and uses a table where nothing is clamped. */
typedef struct bspi_byte_table {
	bspi_luxel_code code;
	double scale;
	uint8_t stored[256];
	uint32_t end;                      /* bytes from here on are too bright for the table */
} bspi_byte_table;

void bspi_init_byte_table(bspi_byte_table *table, const bspi_luxel_code *code, double scale);
/* Both return the same as bspi_light_to_luxel. */
double bspi_bytes_to_luxel(const bspi_byte_table *table, const uint8_t *bytes, uint8_t *out);
double bspi_luxel_to_luxel(const bspi_luxel_code *from, const uint8_t *luxel, const bspi_luxel_code *to, uint8_t *out);

/* ---- Bytes that change ------------------------------------------------------------------------------------ */

/* State of a stored luxel. DISPUTED: pages show different light for it. */
enum { BSPI_LUXEL_KEPT, BSPI_LUXEL_CHANGED, BSPI_LUXEL_DISPUTED };

/* Stored luxels that pages show, and the copy that changes. */
typedef struct bspi_luxel_span {
	bspi_bytes old;
	uint8_t *new;
	/* BSPI_LUXEL_..., one per luxel at the offset of its first byte, which need not be a multiple of its size */
	uint8_t *states;
	uint32_t luxel_size;
	bool writable;                     /* if false, a change is an error */
} bspi_luxel_span;

/* A file to be written. */
typedef struct bspi_relit_file {
	const char *ending; /* replaces ".bsp" in the map's name: ".lit", "/lm_0000.tga"; NULL: the map itself, or `name` */
	const char *name; /* a name in maps/ that does not depend on the map's; NULL: named after the map */
	bspi_bytes old;
	uint8_t *new;                      /* the copy; NULL: not made yet */
	size_t new_size;
	bool made;                         /* a new .lit file, which is written only if a luxel has color */
} bspi_relit_file;


/* An uncompressed copy of luxels that the map stores compressed. */
typedef struct bspi_unpacked_light {
	const bspi_light_store *store;
	uint8_t *new;
} bspi_unpacked_light;

/* A new record of the light grid for one point, if points share records. */
typedef struct bspi_given_record {
	uint32_t point;
	uint32_t number;                   /* equal records have the same number */
	uint8_t bytes[30];
} bspi_given_record;

typedef struct bspi_given_records {
	bspi_given_record *items; uint32_t count;
	bspi_bytes bytes;                  /* the whole lump of records, as it will be written */
} bspi_given_records;

typedef struct bspi_relight {
	bspi_build build;
	bspi_map map;
	bspscene_scene scene;              /* filled by the stages that lead to the light */
	bspi_scene_parts parts;
	const bspscene_edited_light *light;
	bspscene_relight_options options;
	bspscene_relight_report report;
	bspi_light_encoders encoders;
	bspi_relit_file *files; uint32_t file_count;
	uint8_t **pictures;                /* by page: luxels that change; NULL: the map has its light in itself */
	uint8_t **named;                   /* the same, for pictures that shaders name */
	bspi_unpacked_light unpacked[BSPI_MOST_LIGHT_STORES]; uint32_t unpacked_count;
	bspi_luxel_span *spans; uint32_t span_count;
	bspi_luxel_span *blocks;           /* the span of the map's light in blocks; NULL: its light is in pages */
	bspi_given_records records;
	bool colored;                      /* a changed luxel of a map with gray light has color */
} bspi_relight;

/* Runs everything and closes the stream. With NULL as `output` nothing is written. relight.c */
bool bspi_run_relight(bspi_relight *r, const bspscene_stream *stream, const bspscene_output *output);
/* A map as far as its light. load_relit_map.c */
bool bspi_load_relit_map(bspi_relight *r, bspi_bytes file);

/* compare.c. Check the rectangles first, then compare. */
bool bspi_check_places(bspi_relight *r);
bool bspi_compare_pages(bspi_relight *r);
/* Lists the sources of the rectangle's face that pages show. Returns how many there are. */
uint32_t bspi_list_place(const bspi_relight *r, const bspscene_lightmap_rect *place,
                         bspi_luxel_source out[BSPI_MOST_LUXEL_SOURCES]);
/* Returns the span that holds the stored bytes, never NULL. */
bspi_luxel_span *bspi_find_span(const bspi_relight *r, const uint8_t *luxel);
bspi_luxel_code bspi_code_of(const bspi_relight *r, const bspi_luxel_source *source);

/* Counts a luxel that was too bright by a factor (1: it was not). */
void bspi_note_clamped(bspi_relight *r, double factor);

/* relit_lists.c */
bool bspi_relight_lists(bspi_relight *r);
/* True if lists that were written have the same luxels in the new map. */
bool bspi_same_lists(const bspi_relight *r, const bspi_relight *again);

/* relit_probes.c */
bool bspi_relight_probes(bspi_relight *r, const bspscene_light_list *shown);
/* True if the new map has the probes that were written. */
bool bspi_same_probes(const bspi_relight *r, const bspi_relight *again);

/* shared_records.c */
/* Gives a point a record of its own. Call it for at most `most` points. */
bool bspi_give_record(bspi_relight *r, uint32_t most, uint32_t point, const uint8_t record[30]);
/* Writes the new records over unused ones, or makes the lump longer. */
bool bspi_settle_records(bspi_relight *r);
bool bspi_same_records(const bspi_relight *r, const bspi_relight *again);

/* other_stores.c */
bool bspi_settle_bumped_light(bspi_relight *r);
bool bspi_write_other_stores(bspi_relight *r);
bool bspi_write_averages(bspi_relight *r);

/* packed_light.c. Returns the uncompressed copy of a compressed store; NULL if memory is out. */
uint8_t *bspi_unpacked_bytes(bspi_relight *r, const bspi_light_store *store);
/* Appends compressed light that changed to the map's copy, uncompressed. */
bool bspi_move_unpacked_light(bspi_relight *r);

/* picture_files.c. Adds the files that hold the luxels of r->pictures. */
bool bspi_add_picture_files(bspi_relight *r);

/* relit_files.c */
/* Adds a file with a copy of `old`. NULL if memory is out. */
bspi_relit_file *bspi_add_relit_file(bspi_relight *r, const char *ending, bspi_bytes old);
bool bspi_open_relit_files(bspi_relight *r);
/* Returns the copy of stored bytes, whichever file they are in. NULL if they cannot be written. */
uint8_t *bspi_relit_bytes(bspi_relight *r, const bspi_light_store *store, bspi_bytes bytes);
/* Prepares all files as they are written, and fills in the report. */
void bspi_finish_relit_files(bspi_relight *r);
/* True if the file is written. A .lit file that was made for colors is not, if no luxel got a color. */
bool bspi_is_written(const bspi_relight *r, const bspi_relit_file *file);
bool bspi_write_relit_files(bspi_relight *r, const bspscene_output *output);

/* check_files.c */
/* Fails if bytes changed that belong to two lumps. */
bool bspi_check_shared_bytes(bspi_relight *r);
/* Loads the files that are about to be written, and fails if they do not have the light that was asked for. */
bool bspi_check_relit_files(bspi_relight *r);

#endif
