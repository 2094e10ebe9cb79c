/* relight.h - Writes edited light back into a copy of the map.
 *
 * Pages that were painted, denoised or baked anew become luxels of the map. A luxel whose encoding equals the page
 * is not touched, so unedited pages give the same map byte for byte. An edited luxel is written in every encoding
 * that the map has of it. */
#ifndef BSPSCENE_RELIGHT_H
#define BSPSCENE_RELIGHT_H

#include <bspscene/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where the luxels of a face lie on the pages, without the gutter. Frozen. */
typedef struct bspscene_lightmap_rect {
	uint32_t face_record;              /**< The face, as bspscene_face.record. */
	uint32_t lightmap_page, x, y, width, height; /**< Page, and the rectangle on it in luxels. */
} bspscene_lightmap_rect;

/** Edited light of a map. Start with bspscene_edited_light_init, or call bspscene_read_atlas.
 *
 * Luxels keep their light if their set is missing, their page has no light, or their face has no rectangle. */
typedef struct bspscene_edited_light {
	size_t struct_size;                /**< See bspscene_edited_light_init. */
	bspscene_lightmap_encoding encoding; /**< Encoding of all pages but directions. */
	const bspscene_lightmap_set *lightmap_sets; /**< Sets of pages. */
	uint32_t lightmap_set_count;       /**< Entries of `lightmap_sets`. */
	uint32_t lightmap_page_count;      /**< Pages of every set. */
	const bspscene_lightmap_rect *rects; /**< Where the faces lie on the pages. */
	uint32_t rect_count;               /**< Entries of `rects`. */
	float overbright;                  /**< scene->overbright of the load that made the pages. 0: not checked. */
	char light[16];                    /**< Which light of the map it is: bspscene_map_light.name. */
	char light_hash[17], layout_hash[17]; /**< As in bspscene_map_light. "": not checked. */
	const bspscene_light_list *lists;  /**< Light that lies on no page. Missing lists keep their light. */
	uint32_t list_count;               /**< Entries of `lists`. */
} bspscene_edited_light;

static inline void bspscene_edited_light_init(bspscene_edited_light *light)
{
	memset(light, 0, sizeof *light);
	light->struct_size = sizeof *light;
}

/** Options of bspscene_relight. Zero is the default of every field. Start with bspscene_relight_options_init. */
typedef struct bspscene_relight_options {
	size_t struct_size;                /**< See bspscene_relight_options_init. */
	const char *file_name;             /**< Name of the output, such as "atrium.bsp". Files next to it are named
	                                    * after it. NULL: from the map's name. */
	bspscene_light_range light_range;  /**< Write the map's light of this range only. AUTO: all of it. */
	bool accept_other_light;           /**< Accept pages that were made from other light of the same map. */
	bool convert_to_gray;              /**< Quake: convert color to gray if the map has none. Else write a .lit file. */
} bspscene_relight_options;

static inline void bspscene_relight_options_init(bspscene_relight_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/** What bspscene_relight did. Start with bspscene_relight_report_init. */
typedef struct bspscene_relight_report {
	size_t struct_size;                /**< See bspscene_relight_report_init. */
	bool identical;                    /**< True if nothing changed: the output is a copy. */
	uint32_t file_count;               /**< Files written, or to be written if there is no output. */
	uint64_t luxels;                   /**< Luxels of the map on the pages. A luxel that faces share counts once for
	                                    * each face. */
	uint64_t outside;                  /**< Luxels of faces that no page shows. They keep their light. */
	uint64_t changed;                  /**< Stored luxels that changed. */
	uint64_t conflicts;                /**< Changed luxels that faces share and for which the pages have different
	                                    * light. They get the mean. */
	uint64_t clamped;                  /**< Changed luxels that are brighter than the map can store. */
	float clamp_factor;                /**< Largest factor by which clamped light was too bright. 1: nothing was
	                                    * clamped. */
	uint64_t repaired;                 /**< Changed luxels that were negative or not finite. Such values become 0 or
	                                    * the largest half float. */
	uint64_t not_stored;               /**< Lit luxels of a style that their face does not have. They are left out. */
	uint64_t points_changed;           /**< Luxels of lists that changed: vertices and points of the light grid. */
	uint32_t faces_changed;            /**< Faces with changed luxels. */
	uint32_t faces_unlit;              /**< Faces without luxels, which cannot be lit. */
} bspscene_relight_report;

static inline void bspscene_relight_report_init(bspscene_relight_report *report)
{
	memset(report, 0, sizeof *report);
	report->struct_size = sizeof *report;
}

/** Writes a copy of a map with edited light, then the files next to it that hold light (MAP.lit, MAP/lm_0000.tga).
 *
 * - `load` states how the map is loaded: name, open_file, limits, progress, threads. Its page options are ignored.
 * - The stream is closed. Nothing is written before everything is checked.
 * - `output` NULL: nothing is written, and the report states what would change.
 * - Pictures in maps/ that shaders name as lightmaps (Quake III) keep their names and are written if they changed.
 * - `load`, `options`, `report` and `error` may be NULL.
 *
 * Returns false with `error` set on failure. BSPSCENE_ERROR_OTHER_MAP: the pages belong to another map, or were made
 * from other light. BSPSCENE_ERROR_UNSUPPORTED_FORMAT: the map was never lit, or changed light is in pictures elsewhere
 * that shaders name. */
BSPSCENE_API bool bspscene_relight(const bspscene_stream *map, const bspscene_load_options *load,
                                   const bspscene_edited_light *light, const bspscene_relight_options *options,
                                   const bspscene_output *output, bspscene_relight_report *report,
                                   bspscene_error *error);

/** Reads an atlas.json of version 2 with its pictures, which `open_file` of `load` opens by their names.
 *
 * A page may be a whole number of times as large as the atlas states; each luxel is then the mean of its pixels.
 * Returns light to be freed with bspscene_edited_light_free, or NULL with `error` (may be NULL) set. */
BSPSCENE_API bspscene_edited_light *bspscene_read_atlas(const void *json, size_t size,
                                                        const bspscene_load_options *load, bspscene_error *error);

/** Frees light of bspscene_read_atlas. NULL does nothing. */
BSPSCENE_API void bspscene_edited_light_free(bspscene_edited_light *light);

#ifdef __cplusplus
}
#endif
#endif
