/* nodes.h - what the stages that make nodes share. They fill the arrays of this struct, and nodes.c copies them to the
 * scene. */
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
	uint32_t skybox;                   /* index of the 3D skybox's node, or BSPSCENE_NO_INDEX */
} bspi_nodes;

enum { BSPI_NODE_ROOT = 0, BSPI_MOST_SKY_SUNS = 16 };

/* ---- What all node stages use: node_values.c ---------------------------------------------------------------- */

/* Returns the index of the parent for a node at `origin`: the 3D skybox if it contains that point, otherwise the
 * root. */
uint32_t bspi_parent_at(const bspi_nodes *nodes, const float origin[3]);
/* Appends a node below `parent` and returns it. It is at `origin` and not rotated. nodes.c has allocated enough
 * nodes. */
bspscene_node *bspi_add_node(bspi_nodes *nodes, bspscene_node_kind kind, uint32_t parent, const char *name,
                             const float origin[3]);

/* Computes the transform that is at `origin`, upright, and whose +X axis points along `direction`. */
void bspi_look_along(float out[12], const float origin[3], const float direction[3]);
/* Finds the direction from an entity to its target. Returns false if it has no target or both are at the same place. */
bool bspi_target_direction(const bspi_nodes *nodes, const bspscene_entity *entity, float out[3]);
float bspi_entity_number(const bspi_nodes *nodes, uint32_t entity, const char *key, float otherwise);
/* Reads the key "angles" as pitch, yaw and roll. Without it, reads "angle", which is yaw, or -1 for up and -2 for down.
 * Without both, the angles are zero. */
void bspi_entity_angles(const bspi_nodes *nodes, uint32_t entity, float out[3]);
/* Reads the angles of an entity without a brush model. In some games, a yaw of -1 or -2 is a direction in which brush
 * entities move. Here it is an ordinary angle. */
void bspi_standing_angles(const bspi_nodes *nodes, uint32_t entity, float out[3]);

/* Moves a brush entity from where it was built to where it is when the map starts. Changes its transform `place`.
 * movers.c */
void bspi_start_mover(const bspi_build *build, uint32_t entity, float place[12]);
/* Computes the transform that a brush entity had in the editor. node_values.c */
void bspi_place_as_built(const bspi_build *build, uint32_t entity, float out[12]);
/* Moves an entity as its parents are moved when the map starts. Changes its transform `place`. movers.c */
void bspi_move_with_parents(const bspi_build *build, uint32_t entity, float place[12]);
/* If the rules say so, the first makes the entity's node a light, and the second gives it a camera. lights.c,
 * cameras.c */
bool bspi_entity_light(bspi_nodes *nodes, uint32_t entity);
bool bspi_entity_camera(bspi_nodes *nodes, uint32_t entity);
/* Makes the light a spot light. `inner` and `outer` are the half angles of its cones, in degrees from the axis.
 * light_values.c */
void bspi_make_spot(bspi_nodes *nodes, uint32_t entity, bspscene_light *light, const float direction[3],
                    float inner, float outer);
/* Finds the direction of a light: to its target, otherwise by the keys `pitch`, `angle` and `angles`. Returns false if
 * there is none. light_values.c */
bool bspi_aim_by_pitch(const bspi_nodes *nodes, uint32_t entity, bool directed, float direction[3]);
/* The first returns true for the classes of Source's lights: point, spot and sun lights, and others with the same
 * keys. The second reads the keys of such a light. attenuated_lights.c */
bool bspi_is_attenuated_light(const char *classname);
void bspi_read_attenuated_light(bspi_nodes *nodes, uint32_t entity, bspscene_light *light);
/* Sets the falloff of a light, and replaces light->intensity by the intensity at a distance of 100 units. Before the
 * call, the light at a distance d is light->intensity / (constant + linear * d + quadratic * d^2).
 * attenuated_lights.c */
void bspi_fade_light(bspscene_light *light, float constant, float linear, float quadratic);
/* Appends a light that has no entity, and a node for it. The caller sets everything else. `direction` may be NULL.
 * nodes.c has allocated enough lights. light_values.c */
bspscene_light *bspi_add_light(bspi_nodes *nodes, uint32_t parent, const char *name, const float origin[3],
                               const float direction[3]);
/* Returns illuminance_at_100_units (bspscene.h) for a light whose intensity is in the unit of its game. For all games
 * except Source. light_values.c */
float bspi_measure_light(const bspi_build *build, const bspscene_light *light);
/* Scales a color so that its largest channel is 1. Returns what that channel was before. light_values.c */
float bspi_normalize_color(float color[3]);
/* Reads the entity's rendermode, renderamt and rendercolor. node_values.c */
void bspi_read_render_mode(const bspi_nodes *nodes, uint32_t entity, bspscene_node *node);
/* Adds props for the models of an entity, whose node must exist. prop_nodes.c */
bool bspi_add_models(bspi_nodes *nodes, uint32_t entity);
/* If the rules say so, sets the scale and the color of an entity's model by the entity's keys. placed.c */
void bspi_dress_prop(bspi_nodes *nodes, uint32_t entity);
/* Add nodes for what no entity describes. Compiled props, overlays and detail props are in placed.c; lights are in
 * world_lights.c and sky_suns.c. */
bool bspi_add_static_props(bspi_nodes *nodes);
bool bspi_add_overlays(bspi_nodes *nodes);
/* The first adds one node for all detail props that are sprites. The second returns the number of detail props that
 * are models. The third adds a node for each of these. */
void bspi_add_grass(bspi_nodes *nodes);
uint32_t bspi_count_detail_models(const bspi_build *build);
bool bspi_add_detail_models(bspi_nodes *nodes);
bool bspi_add_world_lights(bspi_nodes *nodes);
bool bspi_add_sky_suns(bspi_nodes *nodes);
/* The first returns the largest possible number of collision nodes. The second adds them below the world's node and
 * below entities. collision_nodes.c */
size_t bspi_count_collision_nodes(const bspi_build *build);
bool bspi_add_collision_nodes(bspi_nodes *nodes);
/* Lists the light styles that faces and lights use. The lights must exist before. styles.c */
bool bspi_build_light_styles(bspi_build *build);

#endif
