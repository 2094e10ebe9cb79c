/* writer_costs.c - see writer_costs.h. */
#include "writers/writer_costs.h"

#define PER_ADDED_LUXEL 0.003
#define PER_ENCODED_PIXEL 0.06
#define PER_ENCODED_LUXEL 0.06
#define PER_PICTURE 30.0
#define PER_TRIANGLE 1.7

static double count_luxels(const bspscene_page_set *set, uint32_t page_count)
{
	double count = 0;
	for (uint32_t i = 0; i < page_count; i++) {
		if (set->pages[i].data) count += (double)set->pages[i].width * set->pages[i].height;
	}
	return count;
}

double bspi_cost_of_styles(const bspscene_scene *scene)
{
	double luxels = 0;
	for (uint32_t i = 0; i < scene->page_set_count; i++) {
		luxels += count_luxels(&scene->page_sets[i], scene->page_count);
	}
	return PER_ADDED_LUXEL * luxels;
}

double bspi_cost_of_pages(const bspscene_scene *scene)
{
	return scene->page_set_count ? PER_ENCODED_LUXEL * count_luxels(&scene->page_sets[0], scene->page_count) : 0;
}

double bspi_cost_of_pictures(const bspscene_scene *scene)
{
	double cost = 0;
	for (uint32_t i = 0; i < scene->image_count; i++) {
		const bspscene_image *image = &scene->images[i];
		bool handed_on = image->format == BSPSCENE_IMAGE_PNG || image->format == BSPSCENE_IMAGE_JPEG || !image->data;
		cost += PER_PICTURE + (handed_on ? 0 : PER_ENCODED_PIXEL * image->width * image->height);
	}
	return cost;
}

double bspi_cost_of_text(const bspscene_scene *scene)
{
	return PER_TRIANGLE * scene->counts.triangles;
}

double bspi_cost_of_gltf(const bspscene_scene *scene)
{
	return bspi_cost_of_pictures(scene) + bspi_cost_of_pages(scene);
}

double bspi_cost_of_obj(const bspscene_scene *scene)
{
	return bspi_cost_of_pictures(scene) + bspi_cost_of_text(scene);
}
