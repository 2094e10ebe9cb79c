/* direct_light.h - computes the light of lamps and the sun on models. The lamps are those that Source's compiler lists
 * in the map. docs/models.md has the rules. */
#ifndef BSPI_DIRECT_LIGHT_H
#define BSPI_DIRECT_LIGHT_H

#include "stages/stages.h"

enum { BSPI_MOST_DIRECT = 4 };

/* The lamps of the map that light models, and the state of the search for lamps that reach a position. */
typedef struct bspi_lamps {
	const bspi_map *map;
	const bspscene_scene *scene;
	struct bspi_world_lamp *lamps; uint32_t count;
	struct bspi_lamp_at *found;        /* memory for one entry per lamp */
	uint64_t budget;                   /* work that is still allowed, see BUDGET in direct_light.c */
} bspi_lamps;

/* The light of lamps at one position, in linear light. A light of 1 shows a texture unchanged. */
typedef struct bspi_direct_light {
	const bspscene_model_lamp *lamps[BSPI_MOST_DIRECT]; uint32_t count;
	float cube[6][3];                  /* light of all lamps that are not in `lamps`, from six sides */
} bspi_direct_light;

/* Converts a light of the map to a lamp. The color of the lamp is multiplied by `style`, the brightness of its light
 * style when the map starts. model_lamp.c */
bspscene_model_lamp bspi_model_lamp(const bspi_world_light *light, float style);
/* Lists the lamps that light models. Their number is 0 if the map has none. Returns false if memory is out. */
bool bspi_collect_lamps(bspi_build *build, bspi_lamps *out);
/* Finds the light of lamps at a position. Returns false if no lamp reaches the position, or if the budget is used
 * up. */
bool bspi_find_direct_light(bspi_lamps *lamps, const float place[3], bspi_direct_light *out);
/* Computes the light on a surface, from the strongest lamps, the cube of the other lamps, and `ambient`, the cube of
 * the leaf. `softly` is bspscene_material.half_lambert. */
void bspi_direct_light_on(const bspi_direct_light *direct, const float ambient[6][3], const float position[3],
                          const float normal[3], bool softly, float out[3]);

#endif
