/* shared_scene.h - scenes whose materials share pictures, names, factors and pages, which writers then merge. Loaded
 * maps seldom have such materials. Also chooses random options for writing. */
#ifndef BSPT_SHARED_SCENE_H
#define BSPT_SHARED_SCENE_H

#include "support/make/sample_scene.h"
#include "support/random.h"

/* Changes records of a scene in place: some materials get the picture, name, factor or all properties of an earlier
 * one. The records must be writable, as in loaded and made scenes. */
void bspt_share_materials(const bspscene_scene *scene, uint64_t seed);
/* Changes materials like bspt_share_materials, and also the materials, pages and light of the sample's sections. */
void bspt_share_sample(bspt_sample *sample, uint64_t seed);

enum { BSPT_SQUARES = 5, BSPT_TEXEL = 48 };

/* Gives the sample two materials with the same name and the same gray picture, whose texels are all BSPT_TEXEL. The
 * materials are on five squares at z = 8 * square, each with its own vertex light. Writers that put light into
 * pictures must multiply the picture by a gain for bright squares. Material 0 needs a larger number of gains than
 * material 1, and the largest gain is the same for both. If `order` is 1, the squares are in reverse order, otherwise
 * it is 0. */
void bspt_sample_of_one_picture(bspt_sample *sample, int order);
/* Returns the light of a square as a display value; most are brighter than 1. */
double bspt_light_of_square(int order, uint32_t square);

#define BSPT_WRITING_BYTES 24

/* Sets all write options from a fuzzer's bytes. Fills the 256 elements of `styles`, to which the options may point. */
void bspt_choose_writing(const uint8_t bytes[BSPT_WRITING_BYTES], float *styles, bspscene_write_options *out);
const char *bspt_choose_writer(uint8_t byte);

#endif
