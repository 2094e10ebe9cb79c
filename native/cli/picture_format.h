/* picture_format.h - finds the picture format that a file name asks for. */
#ifndef CLI_PICTURE_FORMAT_H
#define CLI_PICTURE_FORMAT_H

#include <bspscene/image.h>

/* Returns the format by the ending, in any case: .png, .tga, .bmp, .exr or .hdr. Else BSPSCENE_PICTURE_DEFAULT. */
bspscene_picture_format cli_picture_format(const char *path);
/* True for formats of 8 bits that bspscene_write_picture writes: PNG, TGA and BMP. */
bool cli_is_plain_picture(bspscene_picture_format format);

#endif
