/* sky_choice.c - see sky_choice.h. */
#include "writers/sky/sky_choice.h"

#include <bspscene/sky.h>

#include "sky/sky_source.h"
#include "writers/writer_costs.h"

const char *bspi_choose_sky(bspscene_write_options *options, unsigned contents)
{
	bspscene_write_sky *sky = &options->sky;
	bool shown = contents & BSPI_WRITES_SKY;
	if ((unsigned)*sky > BSPSCENE_WRITE_SKY_SURFACES) return "this way to store the sky is unknown";
	if (*sky == BSPSCENE_WRITE_SKY_CUBE && shown && !(contents & BSPI_WRITES_CUBE)) {
		return "only glTF can hold a cube of the sky";
	}
	if (!shown) *sky = BSPSCENE_WRITE_SKY_NONE;
	if (*sky != BSPSCENE_WRITE_SKY_DEFAULT) return NULL;
	bool cube = contents & BSPI_WRITES_CUBE && options->lighting == BSPSCENE_WRITE_LIGHTING_BAKED;
	bool panorama = contents & BSPI_WRITES_PANORAMA;
	*sky = cube ? BSPSCENE_WRITE_SKY_CUBE : panorama ? BSPSCENE_WRITE_SKY_PANORAMA : BSPSCENE_WRITE_SKY_NONE;
	return NULL;
}

bool bspi_keeps_skybox(const bspscene_write_options *options)
{
	return options->lighting == BSPSCENE_WRITE_LIGHTING_LIGHTMAP && options->sky != BSPSCENE_WRITE_SKY_SURFACES;
}

bool bspi_leave_out_skybox(bspi_writer *writer, unsigned contents)
{
	const bspscene_scene *scene = writer->scene;
	bool shown = contents & BSPI_WRITES_SKY;
	if (!shown || bspi_keeps_skybox(&writer->options) || !(scene->sky_camera_scale > 0)) return true;
	bspscene_scene *without = bspi_arena_alloc(&writer->arena, 1, sizeof *without);
	bspscene_node *nodes = bspi_arena_alloc(&writer->arena, scene->node_count, sizeof *nodes);
	const bspscene_node **table = bspi_arena_alloc(&writer->arena, scene->node_count, sizeof *table);
	bool *inside = bspi_arena_alloc(&writer->arena, scene->node_count, sizeof *inside);
	if (!without || !nodes || !table || !inside) return false;
	for (uint32_t i = 0; i < scene->node_count; i++) {
		uint32_t parent = scene->nodes[i]->parent;
		nodes[i] = *scene->nodes[i];
		table[i] = &nodes[i];
		inside[i] = nodes[i].kind == BSPSCENE_NODE_SKY || (parent != BSPSCENE_NO_INDEX && inside[parent]);
		if (inside[i]) nodes[i].mesh = BSPSCENE_NO_INDEX;
	}
	*without = *scene;
	without->nodes = table;
	writer->scene = without;
	return true;
}

uint32_t bspi_written_sky_size(const bspi_writer *writer)
{
	bspscene_write_sky sky = writer->options.sky;
	if (sky == BSPSCENE_WRITE_SKY_DEFAULT || sky == BSPSCENE_WRITE_SKY_NONE) return 0;
	if (!bspi_is_sky_known(writer->loaded, bspi_keeps_skybox(&writer->options))) return 0;
	uint32_t size = bspscene_sky_size(writer->loaded);
	return size < BSPI_LARGEST_SKY_SIDE ? size : BSPI_LARGEST_SKY_SIDE;
}
