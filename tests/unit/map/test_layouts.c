/* Promise: every layout table of every variant describes all bytes of its record. Encoding a decoded record gives the
 * same bytes. The test runs over bspi_families, so it covers new families, too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/build_map.h"
#include "support/random.h"

typedef void layout_check(const bspi_variant *variant, const bspi_lump_row *row);

static void for_each_layout(layout_check *check)
{
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		const bspi_family *family = bspi_families[f];
		assert_true(family->variant_count > 0);
		for (uint32_t v = 0; v < family->variant_count; v++) {
			const bspi_variant *variant = &family->variants[v];
			assert_true(variant->lump_row_count > 0);
			for (uint32_t i = 0; i < variant->lump_row_count; i++) check(variant, &variant->lumps[i]);
		}
	}
}

static size_t file_size_of(const bspi_field *field)
{
	switch (field->file_type) {
	case BSPI_U16: case BSPI_I16: return (size_t)field->count * 2;
	case BSPI_U32: case BSPI_I32: case BSPI_F32: return (size_t)field->count * 4;
	default: return field->count;
	}
}

static void check_tiles(const bspi_variant *variant, const bspi_lump_row *row)
{
	size_t at = 0;
	for (uint16_t i = 0; i < row->layout->field_count; i++) {
		const bspi_field *field = &row->layout->fields[i];
		if (field->file_offset != at) {
			fail_msg(
				"%s: %s.%s starts at byte %u, but the row before it ends at %zu; correct the offset, or add a SKIP "
				"row for bytes that are not read",
				variant->name, row->layout->name, field->name, field->file_offset, at);
		}
		at += file_size_of(field);
	}
	if (at != row->layout->file_size) {
		fail_msg("%s: the rows of %s fill %zu bytes, but its LAYOUT says %u; correct that, or add a SKIP row",
		         variant->name, row->layout->name, at, row->layout->file_size);
	}
}

/* The fields of a table cover the file's record without gaps, in order. */
static void test_tiling(void **state)
{
	(void)state;
	for_each_layout(check_tiles);
}

static void check_memory(const bspi_variant *variant, const bspi_lump_row *row)
{
	const bspi_layout *layout = row->layout;
	assert_true(row->array < BSPI_ARRAY_COUNT && row->slot < BSPI_MAX_LUMPS);
	assert_int_equal(layout->memory_size, bspi_array_infos[row->array].size);
	for (uint16_t i = 0; i < layout->field_count; i++) {
		const bspi_field *field = &layout->fields[i];
		if (field->file_type == BSPI_SKIP) continue;
		size_t end = field->memory_offset + (size_t)field->count * BSPI_TYPE_SIZE(field->memory_type);
		if (end > layout->memory_size) fail_msg("%s: %s.%s ends outside", variant->name, layout->name, field->name);
		bool is_float = field->file_type == BSPI_F32, to_float = field->memory_type == BSPI_MEMORY_F32;
		if (is_float && !to_float) fail_msg("%s: %s.%s is a float", variant->name, layout->name, field->name);
	}
}

/* Each decoded field lies inside the record in memory. If a field is a float in the file, it is also a float in
 * memory. */
static void test_memory(void **state)
{
	(void)state;
	for_each_layout(check_memory);
}

/* Reduces integers that become floats to 24 bits, which floats hold exactly. The bounds of maps need far fewer. */
static void keep_exact(const bspi_layout *layout, uint8_t *records, size_t count)
{
	for (uint16_t i = 0; i < layout->field_count; i++) {
		const bspi_field *field = &layout->fields[i];
		bool wide = field->file_type == BSPI_I32 || field->file_type == BSPI_U32;
		if (!wide || field->memory_type != BSPI_MEMORY_F32) continue;
		for (size_t r = 0; r < count; r++) {
			for (uint16_t k = 0; k < field->count; k++) {
				records[r * layout->file_size + field->file_offset + 4u * k + 3] = 0;
			}
		}
	}
}

static void check_round_trip(const bspi_variant *variant, const bspi_lump_row *row)
{
	enum { RECORDS = 97 };
	const bspi_layout *layout = row->layout;
	size_t size = (size_t)RECORDS * layout->file_size;
	uint8_t *original = malloc(size), *encoded = malloc(size);
	void *records = calloc(RECORDS, layout->memory_size);
	assert_true(original && encoded && records);
	uint64_t seed = 1;
	for (size_t i = 0; i < size; i++) original[i] = (uint8_t)bspt_random(&seed);
	keep_exact(layout, original, RECORDS);
	memcpy(encoded, original, size);
	for (uint16_t i = 0; i < layout->field_count; i++) {
		/* The bytes that the table describes are overwritten, so that only the encoder can restore them. */
		if (layout->fields[i].file_type == BSPI_SKIP) continue;
		for (size_t r = 0; r < RECORDS; r++) {
			memset(encoded + r * layout->file_size + layout->fields[i].file_offset, 0xa5,
			       file_size_of(&layout->fields[i]));
		}
	}
	bspi_layout_decode(layout, original, RECORDS, records);
	bspt_encode(layout, records, RECORDS, encoded);
	if (memcmp(original, encoded, size)) fail_msg("%s: %s does not survive a round trip", variant->name, layout->name);
	free(original);
	free(encoded);
	free(records);
}

/* Random bytes, including all kinds of NaN, survive decoding and encoding exactly. */
static void test_round_trip(void **state)
{
	(void)state;
	for_each_layout(check_round_trip);
}

/* Checks that decoding sets every described byte, so that old contents of the memory do not remain. */
static void check_fresh(const bspi_variant *variant, const bspi_lump_row *row)
{
	enum { RECORDS = 600 };            /* more records than are decoded at once */
	const bspi_layout *layout = row->layout;
	size_t size = (size_t)RECORDS * layout->memory_size;
	uint8_t *bytes = calloc(RECORDS, layout->file_size), *zeroes = calloc(1, size), *ones = malloc(size);
	assert_true(bytes && zeroes && ones);
	for (size_t i = 0; i < (size_t)RECORDS * layout->file_size; i++) bytes[i] = (uint8_t)(i * 31);
	memset(ones, 0xff, size);
	bspi_layout_decode(layout, bytes, RECORDS, zeroes);
	bspi_layout_decode_fresh(layout, bytes, RECORDS, ones);
	if (memcmp(zeroes, ones, size)) fail_msg("%s: %s leaves something as it was", variant->name, layout->name);
	free(bytes);
	free(zeroes);
	free(ones);
}

static void test_fresh_records(void **state)
{
	(void)state;
	for_each_layout(check_fresh);
}

/* Decoding does not change members that have no field in the table, because two tables may fill the same array. */
static void test_other_members_stay(void **state)
{
	(void)state;
	static const bspi_field rows[] = { FIELD(bspi_plane, distance, 0, F32) };
	static const bspi_layout layout = LAYOUT("distance", bspi_plane, rows, 4);
	bspi_plane planes[2] = { { { 1, 2, 3 }, 4 }, { { 5, 6, 7 }, 8 } };
	const uint8_t bytes[] = { 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0 };
	bspi_layout_decode(&layout, bytes, 2, planes);
	assert_true(planes[0].distance == 1 && planes[1].distance == -2);
	assert_true(planes[0].normal[2] == 3 && planes[1].normal[0] == 5);
}

/* Integers of every width and sign keep their value. */
static void test_widths(void **state)
{
	(void)state;
	static const bspi_field rows[] = {
		FIELD(bspi_face, texinfo, 0, I16),      FIELD(bspi_face, plane, 2, U16),
		FIELD(bspi_face, side, 4, I8),          FIELD(bspi_face, luxel_shift, 5, U8),
		FIELD(bspi_face, light_offset, 6, I32), FIELD(bspi_face, first_edge, 10, U32),
	};
	static const bspi_layout layout = LAYOUT("widths", bspi_face, rows, 14);
	const uint8_t bytes[14] = { 0xfe, 0xff, 0xfe, 0xff, 0x80, 0x80, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4 };
	bspi_face face = { 0 };
	bspi_layout_decode(&layout, bytes, 1, &face);
	assert_int_equal(face.texinfo, -2);
	assert_int_equal(face.plane, 65534);
	assert_int_equal(face.side, -128);
	assert_int_equal(face.luxel_shift, 128);
	assert_int_equal(face.light_offset, -1);
	assert_int_equal(face.first_edge, 0x04030201);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tiling),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_fresh_records),
		cmocka_unit_test(test_other_members_stay),
		cmocka_unit_test(test_widths),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
