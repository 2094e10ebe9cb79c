/* gltf_tone.c - converts the game's light to the colors with which viewers must multiply textures.
 *
 * Games multiply display values of texture and light, viewers multiply linear values. The products differ in a way that
 * depends on the texel, so a color can be exact for one texel value only. The color is chosen, channel by channel, so
 * that the whole texture differs least from the game's picture. */
#include "writers/gltf/gltf_tone.h"

#include <math.h>
#include <string.h>

#include "images/display.h"
#include "images/images.h"

enum { BINS = BSPI_TONE_BINS, STEPS = BSPI_TONE_STEPS, REFINEMENTS = 4 };

/* Largest display value of light in the tables. Brighter light is treated as if it had this value. */
#define BRIGHTEST 4.0f

/* Gains are considered if they are below this multiple of the light, which is a display value. A gain of 1 always
 * is. */
#define MOST_OVER 1.2f

static const float gains[BSPI_TONE_GAINS] = {
	1, 1.059f, 1.122f, 1.189f, 1.260f, 1.335f, 1.414f, 1.498f, 1.587f,
	1.682f, 1.782f, 1.888f, 2, 2.119f, 2.245f, 2.378f, 2.520f, 2.670f,
	2.828f, 2.997f, 3.175f, 3.364f, 3.564f, 3.775f, 4
};

float bspi_tone_gain(uint32_t gain)
{
	return gains[gain];
}

float bspi_tone_step(float linear)
{
	return fminf(fmaxf(bspi_display_from_linear(linear), 0), BRIGHTEST) / BRIGHTEST * STEPS;
}

/* Returns the position of a light in the tables, from the cache if possible. A new cache has only zeros, which is
 * right: black light has position 0. */
float bspi_tone_step_of(bspi_tone_known *known, float linear)
{
	uint32_t bits;
	memcpy(&bits, &linear, sizeof bits);
	uint32_t at = (bits * UINT32_C(0x9E3779B1)) >> (32 - BSPI_TONE_KNOWN_BITS);
	if (known->bits[at] != bits) {
		known->bits[at] = bits;
		known->steps[at] = bspi_tone_step(linear);
	}
	return known->steps[at];
}

float bspi_tone_light_at(uint32_t step)
{
	return (float)step / STEPS * BRIGHTEST;
}

/* ---- Texels ----------------------------------------------------------------------------------------------- */

/* Counts the texels of a picture in the histogram. Texels that are cut out do not count. */
static void count_texels(const bspscene_pixels *pixels, bspi_picture_use use, bspi_tone_texels *out)
{
	size_t count = (size_t)pixels->width * pixels->height;
	for (size_t i = 0; i < count; i++) {
		const uint8_t *pixel = pixels->data + 4 * i;
		bool seen = use == BSPI_PICTURE_OPAQUE || pixel[3];
		for (int c = 0; seen && c < 3; c++) out->share[c][pixel[c] * BINS / 256] += 1 / (float)count;
	}
}

bool bspi_tone_find_texels(bspi_gltf *gltf, uint32_t image, bspi_picture_use use, bspi_tone_texels *out)
{
	bspscene_pixels pixels = { 0 };
	bspscene_error error = { .status = BSPSCENE_OK };
	if (out->known) return true;
	out->known = true;
	const bspscene_image *source = image == BSPSCENE_NO_INDEX ? NULL : gltf->scene->images[image];
	if (!source || (!source->data && source->format != BSPSCENE_IMAGE_MISSING)) {
		for (int c = 0; c < 3; c++) out->share[c][BINS - 1] = 1;
		return true;
	}
	if (!bspi_image_decode_within(&gltf->writer->budget, source, &pixels, &error)) {
		bool lacks_memory = gltf->writer->budget.refused || error.status == BSPSCENE_ERROR_OUT_OF_MEMORY;
		out->share[0][BINS / 2] = out->share[1][BINS / 2] = out->share[2][BINS / 2] = 1;
		return !lacks_memory || bspi_writer_fail(gltf->writer, error.status, "%s", error.message);
	}
	count_texels(&pixels, use, out);
	bspi_pixels_give(&gltf->writer->budget, &pixels);
	return true;
}

/* ---- The best color -------------------------------------------------------------------------------------- */

/* One value of a texel's channel: how many texels have it, what the viewer multiplies, and what the game shows. */
typedef struct sample {
	float share, texel;                /* share of texels that have this value; the value in linear space */
	float wanted, wanted_light;        /* what the game shows: texel times light, as a display value and in linear
	                                    * space */
} sample;

static float middle_of(int bin)
{
	return ((float)bin + 0.5f) / BINS;
}

/* Finds by Gauss-Newton steps the color with which the sum of squared differences between the viewer's and the game's
 * display values is least. For each texel value, there is a color with which both are equal. Each step computes the
 * mean of these colors. Colors at which the viewer's display value changes faster have more weight. */
static float best_color(const sample *samples, int count, float start)
{
	float color = start;
	for (int round = 0; round < REFINEMENTS; round++) {
		double sum = 0, weights = 0;
		for (int i = 0; i < count; i++) {
			const sample *s = &samples[i];
			float slope = bspi_display_slope(s->texel * color) * s->texel, weight = s->share * slope * slope;
			sum += (double)(weight * s->wanted_light / s->texel);
			weights += (double)weight;
		}
		if (!(weights > 0)) break;
		float before = color;
		color = fminf((float)(sum / weights), 1);
		if (color == before) break;
	}
	return color;
}

/* Returns the linear values of all texel values, after these are multiplied by the gain, times the material's color.
 * They are computed once for each gain and channel. */
static const float *texels_of(bspi_tone_work *work, uint32_t gain, int c)
{
	float *texels = work->linear[gain][c], factor = bspi_linear_from_display(work->factor[c]);
	if (work->has_linear[gain][c]) return texels;
	work->has_linear[gain][c] = true;
	for (int i = 0; i < BINS; i++) {
		texels[i] = bspi_linear_from_display(fminf(middle_of(i) * gains[gain], 1)) * factor;
	}
	return texels;
}

static int make_samples(bspi_tone_work *work, uint32_t gain, int c, float light, sample *out)
{
	const float *share = work->texels->share[c], *texels = texels_of(work, gain, c);
	float factor = work->factor[c];
	int count = 0;
	for (int i = 0; i < BINS; i++) {
		if (!(share[i] > 0) || !(factor > 0)) continue;
		out[count].share = share[i];
		out[count].wanted = fminf(middle_of(i) * factor * light, 1);
		out[count].wanted_light = bspi_linear_from_display(out[count].wanted);
		out[count].texel = texels[i];
		count++;
	}
	return count;
}

void bspi_tone_begin(bspi_tone_work *work, const bspi_tone_texels *texels, const float factor[3])
{
	work->texels = texels;
	for (int c = 0; c < 3; c++) work->factor[c] = fminf(fmaxf(factor[c], 0), 1);
	memset(work->known, 0, sizeof work->known);
	memset(work->has_linear, 0, sizeof work->has_linear);
	memset(work->has_best, 0, sizeof work->has_best);
}

static void fill_step(bspi_tone_work *work, uint32_t gain, int c, uint32_t step)
{
	sample samples[BINS];
	float light = bspi_tone_light_at(step);
	int count = make_samples(work, gain, c, light, samples);
	float color = best_color(samples, count, fminf(bspi_linear_from_display(light / gains[gain]), 1));
	double loss = 0;
	for (int i = 0; i < count; i++) {
		float shown = bspi_display_from_linear(samples[i].texel * color);
		loss += (double)(samples[i].share * fabsf(shown - samples[i].wanted));
	}
	work->known[gain][c][step] = true;
	work->roots[gain][c][step] = sqrtf(color);
	work->losses[gain][c][step] = (float)loss;
}

/* Returns the loss. Without light (step 0) it is 0, because nothing is shown. */
float bspi_tone_loss(bspi_tone_work *work, uint32_t gain, int channel, uint32_t step)
{
	if (!step) return 0;
	if (!work->known[gain][channel][step]) fill_step(work, gain, channel, step);
	return work->losses[gain][channel][step];
}

uint32_t bspi_tone_best_gain(bspi_tone_work *work, int channel, uint32_t step)
{
	float most = MOST_OVER * bspi_tone_light_at(step);
	if (work->has_best[channel][step]) return work->best[channel][step];
	uint32_t best = 0;
	for (uint32_t gain = 1; gain < BSPI_TONE_GAINS && gains[gain] < most; gain++) {
		if (bspi_tone_loss(work, gain, channel, step) < bspi_tone_loss(work, best, channel, step)) best = gain;
	}
	work->has_best[channel][step] = true;
	work->best[channel][step] = (uint8_t)best;
	return best;
}

bspi_tone_curves bspi_tone_curves_of(bspi_tone_work *work, const bspi_tone_level *level, float brightest)
{
	bspi_tone_curves out = { .roots = { { 0 } } };
	uint32_t last = (uint32_t)bspi_tone_step(brightest) + 1;
	for (int c = 0; c < 3; c++) {
		for (uint32_t step = 1; step <= STEPS && step <= last; step++) {
			out.losses[c][step] = bspi_tone_loss(work, level->gains[c], c, step);
			out.roots[c][step] = work->roots[level->gains[c]][c][step];
		}
	}
	return out;
}

/* ---- Colors ---------------------------------------------------------------------------------------------- */

/* Returns the curves of a variant, or NULL if the light of the material is not converted. */
static const bspi_tone_curves *find_curves(const bspi_gltf_tone *tone, bspi_tone_level level)
{
	for (uint32_t i = 0; tone && i < tone->level_count; i++) {
		if (bspi_tone_is_same(tone->levels[i], level)) return &tone->curves[i];
	}
	return NULL;
}

void bspi_gltf_tone_color(const bspi_gltf *gltf, uint32_t material, bspi_tone_level level, float color[3])
{
	const bspi_tone_curves *curves = find_curves(gltf->tones[material], level);
	for (int c = 0; curves && c < 3; c++) {
		float at = bspi_tone_step_of(gltf->known_steps, color[c]);
		int low = (int)at < STEPS ? (int)at : STEPS - 1;
		const float *roots = curves->roots[c];
		float root = roots[low] + (roots[low + 1] - roots[low]) * (at - (float)low);
		color[c] = root * root;
	}
}
