/* normal_light.h - includes base/soft_light.h for the renderer, which uses this soft light for maps without light. */
#ifndef BSPI_DRAWING_NORMAL_LIGHT_H
#define BSPI_DRAWING_NORMAL_LIGHT_H

#include "base/soft_light.h"

#endif
