/* load_stages.h - the stages of a load, in order, and what each of them takes. */
#ifndef BSPI_LOAD_STAGES_H
#define BSPI_LOAD_STAGES_H

#include "stages/stages.h"

/* The file is read, then unpacked, sliced and checked: the first parts of a load's time. */
#define BSPI_SHARE_READ 0.08
#define BSPI_SHARE_CHECKED 0.15

/* From the checked map to the scene. Tells the caller how far it is, from BSPI_SHARE_CHECKED to 1. */
bool bspi_run_stages(bspi_build *build);

#endif
