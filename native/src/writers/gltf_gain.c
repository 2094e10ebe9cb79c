/* gltf_gain.c - light that is brighter than white, as Quake's and its heirs' is: COLOR_0 must not be, so the picture is
 * made brighter by as much as the light is made darker, and both together are the game's. What becomes brighter than
 * white in either of them stops there: the gain is the one that loses least of the light and the texels there are. */
#include "writers/gltf.h"

#include <math.h>

#include "images/display.h"
#include "images/images.h"

#define LARGEST_GAIN 8.0f
#define STEP 1.2f                      /* from one gain to try to the next */
#define WHITE_LIGHT 1.01f              /* light up to here needs no gain */

enum { BINS = 32 };
#define BRIGHTEST 3.0f                 /* display value of the last bin */

/* How much there is of each display value, 0 to BRIGHTEST. */
typedef struct histogram {
	float bins[BINS];
} histogram;

static void count_value(histogram *h, float display)
{
	int bin = (int)(display / BRIGHTEST * (BINS - 1) + 0.5f);
	h->bins[bin < 0 ? 0 : bin < BINS ? bin : BINS - 1] += 1;
}

static float linear_of(int bin)
{
	return bspi_linear_from_display((float)bin / (BINS - 1) * BRIGHTEST);
}

static bool takes_gain(const bspscene_scene *scene, const bspscene_material *material)
{
	bool blends_colors = material->alpha_mode == BSPSCENE_ALPHA_ADD || material->alpha_mode == BSPSCENE_ALPHA_MODULATE;
	if (material->base_image == BSPSCENE_NO_INDEX || blends_colors) return false;
	const bspscene_image *image = &scene->images[material->base_image];
	return image->format != BSPSCENE_IMAGE_MISSING && image->data;
}

/* The light upon each image, and whether any of it is brighter than white. */
static void find_light(const bspscene_scene *scene, histogram *lights, bool *bright)
{
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const bspscene_mesh *mesh = &scene->meshes[m];
		for (uint32_t s = 0; mesh->light && s < mesh->section_count; s++) {
			const bspscene_section *section = &mesh->sections[s];
			const bspscene_material *material = &scene->materials[section->material];
			if (!takes_gain(scene, material)) continue;
			uint32_t image = material->base_image;
			const float *light = mesh->light + 3 * (size_t)section->first_vertex;
			for (size_t i = 0; i < section->vertex_count; i++, light += 3) {
				float largest = fmaxf(light[0], fmaxf(light[1], light[2]));
				bright[image] = bright[image] || largest > WHITE_LIGHT;
				count_value(&lights[image], bspi_display_from_linear(largest));
			}
		}
	}
}

static void find_texels(const bspscene_pixels *pixels, histogram *texels)
{
	size_t count = (size_t)pixels->width * pixels->height;
	for (size_t i = 0; i < count; i++) {
		const uint8_t *pixel = pixels->data + 4 * i;
		uint8_t largest = pixel[0] > pixel[1] ? pixel[0] : pixel[1];
		if (pixel[3]) count_value(texels, (float)(largest > pixel[2] ? largest : pixel[2]) / 255);
	}
}

/* What pictures would differ by, all in all. The game's own stop at white too, at the end. */
static double loss_of(const histogram *lights, const histogram *texels, float gain)
{
	double loss = 0;
	for (int t = 0; t < BINS; t++) {
		for (int l = 0; texels->bins[t] > 0 && l < BINS; l++) {
			if (!(lights->bins[l] > 0)) continue;
			float texel = linear_of(t), light = linear_of(l);
			float game = fminf(texel * light, 1), seen = fminf(texel * gain, 1) * fminf(light / gain, 1);
			float difference = fabsf(bspi_display_from_linear(game) - bspi_display_from_linear(seen));
			loss += (double)(difference * texels->bins[t] * lights->bins[l]);
		}
	}
	return loss;
}

static float best_gain(const histogram *lights, const histogram *texels)
{
	float best = 1;
	double least = loss_of(lights, texels, 1);
	for (float gain = STEP; gain <= LARGEST_GAIN; gain *= STEP) {
		double loss = loss_of(lights, texels, gain);
		if (loss < 0.98 * least) {
			least = loss;
			best = gain;
		}
	}
	return best;
}

static bool find_gain(bspi_gltf *gltf, const bspscene_image *image, const histogram *lights, float *gain)
{
	bspscene_pixels pixels = { 0, 0, NULL };
	bspscene_error error = { .status = BSPSCENE_OK };
	if (!bspi_image_decode_within(&gltf->writer->budget, image, &pixels, &error)) {
		bool lacks_memory = gltf->writer->budget.refused || error.status == BSPSCENE_ERROR_OUT_OF_MEMORY;
		return !lacks_memory || bspi_writer_fail(gltf->writer, error.status, "%s", error.message);
	}
	histogram texels = { { 0 } };
	find_texels(&pixels, &texels);
	*gain = best_gain(lights, &texels);
	bspi_pixels_give(&gltf->writer->budget, &pixels);
	return true;
}

bool bspi_gltf_find_gains(bspi_gltf *gltf)
{
	const bspscene_scene *scene = gltf->scene;
	histogram *lights = bspi_writer_push(gltf->writer, histogram, scene->image_count);
	bool *bright = bspi_writer_push(gltf->writer, bool, scene->image_count);
	gltf->gains = bspi_writer_push(gltf->writer, float, scene->image_count);
	BSPI_TRY(lights && bright && gltf->gains);
	find_light(scene, lights, bright);
	for (uint32_t i = 0; i < scene->image_count; i++) {
		gltf->gains[i] = 1;
		if (!bright[i]) continue;
		BSPI_TRY(find_gain(gltf, &scene->images[i], &lights[i], &gltf->gains[i]));
		BSPI_TRY(bspi_writer_progress(gltf->writer, "textures", i + 1, scene->image_count));
	}
	return true;
}

float bspi_gltf_gain(const bspi_gltf *gltf, const bspscene_material *material)
{
	return takes_gain(gltf->scene, material) ? gltf->gains[material->base_image] : 1;
}
