/* room_game.h - a small room of a variant and game files around it, chosen by a fuzzer's input. */
#ifndef BSPT_ROOM_GAME_H
#define BSPT_ROOM_GAME_H

#include "support/bspt.h"
#include "support/hostile/input_files.h"

enum { BSPT_ROOM_NAME = 24 };

/* Returns the first room of that name ("quake3-rtcw", without a NUL if it fills the field), or any room if there is
 * none. Rooms are made once and never freed. */
const bspt_bytes *bspt_room_of_name(const uint8_t name[BSPT_ROOM_NAME]);
/* Sets the callbacks of a load: a path opens the first of `files` whose ending is the end of the path. `files` must
 * outlive the load. */
void bspt_use_input_files(bspscene_load_options *options, bspt_input_files *files);

#endif
