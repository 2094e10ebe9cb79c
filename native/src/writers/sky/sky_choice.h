/* sky_choice.h - decides which sky a file has, its size, and what happens to the 3D skybox, before anything is
 * written. */
#ifndef BSPI_SKY_CHOICE_H
#define BSPI_SKY_CHOICE_H

#include <bspscene/writer.h>

#include "writers/writers.h"

#define BSPI_LARGEST_SKY_SIDE 1024u    /* pixels: files stay a size that viewers load quickly */

/* Replaces the default of options->sky. Returns NULL, or what is wrong if the format lacks the requested sky.
 * `contents`: see writer_costs.h. */
const char *bspi_choose_sky(bspscene_write_options *options, unsigned contents);
/* True if the 3D skybox is written as the map has it, for engines that draw it like the game. Sky surfaces would hide
 * it. */
bool bspi_keeps_skybox(const bspscene_write_options *options);
/* Removes the 3D skybox from the writer's scene if it is not kept. Its nodes stay with their entities and lamps, but
 * show nothing. False if memory is out; writer->failure is not set then. */
bool bspi_leave_out_skybox(bspi_writer *writer, unsigned contents);
/* Returns the side of the written sky in pixels; 0: no sky. */
uint32_t bspi_written_sky_size(const bspi_writer *writer);

#endif
