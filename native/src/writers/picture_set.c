/* picture_set.c - see picture_set.h. */
#include "writers/picture_set.h"

#include <inttypes.h>
#include <stdio.h>

#include "writers/writer_costs.h"

bool bspi_picture_set_begin(bspi_picture_set *set, bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	size_t count = (size_t)scene->image_count * BSPI_PICTURE_USE_COUNT + scene->page_count + 3;
	*set = (bspi_picture_set){ .writer = writer };
	set->items = bspi_writer_push(writer, bspi_set_picture, count);
	set->numbers = bspi_writer_push(writer, uint32_t, count);
	BSPI_TRY(set->items && set->numbers && bspi_names_init(writer, &set->names, count));
	for (size_t i = 0; i < count; i++) set->numbers[i] = BSPSCENE_NO_INDEX;
	return true;
}

static bool name_item(bspi_picture_set *set, const char *words, bspi_set_picture item, uint32_t *number)
{
	item.file_name = bspi_picture_file_name(set->writer, &set->names, words, set->count, item.picture.extension);
	*number = set->count;
	set->items[set->count++] = item;
	return item.file_name != NULL;
}

static bool make_item(void *user, bspi_task *task)
{
	bspi_picture_set *set = user;
	const bspscene_scene *scene = set->writer->scene;
	bspi_set_picture *item = &set->items[task->index];
	if (item->image != BSPSCENE_NO_INDEX) {
		const bspscene_image *image = scene->images[item->image];
		return bspi_picture_make(set->writer, image, item->use, NULL, &item->picture, &task->error);
	}
	if (item->page == BSPSCENE_NO_INDEX) return true;
	return bspi_picture_make_page(set->writer, &scene->page_sets[0].pages[item->page], item->peak, &item->picture,
	                              &task->error);
}

static bool tell_of_item(void *user, bspi_task *task)
{
	bspi_picture_set *set = user;
	const bspscene_scene *scene = set->writer->scene;
	const bspi_set_picture *item = &set->items[task->index];
	double cost = 0;
	if (item->image != BSPSCENE_NO_INDEX) cost = bspi_cost_of_picture(set->writer, scene->images[item->image], false);
	else if (item->page != BSPSCENE_NO_INDEX) {
		cost = bspi_cost_of_page(set->writer, &scene->page_sets[0].pages[item->page]);
	}
	return bspi_writer_worked(set->writer, "textures", cost);
}

static void drop_item(void *user, bspi_task *task)
{
	bspi_set_picture *item = &((bspi_picture_set *)user)->items[task->index];
	if (item->image != BSPSCENE_NO_INDEX || item->page != BSPSCENE_NO_INDEX) bspi_picture_free(&item->picture);
}

bool bspi_picture_set_make(bspi_picture_set *set)
{
	const bspi_job job = { .count = set->count, .work = make_item, .finish = tell_of_item, .drop = drop_item,
	                       .user = set };
	return bspi_run_writer_job(set->writer, &job);
}

/* Made at once, when not later. */
static bool add(bspi_picture_set *set, const char *words, bspi_set_picture item, uint32_t *number)
{
	bspi_task task = { .index = set->count, .error = { .status = BSPSCENE_OK } };
	set->items[set->count] = item;
	if (!set->later && !make_item(set, &task)) {
		return bspi_writer_fail(set->writer, task.error.status, "%s", task.error.message);
	}
	item.picture = set->items[set->count].picture;
	return name_item(set, words, item, number) && (set->later || tell_of_item(set, &task));
}

bool bspi_picture_set_image(bspi_picture_set *set, uint32_t image, bspi_picture_use use, uint32_t *out)
{
	const bspscene_scene *scene = set->writer->scene;
	const bspscene_image *source = scene->images[image];
	bool missing = source->format == BSPSCENE_IMAGE_MISSING, shared = missing && source->chequered;
	*out = BSPSCENE_NO_INDEX;
	if (!missing && !source->data) return true;

	size_t slot = shared ? (size_t)scene->image_count * BSPI_PICTURE_USE_COUNT + scene->page_count
	                     : (size_t)image * BSPI_PICTURE_USE_COUNT + bspi_picture_use_of(source, use);
	if (set->numbers[slot] == BSPSCENE_NO_INDEX) {
		bool jpeg = source->format == BSPSCENE_IMAGE_JPEG && bspi_picture_passes(source, use);
		const bspi_set_picture item = { .image = image, .page = BSPSCENE_NO_INDEX, .use = use, .peak = 1,
		                                .picture.extension = jpeg ? ".jpg" : ".png" };
		BSPI_TRY(add(set, shared ? "missing" : source->name, item, &set->numbers[slot]));
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
		const bspi_set_picture item = { .image = BSPSCENE_NO_INDEX, .page = page, .picture.extension = ".png",
		                                .peak = bspi_peak_of_page(&scene->page_sets[0].pages[page]) };
		snprintf(name, sizeof name, "lightmap_%" PRIu32, page);
		BSPI_TRY(add(set, name, item, number));
	}
	*out = *number;
	return true;
}

bool bspi_picture_set_add(bspi_picture_set *set, const char *words, const bspi_picture *picture, uint32_t *out)
{
	bspi_set_picture item = { .picture = *picture, .peak = 1, .image = BSPSCENE_NO_INDEX, .page = BSPSCENE_NO_INDEX };
	item.picture.owned = (bspi_buffer){ .data = NULL };
	return name_item(set, words, item, out);
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
