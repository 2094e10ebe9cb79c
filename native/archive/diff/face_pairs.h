/* face_pairs.h - pairs the faces of two maps that have the same shape in the same place. */
#ifndef CLI_FACE_PAIRS_H
#define CLI_FACE_PAIRS_H

#include <bspscene/bspscene.h>

typedef struct cli_face_pairs {
	uint32_t *in_b, *in_a;             /* `in_b`: for each face of map a, the index of the same face in map b;
	                                    * `in_a`: the reverse; NO_INDEX: the other map does not have the face */
	uint32_t same;                     /* number of faces that both maps have */
	uint32_t retextured;               /* number of these faces whose materials differ */
} cli_face_pairs;

cli_face_pairs cli_pair_faces(const bspscene_scene *a, const bspscene_scene *b);
void cli_face_pairs_free(cli_face_pairs *pairs);

const bspscene_section *cli_section_of(const bspscene_scene *scene, const bspscene_face *face);
bool cli_is_retextured(const bspscene_scene *a, const bspscene_face *face_a, const bspscene_scene *b,
                       const bspscene_face *face_b);

#endif
