/* map_numbers.h - numbers about a scene that its counts do not have. */
#ifndef CLI_MAP_NUMBERS_H
#define CLI_MAP_NUMBERS_H

#include <bspscene/bspscene.h>

typedef struct cli_lightmap_facts {
	uint32_t pages, width, height;     /* of the largest page */
	uint32_t styles;
	double coverage;                   /* part of all luxels that some face shows */
	bool hdr;
	bool is_dark; /* true if there are lightmaps and all luxels are nearly black */
} cli_lightmap_facts;

/* Counts the models in the map: the nodes that show one, and the meshes that these share. */
typedef struct cli_prop_facts {
	uint32_t shown, meshes;
} cli_prop_facts;

cli_lightmap_facts cli_measure_lightmaps(const bspscene_scene *scene);
cli_prop_facts cli_count_props(const bspscene_scene *scene);
uint32_t cli_count_surface_lights(const bspscene_scene *scene);

#endif
