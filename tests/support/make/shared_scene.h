/* shared_scene.h - scenes whose materials share pictures, names, factors and pages, and a choice of how to write them:
 * what a loaded map seldom has, and what writers join. */
#ifndef BSPT_SHARED_SCENE_H
#define BSPT_SHARED_SCENE_H

#include "support/make/sample_scene.h"
#include "support/random.h"

/* Changes records of a scene in place: some materials get the picture, name, factor or everything of an earlier one.
 * The scene's records must be writable, as those of loaded and made scenes are. */
void bspt_share_materials(const bspscene_scene *scene, uint64_t seed);
/* Also gives the sample's sections other materials, pages and light. */
void bspt_share_sample(bspt_sample *sample, uint64_t seed);

enum { BSPT_SQUARES = 5, BSPT_TEXEL = 48 };

/* Two materials with one name and one gray picture, all of BSPT_TEXEL, on squares at z = 8 * square. The first material
 * needs pictures of more gains than the second one, and both need the brightest. Order 1 has the squares backward. */
void bspt_sample_of_one_picture(bspt_sample *sample, int order);
/* Display value; most are brighter than 1. */
double bspt_light_of_square(int order, uint32_t square);

#define BSPT_WRITING_BYTES 24

/* Every option of a writing, from bytes. `styles` has 256 elements and is filled; the options refer to it. */
void bspt_choose_writing(const uint8_t bytes[BSPT_WRITING_BYTES], float *styles, bspscene_write_options *out);
const char *bspt_choose_writer(uint8_t byte);

#endif
