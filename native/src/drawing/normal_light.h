/* normal_light.h - makes base/soft_light.h known to the renderer, which draws with the same light. */
#ifndef BSPI_DRAWING_NORMAL_LIGHT_H
#define BSPI_DRAWING_NORMAL_LIGHT_H

#include "base/soft_light.h"

#endif
