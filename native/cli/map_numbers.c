/* map_numbers.c - sums up a scene in a few numbers. See map_numbers.h. */
#include "cli/map_numbers.h"

#include <stdlib.h>

#include "cli/report.h"

/* Returns how many luxels of a page belong to at least one face. Marks them before counting, because faces may share
 * luxels. */
static uint64_t count_used_luxels(const bspscene_scene *scene, uint32_t number, const bspscene_lightmap_page *page)
{
	uint8_t *used = cli_allocate((size_t)page->width * page->height, 1);
	uint64_t count = 0;
	for (uint32_t i = 0; i < scene->face_count; i++) {
		const bspscene_face *face = &scene->faces[i];
		if (face->lightmap_page != number) continue;
		for (uint32_t y = face->lightmap_y; y < face->lightmap_y + face->lightmap_height; y++) {
			uint8_t *row = used + (size_t)y * page->width;
			for (uint32_t x = face->lightmap_x; x < face->lightmap_x + face->lightmap_width; x++) {
				count += !row[x];
				row[x] = 1;
			}
		}
	}
	free(used);
	return count;
}

/* Returns the largest byte of a set's pages, or 255 if they are not 8-bit. */
static unsigned brightest_of(const bspscene_lightmap_set *set, uint32_t page_count)
{
	unsigned most = 0;
	for (uint32_t i = 0; i < page_count; i++) {
		const bspscene_lightmap_page *page = &set->pages[i];
		const bspscene_lightmap_blocks *blocks = page->blocks;
		if (page->format != BSPSCENE_LIGHTMAP_PAGE_RGB8 || (!page->data && !blocks)) return 255;
		const uint8_t *bytes = page->data ? page->data : blocks->luxels;
		size_t count = (size_t)page->width * page->height * 3;
		if (!page->data) {
			count = BSPSCENE_LIGHTMAP_BLOCK * BSPSCENE_LIGHTMAP_BLOCK * (size_t)blocks->block_count;
			count *= blocks->luxel_size;
		}
		for (size_t k = 0; k < count; k++) most = bytes[k] > most ? bytes[k] : most;
	}
	return most;
}

static bool is_dark(const bspscene_scene *scene)
{
	const float least_seen = 8;        /* smallest brightness that is visible, in steps of 1/255 */
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
		bool lights = set->kind == BSPSCENE_LIGHTMAP_SET_LIGHT;
		if (lights && (float)brightest_of(set, scene->lightmap_page_count) * set->intensity >= least_seen) return false;
	}
	return scene->counts->lightmap_faces > 0;
}

cli_lightmap_facts cli_measure_lightmaps(const bspscene_scene *scene)
{
	cli_lightmap_facts facts = { .pages = scene->lightmap_page_count, .hdr = scene->has_hdr_light };
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		facts.styles += scene->lightmap_sets[i].kind == BSPSCENE_LIGHTMAP_SET_LIGHT;
	}
	if (scene->lightmap_set_count == 0) return facts;
	uint64_t used = 0, all = 0;
	for (uint32_t i = 0; i < scene->lightmap_page_count; i++) {
		const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[i];
		if (page->width > facts.width) facts.width = page->width;
		if (page->height > facts.height) facts.height = page->height;
		used += count_used_luxels(scene, i, page);
		all += (uint64_t)page->width * page->height;
	}
	facts.is_dark = is_dark(scene);
	facts.coverage = all ? (double)used / (double)all : 0;
	return facts;
}

uint32_t cli_count_surface_lights(const bspscene_scene *scene)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->light_count; i++) count += scene->lights[i]->kind == BSPSCENE_LIGHT_SURFACE;
	return count;
}

cli_prop_facts cli_count_props(const bspscene_scene *scene)
{
	cli_prop_facts facts = { 0, 0 };
	bool *seen = calloc((size_t)scene->mesh_count + 1, sizeof *seen);
	if (!seen) cli_end_without_memory();
	for (uint32_t i = 0; i < scene->prop_count; i++) {
		uint32_t mesh = scene->nodes[scene->props[i]->node]->mesh;
		if (mesh == BSPSCENE_NO_INDEX) continue;
		facts.shown++;
		facts.meshes += !seen[mesh];
		seen[mesh] = true;
	}
	free(seen);
	return facts;
}
