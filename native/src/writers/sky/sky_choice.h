/* sky_choice.h - decides, before anything is written, which sky a file has, how large it is, and what happens to the 3D
 * skybox. */
#ifndef BSPI_SKY_CHOICE_H
#define BSPI_SKY_CHOICE_H

#include <bspscene/writer.h>

#include "writers/writers.h"

#define BSPI_LARGEST_SKY_SIDE 1024u    /* in pixels; it limits the size of files, so that viewers load them quickly */

/* Replaces BSPSCENE_WRITE_SKY_DEFAULT in the options. Returns NULL, or the reason why the format cannot have the
 * requested sky. `contents` has BSPI_WRITES_ bits (writer_costs.h). */
const char *bspi_choose_sky(bspscene_write_options *options, unsigned contents);
/* True if the 3D skybox is written where it is in the map, for engines that draw it like the game. False if sky
 * surfaces would hide it. */
bool bspi_keeps_skybox(const bspscene_write_options *options);
/* If the 3D skybox is not kept, removes it from the writer's scene. Its nodes then have no mesh, but keep their
 * entities and lamps. Returns false if memory is out, without setting writer->failure. */
bool bspi_leave_out_skybox(bspi_writer *writer, unsigned contents);
/* Returns the side of the sky's pictures in pixels, or 0 if no sky is written. */
uint32_t bspi_written_sky_size(const bspi_writer *writer);

#endif
