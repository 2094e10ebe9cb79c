/* baked.h - the pages of a map, to be changed and written back. Failures fail the calling cmocka test. */
#ifndef BSPT_BAKED_H
#define BSPT_BAKED_H

#include <bspscene/relight.h>

#include "support/captured.h"

typedef struct bspt_baked {
	bspscene_scene *scene;
	bspscene_edited_light light;
	bspscene_lightmap_set *sets;           /* copies of the scene's sets, which may be changed */
	bspscene_lightmap_rect *places;
	bspscene_light_list *lists;
} bspt_baked;

/* Bakes the light. `options` must request keep_map_light. Returns false if the map has no luxels; then there is nothing
 * to free. */
bool bspt_bake_as(bspt_baked *b, bspt_bytes map, const bspscene_load_options *options);
bool bspt_bake(bspt_baked *b, bspt_bytes map, bspscene_lightmap_encoding encoding);
void bspt_baked_free(bspt_baked *b);

size_t bspt_page_luxel_size(const bspscene_lightmap_page *page);
/* Returns luxel x, y of rectangle number `place` in the lightmap set `set`, or NULL if the set has no such page. */
uint8_t *bspt_baked_luxel(const bspt_baked *b, uint32_t set, uint32_t place, uint32_t x, uint32_t y);

typedef struct bspt_relit {
	bool ok;
	bspscene_error error;
	bspscene_relight_report report;
	bspt_captured captured;
} bspt_relit;

/* Writes the pages into the map; `load` and `options` may be NULL. */
bspt_relit *bspt_relight_as(const bspt_baked *b, bspt_bytes map, const bspscene_load_options *load,
                            const bspscene_relight_options *options);
bspt_relit *bspt_relight(const bspt_baked *b, bspt_bytes map);
void bspt_relit_free(bspt_relit *r);
/* Returns the written map. The caller frees it with test_free. */
bspt_bytes bspt_relit_map(const bspt_relit *r);

#endif
