/* picture_set.c - see picture_set.h. */
#include "writers/picture_set.h"

#include <inttypes.h>
#include <stdio.h>

#include "writers/largest_first.h"
#include "writers/lit/lit.h"
#include "writers/writer_costs.h"

bool bspi_picture_set_begin(bspi_picture_set *set, bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	size_t count =
		(size_t)scene->image_count * BSPI_PICTURE_USE_COUNT + scene->lightmap_page_count + 2 + BSPI_LIT_MOST_SHEETS;
	*set = (bspi_picture_set){ .writer = writer };
	set->items = bspi_writer_push(writer, bspi_set_picture, count);
	set->foreseen = bspi_writer_push(writer, bspi_set_picture, count);
	set->numbers = bspi_writer_push(writer, uint32_t, count);
	set->foreseen_numbers = bspi_writer_push(writer, uint32_t, count);
	BSPI_TRY(set->items && set->foreseen && set->numbers && set->foreseen_numbers);
	for (size_t i = 0; i < count; i++) set->numbers[i] = set->foreseen_numbers[i] = BSPSCENE_NO_INDEX;
	return bspi_names_init(writer, &set->names, count);
}

/* ---- Making pictures -------------------------------------------------------------------------------------- */

static bool make(bspi_writer *writer, bspi_set_picture *item, bspscene_error *error)
{
	const bspscene_scene *scene = writer->scene;
	if (item->image != BSPSCENE_NO_INDEX) {
		return bspi_picture_make(writer, scene->images[item->image], item->use, NULL, &item->picture, error);
	}
	if (item->page == BSPSCENE_NO_INDEX) return true;
	const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[item->page];
	return bspi_picture_make_page(writer, page, item->peak, &item->picture, error);
}

static double cost_of(const bspi_writer *writer, const bspi_set_picture *item)
{
	const bspscene_scene *scene = writer->scene;
	if (item->image != BSPSCENE_NO_INDEX) return bspi_cost_of_picture(writer, scene->images[item->image], false);
	if (item->page == BSPSCENE_NO_INDEX) return 0;
	return bspi_cost_of_page(writer, &scene->lightmap_sets[0].pages[item->page]);
}

static bool report_written(bspi_writer *writer, const bspi_set_picture *item)
{
	return bspi_writer_worked(writer, "textures", cost_of(writer, item));
}

/* Data that the tasks share. */
typedef struct making {
	bspi_writer *writer;
	bspi_set_picture *items;
} making;

static bool make_item(void *user, bspi_task *task)
{
	const making *m = user;
	return make(m->writer, &m->items[task->index], &task->error);
}

static bool report_item(void *user, bspi_task *task)
{
	const making *m = user;
	return report_written(m->writer, &m->items[task->index]);
}

static void drop_item(void *user, bspi_task *task)
{
	bspi_set_picture *item = &((making *)user)->items[task->index];
	if (item->image != BSPSCENE_NO_INDEX || item->page != BSPSCENE_NO_INDEX) bspi_picture_free(&item->picture);
}

static bool make_all(bspi_writer *writer, bspi_set_picture *items, uint32_t count)
{
	double *costs = bspi_writer_push(writer, double, count);
	BSPI_TRY(costs);
	for (uint32_t i = 0; i < count; i++) costs[i] = cost_of(writer, &items[i]);
	making m = { writer, items };
	const bspi_job job = { .count = count, .work = make_item, .finish = report_item, .drop = drop_item, .user = &m,
	                       .order = bspi_largest_first(writer, costs, count) };
	return job.order && bspi_run_writer_job(writer, &job);
}

bool bspi_picture_set_make(bspi_picture_set *set)
{
	return make_all(set->writer, set->items, set->count);
}

bool bspi_picture_set_make_foreseen(bspi_picture_set *set)
{
	return make_all(set->writer, set->foreseen, set->foreseen_count);
}

/* ---- Requesting pictures ---------------------------------------------------------------------------------- */

/* Returns the position in set->numbers that belongs to an image and use. Returns false if the image has no bytes. */
static bool slot_of_image(const bspi_picture_set *set, uint32_t image, bspi_picture_use use, size_t *out)
{
	const bspscene_scene *scene = set->writer->scene;
	const bspscene_image *source = scene->images[image];
	bool missing = source->format == BSPSCENE_IMAGE_MISSING, shared = missing && source->is_checkerboard;
	*out = shared ? (size_t)scene->image_count * BSPI_PICTURE_USE_COUNT + scene->lightmap_page_count
	              : (size_t)image * BSPI_PICTURE_USE_COUNT + bspi_picture_use_of(source, use);
	return missing || source->data;
}

static size_t slot_of_page(const bspi_picture_set *set, uint32_t page)
{
	return (size_t)set->writer->scene->image_count * BSPI_PICTURE_USE_COUNT + page;
}

static bspi_set_picture unmade_image(const bspi_picture_set *set, uint32_t image, bspi_picture_use use)
{
	const bspscene_image *source = set->writer->scene->images[image];
	bool jpeg = source->format == BSPSCENE_IMAGE_JPEG && bspi_picture_passes(source, use);
	return (bspi_set_picture){ .image = image, .page = BSPSCENE_NO_INDEX, .use = use, .peak = 1,
	                           .picture.extension = jpeg ? ".jpg" : ".png" };
}

static bspi_set_picture unmade_page(const bspi_picture_set *set, uint32_t page)
{
	return (bspi_set_picture){ .image = BSPSCENE_NO_INDEX, .page = page, .picture.extension = ".png",
	                           .peak = bspi_peak_of_page(&set->writer->scene->lightmap_sets[0].pages[page]) };
}

void bspi_picture_set_foresee_image(bspi_picture_set *set, uint32_t image, bspi_picture_use use)
{
	size_t slot;
	if (!slot_of_image(set, image, use, &slot) || set->foreseen_numbers[slot] != BSPSCENE_NO_INDEX) return;
	set->foreseen_numbers[slot] = set->foreseen_count;
	set->foreseen[set->foreseen_count++] = unmade_image(set, image, use);
}

void bspi_picture_set_foresee_page(bspi_picture_set *set, uint32_t page)
{
	uint32_t *number = &set->foreseen_numbers[slot_of_page(set, page)];
	if (*number != BSPSCENE_NO_INDEX) return;
	*number = set->foreseen_count;
	set->foreseen[set->foreseen_count++] = unmade_page(set, page);
}

/* Fills in item->picture. If it was made in advance, takes it from set->foreseen. Otherwise makes it now, unless
 * set->later says that bspi_picture_set_make will make it. */
static bool prepare(bspi_picture_set *set, size_t slot, bspi_set_picture *item)
{
	uint32_t foreseen = set->foreseen_numbers[slot];
	bspscene_error error = { .status = BSPSCENE_OK };
	if (foreseen != BSPSCENE_NO_INDEX) {
		item->picture = set->foreseen[foreseen].picture;
		set->foreseen[foreseen].picture = (bspi_picture){ .data = NULL };
		return true;
	}
	if (set->later) return true;
	if (!make(set->writer, item, &error)) return bspi_writer_fail(set->writer, error.status, "%s", error.message);
	return report_written(set->writer, item);
}

static bool name_item(bspi_picture_set *set, const char *words, uint32_t *number)
{
	bspi_set_picture *item = &set->items[set->count];
	item->file_name = bspi_picture_file_name(set->writer, &set->names, words, set->count, item->picture.extension);
	*number = set->count++;
	return item->file_name != NULL;
}

static bool add(bspi_picture_set *set, const char *words, size_t slot, bspi_set_picture unmade)
{
	bspi_set_picture *item = &set->items[set->count];
	*item = unmade;
	bool prepared = prepare(set, slot, item);
	return name_item(set, words, &set->numbers[slot]) && prepared;
}

bool bspi_picture_set_image(bspi_picture_set *set, uint32_t image, bspi_picture_use use, uint32_t *out)
{
	const bspscene_image *source = set->writer->scene->images[image];
	bool checkerboard = source->format == BSPSCENE_IMAGE_MISSING && source->is_checkerboard;
	size_t slot;
	*out = BSPSCENE_NO_INDEX;
	if (!slot_of_image(set, image, use, &slot)) return true;
	if (set->numbers[slot] == BSPSCENE_NO_INDEX) {
		BSPI_TRY(add(set, checkerboard ? "missing" : source->name, slot, unmade_image(set, image, use)));
	}
	*out = set->numbers[slot];
	return true;
}

bool bspi_picture_set_page(bspi_picture_set *set, uint32_t page, uint32_t *out)
{
	size_t slot = slot_of_page(set, page);
	if (set->numbers[slot] == BSPSCENE_NO_INDEX) {
		char name[32];
		snprintf(name, sizeof name, "lightmap_%" PRIu32, page);
		BSPI_TRY(add(set, name, slot, unmade_page(set, page)));
	}
	*out = set->numbers[slot];
	return true;
}

bool bspi_picture_set_add(bspi_picture_set *set, const char *words, const bspi_picture *picture, uint32_t *out)
{
	bspi_set_picture *item = &set->items[set->count];
	*item = (bspi_set_picture){ .picture = *picture, .peak = 1, .image = BSPSCENE_NO_INDEX, .page = BSPSCENE_NO_INDEX };
	item->picture.owned = (bspi_buffer){ .data = NULL };
	return name_item(set, words, out);
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
	for (uint32_t i = 0; i < set->foreseen_count; i++) bspi_picture_free(&set->foreseen[i].picture);
}
