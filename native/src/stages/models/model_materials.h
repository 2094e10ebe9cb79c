/* model_materials.h - the materials of models, made along with those of the map. */
#ifndef BSPI_MODEL_MATERIALS_H
#define BSPI_MODEL_MATERIALS_H

#include "materials/materials.h"
#include "stages/models/models.h"

/* Returns an upper bound for the number of materials of all models. */
uint32_t bspi_count_model_materials(const bspi_build *build);
/* Adds the materials of models to `out`, after the *count materials that it has already. */
bool bspi_make_model_materials(bspi_build *build, bspi_materials *materials, bspscene_material *out, uint32_t *count);

#endif
