/* other_stores.c - updates the data that depend on the changed luxels of blocks. These are the three luxels of bumped
 * light, the map's other encodings (gray and colored, LDR and HDR), and the averages stored before a face's light. */
#include "relight/relight_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One block of a face in one encoding. It has `area` luxels of one style and one set. */
typedef struct block {
	const uint8_t *old;
	uint8_t *new;
	uint8_t *states;                   /* state of each luxel, at the offset of its first byte */
	uint32_t area, luxel_size;
} block;

static uint32_t sets_of(const bspi_face *face)
{
	return face->light_sets > 1 ? (uint32_t)face->light_sets : 1;
}

static uint32_t area_of(const bspi_relight *r, const bspi_face *face)
{
	const bspi_face_light *lit = bspi_light_of(&r->build, face);
	return (uint32_t)lit->width * (uint32_t)lit->height;
}

/* Returns block `number` of a face in the encoding that the pages show. The face must have luxels. */
static block own_block(const bspi_relight *r, const bspi_face *face, uint32_t number)
{
	const bspi_light *light = r->build.light;
	uint32_t area = area_of(r, face), size = light->luxel_size;
	size_t at = (size_t)bspi_block_offset(&r->map, light, face) + (size_t)number * area * size;
	return (block){ r->blocks->old.data + at, r->blocks->new + at, r->blocks->states + at, area, size };
}

static uint8_t *state_of(const block *b, uint32_t luxel)
{
	return b->states + (size_t)luxel * b->luxel_size;
}

static bool is_changed(const block *b)
{
	for (uint32_t i = 0; i < b->area; i++) {
		if (*state_of(b, i) != BSPI_LUXEL_KEPT) return true;
	}
	return false;
}

/* Calls `visit` once for each face that has a rectangle. */
static bool visit_faces(bspi_relight *r, bool (*visit)(bspi_relight *r, uint32_t face, void *user), void *user)
{
	bspi_ctx *ctx = r->build.ctx;
	bool *visited = bspi_push(ctx, &ctx->scratch, bool, r->map.faces_count);
	BSPI_TRY(visited);
	for (uint32_t i = 0; i < r->light->rect_count; i++) {
		uint32_t face = r->light->rects[i].face_record;
		if (visited[face]) continue;
		visited[face] = true;
		BSPI_TRY(visit(r, face, user));
	}
	return true;
}

/* ---- Bumped light ----------------------------------------------------------------------------------------- */

/* Multiplies a bumped luxel by the factor by which the flat luxel changed. Engines scale the three bumped luxels so
 * that their mean is the flat luxel. This is not called for bumped luxels that the user changed. */
static void follow_flat(bspi_relight *r, const block *flat, const block *bumped, uint32_t luxel)
{
	bspi_luxel_code code;
	size_t at = (size_t)luxel * flat->luxel_size;
	double before[3], after[3], light[3];
	bspi_init_luxel_code(&code, &r->map.rules, r->build.light->encoding, r->map.rules.overbright);
	bspi_luxel_to_light(&code, flat->old + at, before);
	bspi_luxel_to_light(&code, flat->new + at, after);
	bspi_luxel_to_light(&code, bumped->old + at, light);
	for (int i = 0; i < 3; i++) light[i] = before[i] > 0 ? light[i] * after[i] / before[i] : after[i];
	bspi_light_to_luxel(&code, light, bumped->new + at);
}

static bool settle_bumped_face(bspi_relight *r, uint32_t index, void *user)
{
	const bspi_face *face = &r->map.faces[index];
	uint32_t sets = sets_of(face), blocks = bspi_block_count(face);
	(void)user;
	for (uint32_t first = 0; sets > 1 && first < blocks; first += sets) {
		const block flat = own_block(r, face, first);
		for (uint32_t set = 1; set < sets; set++) {
			const block bumped = own_block(r, face, first + set);
			for (uint32_t i = 0; i < flat.area; i++) {
				if (*state_of(&flat, i) == BSPI_LUXEL_KEPT || *state_of(&bumped, i) != BSPI_LUXEL_KEPT) continue;
				follow_flat(r, &flat, &bumped, i);
				*state_of(&bumped, i) = BSPI_LUXEL_CHANGED;
			}
		}
	}
	return true;
}

bool bspi_settle_bumped_light(bspi_relight *r)
{
	return visit_faces(r, settle_bumped_face, NULL);
}

/* ---- Other encodings -------------------------------------------------------------------------------------- */

typedef struct other_store {
	const bspi_light_store *store;
	const uint8_t *old;
	uint8_t *new;
	bspi_luxel_code code, own;
	uint32_t luxel_size;
} other_store;

/* Finds the first block of a light style. `face` is the face as the other encoding lists it, which may have other
 * styles than the map's face. Sets *out to the index of the block. Returns false if `face` does not have the
 * style. */
static bool find_style(const bspi_face *face, uint8_t style, uint32_t sets, uint32_t *out)
{
	for (uint32_t slot = 0; slot < bspi_style_slots(face); slot++) {
		uint8_t own = bspi_block_style(face, slot);
		if (own == BSPI_NO_STYLE) return false;
		*out = slot * sets;
		if (own == style) return true;
	}
	return false;
}

/* Finds the byte offset that a face's block has in the store. Returns false if the store does not have the block. */
static bool find_block(const bspi_relight *r, const other_store *o, uint32_t index, uint32_t number, size_t *out)
{
	const bspi_face *face = &r->map.faces[index], *there = o->store->faces ? &o->store->faces[index] : face;
	uint32_t sets = sets_of(face), area = area_of(r, face), first;
	bspi_bytes bytes;
	uint8_t style = bspi_block_style(face, number / sets);
	if (there->light_offset < 0 || !find_style(there, style, sets, &first)) return false;
	uint64_t at = (uint64_t)there->light_offset * (r->map.rules.light_offset_in_luxels ? o->luxel_size : 1);
	at += ((uint64_t)first + number % sets) * area * o->luxel_size;
	if (!bspi_slice(o->store->luxels, at, (uint64_t)area * o->luxel_size, &bytes)) return false;
	*out = (size_t)at;
	return true;
}

/* Converts a changed luxel to another encoding. `before` and `after` are the luxel in the encoding of the page, and
 * `old` is its old value in the other encoding. Pages of display values cannot show light above a limit. If `before`
 * was above it, `old` is multiplied by the factor after / before, so that light above the limit is not lost. */
static void convert(const bspi_relight *r, const other_store *o, const uint8_t *before, const uint8_t *after,
                    const uint8_t *old, uint8_t *new)
{
	double was[3], is[3], light[3];
	if (bspi_is_byte_code(&o->own) && bspi_is_byte_code(&o->code)) {
		bspi_luxel_to_luxel(&o->own, after, &o->code, new);
		return;
	}
	double shown = pow((double)r->map.rules.intensity, 2.2);
	bspi_luxel_to_light(&o->own, before, was);
	bspi_luxel_to_light(&o->own, after, is);
	bspi_luxel_to_light(&o->code, old, light);
	bool floats = o->own.encoding == BSPI_LIGHT_RGBEXP32 || o->own.encoding == BSPI_LIGHT_E5BGR9;
	bool clamped = floats && r->light->encoding == BSPSCENE_LIGHTMAP_ENCODING_DISPLAY;
	bool beyond = clamped && fmax(was[0], fmax(was[1], was[2])) > shown;
	for (int i = 0; i < 3; i++) light[i] = beyond && was[i] > 0 ? light[i] * is[i] / was[i] : is[i];
	bspi_light_to_luxel(&o->code, light, new);
}

static bool write_face(bspi_relight *r, uint32_t index, void *user)
{
	const other_store *o = user;
	const bspi_face *face = &r->map.faces[index];
	for (uint32_t number = 0; number < bspi_block_count(face); number++) {
		const block own = own_block(r, face, number);
		size_t at;
		if (!is_changed(&own) || !find_block(r, o, index, number, &at)) continue;
		for (uint32_t i = 0; i < own.area; i++) {
			size_t here = (size_t)i * own.luxel_size, there = at + (size_t)i * o->luxel_size;
			if (*state_of(&own, i) == BSPI_LUXEL_KEPT) continue;
			convert(r, o, own.old + here, own.new + here, o->old + there, o->new + there);
		}
	}
	return true;
}

static bool is_wanted(const bspi_relight *r, const bspi_light_store *store)
{
	return r->options.light_range == BSPSCENE_LIGHT_RANGE_AUTO ||
	       store->hdr == (r->options.light_range == BSPSCENE_LIGHT_RANGE_HDR);
}

bool bspi_write_other_stores(bspi_relight *r)
{
	bspi_ctx *ctx = r->build.ctx;
	const bspi_light *light = r->build.light;
	for (uint32_t i = 0; i < r->map.light_store_count; i++) {
		const bspi_light_store *store = &r->map.light_stores[i];
		bool own = store->luxels.data == r->blocks->old.data;
		if (own || !is_wanted(r, store) || !r->report.changed) continue;
		other_store o = { .store = store, .old = store->luxels.data, .luxel_size = bspi_luxel_size(store->encoding) };
		o.new = bspi_relit_bytes(r, store, store->luxels);
		BSPI_CHECK(ctx, o.new || ctx->error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, BSPI_NOWHERE,
		           "its light \"%s\" is in another file, which cannot be written", store->name);
		BSPI_TRY(o.new);
		bspi_init_luxel_code(&o.code, &r->map.rules, store->encoding, r->map.rules.overbright);
		bspi_init_luxel_code(&o.own, &r->map.rules, light->encoding, r->map.rules.overbright);
		BSPI_TRY(visit_faces(r, write_face, &o));
	}
	return true;
}

/* ---- Averages --------------------------------------------------------------------------------------------- */

static int compare_light(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

typedef struct averages {
	other_store o;
	double *samples;                   /* three arrays, one for each channel, each as large as the largest block */
} averages;

/* Writes the median of all luxels as their average, channel by channel, like the compilers. */
static void write_average(const averages *a, const uint8_t *luxels, uint32_t area, uint8_t *out)
{
	double middle[3];
	for (uint32_t i = 0; i < area; i++) {
		double light[3];
		bspi_luxel_to_light(&a->o.code, luxels + (size_t)i * a->o.luxel_size, light);
		for (size_t channel = 0; channel < 3; channel++) a->samples[channel * area + i] = light[channel];
	}
	for (size_t channel = 0; channel < 3; channel++) {
		qsort(a->samples + channel * area, area, sizeof *a->samples, compare_light);
		middle[channel] = a->samples[channel * area + area / 2];
	}
	bspi_light_to_luxel(&a->o.code, middle, out);
}

static bool write_face_averages(bspi_relight *r, uint32_t index, void *user)
{
	const averages *a = user;
	const bspi_face *face = &r->map.faces[index];
	uint32_t sets = sets_of(face), area = area_of(r, face), blocks = bspi_block_count(face);
	for (uint32_t number = 0; number < blocks; number += sets) {
		const block own = own_block(r, face, number);
		size_t at;
		if (!is_changed(&own) || !find_block(r, &a->o, index, number, &at)) continue;
		const bspi_face *there = a->o.store->faces ? &a->o.store->faces[index] : face;
		size_t first = (size_t)there->light_offset, slot = (at - first) / ((size_t)area * a->o.luxel_size * sets) + 1;
		if (slot * a->o.luxel_size > first) continue;
		write_average(a, a->o.new + at, area, a->o.new + first - slot * a->o.luxel_size);
	}
	return true;
}

static uint32_t largest_area(const bspi_relight *r)
{
	uint32_t largest = 1;
	for (uint32_t i = 0; i < r->light->rect_count; i++) {
		uint32_t area = area_of(r, &r->map.faces[r->light->rects[i].face_record]);
		if (area > largest) largest = area;
	}
	return largest;
}

bool bspi_write_averages(bspi_relight *r)
{
	bspi_ctx *ctx = r->build.ctx;
	for (uint32_t i = 0; i < r->map.light_store_count; i++) {
		const bspi_light_store *store = &r->map.light_stores[i];
		if (!store->averages || !is_wanted(r, store) || !r->report.changed) continue;
		averages a = { .o = { .store = store, .luxel_size = bspi_luxel_size(store->encoding) } };
		a.o.new = bspi_relit_bytes(r, store, store->luxels);
		a.samples = bspi_push(ctx, &ctx->scratch, double, 3 * (size_t)largest_area(r));
		BSPI_TRY(a.o.new && a.samples);
		bspi_init_luxel_code(&a.o.code, &r->map.rules, store->encoding, r->map.rules.overbright);
		BSPI_TRY(visit_faces(r, write_face_averages, &a));
	}
	return true;
}
