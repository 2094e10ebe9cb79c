/* model_rig.h - how readers of models say how these move, where a rig is wanted (reader->rig is not NULL).
 *
 * Bones: bspi_rig_bones, rests and parents into rig->bones, bspi_rig_sequence for each, bspi_rig_poses, and the poses
 * into rig->poses; bspi_bind_vertex behind each bspi_add_vertex. Frames: bspi_rig_sequence or bspi_rig_named_frames,
 * and when all vertices are there bspi_rig_frames, and where these are into rig->frame_positions. */
#ifndef BSPI_MODEL_RIG_H
#define BSPI_MODEL_RIG_H

#include "models/model.h"

/* A bone of a vertex; a weight of 0 is unused. */
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
	uint32_t still_frame;              /* BSPSCENE_NO_INDEX, where the reader says nothing */
	bspi_binding *bindings;            /* of the reader's vertices */
	uint32_t binding_count, binding_capacity;
	float *frame_positions, *frame_normals; /* of the reader's vertices; normals of any length, 0: as the mesh's */
};

/* Bones at rest in their parents' places, without parents and names. */
bool bspi_rig_bones(bspi_model_reader *reader, uint32_t count);
/* "bone3", or as the file says. NULL: memory is out. */
const char *bspi_rig_name(bspi_model_reader *reader, const char *name, size_t size, const char *word, uint32_t number);
/* The name is bspi_rig_name's, or lives as long as the scene. */
bool bspi_rig_sequence(bspi_model_reader *reader, const char *name, float frames_per_second, bool loops,
                       uint32_t frame_count);
/* A frame called "run3" is one of the sequence "run", a new one where the frame before was none of it. Frames that loop
 * are a sequence by themselves. */
bool bspi_rig_named_frames(bspi_model_reader *reader, const char *name, size_t size, float frames_per_second,
                           bool loops, uint32_t count);
/* Room for the poses of all bones in all frames: none moves. */
bool bspi_rig_poses(bspi_model_reader *reader);
/* Sets the bones of the reader's last vertex. */
bool bspi_bind_vertex(bspi_model_reader *reader, const bspi_binding *binding);
/* Room for all vertices in all frames. */
bool bspi_rig_frames(bspi_model_reader *reader);
/* A frame of vertices that are written anew for each corner of a triangle. */
void bspi_rig_corner_frame(bspi_model_reader *reader, uint32_t frame, const float *positions, const float *normals,
                           const uint32_t *corners);
/* From what bones have at rest to inverse_rest. */
void bspi_rest_bones(bspscene_bone *bones, uint32_t count);
/* Bones in the model's space, with these poses. */
void bspi_pose_bones(const bspscene_bone *bones, uint32_t count, const bspscene_bone_pose *poses, float (*out)[12]);

/* Proves what the reader found, and makes it the model's, whose vertex i is the reader's origins[i]. check_rig.c */
bool bspi_check_rig(bspi_model_reader *reader, const uint32_t *origins, bspi_prop_model *out);
/* The same for a mesh with some of the model's vertices, or with all of them (NULL). */
bool bspi_give_rig(bspi_ctx *ctx, const bspi_prop_model *model, const uint32_t *vertices, bspscene_mesh *mesh);

/* The sequences of a part of a Quake III player, and of each of their frames which of the model's it is. *frames NULL:
 * it is none, or nothing is said of it. player_sequences.c */
bool bspi_rig_player(bspi_model_reader *reader, uint32_t frame_count, uint32_t **frames);

#endif
