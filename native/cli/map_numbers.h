/* map_numbers.h - computes facts about a scene that bspscene_counts does not have. */
#ifndef CLI_MAP_NUMBERS_H
#define CLI_MAP_NUMBERS_H

#include <bspscene/bspscene.h>

typedef struct cli_lightmap_facts {
	uint32_t pages, width, height;     /* number of pages; size of the largest one in luxels */
	uint32_t styles;
	double coverage;                   /* number of luxels that belong to a face, divided by the number of luxels of
	                                    * all pages */
	bool hdr;
	bool is_dark; /* true if there are lightmaps and all luxels are nearly black */
} cli_lightmap_facts;

/* `shown`: number of props whose model is shown; `meshes`: number of different meshes that these props use. */
typedef struct cli_prop_facts {
	uint32_t shown, meshes;
} cli_prop_facts;

cli_lightmap_facts cli_measure_lightmaps(const bspscene_scene *scene);
cli_prop_facts cli_count_props(const bspscene_scene *scene);
uint32_t cli_count_surface_lights(const bspscene_scene *scene);

#endif
