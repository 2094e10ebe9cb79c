/* test_vtf.c - VTF of every version and pixel format decodes to its largest level, whatever else is in the file.
 * Inconsistent headers are refused with a reason before memory is allocated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "images/images.h"
#include "support/make/build_texture.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define DATA(literal) (literal), sizeof(literal) - 1
enum { RGBA = 0, BGRA = 12, DXT1 = 13, DXT3 = 14, DXT5 = 15, DXT1_ALPHA = 20, ENVIRONMENT = 0x4000 };

static bspi_bytes view(bspt_bytes bytes)
{
	return bspi_bytes_of(bytes.data, bytes.size);
}

static void expect(const char *what, const bspt_vtf *vtf, const uint8_t *want, size_t count, bool has_alpha,
                   int tolerance)
{
	bspt_bytes bytes = bspt_encode_vtf(vtf);
	bspscene_pixels pixels;
	bspscene_error error = { 0 };
	bspi_image_info info;
	if (!bspi_image_check(view(bytes), &info, &error)) fail_msg("%s: %s", what, error.message);
	if (info.format != BSPSCENE_IMAGE_VTF || info.width != vtf->width || info.height != vtf->height ||
	    info.has_alpha != has_alpha) {
		fail_msg("%s: format %d, %u x %u, alpha %d", what, (int)info.format, info.width, info.height, info.has_alpha);
	}
	bool decoded = bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_VTF, view(bytes), &pixels, &error);
	if (!decoded) fail_msg("%s: %s", what, error.message);
	for (size_t i = 0; i < count; i++) {
		if (abs(pixels.data[i] - want[i]) > tolerance) {
			fail_msg("%s: pixel %zu channel %zu is %u instead of %u", what, i / 4, i % 4, pixels.data[i], want[i]);
		}
	}
	bspscene_pixels_free(&pixels);
	free(bytes.data);
}

/* ---- Pixel formats ---------------------------------------------------------------------------------------- */

static void pixels_of_every_format(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t format;
		const void *data; size_t size; /* bytes of one pixel in the format */
		uint8_t want[4];
		bool alpha;
	} cases[] = {
		{ "RGBA8888", RGBA, DATA("\1\2\3\4"), { 1, 2, 3, 4 }, true },
		{ "ABGR8888", 1, DATA("\4\3\2\1"), { 1, 2, 3, 4 }, true },
		{ "RGB888", 2, DATA("\1\2\3"), { 1, 2, 3, 255 }, false },
		{ "BGR888", 3, DATA("\3\2\1"), { 1, 2, 3, 255 }, false },
		{ "RGB565", 4, DATA("\x1f\x04"), { 255, 130, 0, 255 }, false },
		{ "I8", 5, DATA("\x50"), { 80, 80, 80, 255 }, false },
		{ "IA88", 6, DATA("\x50\x07"), { 80, 80, 80, 7 }, true },
		{ "A8", 8, DATA("\x07"), { 255, 255, 255, 7 }, true },
		{ "blue screen", 9, DATA("\0\0\xff"), { 0, 0, 0, 0 }, true },
		{ "not the blue screen's blue", 9, DATA("\0\1\xff"), { 0, 1, 255, 255 }, true },
		{ "BGR with a blue screen", 10, DATA("\xff\0\0"), { 0, 0, 0, 0 }, true },
		{ "ARGB8888", 11, DATA("\4\1\2\3"), { 1, 2, 3, 4 }, true },
		{ "BGRA8888", BGRA, DATA("\3\2\1\4"), { 1, 2, 3, 4 }, true },
		{ "BGRX8888", 16, DATA("\3\2\1\4"), { 1, 2, 3, 255 }, false },
		{ "BGR565", 17, DATA("\x1f\x04"), { 0, 130, 255, 255 }, false },
		{ "BGRX5551", 18, DATA("\0\x7c"), { 255, 0, 0, 255 }, false },
		{ "BGRA4444", 19, DATA("\x21\x43"), { 51, 34, 17, 68 }, true },
		{ "BGRA5551, hole", 21, DATA("\x1f\x00"), { 0, 0, 255, 0 }, true },
		{ "BGRA5551", 21, DATA("\x1f\x80"), { 0, 0, 255, 255 }, true },
		{ "UV88", 22, DATA("\1\2"), { 1, 2, 0, 255 }, false },
		{ "UVWQ8888", 23, DATA("\1\2\3\4"), { 1, 2, 3, 4 }, true },
		{ "RGBA16161616F", 24, DATA("\0\x3c\0\x38\0\0\0\x38"), { 255, 186, 0, 128 }, true },
		{ "RGBA16161616F, too bright, negative, no number", 24, DATA("\0\x44\0\xbc\0\x7e\0\x3c"), { 255, 0, 0, 255 },
		  true },
		{ "RGBA16161616", 25, DATA("\xff\x0f\0\x08\0\0\xff\x7f"), { 255, 186, 0, 127 }, true },
		{ "UVLX8888", 26, DATA("\1\2\3\4"), { 1, 2, 3, 255 }, false },
		{ "R32F", 27, DATA("\0\0\0\x3f"), { 186, 186, 186, 255 }, false },
		{ "RGB323232F", 28, DATA("\0\0\x80\x3f\0\0\0\x3f\0\0\xc0\x7f"), { 255, 186, 0, 255 }, false },
		{ "RG1616F", 30, DATA("\0\x3c\0\x38"), { 255, 186, 0, 255 }, false },
		{ "RG3232F", 31, DATA("\0\0\x80\x3f\0\0\0\x3f"), { 255, 186, 0, 255 }, false },
		{ "RGBX8888", 32, DATA("\1\2\3\4"), { 1, 2, 3, 255 }, false },
		{ "RGBA1010102", 36, DATA("\xff\x03\x08\x40"), { 255, 128, 0, 85 }, true },
		{ "BGRA1010102", 37, DATA("\xff\x03\x08\x40"), { 0, 128, 255, 85 }, true },
		{ "R16F", 38, DATA("\0\x38"), { 186, 186, 186, 255 }, false },
		{ "R8", 69, DATA("\x50"), { 80, 80, 80, 255 }, false },
		{ "RGBA32323232F", 29, DATA("\0\0\x80\x3f\0\0\0\0\0\0\0\0\0\0\0\x3f"), { 255, 0, 0, 128 }, true },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		/* The second of two pixels is right only if it is read at its own offset. */
		uint8_t two[32], want[8];
		for (int k = 0; k < 2; k++) {
			memcpy(two + (size_t)k * cases[i].size, cases[i].data, cases[i].size);
			memcpy(want + 4 * k, cases[i].want, 4);
		}
		bspt_vtf vtf = { .minor = 4, .format = cases[i].format, .width = 2, .height = 1, .picture = two,
		                 .size = 2 * cases[i].size };
		expect(cases[i].name, &vtf, want, 8, cases[i].alpha, 1);
	}
}

/* `block` is the second of two blocks in a picture of 6 x 3 pixels, and the first block is zero. Two pixels of its
 * first row are in the picture, and must be `want`. */
typedef struct block_case {
	const char *name;
	uint32_t format, flags;
	const void *block; size_t size;
	uint8_t want[4];
	bool alpha;
} block_case;

static void expect_block(const block_case *c)
{
	uint8_t blocks[32] = { 0 }, want[6 * 4];
	memcpy(blocks + c->size, c->block, c->size);
	bspt_vtf vtf = { .minor = 5, .format = c->format, .flags = c->flags, .width = 6, .height = 3, .picture = blocks,
	                 .size = 2 * c->size };
	bspt_bytes bytes = bspt_encode_vtf(&vtf);
	bspscene_pixels pixels;
	bspscene_error error;
	bool ok = bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_VTF, view(bytes), &pixels, &error);
	if (!ok) fail_msg("%s: %s", c->name, error.message);
	memcpy(want, pixels.data, sizeof want);
	for (int x = 4; x < 6; x++) memcpy(want + 4 * x, c->want, 4);
	bspscene_pixels_free(&pixels);
	free(bytes.data);
	expect(c->name, &vtf, want, sizeof want, c->alpha, 1);
}

static void blocks_of_dxt(void **state)
{
	(void)state;
	/* The colors of RED are red (0xf800) and blue (0x001f), and all its pixels have the first color. HOLES has the
	 * colors in the reverse order, which makes pixels with the code 3 transparent. */
	#define RED "\x00\xf8\x1f\x00\0\0\0\0"
	#define HOLES "\x1f\x00\x00\xf8\xff\xff\xff\xff"
	static const block_case cases[] = {
		{ "DXT1", DXT1, 0, DATA(RED), { 255, 0, 0, 255 }, false },
		{ "DXT1 without alpha has no holes", DXT1, 0, DATA(HOLES), { 0, 0, 0, 255 }, false },
		{ "DXT1 with the flag has", DXT1, 0x1000, DATA(HOLES), { 0, 0, 0, 0 }, true },
		{ "DXT1 with one bit of alpha", DXT1_ALPHA, 0, DATA(HOLES), { 0, 0, 0, 0 }, true },
		{ "DXT3", DXT3, 0, DATA("\x88\x88\x88\x88\x88\x88\x88\x88" RED), { 255, 0, 0, 136 }, true },
		{ "DXT5", DXT5, 0, DATA("\x40\x20\0\0\0\0\0\0" RED), { 255, 0, 0, 64 }, true },
		{ "ATI1N of later branches", 35, 0, DATA("\x40\x20\0\0\0\0\0\0"), { 64, 64, 64, 255 }, false },
		{ "ATI2N of later branches", 34, 0, DATA("\x80\x20\0\0\0\0\0\0\x40\x20\0\0\0\0\0\0"), { 64, 128, 238, 255 },
		  false },
		{ "ATI1N", 38, 0, DATA("\x40\x20\0\0\0\0\0\0"), { 64, 64, 64, 255 }, false },
		{ "ATI2N", 37, 0, DATA("\x80\x20\0\0\0\0\0\0\x40\x20\0\0\0\0\0\0"), { 64, 128, 238, 255 }, false },
		{ "BC5", 73, 0, DATA("\x80\x20\0\0\0\0\0\0\x40\x20\0\0\0\0\0\0"), { 128, 64, 238, 255 }, false },
		{ "BC4", 74, 0, DATA("\x40\x20\0\0\0\0\0\0"), { 64, 64, 64, 255 }, false },
		{ "BC4 under the number of a larger format", 72, 0, DATA("\x40\x20\0\0\0\0\0\0"), { 64, 64, 64, 255 }, false },
	};
	for (size_t i = 0; i < COUNT(cases); i++) expect_block(&cases[i]);
}

/* Rows of blocks follow each other in the file. The last block of each row and column extends beyond the picture. */
static void rows_of_blocks_lie_below_each_other(void **state)
{
	enum { WIDTH = 6, HEIGHT = 9 };
	#define GREEN "\xe0\x07\0\0\0\0\0\0"
	#define BLUE "\x1f\0\0\0\0\0\0\0"
	static const char blocks[] = RED GREEN BLUE RED RED GREEN;
	static const char seen[3][2] = { "RG", "BR", "RG" };
	uint8_t want[4 * WIDTH * HEIGHT] = { 0 };
	(void)state;
	for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
		char color = seen[i / WIDTH / 4][i % WIDTH / 4];
		want[4 * i + (color == 'R' ? 0 : color == 'G' ? 1 : 2)] = want[4 * i + 3] = 255;
	}
	const bspt_vtf vtf = { .minor = 5, .format = DXT1, .width = WIDTH, .height = HEIGHT, .picture = blocks,
	                       .size = sizeof blocks - 1 };
	expect("rows of blocks", &vtf, want, sizeof want, false, 1);
}

static void blocks_of_bptc(void **state)
{
	(void)state;
	/* The BC7 block is in mode 6 and has one color. In the BC6H block, of 10 bits, the second value is negative. */
	static const block_case cases[] = {
		{ "BC7", 70, 0, DATA("\xc0\xff\x1f\0\0\0\x40\x20\0\0\0\0\0\0\0\0"), { 254, 0, 0, 64 }, true },
		{ "BC6H", 71, 0, DATA("\xe3\x1e\xce\x01\xb8\x87\x73\0\0\0\0\0\0\0\0\0"), { 255, 0, 0, 255 }, false },
		{ "BC6H without signs", 72, 0, DATA("\xe3\x3d\xe7\0\x78\xcf\x39\0\0\0\0\0\0\0\0\0"), { 255, 186, 0, 255 },
		  false },
	};
	for (size_t i = 0; i < COUNT(cases); i++) expect_block(&cases[i]);
}

/* ---- Data before the picture ------------------------------------------------------------------------------ */

static void versions_and_layouts(void **state)
{
	(void)state;
	static const uint8_t slices[32] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17 };
	const uint8_t *picture = slices;
	const size_t picture_size = 2 * 2 * 4;
	const struct { const char *name; bspt_vtf vtf; } cases[] = {
		{ "7.0", { .minor = 0 } },
		{ "7.1 with a thumbnail", { .minor = 1, .thumbnail = true } },
		{ "7.2 with a thumbnail", { .minor = 2, .thumbnail = true } },
		{ "7.3", { .minor = 3 } },
		{ "7.5", { .minor = 5 } },
		{ "7.6", { .minor = 6 } },
		{ "levels: 1 x 1 comes first", { .minor = 1, .levels = 2, .pictures_before = 4 } },
		{ "three frames", { .minor = 4, .levels = 2, .frames = 3, .pictures_before = 3 * 4,
		                    .pictures_behind = 2 * 16 } },
		{ "7 faces up to 7.4", { .minor = 4, .levels = 2, .flags = ENVIRONMENT, .pictures_before = 7 * 4,
		                         .pictures_behind = 6 * 16 } },
		{ "6 faces with no first frame", { .minor = 4, .levels = 2, .flags = ENVIRONMENT, .first_frame = 0xffff,
		                                   .pictures_before = 6 * 4, .pictures_behind = 5 * 16 } },
		{ "6 faces in 7.0, as the size says", { .minor = 0, .levels = 2, .flags = ENVIRONMENT, .pictures_before = 6 * 4,
		                                        .pictures_behind = 5 * 16 } },
		{ "7 faces with no first frame, as the size says", { .minor = 4, .levels = 2, .flags = ENVIRONMENT,
		                                                     .first_frame = 0xffff, .pictures_before = 7 * 4,
		                                                     .pictures_behind = 6 * 16 } },
		{ "7 faces with something behind them", { .minor = 4, .levels = 2, .flags = ENVIRONMENT,
		                                          .pictures_before = 7 * 4, .pictures_behind = 6 * 16 + 1 } },
		{ "6 faces from 7.5", { .minor = 5, .levels = 2, .flags = ENVIRONMENT, .pictures_before = 6 * 4,
		                        .pictures_behind = 5 * 16 } },
		{ "a volume of 4, 2, 1", { .minor = 5, .levels = 3, .depth = 4, .pictures_before = 4 + 2 * 4,
		                           .pictures_behind = 3 * 16 } },
		{ "deflated", { .minor = 6, .packed = true } },
		{ "deflated by number", { .minor = 6, .packed = true, .method = 8 } },
		{ "deflated by a number below zero", { .minor = 6, .packed = true, .method = 0xffff } },
		{ "a deflated volume, of which one slice is wanted", { .minor = 6, .packed = true, .depth = 2 } },
#ifdef BSPI_HAVE_ZSTD
		{ "zstd", { .minor = 6, .packed = true, .method = BSPT_ZSTD } },
		{ "zstd with smaller levels", { .minor = 6, .packed = true, .method = BSPT_ZSTD, .levels = 2,
		                                .packed_before = 1, .pictures_before = 11 } },
		{ "a volume by zstd", { .minor = 6, .packed = true, .method = BSPT_ZSTD, .depth = 2 } },
#endif
		{ "deflated, with smaller levels", { .minor = 6, .packed = true, .levels = 2, .packed_before = 1,
		                                     .pictures_before = 11 } },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_vtf vtf = cases[i].vtf;
		vtf.width = vtf.height = 2;
		vtf.picture = picture;
		vtf.size = vtf.packed && vtf.depth ? sizeof slices : picture_size;
		expect(cases[i].name, &vtf, picture, picture_size, true, 0);
	}
}

/* A file of a late version may lack a dictionary of resources. If it has one, that states the picture's offset. */
static void a_late_version_without_a_dictionary(void **state)
{
	(void)state;
	enum { MINOR_AT = 8, PART_COUNT_AT = 68 };
	static const uint8_t picture[] = { 1, 2, 3, 4 };
	bspt_vtf vtf = { .minor = 2, .thumbnail = true, .width = 1, .height = 1, .picture = picture,
	                 .size = sizeof picture };
	bspt_bytes bytes = bspt_encode_vtf(&vtf);
	bspscene_pixels pixels;
	bspscene_error error;
	bytes.data[MINOR_AT] = 3;
	assert_true(bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_VTF, view(bytes), &pixels, &error));
	assert_memory_equal(pixels.data, picture, sizeof picture);
	bspscene_pixels_free(&pixels);
	bytes.data[PART_COUNT_AT] = 1;
	assert_false(bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_VTF, view(bytes), &pixels, &error));
	assert_non_null(strstr(error.message, "it has no picture in it"));
	free(bytes.data);
}

/* ---- Smaller levels --------------------------------------------------------------------------------------- */

/* The texture has a level of 8 x 2 pixels and two smaller ones. Each level of each frame is filled with one byte. The
 * middle level of the first frame must be returned, not that of the second frame. */
static void a_smaller_level_is_decoded_when_it_is_enough(void **state)
{
	(void)state;
	enum { I8 = 5, LARGE = 8 * 2, MIDDLE = 4, SMALL = 2 };
	uint8_t levels[2 * (LARGE + MIDDLE + SMALL)];
	memset(levels, 1, 2 * SMALL);
	memset(levels + 2 * SMALL, 2, MIDDLE);
	memset(levels + 2 * SMALL + MIDDLE, 9, MIDDLE);
	memset(levels + 2 * (SMALL + MIDDLE), 3, 2 * LARGE);
	bspt_vtf vtf = { .minor = 4, .format = I8, .width = 8, .height = 2, .levels = 3, .frames = 2, .picture = levels,
	                 .size = sizeof levels };
	bspt_bytes bytes = bspt_encode_vtf(&vtf);
	static const struct { uint32_t side, width, height; uint8_t want; } cases[] = {
		{ 8192, 8, 2, 3 }, { 8, 8, 2, 3 }, { 7, 4, 1, 2 }, { 4, 4, 1, 2 }, { 3, 2, 1, 1 }, { 1, 2, 1, 1 },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspscene_image image = { .name = "", .path = "", .format = BSPSCENE_IMAGE_VTF, .data = bytes.data,
		                         .size = bytes.size };
		bspscene_pixels pixels;
		bspscene_decode_options options;
		bspscene_decode_options_init(&options);
		options.max_side = cases[i].side;
		assert_true(bspscene_image_decode_with(&image, &options, &pixels, NULL));
		assert_int_equal(pixels.width, cases[i].width);
		assert_int_equal(pixels.height, cases[i].height);
		for (uint32_t k = 0; k < pixels.width * pixels.height; k++) assert_int_equal(pixels.data[4 * k], cases[i].want);
		bspscene_pixels_free(&pixels);
	}
	free(bytes.data);
}

/* ---- Frames ------------------------------------------------------------------------------------------------ */

/* Returns the only color of a frame. Returns 0 if decoding fails, which must give a message. */
static uint8_t gray_of_frame(bspt_bytes bytes, uint32_t frame, uint32_t side)
{
	const bspscene_image image = { .name = "", .path = "", .format = BSPSCENE_IMAGE_VTF, .data = bytes.data,
	                               .size = bytes.size, .frame = frame };
	bspscene_pixels pixels;
	bspscene_error error = { 0 };
	bspscene_decode_options options;
	bspscene_decode_options_init(&options);
	options.max_side = side;
	if (!bspscene_image_decode_with(&image, &options, &pixels, &error)) {
		if (!strstr(error.message, "is not in the file")) fail_msg("frame %u: %s", frame, error.message);
		return 0;
	}
	uint8_t gray = pixels.data[0];
	for (uint32_t i = 1; i < pixels.width * pixels.height; i++) assert_int_equal(pixels.data[4 * i], gray);
	bspscene_pixels_free(&pixels);
	return gray;
}

static void each_frame_is_a_picture_of_its_own(void **state)
{
	(void)state;
	/* The texture has two levels and three frames. The larger level has two slices. The first is used in each frame. */
	enum { I8 = 5, LARGE = 8, SMALL = 2, FRAMES = 3 };
	uint8_t pictures[FRAMES * (SMALL + 2 * LARGE)], *at = pictures;
	for (int frame = 0; frame < FRAMES; frame++, at += SMALL) memset(at, 10 + frame, SMALL);
	for (int frame = 0; frame < FRAMES; frame++, at += 2 * LARGE) {
		memset(at, 20 + frame, LARGE);
		memset(at + LARGE, 99, LARGE);
	}
	bspt_vtf vtf = { .minor = 4, .format = I8, .width = 4, .height = 2, .levels = 2, .depth = 2, .frames = FRAMES,
	                 .picture = pictures, .size = sizeof pictures };
	bspt_bytes bytes = bspt_encode_vtf(&vtf);
	uint32_t claimed;
	for (uint32_t frame = 0; frame < FRAMES; frame++) {
		assert_int_equal(gray_of_frame(bytes, frame, 4), 20 + frame);
		assert_int_equal(gray_of_frame(bytes, frame, 2), 10 + frame);
	}
	assert_int_equal(gray_of_frame(bytes, FRAMES, 4), 0);
	assert_int_equal(gray_of_frame(bytes, UINT32_MAX, 4), 0);
	assert_int_equal(bspi_vtf_count_frames(view(bytes), 64, &claimed), FRAMES);
	assert_int_equal(bspi_vtf_count_frames(view(bytes), 2, &claimed), 2);
	assert_int_equal(claimed, FRAMES);
	free(bytes.data);
}

/* The compressed data of the first frame are invalid, so only the second one can be decoded. */
static void frames_that_are_packed(void **state)
{
	(void)state;
	static const uint8_t gray[4] = { 7, 7, 7, 7 };
	bspt_vtf vtf = { .minor = 6, .format = 5, .width = 2, .height = 2, .frames = 2, .picture = gray,
	                 .size = sizeof gray, .packed = true, .pictures_before = 4, .packed_before = 1 };
	bspt_bytes bytes = bspt_encode_vtf(&vtf);
	uint32_t claimed;
	assert_int_equal(bspi_vtf_count_frames(view(bytes), 64, &claimed), 2);
	assert_int_equal(gray_of_frame(bytes, 1, 2), 7);
	assert_int_equal(gray_of_frame(bytes, 2, 2), 0);
	assert_int_equal(bspi_vtf_count_frames(bspi_bytes_of(bytes.data, bytes.size - 1), 64, &claimed), 1);
	free(bytes.data);
}

/* The header claims 65535 frames; only complete ones count. */
static void frames_end_where_the_file_does(void **state)
{
	(void)state;
	enum { WIDTH = 300, HEIGHT = 100, FRAME = WIDTH * HEIGHT };
	static uint8_t pictures[3 * FRAME];
	static const struct { size_t size; uint32_t want; } cases[] = {
		{ sizeof pictures, 3 }, { sizeof pictures - 1, 2 }, { 65535, 2 },
		{ 60000, 0 }, /* less than one frame, so the header is invalid */
	};
	memset(pictures, 5, sizeof pictures);
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint32_t claimed = 0;
		bspt_vtf vtf = { .minor = 2, .format = 5, .width = WIDTH, .height = HEIGHT, .frames = 65535,
		                 .picture = pictures, .size = cases[i].size };
		bspt_bytes bytes = bspt_encode_vtf(&vtf);
		uint32_t count = bspi_vtf_count_frames(view(bytes), 64, &claimed);
		if (count != cases[i].want) fail_msg("case %zu: %u frames instead of %u", i, count, cases[i].want);
		assert_int_equal(claimed, count ? 65535 : 0);
		for (uint32_t frame = 0; count && frame < 65537; frame += frame < 4 ? 1 : 6553) {
			assert_int_equal(gray_of_frame(bytes, frame, 8192), frame < count ? 5 : 0);
		}
		free(bytes.data);
	}
}

/* ---- Lies ------------------------------------------------------------------------------------------------- */

static void lies_are_refused_in_words(void **state)
{
	(void)state;
	static const uint8_t picture[64];
	const struct { bspt_vtf vtf; bspscene_status status; const char *words; } cases[] = {
		{ { .minor = 7, .width = 2, .height = 2 }, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "version 7.7 is not supported" },
		{ { .minor = 2, .format = 7, .width = 2, .height = 2 }, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		  "pixel format 7, P8 is not supported" },
		{ { .minor = 5, .format = 33, .width = 2, .height = 2 }, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		  "pixel format 33 is not supported" },
		{ { .minor = 6, .format = 70, .width = 20, .height = 4 }, BSPSCENE_ERROR_BAD_DATA,
		  "ends before its largest mip level" },
		{ { .minor = 2, .format = 4000, .width = 2, .height = 2 }, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		  "pixel format 4000 is not supported" },
		{ { .minor = 2, .width = 0, .height = 2 }, BSPSCENE_ERROR_LIMIT, "0 x 2 pixels" },
		{ { .minor = 2, .width = 65535, .height = 65535 }, BSPSCENE_ERROR_LIMIT, "65535 x 65535 pixels" },
		{ { .minor = 2, .width = 8192, .height = 8192 }, BSPSCENE_ERROR_BAD_DATA, "ends before its largest mip level" },
		{ { .minor = 2, .width = 2, .height = 2, .levels = 255 }, BSPSCENE_ERROR_BAD_HEADER,
		  "255 mip levels for 2 x 2 pixels" },
		{ { .minor = 2, .width = 2, .height = 2, .frames = 65535, .levels = 2 }, BSPSCENE_ERROR_BAD_DATA,
		  "ends before its largest mip level" },
		{ { .minor = 2, .format = 29, .flags = ENVIRONMENT, .width = 8192, .height = 8192, .frames = 65535,
		    .depth = 65535, .levels = 16 },
		  BSPSCENE_ERROR_BAD_DATA, "ends before its largest mip level" },
		{ { .minor = 6, .packed = true, .width = 2, .height = 2, .method = 14 }, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		  "compression method 14" },
#ifdef BSPI_HAVE_ZSTD
		{ { .minor = 6, .packed = true, .width = 4096, .height = 4096, .method = BSPT_ZSTD }, BSPSCENE_ERROR_BAD_DATA,
		  "do not fit into" },
		{ { .minor = 6, .packed = true, .width = 8, .height = 8, .method = BSPT_ZSTD }, BSPSCENE_ERROR_BAD_DATA,
		  "compressed data is damaged" },
#else
		{ { .minor = 6, .packed = true, .width = 2, .height = 2, .method = BSPT_ZSTD },
		  BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "lacks libzstd" },
#endif
		{ { .minor = 6, .packed = true, .width = 4096, .height = 4096 }, BSPSCENE_ERROR_BAD_DATA, "do not fit into" },
		{ { .minor = 6, .packed = true, .width = 8, .height = 8 }, BSPSCENE_ERROR_BAD_DATA,
		  "compressed data is damaged" },
	};
	bspt_heap_reset_peak();
	size_t before = bspt_heap_now();
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_vtf vtf = cases[i].vtf;
		vtf.picture = picture;
		vtf.size = sizeof picture;
		bspt_bytes bytes = bspt_encode_vtf(&vtf);
		bspscene_pixels pixels;
		bspscene_error error;
		bool ok = bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_VTF, view(bytes), &pixels, &error);
		if (ok) fail_msg("decoded, instead of: %s", cases[i].words);
		if (error.status != cases[i].status || !strstr(error.message, cases[i].words)) {
			fail_msg("%s \"%s\" instead of \"%s\"", bspscene_status_name(error.status), error.message, cases[i].words);
		}
		free(bytes.data);
	}
	if (bspt_heap_known()) assert_true(bspt_heap_peak() - before < 4 << 20);
}

static void cut_anywhere(uint32_t method)
{
	static const uint8_t picture[16];
	bspt_vtf vtf = { .minor = 6, .packed = true, .width = 2, .height = 2, .method = method, .picture = picture,
	                 .size = sizeof picture };
	bspt_bytes bytes = bspt_encode_vtf(&vtf);
	for (size_t size = 0; size < bytes.size; size++) {
		uint8_t *cut = malloc(size ? size : 1);
		memcpy(cut, bytes.data, size);
		bspscene_pixels pixels;
		bspscene_error error;
		assert_false(bspi_image_decode(&bspi_system_heap,
		                               BSPSCENE_IMAGE_VTF, bspi_bytes_of(cut, size), &pixels, &error));
		assert_true(error.message[0] != 0);
		free(cut);
	}
	free(bytes.data);
}

static void a_file_cut_anywhere_is_refused(void **state)
{
	(void)state;
	cut_anywhere(0);
#ifdef BSPI_HAVE_ZSTD
	cut_anywhere(BSPT_ZSTD);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pixels_of_every_format),
		cmocka_unit_test(blocks_of_dxt),
		cmocka_unit_test(rows_of_blocks_lie_below_each_other), cmocka_unit_test(blocks_of_bptc),
		cmocka_unit_test(versions_and_layouts),
		cmocka_unit_test(a_late_version_without_a_dictionary),
		cmocka_unit_test(a_smaller_level_is_decoded_when_it_is_enough),
		cmocka_unit_test(each_frame_is_a_picture_of_its_own),
		cmocka_unit_test(frames_that_are_packed),
		cmocka_unit_test(frames_end_where_the_file_does),
		cmocka_unit_test(lies_are_refused_in_words),
		cmocka_unit_test(a_file_cut_anywhere_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
