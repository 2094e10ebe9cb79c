/* gallery_viewer.h - copies the viewer next to a gallery's page: viewer/index.html?map=ID shows a map if the store has
 * its files (map_files.h). */
#ifndef CLI_GALLERY_VIEWER_H
#define CLI_GALLERY_VIEWER_H

#include "cli/output.h"

/* Copies the viewer from folder `from`, which scripts/package-web makes. `store` is the relative URL from the gallery's
 * page to the store's maps, ending with "/". Returns false after an error, which is printed or stored in the output. */
bool cli_gallery_viewer(cli_output *output, const char *from, const char *store);

#endif
