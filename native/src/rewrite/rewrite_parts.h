/* rewrite_parts.h - what the parts of bspscene_rewrite share.
 *
 *     rewrite.c          runs everything: reads the map and the new entities, and makes the new file
 *     read_entities.c    reads sets of entities from JSON, text or records; also reads the map's own text
 *     pair_entities.c    finds which new entity is which old one
 *     compare_keys.c     lists what differs between two sets
 *     entity_bytes.c     makes the new text
 *     check_entities.c   checks the new entities
 *     move_lumps.c       replaces a lump in the map's file by one of another size
 *     check_moved.c      checks the new file by reading it again
 *     read_corners.c     reads new values of corners
 *     corner_bytes.c     writes new values of corners into the file's vertices
 *     face_axes.c        computes texture axes from new values of corners, for faces without vertices of their own
 *     axes_bytes.c       writes new texture axes into the file's texture projections */
#ifndef BSPI_REWRITE_PARTS_H
#define BSPI_REWRITE_PARTS_H

#include <bspscene/rewrite.h>

#include "map/map.h"

/* A key and its value: in UTF-8, and as bytes in the text of the set. The bytes are NULL if the set has no text, or if
 * they are to be made from the UTF-8 form. */
typedef struct bspi_edit_pair {
	const char *key, *value;
	const uint8_t *key_bytes, *value_bytes; uint32_t key_size, value_size;
	/* Byte offsets in the text: the beginning and the end of the pair, and the beginning of its value. Quotes belong
	 * to the pair and to the value. */
	size_t begin, end, value_begin;
} bspi_edit_pair;

typedef struct bspi_edit_entity {
	uint32_t first_pair, pair_count;
	uint32_t source;                   /* index of the old entity from which the caller made this one; NO_INDEX: the
	                                    * caller states none */
	/* Byte offsets in the text: the end of the entity before this one, the end of this one's opening brace, and this
	 * one's end. */
	size_t begin, open, end;
	bool odd;                          /* the text between the braces has more than pairs, or the closing brace is
	                                    * missing */
} bspi_edit_entity;

typedef struct bspi_entity_set {
	bspi_edit_entity *entities; uint32_t count;
	bspi_edit_pair *pairs; uint32_t pair_count;
	bspi_bytes text;                   /* the text to which all offsets refer; empty: the set has no text */
	bool numbered;                     /* the caller states `source` for all entities */
} bspi_entity_set;

/* For each entity of a set, its index in the other set. NO_INDEX: the other set does not have it. */
typedef struct bspi_entity_pairing {
	uint32_t *old_of_new, *new_of_old;
} bspi_entity_pairing;

/* For each key with its value, its index in the other set. NO_INDEX: the other set does not have it. */
typedef struct bspi_key_pairing {
	uint32_t *new_of_old, *old_of_new;
} bspi_key_pairing;

/* How a lump is replaced. Bytes before `begin` stay. Bytes from `tail` on are moved by `by` bytes. */
typedef struct bspi_move {
	const bspi_lump_place *place;      /* the entry of the lump in the directory */
	bspi_bytes bytes;                  /* the new content of the lump */
	bool unpacked;                     /* the old content was compressed; the new content is not */
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
	bspi_move move; bool moved;        /* how the lumps of `file` were moved, if they were */
	bspi_bytes text;                   /* the new text of entities */
	bspi_bytes file;                   /* the output */
	bool latin;                        /* the map's text is in Windows-1252 */
	bspscene_rewrite_options options;
	bspscene_rewrite_report report;
} bspi_rewrite;

/* ---- Sets of entities ------------------------------------------------------------------------------------- */

/* Returns the value of the entity's first pair with this key, or "". */
const char *bspi_edit_value(const bspi_entity_set *set, uint32_t entity, const char *key);
/* Reads a text in the way in which the map's own engine reads it. */
bool bspi_scan_entities(bspi_ctx *ctx, bspi_bytes text, const bspi_map *map, bspi_entity_set *out);
bool bspi_read_new_entities(bspi_rewrite *r, const bspscene_edited_entities *from);
bool bspi_take_scene_entities(bspi_ctx *ctx, const bspscene_scene *scene, bspi_entity_set *out);

/* ---- Differences ------------------------------------------------------------------------------------------ */

/* Pairs the entities of two sets. If `one_map` is true, both sets are of the same build of a map, so brush models with
 * the same number are the same. */
bool bspi_pair_entities(bspi_ctx *ctx, const bspi_entity_set *old, const bspi_entity_set *new, bool one_map,
                        bspi_entity_pairing *out);
bool bspi_pair_keys(bspi_ctx *ctx, const bspi_entity_set *old, const bspi_entity_set *new,
                    const bspi_entity_pairing *pairing, bspi_key_pairing *out);
/* True if an old and a new entity have the same keys and values. */
bool bspi_same_keys(const bspi_entity_set *old, uint32_t old_entity, const bspi_entity_set *new, uint32_t new_entity,
                    const bspi_key_pairing *keys);
bool bspi_list_changes(bspi_ctx *ctx, const bspi_entity_set *old, const bspi_entity_set *new,
                       const bspi_entity_pairing *pairing, const bspi_key_pairing *keys,
                       bspscene_entity_changes *out);

/* ---- The file --------------------------------------------------------------------------------------------- */

bool bspi_make_entity_bytes(bspi_rewrite *r);
bool bspi_check_entities(bspi_rewrite *r);
/* Warns of entities that an engine may reject. Also warns of files with entities that an engine reads instead of the
 * map's text. */
bool bspi_warn_of_entities(bspi_rewrite *r);
/* Reads the new text again and compares it with the new entities. Ignores bytes of `text` after its first NUL. */
bool bspi_check_entity_bytes(bspi_rewrite *r, bspi_bytes text);
bool bspi_add_bspx_places(bspi_ctx *ctx, bspi_map *map);
bool bspi_move_lumps(bspi_rewrite *r, bspi_move *out);
/* Returns the entry of a lump in the directory; NULL if the directory has none. */
const bspi_lump_place *bspi_find_place(const bspi_map *map, const char *name);
/* Makes the file in which the lump is replaced. Sets `tail` and `by` in `move`. Call bspi_add_bspx_places before. */
bool bspi_replace_lump(bspi_ctx *ctx, const bspi_map *map, bspi_move *move, bspi_bytes *file);
static inline size_t bspi_moved_to(const bspi_move *move, size_t at)
{
	return at < move->tail ? at : (size_t)((int64_t)at + move->by);
}
bool bspi_check_moved(bspi_rewrite *r, const bspi_move *move);

/* ---- Corners of faces ------------------------------------------------------------------------------------- */

bool bspi_read_new_corners(bspi_rewrite *r);
bool bspi_write_corners(bspi_rewrite *r);
/* Writes new texture coordinates of faces that have no vertices of their own. axes_bytes.c */
bool bspi_write_axes(bspi_rewrite *r);

bool bspi_run_rewrite(bspi_rewrite *r, const bspscene_stream *stream, const bspscene_edited_entities *entities,
                      const bspscene_output *output, bspscene_entity_changes *changes);

#endif
