/* gallery_viewer.h - copies the viewer next to a gallery's page: OUTDIR/viewer shows maps whose store has their files
 * (map_files.h) at viewer/index.html?map=ID. */
#ifndef CLI_GALLERY_VIEWER_H
#define CLI_GALLERY_VIEWER_H

#include "cli/output.h"

/* Copies the viewer of the folder `from`, what scripts/package-web makes. `store` is the way from the gallery's page to
 * the store's maps, as a URL that ends with "/". False: the error is printed, or the output knows why. */
bool cli_gallery_viewer(cli_output *output, const char *from, const char *store);

#endif
