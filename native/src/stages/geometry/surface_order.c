/* surface_order.c - sorts surfaces so that those of the same section follow each other. This is a radix sort: it
 * sorts by one key after the other, the least significant key first. Each pass is a counting sort that keeps the
 * order of surfaces with equal keys. The time is linear. Unlike with qsort, all C libraries give the same order. */
#include "stages/geometry/geometry.h"

typedef uint32_t surface_key(const bspi_surface *surface);

/* BSPSCENE_NO_INDEX + 1 is 0, so surfaces without fog come first. */
static uint32_t fog_key(const bspi_surface *surface)
{
	return surface->fog + 1;
}

static uint32_t page_key(const bspi_surface *surface)
{
	return surface->page + 1;
}

static uint32_t page_image_key(const bspi_surface *surface)
{
	return surface->page_image + 1;
}

static uint32_t material_key(const bspi_surface *surface)
{
	return surface->material;
}

static uint32_t lighting_key(const bspi_surface *surface)
{
	return (uint32_t)surface->lighting;
}

static uint32_t kind_key(const bspi_surface *surface)
{
	return (uint32_t)surface->kind;
}

static uint32_t part_key(const bspi_surface *surface)
{
	return surface->part;
}

static surface_key *const keys[] = {
	fog_key, page_image_key, page_key, material_key, lighting_key, kind_key, part_key
};

typedef struct orders {
	uint32_t *order, *other;           /* order after the earlier passes; order after the current pass */
	uint32_t *values;                  /* for each surface, its value of the current key */
} orders;

/* Sorts by one key, and keeps the order of surfaces with equal values. Every key is an index in an array of the map
 * or the scene. So the table of counts is not larger than that array. If all values are equal, nothing is done. */
static bool sort_by(bspi_build *build, surface_key *key, orders *o)
{
	uint32_t count = build->plan.surface_count, largest = 0, smallest = UINT32_MAX;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t value = o->values[i] = key(&build->plan.surfaces[i]);
		if (value > largest) largest = value;
		if (value < smallest) smallest = value;
	}
	if (largest <= smallest) return true;
	uint32_t *first = bspi_push(build->ctx, &build->ctx->stage, uint32_t, (size_t)largest + 2);
	BSPI_TRY(first);
	for (uint32_t i = 0; i < count; i++) first[o->values[i] + 1]++;
	for (uint32_t i = 0; i < largest; i++) first[i + 1] += first[i];
	for (uint32_t i = 0; i < count; i++) o->other[first[o->values[o->order[i]]]++] = o->order[i];
	uint32_t *sorted = o->other;
	o->other = o->order;
	o->order = sorted;
	return true;
}

const uint32_t *bspi_order_surfaces(bspi_build *build)
{
	uint32_t count = build->plan.surface_count;
	orders o = { NULL, NULL, NULL };
	uint32_t **const arrays[] = { &o.order, &o.other, &o.values };
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
		*arrays[i] = bspi_push_unset(build->ctx, &build->ctx->stage, count, sizeof(uint32_t));
		if (!*arrays[i]) return NULL;
	}
	for (uint32_t i = 0; i < count; i++) o.order[i] = i;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (!sort_by(build, keys[i], &o)) return NULL;
	}
	return o.order;
}
