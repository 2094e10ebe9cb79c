/* direct_light.h - light of lamps and the sun on models, from the list of lights that Source's compiler stores.
 * docs/models.md has the rules. */
#ifndef BSPI_DIRECT_LIGHT_H
#define BSPI_DIRECT_LIGHT_H

#include "stages/stages.h"

enum { BSPI_MOST_DIRECT = 4 };

/* The lamps of the map, with working memory. */
typedef struct bspi_lamps {
	const bspi_map *map;
	const bspscene_scene *scene;
	struct bspi_world_lamp *lamps; uint32_t count;
	struct bspi_lamp_at *found;        /* working memory for one entry per lamp */
	uint64_t budget;                   /* work that is left, see direct_light.c */
} bspi_lamps;

/* The light at one position. Linear; 1 shows a texture unchanged. */
typedef struct bspi_direct_light {
	const bspscene_model_lamp *lamps[BSPI_MOST_DIRECT]; uint32_t count;
	float cube[6][3];                  /* the other lamps together, from six sides */
} bspi_direct_light;

/* Converts a light of the map to a lamp, with its color multiplied by `style`. model_lamp.c */
bspscene_model_lamp bspi_model_lamp(const bspi_world_light *light, float style);
/* Lists the lamps that light models; out->count is 0 if there are none. Returns false if memory is out. */
bool bspi_collect_lamps(bspi_build *build, bspi_lamps *out);
/* Finds the light of lamps at a position. False if none reaches it, or if the budget is used up. */
bool bspi_find_direct_light(bspi_lamps *lamps, const float place[3], bspi_direct_light *out);
/* Computes the light on a surface: the strongest lamps and both cubes. `softly` is bspscene_material.half_lambert;
 * `ambient` is the cube of the position's leaf. */
void bspi_direct_light_on(const bspi_direct_light *direct, const float ambient[6][3], const float position[3],
                          const float normal[3], bool softly, float out[3]);

#endif
