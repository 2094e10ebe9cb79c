/* writer_costs.c - see writer_costs.h. */
#include "writers/writer_costs.h"

#include <math.h>

#include <bspscene/material.h>

#include "base/costs.h"
#include "base/page_luxels.h"
#include "writers/light/drawn.h"
#include "writers/sky/sky_choice.h"
#include "writers/web_picture.h"

static double luxels_of(const bspscene_lightmap_set *set, uint32_t page_count)
{
	double count = 0;
	for (uint32_t i = 0; i < page_count; i++) {
		if (bspi_page_has_light(&set->pages[i])) count += (double)set->pages[i].width * set->pages[i].height;
	}
	return count;
}

double bspi_cost_of_bake(const bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	double all = 0,
		   first = scene->lightmap_set_count ? luxels_of(&scene->lightmap_sets[0], scene->lightmap_page_count) : 0;
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++)
		all += luxels_of(&scene->lightmap_sets[i], scene->lightmap_page_count);
	if (writer->options.lighting != BSPSCENE_WRITE_LIGHTING_VERTEX) return BSPI_ADDED_LUXEL * all;
	return BSPI_LIT_TRIANGLE * scene->counts->triangles + BSPI_LIT_LUXEL * first + BSPI_STYLED_LUXEL * all;
}

double bspi_cost_of_picture(const bspi_writer *writer, const bspscene_image *image, bool changed)
{
	double pixels = (double)image->width * image->height, each = BSPI_PNG_PIXEL;
	if (image->format == BSPSCENE_IMAGE_MISSING || !image->data) return BSPI_PICTURE;
	if (bspi_compresses_by(writer, BSPSCENE_COMPRESS_JPEG)) {
		each = BSPI_JPEG_PIXEL + (pixels <= BSPI_LARGEST_TRIED_TWICE ? BSPI_PNG_PIXEL : 0);
	} else if (writer->options.compress) {
		each = BSPI_WEBP_PIXEL + (pixels <= BSPI_LARGEST_TRIED_TWICE ? BSPI_EXACT_WEBP_PIXEL : 0);
	} else if (!changed && bspi_picture_passes(image, BSPI_PICTURE_PLAIN)) {
		return BSPI_PICTURE;
	}
	return BSPI_PICTURE + each * pixels;
}

double bspi_cost_of_page(const bspi_writer *writer, const bspscene_lightmap_page *page)
{
	bool webp = writer->options.compress && !bspi_compresses_by(writer, BSPSCENE_COMPRESS_JPEG);
	double each = webp ? BSPI_EXACT_WEBP_PIXEL : BSPI_PNG_LUXEL;
	return BSPI_PICTURE + (bspi_page_has_light(page) ? each * page->width * page->height : 0);
}

double bspi_cost_of_lit_texels(uint64_t count)
{
	return BSPI_LIT_TEXEL * (double)count;
}

double bspi_cost_of_triangles(const bspi_writer *writer, uint64_t count)
{
	double packed = bspi_compresses_by(writer, BSPSCENE_COMPRESS_MESHOPT) ? BSPI_PACKED_TRIANGLE : 0;
	return (writer->triangle_cost + packed) * (double)count;
}

double bspi_cost_of_tone(const bspi_writer *writer, uint32_t image, bspi_tone_light light)
{
	static const double costs[] = {
		[BSPI_TONE_UNKNOWN] = BSPI_UNKNOWN_TONE,
		[BSPI_TONE_PLAIN] = BSPI_TONE,
		[BSPI_TONE_BRIGHT] = BSPI_BRIGHT_TONE,
	};
	const bspscene_image *picture = image == BSPSCENE_NO_INDEX ? NULL : writer->scene->images[image];
	double pixels = picture && picture->data ? (double)picture->width * picture->height : 0;
	return costs[light] + BSPI_TONE_PIXEL * pixels;
}

static double cost_of_pages(const bspi_writer *writer, unsigned contents)
{
	const bspscene_scene *scene = writer->scene;
	bool first = contents & BSPI_WRITES_PAGES && writer->options.lighting == BSPSCENE_WRITE_LIGHTING_LIGHTMAP;
	uint32_t sets = contents & BSPI_WRITES_SETS ? scene->lightmap_set_count : first && scene->lightmap_set_count;
	double cost = 0;
	for (uint32_t i = 0; i < sets; i++) {
		const bspscene_lightmap_page *pages = scene->lightmap_sets[i].pages;
		for (uint32_t p = 0; p < scene->lightmap_page_count; p++) cost += bspi_cost_of_page(writer, &pages[p]);
	}
	return cost;
}

static double cost_of_lit(const bspi_writer *writer, unsigned contents)
{
	const bspscene_scene *scene = writer->scene;
	if (!(contents & BSPI_WRITES_LIT) || writer->options.lighting != BSPSCENE_WRITE_LIGHTING_BAKED) return 0;
	double luxels = scene->lightmap_set_count ? luxels_of(&scene->lightmap_sets[0], scene->lightmap_page_count) : 0;
	double side = (double)writer->options.baked_size / BSPI_USUAL_BAKED_SIZE;
	return BSPI_LIT_TEXEL * fmin(BSPI_LIT_TEXELS_PER_LUXEL * luxels, BSPI_MOST_LIT_TEXELS * side * side);
}

double bspi_cost_of_sky(const bspi_writer *writer)
{
	double side = bspi_written_sky_size(writer);
	return (writer->options.sky == BSPSCENE_WRITE_SKY_PANORAMA ? 8 : 6) * BSPI_SKY_PIXEL * side * side;
}

static void mark_materials(const bspscene_mesh *mesh, bool *drawn)
{
	for (uint32_t s = 0; s < mesh->section_count; s++) drawn[mesh->sections[s]->material] = true;
}

static double cost_of_materials(const bspi_writer *writer, const bool *drawn, bool *seen)
{
	const bspscene_scene *scene = writer->scene;
	double cost = 0;
	for (uint32_t i = 0; i < scene->material_count; i++) {
		const bspscene_material *material = scene->materials[i];
		const uint32_t images[] = { material->base_image, material->emissive_image, material->normal_image };
		for (int k = 0; drawn[i] && k < 3; k++) {
			if (images[k] == BSPSCENE_NO_INDEX || seen[images[k]]) continue;
			seen[images[k]] = true;
			cost += bspi_cost_of_picture(writer, scene->images[images[k]], false);
		}
		if (drawn[i] && writer->options.lighting == BSPSCENE_WRITE_LIGHTING_VERTEX) {
			cost += bspi_cost_of_tone(writer, material->base_image, BSPI_TONE_UNKNOWN);
		}
	}
	return cost;
}

bool bspi_cost_of_writing(bspi_writer *writer, unsigned contents, bool divided, double *out)
{
	const bspscene_scene *scene = writer->scene;
	bool *put = bspi_writer_push(writer, bool, scene->mesh_count);
	bool *drawn = bspi_writer_push(writer, bool, scene->material_count);
	bool *seen = bspi_writer_push(writer, bool, scene->image_count);
	uint64_t triangles = 0;
	BSPI_TRY(put && drawn && seen);
	for (uint32_t i = 0; i < scene->node_count; i++) {
		uint32_t mesh = scene->nodes[i]->mesh;
		if (mesh == BSPSCENE_NO_INDEX || (put[mesh] && !(contents & BSPI_WRITES_NODES))) continue;
		put[mesh] = true;
		triangles += scene->meshes[mesh]->index_count / 3;
		mark_materials(scene->meshes[mesh], drawn);
	}
	double growth = writer->options.lighting == BSPSCENE_WRITE_LIGHTING_VERTEX && !divided ? BSPI_DIVIDED_TRIANGLES : 1;
	*out = 1 + growth * bspi_cost_of_triangles(writer, triangles) + cost_of_pages(writer, contents);
	*out += cost_of_lit(writer, contents) + bspi_cost_of_sky(writer);
	if (contents & BSPI_WRITES_PICTURES) *out += cost_of_materials(writer, drawn, seen);
	return true;
}
