/* Promise: the lumps of Source maps and the parts of their game lump are found and unpacked, however they are stored.
 * If one is damaged or missing, the others are not affected. It is an error only if the map needs that lump. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <lzma.h>

#include "support/make/build_map.h"
#include "support/source/build_vbsp.h"

static bool read_strictly(bspt_vbsp_load *f, const bspt_vbsp *file, bool strict)
{
	return bspt_vbsp_read_with(f, file, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, strict);
}

/* Compresses with liblzma and adds Valve's header. liblzma's encoder writes an end mark; Valve's does not. */
static size_t compress(const uint8_t *data, size_t size, bool end_mark, uint8_t *out, size_t room)
{
	uint8_t alone[4096];
	lzma_options_lzma options;
	assert_false(lzma_lzma_preset(&options, 6));
	lzma_filter filters[] = { { LZMA_FILTER_LZMA1, &options }, { LZMA_VLI_UNKNOWN, NULL } };
	lzma_stream encoder = LZMA_STREAM_INIT;
	lzma_ret status = end_mark ? lzma_alone_encoder(&encoder, &options) : lzma_raw_encoder(&encoder, filters);
	assert_int_equal(status, LZMA_OK);
	encoder.next_in = data;
	encoder.avail_in = size;
	encoder.next_out = alone;
	encoder.avail_out = sizeof alone;
	assert_int_equal(lzma_code(&encoder, LZMA_FINISH), LZMA_STREAM_END);
	size_t skipped = end_mark ? 13 : 0, stream = (size_t)encoder.total_out - skipped;
	lzma_end(&encoder);
	assert_true(17 + stream <= room);
	memcpy(out, "LZMA", 4);
	bspt_store_u32(out + 4, (uint32_t)size);
	bspt_store_u32(out + 8, (uint32_t)stream);
	out[12] = (uint8_t)((options.pb * 5 + options.lp) * 9 + options.lc);
	bspt_store_u32(out + 13, options.dict_size);
	memcpy(out + 17, alone + skipped, stream);
	return 17 + stream;
}

typedef enum lie {
	HONEST, END_MARK, NO_SIZE_OUTSIDE, TRUNCATED, STREAM_TOO_LONG, SIZE_TOO_LARGE, BAD_PROPERTIES, LIES
} lie;

static void compressed_lumps_are_what_they_were(void **state)
{
	(void)state;
	static bspt_vbsp file;
	for (lie kind = HONEST; kind < LIES; kind++) {
		uint8_t packed[4096];
		bspt_vbsp_load f;
		bspt_vbsp_build(&file, bspt_find_variant(&bspi_family_vbsp, "source20"));
		const uint8_t *entry = file.data + 8 + 16 * VBSP_VERTICES;
		uint32_t offset = bspi_load_u32(entry), size = bspi_load_u32(entry + 4);
		size_t stored = compress(file.data + offset, size, kind == END_MARK, packed, sizeof packed);
		if (kind == TRUNCATED) bspt_store_u32(packed + 8, (uint32_t)(stored - 17 - 8));
		if (kind == STREAM_TOO_LONG) bspt_store_u32(packed + 8, (uint32_t)stored);
		if (kind == SIZE_TOO_LARGE) bspt_store_u32(packed + 4, 24u << 20);
		if (kind == BAD_PROPERTIES) packed[12] = 225;
		bspt_vbsp_lump(&file, VBSP_VERTICES, packed, stored, 0);
		uint32_t packed_at = (uint32_t)(file.size - (stored + 3) / 4 * 4);
		uint32_t size_outside = kind == NO_SIZE_OUTSIDE ? 0 : size;
		bspt_vbsp_entry(&file, VBSP_VERTICES, packed_at, (uint32_t)stored, 0, size_outside);
		bool read = bspt_vbsp_read(&f, &file);
		if (read != (kind < TRUNCATED)) fail_msg("case %d: %s", (int)kind, f.ctx.error.message);
		if (read) bspt_vbsp_check(&f, file.variant);
		else assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_BAD_LUMP);
		bspt_vbsp_end(&f);
	}
}

static void lumps_outside_count_or_refuse(void **state)
{
	(void)state;
	static bspt_vbsp file;
	bspt_vbsp_load f;
	bspt_vbsp_build(&file, bspt_find_variant(&bspi_family_vbsp, "source20"));
	bspt_vbsp_entry(&file, VBSP_PAKFILE, (uint32_t)file.size, 4, 0, 0);
	assert_true(bspt_vbsp_read(&f, &file));
	assert_int_equal(bspt_vbsp_warnings(&f, BSPSCENE_WARNING_LUMP_BAD), 1);
	assert_int_equal(f.map.pakfile.size, 0);
	bspt_vbsp_end(&f);
	bspt_vbsp_entry(&file, VBSP_EDGES, (uint32_t)file.size, 4, 0, 0);
	assert_false(bspt_vbsp_read(&f, &file));
	assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_BAD_LUMP);
	bspt_vbsp_end(&f);
	file.size = BSPT_VBSP_HEADER - 1;
	assert_false(bspt_vbsp_read(&f, &file));
	assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_BAD_HEADER);
	bspt_vbsp_end(&f);
}

/* If a map does not need a damaged lump, only that lump is lost. */
static void damaged_optional_lumps_are_left_out(void **state)
{
	(void)state;
	static bspt_vbsp file;
	static const size_t places[] = { 8, 12 }; /* offsets of packed size and properties in the stream's header */
	for (size_t i = 0; i < 2; i++) {
		uint8_t packed[4096];
		bspt_vbsp_load f;
		bspt_vbsp_build(&file, bspt_find_variant(&bspi_family_vbsp, "source20"));
		const uint8_t *entry = file.data + 8 + 16 * VBSP_LEAF_FACES;
		uint32_t size = bspi_load_u32(entry + 4);
		size_t stored = compress(file.data + bspi_load_u32(entry), size, false, packed, sizeof packed);
		packed[places[i]] = 225;
		bspt_vbsp_lump(&file, VBSP_LEAF_FACES, packed, stored, 0);
		if (!bspt_vbsp_read(&f, &file)) fail_msg("byte %zu: %s", places[i], f.ctx.error.message);
		assert_int_equal(f.map.leaf_faces_count, 0);
		assert_int_equal(bspt_vbsp_warnings(&f, BSPSCENE_WARNING_LUMP_BAD), 1);
		bspt_vbsp_end(&f);
	}
}

/* The offset of a part of the game lump counts from the file or from the lump, and the part may be compressed. The part
 * ends at the offset of the next entry. Without a next entry, it extends to the end of the lump. */
static void parts_are_found_however_stored(void **state)
{
	(void)state;
	enum { DIRECTORY = 4 + 2 * 16, PART = 4 + 128 + 4 + 4 + 56 };
	static bspt_vbsp file;
	for (int form = 0; form < 8; form++) {
		bool relative = form & 1, packed = form & 2, last = form & 4;
		uint8_t part[PART] = { 1, 0, 0, 0, 'a', '.', 'm', 'd', 'l' }, lump[1024] = { 0 };
		bspt_vbsp_load f;
		bspt_vbsp_build(&file, bspt_find_variant(&bspi_family_vbsp, "source20"));
		part[PART - 56 - 4] = 1;
		size_t size = PART;
		if (packed) size = compress(part, PART, false, lump + DIRECTORY, sizeof lump - DIRECTORY);
		else memcpy(lump + DIRECTORY, part, PART);
		uint32_t start = (relative ? 0 : (uint32_t)file.size) + DIRECTORY;
		bspt_store_u32(lump, last ? 1 : 2);
		bspt_store_u32(lump + 4, VBSP_STATIC_PROPS);
		bspt_store_u32(lump + 8, 4 << 16 | packed);
		bspt_store_u32(lump + 12, start);
		bspt_store_u32(lump + 16, PART);
		if (!last) bspt_store_u32(lump + 20 + 8, start + (uint32_t)size);
		bspt_vbsp_lump(&file, VBSP_GAME_LUMP, lump, sizeof lump, 0);
		if (!bspt_vbsp_read(&f, &file)) fail_msg("form %d: %s", form, f.ctx.error.message);
		assert_int_equal(f.map.static_props_count, 1);
		assert_string_equal(f.map.static_props[0].model, "a.mdl");
		assert_int_equal(f.ctx.warning_count, 0);
		bspt_vbsp_end(&f);
	}
}

/* The remaining lumps of a truncated file are read; strict loads refuse it. */
static void cut_lumps_keep_what_is_left(void **state)
{
	(void)state;
	static bspt_vbsp file;
	static const struct { uint32_t slot; size_t kept; bool required; } cases[] = {
		{ VBSP_PAKFILE, 5, false }, { VBSP_LIGHTING, 8, false }, { VBSP_VERTICES, 3 * 12, true },
		{ VBSP_LEAF_FACES, 4, false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int strict = 0; strict < 2; strict++) {
			uint8_t lump[256] = { 0 };
			bspt_vbsp_load f;
			bspt_vbsp_build(&file, bspt_find_variant(&bspi_family_vbsp, "source20"));
			const uint8_t *entry = file.data + 8 + 16 * cases[i].slot;
			memcpy(lump, file.data + bspi_load_u32(entry), bspi_load_u32(entry + 4));
			size_t at = file.size;
			bspt_vbsp_lump(&file, cases[i].slot, lump, sizeof lump, 0);
			file.size = at + cases[i].kept;
			bool read = read_strictly(&f, &file, strict);
			if (read == strict) fail_msg("case %zu, strict %d: %s", i, strict, f.ctx.error.message);
			if (!strict) {
				assert_int_equal(bspt_vbsp_warnings(&f, BSPSCENE_WARNING_LUMP_BAD), 1);
				assert_non_null(strstr(f.ctx.warnings[0].message, "past the end of the file"));
			}
			if (!strict && cases[i].slot == VBSP_PAKFILE) assert_int_equal(f.map.pakfile.size, 5);
			if (!strict && cases[i].slot == VBSP_VERTICES) assert_int_equal(f.map.vertices_count, 3);
			bspt_vbsp_end(&f);
		}
	}
}

/* Parts of the game lump that lie elsewhere in the file are read, with a warning. */
static void parts_outside_of_the_game_lump_count(void **state)
{
	(void)state;
	static bspt_vbsp file;
	uint8_t part[12] = { 0 }, lump[20] = { 1 };
	bspt_vbsp_load f;
	bspt_vbsp_build(&file, bspt_find_variant(&bspi_family_vbsp, "source20"));
	bspt_store_u32(lump + 4, VBSP_STATIC_PROPS);
	bspt_store_u32(lump + 8, 6 << 16);
	bspt_store_u32(lump + 12, (uint32_t)file.size + sizeof lump);
	bspt_store_u32(lump + 16, sizeof part);
	bspt_vbsp_lump(&file, VBSP_GAME_LUMP, lump, sizeof lump, 0);
	bspt_vbsp_lump(&file, 63, part, sizeof part, 0);
	bspt_vbsp_entry(&file, 63, 0, 0, 0, 0);
	assert_true(bspt_vbsp_read(&f, &file));
	assert_int_equal(bspt_vbsp_warnings(&f, BSPSCENE_WARNING_LUMP_BAD), 1);
	assert_non_null(strstr(f.ctx.warnings[0].message, "outside"));
	bspt_vbsp_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compressed_lumps_are_what_they_were),
		cmocka_unit_test(lumps_outside_count_or_refuse),
		cmocka_unit_test(damaged_optional_lumps_are_left_out),
		cmocka_unit_test(parts_are_found_however_stored),
		cmocka_unit_test(cut_lumps_keep_what_is_left),
		cmocka_unit_test(parts_outside_of_the_game_lump_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
