/* vmt_reading.h - what a VMT says about a surface, as the neutral material. */
#ifndef BSPI_VMT_READING_H
#define BSPI_VMT_READING_H

#include "materials/vmt.h"

/* What the editor's %compile keys hide the surface as. */
bspscene_include bspi_vmt_tool(const bspi_vmt *vmt);
/* Fills what is drawn. `blends`: the surface has weights for a second texture. */
bool bspi_read_vmt(bspi_materials *materials, const bspi_vmt *vmt, bool blends, bspscene_material *out);
/* The image that the first of these keys names; NO_INDEX where no key names a file. A file that is not there is a missing
 * image with `required`, else NO_INDEX. */
bool bspi_find_vmt_image(bspi_materials *materials, const bspi_vmt *vmt, const char *const keys[], bool required, uint32_t *index);

#endif
