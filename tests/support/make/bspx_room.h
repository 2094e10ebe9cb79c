/* bspx_room.h - makes the room of a family with BSPX lumps, which follow the lumps of the map's own directory. */
#ifndef BSPT_BSPX_ROOM_H
#define BSPT_BSPX_ROOM_H

#include "support/make/build_map.h"
#include "support/make/bytes_writer.h"

/* Returns the file; the caller frees it. */
bspt_bytes bspt_room_with_bspx(const bspi_family *family, const bspt_bspx *lumps, uint32_t count);
/* Loads the room with one BSPX lump of this name. Fails the test if the load fails, or if bspt_check_scene finds an
 * error in the scene. */
bspscene_scene *bspt_load_bspx(const bspi_family *family, const char *name, const bspt_writer *bytes);

#endif
