/* sky_choice.h - which sky a file has, how large, and what becomes of the 3D skybox: before anything is written. */
#ifndef BSPI_SKY_CHOICE_H
#define BSPI_SKY_CHOICE_H

#include <bspscene/writer.h>

#include "writers/writers.h"

#define BSPI_LARGEST_SKY_SIDE 1024u    /* pixels: files stay a size that viewers load quickly */

/* Chooses options->sky where it is the default. Says what is wrong when the format has not what is asked for, else
 * NULL. `contents`: of writer_costs.h. */
const char *bspi_choose_sky(bspscene_write_options *options, unsigned contents);
/* Is the 3D skybox left to engines, which draw it as the game does? */
bool bspi_keeps_skybox(const bspscene_write_options *options);
/* Takes the 3D skybox out of the writer's scene where it is not kept: the nodes stay, with their entities and lamps,
 * and show nothing. False: memory is out, and the writer is not told yet. */
bool bspi_leave_out_skybox(bspi_writer *writer, unsigned contents);
/* Pixels of a side of the sky as it is written; 0: nothing is. */
uint32_t bspi_written_sky_size(const bspi_writer *writer);

#endif
