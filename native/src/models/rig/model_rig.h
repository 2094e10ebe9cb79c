/* model_rig.h - how readers describe animation, if it is requested (reader->rig is not NULL).
 *
 * For bones: call bspi_rig_bones and fill rest poses and parents in rig->bones; bspi_rig_sequence for each sequence;
 * bspi_rig_poses, and fill rig->poses; and bspi_bind_vertex after each bspi_add_vertex. For frames of vertices:
 * bspi_rig_sequence or bspi_rig_named_frames; after all vertices bspi_rig_frames, and fill rig->frame_positions. */
#ifndef BSPI_MODEL_RIG_H
#define BSPI_MODEL_RIG_H

#include "models/model.h"

/* Bones of a vertex. A weight of 0 means unused. */
typedef struct bspi_binding {
	uint8_t joints[4];
	float weights[4];
} bspi_binding;

struct bspi_rig {
	bspscene_bone *bones;
	uint32_t bone_count;
	bspscene_sequence *sequences;
	uint32_t sequence_count, sequence_capacity, frame_count;
	bspscene_bone_pose *poses;
	uint32_t still_frame;              /* frame of the mesh's own pose; NO_INDEX if the reader does not set it */
	bspi_binding *bindings;            /* bones of each vertex of the reader */
	uint32_t binding_count, binding_capacity;
	float *frame_positions, *frame_normals; /* positions and normals of each vertex in each frame; normals have any
	                                         * length (0: use the mesh's) */
};

/* Adds bones with identity rest poses, without parents and names. */
bool bspi_rig_bones(bspi_model_reader *reader, uint32_t count);
/* Returns the file's name, or "bone3" if it is empty. NULL if memory is out. */
const char *bspi_rig_name(bspi_model_reader *reader, const char *name, size_t size, const char *word, uint32_t number);
/* Adds a sequence. The name is from bspi_rig_name, or must live as long as the scene. */
bool bspi_rig_sequence(bspi_model_reader *reader, const char *name, float frames_per_second, bool loops,
                       uint32_t frame_count);
/* Adds frames by name: "run3" continues the sequence "run" of the previous frame or begins it. Looping frames are a
 * sequence of their own. */
bool bspi_rig_named_frames(bspi_model_reader *reader, const char *name, size_t size, float frames_per_second,
                           bool loops, uint32_t count);
/* Allocates poses of all bones in all frames, initially at rest. */
bool bspi_rig_poses(bspi_model_reader *reader);
/* Sets the bones of the last vertex that was added. */
bool bspi_bind_vertex(bspi_model_reader *reader, const bspi_binding *binding);
/* Allocates all vertices in all frames. */
bool bspi_rig_frames(bspi_model_reader *reader);
/* Fills a frame whose vertices are separate for each corner of a triangle. */
void bspi_rig_corner_frame(bspi_model_reader *reader, uint32_t frame, const float *positions, const float *normals,
                           const uint32_t *corners);
/* Computes inverse_rest from the rest poses. */
void bspi_rest_bones(bspscene_bone *bones, uint32_t count);
/* Computes the transforms of bones to model space in these poses. */
void bspi_pose_bones(const bspscene_bone *bones, uint32_t count, const bspscene_bone_pose *poses, float (*out)[12]);

/* Checks the reader's animation and converts it for the model, whose vertex i is the reader's vertex origins[i].
 * check_rig.c */
bool bspi_check_rig(bspi_model_reader *reader, const uint32_t *origins, bspi_prop_model *out);
/* Does the same for a mesh with some of the model's vertices, or all (NULL). */
bool bspi_give_rig(bspi_ctx *ctx, const bspi_prop_model *model, const uint32_t *vertices, bspscene_mesh *mesh);

/* Adds the sequences of a part of a Quake III player. *frames receives the model's frame for each of their frames;
 * NULL: it is no player, or it has no animation.cfg. player_sequences.c */
bool bspi_rig_player(bspi_model_reader *reader, uint32_t frame_count, uint32_t **frames);

#endif
