/* load_stages.h - the stages of a load, in order, and what each of them takes. */
#ifndef BSPI_LOAD_STAGES_H
#define BSPI_LOAD_STAGES_H

#include "stages/stages.h"

/* What costs time. */
typedef enum bspi_amount {
	BSPI_FACES,
	BSPI_LIT_FACES,
	BSPI_ENTITIES,
	BSPI_EMBEDDED_TEXTURES,
	BSPI_TEXTURE_FILES,
	BSPI_LIGHTMAP_FILES,
	BSPI_AMOUNT_COUNT
} bspi_amount;

/* What stages make of the map, for later ones to read. Where several fill one array, each is a result of its own: the
 * next reads the last. */
typedef enum bspi_result {
	BSPI_MAKES_ENTITIES,
	BSPI_MAKES_MODELS,                 /* read, without their materials */
	BSPI_MAKES_FACE_TEXTURES,          /* textures by how entities draw them */
	BSPI_MAKES_DECALS,                 /* and their textures, without faces */
	BSPI_MAKES_MATERIALS,              /* of textures, fogs and models; the light that shaders show */
	BSPI_MAKES_LIGHT,                  /* where each face's luxels are */
	BSPI_MAKES_DISPLACEMENTS,
	BSPI_MAKES_SKYBOX,
	BSPI_MAKES_DECAL_FACES,
	BSPI_MAKES_SURFACES,               /* what is drawn; overlays; images of pages */
	BSPI_MAKES_PAGES,
	BSPI_MAKES_MESHES,
	BSPI_MAKES_STORED_LIGHT,
	BSPI_MAKES_COLLISION,
	BSPI_MAKES_MODEL_MESHES,
	BSPI_MAKES_NODES,                  /* with lights, cameras, props, overlays */
	BSPI_MAKES_WORLD,                  /* tree, vis, fogs, the light grid */
	BSPI_MAKES_PLACED,                 /* details, ambient light, cubemaps */
	BSPI_MAKES_MODEL_LIGHT,
	BSPI_MAKES_SHADING,                /* of colors that stand in for textures, in maps without light */
	BSPI_RESULT_COUNT
} bspi_result;

/* One step from the checked map, which all may read, to the scene. */
typedef struct bspi_stage {
	const char *word;                  /* of bspscene_progress_fn */
	bool (*run)(bspi_build *build);
	uint32_t reads, makes;             /* bits, 1 << bspi_result; test_stages holds the stages to them */
	float costs[BSPI_AMOUNT_COUNT];    /* microseconds for each */
} bspi_stage;

/* In the order that they run. */
extern const bspi_stage bspi_stages[];
extern const uint32_t bspi_stage_count;

/* From the checked map to the scene. Tells the caller how far it is, from BSPI_SHARE_CHECKED to 1. */
bool bspi_run_stages(bspi_build *build);

#endif
