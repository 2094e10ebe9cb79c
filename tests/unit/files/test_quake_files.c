/* Promise: parts of Quake's files without a table of records are read only within their bounds: rows of visibility,
 * Hexen II's models, which only differ from Quake's in their contents, and textures with wrong offsets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "families/quake/quake_common.h"
#include "support/make/build_map.h"
#include "support/make/bytes_writer.h"

static void start(bspi_ctx *ctx)
{
	memset(ctx, 0, sizeof *ctx);
	ctx->file = "test.bsp";
	ctx->name = "test";
	ctx->budget.limit = 64u << 20;
	bspi_begin_memory(ctx);
}

static void end(bspi_ctx *ctx)
{
	bspi_end_memory(ctx);
	assert_int_equal(ctx->budget.used, 0);
}

static uint32_t warnings_of(const bspi_ctx *ctx, bspscene_warning_code code)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < ctx->warning_count; i++) {
		if (ctx->warnings[i].code == code) count += ctx->warnings[i].count;
	}
	return count;
}

/* ---- Visibility ------------------------------------------------------------------------------------------- */

#define SEES_ALL UINT32_MAX

/* Rows of visibility of one cluster in a map with 20 clusters, so that a row has three bytes. */
static const struct row_case {
	const char *what;
	size_t size;
	uint8_t bytes[8];
	uint32_t offset;
	uint8_t row[3];
	bool broken;                       /* true if the row is invalid: then all is visible, with a warning */
} row_cases[] = {
	{ "plain bytes", 3, { 1, 2, 3 }, 0, { 1, 2, 3 }, false },
	{ "a run of one", 4, { 1, 0, 1, 3 }, 0, { 1, 0, 3 }, false },
	{ "a run to the end of the row", 3, { 9, 0, 2 }, 0, { 9, 0, 0 }, false },
	{ "a run past the end of the row", 3, { 9, 0, 255 }, 0, { 9, 0, 0 }, false },
	{ "all of it a run", 2, { 0, 3 }, 0, { 0, 0, 0 }, false },
	{ "from the middle, up to the lump's end", 5, { 7, 7, 4, 5, 6 }, 2, { 4, 5, 6 }, false },
	{ "no offset", 3, { 1, 2, 3 }, SEES_ALL, { 255, 255, 255 }, false },
	{ "a run of nothing", 4, { 1, 0, 0, 3 }, 0, { 255, 255, 255 }, true },
	{ "the lump ends in the row", 2, { 1, 2 }, 0, { 255, 255, 255 }, true },
	{ "the lump ends before a run's length", 2, { 1, 0 }, 0, { 255, 255, 255 }, true },
	{ "begins at the lump's end", 3, { 1, 2, 3 }, 3, { 255, 255, 255 }, true },
	{ "begins behind the lump", 3, { 1, 2, 3 }, 4096, { 255, 255, 255 }, true },
	{ "an offset below 0", 3, { 1, 2, 3 }, (uint32_t)-7, { 255, 255, 255 }, true },
};

static void rows_end_where_they_must(void **state)
{
	enum { CLUSTERS = 20, ROW = 3 };
	(void)state;
	bspt_guard guard = bspt_guard_make(64);
	for (size_t i = 0; i < sizeof row_cases / sizeof *row_cases; i++) {
		const struct row_case *c = &row_cases[i];
		bspi_ctx ctx;
		bspi_map map = { .cluster_count = 0 };
		uint32_t offsets[CLUSTERS];
		start(&ctx);
		for (uint32_t k = 0; k < CLUSTERS; k++) offsets[k] = k == 7 ? c->offset : SEES_ALL;
		/* Reading one byte too far hits the guard page. */
		const uint8_t *bytes = bspt_guard_place(&guard, c->bytes, c->size);
		assert_true(bspi_decode_vis(&ctx, bspi_bytes_of(bytes, c->size), offsets, CLUSTERS, &map));
		assert_int_equal(map.cluster_count, CLUSTERS);
		assert_int_equal(map.vis_row_size, ROW);
		if (memcmp(map.vis_rows + 7 * ROW, c->row, ROW)) fail_msg("%s", c->what);
		if (warnings_of(&ctx, BSPSCENE_WARNING_LUMP_BAD) != c->broken) fail_msg("%s: counted or not", c->what);
		assert_memory_equal(map.vis_rows + 8 * ROW, ((uint8_t[]){ 255, 255, 255 }), ROW);
		end(&ctx);
	}
	bspt_guard_free(&guard);
}

static const struct cluster_case {
	const char *what;
	size_t size;
	uint8_t bytes[32];
	uint32_t clusters;                 /* number of clusters that the map gets */
	uint32_t warnings;
} cluster_cases[] = {
	{ "nothing", 0, { 0 }, 0, 0 },
	{ "two clusters", 22, { 2, 0, 0, 0, 20, 0, 0, 0, 20, 0, 0, 0, 21, 0, 0, 0, 21, 0, 0, 0, 3, 2 }, 2, 0 },
	{ "a count below 0", 8, { 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0 }, 0, 1 },
	{ "more clusters than offsets", 12, { 2, 0, 0, 0, 20, 0, 0, 0, 20, 0, 0, 0 }, 0, 1 },
	{ "cut inside the count", 3, { 2, 0, 0 }, 0, 1 },
	{ "offsets past the end", 20, { 2, 0, 0, 0, 20, 0, 0, 0, 20, 0, 0, 0, 21, 0, 0, 0, 21, 0, 0, 0 }, 2, 2 },
};

static void counts_of_clusters_are_checked(void **state)
{
	(void)state;
	bspt_guard guard = bspt_guard_make(64);
	for (size_t i = 0; i < sizeof cluster_cases / sizeof *cluster_cases; i++) {
		const struct cluster_case *c = &cluster_cases[i];
		bspi_ctx ctx;
		bspi_map map = { .cluster_count = 0 };
		start(&ctx);
		const uint8_t *bytes = bspt_guard_place(&guard, c->bytes, c->size);
		assert_true(bspi_decode_cluster_vis(&ctx, bspi_bytes_of(bytes, c->size), &map));
		uint32_t warnings = warnings_of(&ctx, BSPSCENE_WARNING_LUMP_BAD);
		if (map.cluster_count != c->clusters || warnings != c->warnings) fail_msg("%s", c->what);
		end(&ctx);
	}
	bspt_guard_free(&guard);
}

/* ---- Quake or Hexen II ------------------------------------------------------------------------------------ */

/* Makes a header and two lumps: `models` records of `stride` bytes that own one face each, and `faces` face records. */
static bspt_bytes file_with_models(const char *magic, uint32_t stride, uint32_t models, uint32_t faces,
                                   uint32_t face_size)
{
	size_t head = 4 + 8 * QUAKE_LUMP_COUNT, size = head + (size_t)stride * models + (size_t)faces * face_size;
	bspt_bytes file = { calloc(1, size), size };
	bspt_writer w = { .size = 0 };
	if (*magic) bspt_put(&w, magic, 4);
	else bspt_put_u32(&w, 29);
	for (uint32_t slot = 0; slot < QUAKE_LUMP_COUNT; slot++) {
		bspt_put_u32(&w, (uint32_t)(slot == QUAKE_FACES ? head + (size_t)stride * models : head));
		bspt_put_u32(&w, slot == QUAKE_FACES ? faces * face_size : slot == QUAKE_MODELS ? stride * models : 0);
	}
	memcpy(file.data, w.data, w.size);
	for (uint32_t i = 0; i < models; i++) {
		uint8_t *tail = file.data + head + (size_t)stride * (i + 1) - 8;
		tail[0] = (uint8_t)i;
		tail[4] = 1;
	}
	return file;
}

static const struct model_case {
	const char *what, *magic;
	uint32_t stride, models, faces, face_size;
	const char *title;
} model_cases[] = {
	{ "Quake", "", 64, 3, 3, 20, "Quake (29)" },
	{ "Hexen II", "", 80, 3, 3, 20, "Hexen II (29)" },
	{ "Quake, of a size both could have", "", 64, 5, 5, 20, "Quake (29)" },
	{ "Hexen II, of a size both could have", "", 80, 4, 4, 20, "Hexen II (29)" },
	{ "Quake in BSP2", "BSP2", 64, 5, 5, 28, "Quake (BSP2)" },
	{ "Hexen II in BSP2", "BSP2", 80, 4, 4, 28, "Hexen II (BSP2)" },
	{ "Hexen II in 2PSB", "2PSB", 80, 4, 4, 28, "Hexen II (2PSB)" },
	{ "neither covers the faces: Quake", "", 80, 4, 9, 20, "Quake (29)" },
	{ "no models: Quake", "", 64, 0, 0, 20, "Quake (29)" },
};

static void contents_tell_hexen_from_quake(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof model_cases / sizeof *model_cases; i++) {
		const struct model_case *c = &model_cases[i];
		bspt_bytes file = file_with_models(c->magic, c->stride, c->models, c->faces, c->face_size);
		const bspi_variant *variant = NULL;
		assert_ptr_equal(bspi_find_family(bspi_bytes_of(file.data, file.size), &variant), &bspi_family_quake);
		if (strcmp(variant->title, c->title)) fail_msg("%s: taken for %s", c->what, variant->title);
		free(file.data);
	}
}

/* ---- Textures --------------------------------------------------------------------------------------------- */

enum { SIDE = 16, HEADER = 40 };

/* Of the three textures, only the wall exists, and the floor shows it. The other two have the offset -1, which
 * compilers write for missing textures. */
static const struct texture_case {
	const char *what;
	uint32_t count;                    /* number of textures that the lump states */
	int32_t offset;                    /* offset of the wall's texture; 0 means the correct one */
	uint32_t width, height, pixels;    /* `pixels`: offset inside the texture, 0 for none */
	size_t cut;                        /* number of bytes cut off the end of the lump */
	/* Expected results: the number of textures, and the width of the wall's texture (0 if it could not be read). */
	uint32_t textures, known_width;
	bspscene_warning_code code;        /* the expected warning; NOTHING means none */
} texture_cases[] = {
#define NOTHING BSPSCENE_WARNING_FORCE_32BIT
	{ "whole", 3, 0, SIDE, SIDE, HEADER, 0, 3, SIDE, NOTHING },
	{ "missing", 3, -1, SIDE, SIDE, HEADER, 0, 3, 0, NOTHING },
	{ "pixels elsewhere", 3, 0, SIDE, SIDE, 0, 0, 3, SIDE, NOTHING },
	{ "an offset below -1", 3, -2, SIDE, SIDE, HEADER, 0, 3, 0, BSPSCENE_WARNING_REFERENCE },
	{ "an offset past the lump", 3, 1 << 20, SIDE, SIDE, HEADER, 0, 3, 0, BSPSCENE_WARNING_REFERENCE },
	{ "the header is cut off", 3, 0, SIDE, SIDE, HEADER, SIDE * SIDE + 1, 3, 0, BSPSCENE_WARNING_REFERENCE },
	{ "pixels go on behind the lump", 3, 0, SIDE, SIDE, HEADER, SIDE, 3, SIDE, NOTHING },
	{ "no width", 3, 0, 0, SIDE, HEADER, 0, 3, 0, BSPSCENE_WARNING_REFERENCE },
	{ "a height beyond all reason", 3, 0, SIDE, 8193, HEADER, 0, 3, 0, BSPSCENE_WARNING_REFERENCE },
	{ "sides whose product overflows", 3, 0, 65536, 65536, HEADER, 0, 3, 0, BSPSCENE_WARNING_REFERENCE },
	{ "more textures than the lump has room for", UINT32_MAX, 0, SIDE, SIDE, HEADER, 0, 77, SIDE,
	  BSPSCENE_WARNING_LUMP_TAIL },
};

static void textures_are_read_where_they_are(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof texture_cases / sizeof *texture_cases; i++) {
		const struct texture_case *c = &texture_cases[i];
		bspt_writer lump = { .size = 0 };
		bspt_put_u32(&lump, c->count);
		bspt_put_u32(&lump, c->offset ? (uint32_t)c->offset : 16);
		for (int k = 0; k < 2; k++) bspt_put_u32(&lump, (uint32_t)-1);
		bspt_put_name(&lump, "sixteen_letters_", 16);
		bspt_put_u32(&lump, c->width);
		bspt_put_u32(&lump, c->height);
		for (int k = 0; k < 4; k++) bspt_put_u32(&lump, c->pixels);
		for (int k = 0; k < SIDE * SIDE; k++) bspt_put_u8(&lump, (uint32_t)k);
		lump.size -= c->cut;

		bspt_parts parts;
		bspt_room_parts(&bspi_family_quake, &bspi_family_quake.variants[0], &parts);
		parts.raw[QUAKE_TEXTURES] = bspt_written(&lump);
		bspt_bytes file = bspt_encode_parts(&bspi_family_quake.variants[0], &parts);
		bspi_ctx ctx;
		bspi_map map;
		start(&ctx);
		bool read = bspi_read_map(&ctx, bspi_bytes_of(file.data, file.size), &map);
		if (!read) fail_msg("%s: %s", c->what, ctx.error.message);
		if (map.textures_count != c->textures || map.textures[0].width != c->known_width) {
			fail_msg("%s: %u textures, width %u", c->what, map.textures_count, map.textures[0].width);
		}
		/* The name of the first texture fills all sixteen bytes, so it has no terminator in the file. If the texture is
		 * missing or truncated, a name is made for it. */
		bool named = c->offset == 0 && c->cut <= SIDE * SIDE;
		assert_string_equal(map.textures[0].name, named ? "sixteen_letters_" : "unnamed0");
		assert_string_equal(map.textures[1].name, "unnamed1");
		if (c->code != NOTHING && !warnings_of(&ctx, c->code)) fail_msg("%s: not counted", c->what);
		if (c->code == NOTHING && ctx.warning_count) fail_msg("%s: %s", c->what, ctx.warnings[0].message);
		end(&ctx);
		free(file.data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_end_where_they_must),
		cmocka_unit_test(counts_of_clusters_are_checked),
		cmocka_unit_test(contents_tell_hexen_from_quake),
		cmocka_unit_test(textures_are_read_where_they_are),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
