/* relight_parts.h - what the parts of bspscene_relight share.
 *
 *     relight.c        map and pages in, files out
 *     luxel_code.c     light of a page -> light -> stored luxels, and back
 *     compare.c        pages against the map: which luxels changed, and what to
 *     relit_lists.c    light that is on no page
 *     relit_probes.c   light from six sides, of what moves; probe_fit.c: as a grid has it; shared_records.c: where
 *                      points share records
 *     other_stores.c   changed luxels -> the map's other encodings of them; averages, bumped light
 *     relit_files.c    luxels -> copies of the files they are in; packed_light.c: of compressed lumps;
 *                      picture_files.c: of pictures
 *     check_files.c    those copies before they are written: only light changed, and they load as what was asked for
 *     read_atlas.c     atlas.json -> bspscene_edited_light; atlas_pages.c: its pictures */
#ifndef BSPI_RELIGHT_PARTS_H
#define BSPI_RELIGHT_PARTS_H

#include <bspscene/relight.h>

#include "stages/light/light.h"

/* ---- Luxels as numbers ------------------------------------------------------------------------------------ */

/* How luxels of one encoding are light: linear, 1 shows the texture as it is. */
typedef struct bspi_luxel_code {
	bspi_light_encoding encoding;
	double scale;                      /* of stored display light; of linear light for RGBEXP32 */
	bool clamp_hue;
	bool luma;                         /* gray is how bright a color is, not its largest channel */
} bspi_luxel_code;

void bspi_init_luxel_code(bspi_luxel_code *code, const bspi_rules *rules, bspi_light_encoding encoding,
                          float overbright);
/* Makes it that of luxels with the direction of a stored one: what falls of their light on the surface. */
void bspi_direct_luxel_code(bspi_luxel_code *code, const uint8_t *luxel);
void bspi_luxel_to_light(const bspi_luxel_code *code, const uint8_t *luxel, double out[3]);
/* Returns by how much the light was too bright, 1: it was not. */
double bspi_light_to_luxel(const bspi_luxel_code *code, const double light[3], uint8_t *out);
/* Light of a luxel of a page, which shows luxels of `code`. *repaired is set, never cleared, for what is no light. */
void bspi_page_to_light(const bspi_luxel_code *code, float intensity, bspscene_lightmap_encoding encoding,
                        const void *luxel, double out[3], bool *repaired);

/* Does the luxel hold display light as bytes? */
bool bspi_is_byte_code(const bspi_luxel_code *code);
/* Bytes of display light times `scale` as luxels of `code`, which are bytes too: as by way of light, but without a
 * power for each channel, and by a table where nothing is clamped. */
typedef struct bspi_byte_table {
	bspi_luxel_code code;
	double scale;
	uint8_t stored[256];
	uint32_t end;                      /* bytes from here on are too bright for the table */
} bspi_byte_table;

void bspi_init_byte_table(bspi_byte_table *table, const bspi_luxel_code *code, double scale);
/* Both return as bspi_light_to_luxel does. */
double bspi_bytes_to_luxel(const bspi_byte_table *table, const uint8_t *bytes, uint8_t *out);
double bspi_luxel_to_luxel(const bspi_luxel_code *from, const uint8_t *luxel, const bspi_luxel_code *to, uint8_t *out);

/* ---- Bytes that change ------------------------------------------------------------------------------------ */

/* What the work knows of a stored luxel. */
enum { BSPI_LUXEL_KEPT, BSPI_LUXEL_CHANGED, BSPI_LUXEL_DISPUTED };

/* A span of luxels that pages show, and its copy. */
typedef struct bspi_luxel_span {
	bspi_bytes old;
	uint8_t *new;
	uint8_t *states;                   /* of luxels, by their first byte, which may be any: BSPI_LUXEL_... */
	uint32_t luxel_size;
	bool writable;                     /* else what changes is an error */
} bspi_luxel_span;

/* A file that is written. */
typedef struct bspi_relit_file {
	const char *ending;                /* in the place of ".bsp": ".lit", "/lm_0000.tga"; NULL: the map, or `name` */
	const char *name;                  /* in maps/, whatever the map is called; NULL: after the map */
	bspi_bytes old;
	uint8_t *new;                      /* NULL: not copied yet */
	size_t new_size;
	bool made;                         /* there was none: written only when a luxel has color */
} bspi_relit_file;


/* A copy of luxels that the map has compressed. */
typedef struct bspi_unpacked_light {
	const bspi_light_store *store;
	uint8_t *new;
} bspi_unpacked_light;

/* A record of a light grid for one point of many that shared another. */
typedef struct bspi_given_record {
	uint32_t point;
	uint32_t number;                   /* equal ones have the same */
	uint8_t bytes[30];
} bspi_given_record;

typedef struct bspi_given_records {
	bspi_given_record *items; uint32_t count;
	bspi_bytes bytes;                  /* all records, as they are written */
} bspi_given_records;

typedef struct bspi_relight {
	bspi_build build;
	bspi_map map;
	bspscene_scene scene;              /* what the stages fill on their way to the light */
	bspi_scene_parts parts;
	const bspscene_edited_light *light;
	bspscene_relight_options options;
	bspscene_relight_report report;
	bspi_light_encoders encoders;
	bspi_relit_file *files; uint32_t file_count;
	uint8_t **pictures;                /* by page: its luxels, to be changed; NULL: the map has its light in itself */
	uint8_t **named;                   /* the same of pictures that shaders name */
	bspi_unpacked_light unpacked[BSPI_MOST_LIGHT_STORES]; uint32_t unpacked_count;
	bspi_luxel_span *spans; uint32_t span_count;
	bspi_luxel_span *blocks;           /* that of the map's blocks; NULL: it has pages */
	bspi_given_records records;
	bool colored;                      /* a changed luxel of a gray map has color */
} bspi_relight;

/* The whole work; closes the stream. `output` NULL: nothing is written. relight.c */
bool bspi_run_relight(bspi_relight *r, const bspscene_stream *stream, const bspscene_output *output);
/* A map as far as its light. load_relit_map.c */
bool bspi_load_relit_map(bspi_relight *r, bspi_bytes file);

/* compare.c: checks the places, then compares. */
bool bspi_check_places(bspi_relight *r);
bool bspi_compare_pages(bspi_relight *r);
/* The place's face, its rectangle and the sources of which pages tell; returns how many. */
uint32_t bspi_list_place(const bspi_relight *r, const bspscene_lightmap_rect *place,
                         bspi_luxel_source out[BSPI_MOST_LUXEL_SOURCES]);
/* The span that stored bytes are in; never NULL. */
bspi_luxel_span *bspi_find_span(const bspi_relight *r, const uint8_t *luxel);
bspi_luxel_code bspi_code_of(const bspi_relight *r, const bspi_luxel_source *source);

/* Counts a luxel that was too bright by a factor; 1: it was not. */
void bspi_note_clamped(bspi_relight *r, double factor);

/* relit_lists.c */
bool bspi_relight_lists(bspi_relight *r);
/* Does the new map have the luxels of lists that were written? */
bool bspi_same_lists(const bspi_relight *r, const bspi_relight *again);

/* relit_probes.c */
bool bspi_relight_probes(bspi_relight *r, const bspscene_light_list *shown);
/* Does the new map have what was written of probes? */
bool bspi_same_probes(const bspi_relight *r, const bspi_relight *again);

/* shared_records.c */
/* A point gets a record of its own; there are at most `most` of them. */
bool bspi_give_record(bspi_relight *r, uint32_t most, uint32_t point, const uint8_t record[30]);
/* Puts them where records are that no point has any more, or makes the lump longer. */
bool bspi_settle_records(bspi_relight *r);
bool bspi_same_records(const bspi_relight *r, const bspi_relight *again);

/* other_stores.c */
bool bspi_settle_bumped_light(bspi_relight *r);
bool bspi_write_other_stores(bspi_relight *r);
bool bspi_write_averages(bspi_relight *r);

/* packed_light.c: the copy of what a compressed store holds; NULL: memory. */
uint8_t *bspi_unpacked_bytes(bspi_relight *r, const bspi_light_store *store);
/* Puts compressed light that changed behind the end of the map's copy, as it is. */
bool bspi_move_unpacked_light(bspi_relight *r);

/* picture_files.c: the files that the luxels of r->pictures are in. */
bool bspi_add_picture_files(bspi_relight *r);

/* relit_files.c */
/* One more file, a copy of `old`; NULL: memory. */
bspi_relit_file *bspi_add_relit_file(bspi_relight *r, const char *ending, bspi_bytes old);
bool bspi_open_relit_files(bspi_relight *r);
/* The copy of stored bytes, wherever they are; NULL: they cannot be written. */
uint8_t *bspi_relit_bytes(bspi_relight *r, const bspi_light_store *store, bspi_bytes bytes);
/* All files as they are to be written; tells the report. */
void bspi_finish_relit_files(bspi_relight *r);
/* One that was made for colors that no luxel got is not. */
bool bspi_is_written(const bspi_relight *r, const bspi_relit_file *file);
bool bspi_write_relit_files(bspi_relight *r, const bspscene_output *output);

/* check_files.c */
/* An error when bytes changed that two lumps have. */
bool bspi_check_shared_bytes(bspi_relight *r);
/* Loads the files that are about to be written; an error when they are not what was asked for. */
bool bspi_check_relit_files(bspi_relight *r);

#endif
