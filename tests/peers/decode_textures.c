/* decode_textures.c - decodes textures for scripts. Each input line is "SIDE PATH". The output is the largest level
 * that is at most SIDE wide and high: width and height as little-endian words, then RGBA. The extension tells whether
 * the file is a VTF (PC or console, or a TTH with its TTZ) or another picture. After an error the width is 0, followed
 * by the size of a message and the message. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "images/images.h"
#include "materials/vtf/console_vtf.h"
#include "materials/vtf/tth.h"
#include "support/bspt.h"

static bspi_bytes view(bspt_bytes bytes)
{
	return bspi_bytes_of(bytes.data, bytes.size);
}

static void put_word(uint32_t word)
{
	for (int i = 0; i < 4; i++) putchar((int)(word >> 8 * i & 255));
}

static bspscene_image_format format_of(const char *path)
{
	static const struct {
		const char *ending;
		bspscene_image_format format;
	} endings[] = {
		{ ".dds", BSPSCENE_IMAGE_DDS }, { ".tga", BSPSCENE_IMAGE_TGA },   { ".ktx", BSPSCENE_IMAGE_KTX },
		{ ".bmp", BSPSCENE_IMAGE_BMP }, { ".pcx", BSPSCENE_IMAGE_PCX },   { ".jpg", BSPSCENE_IMAGE_JPEG },
		{ ".png", BSPSCENE_IMAGE_PNG }, { ".webp", BSPSCENE_IMAGE_WEBP },
	};
	const char *ending = strrchr(path, '.');
	for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; i++) {
		if (!strcmp(ending, endings[i].ending)) return endings[i].format;
	}
	return BSPSCENE_IMAGE_VTF;
}

static void answer(bspi_bytes bytes, bspscene_image_format format, uint32_t side)
{
	bspscene_image image = { .name = "", .path = "", .format = format, .data = bytes.data, .size = bytes.size };
	bspscene_pixels pixels;
	bspscene_error error;
	bspscene_decode_options options;
	bspscene_decode_options_init(&options);
	options.max_side = side;
	if (bspscene_image_decode_with(&image, &options, &pixels, &error)) {
		put_word(pixels.width);
		put_word(pixels.height);
		fwrite(pixels.data, 4, (size_t)pixels.width * pixels.height, stdout);
	} else {
		put_word(0);
		put_word((uint32_t)strlen(error.message));
		fputs(error.message, stdout);
	}
	fflush(stdout);
	bspscene_pixels_free(&pixels);
}

static void answer_joined(const char *path, bspi_bytes head, uint32_t side)
{
	bspi_ctx ctx = { .budget.limit = 64u << 20 };
	char rest_path[4096];
	const char *why = NULL;
	bspi_bytes whole;
	snprintf(rest_path, sizeof rest_path, "%.*sz", (int)strlen(path) - 1, path);
	bspt_bytes rest = bspt_read_file(rest_path);
	bspi_begin_memory(&ctx);
	if (!bspi_join_tth(&ctx, head, view(rest), &whole, &why)) bspt_die(why ? why : "join", path);
	answer(whole, BSPSCENE_IMAGE_VTF, side);
	bspi_end_memory(&ctx);
	free(rest.data);
}

static void answer_turned(const char *path, bspi_bytes file, uint32_t side)
{
	bspi_ctx ctx = { .budget.limit = 64u << 20 };
	const char *why = NULL;
	bspi_bytes turned;
	bspi_begin_memory(&ctx);
	if (!bspi_turn_console_vtf(&ctx, file, &turned, &why)) bspt_die("turn", why ? why : path);
	answer(turned, BSPSCENE_IMAGE_VTF, side);
	bspi_end_memory(&ctx);
}

int main(void)
{
	char line[4096];
	while (fgets(line, sizeof line, stdin)) {
		char *path;
		uint32_t side = (uint32_t)strtoul(line, &path, 10);
		if (*path != ' ') bspt_die("read", line);
		path[strcspn(path, "\n")] = 0;
		bspt_bytes bytes = bspt_read_file(++path);
		if (strlen(path) > 4 && !strcmp(path + strlen(path) - 4, ".tth")) answer_joined(path, view(bytes), side);
		else if (bspi_is_console_vtf(view(bytes))) answer_turned(path, view(bytes), side);
		else answer(view(bytes), format_of(path), side);
		free(bytes.data);
	}
	return 0;
}
