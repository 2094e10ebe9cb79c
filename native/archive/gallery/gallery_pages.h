/* gallery_pages.h - writes the records of maps as a page that browsers open from a folder, without a server.
 *
 *     OUTDIR/index.html                     loads the first three files
 *     OUTDIR/data/summary-HASH.js           names all pieces
 *     OUTDIR/data/index-0000-HASH.js        rows of maps in the order of names: what tiles show and search needs
 *     OUTDIR/data/near-0000-HASH.js         the most similar maps of each of these rows
 *     OUTDIR/data/words-ab-HASH.js          the maps that use a file with a word that begins with "ab"
 *     OUTDIR/data/maps-0af-HASH.js          the records of all maps whose id begins with "0af"
 *
 * Pieces are scripts, because a page from a folder may load nothing else. HASH is a hash of the file's contents. So
 * renaming index.html replaces the gallery at once, and browsers that show the old page still find its pieces. */
#ifndef CLI_GALLERY_PAGES_H
#define CLI_GALLERY_PAGES_H

#include <jansson.h>

#include "cli/output.h"

typedef struct cli_pages cli_pages;

/* Begins pages for `count` maps. If it returns NULL, the output has the error. */
cli_pages *cli_pages_begin(cli_output *output, size_t count);
/* Adds a map. Maps are added in the order of their ids. `line` is the record as text, with its line end. */
bool cli_pages_add(cli_pages *pages, const json_t *record, const char *line);
/* Writes the remaining files. `store` is the relative URL from the page to the store's maps, ending with "/".
 * `has_viewer`: the viewer is next to the page (gallery_viewer.h). */
bool cli_pages_end(cli_pages *pages, const char *store, bool has_viewer);
/* Removes the pieces of earlier galleries. Call it after the output is committed. */
void cli_pages_sweep(const cli_pages *pages, const char *directory);
void cli_pages_free(cli_pages *pages);

#endif
