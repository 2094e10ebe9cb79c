/* picture_format.h - finds the picture format of a file name. */
#ifndef CLI_PICTURE_FORMAT_H
#define CLI_PICTURE_FORMAT_H

#include <bspscene/image.h>

/* Returns the format for the extension .png, .tga, .bmp, .exr or .hdr, in any case. Else BSPSCENE_PICTURE_DEFAULT. */
bspscene_picture_format cli_picture_format(const char *path);
/* True for formats with 8 bits per channel: PNG, TGA and BMP. */
bool cli_is_plain_picture(bspscene_picture_format format);

#endif
