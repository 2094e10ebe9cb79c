/* gltf_gain.c - makes brighter copies of textures. Games from Quake on have light brighter than white, but COLOR_0
 * cannot hold it. So the picture is multiplied by a gain, and the vertex color is divided by that gain. A gain clamps
 * bright texels, even where the light is dim, and light may be colored. So a material has several pictures, each with a
 * gain for each channel. Each triangle uses the picture that fits its light best. */
#include "writers/gltf/gltf_tone.h"

#include <math.h>
#include <string.h>

#include <bspscene/material.h>

#include "images/display.h"

enum { SAMPLES = 128, POINTS = 4 };

#define MOST_LEVELS BSPI_GLTF_MOST_LEVELS
#define MOST_PICTURES 32u             /* largest number of variants of one image, for all its materials together */
#define WHITE_LIGHT 1.004f             /* display value of light up to which no gain is needed */

/* A material gets a further picture only if its mean loss is above LITTLE so far, and if the picture reduces the loss
 * by more than the share WORTH. */
#define WORTH 0.04f
#define LITTLE 0.004f

/* Brightening an image that could be copied unchanged makes the file larger. So gains are used only if the mean error
 * without them exceeds MUCH (1 is the whole range). */
#define MUCH 0.03f
#define MUCH_LESS 0.6f
#define LESS 0.95f

/* Light at the corners and the center of a triangle. Each value is a position in the tables of gltf_tone.h. */
typedef struct triangle_light {
	uint8_t steps[POINTS][3];
} triangle_light;

/* Samples of the light on all surfaces with one material, spread evenly over their area. */
typedef struct light_seen {
	double area;                       /* total area of all triangles */
	double passed;                     /* area of the triangles that were seen so far; each time that it grows by a
	                                    * step, a sample is taken */
	triangle_light samples[SAMPLES];
	uint32_t count;
	float brightest;                   /* largest channel of the linear light at any corner */
} light_seen;

/* What is known about one image and use: its histogram and its variants. */
typedef struct picture_facts {
	bspi_tone_texels texels;
	bspi_tone_level levels[MOST_PICTURES]; /* the variants that any material needs; level 0 is the unchanged picture */
	uint32_t level_count;
} picture_facts;

/* ---- Light ------------------------------------------------------------------------------------------------ */

static double area_of(const bspscene_mesh *mesh, const uint32_t *corners)
{
	const float *a = mesh->positions + 3 * (size_t)corners[0], *b = mesh->positions + 3 * (size_t)corners[1];
	const float *c = mesh->positions + 3 * (size_t)corners[2];
	double u[3], v[3];
	for (int i = 0; i < 3; i++) {
		u[i] = (double)b[i] - (double)a[i];
		v[i] = (double)c[i] - (double)a[i];
	}
	return sqrt(pow(u[1] * v[2] - u[2] * v[1], 2) + pow(u[2] * v[0] - u[0] * v[2], 2) +
	            pow(u[0] * v[1] - u[1] * v[0], 2)) / 2;
}

static void measure(bspi_tone_known *known, const bspscene_mesh *mesh, const uint32_t *corners, light_seen *seen)
{
	(void)known;
	seen->area += area_of(mesh, corners);
	for (int i = 0; i < 3; i++) {
		const float *light = mesh->baked_light + 3 * (size_t)corners[i];
		for (int c = 0; c < 3; c++) seen->brightest = light[c] > seen->brightest ? light[c] : seen->brightest;
	}
}

static bool is_bright(const light_seen *seen)
{
	return bspi_display_from_linear(seen->brightest) > WHITE_LIGHT;
}

static triangle_light light_of(bspi_tone_known *known, const float *const corners[3])
{
	triangle_light out;
	for (int c = 0; c < 3; c++) {
		float middle = 0.5f;
		for (int i = 0; i < 3; i++) {
			float step = bspi_tone_step_of(known, corners[i][c]);
			out.steps[i][c] = (uint8_t)(step + 0.5f);
			middle += step / 3;
		}
		out.steps[3][c] = (uint8_t)middle;
	}
	return out;
}

/* Adds the area of a triangle to seen->passed. Stores a sample of the triangle's light for each further 1/SAMPLES of
 * the total area that is passed. */
static void take_samples(bspi_tone_known *known, const bspscene_mesh *mesh, const uint32_t *corners, light_seen *seen)
{
	const float *light[3];
	for (int i = 0; i < 3; i++) light[i] = mesh->baked_light + 3 * (size_t)corners[i];
	seen->passed += area_of(mesh, corners);
	while (seen->count < SAMPLES && seen->passed >= seen->area * ((double)seen->count + 0.5) / SAMPLES) {
		seen->samples[seen->count++] = light_of(known, light);
	}
}

static void for_lit_triangles(const bspi_gltf *gltf, light_seen *seen,
                              void (*visit)(bspi_tone_known *, const bspscene_mesh *, const uint32_t *, light_seen *))
{
	const bspscene_scene *scene = gltf->scene;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const bspscene_mesh *mesh = scene->meshes[m];
		for (uint32_t s = 0; mesh->baked_light && s < mesh->section_count; s++) {
			const bspscene_section *section = mesh->sections[s];
			const uint32_t *corners = mesh->indices + section->first_index;
			if (section->lighting == BSPSCENE_LIGHTING_FULLBRIGHT) continue;
			for (uint32_t i = 0; i < section->index_count; i += 3) {
				visit(gltf->known_steps, mesh, corners + i, &seen[section->material]);
			}
		}
	}
}

/* ---- Gains ------------------------------------------------------------------------------------------------ */

static bool takes_gain(const bspscene_scene *scene, const bspscene_material *material)
{
	bool blends_colors =
		material->alpha_mode == BSPSCENE_ALPHA_MODE_ADD || material->alpha_mode == BSPSCENE_ALPHA_MODE_MODULATE;
	if (material->base_image == BSPSCENE_NO_INDEX || blends_colors) return false;
	const bspscene_image *image = scene->images[material->base_image];
	return image->format == BSPSCENE_IMAGE_MISSING || image->data;
}

/* Returns the loss of a sample if a variant is used, summed over the channels, as a mean over its points. */
static float loss_at(bspi_tone_work *work, const bspi_tone_level *level, const triangle_light *light)
{
	float loss = 0;
	for (int i = 0; i < POINTS; i++) {
		for (int c = 0; c < 3; c++) loss += bspi_tone_loss(work, level->gains[c], c, light->steps[i][c]);
	}
	return loss / POINTS;
}

/* Returns the sum of losses if a variant is added. `least` has the loss of each sample with the variants chosen so
 * far. */
static float sum_with(bspi_tone_work *work, const bspi_tone_level *level, const light_seen *seen,
                      const float *least)
{
	float sum = 0;
	for (uint32_t i = 0; i < seen->count; i++) sum += fminf(least[i], loss_at(work, level, &seen->samples[i]));
	return sum;
}

/* Returns the variant that is best for one light. `steps` has the light of each channel as a position in the
 * tables. */
static bspi_tone_level level_for(bspi_tone_work *work, const uint8_t steps[3])
{
	bspi_tone_level best = { { 0 } };
	for (int c = 0; c < 3; c++) best.gains[c] = (uint8_t)bspi_tone_best_gain(work, c, steps[c]);
	return best;
}

static bool is_among(const bspi_tone_level *levels, uint32_t count, const bspi_tone_level *level)
{
	for (uint32_t i = 0; i < count; i++) {
		if (bspi_tone_is_same(levels[i], *level)) return true;
	}
	return false;
}

/* Lists candidates for variants, without duplicates. For each sample these are the best variant for its center, and the
 * best one for its brightest values. */
static uint32_t find_candidates(bspi_tone_work *work, const light_seen *seen, bspi_tone_level *out)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < seen->count; i++) {
		const triangle_light *light = &seen->samples[i];
		uint8_t brightest[3] = { 0, 0, 0 };
		for (int p = 0; p < POINTS; p++) {
			for (int c = 0; c < 3; c++) if (light->steps[p][c] > brightest[c]) brightest[c] = light->steps[p][c];
		}
		const bspi_tone_level best[2] = { level_for(work, light->steps[POINTS - 1]), level_for(work, brightest) };
		for (int k = 0; k < 2; k++) if (!is_among(out, count, &best[k])) out[count++] = best[k];
	}
	return count;
}

/* Chooses variants for a material. Adds the candidate that reduces the loss most, again and again, until no candidate
 * is worth it. */
static void choose_levels(bspi_tone_work *work, const light_seen *seen, bspi_gltf_tone *tone)
{
	bspi_tone_level candidates[2 * SAMPLES];
	uint32_t count = find_candidates(work, seen, candidates);
	float least[SAMPLES], sum = 0;
	for (uint32_t i = 0; i < seen->count; i++) {
		least[i] = tone->margin * loss_at(work, &tone->levels[0], &seen->samples[i]);
		sum += least[i];
	}
	while (tone->level_count < MOST_LEVELS && sum > LITTLE * 3 * (float)seen->count) {
		const bspi_tone_level *best = NULL;
		float best_sum = (1 - WORTH) * sum;
		for (uint32_t i = 0; i < count; i++) {
			float with = sum_with(work, &candidates[i], seen, least);
			if (with >= best_sum) continue;
			best_sum = with;
			best = &candidates[i];
		}
		if (!best) return;
		for (uint32_t i = 0; i < seen->count; i++) least[i] = fminf(least[i], loss_at(work, best, &seen->samples[i]));
		sum = best_sum;
		tone->levels[tone->level_count++] = *best;
	}
}

/* Returns the mean loss per channel of the unchanged picture. */
static float loss_as_it_is(bspi_tone_work *work, const light_seen *seen)
{
	static const bspi_tone_level as_it_is = { { 0 } };
	float loss = 0;
	for (uint32_t i = 0; i < seen->count; i++) loss += loss_at(work, &as_it_is, &seen->samples[i]) / 3;
	return seen->count ? loss / (float)seen->count : 0;
}

/* Drops variants of a material if its image has too many. Corrects the estimated work, which so far counts one picture
 * per image. */
static void expect_pictures(bspi_gltf *gltf, uint32_t image, bspi_gltf_tone *tone, picture_facts *picture)
{
	const bspscene_image *source = gltf->scene->images[image];
	uint32_t left = 0;
	if (!picture->level_count) gltf->writer->work -= bspi_cost_of_picture(gltf->writer, source, false);
	for (uint32_t i = 0; i < tone->level_count; i++) {
		bspi_tone_level level = tone->levels[i];
		if (!is_among(picture->levels, picture->level_count, &level)) {
			if (picture->level_count == MOST_PICTURES) continue;
			picture->levels[picture->level_count++] = level;
			gltf->writer->work += bspi_cost_of_picture(gltf->writer, source, i > 0);
		}
		tone->levels[left++] = level;
	}
	tone->level_count = left;
}

static bool make_tone(bspi_gltf *gltf, uint32_t index, const light_seen *seen, picture_facts *picture,
                      bspi_tone_work *work)
{
	const bspscene_scene *scene = gltf->scene;
	const bspscene_material *material = scene->materials[index];
	bspi_gltf_tone *tone = bspi_writer_push(gltf->writer, bspi_gltf_tone, 1);
	bspi_picture_use use = bspi_base_picture_use(material);
	BSPI_TRY(tone && bspi_tone_find_texels(gltf, material->base_image, use, &picture->texels));
	bool bright = is_bright(seen), can = takes_gain(scene, material) && bright;
	bool handed_on = can && !gltf->writer->options.compress &&
	                 bspi_picture_passes(scene->images[material->base_image], use);
	tone->margin = handed_on ? MUCH_LESS : LESS;
	tone->level_count = 1;
	bspi_tone_begin(work, &picture->texels, material->color);
	if (can && !(handed_on && loss_as_it_is(work, seen) < MUCH)) choose_levels(work, seen, tone);
	if (material->base_image != BSPSCENE_NO_INDEX) expect_pictures(gltf, material->base_image, tone, picture);
	tone->curves = bspi_writer_push(gltf->writer, bspi_tone_curves, tone->level_count);
	BSPI_TRY(tone->curves);
	for (uint32_t i = 0; i < tone->level_count; i++) {
		tone->curves[i] = bspi_tone_curves_of(work, &tone->levels[i], seen->brightest);
	}
	gltf->tones[index] = tone;
	double unknown = bspi_cost_of_tone(gltf->writer, material->base_image, BSPI_TONE_UNKNOWN);
	double cost = bspi_cost_of_tone(gltf->writer, material->base_image,
	                                bright ? BSPI_TONE_BRIGHT : BSPI_TONE_PLAIN);
	gltf->writer->work += cost - unknown;
	return bspi_writer_worked(gltf->writer, "textures", cost);
}

/* Returns the index of the picture_facts for the image and use of a material's base picture. The last index is for
 * materials without a base image. */
static size_t slot_of(const bspscene_scene *scene, const bspscene_material *material)
{
	if (material->base_image == BSPSCENE_NO_INDEX) return (size_t)scene->image_count * BSPI_PICTURE_USE_COUNT;
	bspi_picture_use use = bspi_picture_use_of(scene->images[material->base_image], bspi_base_picture_use(material));
	return (size_t)material->base_image * BSPI_PICTURE_USE_COUNT + use;
}

bool bspi_gltf_find_tones(bspi_gltf *gltf)
{
	const bspscene_scene *scene = gltf->scene;
	gltf->tones = bspi_writer_push(gltf->writer, bspi_gltf_tone *, scene->material_count);
	BSPI_TRY(gltf->tones);
	if (gltf->writer->options.lighting != BSPSCENE_WRITE_LIGHTING_VERTEX) return true;
	light_seen *seen = bspi_writer_push(gltf->writer, light_seen, scene->material_count);
	size_t slots = (size_t)scene->image_count * BSPI_PICTURE_USE_COUNT;
	picture_facts *all = bspi_writer_push(gltf->writer, picture_facts, slots + 1);
	bspi_tone_work *work = bspi_writer_push(gltf->writer, bspi_tone_work, 1);
	gltf->known_steps = bspi_writer_push(gltf->writer, bspi_tone_known, 1);
	BSPI_TRY(seen && all && work && gltf->known_steps);
	for_lit_triangles(gltf, seen, measure);
	for_lit_triangles(gltf, seen, take_samples);
	for (uint32_t i = 0; i < scene->material_count; i++) {
		if (seen[i].area > 0) BSPI_TRY(make_tone(gltf, i, &seen[i], &all[slot_of(scene, scene->materials[i])], work));
	}
	return true;
}

/* ---- Gains and loss of a level ---------------------------------------------------------------------------- */

void bspi_tone_gains(bspi_tone_level level, float out[3])
{
	for (int c = 0; c < 3; c++) out[c] = bspi_tone_gain(level.gains[c]);
}

static float curves_loss(const bspi_tone_curves *curves, const triangle_light *light)
{
	float loss = 0;
	for (int i = 0; i < POINTS; i++) {
		for (int c = 0; c < 3; c++) loss += curves->losses[c][light->steps[i][c]];
	}
	return loss;
}

bspi_tone_level bspi_gltf_choose_level(const bspi_gltf *gltf, uint32_t material, const float *const corners[3])
{
	const bspi_gltf_tone *tone = gltf->tones[material];
	uint32_t best = 0;
	if (!tone || tone->level_count < 2) return (bspi_tone_level) { { 0 } };
	triangle_light light = light_of(gltf->known_steps, corners);
	float least = curves_loss(&tone->curves[0], &light);
	for (uint32_t level = 1; level < tone->level_count; level++) {
		float loss = curves_loss(&tone->curves[level], &light);
		if (loss >= (best ? LESS : tone->margin) * least) continue;
		least = loss;
		best = level;
	}
	return tone->levels[best];
}
