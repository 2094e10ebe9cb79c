/* rewritten.h - runs bspscene_rewrite on a map in memory, and makes rooms with known entities. */
#ifndef BSPT_REWRITTEN_H
#define BSPT_REWRITTEN_H

#include <bspscene/rewrite.h>

#include "support/captured.h"
#include "support/make/build_map.h"

typedef struct bspt_rewritten {
	bool ok;
	bspscene_error error;
	bspscene_rewrite_report report;
	bspt_captured captured;
} bspt_rewritten;

/* Rewrites the map. Fails unless there is a file and no error, or an error message and no file. */
void bspt_rewrite(bspt_rewritten *r, bspt_bytes map, const bspscene_edited_entities *entities,
                  const bspscene_rewrite_options *options, const bspscene_load_options *load);
void bspt_rewrite_text(bspt_rewritten *r, bspt_bytes map, const char *text);
/* Returns the only written file. */
const bspt_bytes *bspt_rewritten_map(const bspt_rewritten *r);
void bspt_rewritten_free(bspt_rewritten *r);

bspscene_scene *bspt_load_room(bspt_bytes map);
/* Returns all entities as text, as the command line prints them. `more` is inserted after the first entity. If
 * `without_last`, the last entity is left out. Free with test_free. */
char *bspt_print_entities(const bspscene_scene *scene, const char *more, bool without_last);

/* A text with three entities of Quake III. It has a comment, a byte of Windows-1252, Windows' line ends, and a key
 * three times. */
extern const char bspt_room_text[];
/* Returns Quake III's room with this entity text. */
bspt_bytes bspt_room_with_text(const char *text);

#endif
