/* nodes.h - what the node stages share: the arrays being filled until nodes.c copies them to the scene. */
#ifndef BSPI_NODES_H
#define BSPI_NODES_H

#include "stages/stages.h"

typedef struct bspi_nodes {
	bspi_build *build;
	bspscene_node *nodes;
	bspscene_light *lights;
	bspscene_camera *cameras;
	bspscene_prop *props;
	bspscene_overlay *overlays;
	uint32_t node_count, light_count, camera_count, prop_count, overlay_count;
	uint32_t skybox;                   /* its node, or BSPSCENE_NO_INDEX */
} bspi_nodes;

enum { BSPI_NODE_ROOT = 0, BSPI_MOST_SKY_SUNS = 16 };

/* The root, or the skybox when the place is in it. */
uint32_t bspi_parent_at(const bspi_nodes *nodes, const float origin[3]);
/* Appends a node with identity rotation at `origin` below `parent`; returns it for more to be filled in. There is room:
 * nodes.c counted before. */
bspscene_node *bspi_add_node(bspi_nodes *nodes, bspscene_node_kind kind, uint32_t parent, const char *name,
                             const float origin[3]);

/* A transform at `origin` whose +X looks along `direction`; upright. */
void bspi_look_along(float out[12], const float origin[3], const float direction[3]);
/* From one entity to its target, when it has one elsewhere. */
bool bspi_target_direction(const bspi_nodes *nodes, const bspscene_entity *entity, float out[3]);
float bspi_entity_number(const bspi_nodes *nodes, uint32_t entity, const char *key, float otherwise);
/* "angles" (or "angle", which is yaw, -1 up, -2 down) as pitch yaw roll, zero without either. */
void bspi_entity_angles(const bspi_nodes *nodes, uint32_t entity, float out[3]);
/* The same of who stands there: -1 and -2 are yaw like all others in games where they mean a way to move alone. */
void bspi_standing_angles(const bspi_nodes *nodes, uint32_t entity, float out[3]);

/* Moves a brush entity's place from where it was built to where it stands when the map starts. movers.c */
void bspi_start_mover(const bspi_build *build, uint32_t entity, float place[12]);
/* Where it was built. nodes.c */
void bspi_place_as_built(const bspi_build *build, uint32_t entity, float out[12]);
/* Moves it as what it is parented to was moved before the map is seen. movers.c */
void bspi_move_with_parents(const bspi_build *build, uint32_t entity, float place[12]);
/* Makes the entity's node a light or gives it a camera, when the rules say that it is one. lights.c, cameras.c */
bool bspi_entity_light(bspi_nodes *nodes, uint32_t entity);
bool bspi_entity_camera(bspi_nodes *nodes, uint32_t entity);
/* Shared by the dialects: makes the light a spot along a direction, with half angles of its cones. */
void bspi_make_spot(bspi_nodes *nodes, uint32_t entity, bspscene_light *light, const float direction[3],
                    float inner, float outer);
/* To the target, else by `pitch`, `angle` and `angles`. False: it has no direction. */
bool bspi_aim_by_pitch(const bspi_nodes *nodes, uint32_t entity, bool directed, float direction[3]);
/* Source's dialect, which other classes than light* speak too. attenuated_lights.c */
bool bspi_is_attenuated_light(const char *classname);
void bspi_read_attenuated_light(bspi_nodes *nodes, uint32_t entity, bspscene_light *light);
/* Light of `intensity` / (constant + linear d + quadratic d d): how it falls off, and its intensity 100 units away. */
void bspi_fade_light(bspscene_light *light, float constant, float linear, float quadratic);
/* Appends a light that is no entity, with its node, for the rest to be filled in. `direction` may be NULL. There is
 * room: nodes.c counted before. lights.c */
bspscene_light *bspi_add_light(bspi_nodes *nodes, uint32_t parent, const char *name, const float origin[3],
                               const float direction[3]);
/* illuminance_at_100_units (bspscene.h) of a light whose numbers are those of its game's compiler, but Source's.
 * lights.c */
float bspi_measure_light(const bspi_build *build, const bspscene_light *light);
/* Scales to a largest channel of 1; returns what it was. lights.c */
float bspi_normalize_color(float color[3]);
/* The entity's rendermode, renderamt and rendercolor, which its material cannot say. nodes.c */
void bspi_read_render_mode(const bspi_nodes *nodes, uint32_t entity, bspscene_node *node);
/* Props for the models that an entity shows, once it has its node. prop_nodes.c */
bool bspi_add_models(bspi_nodes *nodes, uint32_t entity);
/* Sets the size and color of an entity's model if the rules read them from its keys. placed.c */
void bspi_dress_prop(bspi_nodes *nodes, uint32_t entity);
/* Nodes for compiled props: placed.c; lights that no entity describes: world_lights.c, sky_suns.c */
bool bspi_add_static_props(bspi_nodes *nodes);
bool bspi_add_overlays(bspi_nodes *nodes);
/* All detail props that are pictures, a node; those that are models, each where its file is at hand. */
void bspi_add_grass(bspi_nodes *nodes);
uint32_t bspi_count_detail_models(const bspi_build *build);
bool bspi_add_detail_models(bspi_nodes *nodes);
bool bspi_add_world_lights(bspi_nodes *nodes);
bool bspi_add_sky_suns(bspi_nodes *nodes);
/* Adds collision nodes as children of the world and of entities: the largest number, and the work. collision_nodes.c */
size_t bspi_count_collision_nodes(const bspi_build *build);
bool bspi_add_collision_nodes(bspi_nodes *nodes);
/* The styles that faces and lights use, after the lights are in the scene. styles.c */
bool bspi_build_light_styles(bspi_build *build);

#endif
