/* rewrite.h - entities go back: what was moved, added, copied, removed or given other keys becomes the entity text of a
 * copy of the map; and corners of faces: their texture coordinates, normals and colours. No other byte of it changes.
 *
 * Entities are compared key by key. One that did not change keeps its bytes, and so does each key of one that did: with
 * entities as they were, the copy is the map byte by byte. */
#ifndef BSPSCENE_REWRITE_H
#define BSPSCENE_REWRITE_H

#include <bspscene/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What differs ----------------------------------------------------------------------------------------- */

typedef enum bspscene_change_kind {
	BSPSCENE_CHANGE_MODIFIED,
	BSPSCENE_CHANGE_ADDED,
	BSPSCENE_CHANGE_REMOVED,
	BSPSCENE_CHANGE_FORCE_32BIT = 0x7fffffff
} bspscene_change_kind;

/* One of the two is NULL for a key that was added, or removed. What is said of a repeated key is said in their order:
 * the third value of a key is compared with the third. */
typedef struct bspscene_key_change {
	const char *key, *old_value, *new_value;
} bspscene_key_change;

typedef struct bspscene_entity_change {
	bspscene_change_kind kind;
	uint32_t old_entity, new_entity;   /* their numbers, or NO_INDEX */
	const char *classname, *targetname, *origin; /* of the old one, of one that was added the new one's; or "" */
	const bspscene_key_change *const *keys; uint32_t key_count; /* of entities that were added or removed all */
} bspscene_entity_change;

/* In the order of the old entities, then of those that were added. */
typedef struct bspscene_entity_changes {
	const bspscene_entity_change *const *changes; uint32_t change_count;
	uint32_t added, removed, changed;  /* how many of them are which */
	bool reordered;                    /* entities that both have stand in another order */
	const bspscene_warning *const *warnings; uint32_t warning_count; /* of bspscene_rewrite: what engines may not
	                                    * take */
} bspscene_entity_changes;

/* What differs between the entities of two scenes, of which each belongs to one of the other at most: those that are
 * equal; else those of one `hammerid`; else those of one class that have most in common. NULL: `error`, which may be
 * NULL, says why. */
BSPSCENE_API bspscene_entity_changes *bspscene_compare_entities(const bspscene_scene *old_scene,
                                                                const bspscene_scene *new_scene,
                                                                bspscene_error *error);
BSPSCENE_API void bspscene_entity_changes_free(bspscene_entity_changes *changes); /* NULL is fine */

/* ---- Writing ---------------------------------------------------------------------------------------------- */

typedef struct bspscene_edited_entity {
	uint32_t original_entity;                   /* number of the map's entity that it was; NO_INDEX: of none, it is new */
	uint32_t first_pair, pair_count;   /* into bspscene_edited_entities.pairs */
} bspscene_edited_entity;

/* All entities that the map is to have, in their order. Either a text: JSON as `bspscene entities --json` prints it
 * (`pairs` of each object count), or text as engines read it; which of them, the text shows. Or records, in UTF-8.
 * Entities of a text, and of records that all have no source, find theirs as bspscene_compare_entities says, and by
 * their brush models. */
typedef struct bspscene_edited_entities {
	size_t struct_size;                /* see bspscene_edited_entities_init */
	const void *text;                        size_t text_size; /* NULL: records */
	const bspscene_edited_entity *entities;     uint32_t entity_count;
	const bspscene_pair *pairs;              uint32_t pair_count;
} bspscene_edited_entities;

static inline void bspscene_edited_entities_init(bspscene_edited_entities *entities)
{
	memset(entities, 0, sizeof *entities);
	entities->struct_size = sizeof *entities;
}

typedef enum bspscene_corner_flag {
	BSPSCENE_CORNER_UV = 0x1,
	BSPSCENE_CORNER_NORMAL = 0x2,
	BSPSCENE_CORNER_COLOR = 0x4,
	BSPSCENE_CORNER_FORCE_32BIT = 0x7fffffff
} bspscene_corner_flag;

/* What a corner of a face is to have. Families whose faces have vertices of their own (Quake III and its relatives):
 * corners are the file's, a curve's its control points; of polygons and triangle lists in the order of the face's
 * vertices in its mesh; of one vertex all have to say the same. Others: texture coordinates alone, as a projection. */
typedef struct bspscene_edited_corner {
	uint32_t face, corner;             /* bspscene_face.source, and the number of its corner */
	uint32_t flags;                    /* bspscene_corner_flag: which of the following count, the others stay */
	float uv[2];                       /* of the texture, in whole textures */
	float normal[3];                   /* is made unit length */
	uint8_t color[4];                  /* as the file has it: light, and alpha */
} bspscene_edited_corner;

typedef enum bspscene_rewrite_form {
	BSPSCENE_REWRITE_FORM_MAP,              /* a copy of the map */
	BSPSCENE_REWRITE_FORM_ENT,              /* the text alone, "atrium.ent": Quake's, Quake II's and GoldSrc's later engines
	                                    * read it in place of the map's own */
	BSPSCENE_REWRITE_FORM_LUMP_PATCH,       /* the lump alone, "atrium_l_0.lmp": Source's engines do */
	BSPSCENE_REWRITE_FORM_FORCE_32BIT = 0x7fffffff
} bspscene_rewrite_form;

/* Zero is the default for every field; start with bspscene_rewrite_options_init. */
typedef struct bspscene_rewrite_options {
	size_t struct_size;                /* see bspscene_rewrite_options_init */
	const char *file_name;             /* of the output, UTF-8; NULL: the map's name with the form's ending */
	bspscene_rewrite_form form;

	/* Corners that change: a text, {"corners": [{"face": 12, "corner": 0, "uv": [0.5, 1], "normal": [0, 0, 1],
	 * "color": [255, 255, 255, 128]}, ...]}, of which each says what it changes; or records. */
	const void *corner_text;                 size_t corner_text_size; /* NULL: records */
	const bspscene_edited_corner *corners;      uint32_t corner_count;
} bspscene_rewrite_options;

static inline void bspscene_rewrite_options_init(bspscene_rewrite_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/* Start with bspscene_rewrite_report_init. */
typedef struct bspscene_rewrite_report {
	size_t struct_size;
	bool identical;                    /* no entity and no corner changed: the output of a map is a copy */
	uint64_t old_size, new_size;       /* bytes of the text */
	bspscene_entity_changes *changes;  /* what will change; the caller's, for bspscene_entity_changes_free */
	uint32_t corners_changed;          /* vertices of the file, or projected corners, with other values */
} bspscene_rewrite_report;

static inline void bspscene_rewrite_report_init(bspscene_rewrite_report *report)
{
	memset(report, 0, sizeof *report);
	report->struct_size = sizeof *report;
}

/* Writes a copy of a map with other entities. Lumps that come behind the text move, as a whole and by a multiple of
 * what they are aligned to, and what says where they are follows; a text that was compressed is written as it is. The
 * new map is read again, and compared with what was asked for, before anything is written. `load` says how the map is
 * loaded: name, open_file, limits; a file beside it whose entities engines read in their place is told as a warning.
 * The stream is closed before returning. `load`, `options`, `report` and `error` may be NULL; `output` NULL: nothing is
 * written, the report says what would change. `entities` NULL: they stay.
 *
 * BSPSCENE_ERROR_BAD_DATA: entities that no map can have (a quote in a value, a brush model that the map does not have,
 * worldspawn not the first any more), by their numbers; corners that the map does not have, or values that are none.
 * BSPSCENE_ERROR_BAD_LUMP: the text, or vertices that change, share bytes with a lump.
 * BSPSCENE_ERROR_UNSUPPORTED_FORMAT: corners that no face of the family can have, or that would move its light. */
BSPSCENE_API bool bspscene_rewrite(const bspscene_stream *map, const bspscene_load_options *load,
                                   const bspscene_edited_entities *entities, const bspscene_rewrite_options *options,
                                   const bspscene_output *output, bspscene_rewrite_report *report,
                                   bspscene_error *error);

#ifdef __cplusplus
}
#endif
#endif
