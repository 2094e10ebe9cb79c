/* gltf_tone.h - what is known of a material whose light is in its vertices: the colors that its texture needs, for
 * each light and for pictures of some gains, and which of those pictures there are. */
#ifndef BSPI_GLTF_TONE_H
#define BSPI_GLTF_TONE_H

#include "writers/gltf/gltf.h"

enum { BSPI_TONE_GAINS = 25, BSPI_TONE_STEPS = 80, BSPI_TONE_BINS = 32 };

/* Pictures of one material that differ in their gains. */
#define BSPI_GLTF_MOST_LEVELS 8u

/* How much there is of each display value of a texture's channels. */
typedef struct bspi_tone_texels {
	float share[3][BSPI_TONE_BINS];
	bool known;
} bspi_tone_texels;

/* Of one level, over light: the color's square root, which is nearly straight, and the mean difference of display
 * values that is left. */
typedef struct bspi_tone_curves {
	float roots[3][BSPI_TONE_STEPS + 1], losses[3][BSPI_TONE_STEPS + 1];
} bspi_tone_curves;

struct bspi_gltf_tone {
	bspi_tone_level levels[BSPI_GLTF_MOST_LEVELS]; /* the first is the picture as it is */
	bspi_tone_curves *curves;          /* per level */
	uint32_t level_count;
	float margin;                      /* share of the first one's loss that others may have */
};

/* The same of all gains, filled where it is asked for: one material after the other. */
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

/* Steps of light that was asked for: there are as many lights as levels, and many vertices of each. */
enum { BSPI_TONE_KNOWN_BITS = 12 };
struct bspi_tone_known {
	uint32_t bits[1 << BSPI_TONE_KNOWN_BITS]; /* of linear light */
	float steps[1 << BSPI_TONE_KNOWN_BITS];
};

/* How much brighter display values are; gain 0 is 1. */
float bspi_tone_gain(uint32_t gain);
/* Linear light -> its place in tables, 0 to STEPS; and back, to display values. */
float bspi_tone_step(float linear);
/* The same, of the light of vertices. */
float bspi_tone_step_of(bspi_tone_known *known, float linear);
float bspi_tone_light_at(uint32_t step);
/* Once for each image and use; white where there is no picture. False when memory lacks. */
bool bspi_tone_find_texels(bspi_gltf *gltf, uint32_t image, bspi_picture_use use, bspi_tone_texels *out);
void bspi_tone_begin(bspi_tone_work *work, const bspi_tone_texels *texels, const float factor[3]);
/* What is lost of a channel where light is at this place. */
float bspi_tone_loss(bspi_tone_work *work, uint32_t gain, int channel, uint32_t step);
/* The gain with which least of it is lost, of those that are hardly more than the light. */
uint32_t bspi_tone_best_gain(bspi_tone_work *work, int channel, uint32_t step);
/* For light that is no brighter than this, linear. */
bspi_tone_curves bspi_tone_curves_of(bspi_tone_work *work, const bspi_tone_level *level, float brightest);

#endif
