/* source_pose.h - sequences and animations of Source's studio models, and poses of bones in their frames. */
#ifndef BSPI_SOURCE_POSE_H
#define BSPI_SOURCE_POSE_H

#include "models/skeleton/bones.h"
#include "models/source/source_mdl.h"

enum { BSPI_SOURCE_LOOPS = 0x1, BSPI_SOURCE_DELTA = 0x4 }; /* flags of sequences and of animations */

typedef struct bspi_source_sequence {
	int32_t label_at, animations_at, group_size[2];
	uint32_t flags;
} bspi_source_sequence;

typedef struct bspi_source_animation {
	float rate;
	uint32_t flags;
	int32_t frame_count, block, data_at, sections_at, section_frames;
} bspi_source_animation;

typedef struct bspi_source_attachment {
	int32_t name_at, bone;
	float place[12];
} bspi_source_attachment;

/* Where reading of runs stopped, so that the next frame continues there. The runs begin at byte offset `origin`. */
typedef struct bspi_source_runs {
	int64_t origin;
	bspi_value_runs runs;
} bspi_source_runs;

typedef struct bspi_source_posing {
	bspi_bytes file;
	const bspi_source_bone *bones;
	uint32_t bone_count;
	const bspi_source_sequence *sequences;
	uint32_t sequence_count;
	const bspi_source_animation *animations;
	uint32_t animation_count;
	float (*local)[12];                /* for each bone, the transform to its parent */
	bspi_source_runs (*runs)[6];       /* for each bone, where reading of its runs stopped, for frames in ascending
	                                    * order; NULL: only one frame is read */
	uint32_t frame;                    /* number of the frame within its section of the animation */
} bspi_source_posing;

extern const bspi_layout bspi_source_attachment_layout;

/* Computes the poses of the bones. They include the quarter turn. */
bool bspi_source_bones(bspi_model_reader *reader, bspi_studio *source, bspi_source_posing *out);
/* Reads the records of sequences and animations. If they cannot be read, returns false and sets reader->why or the
 * error. */
bool bspi_source_sequences(bspi_model_reader *reader, const bspi_source_header *h, bspi_source_posing *p);
/* Returns a sequence's name; NULL if memory is out. */
const char *bspi_source_label(bspi_model_reader *reader, const bspi_source_header *h, const bspi_source_posing *p,
                              uint32_t sequence);
/* Finds the sequence with the requested name or number. If none is requested or found, chooses the sequence "idle",
 * or the first one if there is no "idle". Returns false if the model has no sequences or memory is out. */
bool bspi_source_choose(bspi_model_reader *reader, const bspi_source_header *h, const bspi_source_posing *p,
                        uint32_t *sequence);
/* Returns the first animation that a sequence blends; NULL if it has none. */
const bspi_source_animation *bspi_source_animation_of(const bspi_source_header *h, const bspi_source_posing *p,
                                                      uint32_t sequence);
/* Reads a frame into p->local. Returns false if its data are damaged or in another file. */
bool bspi_source_frame(const bspi_source_header *h, bspi_source_posing *p, const bspi_source_animation *animation,
                       uint32_t frame);
bool bspi_source_has_parent(const bspi_source_posing *p, uint32_t bone);

#endif
