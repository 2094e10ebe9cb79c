/* direct_light.h - light of lamps and the sun on models, from the list of Source's compiler. docs/models.md has the
 * rules. */
#ifndef BSPI_DIRECT_LIGHT_H
#define BSPI_DIRECT_LIGHT_H

#include "stages/stages.h"

enum { BSPI_MOST_DIRECT = 4 };

/* The list, and what all models share. */
typedef struct bspi_lamps {
	const bspi_map *map;
	const bspscene_scene *scene;
	struct bspi_world_lamp *lamps; uint32_t count;
	struct bspi_lamp_at *found;        /* array with room for all of them */
	uint64_t budget;                   /* remaining steps of rays, see direct_light.c */
} bspi_lamps;

/* The light at one position. Linear; 1 shows a texture unchanged. */
typedef struct bspi_direct_light {
	const bspscene_model_lamp *lamps[BSPI_MOST_DIRECT]; uint32_t count;
	float cube[6][3];                  /* all weaker lamps together, from six sides */
} bspi_direct_light;

/* Converts a lamp of the list, multiplied by `style`. model_lamp.c */
bspscene_model_lamp bspi_model_lamp(const bspi_world_light *light, float style);
/* Lists the lamps that light models; count is 0 if there are none. */
bool bspi_collect_lamps(bspi_build *build, bspi_lamps *out);
/* False if no lamp of the list reaches the position, or the budget is used up. */
bool bspi_find_direct_light(bspi_lamps *lamps, const float place[3], bspi_direct_light *out);
/* Adds the light on a surface: direct light (`softly`: as with half_lambert) and both cubes. `ambient` is the
 * position's own cube. */
void bspi_direct_light_on(const bspi_direct_light *direct, const float ambient[6][3], const float position[3],
                          const float normal[3], bool softly, float out[3]);

#endif
