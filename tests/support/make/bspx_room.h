/* bspx_room.h - the room with a directory of BSPX lumps after its own. */
#ifndef BSPT_BSPX_ROOM_H
#define BSPT_BSPX_ROOM_H

#include "support/make/build_map.h"
#include "support/make/bytes_writer.h"

/* Returns the file; the caller frees it. */
bspt_bytes bspt_room_with_bspx(const bspi_family *family, const bspt_bspx *lumps, uint32_t count);
/* Loads the room with one BSPX lump, and checks all promises of the scene. */
bspscene_scene *bspt_load_bspx(const bspi_family *family, const char *name, const bspt_writer *bytes);

#endif
