/* vampire_mdl.h - what is different in Bloodlines' studio models (MDL 2531 with VTX 107). Vertices are in the model's
 * file, and some are compressed. Animations have absolute rotations. Everything else is read like Source's models
 * (source_mdl.h). */
#ifndef BSPI_VAMPIRE_MDL_H
#define BSPI_VAMPIRE_MDL_H

#include "models/source/source_mdl.h"

extern const bspi_layout *const bspi_vampire_vertex_layouts[]; /* this list and the next one end with NULL */
extern const bspi_layout *const bspi_vampire_pose_layouts[];

/* Reads the vertices of the model at byte offset `model_at` into studio->vertices, whether they are compressed or not.
 * vampire_vertices.c */
bool bspi_take_vampire_vertices(bspi_model_reader *reader, bspi_studio *studio, int64_t model_at,
                                const bspi_source_model *model);
/* Computes the pose in which the game shows the model when the map starts. vampire_pose.c */
bool bspi_pose_vampire(bspi_model_reader *reader, bspi_studio *studio);
bool bspi_vampire_to_bone(bspi_model_reader *reader, const bspi_source_header *header, int32_t bone, float out[12]);

#endif
