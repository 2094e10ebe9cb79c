/* sky_choice.h - decides, before anything is written, which sky a file has, how large it is, and what happens to the 3D
 * skybox. */
#ifndef BSPI_SKY_CHOICE_H
#define BSPI_SKY_CHOICE_H

#include <bspscene/writer.h>

#include "writers/writers.h"

#define BSPI_LARGEST_SKY_SIDE 1024u    /* pixels; limits the size of files, so that viewers load them quickly */

/* Replaces BSPSCENE_WRITE_SKY_DEFAULT in the options. Returns NULL, or the reason if the format does not have the
 * requested sky. `contents`: see writer_costs.h. */
const char *bspi_choose_sky(bspscene_write_options *options, unsigned contents);
/* True if the 3D skybox is written as in the map, for engines that draw it like the game. It is not if sky surfaces
 * would hide it. */
bool bspi_keeps_skybox(const bspscene_write_options *options);
/* Removes the 3D skybox from the writer's scene if it is not kept. Its nodes keep their entities and lamps, but have no
 * mesh. False if memory is out; writer->failure is not set then. */
bool bspi_leave_out_skybox(bspi_writer *writer, unsigned contents);
/* Returns the side of the written sky in pixels; 0: no sky. */
uint32_t bspi_written_sky_size(const bspi_writer *writer);

#endif
