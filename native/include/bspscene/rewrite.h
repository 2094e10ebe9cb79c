/* rewrite.h - Writes edited entities and face corners back into a copy of the map.
 *
 * Entities are compared key by key. Unchanged entities and keys keep their bytes, so unedited entities give the same
 * map byte for byte. */
#ifndef BSPSCENE_REWRITE_H
#define BSPSCENE_REWRITE_H

#include <bspscene/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Comparing entities ----------------------------------------------------------------------------------- */

/** What happened to an entity. */
typedef enum bspscene_change_kind {
	BSPSCENE_CHANGE_MODIFIED,
	BSPSCENE_CHANGE_ADDED,
	BSPSCENE_CHANGE_REMOVED,
	BSPSCENE_CHANGE_FORCE_32BIT = 0x7fffffff
} bspscene_change_kind;

/** A key that changed. Values of a repeated key are compared in order, the third with the third. */
typedef struct bspscene_key_change {
	const char *key;                   /**< Name of the key. */
	const char *old_value;             /**< NULL: the key was added. */
	const char *new_value;             /**< NULL: the key was removed. */
} bspscene_key_change;

/** An entity that changed. */
typedef struct bspscene_entity_change {
	bspscene_change_kind kind;         /**< What happened to the entity. */
	uint32_t old_entity, new_entity;   /**< Their indices, or NO_INDEX. */
	const char *classname;             /**< Of the old entity, or of the new one if it was added. "" if it has none. */
	const char *targetname;            /**< As classname. */
	const char *origin;                /**< As classname. */
	const bspscene_key_change *const *keys; /**< Changed keys. All keys of an added or removed entity. */
	uint32_t key_count;                /**< Entries of `keys`. */
} bspscene_entity_change;

/** All entities that changed, in the order of the old entities; added ones follow. */
typedef struct bspscene_entity_changes {
	const bspscene_entity_change *const *changes; /**< The entities that changed. */
	uint32_t change_count;             /**< Entries of `changes`. */
	uint32_t added, removed, changed;  /**< Number of changes of each kind. */
	bool reordered;                    /**< True if the entities that both sides have are in another order. */
	/** Warnings of bspscene_rewrite about values that engines may not accept. */
	const bspscene_warning *const *warnings;
	uint32_t warning_count;            /**< Entries of `warnings`. */
} bspscene_entity_changes;

/** Compares the entities of two scenes.
 *
 * Pairs are formed by equality, then by `hammerid`, then by the most equal keys within a class. Returns changes to be
 * freed with bspscene_entity_changes_free, or NULL with `error` (may be NULL) set. The scenes may be freed first. */
BSPSCENE_API bspscene_entity_changes *bspscene_compare_entities(const bspscene_scene *old_scene,
                                                                const bspscene_scene *new_scene,
                                                                bspscene_error *error);

/** Frees changes. NULL does nothing. */
BSPSCENE_API void bspscene_entity_changes_free(bspscene_entity_changes *changes);

/* ---- Edited entities and corners -------------------------------------------------------------------------- */

/** An edited entity as a record. Frozen. */
typedef struct bspscene_edited_entity {
	uint32_t original_entity;          /**< Index of the entity in the map. NO_INDEX: it is new. */
	uint32_t first_pair, pair_count;   /**< Range of bspscene_edited_entities.pairs. */
} bspscene_edited_entity;

/** All entities of the new map, in order, as text or as records. Start with bspscene_edited_entities_init.
 *
 * The text is JSON as `bspscene entities --json` prints it (only the `pairs` of each object are read), or entity
 * text as engines read it. A text, and records that are all new, do not say which entities of the map they continue:
 * they are paired with the map's entities as in bspscene_compare_entities, and by their brush models. */
typedef struct bspscene_edited_entities {
	size_t struct_size;                /**< See bspscene_edited_entities_init. */
	const void *text;                  /**< NULL: records. */
	size_t text_size;                  /**< Bytes of `text`. */
	const bspscene_edited_entity *entities; /**< Records. Used if `text` is NULL. */
	uint32_t entity_count;             /**< Entries of `entities`. */
	const bspscene_pair *pairs;        /**< UTF-8. */
	uint32_t pair_count;               /**< Entries of `pairs`. */
} bspscene_edited_entities;

static inline void bspscene_edited_entities_init(bspscene_edited_entities *entities)
{
	memset(entities, 0, sizeof *entities);
	entities->struct_size = sizeof *entities;
}

/** Which values of a corner change. */
typedef enum bspscene_corner_flag {
	BSPSCENE_CORNER_UV = 0x1,
	BSPSCENE_CORNER_NORMAL = 0x2,
	BSPSCENE_CORNER_COLOR = 0x4,
	BSPSCENE_CORNER_FORCE_32BIT = 0x7fffffff
} bspscene_corner_flag;

/** New values for a corner of a face. Frozen.
 *
 * In families whose faces own vertices (Quake III and relatives), corners are the vertices of the file: control points
 * of a patch; for polygons and triangle lists, the order of the face's vertices in its mesh. All corners of one vertex
 * must agree. Other families store a projection, so only texture coordinates can change. */
typedef struct bspscene_edited_corner {
	uint32_t face, corner;             /**< bspscene_face.record, and the number of the corner. */
	uint32_t flags;                    /**< bspscene_corner_flag bits: which of the values change. */
	float uv[2];                       /**< Texture coordinates. 1 is one repeat of the texture. */
	float normal[3];                   /**< Normalized by the library. */
	uint8_t color[4];                  /**< As in the file: light and alpha. */
} bspscene_edited_corner;

/* ---- Writing ---------------------------------------------------------------------------------------------- */

/** What bspscene_rewrite writes. */
typedef enum bspscene_rewrite_form {
	BSPSCENE_REWRITE_FORM_MAP,         /**< A copy of the map. */
	BSPSCENE_REWRITE_FORM_ENT,         /**< The entity text alone, "atrium.ent", which later engines of Quake, Quake
	                                    * II and GoldSrc read instead of the map's. */
	BSPSCENE_REWRITE_FORM_LUMP_PATCH,  /**< The entity lump alone, "atrium_l_0.lmp", which Source reads instead. */
	BSPSCENE_REWRITE_FORM_FORCE_32BIT = 0x7fffffff
} bspscene_rewrite_form;

/** Options of bspscene_rewrite. Zero is the default of every field. Start with bspscene_rewrite_options_init. */
typedef struct bspscene_rewrite_options {
	size_t struct_size;                /**< See bspscene_rewrite_options_init. */
	const char *file_name;             /**< Name of the output. NULL: the map's name with the extension of the form. */
	bspscene_rewrite_form form;        /**< What is written. */
	const void *corner_text;           /**< Corners as JSON, each with the values that change: {"corners": [{"face":
	                                    * 12, "corner": 0, "uv": [0.5, 1], "normal": [0, 0, 1], "color": [255, 255,
	                                    * 255, 128]}]}. NULL: records. */
	size_t corner_text_size;           /**< Bytes of `corner_text`. */
	const bspscene_edited_corner *corners; /**< Corners as records. */
	uint32_t corner_count;             /**< Entries of `corners`. */
} bspscene_rewrite_options;

static inline void bspscene_rewrite_options_init(bspscene_rewrite_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/** What bspscene_rewrite did. Start with bspscene_rewrite_report_init. */
typedef struct bspscene_rewrite_report {
	size_t struct_size;                /**< See bspscene_rewrite_report_init. */
	bool identical;                    /**< True if no entity and no corner changed: the copy of the map is exact. */
	uint64_t old_size, new_size;       /**< Bytes of the entity text. */
	bspscene_entity_changes *changes;  /**< What changes. Free it with bspscene_entity_changes_free. */
	uint32_t corners_changed;          /**< Vertices of the file, or projected corners, that changed. */
} bspscene_rewrite_report;

static inline void bspscene_rewrite_report_init(bspscene_rewrite_report *report)
{
	memset(report, 0, sizeof *report);
	report->struct_size = sizeof *report;
}

/** Writes a copy of a map with edited entities and corners.
 *
 * - Lumps after the entity text move as a whole, by a multiple of their alignment, and the directory follows.
 *   Compressed entity text is written uncompressed.
 * - The result is loaded again and compared with what was requested before anything is written.
 * - `load` states how the map is loaded: name, open_file, limits. A file next to the map whose entities engines
 *   prefer is reported as a warning.
 * - The stream is closed. `output` NULL: nothing is written, and the report states what would change.
 * - `entities` NULL: the entities do not change. `load`, `options`, `report` and `error` may be NULL.
 *
 * Returns false with `error` set on failure:
 * - BSPSCENE_ERROR_BAD_DATA: entities or corners that no map can have. Examples are a quote in a value, a missing brush
 *   model, a first entity other than worldspawn, a missing corner, a value that is not finite. The message names them.
 * - BSPSCENE_ERROR_BAD_LUMP: the entity text, or a changed vertex, shares bytes with another lump.
 * - BSPSCENE_ERROR_UNSUPPORTED_FORMAT: corners that the family cannot store, or that would move its light. */
BSPSCENE_API bool bspscene_rewrite(const bspscene_stream *map, const bspscene_load_options *load,
                                   const bspscene_edited_entities *entities, const bspscene_rewrite_options *options,
                                   const bspscene_output *output, bspscene_rewrite_report *report,
                                   bspscene_error *error);

#ifdef __cplusplus
}
#endif
#endif
