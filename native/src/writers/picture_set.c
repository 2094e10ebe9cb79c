/* picture_set.c - see picture_set.h. */
#include "writers/picture_set.h"

#include <inttypes.h>
#include <stdio.h>

#include "writers/writer_costs.h"

bool bspi_picture_set_begin(bspi_picture_set *set, bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	size_t count = (size_t)scene->image_count * BSPI_PICTURE_USE_COUNT + scene->page_count + 2;
	*set = (bspi_picture_set){ .writer = writer };
	set->items = bspi_writer_push(writer, bspi_set_picture, count);
	set->numbers = bspi_writer_push(writer, uint32_t, count);
	BSPI_TRY(set->items && set->numbers && bspi_names_init(writer, &set->names, count));
	for (size_t i = 0; i < count; i++) set->numbers[i] = BSPSCENE_NO_INDEX;
	return true;
}

static bool add(bspi_picture_set *set, const char *words, bspi_set_picture item, double cost, uint32_t *number)
{
	item.file_name = bspi_picture_file_name(set->writer, &set->names, words, set->count, item.picture.extension);
	*number = set->count;
	set->items[set->count++] = item;
	return item.file_name && bspi_writer_worked(set->writer, "textures", cost);
}

bool bspi_picture_set_image(bspi_picture_set *set, uint32_t image, bspi_picture_use use, uint32_t *out)
{
	const bspscene_scene *scene = set->writer->scene;
	const bspscene_image *source = &scene->images[image];
	bool missing = source->format == BSPSCENE_IMAGE_MISSING, shared = missing && source->chequered;
	*out = BSPSCENE_NO_INDEX;
	if (!missing && !source->data) return true;

	size_t slot = shared ? (size_t)scene->image_count * BSPI_PICTURE_USE_COUNT + scene->page_count
	                     : (size_t)image * BSPI_PICTURE_USE_COUNT + bspi_picture_use_of(source, use);
	if (set->numbers[slot] == BSPSCENE_NO_INDEX) {
		bspi_set_picture item = { .peak = 1 };
		BSPI_TRY(bspi_picture_of_image(set->writer, source, use, NULL, &item.picture));
		double cost = bspi_cost_of_picture(set->writer, source, false);
		BSPI_TRY(add(set, shared ? "missing" : source->name, item, cost, &set->numbers[slot]));
	}
	*out = set->numbers[slot];
	return true;
}

bool bspi_picture_set_page(bspi_picture_set *set, uint32_t page, uint32_t *out)
{
	const bspscene_scene *scene = set->writer->scene;
	uint32_t *number = &set->numbers[(size_t)scene->image_count * BSPI_PICTURE_USE_COUNT + page];
	if (*number == BSPSCENE_NO_INDEX) {
		char name[32];
		bspi_set_picture item;
		const bspscene_page *source = &scene->page_sets[0].pages[page];
		BSPI_TRY(bspi_picture_of_page(set->writer, source, &item.picture, &item.peak));
		snprintf(name, sizeof name, "lightmap_%" PRIu32, page);
		BSPI_TRY(add(set, name, item, bspi_cost_of_page(set->writer, source), number));
	}
	*out = *number;
	return true;
}

bool bspi_picture_set_add(bspi_picture_set *set, const char *words, const bspi_picture *picture, uint32_t *out)
{
	bspi_set_picture item = { .picture = *picture, .peak = 1 };
	item.picture.owned = (bspi_buffer){ .data = NULL };
	return add(set, words, item, 0, out);
}

bool bspi_picture_set_put(const bspi_picture_set *set)
{
	for (uint32_t i = 0; i < set->count; i++) {
		const bspi_set_picture *item = &set->items[i];
		BSPI_TRY(bspi_begin(set->writer, item->file_name));
		BSPI_TRY(bspi_put(set->writer, item->picture.data, item->picture.size) && bspi_end(set->writer));
	}
	return true;
}

void bspi_picture_set_free(bspi_picture_set *set)
{
	for (uint32_t i = 0; i < set->count; i++) bspi_picture_free(&set->items[i].picture);
}
