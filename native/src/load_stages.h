/* load_stages.h - the stages of a load in order, and their costs. */
#ifndef BSPI_LOAD_STAGES_H
#define BSPI_LOAD_STAGES_H

#include "stages/stages.h"

/* Quantities that determine the time of stages. */
typedef enum bspi_amount {
	BSPI_FACES,
	BSPI_LIT_FACES,
	BSPI_ENTITIES,
	BSPI_EMBEDDED_TEXTURES,
	BSPI_TEXTURE_FILES,
	BSPI_LIGHTMAP_FILES,
	BSPI_AMOUNT_COUNT
} bspi_amount;

/* Results of stages that later ones read. If several stages fill one array, each result is separate, and later stages
 * read the last. */
typedef enum bspi_result {
	BSPI_MAKES_ENTITIES,
	BSPI_MAKES_MODELS,                 /* without materials */
	BSPI_MAKES_FACE_TEXTURES,          /* textures, by render modes of entities */
	BSPI_MAKES_DECALS,                 /* decals with their textures; their faces are made later */
	BSPI_MAKES_MATERIALS,              /* of textures, fogs and models; light shown by shaders */
	BSPI_MAKES_LIGHT,                  /* position of each face's luxels */
	BSPI_MAKES_DISPLACEMENTS,
	BSPI_MAKES_SKYBOX,
	BSPI_MAKES_DECAL_FACES,
	BSPI_MAKES_SURFACES,               /* drawn faces; overlays; images of pages */
	BSPI_MAKES_PAGES,
	BSPI_MAKES_MESHES,
	BSPI_MAKES_STORED_LIGHT,
	BSPI_MAKES_COLLISION,
	BSPI_MAKES_MODEL_MESHES,
	BSPI_MAKES_NODES,                  /* including lights, cameras, props, overlays */
	BSPI_MAKES_WORLD,                  /* tree, vis, fogs, the light grid */
	BSPI_MAKES_PLACED,                 /* details, ambient light, cubemaps */
	BSPI_MAKES_MODEL_LIGHT,
	BSPI_MAKES_SHADING,                /* for fallback colors in maps without light */
	BSPI_RESULT_COUNT
} bspi_result;

/* A step from the checked map, which all may read, to the scene. */
typedef struct bspi_stage {
	const char *word;                  /* for bspscene_progress_fn */
	bool (*run)(bspi_build *build);
	uint32_t reads, makes;             /* bits 1 << bspi_result; test_stages checks them */
	float costs[BSPI_AMOUNT_COUNT];    /* microseconds per quantity */
} bspi_stage;

/* In the order of execution. */
extern const bspi_stage bspi_stages[];
extern const uint32_t bspi_stage_count;

/* Builds the scene of the checked map. Reports progress from BSPI_SHARE_CHECKED to 1. */
bool bspi_run_stages(bspi_build *build);

#endif
