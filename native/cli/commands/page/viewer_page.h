/* viewer_page.h - writes a map as one page: the viewer (native/web/viewer) with the files of the map in it, which a
 * browser opens from a disk. */
#ifndef CLI_VIEWER_PAGE_H
#define CLI_VIEWER_PAGE_H

#include "cli/options/args.h"

/* Writes args->output. `viewer` is the viewer's page in one file, which scripts/package-web makes; NULL: viewer.html in
 * share/bspscene of the installation, or next to the program. Prints errors. */
cli_exit cli_write_viewer_page(const cli_args *args, const char *viewer);

#endif
