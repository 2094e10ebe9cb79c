/* furnished.h - loads a room of a family with entities that a test chooses. The game consists of the files that the
 * test adds. */
#ifndef BSPT_FURNISHED_H
#define BSPT_FURNISHED_H

#include "map/family.h"
#include "support/bspt.h"
#include "support/make/build_map.h"

enum { BSPT_FURNISHED_FILES = 24 };

typedef struct bspt_furnished {
	struct {
		const char *path;
		bspt_bytes bytes;
	} files[BSPT_FURNISHED_FILES];
	uint32_t file_count;
	bspscene_load_options options;
	bspscene_scene *scene;
	bspt_bytes map;
} bspt_furnished;

/* Begins without files, with default options that open the added files. */
void bspt_furnished_begin(bspt_furnished *g);
/* Adds a copy of a file to the game. The path is not copied, so it must outlive the game. */
void bspt_furnished_add(bspt_furnished *g, const char *path, const void *data, size_t size);
/* Adds the small model in a format (build_model.h), without its sibling files. */
void bspt_furnished_add_model(bspt_furnished *g, const char *format, const char *path);
/* Loads a room with these entities, and checks the scene. Its floor is at z = 0 from 0,0 to 128,128. */
void bspt_furnished_load_room(bspt_furnished *g, const bspi_family *family, const bspi_variant *variant,
                              const char *entities);
/* Loads parts that the test changed, and checks the scene. */
void bspt_furnished_load_parts(bspt_furnished *g, const bspi_variant *variant, const bspt_parts *parts);
/* Loads the room of the family's first variant with these entities, and checks the scene. */
void bspt_furnished_load(bspt_furnished *g, const bspi_family *family, const char *entities);
/* Returns the mesh of the node of that name, or BSPSCENE_NO_INDEX. */
uint32_t bspt_furnished_mesh(const bspt_furnished *g, const char *node);
void bspt_furnished_end(bspt_furnished *g);

#endif
