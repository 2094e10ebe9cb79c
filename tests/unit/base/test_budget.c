/* test_budget.c - promise: a small file cannot use much memory. The default limit grows with the bytes that were read,
 * pictures are charged before they are decoded, and overlapping entries count once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/budget.h"
#include "file_system/mounts.h"
#include "images/images.h"
#include "support/bspt.h"

#define MIB ((uint64_t)1 << 20)

static void the_default_grows_with_what_is_read(void **state)
{
	(void)state;
	bspi_budget budget;
	bspi_budget_begin(&budget, 0, NULL);
	assert_true(budget.limit == 192 * MIB);
	bspi_budget_read(&budget, MIB);
	assert_true(budget.limit == (192 + 56) * MIB);
	/* Stated sizes may be absurdly large. */
	bspi_budget_read(&budget, UINT64_MAX - 1);
	bspi_budget_read(&budget, UINT64_MAX);
	assert_true(budget.limit == (uint64_t)16 << 30);
	bspi_budget_begin(&budget, 7, NULL);
	bspi_budget_read(&budget, MIB);
	assert_true(budget.limit == 7 && budget.source_size == MIB);
}

static void the_first_refusal_is_kept(void **state)
{
	(void)state;
	bspi_budget budget;
	char why[BSPI_REFUSAL_SIZE];
	bspi_budget_begin(&budget, 3 * MIB, NULL);
	assert_true(bspi_budget_take(&budget, 3 * MIB) && !bspi_budget_take(&budget, 1));
	assert_false(bspi_budget_take(&budget, UINT64_MAX));
	assert_true(budget.used == 3 * MIB && budget.peak == 3 * MIB);
	assert_int_equal(bspi_describe_refusal(&budget, why), BSPSCENE_ERROR_MEMORY_LIMIT);
	assert_string_equal(why, "needs more than the memory limit of 3 MiB");
	/* A limit below the memory in use refuses everything. */
	budget.limit = MIB;
	assert_false(bspi_budget_take(&budget, 1));
}

static void pictures_may_unpack_to_twice_the_limit(void **state)
{
	(void)state;
	bspi_budget budget;
	bspi_budget_begin(&budget, MIB, NULL);
	for (int i = 0; i < 4; i++) {
		assert_true(bspi_budget_decode(&budget, MIB / 2, MIB / 4));
		bspi_budget_give(&budget, MIB * 3 / 4);
	}
	assert_false(bspi_budget_decode(&budget, 1, 0));
	assert_int_equal(budget.refused, BSPI_REFUSED_PIXELS);
	assert_true(budget.used == 0 && budget.decoded == 2 * MIB);
}

/* The picture has 4096 x 4096 run-length coded pixels. Its 512 KB decode to 64 MiB, and stb_image needs another 48 MiB
 * to convert them to RGBA. */
static void a_picture_is_refused_before_it_is_decoded(void **state)
{
	(void)state;
	enum { SIDE = 4096, PACKETS = SIDE * SIDE / 128, HEADER = 18 };
	uint8_t *tga = calloc(1, HEADER + PACKETS * 4);
	assert_non_null(tga);
	tga[2] = 10;
	tga[13] = tga[15] = SIDE >> 8;
	tga[16] = 24;
	for (size_t i = 0; i < PACKETS; i++) tga[HEADER + 4 * i] = 0xff;
	const bspscene_image image = { .name = "bomb", .path = "", .format = BSPSCENE_IMAGE_TGA, .data = tga,
	                               .size = HEADER + PACKETS * 4 };
	assert_true(bspscene_image_decode_size(&image, UINT32_MAX) == (64 + 48) * MIB);
	for (uint64_t limit = 111; limit <= 112; limit++) {
		bspi_budget budget;
		bspscene_pixels pixels;
		bspscene_error error;
		bspi_budget_begin(&budget, limit * MIB, NULL);
		size_t before = bspt_heap_now();
		bspt_heap_reset_peak();
		bool decoded = bspi_image_decode_within(&budget, &image, &pixels, &error);
		assert_int_equal(decoded, limit == 112);
		if (!decoded) {
			assert_int_equal(error.status, BSPSCENE_ERROR_MEMORY_LIMIT);
			assert_true(bspt_heap_peak() - before < MIB);
		}
		assert_true(budget.used == (decoded ? 64 * MIB : 0));
		bspi_pixels_give(&budget, &pixels);
		assert_true(budget.used == 0);
	}
	free(tga);
}

static void entries_that_share_bytes_share_their_size(void **state)
{
	(void)state;
	bspi_mount mount = { .size = 1000, .stored_size = 4000 };
	bspi_entry entry = { .mount = &mount, .spans = { { .size = 800 } } };
	assert_true(bspi_entry_stored_size(&entry) == 201);
	entry.spans[0].size = UINT64_MAX;
	assert_true(bspi_entry_stored_size(&entry) == 251);
	mount.stored_size = 1000;
	entry.spans[0].size = 800;
	assert_true(bspi_entry_stored_size(&entry) == 800);
	entry.spans[0].size = 0;           /* a file outside of archives */
	assert_true(bspi_entry_stored_size(&entry) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_default_grows_with_what_is_read), cmocka_unit_test(the_first_refusal_is_kept),
		cmocka_unit_test(pictures_may_unpack_to_twice_the_limit),
		cmocka_unit_test(a_picture_is_refused_before_it_is_decoded),
		cmocka_unit_test(entries_that_share_bytes_share_their_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
