/* nodes.h - data of the stages that make nodes: the arrays that they fill, which nodes.c copies to the scene. */
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
	uint32_t skybox;                   /* node of the 3D skybox, or BSPSCENE_NO_INDEX */
} bspi_nodes;

enum { BSPI_NODE_ROOT = 0, BSPI_MOST_SKY_SUNS = 16 };

/* ---- What all node stages use: node_values.c ---------------------------------------------------------------- */

/* Returns the parent of a node at this origin: the skybox if it is inside, else the root. */
uint32_t bspi_parent_at(const bspi_nodes *nodes, const float origin[3]);
/* Appends a node with identity rotation at `origin` below `parent`, and returns it. nodes.c has allocated enough. */
bspscene_node *bspi_add_node(bspi_nodes *nodes, bspscene_node_kind kind, uint32_t parent, const char *name,
                             const float origin[3]);

/* Computes an upright transform at `origin` whose +X axis points along `direction`. */
void bspi_look_along(float out[12], const float origin[3], const float direction[3]);
/* Finds the direction to the entity's target. False if there is none, or if it is at the same position. */
bool bspi_target_direction(const bspi_nodes *nodes, const bspscene_entity *entity, float out[3]);
float bspi_entity_number(const bspi_nodes *nodes, uint32_t entity, const char *key, float otherwise);
/* Reads "angles" (or "angle", which is yaw, -1 up, -2 down) as pitch yaw roll; zero without either. */
void bspi_entity_angles(const bspi_nodes *nodes, uint32_t entity, float out[3]);
/* Reads the angles of a point entity. In games where yaw -1 and -2 are directions of movement of brush entities, they
 * are ordinary angles here. */
void bspi_standing_angles(const bspi_nodes *nodes, uint32_t entity, float out[3]);

/* Moves a brush entity's transform from where it was built to where it is when the map starts. movers.c */
void bspi_start_mover(const bspi_build *build, uint32_t entity, float place[12]);
/* Computes the transform of a brush entity as it was built in the editor. node_values.c */
void bspi_place_as_built(const bspi_build *build, uint32_t entity, float out[12]);
/* Applies the initial movement of the entity's parents. movers.c */
void bspi_move_with_parents(const bspi_build *build, uint32_t entity, float place[12]);
/* Make the entity's node a light or give it a camera, if the rules say so. lights.c, cameras.c */
bool bspi_entity_light(bspi_nodes *nodes, uint32_t entity);
bool bspi_entity_camera(bspi_nodes *nodes, uint32_t entity);
/* Makes the light a spot with these half angles. light_values.c */
void bspi_make_spot(bspi_nodes *nodes, uint32_t entity, bspscene_light *light, const float direction[3],
                    float inner, float outer);
/* Aims at the target, else by `pitch`, `angle` and `angles`. False if there is no direction. */
bool bspi_aim_by_pitch(const bspi_nodes *nodes, uint32_t entity, bool directed, float direction[3]);
/* Lights of Source: point, spot and sun lights, and other classes with the same keys. attenuated_lights.c */
bool bspi_is_attenuated_light(const char *classname);
void bspi_read_attenuated_light(bspi_nodes *nodes, uint32_t entity, bspscene_light *light);
/* Sets the falloff, and the intensity at a distance of 100 units, of a light of `intensity` / (constant + linear * d +
 * quadratic * d^2). */
void bspi_fade_light(bspscene_light *light, float constant, float linear, float quadratic);
/* Appends a light without an entity, and its node. The caller fills in the rest. `direction` may be NULL. nodes.c has
 * allocated enough. light_values.c */
bspscene_light *bspi_add_light(bspi_nodes *nodes, uint32_t parent, const char *name, const float origin[3],
                               const float direction[3]);
/* Returns illuminance_at_100_units (bspscene.h) of a light in the units of its game's compiler, for all games except
 * Source. light_values.c */
float bspi_measure_light(const bspi_build *build, const bspscene_light *light);
/* Scales the color so that its largest channel is 1. Returns the old maximum. light_values.c */
float bspi_normalize_color(float color[3]);
/* Reads the entity's rendermode, renderamt and rendercolor. node_values.c */
void bspi_read_render_mode(const bspi_nodes *nodes, uint32_t entity, bspscene_node *node);
/* Adds props for the entity's models. The entity must have its node. prop_nodes.c */
bool bspi_add_models(bspi_nodes *nodes, uint32_t entity);
/* Sets the scale and color of an entity's model if the rules read them from its keys. placed.c */
void bspi_dress_prop(bspi_nodes *nodes, uint32_t entity);
/* Add nodes for compiled props and overlays (placed.c), and for lights without an entity (world_lights.c,
 * sky_suns.c). */
bool bspi_add_static_props(bspi_nodes *nodes);
bool bspi_add_overlays(bspi_nodes *nodes);
/* Add one node for all detail props that are sprites, and one for each detail prop with a model file. */
void bspi_add_grass(bspi_nodes *nodes);
uint32_t bspi_count_detail_models(const bspi_build *build);
bool bspi_add_detail_models(bspi_nodes *nodes);
bool bspi_add_world_lights(bspi_nodes *nodes);
bool bspi_add_sky_suns(bspi_nodes *nodes);
/* Return the largest number of collision nodes, and add them below the world and below entities. collision_nodes.c */
size_t bspi_count_collision_nodes(const bspi_build *build);
bool bspi_add_collision_nodes(bspi_nodes *nodes);
/* Lists the styles that faces and lights use. Runs after the lights. styles.c */
bool bspi_build_light_styles(bspi_build *build);

#endif
