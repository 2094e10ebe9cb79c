/* writer_costs.c - see writer_costs.h. */
#include "writers/writer_costs.h"

#include <math.h>

#include "writers/drawn.h"
#include "writers/web_picture.h"

#define PER_ADDED_LUXEL 0.002
#define PER_LIT_TRIANGLE 18.0
#define PER_LIT_LUXEL 0.25
#define PER_STYLED_LUXEL 0.02
/* Triangles that light in vertices makes of one. */
#define DIVISION 6.0

#define PER_PICTURE 15.0
#define PER_PNG_PIXEL 0.065
#define PER_PNG_LUXEL 0.055
#define PER_WEBP_PIXEL 0.2
#define PER_EXACT_WEBP_PIXEL 0.6
#define PER_PACKED_TRIANGLE 0.8

#define PER_LIT_TEXEL 0.12
#define LIT_TEXELS_PER_LUXEL 50u
#define MOST_LIT_TEXELS 14e6

#define TONE 60.0
#define BRIGHT_TONE 1100.0
#define UNKNOWN_TONE 400.0
#define PER_TONE_PIXEL 0.02

static double luxels_of(const bspscene_page_set *set, uint32_t page_count)
{
	double count = 0;
	for (uint32_t i = 0; i < page_count; i++) {
		if (set->pages[i].data) count += (double)set->pages[i].width * set->pages[i].height;
	}
	return count;
}

double bspi_cost_of_bake(const bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	double all = 0, first = scene->page_set_count ? luxels_of(&scene->page_sets[0], scene->page_count) : 0;
	for (uint32_t i = 0; i < scene->page_set_count; i++) all += luxels_of(&scene->page_sets[i], scene->page_count);
	if (writer->options.lighting != BSPSCENE_WRITE_VERTEX) return PER_ADDED_LUXEL * all;
	return PER_LIT_TRIANGLE * scene->counts.triangles + PER_LIT_LUXEL * first + PER_STYLED_LUXEL * all;
}

double bspi_cost_of_picture(const bspi_writer *writer, const bspscene_image *image, bool changed)
{
	double pixels = (double)image->width * image->height, each = PER_PNG_PIXEL;
	if (image->format == BSPSCENE_IMAGE_MISSING || !image->data) return PER_PICTURE;
	if (writer->options.compress) {
		each = PER_WEBP_PIXEL + (pixels <= BSPI_LARGEST_TRIED_TWICE ? PER_EXACT_WEBP_PIXEL : 0);
	} else if (!changed && bspi_picture_passes(image, BSPI_PICTURE_PLAIN)) {
		return PER_PICTURE;
	}
	return PER_PICTURE + each * pixels;
}

double bspi_cost_of_page(const bspi_writer *writer, const bspscene_page *page)
{
	double each = writer->options.compress ? PER_EXACT_WEBP_PIXEL : PER_PNG_LUXEL;
	return PER_PICTURE + (page->data ? each * page->width * page->height : 0);
}

double bspi_cost_of_lit_texels(uint64_t count)
{
	return PER_LIT_TEXEL * (double)count;
}

double bspi_cost_of_triangles(const bspi_writer *writer, uint64_t count)
{
	return (writer->triangle_cost + (writer->options.compress ? PER_PACKED_TRIANGLE : 0)) * (double)count;
}

double bspi_cost_of_tone(const bspi_writer *writer, uint32_t image, bspi_tone_light light)
{
	static const double costs[] = {
		[BSPI_TONE_UNKNOWN] = UNKNOWN_TONE,
		[BSPI_TONE_PLAIN] = TONE,
		[BSPI_TONE_BRIGHT] = BRIGHT_TONE,
	};
	const bspscene_image *picture = image == BSPSCENE_NO_INDEX ? NULL : &writer->scene->images[image];
	double pixels = picture && picture->data ? (double)picture->width * picture->height : 0;
	return costs[light] + PER_TONE_PIXEL * pixels;
}

static double cost_of_pages(const bspi_writer *writer, unsigned contents)
{
	const bspscene_scene *scene = writer->scene;
	bool first = contents & BSPI_WRITES_PAGES && writer->options.lighting == BSPSCENE_WRITE_LIGHTMAP;
	uint32_t sets = contents & BSPI_WRITES_SETS ? scene->page_set_count : first && scene->page_set_count;
	double cost = 0;
	for (uint32_t i = 0; i < sets; i++) {
		const bspscene_page *pages = scene->page_sets[i].pages;
		for (uint32_t p = 0; p < scene->page_count; p++) cost += bspi_cost_of_page(writer, &pages[p]);
	}
	return cost;
}

static double cost_of_lit(const bspi_writer *writer, unsigned contents)
{
	const bspscene_scene *scene = writer->scene;
	if (!(contents & BSPI_WRITES_LIT) || writer->options.lighting != BSPSCENE_WRITE_BAKED) return 0;
	double luxels = scene->page_set_count ? luxels_of(&scene->page_sets[0], scene->page_count) : 0;
	return PER_LIT_TEXEL * fmin(LIT_TEXELS_PER_LUXEL * luxels, MOST_LIT_TEXELS);
}

static void mark_materials(const bspscene_mesh *mesh, bool *drawn)
{
	for (uint32_t s = 0; s < mesh->section_count; s++) drawn[mesh->sections[s].material] = true;
}

static double cost_of_materials(const bspi_writer *writer, const bool *drawn, bool *seen)
{
	const bspscene_scene *scene = writer->scene;
	double cost = 0;
	for (uint32_t i = 0; i < scene->material_count; i++) {
		const bspscene_material *material = &scene->materials[i];
		const uint32_t images[] = { material->base_image, material->emissive_image, material->normal_image };
		for (int k = 0; drawn[i] && k < 3; k++) {
			if (images[k] == BSPSCENE_NO_INDEX || seen[images[k]]) continue;
			seen[images[k]] = true;
			cost += bspi_cost_of_picture(writer, &scene->images[images[k]], false);
		}
		if (drawn[i] && writer->options.lighting == BSPSCENE_WRITE_VERTEX) {
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
		uint32_t mesh = scene->nodes[i].mesh;
		if (mesh == BSPSCENE_NO_INDEX || (put[mesh] && !(contents & BSPI_WRITES_NODES))) continue;
		put[mesh] = true;
		triangles += scene->meshes[mesh].index_count / 3;
		mark_materials(&scene->meshes[mesh], drawn);
	}
	double growth = writer->options.lighting == BSPSCENE_WRITE_VERTEX && !divided ? DIVISION : 1;
	*out = 1 + growth * bspi_cost_of_triangles(writer, triangles) + cost_of_pages(writer, contents);
	*out += cost_of_lit(writer, contents);
	if (contents & BSPI_WRITES_PICTURES) *out += cost_of_materials(writer, drawn, seen);
	return true;
}
