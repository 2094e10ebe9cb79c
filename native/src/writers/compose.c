/* compose.c - the pages of all light styles -> one set, as bright as asked: what the game shows at one moment. Light
 * adds up in display space, where engines add it; pages of linear light go there and back. */
#include "writers/writers.h"

#include <math.h>
#include <string.h>

#include "images/images.h"

#define GAMMA 2.2f
#define LARGEST_HALF 65504.0f

enum { KIND_COUNT = BSPSCENE_PAGES_BUMP_2 + 1, NO_STYLE = 255 };

static bool is_light(const bspscene_page_set *set)
{
	return set->kind != BSPSCENE_PAGES_DIRECTION;
}

/* How much of a set's light is shown, for the set that takes its place. */
static float share_of(const bspi_writer *writer, const bspscene_page_set *set, const bspscene_page_set *first)
{
	float brightness = writer->options.light_styles[set->style & 0xff];
	return first->intensity > 0 ? brightness * set->intensity / first->intensity : brightness;
}

static void add_page(float *sum, const bspscene_page *page, float share)
{
	size_t count = 3 * (size_t)page->width * page->height;
	const uint8_t *bytes = page->data;
	const uint16_t *halves = page->data;
	if (page->format == BSPSCENE_PAGE_RGB8) {
		for (size_t i = 0; i < count; i++) sum[i] += (float)bytes[i] * share;
	} else {
		for (size_t i = 0; i < count; i++) sum[i] += powf(fmaxf(bspi_half_to_float(halves[i]), 0), 1 / GAMMA) * share;
	}
}

static void store_page(const float *sum, const bspscene_page *page, void *out)
{
	size_t count = 3 * (size_t)page->width * page->height;
	uint8_t *bytes = out;
	uint16_t *halves = out;
	for (size_t i = 0; i < count; i++) {
		if (page->format == BSPSCENE_PAGE_RGB8) bytes[i] = (uint8_t)(fminf(sum[i], 255) + 0.5f);
		else halves[i] = bspi_half_from_float(fminf(powf(sum[i], GAMMA), LARGEST_HALF));
	}
}

/* Page `number` of all sets of a kind. Without data in any of them it stays without. */
static bool compose_page(bspi_writer *writer, const bspscene_page_set *first, uint32_t number, float *sum,
                         bspscene_page *out)
{
	const bspscene_scene *scene = writer->scene;
	size_t count = 3 * (size_t)out->width * out->height;
	bool lit = false;
	out->data = NULL;
	memset(sum, 0, count * sizeof *sum);
	for (uint32_t i = 0; i < scene->page_set_count; i++) {
		const bspscene_page_set *set = &scene->page_sets[i];
		if (set->kind != first->kind || !set->pages[number].data) continue;
		add_page(sum, &set->pages[number], share_of(writer, set, first));
		lit = true;
	}
	if (!lit) return true;
	void *data = bspi_writer_push_zeroed(writer, count, out->format == BSPSCENE_PAGE_RGB8 ? 1 : sizeof(uint16_t));
	BSPI_TRY(data);
	store_page(sum, out, data);
	out->data = data;
	return true;
}

static bool compose_set(bspi_writer *writer, const bspscene_page_set *first, float *sum, bspscene_page_set *out)
{
	uint32_t count = writer->scene->page_count;
	bspscene_page *pages = bspi_writer_push(writer, bspscene_page, count);
	BSPI_TRY(pages);
	*out = *first;
	out->pages = pages;
	for (uint32_t i = 0; i < count; i++) {
		pages[i] = first->pages[i];
		BSPI_TRY(compose_page(writer, first, i, sum, &pages[i]));
	}
	return true;
}

/* Faces that name the one style that is left. */
static bool rename_styles(bspi_writer *writer, bspscene_scene *scene)
{
	bspscene_face *faces = bspi_writer_push(writer, bspscene_face, scene->face_count);
	BSPI_TRY(faces);
	if (scene->face_count) memcpy(faces, scene->faces, scene->face_count * sizeof *faces);
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (faces[i].page == BSPSCENE_NO_INDEX) continue;
		memset(faces[i].styles, NO_STYLE, sizeof faces[i].styles);
		faces[i].styles[0] = 0;
	}
	scene->faces = faces;
	return true;
}

static size_t largest_page(const bspscene_scene *scene)
{
	size_t largest = 0;
	for (uint32_t i = 0; scene->page_set_count && i < scene->page_count; i++) {
		const bspscene_page *page = &scene->page_sets[0].pages[i];
		size_t luxels = (size_t)page->width * page->height;
		if (luxels > largest) largest = luxels;
	}
	return largest;
}

bool bspi_compose_styles(bspi_writer *writer)
{
	const bspscene_scene *from = writer->scene;
	if (!writer->options.light_styles || !from->page_set_count) return true;
	bspscene_scene *scene = bspi_writer_push(writer, bspscene_scene, 1);
	bspscene_page_set *sets = bspi_writer_push(writer, bspscene_page_set, from->page_set_count);
	float *sum = bspi_writer_push(writer, float, 3 * largest_page(from));
	BSPI_TRY(scene && sets && sum);
	*scene = *from;
	scene->page_sets = sets;
	scene->page_set_count = 0;
	bool done[KIND_COUNT] = { false };
	for (uint32_t i = 0; i < from->page_set_count; i++) {
		const bspscene_page_set *set = &from->page_sets[i];
		if (from->page_count && set->pages[0].format == BSPSCENE_PAGE_RAW32) {
			return bspi_writer_fail(writer, BSPSCENE_ERROR_BAD_OPTIONS,
			                        "options: light styles of raw pages cannot be added up");
		}
		/* Directions are those to the steady light, which is nearly all of it. */
		if (done[set->kind]) continue;
		done[set->kind] = true;
		bspscene_page_set *out = &sets[scene->page_set_count++];
		if (is_light(set)) BSPI_TRY(compose_set(writer, set, sum, out));
		else *out = *set;
		out->style = 0;
	}
	writer->scene = scene;
	return rename_styles(writer, scene);
}
