/* models.h - what the model stages share: the models that entities and static props stand for, each read once.
 *
 *     wanted_models.c    an entity -> which models it shows, by its keys or its class
 *     find_models.c      all of them -> files read, each once
 *     model_materials.c  their materials -> the scene's
 *     model_meshes.c     their triangles -> meshes of the scene, one for each model with a skin
 *     place_models.c     where the game puts them
 *     details.c          grass -> a model of all of it; light of details
 *     prop_light.c       light that the map has for a static prop
 *     light_models.c     the light there, in the colors of their meshes */
#ifndef BSPI_MODELS_H
#define BSPI_MODELS_H

#include "base/floor.h"
#include "models/model.h"
#include "stages/stages.h"

/* An entity shows at most these: its model or its class's, what belongs to it, and a mover's second one. */
enum { BSPI_MODEL_OWN, BSPI_MODEL_WITH_IT, BSPI_MODEL_SECOND, BSPI_MODELS_PER_ENTITY };

/* How an entity blends its model, whatever that is itself; sprites have it in their state. */
typedef enum bspi_blend { BSPI_BLEND_NONE, BSPI_BLEND_ALPHA, BSPI_BLEND_ADD } bspi_blend;

typedef struct bspi_wanted_model {
	const char *path;                  /* NULL: none */
	bspi_model_state state;
	uint32_t skin;
	bspi_blend blend;
	float opacity;                     /* 0..1, with `blend` */
	bool at_run_time;                  /* the game makes or moves it */
	bool is_detail;
	const bspi_class_model *by_class;  /* the map does not name it; or NULL */
} bspi_wanted_model;

typedef struct bspi_loaded_model {
	const char *path;                  /* folded */
	bspi_model_state state;
	const char *why;                   /* it was refused; NULL: usable */
	bool missing;
	uint32_t wanted, wanted_by_details; /* in how many places; how many of these are detail props */
	uint32_t first_use;                /* into uses, which are linked */
	bspi_prop_model model;
} bspi_loaded_model;

/* A model with one of its skins, blended in one way. */
typedef struct bspi_model_use {
	uint32_t model, skin, next;
	bspi_blend blend;
	float opacity;
	uint32_t *materials;               /* the scene's, by the model's own number; BSPSCENE_NO_INDEX: not yet made */
	const uint32_t *vertices;          /* of the mesh: which of the model's they are; NULL: all, in their order */
	uint32_t mesh;                     /* into scene->meshes; BSPSCENE_NO_INDEX: nothing of it is drawn */
	uint64_t wanted;                   /* by how many nodes */
} bspi_model_use;

struct bspi_models {
	bspi_loaded_model *models;
	uint32_t model_count, model_capacity;
	bspi_model_use *uses;
	uint32_t use_count, use_capacity;
	uint32_t blended_count;            /* materials of uses that are blended */
	uint32_t *table, table_size;       /* by hash of path and state, while they are found */
	uint32_t (*of_entity)[BSPI_MODELS_PER_ENTITY]; /* uses, or BSPSCENE_NO_INDEX */
	uint32_t *of_static_prop, *of_detail;
	uint32_t material_count;           /* made so far */
	bspi_floors floors;                /* of the world */
	uint64_t searched;                 /* of them looked at so far */
	uint32_t grass;                    /* the use that is all pictures of detail props, or BSPSCENE_NO_INDEX */
	uint32_t drawn_meshes, mesh_count; /* of the scene before these, and these */
	uint64_t rig_values;               /* numbers of frames that say how models move, so far */
};

/* What an entity shows. Paths are as the map or the table has them. wanted_models.c */
void bspi_wanted_models(const bspi_build *build, uint32_t entity, bspi_wanted_model out[BSPI_MODELS_PER_ENTITY]);

/* The mesh of an entity's model, or BSPSCENE_NO_INDEX. model_meshes.c */
uint32_t bspi_entity_mesh(const bspi_build *build, uint32_t entity, uint32_t which);
uint32_t bspi_static_prop_mesh(const bspi_build *build, uint32_t prop);
/* Of a detail prop that is a model. */
uint32_t bspi_detail_mesh(const bspi_build *build, uint32_t detail);
/* Of all detail props that are pictures. */
uint32_t bspi_grass_mesh(const bspi_build *build);
/* The map's detail props that are pictures, as one model; *sheet is their material, in the result arena, or NULL: there
 * are none to show. Its light is made when the scene's encoding is known. details.c */
bool bspi_make_details(bspi_build *build, bspi_prop_model *out, const char **sheet);
void bspi_light_details(const bspi_build *build, const bspi_prop_model *details);
/* The light that the compiler stored for a detail prop, for each vertex of its mesh. details.c */
bool bspi_color_detail(bspi_build *build, uint32_t detail, const uint8_t **colors);
/* The colors that the map has for a static prop, for each vertex of its mesh; NULL: none. False: the load ends.
 * prop_light.c */
bool bspi_find_prop_light(bspi_build *build, uint32_t prop, const uint8_t **colors);
/* The model behind it, or NULL. model_meshes.c */
const bspi_prop_model *bspi_entity_model(const bspi_build *build, uint32_t entity, uint32_t which);

/* Turns and moves a node that has its entity's place to where the game puts the model. place_models.c */
void bspi_place_model(const bspi_build *build, uint32_t entity, const bspi_class_model *by_class, float place[12]);

/* May the world's floors be searched once more? Real maps have some hundred models on ten thousands of floors; where
 * both multiply to more than any map has, the rest stays where it is and unlit. place_models.c */
bool bspi_may_search_floor(const bspi_build *build);

#endif
