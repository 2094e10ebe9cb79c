/* rewrite_parts.h - what the parts of bspscene_rewrite share.
 *
 *     rewrite.c          map and entities in, file out
 *     read_entities.c    JSON, text or records -> a set of entities; the map's own too
 *     pair_entities.c    which entity was which
 *     compare_keys.c     two sets -> what differs
 *     entity_bytes.c     the map's text with the changes in it
 *     check_entities.c   entities that no map can have, and those that an engine may not take
 *     move_lumps.c       the map's file with another text in it
 *     check_moved.c      that file, read again
 *     read_corners.c     corners that are to have other values
 *     corner_bytes.c     the file's vertices with these in them
 *     face_axes.c        or, of faces that have none, the axes of their texture
 *     axes_bytes.c       the file's projections with those in them */
#ifndef BSPI_REWRITE_PARTS_H
#define BSPI_REWRITE_PARTS_H

#include <bspscene/rewrite.h>

#include "map/map.h"

/* A key as text, and as the bytes of the text that it is from: data NULL where there is none, or where the text is to
 * be encoded. */
typedef struct bspi_edit_pair {
	const char *key, *value;
	const uint8_t *key_bytes, *value_bytes; uint32_t key_size, value_size;
	size_t begin, end, value_begin;    /* in that text, with quotes */
} bspi_edit_pair;

typedef struct bspi_edit_entity {
	uint32_t first_pair, pair_count;
	uint32_t source;                   /* whose it is, as the caller says, or NO_INDEX */
	size_t begin, open, end;           /* in the text: behind the entity before, its brace, behind its last */
	bool odd;                          /* the text holds more of it than its pairs, or its end is missing */
} bspi_edit_entity;

typedef struct bspi_entity_set {
	bspi_edit_entity *entities; uint32_t count;
	bspi_edit_pair *pairs; uint32_t pair_count;
	bspi_bytes text;                   /* what all places are in; empty: none */
	bool numbered;                     /* sources are the caller's word */
} bspi_entity_set;

/* Which is which: NO_INDEX for what the other does not have. */
typedef struct bspi_entity_pairing {
	uint32_t *old_of_new, *new_of_old;
} bspi_entity_pairing;

/* The same of pairs: by their numbers in the sets. */
typedef struct bspi_key_pairing {
	uint32_t *new_of_old, *old_of_new;
} bspi_key_pairing;

/* A lump with other bytes, and how those of the file move: what is up to `begin` stays, from `tail` on it goes by
 * `by`. */
typedef struct bspi_move {
	const bspi_lump_place *place;      /* where the directory has the lump */
	bspi_bytes bytes;                  /* its new ones */
	bool unpacked;                     /* the old ones were compressed */
	size_t begin, old_end, tail;
	int64_t by;
} bspi_move;

typedef struct bspi_new_corners {
	const bspscene_edited_corner *items; uint32_t count;
} bspi_new_corners;

typedef struct bspi_rewrite {
	bspi_ctx *ctx;
	bspi_map map;
	bspi_entity_set old, new;
	bspi_entity_pairing pairing;
	bspi_key_pairing keys;
	bspi_new_corners corners;
	bspi_move move; bool moved;        /* of the lumps, in `file` */
	bspi_bytes text;                   /* the new lump */
	bspi_bytes file;                   /* what is written */
	bool latin;                        /* the map's text is Windows-1252 */
	bspscene_rewrite_options options;
	bspscene_rewrite_report report;
} bspi_rewrite;

/* ---- Sets ------------------------------------------------------------------------------------------------- */

/* The first value that the engine would not overlook, in the order in which the set has them; "" without. */
const char *bspi_edit_value(const bspi_entity_set *set, uint32_t entity, const char *key);
/* Text as the map's own engine reads it. */
bool bspi_scan_entities(bspi_ctx *ctx, bspi_bytes text, const bspi_map *map, bspi_entity_set *out);
bool bspi_read_new_entities(bspi_rewrite *r, const bspscene_edited_entities *from);
bool bspi_take_scene_entities(bspi_ctx *ctx, const bspscene_scene *scene, bspi_entity_set *out);

/* ---- What differs ----------------------------------------------------------------------------------------- */

/* In one map a brush model's number says who it is; another build has other numbers. */
bool bspi_pair_entities(bspi_ctx *ctx, const bspi_entity_set *old, const bspi_entity_set *new, bool one_map,
                        bspi_entity_pairing *out);
bool bspi_pair_keys(bspi_ctx *ctx, const bspi_entity_set *old, const bspi_entity_set *new,
                    const bspi_entity_pairing *pairing, bspi_key_pairing *out);
/* Do the two entities have the same pairs, as they were paired? */
bool bspi_same_keys(const bspi_entity_set *old, uint32_t old_entity, const bspi_entity_set *new, uint32_t new_entity,
                    const bspi_key_pairing *keys);
bool bspi_list_changes(bspi_ctx *ctx, const bspi_entity_set *old, const bspi_entity_set *new,
                       const bspi_entity_pairing *pairing, const bspi_key_pairing *keys,
                       bspscene_entity_changes *out);

/* ---- The file --------------------------------------------------------------------------------------------- */

bool bspi_make_entity_bytes(bspi_rewrite *r);
bool bspi_check_entities(bspi_rewrite *r);
/* Warnings of what an engine may not take, and of files that it reads instead. */
bool bspi_warn_of_entities(bspi_rewrite *r);
/* The text alone, before what the file says behind its end. */
bool bspi_check_entity_bytes(bspi_rewrite *r, bspi_bytes text);
bool bspi_add_bspx_places(bspi_ctx *ctx, bspi_map *map);
bool bspi_move_lumps(bspi_rewrite *r, bspi_move *out);
/* Where the directory has a lump; NULL: nowhere. */
const bspi_lump_place *bspi_find_place(const bspi_map *map, const char *name);
/* The file with the bytes of a move in it, whose `tail` and `by` are set; places behind the lumps are known. */
bool bspi_replace_lump(bspi_ctx *ctx, const bspi_map *map, bspi_move *move, bspi_bytes *file);
static inline size_t bspi_moved_to(const bspi_move *move, size_t at)
{
	return at < move->tail ? at : (size_t)((int64_t)at + move->by);
}
bool bspi_check_moved(bspi_rewrite *r, const bspi_move *move);

/* ---- Corners of faces ------------------------------------------------------------------------------------- */

bool bspi_read_new_corners(bspi_rewrite *r);
bool bspi_write_corners(bspi_rewrite *r);
/* Of faces without vertices of their own. axes_bytes.c */
bool bspi_write_axes(bspi_rewrite *r);

bool bspi_run_rewrite(bspi_rewrite *r, const bspscene_stream *stream, const bspscene_edited_entities *entities,
                      const bspscene_output *output, bspscene_entity_changes *changes);

#endif
