/* gallery_files.h - the files of the gallery's page, from native/archive/gallery/page, as arrays in the program. */
#ifndef CLI_GALLERY_FILES_H
#define CLI_GALLERY_FILES_H

#include <stddef.h>

extern const unsigned char cli_gallery_html[], cli_gallery_css[], cli_gallery_js[];
extern const size_t cli_gallery_html_size, cli_gallery_css_size, cli_gallery_js_size;

#endif
