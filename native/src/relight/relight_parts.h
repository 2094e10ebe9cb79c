/* relight_parts.h - what the files of bspscene_relight share.
 *
 *     relight.c        runs everything: reads the map and the pages, and writes the new files
 *     luxel_code.c     converts luxels of pages to light, light to stored luxels, and stored luxels to light
 *     compare.c        finds the luxels that pages change, and changes them
 *     relit_lists.c    does the same for light that is on no page: of vertices and of the light grid
 *     relit_probes.c   does the same for light of probes from six sides. probe_fit.c makes records of a light grid from
 *                      it; shared_records.c writes records that several points share
 *     other_stores.c   changes what depends on these luxels: the map's other encodings of them, averages, and bumped
 *                      light
 *     relit_files.c    makes copies of the files that have luxels. packed_light.c is for compressed lumps,
 *                      picture_files.c for pictures
 *     check_files.c    checks these copies before they are written: only light may differ from the old files, and it
 *                      must be the requested light
 *     read_atlas.c     reads atlas.json as bspscene_edited_light. atlas_pages.c reads its pictures */
#ifndef BSPI_RELIGHT_PARTS_H
#define BSPI_RELIGHT_PARTS_H

#include <bspscene/relight.h>

#include "stages/light/light.h"

/* ---- Luxels as numbers ------------------------------------------------------------------------------------ */

/* How luxels of one encoding are converted to linear light. Light of 1 shows the texture unchanged. */
typedef struct bspi_luxel_code {
	bspi_light_encoding encoding;
	double scale;                      /* factor that gives display light from stored values; for RGBEXP32, the
	                                    * factor that gives linear light */
	bool clamp_hue;
	bool luma;                         /* true: gray is stored as the luminance of a color; false: as its largest
	                                    * channel */
} bspi_luxel_code;

void bspi_init_luxel_code(bspi_luxel_code *code, const bspi_rules *rules, bspi_light_encoding encoding,
                          float overbright);
/* Adapts `code` to a luxel that is stored with the direction of its light. Only a share of this light falls on the
 * surface, and the share follows from the direction. `luxel` is the stored luxel. */
void bspi_direct_luxel_code(bspi_luxel_code *code, const uint8_t *luxel);
void bspi_luxel_to_light(const bspi_luxel_code *code, const uint8_t *luxel, double out[3]);
/* Encodes light as a luxel. If the light is too bright to be stored, returns the factor by which it exceeds the
 * brightest light that can be stored. Otherwise returns 1. */
double bspi_light_to_luxel(const bspi_luxel_code *code, const double light[3], uint8_t *out);
/* Converts a luxel of a page to light. `code` is that of the map's luxels that the page shows. Sets *repaired to true
 * if the luxel is not valid light and was replaced; otherwise does not change *repaired. */
void bspi_page_to_light(const bspi_luxel_code *code, float intensity, bspscene_lightmap_encoding encoding,
                        const void *luxel, double out[3], bool *repaired);

/* True if the bytes of luxels are display light. */
bool bspi_is_byte_code(const bspi_luxel_code *code);
/* Converts bytes of display light, multiplied by `scale`, to luxels of bytes. The result is the same as with linear
 * light in between. But it is faster: a table replaces pow(), unless light is clamped. */
typedef struct bspi_byte_table {
	bspi_luxel_code code;
	double scale;
	uint8_t stored[256];
	uint32_t end;                      /* first byte that is too bright for the table */
} bspi_byte_table;

void bspi_init_byte_table(bspi_byte_table *table, const bspi_luxel_code *code, double scale);
/* These two functions write the same luxel as bspi_light_to_luxel would write for the same light, and return the same
 * factor. */
double bspi_bytes_to_luxel(const bspi_byte_table *table, const uint8_t *bytes, uint8_t *out);
double bspi_luxel_to_luxel(const bspi_luxel_code *from, const uint8_t *luxel, const bspi_luxel_code *to, uint8_t *out);

/* ---- Bytes that change ------------------------------------------------------------------------------------ */

/* States of stored luxels. KEPT: not changed. CHANGED: changed. DISPUTED: rectangles of pages show different light for
 * it. */
enum { BSPI_LUXEL_KEPT, BSPI_LUXEL_CHANGED, BSPI_LUXEL_DISPUTED };

/* Stored luxels that pages show, and their copy, which is changed. */
typedef struct bspi_luxel_span {
	bspi_bytes old;
	uint8_t *new;
	/* The state of each luxel, at the offset of the luxel's first byte. This offset need not be a multiple of the
	 * luxel's size. */
	uint8_t *states;
	uint32_t luxel_size;
	bool writable;                     /* false: changing these luxels is an error */
} bspi_luxel_span;

/* A file that is to be written. */
typedef struct bspi_relit_file {
	const char *ending; /* replaces ".bsp" in the map's name: ".lit", "/lm_0000.tga"; NULL: this is the map, or
	                     * `name` is set */
	const char *name; /* file name in maps/, if it does not depend on the map's name; NULL: it does */
	bspi_bytes old;
	uint8_t *new;                      /* copy of the file, which is changed; NULL: it is not made yet */
	size_t new_size;
	bool made;                         /* this is a new .lit file; it is written only if some luxel has color */
} bspi_relit_file;


/* A compressed store of luxels in the map, and its uncompressed copy. */
typedef struct bspi_unpacked_light {
	const bspi_light_store *store;
	uint8_t *new;
} bspi_unpacked_light;

/* A new record for one point of a light grid whose points share records. */
typedef struct bspi_given_record {
	uint32_t point;
	uint32_t number;                   /* number of the record; equal records have the same number */
	uint8_t bytes[30];
} bspi_given_record;

typedef struct bspi_given_records {
	bspi_given_record *items; uint32_t count;
	bspi_bytes bytes;                  /* the lump of all records as it is to be written */
} bspi_given_records;

typedef struct bspi_relight {
	bspi_build build;
	bspi_map map;
	bspscene_scene scene;              /* what the stages before the light fill in */
	bspi_scene_parts parts;
	const bspscene_edited_light *light;
	bspscene_relight_options options;
	bspscene_relight_report report;
	bspi_light_encoders encoders;
	bspi_relit_file *files; uint32_t file_count;
	uint8_t **pictures;                /* for each page that is a file, its luxels, which are changed; NULL: the
	                                    * pages are not files */
	uint8_t **named;                   /* the same for pictures that shaders name */
	bspi_unpacked_light unpacked[BSPI_MOST_LIGHT_STORES]; uint32_t unpacked_count;
	bspi_luxel_span *spans; uint32_t span_count;
	bspi_luxel_span *blocks;           /* the luxels of maps with blocks; NULL: the map has pages */
	bspi_given_records records;
	bool colored;                      /* some changed luxel of a map with gray light has color */
} bspi_relight;

/* Does everything, and closes the stream. If `output` is NULL, nothing is written. relight.c */
bool bspi_run_relight(bspi_relight *r, const bspscene_stream *stream, const bspscene_output *output);
/* Loads a map, but only up to the stages that find its light. load_relit_map.c */
bool bspi_load_relit_map(bspi_relight *r, bspi_bytes file);

/* The first checks the rectangles of faces on pages. The second finds and changes luxels; call it after the first.
 * compare.c */
bool bspi_check_places(bspi_relight *r);
bool bspi_compare_pages(bspi_relight *r);
/* Lists the sources for the face of a rectangle: the places where the map stores the face's luxels, one for each
 * lightmap set. Leaves out sources that pages do not show. Returns the number of listed sources. compare.c */
uint32_t bspi_list_place(const bspi_relight *r, const bspscene_lightmap_rect *place,
                         bspi_luxel_source out[BSPI_MOST_LUXEL_SOURCES]);
/* Returns the span to which a stored luxel belongs. There always is one. compare.c */
bspi_luxel_span *bspi_find_span(const bspi_relight *r, const uint8_t *luxel);
bspi_luxel_code bspi_code_of(const bspi_relight *r, const bspi_luxel_source *source);

/* For the report, counts a luxel whose light was too bright to be stored by this factor. Does nothing if `factor` is
 * at most 1, because the light was then not too bright. compare.c */
void bspi_note_clamped(bspi_relight *r, double factor);

/* Changes the light that is on no page but in light lists: that of vertices, the light grid and probes.
 * relit_lists.c */
bool bspi_relight_lists(bspi_relight *r);
/* True if all changed lists have the same luxels in the new map. relit_lists.c */
bool bspi_same_lists(const bspi_relight *r, const bspi_relight *again);

/* Changes the light of probes. relit_probes.c */
bool bspi_relight_probes(bspi_relight *r, const bspscene_light_list *shown);
/* True if the new map has the light of probes that was written. relit_probes.c */
bool bspi_same_probes(const bspi_relight *r, const bspi_relight *again);

/* Gives a point of the light grid a new record. At most `most` points may get one. shared_records.c */
bool bspi_give_record(bspi_relight *r, uint32_t most, uint32_t point, const uint8_t record[30]);
/* Writes the new records. They replace unused ones, or the lump is enlarged. shared_records.c */
bool bspi_settle_records(bspi_relight *r);
bool bspi_same_records(const bspi_relight *r, const bspi_relight *again);

/* These three functions change what depends on changed luxels: bumped light, the map's other encodings, and averages.
 * other_stores.c */
bool bspi_settle_bumped_light(bspi_relight *r);
bool bspi_write_other_stores(bspi_relight *r);
bool bspi_write_averages(bspi_relight *r);

/* Returns the uncompressed copy of a store that the map has compressed. NULL if memory is out. packed_light.c */
uint8_t *bspi_unpacked_bytes(bspi_relight *r, const bspi_light_store *store);
/* If the luxels of a compressed store were changed, appends them without compression to the copy of the map.
 * packed_light.c */
bool bspi_move_unpacked_light(bspi_relight *r);

/* Adds the files of the pictures in r->pictures and r->named. picture_files.c */
bool bspi_add_picture_files(bspi_relight *r);

/* Adds a file to be written; `old` is its old content. NULL if memory is out. relit_files.c */
bspi_relit_file *bspi_add_relit_file(bspi_relight *r, const char *ending, bspi_bytes old);
bool bspi_open_relit_files(bspi_relight *r);
/* Returns where stored bytes are in the copy of their file. NULL if they cannot be written. relit_files.c */
uint8_t *bspi_relit_bytes(bspi_relight *r, const bspi_light_store *store, bspi_bytes bytes);
/* Prepares all files for writing, and completes the report. relit_files.c */
void bspi_finish_relit_files(bspi_relight *r);
/* True if the file is to be written. This is false only for a new .lit file that is not needed: no luxel got a color,
 * or another file next to the map has the colors. relit_files.c */
bool bspi_is_written(const bspi_relight *r, const bspi_relit_file *file);
bool bspi_write_relit_files(bspi_relight *r, const bspscene_output *output);

/* Fails if a changed byte belongs to two lumps. check_files.c */
bool bspi_check_shared_bytes(bspi_relight *r);
/* Loads the new files before they are written. Fails if they do not have the requested light. check_files.c */
bool bspi_check_relit_files(bspi_relight *r);

#endif
