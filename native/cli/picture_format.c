/* picture_format.c - see picture_format.h. */
#include "cli/picture_format.h"

#include <strings.h>

#include "cli/names.h"

bspscene_picture_format cli_picture_format(const char *path)
{
	static const struct {
		const char *ending;
		bspscene_picture_format format;
	} rows[] = {
		{ "png", BSPSCENE_PICTURE_PNG }, { "tga", BSPSCENE_PICTURE_TGA }, { "bmp", BSPSCENE_PICTURE_BMP },
		{ "exr", BSPSCENE_PICTURE_EXR }, { "hdr", BSPSCENE_PICTURE_HDR },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!strcasecmp(cli_ending(path), rows[i].ending)) return rows[i].format;
	}
	return BSPSCENE_PICTURE_DEFAULT;
}

bool cli_is_plain_picture(bspscene_picture_format format)
{
	return format == BSPSCENE_PICTURE_PNG || format == BSPSCENE_PICTURE_TGA || format == BSPSCENE_PICTURE_BMP;
}
