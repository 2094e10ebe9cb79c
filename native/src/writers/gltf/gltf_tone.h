/* gltf_tone.h - tables for a material with its light in the vertices: the colors that its texture needs, for each light
 * and for pictures with different gains, and the gains that it uses. */
#ifndef BSPI_GLTF_TONE_H
#define BSPI_GLTF_TONE_H

#include "writers/gltf/gltf.h"

enum { BSPI_TONE_GAINS = 25, BSPI_TONE_STEPS = 80, BSPI_TONE_BINS = 32 };

/* Most pictures of one material with different gains. */
#define BSPI_GLTF_MOST_LEVELS 8u

/* Histogram of the display values of a texture's channels. */
typedef struct bspi_tone_texels {
	float share[3][BSPI_TONE_BINS];
	bool known;
} bspi_tone_texels;

/* For one level, by step of light: the square root of the color, which is nearly linear, and the remaining mean
 * difference of display values. */
typedef struct bspi_tone_curves {
	float roots[3][BSPI_TONE_STEPS + 1], losses[3][BSPI_TONE_STEPS + 1];
} bspi_tone_curves;

struct bspi_gltf_tone {
	bspi_tone_level levels[BSPI_GLTF_MOST_LEVELS]; /* level 0 is the unchanged picture */
	bspi_tone_curves *curves;          /* per level */
	uint32_t level_count;
	float margin;                      /* a level is used if its loss is below this share of level 0's */
};

/* Tables for all gains, filled on demand. Reused for each material. */
typedef struct bspi_tone_work {
	const bspi_tone_texels *texels;
	float factor[3];                   /* of the material, 0..1 */
	bool known[BSPI_TONE_GAINS][3][BSPI_TONE_STEPS + 1];
	float roots[BSPI_TONE_GAINS][3][BSPI_TONE_STEPS + 1], losses[BSPI_TONE_GAINS][3][BSPI_TONE_STEPS + 1];
	bool has_linear[BSPI_TONE_GAINS][3];
	float linear[BSPI_TONE_GAINS][3][BSPI_TONE_BINS]; /* texels with the gain and the factor */
	bool has_best[3][BSPI_TONE_STEPS + 1];
	uint8_t best[3][BSPI_TONE_STEPS + 1];
} bspi_tone_work;

/* Cache of steps by light: there are as many lights as levels, each at many vertices. */
enum { BSPI_TONE_KNOWN_BITS = 12 };
struct bspi_tone_known {
	uint32_t bits[1 << BSPI_TONE_KNOWN_BITS]; /* bit pattern of linear light */
	float steps[1 << BSPI_TONE_KNOWN_BITS];
};

/* Returns the factor for display values; gain 0 is 1. */
float bspi_tone_gain(uint32_t gain);
/* Converts linear light to a table position, 0 to STEPS, and back to a display value. */
float bspi_tone_step(float linear);
/* Converts the light of a vertex to a table position, by the cache. */
float bspi_tone_step_of(bspi_tone_known *known, float linear);
float bspi_tone_light_at(uint32_t step);
/* find_texels fills the histogram once for each image and use; white without a picture. False if memory is out. */
bool bspi_tone_find_texels(bspi_gltf *gltf, uint32_t image, bspi_picture_use use, bspi_tone_texels *out);
void bspi_tone_begin(bspi_tone_work *work, const bspi_tone_texels *texels, const float factor[3]);
/* Returns the loss of a channel at this step of light. */
float bspi_tone_loss(bspi_tone_work *work, uint32_t gain, int channel, uint32_t step);
/* Returns the gain with the least loss, of those that hardly exceed the light. */
uint32_t bspi_tone_best_gain(bspi_tone_work *work, int channel, uint32_t step);
/* Computes the curves for light up to `brightest` (linear). */
bspi_tone_curves bspi_tone_curves_of(bspi_tone_work *work, const bspi_tone_level *level, float brightest);

#endif
