/* map_numbers.h - what people ask of a scene and its counts do not say. */
#ifndef CLI_MAP_NUMBERS_H
#define CLI_MAP_NUMBERS_H

#include <bspscene/bspscene.h>

typedef struct cli_lightmap_facts {
	uint32_t pages, width, height;     /* of the largest page */
	uint32_t styles;
	double coverage;                   /* part of all luxels that some face shows */
	bool hdr;
	bool is_dark; /* there are luxels, and all are black or nearly so */
} cli_lightmap_facts;

/* What stands in the map: nodes that show a model, meshes that these share. */
typedef struct cli_prop_facts {
	uint32_t shown, meshes;
} cli_prop_facts;

cli_lightmap_facts cli_measure_lightmaps(const bspscene_scene *scene);
cli_prop_facts cli_count_props(const bspscene_scene *scene);
uint32_t cli_count_surface_lights(const bspscene_scene *scene);

#endif
