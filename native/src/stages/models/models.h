/* models.h - what the model stages share: the models of entities and static props, each read once.
 *
 *     wanted_models.c    finds the models that an entity shows, by its keys or its class
 *     find_models.c      reads each model once
 *     model_materials.c  makes their materials
 *     model_meshes.c     makes a mesh for each combination of model, skin and blending
 *     place_models.c     moves models to where the game puts them
 *     details.c          makes one model of all grass; finds the light of detail props
 *     prop_light.c       reads light that the map has for a static prop
 *     light_models.c     computes colors of meshes from the light around them */
#ifndef BSPI_MODELS_H
#define BSPI_MODELS_H

#include "base/floor.h"
#include "models/model.h"
#include "stages/stages.h"

/* The models that an entity can have. OWN: that of its key "model" or of its class. WITH_IT: a second model that its
 * class has. SECOND: that of its key "model2". */
enum { BSPI_MODEL_OWN, BSPI_MODEL_WITH_IT, BSPI_MODEL_SECOND, BSPI_MODELS_PER_ENTITY };

/* How an entity blends its model. NONE: as the model's materials state. Not for sprites: their blending is in
 * bspi_model_state. */
typedef enum bspi_blend { BSPI_BLEND_NONE, BSPI_BLEND_ALPHA, BSPI_BLEND_ADD } bspi_blend;

typedef struct bspi_wanted_model {
	const char *path;                  /* NULL: none */
	bspi_model_state state;
	uint32_t skin;
	bspi_blend blend;
	float opacity;                     /* 0 to 1; not used if `blend` is NONE */
	bool at_run_time;                  /* the game creates or moves the model while it runs */
	bool is_detail;
	const bspi_class_model *by_class;  /* row of the game's table of classes; NULL: the map itself names the model */
} bspi_wanted_model;

typedef struct bspi_loaded_model {
	const char *path;                  /* path as find_models.c normalizes it */
	bspi_model_state state;
	const char *why;                   /* reason why the file was refused; NULL: the model is usable */
	bool missing;
	uint32_t wanted, wanted_by_details; /* number of nodes and detail props that show it; number of detail props among
	                                     * them */
	uint32_t first_use;                /* index of the model's first use; bspi_model_use.next links the others */
	bspi_prop_model model;
} bspi_loaded_model;

/* A model with one of its skins and one way to blend it. */
typedef struct bspi_model_use {
	uint32_t model, skin, next;
	bspi_blend blend;
	float opacity;
	uint32_t *materials; /* for each material of the model, its index in the scene; BSPSCENE_NO_INDEX: not made yet */
	const uint32_t *vertices;          /* indices of the model's vertices that are in the mesh; NULL: all, in order */
	uint32_t mesh;                     /* index in scene->meshes; BSPSCENE_NO_INDEX: nothing is drawn */
	uint64_t wanted;                   /* number of nodes that show the model in this way */
} bspi_model_use;

struct bspi_models {
	bspi_loaded_model *models;
	uint32_t model_count, model_capacity;
	bspi_model_use *uses;
	uint32_t use_count, use_capacity;
	uint32_t blended_count;            /* number of materials that blended uses need */
	uint32_t *table, table_size;       /* hash table by path and state, only needed while models are being found */
	uint32_t (*of_entity)[BSPI_MODELS_PER_ENTITY]; /* per entity and model of it: index in `uses`, or
	                                                * BSPSCENE_NO_INDEX */
	uint32_t *of_static_prop, *of_detail;
	uint32_t material_count;           /* number of materials of models that were made so far */
	bspi_floors floors;                /* all floors of the world */
	uint64_t searched;                 /* number of floors that were tested so far; it is limited */
	uint32_t grass;                    /* index of the use that holds all grass sprites, or BSPSCENE_NO_INDEX */
	uint32_t drawn_meshes, mesh_count; /* number of meshes in the scene before those of models; number of meshes of
	                                    * models */
	uint64_t rig_values;               /* how many numbers the animation frames of all models have so far, see
	                                    * MOST_RIG_VALUES */
};

/* Lists the models that an entity shows, with paths as the map or the table of classes states them. wanted_models.c */
void bspi_wanted_models(const bspi_build *build, uint32_t entity, bspi_wanted_model out[BSPI_MODELS_PER_ENTITY]);

/* Return the mesh of an entity's or static prop's model, or BSPSCENE_NO_INDEX. model_meshes.c */
uint32_t bspi_entity_mesh(const bspi_build *build, uint32_t entity, uint32_t which);
uint32_t bspi_static_prop_mesh(const bspi_build *build, uint32_t prop);
/* Returns the mesh of a detail prop that is a model, or BSPSCENE_NO_INDEX. */
uint32_t bspi_detail_mesh(const bspi_build *build, uint32_t detail);
/* Returns the one mesh of all detail props that are sprites, or BSPSCENE_NO_INDEX. */
uint32_t bspi_grass_mesh(const bspi_build *build);
/* bspi_make_details makes one model of all detail props that are sprites. *sheet is the name of its material, in the
 * result arena, or NULL if there are no such props. bspi_light_details sets the vertex colors of this model, once the
 * scene's encoding is known. details.c */
bool bspi_make_details(bspi_build *build, bspi_prop_model *out, const char **sheet);
void bspi_light_details(const bspi_build *build, const bspi_prop_model *details);
/* Finds the light that the compiler stored for a detail prop: a color for each vertex of its `mesh`. details.c */
bool bspi_color_detail(bspi_build *build, uint32_t detail, uint32_t mesh, const uint8_t **colors);
/* Returns the colors that the map has for a static prop, one for each vertex of its mesh; NULL if there are none.
 * Returns false if the load fails. prop_light.c */
bool bspi_find_prop_light(bspi_build *build, uint32_t prop, const uint8_t **colors);
/* Returns the model of an entity, or NULL. model_meshes.c */
const bspi_prop_model *bspi_entity_model(const bspi_build *build, uint32_t entity, uint32_t which);
/* Return the number of skins of the model of an entity, static prop or detail prop, or 0. model_meshes.c */
uint32_t bspi_entity_skins(const bspi_build *build, uint32_t entity, uint32_t which);
uint32_t bspi_static_prop_skins(const bspi_build *build, uint32_t prop);
uint32_t bspi_detail_skins(const bspi_build *build, uint32_t detail);

/* Moves `place`, the transform of an entity, to where the game shows the entity's model. place_models.c */
void bspi_place_model(const bspi_build *build, uint32_t entity, const bspi_class_model *by_class, float place[12]);

/* Counts a search of the world's floors. Returns false if the work budget is used up; models then stay at their origin
 * and unlit. Real maps have a few hundred models and ten thousand floor triangles. place_models.c */
bool bspi_may_search_floor(const bspi_build *build);

#endif
