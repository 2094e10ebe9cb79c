/* normal_light.h - makes base/soft_light.h available to the renderer, which shades maps without light in the same
 * way. */
#ifndef BSPI_DRAWING_NORMAL_LIGHT_H
#define BSPI_DRAWING_NORMAL_LIGHT_H

#include "base/soft_light.h"

#endif
