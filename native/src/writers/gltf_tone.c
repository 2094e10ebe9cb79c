/* gltf_tone.c - light of the game -> the colours that viewers have to multiply textures with.
 *
 * Games multiply texture and light as they are displayed, viewers multiply linear light: t * l becomes another product,
 * which depends on t as well. A colour can be right for one texel only, so it is the one with which the texture as it
 * is differs least from the game's picture, channel by channel.
 *
 * Light brighter than white, as Quake's and its heirs' is, cannot be in COLOR_0. There the picture is made brighter by
 * as much as the light is made darker. What becomes brighter than white in it stops there, which the game's product
 * does only where light is bright; so there are pictures of some gains, and each triangle has the best for it. */
#include "writers/gltf.h"

#include <math.h>

#include "images/display.h"
#include "images/images.h"

enum { BINS = 32, STEPS = 40, MOST_LEVELS = BSPI_GLTF_MOST_LEVELS, REFINEMENTS = 4 };

/* Display values of light that tables hold; beyond it, as much as there. */
#define BRIGHTEST 4.0f
#define WHITE_LIGHT 1.004f             /* display value; light up to here needs no gain */
#define LEAST_SHARE 0.04f              /* of the light there is that a gain must be best for, to be worth a picture */

static const float gains[MOST_LEVELS] = { 1, 1.25f, 1.6f, 2, 2.5f, 3.2f, 4 };

/* Pictures that are handed on become larger when they are written anew: only where they would differ from the game's by
 * this of 1, on average, and much less when they are. */
#define MUCH 0.03f
#define MUCH_LESS 0.6f
#define LESS 0.95f

/* How much there is of each display value of a texture's channels. */
typedef struct texels {
	float share[3][BINS];
	bool known;
	bool written[MOST_LEVELS];         /* some material needs the picture so */
} texels;

/* The light upon a material: of each display value up to BRIGHTEST, by the brightest channel. */
typedef struct light_seen {
	float count[STEPS + 1];
	bool bright, any;
} light_seen;

struct bspi_gltf_tone {
	bool useful[MOST_LEVELS];
	float margin;                      /* share of this picture's loss that others may have */
	float roots[MOST_LEVELS][3][STEPS + 1];  /* of the colour, so that it is nearly straight */
	float losses[MOST_LEVELS][3][STEPS + 1]; /* mean difference of display values */
};

/* ---- What there is ---------------------------------------------------------------------------------------- */

static bool takes_gain(const bspscene_scene *scene, const bspscene_material *material)
{
	bool blends_colors = material->alpha_mode == BSPSCENE_ALPHA_ADD || material->alpha_mode == BSPSCENE_ALPHA_MODULATE;
	if (material->base_image == BSPSCENE_NO_INDEX || blends_colors) return false;
	const bspscene_image *image = &scene->images[material->base_image];
	return image->format != BSPSCENE_IMAGE_MISSING && image->data;
}

static float step_of(float display)
{
	return fminf(fmaxf(display, 0), BRIGHTEST) / BRIGHTEST * STEPS;
}

static void see_light(const bspscene_scene *scene, light_seen *seen)
{
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const bspscene_mesh *mesh = &scene->meshes[m];
		for (uint32_t s = 0; mesh->light && s < mesh->section_count; s++) {
			const bspscene_section *section = &mesh->sections[s];
			const float *light = mesh->light + 3 * (size_t)section->first_vertex;
			light_seen *here = &seen[section->material];
			if (section->lighting == BSPSCENE_LIGHTING_FULLBRIGHT) continue;
			for (size_t i = 0; i < section->vertex_count; i++, light += 3) {
				float largest = bspi_display_from_linear(fmaxf(light[0], fmaxf(light[1], light[2])));
				here->any = true;
				here->bright = here->bright || largest > WHITE_LIGHT;
				here->count[(int)(step_of(largest) + 0.5f)] += 1;
			}
		}
	}
}

static void count_texels(const bspscene_pixels *pixels, texels *out)
{
	size_t count = (size_t)pixels->width * pixels->height;
	for (size_t i = 0; i < count; i++) {
		const uint8_t *pixel = pixels->data + 4 * i;
		for (int c = 0; pixel[3] && c < 3; c++) out->share[c][pixel[c] * BINS / 256] += 1 / (float)count;
	}
	out->known = true;
}

/* White where there is no picture. */
static bool find_texels(bspi_gltf *gltf, uint32_t image, texels *out)
{
	bspscene_pixels pixels = { 0, 0, NULL };
	bspscene_error error = { .status = BSPSCENE_OK };
	if (out->known) return true;
	out->known = true;
	if (image == BSPSCENE_NO_INDEX || !gltf->scene->images[image].data) {
		for (int c = 0; c < 3; c++) out->share[c][BINS - 1] = 1;
		return true;
	}
	if (!bspi_image_decode_within(&gltf->writer->budget, &gltf->scene->images[image], &pixels, &error)) {
		bool lacks_memory = gltf->writer->budget.refused || error.status == BSPSCENE_ERROR_OUT_OF_MEMORY;
		out->share[0][BINS / 2] = out->share[1][BINS / 2] = out->share[2][BINS / 2] = 1;
		return !lacks_memory || bspi_writer_fail(gltf->writer, error.status, "%s", error.message);
	}
	count_texels(&pixels, out);
	bspi_pixels_give(&gltf->writer->budget, &pixels);
	return true;
}

/* ---- The best colour -------------------------------------------------------------------------------------- */

/* One texel as the game shows it in this light, and as the viewer takes it. */
typedef struct sample {
	float share, texel;                /* linear */
	float wanted, wanted_light;        /* display, linear */
} sample;

static float slope_of_display(float linear)
{
	return linear <= 0.0031308f ? 12.92f : 1.055f / 2.4f * (float)pow(linear, 1 / 2.4f - 1);
}

/* Least squares of display values. Each texel has a colour that would be right for it; their mean, weighted by how much
 * the texel's display changes with it, is where the squares are least, once the slopes are taken there. */
static float best_color(const sample *samples, int count, float start)
{
	float color = start;
	for (int round = 0; round < REFINEMENTS; round++) {
		double sum = 0, weights = 0;
		for (int i = 0; i < count; i++) {
			const sample *s = &samples[i];
			float slope = slope_of_display(s->texel * color) * s->texel, weight = s->share * slope * slope;
			sum += (double)(weight * s->wanted_light / s->texel);
			weights += (double)weight;
		}
		if (!(weights > 0)) break;
		color = fminf((float)(sum / weights), 1);
	}
	return color;
}

static int make_samples(const float *share, float factor, uint32_t level, float light, sample *out)
{
	int count = 0;
	for (int i = 0; i < BINS; i++) {
		float texel = ((float)i + 0.5f) / BINS;
		if (!(share[i] > 0) || !(factor > 0)) continue;
		out[count].share = share[i];
		out[count].wanted = fminf(texel * factor * light, 1);
		out[count].wanted_light = bspi_linear_from_display(out[count].wanted);
		out[count].texel = bspi_linear_from_display(fminf(texel * gains[level], 1)) *
		                   bspi_linear_from_display(factor);
		count++;
	}
	return count;
}

static void fill_level(bspi_gltf_tone *tone, uint32_t level, const texels *picture, const float factor[3])
{
	sample samples[BINS];
	for (int c = 0; c < 3; c++) {
		float held = fminf(fmaxf(factor[c], 0), 1);
		for (int i = 1; i <= STEPS; i++) {
			float light = (float)i / STEPS * BRIGHTEST;
			float start = fminf(bspi_linear_from_display(light / gains[level]), 1);
			int count = make_samples(picture->share[c], held, level, light, samples);
			float color = best_color(samples, count, start);
			double loss = 0;
			for (int k = 0; k < count; k++) {
				float shown = bspi_display_from_linear(samples[k].texel * color);
				loss += (double)(samples[k].share * fabsf(shown - samples[k].wanted));
			}
			tone->roots[level][c][i] = sqrtf(color);
			tone->losses[level][c][i] = (float)loss;
		}
	}
}

/* ---- Levels ----------------------------------------------------------------------------------------------- */

static float loss_at(const bspi_gltf_tone *tone, uint32_t level, int step)
{
	const float (*losses)[STEPS + 1] = tone->losses[level];
	return losses[0][step] + losses[1][step] + losses[2][step];
}

/* Of all levels those that are best for some of the light. */
static void keep_useful_levels(bspi_gltf_tone *tone, const light_seen *seen)
{
	float best_for[MOST_LEVELS] = { 0 }, all = 0;
	uint32_t most = 0;
	for (int i = 0; i <= STEPS; i++) {
		uint32_t best = 0;
		for (uint32_t level = 1; level < MOST_LEVELS; level++) {
			float margin = best ? LESS : tone->margin;
			if (tone->useful[level] && loss_at(tone, level, i) < margin * loss_at(tone, best, i)) best = level;
		}
		best_for[best] += seen->count[i];
		all += seen->count[i];
	}
	for (uint32_t level = 1; level < MOST_LEVELS; level++) if (best_for[level] > best_for[most]) most = level;
	for (uint32_t level = 0; level < MOST_LEVELS; level++) {
		tone->useful[level] = tone->useful[level] && (level == most || best_for[level] >= LEAST_SHARE * all);
	}
}

/* Mean over the light there is. */
static float loss_of(const bspi_gltf_tone *tone, uint32_t level, const light_seen *seen)
{
	float loss = 0, all = 0;
	for (int i = 0; i <= STEPS; i++) {
		loss += seen->count[i] * loss_at(tone, level, i) / 3;
		all += seen->count[i];
	}
	return all > 0 ? loss / all : 0;
}

/* The work foresaw one picture, as it is; now it is known how many there will be. */
static void expect_pictures(bspi_gltf *gltf, uint32_t image, const bspi_gltf_tone *tone, texels *picture)
{
	const bspscene_image *source = &gltf->scene->images[image];
	bool first = true;
	for (uint32_t level = 0; level < MOST_LEVELS; level++) first = first && !picture->written[level];
	if (first) gltf->writer->work -= bspi_cost_of_picture(gltf->writer, source, false);
	for (uint32_t level = 0; level < MOST_LEVELS; level++) {
		if (!tone->useful[level] || picture->written[level]) continue;
		picture->written[level] = true;
		gltf->writer->work += bspi_cost_of_picture(gltf->writer, source, level > 0);
	}
}

static bool make_tone(bspi_gltf *gltf, uint32_t index, const light_seen *seen, texels *picture)
{
	const bspscene_scene *scene = gltf->scene;
	const bspscene_material *material = &scene->materials[index];
	bspi_gltf_tone *tone = bspi_writer_push(gltf->writer, bspi_gltf_tone, 1);
	BSPI_TRY(tone && find_texels(gltf, material->base_image, picture));
	bool can = takes_gain(scene, material);
	bool handed_on = can && !gltf->compress && bspi_picture_passes(&scene->images[material->base_image]);
	tone->margin = handed_on ? MUCH_LESS : LESS;
	for (uint32_t level = 0; level < MOST_LEVELS; level++) {
		tone->useful[level] = level == 0 || (can && seen->bright);
		if (tone->useful[level]) fill_level(tone, level, picture, material->color);
	}
	for (uint32_t level = 1; handed_on && loss_of(tone, 0, seen) < MUCH && level < MOST_LEVELS; level++) {
		tone->useful[level] = false;
	}
	keep_useful_levels(tone, seen);
	gltf->tones[index] = tone;
	if (material->base_image != BSPSCENE_NO_INDEX) expect_pictures(gltf, material->base_image, tone, picture);
	double unknown = bspi_cost_of_tone(gltf->writer, material->base_image, BSPI_TONE_UNKNOWN);
	double cost = bspi_cost_of_tone(gltf->writer, material->base_image,
	                                seen->bright ? BSPI_TONE_BRIGHT : BSPI_TONE_PLAIN);
	gltf->writer->work += cost - unknown;
	return bspi_writer_worked(gltf->writer, "textures", cost);
}

bool bspi_gltf_find_tones(bspi_gltf *gltf)
{
	const bspscene_scene *scene = gltf->scene;
	gltf->tones = bspi_writer_push(gltf->writer, bspi_gltf_tone *, scene->material_count);
	BSPI_TRY(gltf->tones);
	if (gltf->writer->options.lighting != BSPSCENE_WRITE_VERTEX) return true;
	light_seen *seen = bspi_writer_push(gltf->writer, light_seen, scene->material_count);
	texels *all = bspi_writer_push(gltf->writer, texels, (size_t)scene->image_count + 1);
	BSPI_TRY(seen && all);
	see_light(scene, seen);
	for (uint32_t i = 0; i < scene->material_count; i++) {
		uint32_t image = scene->materials[i].base_image;
		if (!seen[i].any) continue;
		BSPI_TRY(make_tone(gltf, i, &seen[i], &all[image == BSPSCENE_NO_INDEX ? scene->image_count : image]));
	}
	return true;
}

float bspi_gltf_gain(uint32_t level)
{
	return gains[level];
}

/* Losses at the corners and in the middle, where the light is between theirs. */
uint32_t bspi_gltf_choose_level(const bspi_gltf *gltf, uint32_t material, const float *const corners[3])
{
	const bspi_gltf_tone *tone = gltf->tones[material];
	float steps[4][3] = { { 0 } }, least = INFINITY;
	uint32_t best = 0;
	if (!tone) return 0;
	for (int i = 0; i < 3; i++) {
		for (int c = 0; c < 3; c++) {
			steps[i][c] = step_of(bspi_display_from_linear(corners[i][c]));
			steps[3][c] += steps[i][c] / 3;
		}
	}
	for (uint32_t level = 0; level < MOST_LEVELS; level++) {
		float loss = 0;
		for (int i = 0; tone->useful[level] && i < 4; i++) {
			for (int c = 0; c < 3; c++) loss += tone->losses[level][c][(int)(steps[i][c] + 0.5f)];
		}
		if (!tone->useful[level] || loss >= (best ? LESS : tone->margin) * least) continue;
		least = loss;
		best = level;
	}
	return best;
}

void bspi_gltf_tone_color(const bspi_gltf *gltf, uint32_t material, uint32_t level, float color[3])
{
	const bspi_gltf_tone *tone = gltf->tones[material];
	for (int c = 0; tone && c < 3; c++) {
		float at = step_of(bspi_display_from_linear(color[c]));
		int low = (int)at < STEPS ? (int)at : STEPS - 1;
		const float *roots = tone->roots[level][c];
		float root = roots[low] + (roots[low + 1] - roots[low]) * (at - (float)low);
		color[c] = root * root;
	}
}
