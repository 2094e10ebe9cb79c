/* gltf_tone.h - tables for a material that has its light in vertex colors. They have the gains that the material
 * uses, and for each light and gain the vertex color that viewers need. A step is a position in these tables. It is
 * proportional to the display value of the light. */
#ifndef BSPI_GLTF_TONE_H
#define BSPI_GLTF_TONE_H

#include "writers/gltf/gltf.h"

enum { BSPI_TONE_GAINS = 25, BSPI_TONE_STEPS = 80, BSPI_TONE_BINS = 32 };

/* Largest number of variants of a material's picture. */
#define BSPI_GLTF_MOST_LEVELS 8u

/* Histogram of the display values of a texture's channels. */
typedef struct bspi_tone_texels {
	float share[3][BSPI_TONE_BINS];
	bool known;
} bspi_tone_texels;

/* Curves of one variant, with a value for each step of light. `roots` are square roots of the vertex color, which are
 * nearly linear. `losses` are the remaining mean differences of display values. */
typedef struct bspi_tone_curves {
	float roots[3][BSPI_TONE_STEPS + 1], losses[3][BSPI_TONE_STEPS + 1];
} bspi_tone_curves;

struct bspi_gltf_tone {
	bspi_tone_level levels[BSPI_GLTF_MOST_LEVELS]; /* the variants of the picture; level 0 is the unchanged picture */
	bspi_tone_curves *curves;          /* for each level, its curves */
	uint32_t level_count;
	float margin;                      /* a level replaces level 0 only if its loss is below this share of the loss of
	                                    * level 0 */
};

/* Tables for all gains, filled when needed, and used for one material after another. */
typedef struct bspi_tone_work {
	const bspi_tone_texels *texels;
	float factor[3];                   /* color of the material, 0..1 */
	bool known[BSPI_TONE_GAINS][3][BSPI_TONE_STEPS + 1];
	float roots[BSPI_TONE_GAINS][3][BSPI_TONE_STEPS + 1], losses[BSPI_TONE_GAINS][3][BSPI_TONE_STEPS + 1];
	bool has_linear[BSPI_TONE_GAINS][3];
	float linear[BSPI_TONE_GAINS][3][BSPI_TONE_BINS]; /* for each gain, channel and texel value: see texels_of */
	bool has_best[3][BSPI_TONE_STEPS + 1];
	uint8_t best[3][BSPI_TONE_STEPS + 1];
} bspi_tone_work;

/* Cache that finds steps by bits of the light, because many vertices have the same light. */
enum { BSPI_TONE_KNOWN_BITS = 12 };
struct bspi_tone_known {
	uint32_t bits[1 << BSPI_TONE_KNOWN_BITS]; /* bit pattern of linear light */
	float steps[1 << BSPI_TONE_KNOWN_BITS];
};

/* Returns the factor by which the gain with the index `gain` multiplies display values. It is 1 for index 0. */
float bspi_tone_gain(uint32_t gain);
/* bspi_tone_step converts linear light to a step, 0 to BSPI_TONE_STEPS. bspi_tone_light_at converts a step to a display
 * value. */
float bspi_tone_step(float linear);
/* Returns bspi_tone_step of the light at a vertex, from a cache if possible. */
float bspi_tone_step_of(bspi_tone_known *known, float linear);
float bspi_tone_light_at(uint32_t step);
/* Fills the histogram of an image and use, unless it is filled already. Without a picture all texels count as white.
 * Returns false if memory is out. */
bool bspi_tone_find_texels(bspi_gltf *gltf, uint32_t image, bspi_picture_use use, bspi_tone_texels *out);
void bspi_tone_begin(bspi_tone_work *work, const bspi_tone_texels *texels, const float factor[3]);
/* Returns the loss of a channel with this gain at this step of light. */
float bspi_tone_loss(bspi_tone_work *work, uint32_t gain, int channel, uint32_t step);
/* Returns the gain with the least loss. Gains that exceed the light by more than a little are not considered. */
uint32_t bspi_tone_best_gain(bspi_tone_work *work, int channel, uint32_t step);
/* Computes the curves of a variant, for light up to `brightest` (linear). */
bspi_tone_curves bspi_tone_curves_of(bspi_tone_work *work, const bspi_tone_level *level, float brightest);

#endif
