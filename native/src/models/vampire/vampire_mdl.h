/* vampire_mdl.h - what Bloodlines' studio models (MDL 2531 with VTX 107) have of their own: vertices inside of the
 * model, partly compressed, and animations with absolute turns. All else is read as Source's (source_mdl.h). */
#ifndef BSPI_VAMPIRE_MDL_H
#define BSPI_VAMPIRE_MDL_H

#include "models/source/source_mdl.h"

extern const bspi_layout *const bspi_vampire_vertex_layouts[]; /* these end with NULL */
extern const bspi_layout *const bspi_vampire_pose_layouts[];

/* The vertices of the model at `model_at`, whole or compressed, into studio->vertices. vampire_vertices.c */
bool bspi_take_vampire_vertices(bspi_model_reader *reader, bspi_studio *studio, int64_t model_at,
                                const bspi_source_model *model);
/* Applies the game's changes to the bones when the map starts. vampire_pose.c */
bool bspi_pose_vampire(bspi_model_reader *reader, bspi_studio *studio);
bool bspi_vampire_to_bone(bspi_model_reader *reader, const bspi_source_header *header, int32_t bone, float out[12]);

#endif
