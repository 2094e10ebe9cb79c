/* model_rig.h - the functions by which readers describe animation. They are used if reader->rig is not NULL.
 *
 * For bones, a reader calls bspi_rig_bones, and fills in rest poses and parents in rig->bones. It calls
 * bspi_rig_sequence for each sequence. Then it calls bspi_rig_poses and fills in rig->poses. After each bspi_add_vertex
 * it calls bspi_bind_vertex. For frames of vertices, it calls bspi_rig_sequence or bspi_rig_named_frames. After all
 * vertices it calls bspi_rig_frames, and fills in rig->frame_positions. */
#ifndef BSPI_MODEL_RIG_H
#define BSPI_MODEL_RIG_H

#include "models/model.h"

/* The bones that move a vertex. A bone with a weight of 0 is unused. */
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
	uint32_t still_frame;              /* the frame in which the mesh itself is posed; NO_INDEX if the reader does not
	                                    * set it */
	bspi_binding *bindings;            /* bones of each vertex that the reader added */
	uint32_t binding_count, binding_capacity;
	float *frame_positions, *frame_normals; /* of each vertex in each frame. Normals may have any length; if it is 0,
	                                         * the normal of the mesh is used */
};

/* Adds bones without parents and names. Their rest poses are the identity. */
bool bspi_rig_bones(bspi_model_reader *reader, uint32_t count);
/* Returns a name that is stored in the file. If it is empty, returns `word` and `number`, such as "bone3". NULL if
 * memory is out. */
const char *bspi_rig_name(bspi_model_reader *reader, const char *name, size_t size, const char *word, uint32_t number);
/* Adds a sequence. Its name comes from bspi_rig_name, or is a string that lives as long as the scene. */
bool bspi_rig_sequence(bspi_model_reader *reader, const char *name, float frames_per_second, bool loops,
                       uint32_t frame_count);
/* Adds frames by their name. "run3" continues the sequence "run" if the frame before belongs to it, and begins it
 * otherwise. Looping frames are always a sequence of their own. */
bool bspi_rig_named_frames(bspi_model_reader *reader, const char *name, size_t size, float frames_per_second,
                           bool loops, uint32_t count);
/* Allocates the poses of all bones in all frames. At first they are rest poses. */
bool bspi_rig_poses(bspi_model_reader *reader);
/* Sets the bones of the vertex that was added last. */
bool bspi_bind_vertex(bspi_model_reader *reader, const bspi_binding *binding);
/* Allocates positions and normals of all vertices in all frames. */
bool bspi_rig_frames(bspi_model_reader *reader);
/* Fills in a frame of a model in which each corner of a triangle is a vertex of its own. `corners` are indices of
 * `positions` and `normals`. */
void bspi_rig_corner_frame(bspi_model_reader *reader, uint32_t frame, const float *positions, const float *normals,
                           const uint32_t *corners);
/* Computes the member inverse_rest of all bones from their rest poses. */
void bspi_rest_bones(bspscene_bone *bones, uint32_t count);
/* Computes for each bone the transform to model space that follows from the bones' poses `poses`. */
void bspi_pose_bones(const bspscene_bone *bones, uint32_t count, const bspscene_bone_pose *poses, float (*out)[12]);

/* Checks the animation that the reader collected, and copies it to the model. Vertex i of the model is vertex
 * origins[i] of the reader. check_rig.c */
bool bspi_check_rig(bspi_model_reader *reader, const uint32_t *origins, bspi_prop_model *out);
/* Copies the model's animation to a mesh. For each vertex of the mesh, `vertices` has the index of the same vertex in
 * the model. If it is NULL, the mesh has all vertices of the model. */
bool bspi_give_rig(bspi_ctx *ctx, const bspi_prop_model *model, const uint32_t *vertices, bspscene_mesh *mesh);

/* Adds the sequences of a part (torso or legs) of a Quake III player. Allocates *frames: its element i is the index
 * of the model's frame that the rig's frame i shows. Sets *frames to NULL if the model is not such a part, or if
 * there is no animation.cfg. player_sequences.c */
bool bspi_rig_player(bspi_model_reader *reader, uint32_t frame_count, uint32_t **frames);

#endif
