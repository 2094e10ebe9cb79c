/* gltf_tone.h - tables for a material whose light is in the vertices: which vertex color each light needs, for pictures
 * with several gains, and which gains the material uses. Steps are positions in these tables, on a scale of display
 * light. */
#ifndef BSPI_GLTF_TONE_H
#define BSPI_GLTF_TONE_H

#include "writers/gltf/gltf.h"

enum { BSPI_TONE_GAINS = 25, BSPI_TONE_STEPS = 80, BSPI_TONE_BINS = 32 };

/* Most variants of a material's picture. */
#define BSPI_GLTF_MOST_LEVELS 8u

/* Histogram of the display values of a texture's channels. */
typedef struct bspi_tone_texels {
	float share[3][BSPI_TONE_BINS];
	bool known;
} bspi_tone_texels;

/* For one level and each step of light: the square root of the vertex color (which is nearly linear), and the loss,
 * which is the remaining mean difference of display values. */
typedef struct bspi_tone_curves {
	float roots[3][BSPI_TONE_STEPS + 1], losses[3][BSPI_TONE_STEPS + 1];
} bspi_tone_curves;

struct bspi_gltf_tone {
	bspi_tone_level levels[BSPI_GLTF_MOST_LEVELS]; /* the variants; level 0 is the unchanged picture */
	bspi_tone_curves *curves;          /* the curves of each level */
	uint32_t level_count;
	float margin;                      /* a level is used only if its loss is below this share of the loss of level 0 */
};

/* Tables for all gains, filled when needed, and used for one material after the other. */
typedef struct bspi_tone_work {
	const bspi_tone_texels *texels;
	float factor[3];                   /* color of the material, 0..1 */
	bool known[BSPI_TONE_GAINS][3][BSPI_TONE_STEPS + 1];
	float roots[BSPI_TONE_GAINS][3][BSPI_TONE_STEPS + 1], losses[BSPI_TONE_GAINS][3][BSPI_TONE_STEPS + 1];
	bool has_linear[BSPI_TONE_GAINS][3];
	float linear[BSPI_TONE_GAINS][3][BSPI_TONE_BINS]; /* linear value of each texel times gain and factor */
	bool has_best[3][BSPI_TONE_STEPS + 1];
	uint8_t best[3][BSPI_TONE_STEPS + 1];
} bspi_tone_work;

/* Cache of steps, indexed by bits of the light. Many vertices have the same light. */
enum { BSPI_TONE_KNOWN_BITS = 12 };
struct bspi_tone_known {
	uint32_t bits[1 << BSPI_TONE_KNOWN_BITS]; /* bit pattern of linear light */
	float steps[1 << BSPI_TONE_KNOWN_BITS];
};

/* Returns the factor of a gain for display values. Gain 0 is 1. */
float bspi_tone_gain(uint32_t gain);
/* Converts linear light to a position in the tables, 0 to BSPI_TONE_STEPS; bspi_tone_light_at converts a step back to a
 * display value. */
float bspi_tone_step(float linear);
/* Returns bspi_tone_step of a vertex's light, using the cache. */
float bspi_tone_step_of(bspi_tone_known *known, float linear);
float bspi_tone_light_at(uint32_t step);
/* Fills the histogram of an image and use, once for each. Without a picture all texels are white. Returns false if
 * memory is out. */
bool bspi_tone_find_texels(bspi_gltf *gltf, uint32_t image, bspi_picture_use use, bspi_tone_texels *out);
void bspi_tone_begin(bspi_tone_work *work, const bspi_tone_texels *texels, const float factor[3]);
/* Returns the loss of a channel with this gain at this step of light. */
float bspi_tone_loss(bspi_tone_work *work, uint32_t gain, int channel, uint32_t step);
/* Returns the gain with the least loss, among those that exceed the light at most by a little. */
uint32_t bspi_tone_best_gain(bspi_tone_work *work, int channel, uint32_t step);
/* Computes the curves for light up to `brightest` (linear). */
bspi_tone_curves bspi_tone_curves_of(bspi_tone_work *work, const bspi_tone_level *level, float brightest);

#endif
