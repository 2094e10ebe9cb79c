/* load_stages.h - the stages of a load in order, and their costs. */
#ifndef BSPI_LOAD_STAGES_H
#define BSPI_LOAD_STAGES_H

#include "stages/stages.h"

/* Quantities of the map, from which the times of stages are estimated. */
typedef enum bspi_amount {
	BSPI_FACES,
	BSPI_LIT_FACES,
	BSPI_ENTITIES,
	BSPI_EMBEDDED_TEXTURES,
	BSPI_TEXTURE_FILES,
	BSPI_LIGHTMAP_FILES,
	BSPI_AMOUNT_COUNT
} bspi_amount;

/* Results of stages, which later stages read. If several stages extend the same array, each has a result of its
 * own. */
typedef enum bspi_result {
	BSPI_MAKES_ENTITIES,
	BSPI_MAKES_MODELS,                 /* meshes of models, without materials */
	BSPI_MAKES_FACE_TEXTURES,          /* textures of faces, which depend on the render modes of entities */
	BSPI_MAKES_DECALS,                 /* decals with their textures; their faces are made later */
	BSPI_MAKES_MATERIALS,              /* materials of textures, fogs and models, and light that shaders define */
	BSPI_MAKES_LIGHT,                  /* for each face, where its luxels are */
	BSPI_MAKES_DISPLACEMENTS,
	BSPI_MAKES_SKYBOX,
	BSPI_MAKES_DECAL_FACES,
	BSPI_MAKES_SURFACES,               /* drawn faces, overlays, and images of lightmap pages */
	BSPI_MAKES_PAGES,
	BSPI_MAKES_MESHES,
	BSPI_MAKES_STORED_LIGHT,
	BSPI_MAKES_COLLISION,
	BSPI_MAKES_MODEL_MESHES,
	BSPI_MAKES_NODES,                  /* nodes, with lights, cameras, props and overlays */
	BSPI_MAKES_WORLD,                  /* BSP tree, vis, fogs and the light grid */
	BSPI_MAKES_PLACED,                 /* detail props, ambient cubes and cube maps */
	BSPI_MAKES_MODEL_LIGHT,
	BSPI_MAKES_SHADING,                /* shading for the fallback colors of maps without light */
	BSPI_RESULT_COUNT
} bspi_result;

/* A stage. All stages together build the scene from the checked map. */
typedef struct bspi_stage {
	const char *word;                  /* the stage's word for bspscene_progress_fn */
	bool (*run)(bspi_build *build);
	uint32_t reads, makes;             /* bits 1 << bspi_result; test_stages checks that they are right */
	float costs[BSPI_AMOUNT_COUNT];    /* microseconds per unit of each bspi_amount */
} bspi_stage;

/* All stages, in the order of execution. */
extern const bspi_stage bspi_stages[];
extern const uint32_t bspi_stage_count;

/* Builds the scene from the checked map. Reports progress from BSPI_SHARE_CHECKED to 1. */
bool bspi_run_stages(bspi_build *build);

#endif
