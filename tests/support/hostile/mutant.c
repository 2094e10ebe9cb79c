/* mutant.c - see mutant.h. */
#include "support/hostile/mutant.h"

#include <string.h>

#include "support/hostile/hostile.h"

typedef struct maker {
	const bspt_original *original;
	uint8_t *copy;
	uint64_t random;
} maker;

/* Returns a random number by splitmix64 (Steele, Lea and Flood 2014), in which consecutive seeds give independent
 * streams. */
static uint32_t draw(maker *m, uint32_t below)
{
	uint64_t z = m->random += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (uint32_t)((z ^ z >> 31) >> 32) % below;
}

static size_t width_of(const bspi_field *field)
{
	switch (field->file_type) {
		case BSPI_U16: case BSPI_I16: return 2;
		case BSPI_U32: case BSPI_I32: case BSPI_F32: return 4;
		default: return 1;
	}
}

static uint32_t load(const uint8_t *bytes, size_t width)
{
	uint32_t value = 0;
	for (size_t i = 0; i < width; i++) value |= (uint32_t)bytes[i] << 8 * i;
	return value;
}

static void store(maker *m, bspt_mutation *out, const char *what, size_t at, size_t width, uint32_t value)
{
	for (size_t i = 0; i < width; i++) m->copy[at + i] = (uint8_t)(value >> 8 * i);
	*out = (bspt_mutation) { what, at, width, load(m->copy + at, width) };
}

/* Returns a replacement for a value: a limit of a type, a small number, a size of a page, NaN, infinity, or a neighbor
 * of the old value. */
static uint32_t spoiled(maker *m, uint32_t value)
{
	static const uint32_t values[] = {
		0, 1, 2, 3, 0xffffffff, 0xfffffffe, 0x7fffffff, 0x80000000, 0x8000, 0x7fff, 0x10000, 0x7fc00000, 0x7f800000,
		0xff800000, 0x7f7fffff, 0x3f800000, 0x49800001, 0x00000001, 64, 1024, 31, 33, 0x40000000, 0x20000001,
	};
	switch (draw(m, 8)) {
		case 0: return value + 1;
		case 1: return value - 1;
		case 2: return value ^ 1u << draw(m, 32);
		case 3: return value * 2;
		default: return values[draw(m, sizeof values / sizeof *values)];
	}
}

/* Chooses a lump with records at random. Returns NULL if the map has none. */
static const bspi_lump_row *some_row(maker *m, uint32_t *count)
{
	const bspi_variant *variant = m->original->variant;
	for (int tries = 0; variant && tries < 16; tries++) {
		const bspi_lump_row *row = &variant->lumps[draw(m, variant->lump_row_count)];
		*count = (uint32_t)(m->original->lumps[row->slot].bytes.size / row->layout->file_size);
		if (*count) return row;
	}
	return NULL;
}

static size_t record_at(const maker *m, const bspi_lump_row *row, uint32_t index)
{
	return (size_t)m->original->lumps[row->slot].offset + (size_t)index * row->layout->file_size;
}

static void spoil_word(maker *m, bspt_mutation *out)
{
	size_t at = draw(m, (uint32_t)(m->original->size / 4)) * (size_t)4;
	store(m, out, "word", at, 4, spoiled(m, load(m->copy + at, 4)));
}

/* Changes a field. With `across`, it becomes an index or count that is valid, or just invalid, for another lump. */
static void spoil_field(maker *m, bspt_mutation *out, bool across)
{
	uint32_t count, others;
	const bspi_lump_row *row = some_row(m, &count), *other = some_row(m, &others);
	if (!row || !other) {
		spoil_word(m, out);
		return;
	}
	const bspi_field *field = &row->layout->fields[draw(m, row->layout->field_count)];
	size_t width = width_of(field);
	size_t at = record_at(m, row, draw(m, count)) + field->file_offset + draw(m, field->count) * width;
	uint32_t value = across ? others - 1 + draw(m, 3) : spoiled(m, load(m->copy + at, width));
	store(m, out, field->name, at, width, value);
}

/* Changes sizes and offsets of lumps: shorter, longer, overlapping, past the end, wrapping. */
static void spoil_directory(maker *m, bspt_mutation *out)
{
	uint32_t words = (uint32_t)(m->original->directory_end / 4);
	if (words < 2) {
		spoil_word(m, out);
		return;
	}
	size_t at = draw(m, words) * (size_t)4;
	uint32_t value = load(m->copy + at, 4), size = (uint32_t)m->original->size;
	const uint32_t values[] = {
		load(m->copy + draw(m, words) * (size_t)4, 4), size, size - 1, size + 1, 0u - value, value / 2, value - 1,
		0xffffffffu - value + 1 + size, value + draw(m, 64), spoiled(m, value),
	};
	store(m, out, "directory", at, 4, values[draw(m, sizeof values / sizeof *values)]);
}

/* Copies a record over another, or over itself with an offset inside it. */
static void move_record(maker *m, bspt_mutation *out)
{
	uint32_t count;
	const bspi_lump_row *row = some_row(m, &count);
	if (!row) {
		spoil_word(m, out);
		return;
	}
	size_t size = row->layout->file_size, from = record_at(m, row, draw(m, count));
	size_t to = record_at(m, row, draw(m, count)), aside = draw(m, 4) ? 0 : draw(m, (uint32_t)size);
	if (to + aside + size > m->original->size) aside = 0;
	memmove(m->copy + to + aside, m->copy + from, size);
	*out = (bspt_mutation) { "record", to + aside, size, load(m->copy + to + aside, size < 4 ? size : 4) };
}

bspt_original bspt_original_of(const uint8_t *data, size_t size)
{
	bspt_original original = { .data = data, .size = size };
	bspt_region regions[1 + BSPI_MAX_LUMPS];
	if (!bspt_find_lumps(data, size, &original.variant, original.lumps)) {
		original.variant = NULL;
		return original;
	}
	bspt_find_regions(data, size, regions, 1 + BSPI_MAX_LUMPS);
	original.directory_end = regions[0].size;
	return original;
}

uint32_t bspt_mutate(const bspt_original *original, uint8_t *copy, uint64_t number,
                     bspt_mutation mutations[BSPT_MOST_MUTATIONS])
{
	if (original->size < 8) return 0;
	maker m = { original, copy, number };
	uint32_t count = draw(&m, 4) ? 1 : 2 + draw(&m, BSPT_MOST_MUTATIONS - 1);
	for (uint32_t i = 0; i < count; i++) {
		switch (draw(&m, 8)) {
			case 0: spoil_directory(&m, &mutations[i]); break;
			case 1: move_record(&m, &mutations[i]); break;
			case 2: spoil_word(&m, &mutations[i]); break;
			case 3: spoil_field(&m, &mutations[i], true); break;
			default: spoil_field(&m, &mutations[i], false); break;
		}
	}
	return count;
}
