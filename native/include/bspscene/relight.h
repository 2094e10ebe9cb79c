/* relight.h - light goes back: pages that were painted, denoised or baked anew become the luxels of a copy of the map.
 *
 * A stored luxel whose encoding is what the page holds is not touched, so pages that nobody changed give the map byte
 * by byte, whatever their encoding. A luxel that changed is written in all encodings that the map has of it. */
#ifndef BSPSCENE_RELIGHT_H
#define BSPSCENE_RELIGHT_H

#include <bspscene/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the luxels of a face are on the pages. */
typedef struct bspscene_lightmap_rect {
	uint32_t face_record;                   /* the face, as bspscene_face.source */
	uint32_t lightmap_page, x, y, width, height; /* gutter not counted */
} bspscene_lightmap_rect;

/* New light of a map, of bspscene_read_atlas or a caller's own. Sets, and pages with data NULL, that are left out keep
 * their luxels; so do faces without a place. */
typedef struct bspscene_edited_light {
	size_t struct_size;                /* see bspscene_edited_light_init */
	bspscene_lightmap_encoding encoding; /* of all pages but directions */
	const bspscene_lightmap_set *lightmap_sets;           uint32_t lightmap_set_count;
	uint32_t lightmap_page_count;                     /* pages in every set */
	const bspscene_lightmap_rect *rects;      uint32_t rect_count;
	float overbright;                  /* bspscene_scene.overbright of the load that made the pages; 0: not checked */
	char light[16];                    /* which of the map's light it is: bspscene_map_light.name */
	char light_hash[17], layout_hash[17]; /* as there; "": not checked */
	const bspscene_light_list *lists;        uint32_t list_count; /* light on no page; what is left out stays */
} bspscene_edited_light;

static inline void bspscene_edited_light_init(bspscene_edited_light *light)
{
	memset(light, 0, sizeof *light);
	light->struct_size = sizeof *light;
}

/* Zero is the default for every field; start with bspscene_relight_options_init. */
typedef struct bspscene_relight_options {
	size_t struct_size;                /* see bspscene_relight_options_init */
	const char *file_name;             /* of the map, "atrium.bsp", UTF-8; files beside it are named after it; NULL: the
	                                    * map's name */
	bspscene_light_range light_range;       /* write only the map's light of this kind; AUTO: all of it */
	bool accept_other_light;                  /* the map's light need not be the one that was baked */
	bool convert_to_gray;                       /* Quake: colour becomes grey where the map has none, instead of a .lit */
} bspscene_relight_options;

static inline void bspscene_relight_options_init(bspscene_relight_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/* Start with bspscene_relight_report_init. */
typedef struct bspscene_relight_report {
	size_t struct_size;
	uint64_t luxels;                   /* of the map that the pages show; one that faces share counts for each */
	uint64_t outside;                  /* of the map's faces that no page shows: kept */
	uint64_t changed;                  /* stored luxels with new light */
	uint64_t conflicts;                /* of these, shared by faces that disagree: they have the mean */
	uint64_t clamped;                  /* brighter than the map can store */
	uint64_t repaired;                 /* not finite, or negative */
	uint64_t not_stored;               /* light of a style that the face does not have in the map */
	float clamp_factor;               /* by which clamped light is too bright; 1: none is */
	uint32_t faces_changed, faces_unlit; /* without luxels: they cannot be lit */
	uint32_t file_count;               /* written, or to be written without `output` */
	bool identical;                    /* nothing changed: the output is a copy */
	uint64_t points_changed;           /* luxels of lists: vertices, and points of the light grid, with new light */
} bspscene_relight_report;

static inline void bspscene_relight_report_init(bspscene_relight_report *report)
{
	memset(report, 0, sizeof *report);
	report->struct_size = sizeof *report;
}

/* Writes a copy of a map with new light: the map, then the files beside it that its light is in (MAP.lit,
 * MAP/lm_0000.tga, ...). `load` says how the map is loaded: name, open_file, limits, progress, threads; what it says of
 * pages does not count. Nothing is written before all of it is known to be well. The stream is closed before returning.
 * `load`, `options`, `report` and `error` may be NULL; `output` NULL: nothing is written, the report says what would
 * be.
 *
 * Pictures in maps/ that shaders name as lightmaps (Quake III) keep their names, "atrium/lm_0001.tga" for the output,
 * and are written when they changed.
 *
 * BSPSCENE_ERROR_OTHER_MAP: the pages are of another map, or of other light. Maps that were never lit, and light that
 * changed in pictures elsewhere that shaders name, are BSPSCENE_ERROR_UNSUPPORTED_FORMAT. */
BSPSCENE_API bool bspscene_relight(const bspscene_stream *map, const bspscene_load_options *load,
                                   const bspscene_edited_light *light, const bspscene_relight_options *options,
                                   const bspscene_output *output, bspscene_relight_report *report,
                                   bspscene_error *error);

/* Reads atlas.json of version 2 and its pictures, which `open_file` of `load` finds by their names. A page may be some
 * whole number of times as large as the atlas says: then it is the mean of its pixels. NULL: `error`, which may be
 * NULL, says why. */
BSPSCENE_API bspscene_edited_light *bspscene_read_atlas(const void *json, size_t size, const bspscene_load_options *load,
                                                     bspscene_error *error);
BSPSCENE_API void bspscene_edited_light_free(bspscene_edited_light *light); /* of bspscene_read_atlas; NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
