/* gallery_pages.h - records of maps to a page that is looked at from a folder, without a server.
 *
 *     OUTDIR/index.html                     names the three files that it begins with
 *     OUTDIR/data/summary-HASH.js           names all pieces
 *     OUTDIR/data/index-0000-HASH.js        a row for each of the next maps by name: what tiles show and search needs
 *     OUTDIR/data/near-0000-HASH.js         the maps that are most like each of these rows
 *     OUTDIR/data/words-ab-HASH.js          the maps that use what has a name with a word that begins so
 *     OUTDIR/data/maps-0af-HASH.js          the records of all maps whose id begins so
 *
 * Pieces are scripts, since a page from a folder may load nothing else. HASH is of what is in the file: a new gallery
 * is there by the one rename of index.html, and whoever looks at the old one until then has its pieces. */
#ifndef CLI_GALLERY_PAGES_H
#define CLI_GALLERY_PAGES_H

#include <jansson.h>

#include "cli/output.h"

typedef struct cli_pages cli_pages;

/* Begins pages for `count` maps. NULL: the error is in the output. */
cli_pages *cli_pages_begin(cli_output *output, size_t count);
/* The next map by id; `line` is the record as text, with its end. */
bool cli_pages_add(cli_pages *pages, const json_t *record, const char *line);
/* Writes the remaining files. `store` is the relative URL from the page to the store's maps, ending with "/".
 * `has_viewer`: there is one next to the page (gallery_viewer.h). */
bool cli_pages_end(cli_pages *pages, const char *store, bool has_viewer);
/* Once the output is committed: removes the pieces of earlier galleries. */
void cli_pages_sweep(const cli_pages *pages, const char *directory);
void cli_pages_free(cli_pages *pages);

#endif
